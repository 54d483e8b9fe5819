//! Proofs of the kept puzzles: all by the rules of the game, a sample by all moves and answers.

use noughts_protocol::{Date, Game, Placement, Rules};

use super::*;

/// Days that are looked at: a quarter of a year.
const DAYS: usize = 91;

/// Puzzles between two that are proved by all moves. The bench `puzzles` proves every one.
const BETWEEN: usize = 400;

fn all() -> impl Iterator<Item = Puzzle> {
    pieces(KEPT).map(|bytes| Puzzle::read(bytes).unwrap())
}

#[test]
fn every_kept_puzzle_is_a_game_that_x_wins_with_its_last_move() {
    let puzzles: Vec<Puzzle> = all().collect();
    assert_eq!(puzzles.len(), counts(KEPT).sum::<usize>());
    assert_eq!(puzzles.len(), 20_000);
    for puzzle in puzzles {
        let mut game =
            Game::standing(Rules::line(puzzle.board.spec(), true), puzzle.board.clone(), Mark::X);
        let count = |mark| {
            puzzle.board.spec().all_cells().filter(|at| puzzle.board.get(*at) == Some(mark)).count()
        };
        assert_eq!(count(Mark::X), count(Mark::O), "{puzzle:?}");
        let last = puzzle.last();
        assert!(!last.is_empty(), "{puzzle:?}");
        for cell in puzzle.line.iter().chain(&last[..1]) {
            assert_eq!(game.result(), None, "{puzzle:?}");
            let placed = Placement { mark: game.to_move(), cell: *cell };
            game.apply(game.move_with(placed)).unwrap();
        }
        assert_eq!(game.result().and_then(|result| result.winner()), Some(Mark::X), "{puzzle:?}");
    }
}

#[test]
fn a_sample_of_the_kept_puzzles_is_proved_again() {
    for puzzle in all().step_by(BETWEEN) {
        assert!(puzzle.is_proved(), "{puzzle:?}");
        let mut other = puzzle.clone();
        other.line.swap(0, 1);
        assert!(!other.is_proved(), "{other:?}");
    }
}

#[test]
fn a_week_gets_harder_and_no_day_of_a_quarter_has_the_puzzle_of_another() {
    let mut date: Date = "2026-11-23".parse().unwrap();
    assert_eq!(Puzzle::of_day(Date::FIRST_PUZZLE.beside(false)), None);
    let mut seen = std::collections::HashSet::new();
    for day in 0..DAYS {
        let puzzle = Puzzle::of_day(date).unwrap();
        assert!(seen.insert((puzzle.x.clone(), puzzle.o.clone(), puzzle.board)), "{date}");
        if day % 7 == 0 {
            assert_eq!(puzzle.answers.len(), 2, "a Monday is easy: {date}");
        }
        if day % 7 == 6 {
            assert!(puzzle.answers.len() >= 4, "a Sunday is hard: {date}");
        }
        date = date.beside(true);
    }
}
