//! The search and its parts: sums kept up to date, proofs, published results.

use std::collections::HashMap;

use noughts_protocol::{Board, Computer, Game, GameResult, Mark, Strategy};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Outcome;
use crate::blocking::pairing;
use crate::board::{Geometry, Position, SYMMETRIES, inverse};
use crate::tests::{game, play, rules, scatter};
use crate::{Candidates, Deadline, candidates};

const PERFECT: Computer =
    Computer { strategy: Strategy::Perfect, strength: noughts_protocol::Strength::Average };

/// An unfinished game after at most `plies` random moves.
fn random_game(board: &str, plies: u32, rng: &mut StdRng) -> Game {
    let marks = rng.random_range(0..=plies);
    scatter(game(board, Mark::X, ""), marks, rng)
}

#[test]
fn taking_a_mark_back_leaves_no_trace() {
    let mut rng = StdRng::seed_from_u64(1);
    for board in ["3x4x3", "7x5x4", "15x15x5", "19x3x6"] {
        for _ in 0..20 {
            let game = random_game(board, 40, &mut rng);
            let geometry = Geometry::new(game.spec());
            let mut position = Position::new(&geometry, &game);
            let before = format!("{position:?}");
            for cell in game.board().empty_cells() {
                position.place(cell.0);
                position.take_back(cell.0);
            }
            assert_eq!(format!("{position:?}"), before);
        }
    }
}

#[test]
fn a_turned_board_has_the_same_key() {
    let mut rng = StdRng::seed_from_u64(2);
    for (board, kinds) in [("6x6x4", 8), ("7x5x4", 4)] {
        let game = random_game(board, 20, &mut rng);
        let geometry = Geometry::new(game.spec());
        let key = Position::new(&geometry, &game).key().0;
        for symmetry in 0..kinds {
            let image = |cell: u16| geometry.images(cell)[symmetry];
            let moves: Vec<_> =
                game.moves().iter().map(|c| noughts_protocol::Cell(image(c.0))).collect();
            let turned = Game::replay(rules(game.spec(), false), Mark::X, &moves, &[]).unwrap();
            assert_eq!(Position::new(&geometry, &turned).key().0, key);
        }
    }
}

#[test]
fn every_symmetry_has_its_inverse() {
    let geometry = Geometry::new("5x5x4".parse().unwrap());
    for symmetry in 0..SYMMETRIES {
        for cell in 0..25 {
            let image = geometry.images(cell)[symmetry];
            assert_eq!(geometry.images(image)[inverse(symmetry)], cell);
        }
    }
}

/// The outcome for the player to move, by trying everything.
fn solve(game: &Game, known: &mut HashMap<Board, Outcome>) -> Outcome {
    match game.result() {
        Some(GameResult::Line { .. }) => return Outcome::Loss,
        Some(_) => return Outcome::Draw,
        None => {}
    }
    if let Some(outcome) = known.get(game.board()) {
        return *outcome;
    }
    let mut best = Outcome::Loss;
    for cell in game.board().empty_cells() {
        let mut next = game.clone();
        play(&mut next, cell);
        best = best.max(match solve(&next, known) {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        });
        if best == Outcome::Win {
            break;
        }
    }
    known.insert(game.board().clone(), best);
    best
}

#[test]
fn a_proven_outcome_is_the_outcome_and_so_is_that_of_every_candidate() {
    let mut rng = StdRng::seed_from_u64(4);
    for (board, at_least) in [("4x3x3", 4), ("4x4x3", 9), ("4x4x4", 8), ("5x3x4", 6), ("3x5x5", 6)]
    {
        for _ in 0..40 {
            let game = random_game(board, 14, &mut rng);
            if game.ply() < at_least {
                continue;
            }
            let mut known = HashMap::new();
            let expected = solve(&game, &mut known);
            let found = candidates(&game, PERFECT, &Deadline::none());
            if let Some(outcome) = found.outcome {
                assert_eq!(outcome, expected, "{board} {:?}", game.moves());
            }
            for cell in found.moves {
                let mut next = game.clone();
                play(&mut next, cell);
                let kept = match expected {
                    Outcome::Win => Outcome::Loss,
                    Outcome::Draw => Outcome::Draw,
                    Outcome::Loss => Outcome::Win,
                };
                assert_eq!(solve(&next, &mut known), kept, "{board} {:?} {cell:?}", game.moves());
            }
        }
    }
}

/// Perfect proves the outcome of an empty board by looking at no more than `nodes` positions.
fn check_published(board: &str, outcome: Outcome, nodes: u64) {
    let found: Candidates = candidates(&game(board, Mark::X, ""), PERFECT, &Deadline::none());
    assert_eq!(found.outcome, Some(outcome), "{board}");
    assert!(found.nodes <= nodes, "{board}: {} positions", found.nodes);
}

#[test]
fn published_results_are_proven() {
    check_published("3x3x3", Outcome::Draw, 0);
    check_published("4x3x3", Outcome::Win, 200);
    check_published("4x4x3", Outcome::Win, 300);
    check_published("4x4x4", Outcome::Draw, 1_000);
    check_published("5x4x4", Outcome::Draw, 500);
    check_published("5x5x5", Outcome::Draw, 100);
    check_published("6x5x4", Outcome::Win, 200_000);
    check_published("6x6x6", Outcome::Draw, 200);
}

#[test]
fn draws_are_proven_by_blocking() {
    check_published("6x4x4", Outcome::Draw, 2_000);
    check_published("7x5x5", Outcome::Draw, 100);
    check_published("6x6x5", Outcome::Draw, 200);
    check_published("8x5x5", Outcome::Draw, 2_000);
}

#[test]
fn a_draw_is_played_where_the_opponent_can_still_go_wrong() {
    let moves = |strategy, moves| {
        let computer = Computer { strategy, strength: noughts_protocol::Strength::VeryStrong };
        candidates(&game("5x5x5", Mark::X, moves), computer, &Deadline::none()).moves.len()
    };
    assert_eq!(moves(Strategy::Perfect, ""), 25);
    // The middle is on four lines, every other cell on fewer.
    assert_eq!(moves(Strategy::Minimax, ""), 1);
}

#[test]
fn a_large_empty_board_is_opened_in_the_middle() {
    let opening = |board| {
        let game = game(board, Mark::X, "");
        let moves = candidates(&game, PERFECT, &Deadline::none()).moves;
        moves.iter().map(|c| game.spec().coordinates(*c)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(opening("15x15x5"), "h8");
    assert_eq!(opening("19x10x5"), "j5 j6");
}

#[test]
fn two_open_threes_are_seen_coming() {
    // X moves to h8, where an open two across and an open two down become threes.
    let game = game("15x15x5", Mark::X, "f8 a1 g8 o1 h9 a15 h10 o15");
    let found = candidates(&game, PERFECT, &Deadline::none());
    let labels: Vec<_> = found.moves.iter().map(|c| game.spec().coordinates(*c)).collect();
    assert_eq!(labels, ["h8"]);
}

#[test]
fn pairs_prove_that_nobody_can_win() {
    let holds = |board, moves, side| {
        let game = game(board, Mark::X, moves);
        let geometry = Geometry::new(game.spec());
        pairing::exists(&Position::new(&geometry, &game), side)
    };
    assert!(holds("5x5x5", "", 0));
    assert!(holds("6x6x6", "", 1));
    assert!(!holds("4x4x4", "", 0));
    assert!(!holds("15x15x5", "", 0));
    // X lacks one mark in row 1: no pair is left in it.
    assert!(!holds("5x5x5", "a1 a5 b1 b5 c1 c5 d1 d4", 0));
}
