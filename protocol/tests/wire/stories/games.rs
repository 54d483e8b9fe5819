//! Games from their first mark to each kind of end, openings and rematches.

use noughts_protocol::{
    BoardSpec, ClaimedResult, Event, GameResult, Mark, Opening, OpeningChoice, RoomIntent,
    RoomSettings, Seat, SeatPresence,
};

use super::server::{ADA, BEN, human};
use super::teller::Story;

pub(super) fn stories() -> Vec<Story> {
    vec![
        line(),
        full_board(),
        no_line_left(),
        resignation(),
        opponent_leaves(),
        time(),
        absence(ClaimedResult::Win, "an absent player loses the game by a claim"),
        absence(ClaimedResult::Draw, "an absent player gets a draw by a claim"),
        rematch(),
        rematch_taken_back(),
        offer_that_leaves(),
        swap2_kept(),
        swap2_exchanged(),
        swap2_added(),
        two_devices(),
        both_sides(),
    ]
}

fn rematch_of(game: u32, offer: bool) -> RoomIntent {
    RoomIntent::Rematch { game, offer, series: None }
}

fn line() -> Story {
    let mut s = Story::new("a game is won by a line");
    s.playing().happens(&[]);
    s.plays(4).shows("sent_move", "4").shows("deadline", "10070");
    s.answers().shows("sent_move", "null").shows("deadline", "null");
    s.other_plays(0).plays(2).answers();
    s.other_plays(3);
    s.server.passes(|now| now.spectators = 1);
    s.hears().happens(&[]);
    s.plays(6).answers();
    s
}

fn full_board() -> Story {
    let mut s = Story::new("a game is drawn on a full board");
    s.playing();
    for (mine, other) in [(0, 1), (2, 4), (3, 5), (7, 6)] {
        s.plays(mine).answers().other_plays(other);
    }
    s.plays(8).answers();
    s
}

fn no_line_left() -> Story {
    let settings = RoomSettings { early_draw: Some(true), ..RoomSettings::default() };
    let mut s = Story::with_settings("a game is drawn when nobody can win", settings);
    s.playing();
    for (mine, other) in [(0, 1), (2, 4), (3, 5), (7, 6)] {
        if s.server.room.is_running() {
            s.plays(mine).answers();
        }
        if s.server.room.is_running() {
            s.other_plays(other);
        }
    }
    assert_eq!(
        s.server.room.game.as_ref().and_then(|last| last.game.result()),
        Some(&GameResult::NoLineLeft)
    );
    s
}

fn resignation() -> Story {
    let mut s = Story::new("a player resigns, and the opponent resigns the next game");
    s.playing().plays(4).answers();
    s.asks_room(RoomIntent::Resign { game: 1 }).answers().happens(&["applied"]);
    s.ben(rematch_of(1, true)).asks_room(rematch_of(1, true)).answers();
    s.ben(RoomIntent::Resign { game: 2 });
    s
}

fn opponent_leaves() -> Story {
    let mut s = Story::new("the opponent has another name, then leaves, and somebody else comes");
    s.playing().plays(8).answers();
    let seat = human(BEN, "Ben II");
    s.server.fact(Event::Seated { mark: Mark::O, seat }, s.now);
    s.hears();
    s.ben(RoomIntent::Leave);
    s.server.seat(Mark::O, human(noughts_protocol::PlayerId(7), "Cleo"), s.now);
    s.hears();
    s.other_plays(0);
    s
}

fn time() -> Story {
    let settings = RoomSettings { move_time_ms: Some(30_000), ..RoomSettings::default() };
    let mut s =
        Story::with_settings("each move has its time, and a player runs out of it", settings);
    s.playing().waits(5_000).plays(4).answers();
    s.waits(7_000).other_plays(0);
    // A snapshot tells how much is left.
    s.waits(1_000).breaks().waits(2_000).welcome().sends(&["3 join KQRZX spectator"]).answers();
    s.waits(27_000);
    s.server.ends(GameResult::Time { winner: Mark::O }, s.now);
    s.hears().shows("move_ends", "null");
    s
}

fn absence(result: ClaimedResult, name: &str) -> Story {
    let mut s = Story::new(name);
    s.playing().plays(4).answers();
    s.asks_room(RoomIntent::Claim { game: 1, result }).happens(&["blocked"]);
    s.server.passes(|now| now.seats.o = Some(SeatPresence::Away { claim_in_ms: 57_000 }));
    s.hears().happens(&["presence"]);
    s.waits(60_000);
    s.server.passes(|now| now.seats.o = Some(SeatPresence::Gone));
    s.hears().happens(&["presence"]);
    s.asks_room(RoomIntent::Claim { game: 1, result }).answers();
    s.server.passes(|now| now.seats.o = Some(SeatPresence::Connected));
    s.hears();
    s
}

fn rematch() -> Story {
    let mut s = Story::new("a rematch is offered by each of the two, and taken");
    s.playing().asks_room(rematch_of(1, true)).happens(&["blocked"]);
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(rematch_of(1, true)).answers();
    s.ben(rematch_of(1, true));
    s.other_plays(0).plays(4).answers();
    s.asks_room(RoomIntent::Resign { game: 2 }).answers();
    s.ben(rematch_of(2, true)).happens(&["presence"]);
    s.asks_room(rematch_of(2, true)).answers();
    s.plays(8).answers();
    s
}

fn rematch_taken_back() -> Story {
    let mut s = Story::new("a rematch is offered and taken back");
    s.playing().asks_room(RoomIntent::Resign { game: 1 }).answers();
    s.asks_room(rematch_of(1, true)).answers();
    s.asks_room(rematch_of(1, false)).answers();
    s.ben(rematch_of(1, true)).ben(rematch_of(1, false)).happens(&["presence"]);
    s
}

fn offer_that_leaves() -> Story {
    let mut s = Story::new("an offer goes with the player who made it");
    s.playing().ben(RoomIntent::Resign { game: 1 });
    s.ben(rematch_of(1, true)).ben(RoomIntent::Leave);
    let offer = s.server.presence.rematch;
    assert_eq!(offer, None, "nobody offers anything");
    s
}

/// Ada has placed three marks. Ids 1 to 4 are used.
fn swap2(name: &str) -> Story {
    let mut s = Story::with_settings(
        name,
        RoomSettings {
            board: BoardSpec::new(13, 13, 5).expect("a board"),
            opening: Opening::Swap2,
            move_time_ms: Some(30_000),
            ..RoomSettings::default()
        },
    );
    s.playing();
    s.asks_room(RoomIntent::Choose { game: 1, choice: OpeningChoice::X }).happens(&["blocked"]);
    for cell in [84, 85, 98] {
        s.plays(cell).answers();
    }
    s.plays(0).happens(&["blocked"]);
    s
}

fn chooses(choice: OpeningChoice) -> RoomIntent {
    RoomIntent::Choose { game: 1, choice }
}

fn swap2_kept() -> Story {
    let mut s = swap2("a swap2 opening, and the sides stay");
    s.other_chooses(OpeningChoice::O).shows("mine", r#"["x"]"#);
    s.other_plays(0).plays(83).answers();
    s.server.ends(GameResult::Resignation { winner: Mark::X }, s.now);
    s.hears();
    s
}

fn swap2_exchanged() -> Story {
    let mut s = swap2("a swap2 opening, and the players exchange their seats");
    s.server.passes(|now| now.seats.o = Some(SeatPresence::Away { claim_in_ms: 50_000 }));
    s.hears();
    s.other_chooses(OpeningChoice::X).shows("mine", r#"["o"]"#);
    s.plays(0).answers().other_plays(1);
    s.asks_room(RoomIntent::Resign { game: 1 }).answers();
    // The other player begins the next one, and Ada chooses.
    s.ben(rematch_of(1, true)).asks_room(rematch_of(1, true)).answers();
    s
}

fn swap2_added() -> Story {
    let mut s = swap2("a swap2 opening with two more marks, and a choice on its way in a break");
    s.other_chooses(OpeningChoice::Add).other_plays(0).other_plays(1);
    s.asks_room(chooses(OpeningChoice::Add)).happens(&["blocked"]);
    s.plays(2).happens(&["blocked"]);
    s.asks_room(chooses(OpeningChoice::O)).shows("sent_move", r#""o""#);
    s.asks_room(chooses(OpeningChoice::X)).happens(&["blocked"]);
    s.breaks().shows("sent_move", r#""o""#);
    s.welcome().sends(&["6 join KQRZX spectator", "5 choose o"]);
    s.answers().shows("mine", r#"["o"]"#).shows("sent_move", "null");
    s.plays(14).answers();
    s
}

fn two_devices() -> Story {
    let mut s = Story::new("a move made on another device comes while ours is on its way");
    s.playing().plays(4);
    s.other_plays(8).happens(&["event"]).shows("sent_move", "null");
    s.plays(0).happens(&["blocked"]);
    s.answers().happens(&["refused"]);
    s.other_plays(0).plays(4).answers();
    s
}

fn both_sides() -> Story {
    let mut s = Story::new("a player plays both sides");
    s.waiting();
    s.server.seat(Mark::O, human(ADA, "Ada (2)"), s.now);
    s.hears().shows("mine", r#"["x","o"]"#);
    s.plays(4).answers().plays(0).answers();
    s.server.passes(|now| now.seats.x = Some(SeatPresence::Away { claim_in_ms: 5 }));
    s.hears();
    s.asks_room(RoomIntent::Claim { game: 1, result: ClaimedResult::Win }).happens(&["blocked"]);
    s.server.fact(
        Event::GameOver {
            game: 1,
            end: noughts_protocol::GameEnd {
                score: s.server.room.score.with(&GameResult::Absence { winner: None, party: None }),
                result: GameResult::Absence { winner: None, party: None },
                id: None,
            },
        },
        s.now,
    );
    s.server.fact(Event::Seated { mark: Mark::O, seat: Seat::Open }, s.now);
    s.hears().shows("mine", r#"["x"]"#);
    s
}
