//! The largest frames of a party.

use noughts_protocol::party::MAX_ENTRANTS;
use noughts_protocol::party::state::KEPT_DECISIONS;
use noughts_protocol::{
    BoardSpec, Cell, Computer, DecidedBy, Effect, Entrant, GameResult, MAX_CHAT_CHARS,
    MAX_SERVER_FRAME, MAX_TOLD_BOARDS, Mark, Pairing, PairingOutcome, PartyCode, PartyEvent,
    PartyFormat, PartyPhase, PartyPresence, PartySettings, PartySnapshot, PartyState, PastDecision,
    PastPairing, Place, Playable, PlayerId, PlyEffect, ReadyCheck, RoomCode, ServerMessage,
    TableBoard,
};
use serde_json::to_string;

const CODE: fn() -> PartyCode = || PartyCode(RoomCode::from_number(0));

fn entrant(number: u16) -> Entrant {
    Entrant {
        number,
        name: format!("{}{number:03}", "🦀".repeat(21)).parse().expect("a name"),
        player: Some(PlayerId(u64::MAX)),
        fixed_name: true,
        computer: None,
        left: true,
        set_aside: true,
        removed: true,
        points: 18,
        wins: 9,
        draws: 9,
        losses: 9,
    }
}

/// A pairing that is over; the host has changed some with a note.
fn pairing(number: u32, note: bool) -> Pairing {
    let note = note.then(|| "🦀".repeat(MAX_CHAT_CHARS).parse().expect("a note"));
    Pairing {
        number,
        table: 100,
        first: 199,
        second: Some(200),
        stage: None,
        game: 3,
        room: Some(RoomCode::from_number(0)),
        outcome: Some(PairingOutcome { winner: Some(200), how: DecidedBy::DrawOdds, note }),
    }
}

/// The same in an earlier round.
fn decision(number: u32) -> PastDecision {
    let outcome = pairing(number, true).outcome.expect("an outcome");
    PastDecision { pairing: number, outcome }
}

fn place(entrant: u16) -> Place {
    Place { place: 200, entrant, tiebreak: 162 }
}

fn presence() -> PartyPresence {
    let all: Vec<u16> = (1..=200).collect();
    let check = |pairing| ReadyCheck { pairing, ms_left: 20_000 };
    PartyPresence {
        away: all.clone(),
        ready: all,
        checks: (800..900).map(check).collect(),
        next_ms: Some(60_000),
        spectators: u32::MAX,
    }
}

/// A Swiss of 200 people in its ninth round, with names of the greatest length, all results told, and
/// a host who has changed all of them with notes of the greatest length.
fn largest() -> PartySnapshot {
    let settings = PartySettings {
        board: BoardSpec::new(19, 19, 5).expect("a board"),
        format: PartyFormat::Swiss,
        fill: Some(Computer::default()),
        ..PartySettings::default()
    };
    let most = u16::try_from(MAX_ENTRANTS).expect("a small number");
    let state = PartyState {
        code: CODE(),
        v: u64::MAX,
        name: "🦀".repeat(24).parse().expect("a name"),
        settings,
        host: PlayerId(u64::MAX),
        leader: Some(200),
        phase: PartyPhase::Playing,
        paused: true,
        clocks_stopped: true,
        played_before: 5_000,
        entrants: (1..=most).map(entrant).collect(),
        round: 9,
        pairings: (801..=900).map(|number| pairing(number, true)).collect(),
        past: vec![vec![PastPairing(199, 200, 2, 0); 100]; 8],
        past_decisions: (801..).take(KEPT_DECISIONS).map(decision).collect(),
        queue: Vec::new(),
        places: (1..=most).map(place).collect(),
    };
    state.to_snapshot(presence())
}

#[test]
fn the_largest_party_fits_a_frame() {
    let length = to_string(&ServerMessage::Party(largest())).unwrap().len();
    println!("the largest party has {length} bytes");
    assert!(length <= MAX_SERVER_FRAME, "{length}");
}

#[test]
fn the_largest_facts_of_a_party_fit_a_frame() {
    let told = |events| {
        let message = ServerMessage::PartyEvents { party: CODE(), v: u64::MAX, events };
        to_string(&message).unwrap().len()
    };
    let pairings = (801..=900).map(|number| pairing(number, false)).collect();
    let paired = told(vec![PartyEvent::Paired { round: 9, pairings }]);
    let ranked = told(vec![PartyEvent::Ranked { places: (1..=200).map(place).collect() }]);
    let passes = ServerMessage::PartyPresence { party: CODE(), presence: presence() };
    let passes = to_string(&passes).unwrap().len();
    println!("{paired} {ranked} {passes}");
    assert!([paired, ranked, passes].into_iter().all(|length| length <= MAX_SERVER_FRAME / 2));
}

/// The longest games: from the seventh mark on each takes one away.
#[test]
fn the_largest_boards_fit_a_frame() {
    let removal =
        |ply| PlyEffect { ply, effect: Effect { removed: Some(Cell(24)), decided: None } };
    let board = |pairing| TableBoard {
        pairing,
        game: 3,
        moves: (0..361).map(Cell).collect(),
        placed: Vec::new(),
        effects: (10..361).map(removal).collect(),
        playable: Some(Playable {
            cells: Some((0..361).map(Cell).collect()),
            ..Playable::default()
        }),
        result: Some(GameResult::Resignation { winner: Mark::X }),
    };
    let boards = (900..).take(MAX_TOLD_BOARDS).map(board).collect();
    let message = ServerMessage::Boards { party: CODE(), boards };
    assert!(to_string(&message).unwrap().len() <= MAX_SERVER_FRAME);
}
