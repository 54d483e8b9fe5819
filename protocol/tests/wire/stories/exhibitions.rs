//! Two computers whose pace the maker of their room sets, and series that are decided or begun anew.

use noughts_protocol::{
    Event, Mark, Pace, RefusalCode, RoomIntent, RoomSettings, Seat, SeatPresence, Series,
};

use super::server::BEN;
use super::teller::Story;

pub(super) fn stories() -> Vec<Story> {
    vec![
        pace(),
        pace_in_a_break(),
        step_in_a_break(),
        step_without_a_connection(),
        pause_of_a_clock(),
        pace_of_others(),
        series(),
        counter_offer(),
        series_in_a_break(),
        series_is_decided(),
    ]
}

const fn paced(pace: Pace) -> RoomIntent {
    RoomIntent::Pace { pace }
}

const fn step(game: u32, ply: u16) -> RoomIntent {
    RoomIntent::Step { game, ply }
}

fn pace() -> Story {
    let mut s = Story::new("two computers are paused, stepped to the next game and let go");
    s.exhibition().shows("mine", "[]").shows("may_pace", "true");
    s.asks_room(step(1, 0)).happens(&["blocked"]);
    s.asks_room(paced(Pace::Fast)).answers();
    s.other_plays(8).asks_room(paced(Pace::Paused)).answers();
    s.asks_room(step(1, 1)).answers().happens(&["applied"]);
    // A step that was made is nothing, and nothing forbids to ask for it.
    s.asks_room(step(1, 1)).answers().happens(&["applied"]);
    for ply in 2..8 {
        s.asks_room(step(1, ply)).answers();
    }
    assert!(!s.server.room.is_running(), "the cells in order lead to a line");
    s.asks_room(step(1, 8)).answers();
    s.asks_room(paced(Pace::Normal)).answers();
    s.asks_room(step(2, 0)).happens(&["blocked"]);
    s.other_plays(4);
    s
}

fn pace_in_a_break() -> Story {
    let mut s = Story::new("the pace is set, and the connection breaks before the answer");
    s.exhibition().asks_room(paced(Pace::Paused)).answers_unheard().breaks();
    s.welcome().sends(&["3 join KQRZX spectator", "2 pace paused"]).answers();
    s.shows("unanswered", "[]");
    // It is a fact: it is the same after the next break.
    s.breaks().welcome().sends(&["4 join KQRZX spectator"]).answers();
    s.asks_room(step(1, 0)).answers();
    s
}

fn step_in_a_break() -> Story {
    let mut s = Story::new("a step that was made comes again after a break, and is not made twice");
    s.exhibition().asks_room(paced(Pace::Paused)).answers();
    s.asks_room(step(1, 0)).answers_unheard().breaks();
    s.welcome().sends(&["4 join KQRZX spectator", "3 step 1 0"]).answers();
    let ply = s.server.room.running().map(|running| running.game.ply());
    assert_eq!(ply, Some(1), "one step is one mark");
    s
}

fn step_without_a_connection() -> Story {
    let mut s = Story::new("a step waits for the connection");
    s.exhibition().asks_room(paced(Pace::Paused)).answers().breaks();
    s.asks_room(step(1, 0)).shows("unanswered", "[3]");
    s.welcome().sends(&["4 join KQRZX spectator", "3 step 1 0"]).answers();
    s
}

fn pause_of_a_clock() -> Story {
    let settings = RoomSettings { move_time_ms: Some(30_000), ..RoomSettings::default() };
    let mut s = Story::with_settings("the clock of two computers stands while they wait", settings);
    s.exhibition().asks_room(paced(Pace::Paused)).answers().shows("move_ends", "null");
    s.asks_room(step(1, 0)).answers().shows("move_ends", "null");
    s.asks_room(paced(Pace::Slow)).answers();
    assert_eq!(s.server.room.move_limit(), Some(30_000));
    s
}

fn pace_of_others() -> Story {
    let mut s = Story::new("only the maker of a room of two computers sets their pace");
    s.waiting().shows("may_pace", "false");
    s.asks_room(paced(Pace::Slow)).happens(&["blocked"]);
    s.server.seat(Mark::O, Seat::Computer(Default::default()), s.now);
    s.hears().asks_room(paced(Pace::Slow)).happens(&["blocked"]);
    s.asks_room(step(1, 0)).happens(&["blocked"]);
    s
}

fn offers(game: u32, first_to: Option<u8>) -> RoomIntent {
    RoomIntent::Rematch { game, offer: true, series: Some(Series { first_to }) }
}

const fn accepts(game: u32) -> RoomIntent {
    RoomIntent::Rematch { game, offer: true, series: None }
}

fn series() -> Story {
    let mut s = Story::new("a new series is offered and accepted, and the score begins at zero");
    s.playing().ben(RoomIntent::Resign { game: 1 });
    s.asks_room(offers(1, Some(3))).answers().happens(&["applied"]);
    s.ben(accepts(1)).ben(RoomIntent::Resign { game: 2 });
    s.asks_room(accepts(2)).answers();
    s.ben(offers(2, None)).happens(&["presence"]);
    s.asks_room(accepts(2)).answers();
    s
}

fn counter_offer() -> Story {
    let mut s = Story::new("an offer of another series takes the place of an offer");
    s.playing().asks_room(RoomIntent::Resign { game: 1 }).answers();
    s.asks_room(offers(1, Some(3))).answers();
    s.ben(offers(1, Some(5))).happens(&["presence"]);
    s.ben(accepts(1)).happens(&["presence"]);
    s.ben(offers(1, Some(1))).happens(&["presence"]);
    s.asks_room(accepts(1)).answers();
    s
}

fn series_in_a_break() -> Story {
    let mut s = Story::new("a new series is accepted, and the connection breaks before the answer");
    s.playing().ben(RoomIntent::Resign { game: 1 }).ben(offers(1, Some(5)));
    s.asks_room(accepts(1)).answers_unheard().breaks();
    s.welcome().sends(&["3 join KQRZX spectator", "2 rematch"]).answers();
    // The offer passes with the break, the series is a fact.
    s.server.passes(|now| now.seats.x = Some(SeatPresence::Connected));
    s.hears();
    s
}

fn series_is_decided() -> Story {
    let mut s =
        Story::new("a series is decided, and the next game begins another one of its length");
    s.playing().ben(RoomIntent::Resign { game: 1 }).ben(offers(1, Some(1)));
    s.asks_room(accepts(1)).answers();
    s.ben(RoomIntent::Resign { game: 2 });
    let room = &s.server.room;
    assert_eq!(room.series.winner(room.score), Some(Mark::X));
    s.asks_room(accepts(2)).answers();
    s.ben(accepts(2));
    // A server that goes on with the decided series contradicts itself.
    s.asks_room(RoomIntent::Resign { game: 3 }).answers();
    let score = s.server.room.score;
    s.server.told.push(noughts_protocol::ServerMessage::Event {
        room: s.server.room.code,
        v: s.server.room.v + 1,
        event: Event::GameStarted {
            game: 4,
            first: Mark::X,
            score,
            opening: None,
            series: Series { first_to: Some(1) },
        },
    });
    assert_eq!(
        s.server.act(BEN, &paced(Pace::Slow), s.now).map_err(|why| why.code),
        Err(RefusalCode::NotSeated)
    );
    s
}
