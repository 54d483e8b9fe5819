//! How rooms are entered, watched, left and closed, and the queue.

use noughts_protocol::{
    ClaimedResult, CloseReason, Event, LobbyIntent, Mark, RefusalCode, Role, RoomIntent,
    SeatPresence, ServerMessage,
};

use super::server::{ADA, BEN, human};
use super::teller::{CODE, Story};

pub(super) fn stories() -> Vec<Story> {
    vec![
        takes_the_seat(),
        seat_refused(),
        watches(),
        leaves(),
        leaves_while_entering(),
        leaves_and_comes_back(),
        closed(CloseReason::Left, "a room ends because all have left"),
        closed(CloseReason::Idle, "a room ends because nothing happens"),
        another_room(),
        another_room_while_resyncing(),
        match_later(),
        match_at_once(),
        match_from_a_room(),
        cancelled(),
        cancelled_too_late(),
        cancelled_and_asked_again(),
        lobby(),
        left_while_unreadable(),
    ]
}

const QUICK: LobbyIntent = LobbyIntent::QuickMatch {
    board: noughts_protocol::BoardSpec::TIC_TAC_TOE,
    move_time_ms: Some(30_000),
    computer: None,
};

fn takes_the_seat() -> Story {
    let mut s = Story::new("a spectator takes the open seat");
    s.server.seat(Mark::X, human(BEN, "Ben Łoś"), s.now);
    s.welcome().joins(CODE, Role::Spectator).answers().shows("mine", "[]");
    s.joins(CODE, Role::Player).shows("entering", "null");
    s.answers().happens(&["refreshed"]).shows("mine", r#"["o"]"#);
    s.other_plays(4).plays(0).answers();
    s
}

fn seat_refused() -> Story {
    let mut s = Story::new("a spectator wants a seat that is taken, and watches on");
    s.watching().joins(CODE, Role::Player).answers().happens(&["refused"]);
    s.other_plays(4).happens(&["event"]);
    s
}

fn watches() -> Story {
    let mut s = Story::new("a spectator may do nothing but watch");
    s.watching().plays(4).happens(&["blocked"]);
    for intent in [
        RoomIntent::Resign { game: 1 },
        RoomIntent::Rematch { game: 1, offer: true, series: None },
        RoomIntent::Hint { game: 1 },
        RoomIntent::Review { game: 1 },
        RoomIntent::Claim { game: 1, result: ClaimedResult::Win },
    ] {
        s.asks_room(intent).happens(&["blocked"]);
    }
    s.other_plays(4).other_plays(0);
    s.breaks().welcome().sends(&["2 join KQRZX spectator"]).answers();
    s.server.passes(|now| now.seats.x = Some(SeatPresence::Gone));
    let result = ClaimedResult::Win;
    s.hears().asks_room(RoomIntent::Claim { game: 1, result }).happens(&["blocked"]);
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Rematch { game: 1, offer: true, series: None }).happens(&["blocked"]);
    s.asks_room(RoomIntent::Review { game: 1 }).answers().happens(&["review"]);
    s.asks_room(RoomIntent::Leave).answers().shows("room", "null");
    s
}

fn leaves() -> Story {
    let mut s = Story::new("a player leaves, and hears no more of the room");
    s.playing().plays(4).answers();
    let v = s.server.room.v;
    s.asks_room(RoomIntent::Leave).shows("room", "null").shows("mine", "[]");
    // These were sent before the server heard it.
    s.other_plays(0).happens(&[]);
    s.server.passes(|now| now.spectators = 1);
    s.hears().happens(&[]);
    let snapshot = s.server.snapshot(s.now);
    s.told(snapshot).happens(&[]).pong().happens(&[]);
    s.answers();
    assert!(s.server.room.v > v + 1, "the game was resigned");
    s.plays(1).happens(&["blocked"]);
    s.asks_room(RoomIntent::Leave).happens(&["blocked"]);
    s.asks_room(RoomIntent::Review { game: 1 }).happens(&["blocked"]);
    s
}

fn leaves_while_entering() -> Story {
    let mut s = Story::new("a player leaves a room that is being entered");
    s.server.seat(Mark::X, human(BEN, "Ben Łoś"), s.now);
    s.welcome().joins(CODE, Role::Player).asks_room(RoomIntent::Leave).happens(&[]);
    s.shows("entering", "null").answers().shows("room", "null").shows("unanswered", "[]");
    s
}

fn leaves_and_comes_back() -> Story {
    let mut s = Story::new("a player leaves and comes back at once");
    s.watching().asks_room(RoomIntent::Leave).joins(CODE, Role::Spectator);
    let snapshot = s.server.snapshot(s.now);
    s.told(snapshot).happens(&[]);
    s.answers().happens(&["entered"]);
    s
}

fn closed(reason: CloseReason, name: &str) -> Story {
    let mut s = Story::new(name);
    s.playing().plays(4).answers();
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Rematch { game: 1, offer: true, series: None });
    s.server.fact(Event::Closed { reason }, s.now);
    s.hears().happens(&["closed"]).shows("room", "null");
    s.refuses(RefusalCode::NoSuchRoom).happens(&["refused"]);
    s.breaks().welcome().happens(&["welcome"]);
    s
}

fn another_room() -> Story {
    let mut s = Story::new("a player goes from one room to another");
    s.playing().plays(4).answers();
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Review { game: 1 }).grants(Some(CODE));
    s.joins("BCDFG", Role::Spectator).shows("entering", r#""BCDFG""#);
    // The first room goes on until the second one comes, and no heartbeat drags back to it.
    s.server.passes(|now| now.rematch = Some(Mark::O));
    s.hears().happens(&["presence"]);
    s.server.member = false;
    s.pong().happens(&[]);
    s.grants(Some("BCDFG"));
    let snapshot = s.server.snapshot_of("BCDFG", s.now);
    s.told(snapshot).happens(&["entered"]).shows("analysis", "null").shows("entering", "null");
    let old = s.server.snapshot(s.now);
    s.told(old).happens(&[]);
    s.breaks().welcome().sends(&["5 join BCDFG spectator"]);
    s
}

fn another_room_while_resyncing() -> Story {
    let mut s = Story::new("a snapshot of the first room does not count as that of the new one");
    s.playing();
    s.server.place(noughts_protocol::Cell(4), s.now).expect("a move");
    s.misses().pong().sends(&["2 sync KQRZX"]);
    let settings = s.server.room.settings;
    let seats = noughts_protocol::ByMark::default();
    s.asks_lobby(LobbyIntent::Create { settings, seats, shuffle: false });
    let create = s.to_server.pop().expect("the create");
    s.answers().happens(&["refreshed"]).shows("entering", "true");
    s.to_server.push(create);
    s.grants(Some("BCDFG")).shows("entering", r#""BCDFG""#);
    let snapshot = s.server.snapshot_of("BCDFG", s.now);
    s.told(snapshot).happens(&["entered"]);
    s
}

fn matched(s: &mut Story) {
    s.server.seat(Mark::X, human(BEN, "Ben Łoś"), s.now);
    s.server.seat(Mark::O, human(ADA, "Ada"), s.now);
    s.server.member = true;
}

fn match_later() -> Story {
    let mut s = Story::new("a quick match waits, and leads to a room by itself");
    s.welcome().asks_lobby(QUICK).shows("queued", "true").grants(None).shows("queued", "true");
    s.waits(20_000).pong().happens(&[]);
    matched(&mut s);
    let snapshot = s.server.snapshot(s.now);
    s.told(snapshot).happens(&["entered"]).shows("queued", "false").shows("mine", r#"["o"]"#);
    s.other_plays(4).plays(0).answers();
    s.breaks().welcome().sends(&["3 join KQRZX spectator"]).answers();
    s
}

fn match_at_once() -> Story {
    let mut s = Story::new("a quick match finds somebody at once");
    s.welcome().asks_lobby(QUICK).grants(Some(CODE)).shows("entering", r#""KQRZX""#);
    s.shows("queued", "false");
    matched(&mut s);
    s.server.told.clear();
    // A break before the snapshot leads into the room too.
    s.breaks().welcome().sends(&["2 join KQRZX player"]).answers().happens(&["entered"]);
    s
}

fn match_from_a_room() -> Story {
    let mut s = Story::new("a quick match from a room where the seat is kept");
    s.playing().asks_lobby(QUICK).grants(None);
    let own = s.server.snapshot(s.now);
    s.told(own).happens(&["refreshed"]).shows("queued", "true");
    let snapshot = s.server.snapshot_of("BCDFG", s.now);
    s.told(snapshot).happens(&["entered"]).shows("queued", "false");
    s
}

fn cancelled() -> Story {
    let mut s = Story::new("a quick match is cancelled");
    s.welcome().asks_lobby(QUICK).answers();
    s.asks_lobby(LobbyIntent::CancelMatch).shows("queued", "true");
    // The place is taken again, and given up again.
    s.breaks().welcome().sends(&["1 quick_match", "2 cancel_match"]);
    s.answers().shows("queued", "false");
    s.breaks().welcome().happens(&["welcome"]);
    s
}

fn cancelled_too_late() -> Story {
    let mut s = Story::new("a quick match is cancelled when the room is there already");
    s.welcome().asks_lobby(QUICK).answers();
    s.asks_lobby(LobbyIntent::CancelMatch).grants(Some(CODE)).shows("entering", r#""KQRZX""#);
    matched(&mut s);
    s.server.told.clear();
    let snapshot = s.server.snapshot(s.now);
    s.told(snapshot).happens(&["entered"]).shows("queued", "false");
    s
}

fn cancelled_and_asked_again() -> Story {
    let mut s = Story::new("a quick match is asked for again before the last one is cancelled");
    s.welcome().asks_lobby(QUICK).answers();
    s.asks_lobby(LobbyIntent::CancelMatch).asks_lobby(QUICK);
    s.grants(None).shows("queued", "true").grants(None).shows("queued", "true");
    matched(&mut s);
    s.server.told.clear();
    let snapshot = s.server.snapshot(s.now);
    s.told(snapshot).happens(&["entered"]).shows("queued", "false");
    s
}

fn lobby() -> Story {
    let mut s = Story::new("the lobby is watched beside a room");
    s.told(super::server::lobby()).happens(&[]).shows("lobby", "null");
    s.playing().asks_lobby(LobbyIntent::WatchLobby).answers().shows("lobby", "1");
    let empty = ServerMessage::Lobby { waiting: Vec::new(), playing: Vec::new(), more: 0 };
    s.told(empty).happens(&["lobby"]).shows("lobby", "0");
    s.asks_lobby(LobbyIntent::UnwatchLobby).answers();
    s.asks_lobby(LobbyIntent::WatchLobby).refuses(RefusalCode::SwitchedOff).happens(&["refused"]);
    s
}

fn left_while_unreadable() -> Story {
    let mut s = Story::new("a room that cannot be read is left");
    s.playing().breaks().welcome().sends(&["2 join KQRZX spectator"]);
    s.refuses(RefusalCode::NotStored).happens(&["unreadable"]);
    s.asks_room(RoomIntent::Leave);
    s.refuses(RefusalCode::NotInRoom).happens(&[]).shows("deadline", "null");
    s
}
