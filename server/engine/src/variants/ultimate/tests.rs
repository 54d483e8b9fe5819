//! Ultimate: the search proves what a plain search of the rules finds, and takes what decides the game.

use noughts_protocol::{Computer, Game, Mark, Rules, Strategy, Strength, Variant};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

use crate::{Deadline, Outcome, candidates};

const PERFECT: Computer = Computer { strategy: Strategy::Perfect, strength: Strength::VeryStrong };

/// The outcome with best play, by the rules alone.
fn solve(game: &Game) -> Outcome {
    if let Some(result) = game.result() {
        return match result.winner() {
            Some(winner) if winner == game.to_move() => Outcome::Win,
            Some(_) => Outcome::Loss,
            None => Outcome::Draw,
        };
    }
    let after = game.legal().map(|placed| {
        let mut next = game.clone();
        next.apply(game.move_with(placed)).unwrap();
        super::opposite(solve(&next))
    });
    after.max().unwrap()
}

/// The empty cells of the boards that are not closed.
fn cells_to_play(game: &Game) -> u32 {
    let position = super::Nine::new(game).position();
    let open = super::bits(super::ALL & !position.closed);
    open.map(|board| position.empty(board).count_ones()).sum()
}

#[test]
fn the_end_of_a_game_is_proven() {
    let mut rng = StdRng::seed_from_u64(3);
    let mut proven = [0; 3];
    for round in 0..60 {
        let majority = round % 2 == 0;
        let board = "9x9x3".parse().unwrap();
        let rules = Rules { variant: Variant::Ultimate, majority, ..Rules::line(board, false) };
        let mut game = Game::new(rules, Mark::O);
        while game.result().is_none() && cells_to_play(&game) > 8 {
            let placed = game.legal().choose(&mut rng).unwrap();
            game.apply(game.move_with(placed)).unwrap();
        }
        if game.result().is_none() {
            let outcome = candidates(&game, PERFECT, &Deadline::none()).outcome;
            assert_eq!(outcome, Some(solve(&game)), "{:?}", game.moves());
            proven[outcome.unwrap() as usize] += 1;
        }
    }
    assert!(proven.iter().all(|count| *count > 0), "{proven:?}");
}
