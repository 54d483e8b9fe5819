//! Stories drawn at random: both players act, messages are lost and doubled, the connection breaks. What
//! ends with a heartbeat leaves the client with the server's room.

use noughts_protocol::{
    Cell, LobbyIntent, Mark, Role, RoomIntent, RoomSettings, SeatPresence, Series, ServerMessage,
};
use proptest::prelude::*;

use super::client::{Input, Phase};
use super::server::{ADA, BEN};
use super::teller::{CODE, Story};

pub(super) fn stories() -> Vec<Story> {
    (1..=8).map(|seed| drawn(seed, 50)).collect()
}

/// A small generator: the stories of a file must be the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        // splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

fn drawn(seed: u64, steps: usize) -> Story {
    let mut draw = Draw(seed);
    let move_time_ms = draw.one_in(2).then_some(600_000);
    let settings = RoomSettings { move_time_ms, ..RoomSettings::default() };
    let mut s = Story::with_settings(&format!("a random story, {seed}"), settings);
    s.is_told = false;
    s.playing();
    for _ in 0..steps {
        step(&mut s, &mut draw);
    }
    settle(&mut s);
    s
}

fn step(s: &mut Story, draw: &mut Draw) {
    let wait = draw.below(400);
    s.waits(wait);
    match draw.below(16) {
        0..=3 => asks(s, draw),
        4..=6 => other(s, draw),
        7..=9 => {
            s.answers_unheard();
            hears(s, draw);
        }
        10 => {
            s.answers_unheard();
        }
        11 if s.client.phase == Phase::Open => breaks(s),
        11..=14 if s.client.phase == Phase::Lost => {
            s.welcome();
        }
        12 => {
            s.time();
        }
        _ if s.client.phase == Phase::Open => {
            s.server.pong();
            hears(s, draw);
        }
        _ => {}
    }
}

/// A cell of the board, an empty one more often than not.
fn cell(s: &Story, draw: &mut Draw) -> Cell {
    let running = s.server.room.running();
    let empty = running.map_or(Vec::new(), |running| running.game.board().empty_cells().collect());
    match draw.below(empty.len() as u64 + 1) as usize {
        place if place < empty.len() => empty[place],
        _ => Cell(draw.below(9) as u16),
    }
}

/// The new series that an offer asks for, if it asks for one.
fn series(draw: &mut Draw) -> Option<Series> {
    let wins = [None, Some(1), Some(3)][draw.below(3) as usize];
    draw.one_in(3).then_some(Series { first_to: wins })
}

/// What Ada's client is asked, possible or not.
fn asks(s: &mut Story, draw: &mut Draw) {
    let game = s.server.room.game.as_ref().map_or(1, |last| last.number);
    let cell = cell(s, draw);
    let (offer, series) = (!draw.one_in(4), series(draw));
    match draw.below(20) {
        0 => s.asks_room(RoomIntent::Resign { game }),
        1 => s.asks_room(RoomIntent::Hint { game }),
        2 => s.asks_room(RoomIntent::Review { game }),
        3 => s.asks_room(RoomIntent::Leave),
        4 => s.asks_lobby(LobbyIntent::WatchLobby),
        5 => s.asks_lobby(LobbyIntent::UnwatchLobby),
        _ if s.client.room.is_none() => s.joins(CODE, Role::Player),
        _ if s.server.room.is_running() => s.plays(cell.0),
        _ => s.asks_room(RoomIntent::Rematch { game, offer, series }),
    };
}

/// What happens on the other side of the room.
fn other(s: &mut Story, draw: &mut Draw) {
    let (now, cell) = (s.now, cell(s, draw));
    let game = s.server.room.game.as_ref().map_or(1, |last| last.number);
    let (offer, series) = (!draw.one_in(4), series(draw));
    let ada = s.server.room.marks_of(ADA).next();
    let possible = match draw.below(12) {
        0 => s.server.act(BEN, &RoomIntent::Resign { game }, now),
        1 => {
            let away = SeatPresence::Away { claim_in_ms: 30_000 };
            let presence = if draw.one_in(2) { SeatPresence::Connected } else { away };
            s.server.passes(|passes| passes.seats.o = Some(presence));
            Ok(())
        }
        2 => {
            let spectators = draw.below(3) as u32;
            s.server.passes(|passes| passes.spectators = spectators);
            Ok(())
        }
        // Ada's second device moves too.
        _ if s.server.room.is_running() && (s.server.room.turn() != ada || draw.one_in(4)) => {
            s.server.place(cell, now)
        }
        _ => s.server.act(BEN, &RoomIntent::Rematch { game, offer, series }, now),
    };
    // What is not possible does not happen.
    drop(possible);
    hears(s, draw);
}

/// What was told arrives; some of it is lost, some comes twice.
fn hears(s: &mut Story, draw: &mut Draw) {
    for message in std::mem::take(&mut s.server.told) {
        let kind = &message;
        let may_be_lost = matches!(
            kind,
            ServerMessage::Event { .. }
                | ServerMessage::Presence { .. }
                | ServerMessage::Snapshot(_)
                | ServerMessage::Hint(_)
        );
        if s.client.phase != Phase::Open || (may_be_lost && draw.one_in(6)) {
            continue;
        }
        let twice = matches!(message, ServerMessage::Event { .. }) && draw.one_in(8);
        if twice {
            s.told(message.clone());
        }
        s.told(message);
    }
}

fn breaks(s: &mut Story) {
    s.step(Input::Broke);
    s.to_server.clear();
    s.server.told.clear();
    s.server.member = false;
    let mark = s.server.room.marks_of(ADA).next();
    if let Some(mark) = mark {
        let away = SeatPresence::Away { claim_in_ms: 57_000 };
        s.server.passes(|passes| passes.seats[mark] = Some(away));
    }
}

/// The connection holds, and heartbeats come.
fn settle(s: &mut Story) {
    if s.client.phase != Phase::Open {
        s.welcome();
    }
    s.answers();
    for _ in 0..3 {
        s.pong().answers();
    }
}

/// The client shows the server's room, and waits for nothing.
fn check(s: &Story) {
    let name = &s.name;
    assert_eq!(s.client.unanswered, [], "{name}");
    let Some(view) = &s.client.room else {
        assert!(!s.server.member, "{name}: the client does not know where it is");
        return;
    };
    assert_eq!(view.state, s.server.room, "{name}");
    assert_eq!(view.presence, s.server.presence, "{name}");
    let marks: Vec<Mark> = s.server.room.marks_of(ADA).collect();
    let shown = s.client.shows().into_iter().find(|(key, _)| *key == "mine");
    assert_eq!(shown.map(|(_, mine)| mine), Some(super::client::json(&marks)), "{name}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn stories_that_end_with_a_heartbeat_end_in_the_servers_room(seed: u64, steps in 1_usize..80) {
        check(&drawn(seed, steps));
    }
}
