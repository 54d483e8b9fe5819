//! The server restarts, and the room may be there again or not.

use noughts_protocol::{RefusalCode, RoomIntent};

use super::client::Input;
use super::teller::Story;

pub(super) fn stories() -> Vec<Story> {
    vec![unreadable(), unreadable_and_a_heartbeat(), unreadable_and_ended(), room_lost(), ended()]
}

fn unreadable() -> Story {
    let mut s = Story::new("the server restarts and cannot read the room yet, and then can");
    s.playing().plays(4).answers().breaks().waits(1_000);
    s.welcome().sends(&["3 join KQRZX spectator"]);
    let due = s.now + 1_000;
    s.refuses(RefusalCode::NotStored).happens(&["unreadable"]);
    s.shows("deadline", &due.to_string());
    s.now = due - 1;
    s.time().happens(&[]);
    s.now = due;
    s.time().sends(&["4 join KQRZX spectator"]).shows("deadline", &(due + 10_000).to_string());
    s.refuses(RefusalCode::NotStored).happens(&["unreadable"]);
    // A break forgets when to ask again: the welcome asks.
    s.breaks().shows("deadline", "null").welcome().sends(&["5 join KQRZX spectator"]);
    s.answers().happens(&["refreshed"]);
    s.other_plays(0);
    s
}

fn unreadable_and_a_heartbeat() -> Story {
    let mut s = Story::new("a heartbeat comes before it is time to ask again for a room");
    s.playing().breaks().welcome().sends(&["2 join KQRZX spectator"]);
    s.refuses(RefusalCode::NotStored).happens(&["unreadable"]);
    s.pong().sends(&["3 join KQRZX spectator"]);
    // It is on its way already.
    s.waits(1_000).time().happens(&[]);
    s.answers().happens(&["refreshed"]);
    s
}

fn unreadable_and_ended() -> Story {
    let mut s = Story::new("the connection ends before it is time to ask again for a room");
    s.playing().breaks().welcome().sends(&["2 join KQRZX spectator"]);
    s.refuses(RefusalCode::NotStored).step(Input::Ended).shows("deadline", "null");
    s
}

fn room_lost() -> Story {
    let mut s = Story::new("the server restarts and the room is gone");
    s.playing().plays(4).answers().breaks();
    s.welcome().sends(&["3 join KQRZX spectator"]);
    s.refuses(RefusalCode::NoSuchRoom).happens(&["room_lost"]).shows("room", "null");
    s.asks_room(RoomIntent::Resign { game: 1 }).happens(&["blocked"]);
    s.breaks().welcome().happens(&["welcome"]);
    s
}

fn ended() -> Story {
    let mut s = Story::new("the connection ends, and is not tried again");
    s.playing().plays(4).step(Input::Ended).happens(&["ended"]).shows("phase", r#""ended""#);
    s.shows("deadline", "null");
    s
}
