//! The ledger bites: each thing that must not be is found in a small example of it.

use noughts_harness::ledger::{Deeds, Record};
use noughts_protocol::{ByMark, Cell, GameResult, Mark, PlayerId, RoomSettings, RoomState};

/// X and O, who played and saw one game of two moves, and what is stored of it.
fn sound() -> (Record, [Deeds; 2]) {
    let moves = vec![Cell(4), Cell(0)];
    let result = GameResult::Resignation { winner: Mark::O };
    let clients = [(1, Mark::X, 0), (2, Mark::O, 1)].map(|(player, mark, ply)| {
        let played = (1, ply, moves[usize::from(ply)]);
        let mut deeds = Deeds { player: Some(PlayerId(player)), ..Deeds::default() };
        (deeds.marks, deeds.sent) = (vec![mark], [played].into());
        deeds.granted = vec![played];
        deeds.shown = [(1, moves.clone())].into();
        deeds.results = [(1, result.clone())].into();
        deeds
    });
    let mut record = Record::default();
    record.games.insert(1, (Mark::X, moves, Some(result)));
    record.seated = ByMark { x: [PlayerId(1)].into(), o: [PlayerId(2)].into() };
    (record, clients)
}

fn check(spoil: impl FnOnce(&mut Record, &mut [Deeds; 2]), expected: &str) {
    let (mut record, mut clients) = sound();
    assert_eq!(record.disagreements(&clients), [""; 0]);
    spoil(&mut record, &mut clients);
    let found = record.disagreements(&clients).join("\n");
    assert!(found.contains(expected), "{expected:?} in {found:?}");
}

#[test]
fn what_must_not_be_is_found() {
    let stored = |record: &mut Record, moves| record.games.get_mut(&1).unwrap().1 = moves;
    check(|record, _| stored(record, vec![Cell(4)]), "granted 1/1");
    check(|record, _| stored(record, vec![Cell(4)]), "shown 1");
    check(|record, _| stored(record, vec![Cell(0), Cell(4)]), "granted 1/0");
    check(|record, _| stored(record, vec![Cell(4), Cell(0), Cell(8)]), "nobody sent 1/2");
    check(|_, clients| clients[0].sent.clear(), "nobody sent 1/0");
    check(|_, clients| clients[1].granted.push((1, 1, Cell(0))), "more than one");
    check(|record, _| record.games.get_mut(&1).unwrap().2 = None, "has not ended");
    check(|_, clients| drop(clients[0].results.insert(1, GameResult::BoardFull)), "BoardFull");
    check(|record, _| record.seated.x = [PlayerId(3)].into(), "X was");
    check(|_, clients| clients[1].fault("a remark".to_owned()), "a remark");
}

#[test]
fn a_move_that_vanishes_from_a_screen_is_a_fault() {
    let (_, [mut deeds, _]) = sound();
    let room = "KQRZX".parse().unwrap();
    let mut state = RoomState::new(room, RoomSettings::default());
    let first = Mark::X;
    let started = noughts_protocol::Event::GameStarted { game: 1, first, score: state.score };
    state.apply(1, &started).unwrap();
    deeds.see(&state, &[Mark::X]);
    assert!(deeds.faults[0].contains("became"), "{:?}", deeds.faults);
    deeds.see(&state, &[Mark::O]);
    assert!(deeds.faults.iter().any(|fault| fault.contains("the seat")), "{:?}", deeds.faults);
}
