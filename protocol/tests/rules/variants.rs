//! The rules of each variant: a line for each, with its edges. Any game of any variant ends, is
//! replayed to the same, and tells what may be played and what a move did, so that a client without
//! rules has the same board.

use std::collections::{BTreeMap, HashSet};

use noughts_protocol::{
    Board, BoardSpec, Cell, DecidedBoard, Game, GameResult, IllegalMove, LineKind, MAX_PLIES, Mark,
    Move, Placement, Rules, Variant, WinningLine,
};
use proptest::prelude::*;

fn new(variant: &str, board: &str, majority: bool) -> Game {
    let variant: Variant = variant.parse().expect("a variant");
    let board: BoardSpec = board.parse().expect("a board");
    assert!(variant.admits(board), "{variant:?} {board}");
    let early_draw = variant.is_gomoku_like();
    Game::new(Rules { variant, board, early_draw, majority }, Mark::X)
}

/// A move of the side to move: a cell, and before it the mark if it is a chosen one: `5`, `Ob2`.
fn chosen(game: &Game, text: &str) -> Move {
    let placed = match text.as_bytes()[0] {
        b'X' => Some(Mark::X),
        b'O' => Some(Mark::O),
        _ => None,
    };
    let cell = game.spec().parse_cell(text.trim_start_matches(['X', 'O'])).expect("a cell");
    Move { ply: game.ply(), mark: game.to_move(), cell, placed }
}

/// Plays the moves: only the last one may be refused.
fn played(game: &mut Game, moves: &str) -> Result<(), IllegalMove> {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    for (at, text) in moves.iter().enumerate() {
        let applied = game.apply(chosen(game, text)).map(|_| ());
        assert!(applied.is_ok() || at + 1 == moves.len(), "{text}: {applied:?}");
        applied?;
    }
    Ok(())
}

fn outcome(game: &mut Game, moves: &str) -> String {
    if let Err(illegal) = played(game, moves) {
        return format!("refused: {illegal}");
    }
    let spec = game.spec();
    match game.result() {
        None => "goes on".to_owned(),
        Some(GameResult::Line { winner, lines }) => {
            format!("{winner} wins: {}", WinningLine::describe_all(lines, spec))
        }
        Some(result) => match result.winner() {
            Some(winner) => format!("{winner} wins: {}", result.how()),
            None => format!("draw: {}", result.how()),
        },
    }
}

#[track_caller]
fn check(variant: &str, board: &str, moves: &str, expected: &str) {
    assert_eq!(outcome(&mut new(variant, board, false), moves), expected, "{variant} {moves}");
}

#[test]
fn misere_a_line_loses() {
    check("misere", "3x3x3", "5 1 2 3", "goes on");
    check("misere", "3x3x3", "5 1 2 3 8", "O wins: column 2");
    check("misere", "3x3x3", "1 2 3 5 4 6 8 7 9", "draw: board_full");
}

#[test]
fn wild_either_mark() {
    check("wild", "3x3x3", "X1 X2 X3", "X wins: row 1");
    check("wild", "3x3x3", "O1 O2 X9 O3", "O wins: row 1");
    check("wild", "3x3x3", "1 2 3", "goes on");
    check("wild_misere", "3x3x3", "O1 O2 X9 O3", "X wins: row 1");
    check("wild_misere", "3x3x3", "X1 O2 X3 X5 O4 O6 O8 X7", "X wins: the counter diagonal");
}

#[test]
fn notakto_dead_boards() {
    check("notakto", "3x3x3", "1 2 3", "O wins: row 1");
    check("notakto", "3x3x3", "O1", "refused: you may place X alone: place it");
    check("notakto", "6x3x3", "b1 c1 d1", "goes on");
    check("notakto", "6x3x3", "a1 b1 c1 d1 e1 f1", "X wins: a row from d1 to f1");
    let dead = "refused: cell a2 is on a board that is decided: play on another one";
    check("notakto", "6x3x3", "a1 b1 c1 a2", dead);
    check("notakto", "3x3x3", "1 2 4 6 8 9 7", "O wins: row 3 and column 1");
}

#[test]
fn gravity_a_mark_falls() {
    check("gravity", "7x6x4", "d6 d5 c6", "goes on");
    check("gravity", "7x6x4", "d6 d4", "refused: a mark would fall from d4 to d5: play d5");
    check("gravity", "7x6x4", "d1", "refused: a mark would fall from d1 to d6: play d6");
    check("gravity", "7x6x4", "a6 b6 a5 b5 a4 b4 a3", "X wins: a column from a3 to a6");
}

#[test]
fn vanish_the_oldest_goes() {
    let six = "1 4 2 5 9 7";
    check("vanish", "3x3x3", &format!("{six} 3"), "goes on");
    check(
        "vanish",
        "3x3x3",
        &format!("{six} 1"),
        "refused: cell 1 is taken by X: choose an empty one",
    );
    check("vanish", "3x3x3", &format!("{six} 3 8 1"), "goes on");
    check("vanish", "3x3x3", &format!("{six} 3 8 6"), "X wins: column 3");
}

#[test]
fn vanish_the_third_time_is_a_draw() {
    let round = "1 3 2 4 6 7 8 9 ".repeat(3);
    check("vanish", "3x3x3", &round[..2 * 21], "goes on");
    check("vanish", "3x3x3", &round[..2 * 22], "draw: repetition");
    // Each second time the marks have changed their owners, which is another position.
    let round = "1 2 3 4 5 6 9 ".repeat(5);
    check("vanish", "3x3x3", &round[..2 * 33], "goes on");
    check("vanish", "3x3x3", &round[..2 * 34], "draw: repetition");
}

#[test]
fn vanish_ends_after_the_longest_game() {
    let mut game = new("vanish", "5x5x5", false);
    while game.result().is_none() {
        let legal: Vec<Cell> = game.legal().map(|placed| placed.cell).collect();
        let chosen = |at: usize| {
            let cell = legal[at % legal.len()];
            Move { ply: game.ply(), mark: game.to_move(), cell, placed: None }
        };
        let start = usize::from(game.ply()) * 7;
        let quiet =
            |chosen: &Move| matches!(game.outcome(*chosen), None | Some(GameResult::TooLong));
        let chosen = (start..start + legal.len()).map(chosen).find(quiet).expect("a quiet move");
        game.apply(chosen).expect("a legal move");
    }
    assert_eq!((game.result(), game.ply()), (Some(&GameResult::TooLong), MAX_PLIES));
}

#[test]
fn qubic_lines_through_a_cube() {
    check("qubic", "4x16x4", "a1 b1 a5 b2 a9 b3 a13", "X wins: a line from a1 to a13");
    check("qubic", "3x9x3", "a1 a2 b5 b1 c9", "X wins: a line from a1 to c9");
    check("qubic", "3x9x3", "a2 b1 a3 b2 a4", "goes on");
    for (board, count) in [("4x16x4", 76), ("3x9x3", 49)] {
        let game = new("qubic", board, false);
        let mut full = Board::empty(game.spec());
        game.spec().all_cells().for_each(|cell| full.set(cell, Some(Mark::X)));
        let through = |cell| game.rules().lines(&full, Placement { mark: Mark::X, cell });
        let lines: HashSet<WinningLine> = game.spec().all_cells().flat_map(through).collect();
        assert_eq!(lines.len(), count, "{board}");
    }
}

#[test]
fn exact_five_and_no_more() {
    let four = "a1 a15 b1 b15 c1 c15 d1 d15";
    check("exact", "15x15x5", &format!("{four} e1"), "X wins: a row from a1 to e1");
    check("exact", "15x15x5", "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15 d1", "goes on");
    let both = "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15 d2 o2 d3 o4 d4 o6 d5 o8 d1";
    check("exact", "15x15x5", both, "X wins: a column from d1 to d5");
}

/// The board is filled so that no five of a mark are in a row in any direction.
fn mixed(cell: (u8, u8)) -> Mark {
    if (cell.0 + 2 * cell.1) % 4 < 2 { Mark::X } else { Mark::O }
}

#[test]
fn an_exact_line_is_open_only_without_own_marks_beside_it() {
    let spec: BoardSpec = "6x5x5".parse().unwrap();
    let mut board = Board::empty(spec);
    spec.all_cells().skip(6).for_each(|cell| board.set(cell, Some(mixed(spec.position(cell)))));
    board.set(Cell(0), Some(Mark::X));
    let is_open = |board: &Board, variant| {
        Rules { variant, ..Rules::line(spec, true) }.any_line_open(board, 5, 0)
    };
    assert!(is_open(&board, Variant::Exact));
    board.set(Cell(5), Some(Mark::X));
    assert!(is_open(&board, Variant::Line) && !is_open(&board, Variant::Exact));
}

#[test]
fn order_wants_five_of_any_mark() {
    check("order", "6x6x5", "Oa1 Ob1 Oc1 Od1 Oe1", "X wins: a row from a1 to e1");
    check("order", "6x6x5", "Oa6 Xa1 Xb1 Xc1 Xd1 Xe1", "X wins: a row from a1 to e1");
    check("order", "6x6x5", "Xa1 Xb1 Xc1 Xe1 Xf1 Xd1", "X wins: row 1");
}

#[test]
fn chaos_wins_as_soon_as_no_five_can_be_made() {
    let mut game = new("order", "6x6x5", false);
    let spec = game.spec();
    for cell in spec.all_cells() {
        let placed = Some(mixed(spec.position(cell)));
        let marks = [Some(Mark::X), Some(Mark::O)];
        let mut board = game.board().clone();
        board.set(cell, placed);
        let can_be_filled = marks.into_iter().any(|mark| {
            let mut filled = board.clone();
            board.empty_cells().for_each(|cell| filled.set(cell, mark));
            let has_line = |cell| match filled.get(cell) {
                Some(mark) => !game.rules().lines(&filled, Placement { mark, cell }).is_empty(),
                None => false,
            };
            spec.all_cells().any(has_line)
        });
        game.apply(Move { ply: game.ply(), mark: game.to_move(), cell, placed }).unwrap();
        let expected = (!can_be_filled).then_some(&GameResult::Prevented { winner: Mark::O });
        assert_eq!(game.result(), expected, "{}", spec.label(cell));
        if expected.is_some() {
            break;
        }
    }
    assert!(game.ply() < spec.cells(), "it was certain before the board was full");
}

/// X has won the board at the top left, and O is to play in the one at the top right.
const FIRST_BOARD: &str = "a1 b2 e5 d4 b1 d1 c1";

#[test]
fn ultimate_the_cell_names_the_board() {
    let elsewhere = "refused: cell a1 is on another board: play in the middle one (board 5)";
    check("ultimate", "9x9x3", "e5 a1", elsewhere);
    check("ultimate", "9x9x3", "e5 d4 a1", "goes on");
    let decided = "refused: cell a2 is on a board that is decided: play on another one";
    check("ultimate", "9x9x3", &format!("{FIRST_BOARD} g1 a2"), decided);
    check("ultimate", "9x9x3", &format!("{FIRST_BOARD} g1 i9"), "goes on");
    let mut game = new("ultimate", "9x9x3", false);
    played(&mut game, FIRST_BOARD).unwrap();
    let cells = vec![Cell(0), Cell(1), Cell(2)];
    let won = DecidedBoard { board: 0, winner: Some(Mark::X), cells };
    assert_eq!(
        game.effects().last().map(|told| (told.ply, &told.effect.decided)),
        Some((6, &Some(won)))
    );
    let playable = game.playable().and_then(|playable| playable.cells).unwrap();
    assert_eq!(playable, [6, 7, 8, 15, 16, 17, 24, 25, 26].map(Cell));
}

#[test]
fn a_variant_has_its_boards() {
    for variant in Variant::ALL {
        for text in variant.boards() {
            let board = text.parse().unwrap();
            assert!(variant.admits(board), "{variant:?} {text}");
        }
    }
    for (variant, board) in [
        ("ultimate", "3x3x3"),
        ("wild", "7x6x4"),
        ("notakto", "3x6x3"),
        ("gravity", "11x6x4"),
        ("gravity", "6x3x4"),
        ("gravity", "7x6x3"),
        ("vanish", "6x5x4"),
        ("qubic", "16x4x4"),
        ("exact", "15x15x4"),
        ("exact", "15x4x5"),
        ("order", "6x6x4"),
    ] {
        let variant: Variant = variant.parse().unwrap();
        assert!(!variant.admits(board.parse().unwrap()), "{variant:?} {board}");
    }
    let message = Variant::Qubic.refuses(BoardSpec::TIC_TAC_TOE).unwrap();
    assert_eq!(
        message,
        "Qubic is not played on 3x3x3: choose 4x16x4 or 3x9x3, the cubes of 4 and of 3"
    );
    assert_eq!(Variant::Misere.refuses(BoardSpec::TIC_TAC_TOE), None);
}

/// The board of a client without rules: it folds the effects that it is told.
#[derive(Default)]
struct Told {
    marks: BTreeMap<Cell, Mark>,
    /// The decided boards, each with its winner.
    boards: BTreeMap<u8, Option<Mark>>,
}

impl Told {
    fn of(game: &Game) -> Self {
        let mut told = Self::default();
        for (ply, &cell) in (0_u16..).zip(game.moves()) {
            for effect in game.effects().iter().filter(|effect| effect.ply == ply) {
                let removed = effect.effect.removed.map(|cell| told.marks.remove(&cell));
                assert!(removed.is_none_or(|mark| mark == Some(game.mover_at(ply))));
                if let Some(DecidedBoard { board, winner, cells }) = &effect.effect.decided {
                    let before = told.boards.insert(*board, *winner);
                    assert_eq!(before, None, "a board is decided once");
                    assert!(cells.is_empty() || cells.len() == 3);
                }
            }
            assert_eq!(told.marks.insert(cell, game.mark_at(ply)), None, "an empty cell");
        }
        told
    }
}

/// Every placement is legal that is told as playable, and no other.
fn check_playable(game: &Game) {
    let playable = game.playable().unwrap_or_default();
    let cells = playable.cells.unwrap_or_else(|| game.board().empty_cells().collect());
    let marks = playable.marks.unwrap_or_else(|| vec![game.to_move()]);
    let told: Vec<(Cell, Mark)> =
        cells.iter().flat_map(|&cell| marks.iter().map(move |&mark| (cell, mark))).collect();
    let legal: Vec<(Cell, Mark)> = game.legal().map(|placed| (placed.cell, placed.mark)).collect();
    assert_eq!(told, legal);
    assert!(!legal.is_empty(), "the side to move can move");
    for cell in game.spec().all_cells().chain([Cell(game.spec().cells())]) {
        for mark in Mark::BOTH {
            let chosen = Move { ply: game.ply(), mark: game.to_move(), cell, placed: Some(mark) };
            assert_eq!(game.check(chosen).is_ok(), legal.contains(&(cell, mark)), "{chosen:?}");
        }
    }
}

/// The rows of won boards, found as lines of tic-tac-toe.
fn rows_won(boards: &BTreeMap<u8, Option<Mark>>) -> HashSet<Vec<u16>> {
    let mut won = Board::empty(BoardSpec::TIC_TAC_TOE);
    boards.iter().for_each(|(board, winner)| won.set(Cell(u16::from(*board)), *winner));
    let rules = Rules::line(won.spec(), false);
    let through = |cell| {
        let mark = won.get(cell);
        mark.map(|mark| rules.lines(&won, Placement { mark, cell })).unwrap_or_default()
    };
    let lines = won.spec().all_cells().flat_map(through);
    lines.map(|line| line.cells.iter().map(|cell| cell.0).collect()).collect()
}

/// A result of boards agrees with the boards that were told.
fn check_boards(game: &Game, boards: &BTreeMap<u8, Option<Mark>>) {
    let count = |mark| boards.values().filter(|winner| **winner == Some(mark)).count();
    let [x, o] = Mark::BOTH.map(count);
    let rows = rows_won(boards);
    if let Some(GameResult::Line { winner, lines }) = game.result() {
        let told = lines.iter().map(|WinningLine { kind, cells }| {
            let LineKind::Boards { boards: three } = kind else { panic!("{kind:?}") };
            assert!(three.iter().all(|board| boards.get(board) == Some(&Some(*winner))));
            assert_eq!(cells.len(), 27);
            three.map(u16::from).to_vec()
        });
        assert_eq!(told.collect::<HashSet<_>>(), rows);
        return;
    }
    assert!(rows.is_empty() && boards.len() == 9);
    match game.result() {
        Some(GameResult::MoreBoards { winner }) => {
            assert!(game.rules().majority);
            assert!(if *winner == Mark::X { x > o } else { o > x });
        }
        Some(GameResult::BoardFull) => assert!(!game.rules().majority || x == o),
        other => panic!("{other:?} cannot come of a move"),
    }
}

fn check_game(rules: Rules, first: Mark, picks: &[u16]) {
    let mut game = Game::new(rules, first);
    // Large boards have many cells to check, and their rules are those of small ones.
    let is_small = rules.board.cells() <= 100;
    for pick in picks.iter().cycle() {
        if is_small || game.ply().is_multiple_of(50) {
            check_playable(&game);
        }
        let legal: Vec<Placement> = game.legal().collect();
        let Placement { mark, cell } = legal[usize::from(*pick) % legal.len()];
        let chosen = Move { ply: game.ply(), mark: game.to_move(), cell, placed: Some(mark) };
        game.apply(chosen).expect("a legal move");
        if game.result().is_some() {
            break;
        }
    }
    assert!(game.ply() <= MAX_PLIES);
    assert_eq!(game.legal().next(), None);
    assert_eq!(game.playable(), None);
    let told = Told::of(&game);
    for cell in rules.board.all_cells() {
        assert_eq!(told.marks.get(&cell).copied(), game.board().get(cell));
    }
    if rules.variant == Variant::Ultimate {
        check_boards(&game, &told.boards);
    }
    assert_eq!(Game::replay(rules, first, game.moves(), game.placed()), Ok(game));
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let variant = prop::sample::select(&Variant::ALL[..]);
    (variant, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(variant, at, majority)| {
        let board = at.get(variant.boards()).parse().expect("a board that is offered");
        Rules { variant, board, early_draw: variant.is_gomoku_like(), majority }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_game_of_any_variant_is_what_is_told_of_it(
        rules in any_rules(),
        first in prop::sample::select(&Mark::BOTH[..]),
        picks in prop::collection::vec(any::<u16>(), 97),
    ) {
        check_game(rules, first, &picks);
    }

    #[test]
    fn no_board_of_a_broken_peer_makes_the_rules_panic(
        variant in prop::sample::select(&Variant::ALL[..]),
        (width, height) in (3..=19_u8, 3..=19_u8),
        picks in prop::collection::vec(any::<u16>(), 97),
    ) {
        let board = BoardSpec::new(width, height, 3).expect("a board");
        let mut game = Game::new(Rules { variant, ..Rules::line(board, true) }, Mark::X);
        for pick in picks {
            let legal: Vec<Placement> = game.legal().collect();
            let Some(placed) = legal.get(usize::from(pick) % legal.len().max(1)) else { break };
            let Placement { mark, cell } = *placed;
            let chosen = Move { ply: game.ply(), mark: game.to_move(), cell, placed: Some(mark) };
            game.apply(chosen).expect("a legal move");
            drop(game.playable());
        }
    }
}
