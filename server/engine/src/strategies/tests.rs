//! The choice itself, and the strategies beside minimax: their worked examples, their rules, and
//! that they never lose.

use std::collections::HashMap;

use noughts_protocol::{
    Board, BoardSpec, Cell, Computer, Game, GameResult, Mark, Strategy, Strength,
};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::tic_tac_toe::tests::{never_loses, unfinished};
use crate::tests::{game, minimax, play, rules};
use crate::{Deadline, candidates, choose, is_quick};

#[test]
fn nothing_is_chosen_when_the_game_is_over() {
    let game = game("3x3x3", Mark::X, "1 4 2 5 3");
    for strength in Strength::ALL {
        let mut rng = StdRng::seed_from_u64(1);
        assert_eq!(choose(&game, minimax(strength), &Deadline::none(), &mut rng), None);
    }
}

#[test]
fn every_cell_of_the_best_is_chosen_equally_often() {
    let game = game("3x3x3", Mark::X, "5");
    let mut counts = [0_i32; 9];
    let mut rng = StdRng::seed_from_u64(7);
    for _ in 0..4_000 {
        let placed = choose(&game, minimax(Strength::VeryStrong), &Deadline::none(), &mut rng);
        counts[placed.unwrap().cell.index()] += 1;
    }
    // Four corners draw, the sides lose; 1,000 each, and six standard deviations are 165.
    for (cell, count) in counts.into_iter().enumerate() {
        let expected = if [0, 2, 6, 8].contains(&cell) { 1_000 } else { 0 };
        assert!((count - expected).abs() < 165, "cell {cell} was chosen {count} times");
    }
}

#[test]
fn a_choice_on_three_by_three_or_without_a_search_is_quick() {
    for strength in Strength::ALL {
        assert!(is_quick(&game("3x3x3", Mark::X, ""), minimax(strength)));
        let large = game("15x15x5", Mark::X, "");
        assert_eq!(is_quick(&large, minimax(strength)), strength.named() <= Strength::Weak);
    }
}

fn heuristic(strength: Strength) -> Computer {
    Computer { strategy: Strategy::Heuristic, strength }
}

fn of(strategy: Strategy) -> Computer {
    Computer { strategy, strength: Strength::default() }
}

/// The scores of the empty cells, row by row.
fn scores(game: &Game, computer: Computer) -> Vec<i32> {
    candidates(game, computer, &Deadline::none()).scores.unwrap().iter().map(|s| s.1).collect()
}

fn moves(game: &Game, computer: Computer) -> Vec<Cell> {
    candidates(game, computer, &Deadline::none()).moves
}

#[test]
fn heuristic_falls_for_the_corner_trap() {
    // O . . / . X . / . . O, X to move.
    let game = game("3x3x3", Mark::O, "1 5 9");
    let found = candidates(&game, heuristic(Strength::VeryStrong), &Deadline::none());
    assert_eq!(found.moves, [Cell(2), Cell(6)]);
    let expected = [(1, 3), (2, 4), (3, 3), (5, 3), (6, 4), (7, 3)];
    assert_eq!(found.scores.unwrap(), expected.map(|(cell, score)| (Cell(cell), score)));
}

#[test]
fn heuristic_thresholds_hide_what_a_strength_does_not_see() {
    // X X . / O O . / . . ., X to move: a win at 3, a block at 6.
    let game = game("3x3x3", Mark::X, "1 4 2 5");
    let seen = |strength| scores(&game, heuristic(strength));
    assert_eq!(seen(Strength::VeryWeak), [0; 5]);
    assert_eq!(seen(Strength::Weak), [22, 0, 0, 0, 0]);
    assert_eq!(seen(Strength::Average), [22, 11, 0, 0, 0]);
    assert_eq!(seen(Strength::Strong), [22, 11, 0, 0, 0]);
    assert_eq!(seen(Strength::VeryStrong), [22, 11, 2, 1, 2]);
}

#[test]
fn heuristic_reads_its_table_for_longer_lines() {
    // Row 1 lacks one X, column 4 has one O and three empty cells.
    let game = game("4x4x4", Mark::X, "a1 d4 b1 d3 c1 d2");
    let scores = scores(&game, heuristic(Strength::VeryStrong));
    // d1: 20 for the row, 10 for the column, 1 for the empty diagonal.
    assert_eq!(scores[0], 31);
}

/// The plain solution of the game: 10, 0 or -10 for the player to move.
fn solve(game: &Game, known: &mut HashMap<Board, i32>) -> i32 {
    match game.result() {
        Some(GameResult::Line { .. }) => return -10,
        Some(_) => return 0,
        None => {}
    }
    if let Some(value) = known.get(game.board()) {
        return *value;
    }
    let cells = game.board().empty_cells();
    let value = cells.map(|cell| -solve(&after(game, cell), known)).max().unwrap();
    known.insert(game.board().clone(), value);
    value
}

fn after(game: &Game, cell: Cell) -> Game {
    let mut next = game.clone();
    play(&mut next, cell);
    next
}

#[test]
fn perfect_knows_the_outcome_of_every_move_of_every_position() {
    for first in Mark::BOTH {
        let mut known = HashMap::new();
        for game in unfinished(first, false) {
            let expected: Vec<i32> =
                game.board().empty_cells().map(|c| -solve(&after(&game, c), &mut known)).collect();
            assert_eq!(scores(&game, of(Strategy::Perfect)), expected, "{:?}", game.moves());
        }
    }
}

#[test]
fn perfect_and_rules_never_lose() {
    for strategy in [Strategy::Perfect, Strategy::Rules] {
        for first in Mark::BOTH {
            for computer in Mark::BOTH {
                let empty = Game::new(rules(BoardSpec::TIC_TAC_TOE, false), first);
                never_loses(&empty, computer, of(strategy));
            }
        }
    }
}

#[test]
fn rules_open_as_people_do() {
    let moves = |board, played| moves(&game(board, Mark::X, played), of(Strategy::Rules));
    assert_eq!(moves("3x3x3", ""), [0, 2, 6, 8].map(Cell));
    assert_eq!(moves("3x3x3", "1"), [Cell(4)]);
    assert_eq!(moves("3x3x3", "5"), [0, 2, 6, 8].map(Cell));
    assert_eq!(moves("4x3x3", "a1"), [Cell(5), Cell(6)]);
    assert_eq!(moves("4x4x4", "b2"), [6, 9, 10].map(Cell));
}

#[test]
fn rules_prefer_a_win_to_a_block() {
    let moves = |played| moves(&game("3x3x3", Mark::X, played), of(Strategy::Rules));
    assert_eq!(moves("4 1 5 2"), [Cell(5)]);
    assert_eq!(moves("4 1 9 2"), [Cell(2)]);
}

#[test]
fn rules_have_no_scores() {
    let found =
        candidates(&game("3x3x3", Mark::X, "1 5 9"), of(Strategy::Rules), &Deadline::none());
    assert_eq!(found.scores, None);
    assert_eq!(found.moves, [1, 3, 5, 7].map(Cell));
}

#[test]
fn only_a_search_is_not_quick() {
    let game = game("15x15x5", Mark::X, "");
    let quick = Strategy::ALL.map(|strategy| is_quick(&game, of(strategy)));
    assert_eq!(quick, [false, true, false, false]);
}
