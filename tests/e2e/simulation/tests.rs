//! Tests of the checker: each violation is found in a small example.

use noughts_harness::checker::StoredHistory;
use noughts_harness::history::ClientHistory;
use noughts_protocol::{ByMark, Cell, GameResult, Mark, PlayerId, RoomSettings, RoomState};

/// The histories of X and O, who played one game of two moves, and the same game as it is stored.
fn sound() -> (StoredHistory, [ClientHistory; 2]) {
    let moves = vec![Cell(4), Cell(0)];
    let result = GameResult::Resignation { winner: Mark::O };
    let clients = [(1, Mark::X, 0), (2, Mark::O, 1)].map(|(player, mark, ply)| {
        let played = (1, ply, moves[usize::from(ply)]);
        ClientHistory {
            player: Some(PlayerId(player)),
            marks: vec![mark],
            sent: [played].into(),
            acknowledged: vec![played],
            shown: [(1, moves.clone())].into(),
            results: [(1, result.clone())].into(),
            states: [(5, 55), (6, 66)].into(),
            ..ClientHistory::default()
        }
    });
    let mut stored = StoredHistory::default();
    stored.games.insert(1, (Mark::X, moves, Some(result)));
    stored.last = Some((6, 66));
    stored.seated = ByMark { x: [PlayerId(1)].into(), o: [PlayerId(2)].into() };
    (stored, clients)
}

fn check(spoil: impl FnOnce(&mut StoredHistory, &mut [ClientHistory; 2]), expected: &str) {
    let (mut stored, mut clients) = sound();
    assert_eq!(stored.violations(&clients), [""; 0]);
    spoil(&mut stored, &mut clients);
    let found = stored.violations(&clients).join("\n");
    assert!(found.contains(expected), "{expected:?} in {found:?}");
}

#[test]
fn every_violation_is_found() {
    let store = |stored: &mut StoredHistory, moves| stored.games.get_mut(&1).unwrap().1 = moves;
    check(|stored, _| store(stored, vec![Cell(4)]), "acknowledged 1/1");
    check(|stored, _| store(stored, vec![Cell(4)]), "shown 1");
    check(|stored, _| store(stored, vec![Cell(0), Cell(4)]), "acknowledged 1/0");
    check(|stored, _| store(stored, vec![Cell(4), Cell(0), Cell(8)]), "nobody sent 1/2");
    check(|_, clients| clients[0].sent.clear(), "nobody sent 1/0");
    check(|_, clients| clients[1].acknowledged.push((1, 1, Cell(5))), "more than one");
    check(|stored, _| stored.games.get_mut(&1).unwrap().2 = None, "has not ended");
    check(|_, clients| drop(clients[0].results.insert(1, GameResult::BoardFull)), "BoardFull");
    check(|_, clients| clients[0].states.extend([(6, 67)]), "another state at version 6");
    check(|_, clients| clients[1].states.extend([(5, 56)]), "another state at version 5");
    check(|_, clients| clients[1].states.extend([(8, 88)]), "version 8 was shown");
    check(|stored, _| stored.last = Some((6, 67)), "another state at version 6");
    check(|stored, _| stored.last = None, "not stored");
    check(|stored, _| stored.seated.x = [PlayerId(3)].into(), "X was");
    check(|_, clients| clients[1].violation("a remark".to_owned()), "a remark");
}

#[test]
fn a_version_that_stands_for_two_states_is_a_violation() {
    let mut history = ClientHistory::default();
    let state = RoomState::new("KQRZX".parse().unwrap(), RoomSettings::default());
    history.observe(&state, &[]);
    history.observe(&state, &[]);
    assert_eq!(history.violations, [""; 0]);
    history.observe(&RoomState { closed: true, ..state }, &[]);
    assert!(history.violations[0].contains("another state"), "{:?}", history.violations);
}

#[test]
fn a_move_that_vanishes_from_a_screen_is_a_violation() {
    let (_, [mut history, _]) = sound();
    let room = "KQRZX".parse().unwrap();
    let mut state = RoomState::new(room, RoomSettings::default());
    let first = Mark::X;
    let started = noughts_protocol::Event::GameStarted {
        game: 1,
        first,
        score: state.score,
        opening: None,
        series: noughts_protocol::Series::default(),
        playable: None,
    };
    state.advance(&started);
    history.observe(&state, &[Mark::X]);
    assert!(history.violations[0].contains("became"), "{:?}", history.violations);
    history.observe(&state, &[Mark::O]);
    assert!(
        history.violations.iter().any(|found| found.contains("the seat")),
        "{:?}",
        history.violations
    );
}
