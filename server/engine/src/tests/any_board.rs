//! Boards that are searched: always a legal cell, always in time, never a missed win or block.

use std::time::{Duration, Instant};

use noughts_protocol::{Board, BoardSpec, Game, Mark, Strength};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::{deadline_in, game, minimax, play, rules};
use crate::{Deadline, candidates, choose};

/// Every strength but the one that sees nothing.
const SEEING: [Strength; 4] =
    [Strength::Weak, Strength::Average, Strength::Strong, Strength::VeryStrong];

fn soon() -> Deadline {
    deadline_in(Duration::from_millis(30))
}

/// Every strength but the weakest plays one of `expected`.
fn check(board: &str, moves: &str, expected: &str) {
    let game = game(board, Mark::X, moves);
    for strength in SEEING {
        let moves = candidates(&game, minimax(strength), &soon()).moves;
        let labels: Vec<_> = moves.iter().map(|cell| game.spec().coordinates(*cell)).collect();
        assert!(!labels.is_empty());
        for label in &labels {
            assert!(expected.split(' ').any(|e| e == label), "{strength}: {labels:?}");
        }
    }
}

#[test]
fn a_win_is_taken_before_a_block_is_made() {
    check("15x15x5", "a1 o1 b1 o2 c1 o3 d1 o4", "e1");
    check("4x4x4", "a1 b1 a2 b2 a3 b3", "a4");
}

#[test]
fn a_run_of_four_is_blocked() {
    check("19x19x5", "j9 a1 j10 c1 j11 e1 j12", "j8 j13");
    check("6x5x4", "a1 a2 c4 b2 f5 c2", "d2");
}

#[test]
fn any_marks_on_the_board_of_a_tournament_are_played_on() {
    let spec = BoardSpec::for_programs(20, 20, 5).unwrap();
    let mut board = Board::empty(spec);
    for (mark, labels) in [(Mark::X, "t20 t19 t18"), (Mark::O, "a1 c1 e3 g9 t17 k1 k2 k3 k4")] {
        for label in labels.split(' ') {
            board.set(spec.parse_cell(label).unwrap(), Some(mark));
        }
    }
    let game = Game::standing(rules(spec, false), board, Mark::X);
    for strength in SEEING {
        let moves = candidates(&game, minimax(strength), &soon()).moves;
        assert_eq!(moves, [spec.parse_cell("k5").unwrap()], "{strength}");
    }
}

#[test]
fn an_open_three_is_stopped() {
    let game = game("15x15x5", Mark::X, "h8 a1 h9 o1 h10");
    for strength in [Strength::Strong, Strength::VeryStrong] {
        for cell in candidates(&game, minimax(strength), &soon()).moves {
            let label = game.spec().coordinates(cell);
            assert!(["h6", "h7", "h11", "h12"].contains(&&*label), "{strength}: {label}");
        }
    }
}

#[test]
fn every_board_is_played_to_its_end() {
    let boards = ["3x4x3", "4x4x3", "5x4x4", "6x6x6", "3x19x19", "7x7x5", "19x19x3"];
    for board in boards {
        for strength in Strength::NAMED {
            let spec: BoardSpec = board.parse().unwrap();
            let mut game = Game::new(rules(spec, true), Mark::O);
            let mut rng = StdRng::seed_from_u64(3);
            while game.result().is_none() {
                let deadline = deadline_in(Duration::from_millis(2));
                let cell = choose(&game, minimax(strength), &deadline, &mut rng).unwrap().cell;
                play(&mut game, cell);
            }
        }
    }
}

#[test]
fn a_deadline_that_is_over_still_gives_a_legal_cell() {
    let game = game("19x19x5", Mark::X, "j9 a1 j10");
    let mut rng = StdRng::seed_from_u64(5);
    for strength in Strength::ALL {
        let cell = choose(&game, minimax(strength), &deadline_in(Duration::ZERO), &mut rng);
        assert!(game.board().is_empty(cell.unwrap().cell));
        let cancelled = Deadline::none();
        drop(cancelled.cancel_guard());
        let cell = choose(&game, minimax(strength), &cancelled, &mut rng);
        assert!(game.board().is_empty(cell.unwrap().cell));
    }
}

#[test]
fn a_deadline_is_kept() {
    let game = game("15x15x5", Mark::X, "h8 h9 i9");
    let start = Instant::now();
    let deadline = deadline_in(Duration::from_millis(100));
    let _ = candidates(&game, minimax(Strength::VeryStrong), &deadline);
    let took = start.elapsed();
    // The margin is for a busy machine; a node is microseconds.
    assert!(took < Duration::from_millis(600), "took {took:?}");
}

#[test]
fn a_cancelled_search_returns_at_once() {
    let game = game("15x15x5", Mark::X, "h8 h9 i9");
    let deadline = deadline_in(Duration::from_secs(600));
    let guard = deadline.cancel_guard();
    let search =
        std::thread::spawn(move || candidates(&game, minimax(Strength::VeryStrong), &deadline));
    drop(guard);
    assert!(!search.join().unwrap().moves.is_empty());
}

/// Games of ten that the stronger of two wins, taking turns to begin.
fn wins(board: &str, stronger: Strength, weaker: Strength) -> u32 {
    let mut rng = StdRng::seed_from_u64(8);
    let mut wins = 0;
    for own in Mark::BOTH.into_iter().cycle().take(10) {
        let mut game = Game::new(rules(board.parse().unwrap(), true), Mark::X);
        while let Some(turn) = game.turn() {
            let strength = if turn == own { stronger } else { weaker };
            let cell = choose(&game, minimax(strength), &Deadline::none(), &mut rng).unwrap().cell;
            play(&mut game, cell);
        }
        wins += u32::from(game.result().and_then(|result| result.winner()) == Some(own));
    }
    wins
}

#[test]
fn strengths_mean_something_on_a_large_board() {
    // The two above search for too long for a test that is not optimised.
    let pairs = [(Strength::Weak, Strength::VeryWeak), (Strength::Average, Strength::Weak)];
    for (stronger, weaker) in pairs {
        let wins = wins("11x11x5", stronger, weaker);
        assert!(wins >= 8, "{stronger} won {wins} of 10 against {weaker}");
    }
}
