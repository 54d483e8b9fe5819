//! Hints, evaluations and reviews.

use noughts_protocol::{
    Evaluation, Mark, RefusalCode, Role, RoomIntent, RoomSettings, ServerMessage, Standing,
};

use super::server::{BEN, human};
use super::teller::{CODE, Story, code};

pub(super) fn stories() -> Vec<Story> {
    vec![
        hint(),
        late_hint(),
        hint_overtaken(),
        hint_of_before_unanswered(),
        late_hint_beside_another(),
        hint_and_review(),
        evaluation(),
        review(),
        refused(),
    ]
}

const HINT: RoomIntent = RoomIntent::Hint { game: 1 };

fn hint() -> Story {
    let mut s = Story::new("a hint comes, and goes with its position");
    s.playing().asks_room(HINT).shows("analysis", r#""hint""#);
    s.answers().happens(&["hint"]).shows("analysis", "null");
    s.shows("hint", r#"{"game":1,"ply":0}"#);
    // A snapshot of the same position keeps it.
    s.breaks().welcome().sends(&["3 join KQRZX spectator"]).answers();
    s.shows("hint", r#"{"game":1,"ply":0}"#);
    s.plays(4).answers().shows("hint", "null");
    s.asks_room(HINT).happens(&["blocked"]);
    s
}

fn late_hint() -> Story {
    let mut s = Story::new("a hint for a position that has gone is nothing");
    s.playing();
    let hint = s.server.hint();
    s.asks_room(HINT).grants(Some(CODE)).shows("analysis", r#""hint""#);
    s.other_plays(4).shows("analysis", "null");
    s.told(hint).happens(&[]).shows("hint", "null");
    let mut other = s.server.hint();
    let ServerMessage::Hint(of) = &mut other else { unreachable!("a hint") };
    of.room = code("BCDFG");
    s.told(other).happens(&[]);
    s
}

fn hint_overtaken() -> Story {
    let mut s = Story::new("the game goes on while a hint is asked for, as a snapshot tells");
    s.playing().asks_room(HINT).grants(Some(CODE));
    s.server.place(noughts_protocol::Cell(4), s.now).expect("a move");
    s.misses().pong().sends(&["3 sync KQRZX"]).shows("analysis", r#""hint""#);
    s.answers().shows("analysis", "null");
    s
}

fn hint_of_before_unanswered() -> Story {
    let mut s = Story::new("a hint of a position that has gone is unanswered in a break");
    s.playing().asks_room(HINT).other_plays(4).shows("analysis", "null");
    s.shows("unanswered", "[2]").breaks().shows("unanswered", "[]");
    s.welcome().sends(&["3 join KQRZX spectator"]).answers();
    s
}

fn late_hint_beside_another() -> Story {
    let mut s = Story::new("a late hint does not take the place of the one that is shown");
    s.playing();
    let late = s.server.hint();
    s.plays(4).answers().other_plays(0).asks_room(HINT).answers();
    s.told(late).happens(&[]).shows("hint", r#"{"game":1,"ply":2}"#);
    s
}

fn hint_and_review() -> Story {
    let mut s = Story::new("a hint and a review are asked for at once");
    s.playing().ben(RoomIntent::Resign { game: 1 });
    s.server.start(Mark::X, None, s.now);
    s.hears().asks_room(RoomIntent::Hint { game: 2 }).grants(Some(CODE));
    s.asks_room(RoomIntent::Review { game: 1 }).grants(Some(CODE));
    let hint = s.server.hint();
    s.told(hint).happens(&["hint"]).shows("analysis", r#""review""#);
    s.breaks().welcome().sends(&["4 join KQRZX spectator", "5 review 1"]).answers();
    s.asks_room(RoomIntent::Review { game: 1 }).asks_room(RoomIntent::Hint { game: 2 });
    s.refuses(RefusalCode::Stale).happens(&["refused"]).shows("analysis", r#""hint""#);
    s.answers().happens(&["hint"]).shows("analysis", "null");
    s
}

fn evaluation() -> Story {
    let settings = RoomSettings { evaluation: true, ..RoomSettings::default() };
    let mut s = Story::with_settings("an evaluation comes for each position", settings);
    s.watching();
    let told = |s: &Story, ply, room: &str| {
        let game = s.server.room.running().expect("a game").number;
        let (room, worth) = (code(room), Standing::Drawn);
        ServerMessage::Evaluation(Evaluation { room, game, ply, worth })
    };
    let now = told(&s, 0, CODE);
    s.told(now).happens(&["evaluation"]).shows("evaluation", r#"{"game":1,"ply":0}"#);
    s.other_plays(4).shows("evaluation", "null");
    let late = told(&s, 0, CODE);
    s.told(late).happens(&[]).shows("evaluation", "null");
    let other = told(&s, 1, "BCDFG");
    s.told(other).happens(&[]);
    let now = told(&s, 1, CODE);
    s.told(now).happens(&["evaluation"]);
    let late = told(&s, 0, CODE);
    s.told(late).happens(&[]).shows("evaluation", r#"{"game":1,"ply":1}"#);
    s.ben(RoomIntent::Resign { game: 1 }).shows("evaluation", "null");
    s
}

fn review() -> Story {
    let mut s = Story::new("a review of the last game, also in the next one");
    s.playing().plays(4).answers();
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Review { game: 1 }).grants(Some(CODE));
    s.server.start(Mark::O, None, s.now);
    s.hears().shows("analysis", r#""review""#);
    let other = s.server.review(1);
    s.told(other).happens(&["review"]).shows("review", "1").shows("analysis", "null");
    s.other_plays(0);
    s.asks_room(RoomIntent::Review { game: 1 }).answers().happens(&["review"]);
    let mut elsewhere = s.server.review(1);
    let ServerMessage::Review(of) = &mut elsewhere else { unreachable!("a review") };
    of.room = code("BCDFG");
    s.told(elsewhere).happens(&[]);
    s
}

fn refused() -> Story {
    let mut s = Story::new("a hint and a review are refused");
    s.server.seat(Mark::O, human(BEN, "Ben Łoś"), s.now);
    s.welcome().joins(CODE, Role::Player).answers();
    s.asks_room(HINT).refuses(RefusalCode::HintsOff).happens(&["refused"]);
    s.shows("analysis", "null").shows("unanswered", "[]");
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Review { game: 1 }).refuses(RefusalCode::Stale).happens(&["refused"]);
    s.shows("analysis", "null");
    s
}
