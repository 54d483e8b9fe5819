//! The fold over a room's events: gaps, contradictions, and the snapshot that stands for it.

use noughts_protocol::{
    BoardSpec, ByMark, Cell, CloseReason, Computer, Event, Game, GameRecord, GameResult,
    IllegalMove, Mark, Move, OutOfStep, PlayerId, Presence, RoomCode, RoomSettings, RoomState,
    Score, Seat,
};
use proptest::prelude::*;

fn human(player: u64, name: &str) -> Seat {
    let name = name.parse().expect("a name that the test made up");
    Seat::Human { player: PlayerId(player), name, presence: Presence::Connected }
}

fn started(game: u32, score: Score) -> Event {
    Event::GameStarted { game, first: Mark::X, score }
}

fn moved(game: u32, ply: u16, mark: Mark, cell: u16) -> Event {
    Event::Moved { game, ply, mark, cell: Cell(cell) }
}

/// The room in which `events` happened, one version each.
fn room(events: &[Event]) -> RoomState {
    let mut room = RoomState::new(RoomCode::from_number(7), RoomSettings::default());
    for (v, event) in (1..).zip(events) {
        room.apply(v, event).expect("an event that fits");
    }
    room
}

fn two_players() -> Vec<Event> {
    vec![
        Event::Seated { mark: Mark::X, seat: human(1, "Ada") },
        Event::Seated { mark: Mark::O, seat: human(2, "Ben") },
        started(1, Score::default()),
        moved(1, 0, Mark::X, 4),
    ]
}

fn check_refused(room: &RoomState, v: u64, event: &Event, expected: OutOfStep) {
    let mut changed = room.clone();
    assert_eq!(changed.apply(v, event), Err(expected));
    assert_eq!(&changed, room, "a refused event leaves no trace");
}

#[test]
fn events_make_the_room() {
    let room = room(&two_players());
    assert_eq!((room.v, room.turn(), room.is_running()), (4, Some(Mark::O), true));
    assert_eq!(room.seats.x.label(), "Ada");
    assert_eq!(room.marks_of(PlayerId(2)).collect::<Vec<_>>(), [Mark::O]);
    assert_eq!(room.marks_of(PlayerId(3)).count(), 0);
}

#[test]
fn a_missing_or_repeated_event_is_a_gap() {
    let room = room(&two_players());
    for got in [0, 3, 4, 6, u64::MAX] {
        check_refused(&room, got, &moved(1, 1, Mark::O, 0), OutOfStep::Gap { expected: 5, got });
    }
}

#[test]
fn the_last_version_there_is_does_no_harm() {
    let mut snapshot = room(&two_players()).to_snapshot();
    snapshot.v = u64::MAX;
    let mut room = RoomState::from_snapshot(&snapshot).unwrap();
    let gap = OutOfStep::Gap { expected: u64::MAX, got: 0 };
    check_refused(&room, 0, &moved(1, 1, Mark::O, 0), gap);
    assert!(room.apply(u64::MAX, &moved(1, 1, Mark::O, 0)).is_ok());
}

#[test]
fn an_impossible_move_is_a_contradiction() {
    let room = room(&two_players());
    let because = |illegal| OutOfStep::Contradiction(Some(illegal));
    let spec = BoardSpec::TIC_TAC_TOE;
    let taken = IllegalMove::CellTaken { cell: Cell(4), by: Mark::X, spec };
    let turn = IllegalMove::NotYourTurn { turn: Mark::O };
    check_refused(&room, 5, &moved(1, 1, Mark::O, 4), because(taken));
    check_refused(&room, 5, &moved(1, 1, Mark::O, 9), because(IllegalMove::NoSuchCell(spec)));
    check_refused(&room, 5, &moved(1, 1, Mark::X, 0), because(turn));
    check_refused(&room, 5, &moved(1, 2, Mark::X, 0), because(IllegalMove::WrongPly { now: 1 }));
}

#[test]
fn a_move_or_end_of_another_game_is_a_contradiction() {
    let none = OutOfStep::Contradiction(None);
    let running = room(&two_players());
    let result = GameResult::Time { winner: Mark::X };
    let over = Event::GameOver { game: 2, result, score: Score::default() };
    check_refused(&running, 5, &moved(2, 1, Mark::O, 0), none);
    check_refused(&running, 5, &over, none);
    check_refused(&room(&[]), 1, &moved(1, 0, Mark::X, 0), none);
}

#[test]
fn a_game_that_ends_scores_and_a_new_one_settles_the_offers() {
    let result = GameResult::Resignation { winner: Mark::X };
    let score = Score::default().with(&result);
    assert_eq!(score, Score { x: 1, o: 0, draws: 0 });
    let mut events = two_players();
    events.push(Event::GameOver { game: 1, result: result.clone(), score });
    events.push(Event::Rematch { mark: Mark::O, offered: true });
    let before = room(&events);
    assert_eq!((before.turn(), before.score, before.offers.o), (None, score, true));
    assert_eq!(before.game.as_ref().and_then(|game| game.game.result()), Some(&result));
    events.push(started(2, score));
    let after = room(&events);
    assert_eq!((after.turn(), after.score), (Some(Mark::X), score));
    assert_eq!(after.offers, ByMark::default());
}

#[test]
fn presence_is_a_persons_alone() {
    let gone = |mark| Event::Presence { mark, presence: Presence::Gone };
    let computer = Seat::Computer(Computer::default());
    let seated = Event::Seated { mark: Mark::O, seat: computer.clone() };
    let room = room(&[two_players().remove(0), seated, gone(Mark::X), gone(Mark::O)]);
    assert!(matches!(room.seats.x, Seat::Human { presence: Presence::Gone, .. }));
    assert_eq!(room.seats.o, computer);
}

#[test]
fn a_closed_room_says_so() {
    assert!(room(&[Event::Closed { reason: CloseReason::Idle }]).closed);
}

#[test]
fn a_snapshot_with_impossible_moves_is_refused() {
    let mut snapshot = room(&two_players()).to_snapshot();
    let moves = vec![Cell(4), Cell(4)];
    snapshot.game =
        Some(GameRecord { number: 1, first: Mark::X, moves, result: None, opening: None });
    assert!(matches!(
        RoomState::from_snapshot(&snapshot),
        Err(OutOfStep::Contradiction(Some(IllegalMove::CellTaken { .. })))
    ));
}

/// The events of a room in which games are played by `picks`, with the ends and offers between.
fn series(picks: &[u16]) -> Vec<Event> {
    let settings = RoomSettings::default();
    let mut events = two_players();
    events.truncate(3);
    let (mut number, mut score) = (1, Score::default());
    let mut game = Game::new(settings.board, Mark::X, false);
    for pick in picks {
        let empty: Vec<Cell> = game.board().empty_cells().collect();
        let cell = empty[usize::from(*pick) % empty.len()];
        let (ply, mark) = (game.ply(), game.to_move());
        events.push(Event::Moved { game: number, ply, mark, cell });
        let Some(result) = game.apply(Move { ply, mark, cell }).expect("an empty cell").cloned()
        else {
            continue;
        };
        score = score.with(&result);
        events.push(Event::GameOver { game: number, result, score });
        events.push(Event::Rematch { mark: Mark::X, offered: true });
        number += 1;
        events.push(started(number, score));
        game = Game::new(settings.board, Mark::X, false);
    }
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_snapshot_taken_at_any_version_stands_for_all_before_it(
        picks in prop::collection::vec(any::<u16>(), 0..40),
        cut in any::<prop::sample::Index>(),
    ) {
        let events = series(&picks);
        let cut = cut.index(events.len() + 1);
        let json = serde_json::to_string(&room(&events[..cut]).to_snapshot()).unwrap();
        let snapshot = serde_json::from_str(&json).unwrap();
        let mut resumed = RoomState::from_snapshot(&snapshot).unwrap();
        for (v, event) in (1..).zip(&events).skip(cut) {
            prop_assert_eq!(resumed.apply(v, event), Ok(()));
        }
        prop_assert_eq!(resumed, room(&events));
    }
}
