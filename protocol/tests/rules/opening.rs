//! The phases of a swap2 opening, and what it means for turns and moves.

use noughts_protocol::{
    BoardSpec, Cell, Event, Game, IllegalMove, Mark, Move, NumberedGame, Opening, OpeningChoice,
    OpeningPhase, RoomCode, RoomSettings, RoomState, Score, Seat,
};

const PLACING: OpeningPhase = OpeningPhase::Placing { by: Mark::O, until_ply: 3 };
const CHOOSING: OpeningPhase = OpeningPhase::Choosing { by: Mark::X, may_add: true };

fn swap2(board: &str) -> RoomSettings {
    let board = board.parse().expect("a board");
    RoomSettings { board, opening: Opening::Swap2, ..RoomSettings::default() }
}

#[test]
fn both_sides_must_be_thirteen_or_more() {
    for (board, legal) in [("13x13x5", true), ("19x13x5", true), ("12x19x5", false)] {
        assert_eq!(swap2(board).opening_is_legal(), legal, "{board}");
    }
    assert!(RoomSettings::default().opening_is_legal());
}

#[test]
fn marks_and_choices_lead_from_phase_to_phase() {
    use OpeningChoice::{Add, O, X};
    assert_eq!(OpeningPhase::first(Mark::O), PLACING);
    assert_eq!(PLACING.after_mark(2), None);
    assert_eq!(PLACING.after_mark(3), Some(CHOOSING));
    assert_eq!(CHOOSING.after_mark(4), None);
    assert_eq!(CHOOSING.after_choice(X), Some((OpeningPhase::Done, false)));
    assert_eq!(CHOOSING.after_choice(O), Some((OpeningPhase::Done, true)));
    let adding = OpeningPhase::Placing { by: Mark::X, until_ply: 5 };
    assert_eq!(CHOOSING.after_choice(Add), Some((adding, false)));
    let last = OpeningPhase::Choosing { by: Mark::O, may_add: false };
    assert_eq!(adding.after_mark(5), Some(last));
    assert_eq!(last.after_choice(Add), None);
    assert_eq!(PLACING.after_choice(X), None);
    assert_eq!(OpeningPhase::Done.after_choice(X), None);
}

#[test]
fn no_line_is_completed_in_an_opening() {
    let spec = BoardSpec::new(13, 13, 3).expect("a board");
    let moves = [0, 50, 1, 51].map(Cell);
    let game = Game::replay(spec, Mark::X, true, &moves).expect("legal moves");
    let line = Move { ply: 4, mark: Mark::X, cell: Cell(2) };
    let adding = OpeningPhase::Placing { by: Mark::O, until_ply: 5 };
    let mut numbered = NumberedGame { number: 1, game, opening: Some(adding) };
    assert_eq!(numbered.check(line), Err(IllegalMove::LineInOpening));
    assert_eq!(numbered.check(Move { cell: Cell(3), ..line }), Ok(()));
    numbered.opening = None;
    assert_eq!(numbered.check(line), Ok(()));
}

#[test]
fn whose_turn_it_is_follows_the_opening_and_an_exchange_takes_the_score_along() {
    let mut room = RoomState::new(RoomCode::from_number(7), swap2("15x15x5"));
    let computer = Seat::Computer(noughts_protocol::Computer::default());
    let score = Score { x: 2, o: 1, draws: 4 };
    let opening = |phase, swapped| Event::Opening { game: 1, phase, swapped };
    let events = [
        Event::Seated { mark: Mark::X, seat: computer.clone() },
        Event::GameStarted { game: 1, first: Mark::X, score },
        opening(PLACING, false),
    ];
    for (v, event) in (1..).zip(&events) {
        room.apply(v, event).expect("an event that fits");
    }
    assert_eq!(room.turn(), Some(Mark::O), "O places, though the mark is X");
    room.apply(4, &opening(CHOOSING, false)).expect("an event that fits");
    assert_eq!(room.turn(), Some(Mark::X));
    assert_eq!(RoomState::from_snapshot(&room.to_snapshot()), Ok(room.clone()));
    room.apply(5, &opening(OpeningPhase::Done, true)).expect("an event that fits");
    assert_eq!((&room.seats.x, &room.seats.o), (&Seat::Open, &computer));
    assert_eq!(room.score, Score { x: 1, o: 2, draws: 4 });
    assert_eq!(room.turn(), Some(Mark::X), "the game decides, once the opening is over");
}
