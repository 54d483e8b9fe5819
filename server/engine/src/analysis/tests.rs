//! Hints, reviews and standings of positions whose answer is known.

use noughts_protocol::{
    BoardSpec, Cell, Game, GameResult, HintReason, Mark, Move, Rules, Standing, Variant, Verdict,
};
use noughts_protocol::{GameValue, Placement, ReviewedMove};

use super::tactics::Tactics;
use super::{advise, evaluate, positions, reason, standing, verdicts};
use crate::Deadline;
use crate::tests::rules;

fn game(board: &str, moves: &[u16]) -> Game {
    let spec: BoardSpec = board.parse().unwrap();
    let moves: Vec<Cell> = moves.iter().copied().map(Cell).collect();
    Game::replay(rules(spec, spec.cells() > 9), Mark::X, &moves, &[]).unwrap()
}

#[track_caller]
fn check_hint(board: &str, moves: &[u16], cells: &[u16], words: &str) {
    let game = game(board, moves);
    let advice = advise(&game, &Deadline::none());
    let cells: Vec<Cell> = cells.iter().copied().map(Cell).collect();
    assert_eq!((advice.cells.clone(), advice.words(game.spec())), (cells, words.to_owned()));
}

#[test]
fn a_hint_says_why() {
    check_hint("3x3x3", &[0, 3, 1, 4], &[2], "wins");
    check_hint("3x3x3", &[0, 3, 8, 4], &[5], "stops row 2");
    check_hint("3x3x3", &[0, 1, 8, 7], &[4], "wins");
    check_hint("3x3x3", &[0, 4, 2], &[1], "stops row 1");
    check_hint("3x3x3", &[0, 1, 6, 3], &[8, 4], "makes two threats");
    check_hint("3x3x3", &[0], &[4], "every other move loses");
    check_hint("3x3x3", &[0, 4], &[2, 6, 1, 3, 8, 5, 7], "keeps the draw");
    check_hint("3x3x3", &[0, 1], &[4, 6, 3], "leads to a win");
}

#[test]
fn the_first_cell_of_a_hint_is_the_one_that_a_person_would_take() {
    let first = |board, moves: &[u16]| advise(&game(board, moves), &Deadline::none()).cells[0];
    assert_eq!(first("3x3x3", &[]), Cell(4), "the centre of the empty board");
    assert_eq!(first("3x3x3", &[4]), Cell(0), "a corner beside the centre");
}

#[test]
fn one_cell_may_stop_three_lines() {
    let moves = [0, 38, 8, 39, 72, 22, 80, 31, 4, 50, 76, 60];
    let lines = "a row from c5 to e5, a column from e3 to e5 and a diagonal from e5 to g7";
    check_hint("9x9x3", &moves, &[40], &format!("stops {lines}"));
}

#[test]
fn large_boards_have_reasons_too() {
    // Three in a row with both ends free are two threats by their fourth.
    let open_three = [7 * 15 + 6, 0, 7 * 15 + 7, 14, 7 * 15 + 8, 210];
    check_hint("15x15x5", &open_three, &[7 * 15 + 5, 7 * 15 + 9], "makes two threats");
    // Four of them must be stopped.
    let four = [&open_three[..], &[7 * 15 + 9, 7 * 15 + 10]].concat();
    check_hint("15x15x5", &four, &[7 * 15 + 5], "wins");
}

#[test]
fn a_hint_without_a_proof_says_what_its_move_is_for() {
    let row = 7 * 15;
    let advised = |moves: &[u16]| {
        let game = game("15x15x5", moves);
        advise(&game, &Deadline::none().with_positions(Some(300))).words(game.spec())
    };
    assert_eq!(advised(&[row + 7]), "best found");
    assert_eq!(advised(&[row + 6, 0, row + 7, 14, row + 8]), "stops a threat");
}

/// Checks why a computer makes a move.
#[track_caller]
fn check_reason(board: &str, moves: &[u16], cell: u16, expected: Option<&HintReason>) {
    let game = game(board, moves);
    let placed = Placement { mark: game.to_move(), cell: Cell(cell) };
    assert_eq!(reason(&game, placed).as_ref(), expected);
}

#[test]
fn a_computer_says_what_it_prevents_and_threatens() {
    let row = 7 * 15;
    let three = [row + 6, 0, row + 7, 14, row + 8];
    check_reason("15x15x5", &three[..2], row + 7, None);
    check_reason("15x15x5", &three[..4], row + 8, Some(&HintReason::Threatens));
    check_reason("15x15x5", &three, row + 5, Some(&HintReason::Prevents));
    check_reason("15x15x5", &three, 30, None);
    // A four with one free end.
    let blocked = [row + 6, row + 5, row + 7, 14, row + 8, 30];
    check_reason("15x15x5", &blocked, row + 9, Some(&HintReason::Threatens));
    check_reason("3x3x3", &[0, 4], 8, Some(&HintReason::Threatens));
}

#[test]
fn an_only_move_is_proven() {
    let mut found = 0;
    for (first, second, third) in (0..1320).map(|n| (n / 110, n / 10 % 11, n % 10)) {
        let mut left: Vec<u16> = (0..12).collect();
        let moves = [first, second, third].map(|place| left.remove(place));
        let game = game("4x3x3", &moves);
        let mut tactics = Tactics::new(&game);
        let quiet = tactics.wins(Mark::X).is_empty() && tactics.wins(Mark::O).is_empty();
        let Some(only) = tactics.only_move(Mark::O).filter(|_| quiet) else { continue };
        found += 1;
        for cell in game.board().empty_cells().filter(|cell| *cell != only) {
            let mut other = game.clone();
            other.apply(Move { ply: 3, mark: Mark::O, cell, placed: None }).unwrap();
            assert_eq!(
                evaluate(&other, &Deadline::none()).value,
                GameValue::Won,
                "{moves:?} {cell:?}"
            );
        }
    }
    assert!(found > 0, "there are such positions");
}

/// The game of a variant after cells; `placed` has the marks, where they are not the own ones.
fn variant(variant: Variant, board: &str, moves: &[u16], placed: &[Mark]) -> Game {
    let moves: Vec<Cell> = moves.iter().copied().map(Cell).collect();
    let rules = Rules { variant, ..rules(board.parse().unwrap(), false) };
    Game::replay(rules, Mark::X, &moves, placed).unwrap()
}

#[test]
fn a_hint_says_why_in_every_variant() {
    let hint = |game: &Game| {
        let advice = advise(game, &Deadline::none());
        let cells: Vec<u16> = advice.cells.iter().map(|cell| cell.0).collect();
        (cells, advice.placed, advice.words(game.spec()))
    };
    let words = str::to_owned;
    // The second X of row 1 stands: O stops it.
    let game = variant(Variant::Vanish, "3x3x3", &[0, 4, 1], &[]);
    assert_eq!(hint(&game), (vec![2], None, words("stops row 1")));
    // O wins with an X.
    let game = variant(Variant::Wild, "3x3x3", &[0, 4, 1], &[Mark::X, Mark::O, Mark::X]);
    assert_eq!(hint(&game), (vec![2], Some(Mark::X), words("wins")));
    // X has two corners and the centre: every other cell completes a line.
    let game = variant(Variant::Misere, "3x3x3", &[0, 1, 2, 3, 4, 5], &[]);
    assert_eq!(hint(&game), (vec![7], None, words("every other move loses")));
    let game = variant(Variant::Notakto, "3x3x3", &[], &[]);
    assert_eq!(hint(&game), (vec![4], None, words("leads to a win")));
    // Six in a row are no threat: O need not stop X at f1.
    let six = &[0, 30, 1, 32, 2, 60, 4, 62, 5];
    let game = variant(Variant::Exact, "15x15x5", six, &[]);
    assert!(!matches!(advise(&game, &Deadline::none()).reason, HintReason::Blocks { .. }));
}

#[test]
fn a_review_knows_that_both_marks_are_as_good() {
    for mark in Mark::BOTH {
        let mut game = variant(Variant::Wild, "3x3x3", &[4], &[mark]);
        game.conclude(GameResult::Resignation { winner: Mark::X });
        let (proven, moves) = review(&game);
        assert!(proven);
        assert_eq!((moves[0].verdict, moves[0].after), (Verdict::Best, GameValue::Won));
    }
    // O moves first to a side: the win is given away, and the centre would have kept it.
    let mut game = variant(Variant::Wild, "3x3x3", &[1], &[Mark::O]);
    game.conclude(GameResult::Resignation { winner: Mark::X });
    let (_, moves) = review(&game);
    assert_eq!((moves[0].best, moves[0].best_placed), (Some(Cell(4)), None));
}

fn review(game: &Game) -> (bool, Vec<ReviewedMove>) {
    let evaluations: Vec<_> =
        positions(game).iter().map(|position| evaluate(position, &Deadline::none())).collect();
    verdicts(game, 0, &evaluations)
}

#[test]
fn a_mistake_is_found_and_the_rest_is_not_blamed() {
    // O answers the corner with an edge, which loses; X wins by the quickest way.
    let (proven, moves) = review(&game("3x3x3", &[0, 1, 4, 8, 6, 3, 2]));
    let drawn = (GameValue::Drawn, GameValue::Drawn);
    let values: Vec<_> = moves.iter().map(|m| (m.before, m.after)).collect();
    assert!(proven);
    assert_eq!(values[..2], [drawn, (GameValue::Drawn, GameValue::Lost)]);
    assert!(values[2..].iter().all(|(b, a)| b == a && *b != GameValue::Drawn));
    let mistakes: Vec<u16> =
        moves.iter().filter(|m| m.verdict == Verdict::Mistake).map(|m| m.ply).collect();
    assert_eq!(mistakes, [1]);
    let best: Vec<_> = moves.iter().map(|m| m.best).collect();
    assert_eq!(best[1], Some(Cell(4)), "the centre would have kept the draw");
    assert!(best.iter().enumerate().all(|(ply, best)| best.is_none() || ply == 1), "{best:?}");
}

#[test]
fn a_win_let_go_is_a_mistake_and_a_slow_one_is_fine() {
    // X could complete row 1 with its third mark but plays elsewhere and still wins later.
    let (_, moves) = review(&game("3x3x3", &[0, 3, 1, 8, 4, 2, 7]));
    assert_eq!((moves[4].verdict, moves[4].after), (Verdict::Fine, GameValue::Won));
    // Here it gives the win away.
    let (_, moves) = review(&game("3x3x3", &[0, 3, 1, 4, 5, 2, 6, 7, 8]));
    assert_eq!((moves[4].before, moves[4].after), (GameValue::Won, GameValue::Drawn));
    assert_eq!(moves[4].verdict, Verdict::Mistake);
}

#[test]
fn a_resigned_game_is_judged_by_its_board() {
    let mut game = game("3x3x3", &[0, 1]);
    game.conclude(GameResult::Resignation { winner: Mark::O });
    let (proven, moves) = review(&game);
    assert!(proven);
    assert_eq!(moves[1].after, GameValue::Lost);
}

#[test]
fn what_is_proven_later_is_known_before() {
    // The win at the end proves that the position before it was won, searched or not.
    let game = game("15x15x5", &[112, 0, 113, 1, 114, 2, 115, 3, 116]);
    let mut evaluations = vec![super::PositionEvaluation::UNKNOWN; 9];
    evaluations.push(evaluate(&positions(&game)[9], &Deadline::none()));
    let (proven, moves) = verdicts(&game, 0, &evaluations);
    assert!(!proven);
    assert_eq!((moves[8].before, moves[8].verdict), (GameValue::Won, Verdict::Best));
    assert_eq!((moves[7].after, moves[7].verdict), (GameValue::Lost, Verdict::Mistake));
    assert_eq!((moves[0].before, moves[0].verdict), (GameValue::Unclear, Verdict::Fine));
}

#[test]
fn the_marks_of_an_opening_are_not_judged() {
    // As marks of an opening X's win in one is nobody's mistake.
    let game = game("15x15x5", &[112, 0, 113, 1, 114, 2, 115, 3, 116]);
    let mut evaluations = vec![super::PositionEvaluation::UNKNOWN; 7];
    evaluations.extend(positions(&game)[7..].iter().map(|game| evaluate(game, &Deadline::none())));
    let (proven, moves) = verdicts(&game, 7, &evaluations);
    assert!(proven, "of what is judged nothing is unclear");
    let expected = (Verdict::Opening, GameValue::Unclear, GameValue::Unclear);
    assert!(moves[..7].iter().all(|m| (m.verdict, m.before, m.after) == expected));
    assert_eq!([moves[7].verdict, moves[8].verdict], [Verdict::Fine, Verdict::Best]);
}

#[test]
fn a_standing_is_told_by_mark() {
    let at = |moves: &[u16]| standing(&game("3x3x3", moves), &Deadline::none());
    assert_eq!(at(&[]), Standing::Drawn);
    assert_eq!(at(&[0, 1]), Standing::XWins);
    assert_eq!(at(&[1, 0, 5]), Standing::OWins);
    assert_eq!(at(&[0, 3, 1, 4, 2]), Standing::XWins);
}
