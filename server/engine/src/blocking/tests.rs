//! The proof that a side cannot win because the other blocks, against trying everything.

use std::collections::HashMap;

use noughts_protocol::BoardSpec;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::BlockingSearch;
use crate::Deadline;
use crate::board::Geometry;
use crate::deadline::Budget;

fn breaker_wins(board: &str, maker: u64, breaker: u64, makers_turn: bool) -> bool {
    let geometry = Geometry::new(board.parse().unwrap());
    let deadline = Deadline::none();
    let mut budget = Budget::moves(1_000_000, &deadline);
    let mut search = BlockingSearch::new(&geometry).unwrap();
    search.breaker_wins(maker, breaker, makers_turn, &mut budget).unwrap()
}

/// Lines as sets of cells, and whether the breaker holds them: by trying everything.
struct Everything {
    lines: Vec<u64>,
    cells: usize,
    known: HashMap<(u64, u64, bool), bool>,
}

impl Everything {
    fn new(board: &str) -> Self {
        let geometry = Geometry::new(board.parse().unwrap());
        let line = |l| geometry.cells_of(l as u16).iter().fold(0, |set, cell| set | 1 << cell);
        let lines = (0..geometry.lines()).map(line).collect();
        Self { lines, cells: geometry.cells, known: HashMap::new() }
    }

    fn full(&self, maker: u64) -> bool {
        self.lines.iter().any(|line| line & !maker == 0)
    }

    fn holds(&mut self, maker: u64, breaker: u64, makers_turn: bool) -> bool {
        if self.full(maker) {
            return false;
        }
        if let Some(holds) = self.known.get(&(maker, breaker, makers_turn)) {
            return *holds;
        }
        let free: Vec<u64> =
            (0..self.cells).map(|c| 1 << c).filter(|c| (maker | breaker) & c == 0).collect();
        let holds = if makers_turn {
            free.iter().all(|cell| self.holds(maker | cell, breaker, false))
        } else {
            free.iter().any(|cell| self.holds(maker, breaker | cell, true))
        };
        // A full board is held: nobody can move.
        let holds = holds || free.is_empty();
        self.known.insert((maker, breaker, makers_turn), holds);
        holds
    }
}

/// Random positions with at most `free` cells left are held or not as trying everything says.
fn check(board: &str, free: usize, rng: &mut StdRng) {
    let mut everything = Everything::new(board);
    let mut counts = [0; 2];
    for _ in 0..200 {
        let mut cells: Vec<u64> = (0..everything.cells).map(|cell| 1 << cell).collect();
        cells.shuffle(rng);
        let left = rng.random_range(4.min(free)..=free);
        let taken = &cells[..everything.cells - left];
        let (makers, breakers) = taken.split_at(rng.random_range(0..=taken.len()));
        let set = |cells: &[u64]| cells.iter().fold(0, |set, cell| set | cell);
        let maker = set(makers);
        let breaker = set(breakers);
        if everything.full(maker) {
            continue;
        }
        for makers_turn in [false, true] {
            let expected = everything.holds(maker, breaker, makers_turn);
            let found = breaker_wins(board, maker, breaker, makers_turn);
            assert_eq!(found, expected, "{board} {maker:b} {breaker:b} {makers_turn}");
            counts[usize::from(found)] += 1;
        }
    }
    assert!(counts[0] > 10 && counts[1] > 10, "{board}: {counts:?}");
}

#[test]
fn what_is_held_is_what_trying_everything_says() {
    let mut rng = StdRng::seed_from_u64(11);
    let boards =
        [("3x3x3", 9), ("4x3x3", 10), ("4x4x3", 9), ("4x4x4", 10), ("5x4x4", 10), ("7x3x3", 9)];
    for (board, free) in boards {
        check(board, free, &mut rng);
    }
    for (board, free) in [("6x4x4", 9), ("5x5x4", 9), ("5x5x5", 10), ("8x8x5", 9)] {
        check(board, free, &mut rng);
    }
}

#[test]
fn nothing_is_held_that_can_be_won() {
    for board in ["4x3x3", "4x4x3", "6x5x4", "7x5x4", "6x6x4"] {
        assert!(!breaker_wins(board, 0, 0, true), "{board}");
    }
}

#[test]
fn a_board_that_is_too_large_is_not_tried() {
    for (board, tried) in [("8x8x5", true), ("19x3x3", true), ("9x8x5", false), ("15x15x5", false)]
    {
        let spec: BoardSpec = board.parse().unwrap();
        assert_eq!(BlockingSearch::new(&Geometry::new(spec)).is_some(), tried, "{board}");
    }
}
