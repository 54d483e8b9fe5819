//! Tests of the choice itself; those of one strategy or of the search are in the modules below.

use std::time::{Duration, Instant};

use noughts_protocol::{BoardSpec, Cell, Computer, Game, Mark, Move, Strategy, Strength};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::{Deadline, choose, is_quick, judge};

mod any_board;
mod blocking;
mod engine;
mod opening;
mod strategies;
mod threats;
mod three_by_three;

/// A game after moves written as people write cells: `"e5 e6 f5"`.
fn game(board: &str, first: Mark, moves: &str) -> Game {
    let spec: BoardSpec = board.parse().unwrap();
    let cells: Vec<Cell> = moves.split_whitespace().map(|m| spec.parse_cell(m).unwrap()).collect();
    Game::replay(spec, first, false, &cells).unwrap()
}

fn play(game: &mut Game, cell: Cell) {
    game.apply(Move { ply: game.ply(), mark: game.to_move(), cell }).unwrap();
}

fn minimax(strength: Strength) -> Computer {
    Computer { strategy: Strategy::Minimax, strength }
}

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
        let cell = choose(&game, minimax(Strength::VeryStrong), &Deadline::none(), &mut rng);
        counts[cell.unwrap().index()] += 1;
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
        assert_eq!(is_quick(&large, minimax(strength)), strength <= Strength::Weak);
    }
}

#[test]
fn a_deadline_is_over_when_its_time_has_come_or_it_is_cancelled() {
    assert!(!Deadline::none().is_over());
    assert!(Deadline::at(Instant::now()).is_over());
    let far = Deadline::at(Instant::now() + Duration::from_secs(3_600));
    assert!(!far.is_over());
    drop(far.cancel_guard());
    assert!(far.is_over());
}
