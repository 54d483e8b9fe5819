//! Stories drawn at random: both players act, messages are lost and doubled, the connection breaks. What
//! ends with a heartbeat leaves the client with the server's room.

use noughts_protocol::{
    Cell, LobbyIntent, Mark, Role, RoomIntent, RoomSettings, SeatPresence, ServerMessage,
};
use proptest::prelude::*;

use super::client::{Input, Phase};
use super::server::{ADA, BEN};
use super::teller::{CODE, Story};

pub(super) fn stories() -> Vec<Story> {
    (1..=8).map(|seed| drawn(seed, 40)).collect()
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
        12 | 13 if s.client.phase == Phase::Lost => {
            s.welcome();
        }
        14 => {
            s.time();
        }
        _ if s.client.phase == Phase::Open => {
            s.server.pong();
            hears(s, draw);
        }
        _ => {}
    }
}

/// What Ada's client is asked, possible or not.
fn asks(s: &mut Story, draw: &mut Draw) {
    let last = s.server.room.game.as_ref().map_or(1, |last| last.number);
    let cell = draw.below(9) as u16;
    let intent = match draw.below(24) {
        0 => RoomIntent::Resign { game: last },
        1..=3 => RoomIntent::Rematch { game: last, offer: !draw.one_in(3) },
        4 => RoomIntent::Hint { game: last },
        5 => RoomIntent::Review { game: last },
        6 => RoomIntent::Leave,
        7 if s.client.room.is_none() => {
            s.joins(CODE, Role::Player);
            return;
        }
        8 => {
            let watch = draw.one_in(2);
            let watch = if watch { LobbyIntent::WatchLobby } else { LobbyIntent::UnwatchLobby };
            s.asks_lobby(watch);
            return;
        }
        _ => {
            s.plays(cell);
            return;
        }
    };
    s.asks_room(intent);
}

/// What happens on the other side of the room.
fn other(s: &mut Story, draw: &mut Draw) {
    let (now, last) = (s.now, s.server.room.game.as_ref().map_or(1, |last| last.number));
    let turn = s.server.room.turn();
    let ada = s.server.room.marks_of(ADA).next();
    match draw.below(8) {
        // Ada's second device moves too.
        0..=4 if turn.is_some() && (turn != ada || draw.one_in(4)) => {
            let cell = Cell(draw.below(9) as u16);
            let _ = s.server.place(cell, now);
        }
        5 => {
            let offer = !draw.one_in(3);
            let _ = s.server.act(BEN, RoomIntent::Rematch { game: last, offer }, now);
        }
        6 => {
            let away = SeatPresence::Away { claim_in_ms: 30_000 };
            let presence = if draw.one_in(2) { SeatPresence::Connected } else { away };
            s.server.passes(|passes| passes.seats.o = Some(presence));
        }
        7 => {
            let spectators = draw.below(3) as u32;
            s.server.passes(|passes| passes.spectators = spectators);
        }
        _ => {
            let _ = s.server.act(BEN, RoomIntent::Resign { game: last }, now);
        }
    }
    if s.client.phase == Phase::Open {
        hears(s, draw);
    }
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
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn stories_that_end_with_a_heartbeat_end_in_the_servers_room(seed: u64, steps in 1_usize..80) {
        check(&drawn(seed, steps));
    }
}
