//! What is lost, doubled or contradicts itself, and how it heals.

use noughts_protocol::{
    Cell, Event, GameEnd, GameResult, Mark, Presence, RefusalCode, Role, RoomIntent, RoomSettings,
    RoomState, Score, SeatPresence, ServerMessage,
};

use super::client::Input;
use super::teller::{CODE, Story, code};

pub(super) fn stories() -> Vec<Story> {
    vec![
        gap(),
        duplicate(),
        last_event(),
        lost_presence(),
        lost_first_snapshot(),
        pong_of_no_room(),
        impossible_event(),
        impossible_snapshot(),
        another_room(),
        sync_refused(),
        sync_answered_without_snapshot(),
        pong_of_before(),
        sync_refused_while_entering(),
        no_answer(),
    ]
}

fn gap() -> Story {
    let mut s = Story::new("an event is lost, and one sync heals the gap");
    s.playing().plays(4).answers();
    s.server.place(Cell(0), s.now).expect("a move");
    s.misses();
    s.server.place(Cell(1), s.now).expect("a move");
    s.hears().sends(&["3 sync KQRZX"]);
    // The next ones do not ask again.
    s.other_plays(2).happens(&[]);
    s.pong().happens(&[]);
    s.answers().happens(&["refreshed"]);
    s.plays(5).answers();
    s
}

fn duplicate() -> Story {
    let mut s = Story::new("an event comes twice");
    s.playing();
    s.server.place(Cell(4), s.now).expect("a move");
    let event = s.server.told[0].clone();
    s.hears().told(event.clone()).happens(&[]);
    s.other_plays(0).told(event).happens(&[]);
    s
}

fn last_event() -> Story {
    let mut s = Story::new("the last event is lost, and a heartbeat shows it");
    s.playing().plays(4).answers();
    s.server.place(Cell(0), s.now).expect("a move");
    s.misses().pong().sends(&["3 sync KQRZX"]);
    s.pong().happens(&[]);
    s.answers().happens(&["refreshed"]);
    s.pong().happens(&[]);
    s
}

fn lost_presence() -> Story {
    let mut s = Story::new("a presence is lost, and a heartbeat has it too");
    s.playing();
    s.server.passes(|now| now.seats.o = Some(SeatPresence::Away { claim_in_ms: 57_000 }));
    s.misses().pong().happens(&["presence"]);
    s.server.passes(|now| now.seats.o = Some(SeatPresence::Away { claim_in_ms: 37_000 }));
    s.misses().waits(20_000).pong().happens(&[]);
    s.server.passes(|now| now.spectators = 3);
    s.misses().pong().happens(&[]);
    s.ben(RoomIntent::Resign { game: 1 });
    s.server.passes(|now| now.rematch = Some(Mark::O));
    s.misses().pong().happens(&["presence"]);
    // The same offer is nothing new.
    s.server.passes(|now| now.spectators = 4);
    s.hears().happens(&[]);
    s
}

fn lost_first_snapshot() -> Story {
    let mut s = Story::new("the first snapshot is lost, and a heartbeat shows it");
    s.server.seat(Mark::X, super::server::human(super::server::BEN, "Ben Łoś"), s.now);
    s.welcome().joins(CODE, Role::Player);
    s.server.member = true;
    s.pong().happens(&[]);
    s.grants(Some(CODE)).pong().sends(&["2 sync KQRZX"]);
    s.pong().happens(&[]);
    s.answers().happens(&["entered"]);
    s.pong().happens(&[]);
    s
}

fn pong_of_no_room() -> Story {
    let mut s = Story::new("a heartbeat of no room, or of another one, brings the client back");
    s.playing().plays(4).answers();
    s.server.member = false;
    s.server.place(Cell(0), s.now).expect("a move");
    s.pong().sends(&["3 join KQRZX spectator"]);
    s.pong().happens(&[]);
    s.answers().happens(&["refreshed"]);
    let other = ServerMessage::Pong {
        id: noughts_protocol::PING_ID,
        room: Some(code("BCDFG")),
        v: Some(6),
        party_v: None,
        presence: Some(Presence::default()),
    };
    s.told(other).sends(&["4 join KQRZX spectator"]).answers();
    s
}

fn impossible_event() -> Story {
    let mut s = Story::new("an event that cannot be is healed like a gap");
    s.playing().plays(4).answers();
    let (room, mark) = (code(CODE), Mark::O);
    let moved = |game, ply, cell| {
        let cell = Cell(cell);
        Event::Moved { game, ply, mark, cell, over: None, opening: None }
    };
    let result = GameResult::Resignation { winner: Mark::X };
    let over = |game, score: Score| {
        let end = GameEnd { score: score.with(&result), result: result.clone(), id: None };
        Event::GameOver { game, end }
    };
    // A taken cell, another ply, another game.
    let score = s.server.room.score;
    let mut id = 2;
    for event in [moved(1, 1, 4), moved(1, 3, 0), moved(2, 1, 0), over(2, score)] {
        let v = s.server.room.v + 1;
        id += 1;
        s.told(ServerMessage::Event { room, v, event }).sends(&[&format!("{id} sync KQRZX")]);
        s.answers().happens(&["refreshed"]);
    }
    s.ben(RoomIntent::Resign { game: 1 });
    let v = s.server.room.v + 1;
    let event = over(1, s.server.room.score);
    s.told(ServerMessage::Event { room, v, event }).sends(&["7 sync KQRZX"]).answers();
    s
}

fn pong_of_before() -> Story {
    let mut s = Story::new("a heartbeat has an older version than the client");
    s.playing().plays(4).answers();
    let (id, room) = (noughts_protocol::PING_ID, Some(code(CODE)));
    let (v, presence) = (Some(s.server.room.v - 1), Some(s.server.presence));
    s.told(ServerMessage::Pong { id, room, v, party_v: None, presence }).sends(&["3 sync KQRZX"]);
    s.answers().happens(&["refreshed"]);
    s
}

fn sync_refused_while_entering() -> Story {
    let mut s = Story::new("a sync is refused from the next room, which is being entered");
    s.playing();
    s.server.place(Cell(4), s.now).expect("a move");
    s.misses().pong().sends(&["2 sync KQRZX"]).joins("BCDFG", Role::Spectator);
    s.refuses(RefusalCode::NotInRoom).happens(&[]).shows("unanswered", "[3]");
    s
}

fn impossible_snapshot() -> Story {
    let mut s = Story::new("a snapshot that cannot be changes nothing");
    s.playing();
    let broken = |s: &Story, moves: &[u16], room: &str| {
        let ServerMessage::Snapshot(mut snapshot) = s.server.snapshot(s.now) else {
            unreachable!("a snapshot")
        };
        snapshot.room = code(room);
        let game = snapshot.game.as_mut().expect("a game");
        game.moves = moves.iter().map(|cell| Cell(*cell)).collect();
        ServerMessage::Snapshot(snapshot)
    };
    let twice = broken(&s, &[4, 4], CODE);
    s.told(twice).happens(&["impossible"]);
    let outside = broken(&s, &[9], CODE);
    s.told(outside).happens(&["impossible"]);
    let other = broken(&s, &[4, 4], "BCDFG");
    s.told(other.clone()).happens(&[]);
    s.joins("BCDFG", Role::Spectator).grants(Some("BCDFG"));
    s.told(other).happens(&["impossible"]);
    s
}

fn another_room() -> Story {
    let mut s = Story::new("what is told of another room does not matter");
    s.playing();
    let other = RoomState::new(code("BCDFG"), RoomSettings::default());
    let (room, v) = (other.code, s.server.room.v + 1);
    let (ply, mark, cell) = (0, Mark::X, Cell(4));
    let event = Event::Moved { game: 1, ply, mark, cell, over: None, opening: None };
    s.told(ServerMessage::Event { room, v, event }).happens(&[]);
    let presence = Presence { spectators: 9, rematch: Some(Mark::O), ..Presence::default() };
    s.told(ServerMessage::Presence { room, presence }).happens(&[]);
    s.told(ServerMessage::Snapshot(other.to_snapshot(presence, None))).happens(&[]);
    s
}

fn sync_refused() -> Story {
    let mut s =
        Story::new("a sync from outside the room becomes a return, another one is asked again");
    s.playing();
    s.server.place(Cell(4), s.now).expect("a move");
    s.misses().server.member = false;
    s.other_plays(0);
    s.server.member = true;
    s.pong().sends(&["2 sync KQRZX"]);
    s.refuses(RefusalCode::RateLimited).happens(&[]);
    s.pong().sends(&["3 sync KQRZX"]);
    s.refuses(RefusalCode::NotInRoom).sends(&["4 join KQRZX spectator"]);
    s.answers().happens(&["refreshed"]);
    s
}

fn sync_answered_without_snapshot() -> Story {
    let mut s = Story::new("the snapshot of a sync is lost, and the next heartbeat asks again");
    s.playing();
    s.server.place(Cell(4), s.now).expect("a move");
    s.misses().pong().sends(&["2 sync KQRZX"]);
    s.grants(Some(CODE));
    s.pong().sends(&["3 sync KQRZX"]);
    s.answers().happens(&["refreshed"]);
    s
}

fn no_answer() -> Story {
    let mut s = Story::new("a connection that answers nothing for ten seconds is given up");
    s.playing().plays(4);
    let due = s.now + 10_000 - 10;
    s.shows("deadline", &due.to_string());
    // What the server tells is no answer.
    s.server.passes(|now| now.spectators = 2);
    s.hears().shows("deadline", &due.to_string());
    s.now = due - 1;
    s.time().happens(&[]).shows("deadline", &due.to_string());
    s.now = due;
    s.step(Input::Time).shows("deadline", "null");
    s.breaks().waits(500).welcome().sends(&["3 join KQRZX spectator", "2 play 4"]);
    s.waits(4_000).answers();
    s
}
