//! A game from the empty board to its result: what is illegal and why, replay, the early draw,
//! and any game at all against a referee that looks at the whole board each time.

use noughts_protocol::{
    Board, BoardSpec, Cell, Direction, Game, GameResult, IllegalMove, Mark, Move, Refusal,
    RefusalCode, Rules, WinningLine,
};
use proptest::prelude::*;

const SMALL: BoardSpec = BoardSpec::TIC_TAC_TOE;

fn cells(numbers: &[u16]) -> Vec<Cell> {
    numbers.iter().copied().map(Cell).collect()
}

const fn rules(board: BoardSpec, early_draw: bool) -> Rules {
    Rules::line(board, early_draw)
}

fn played(early_draw: bool, moves: &[u16]) -> Game {
    Game::replay(rules(SMALL, early_draw), Mark::X, &cells(moves), &[]).expect("legal moves")
}

/// X's try at `ply` on `cell` after `moves` is refused as `expected`, with `code` on the wire.
fn check_illegal(moves: &[u16], chosen: Move, expected: IllegalMove, code: RefusalCode) {
    let mut game = played(false, moves);
    let before = game.clone();
    assert_eq!(game.check(chosen), Err(expected));
    assert_eq!(game.apply(chosen), Err(expected));
    assert_eq!(game, before, "a refused move leaves no trace");
    assert_eq!(Refusal::from(expected).code, code);
}

#[test]
fn illegal_moves_are_typed() {
    let x = |ply, cell| Move { ply, mark: Mark::X, cell: Cell(cell), placed: None };
    let taken = IllegalMove::CellTaken { cell: Cell(4), by: Mark::X, spec: SMALL };
    let wrong = IllegalMove::WrongPly { now: 2 };
    let turn = IllegalMove::NotYourTurn { turn: Mark::O };
    check_illegal(&[4, 0], x(2, 9), IllegalMove::NoSuchCell(SMALL), RefusalCode::NoSuchCell);
    check_illegal(&[4, 0], x(2, u16::MAX), IllegalMove::NoSuchCell(SMALL), RefusalCode::NoSuchCell);
    check_illegal(&[4, 0], x(2, 4), taken, RefusalCode::CellTaken);
    check_illegal(&[4], x(1, 0), turn, RefusalCode::NotYourTurn);
    check_illegal(&[4, 0], x(0, 1), wrong, RefusalCode::Stale);
    check_illegal(&[4, 0], x(4, 1), wrong, RefusalCode::Stale);
    let won = [0, 3, 1, 4, 2];
    check_illegal(&won, x(5, 8), IllegalMove::GameOver, RefusalCode::GameOver);
}

#[test]
fn an_illegal_move_says_what_to_do() {
    let messages = [
        IllegalMove::NoSuchCell(SMALL),
        IllegalMove::CellTaken { cell: Cell(4), by: Mark::O, spec: SMALL },
        IllegalMove::NotYourTurn { turn: Mark::O },
        IllegalMove::WrongPly { now: 2 },
        IllegalMove::ChoiceFirst,
        IllegalMove::LineInOpening,
        IllegalMove::GameOver,
    ]
    .map(|illegal| illegal.to_string());
    assert_eq!(messages[0], "there is no such cell: choose from 1 to 9 (a1 to c3)");
    assert_eq!(messages[1], "cell 5 is taken by O: choose an empty one");
    assert!(messages.iter().all(|message| message.contains(": ")), "{messages:?}");
}

#[test]
fn the_marks_take_turns_from_the_first_mover() {
    for first in Mark::BOTH {
        let mut game = Game::new(rules(SMALL, false), first);
        assert_eq!((game.turn(), game.ply()), (Some(first), 0));
        let opening = Move { ply: 0, mark: first, cell: Cell(4), placed: None };
        assert_eq!(game.apply(opening), Ok(None));
        assert_eq!((game.turn(), game.ply()), (Some(first.other()), 1));
        assert_eq!((game.mover_at(0), game.mover_at(1)), (first, first.other()));
        assert_eq!(game.board().get(Cell(4)), Some(first));
    }
}

#[test]
fn an_early_draw_comes_as_soon_as_no_line_is_left() {
    let moves = [0, 1, 2, 4, 3, 5, 7, 6, 8];
    let end = (0..=9).find(|n| played(true, &moves[..*n]).result().is_some());
    let end = end.expect("the game ends");
    assert!(end < 9, "the draw was certain before the board was full");
    assert_eq!(played(true, &moves[..end]).result(), Some(&GameResult::NoLineLeft));
}

#[test]
fn replay_stops_at_the_first_illegal_move() {
    let replay = |moves: &[u16]| Game::replay(rules(SMALL, false), Mark::O, &cells(moves), &[]);
    let taken = IllegalMove::CellTaken { cell: Cell(4), by: Mark::O, spec: SMALL };
    assert_eq!(replay(&[4, 0, 4, 99]), Err(taken));
    assert_eq!(replay(&[4, 99]), Err(IllegalMove::NoSuchCell(SMALL)));
    assert_eq!(replay(&[0, 3, 1, 4, 2, 5]), Err(IllegalMove::GameOver));
    assert_eq!(replay(&[0; 70_000]).map(|game| game.ply()).ok(), None);
}

#[test]
fn a_finished_game_keeps_its_result() {
    let mut game = played(false, &[4]);
    game.conclude(GameResult::Resignation { winner: Mark::X });
    game.conclude(GameResult::Time { winner: Mark::O });
    assert_eq!(game.result(), Some(&GameResult::Resignation { winner: Mark::X }));
    let late = Move { ply: 1, mark: Mark::O, cell: Cell(0), placed: None };
    assert_eq!(game.apply(late), Err(IllegalMove::GameOver));
}

#[test]
fn winners_of_every_result() {
    let x = Mark::X;
    let o = Mark::O;
    for (result, winner) in [
        (GameResult::Line { winner: x, lines: Vec::new() }, Some(x)),
        (GameResult::Resignation { winner: o }, Some(o)),
        (GameResult::Time { winner: x }, Some(x)),
        (GameResult::Absence { winner: Some(o), party: None }, Some(o)),
        (GameResult::Absence { winner: None, party: None }, None),
        (GameResult::BoardFull, None),
        (GameResult::NoLineLeft, None),
    ] {
        assert_eq!(result.winner(), winner, "{result:?}");
        assert_eq!(serde_json::to_value(&result).unwrap()["how"], result.how());
    }
}

/// The naive referee: tries every line of the board.
fn has_line(board: &Board, mark: Mark) -> bool {
    let spec = board.spec();
    spec.all_cells().any(|start| {
        let (column, row) = spec.position(start);
        Direction::ALL.into_iter().any(|direction| {
            let (right, down) = direction.step();
            (0..i16::from(spec.line())).all(|i| {
                let cell = spec.cell_at(i16::from(column) + right * i, i16::from(row) + down * i);
                cell.and_then(|cell| board.get(cell)) == Some(mark)
            })
        })
    })
}

fn any_board() -> impl Strategy<Value = BoardSpec> {
    (3..=19_u8, 3..=19_u8)
        .prop_flat_map(|(width, height)| (Just(width), Just(height), 3..=width.max(height)))
        .prop_map(|(width, height, line)| {
            BoardSpec::new(width, height, line).expect("sides and line in range")
        })
}

/// Boards of at most 6 × 6, on which random games often end with a line or a draw.
fn small_board() -> impl Strategy<Value = BoardSpec> {
    (3..=6_u8, 3..=6_u8, 3..=4_u8).prop_filter_map("a line fits", |(width, height, line)| {
        BoardSpec::new(width, height, line).ok()
    })
}

/// Plays the picks, each modulo the cells that are left, until the game ends, and checks each
/// position against the referee. A second game is drawn early and must never be wrong to do so.
fn check_game(spec: BoardSpec, first: Mark, picks: &[u16]) {
    let mut game = Game::new(rules(spec, false), first);
    let mut early = Game::new(rules(spec, true), first);
    for pick in picks.iter().cycle() {
        let empty: Vec<Cell> = game.board().empty_cells().collect();
        let cell = empty[usize::from(*pick) % empty.len()];
        let ply = game.ply();
        let mark = game.to_move();
        game.apply(Move { ply, mark, cell, placed: None }).expect("a move to an empty cell");
        if early.turn().is_some() {
            early.apply(Move { ply, mark, cell, placed: None }).expect("the same move");
        }
        let won = has_line(game.board(), mark);
        assert!(!has_line(game.board(), mark.other()));
        assert!(!won || early.result() == game.result(), "a game drawn early was won");
        match game.result() {
            None => assert!(!won && empty.len() > 1),
            Some(GameResult::BoardFull) => assert!(!won && empty.len() == 1),
            Some(GameResult::Line { winner, lines }) => {
                assert!(won && *winner == mark);
                lines.iter().for_each(|line| check_line(game.board(), line, cell, mark));
            }
            other => panic!("{other:?} cannot come of a move"),
        }
        if game.result().is_some() {
            break;
        }
    }
    assert!(early.result().is_some(), "the early game ends no later");
    assert_eq!(Game::replay(rules(spec, false), first, game.moves(), &[]), Ok(game));
}

fn check_line(board: &Board, line: &WinningLine, last: Cell, mark: Mark) {
    assert!(line.cells.len() >= usize::from(board.spec().line()));
    assert!(line.cells.contains(&last));
    assert!(line.cells.iter().all(|cell| board.get(*cell) == Some(mark)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_game_agrees_with_a_naive_referee(
        spec in prop_oneof![3 => small_board(), 1 => any_board()],
        x_first in any::<bool>(),
        picks in prop::collection::vec(any::<u16>(), 40),
    ) {
        check_game(spec, if x_first { Mark::X } else { Mark::O }, &picks);
    }
}
