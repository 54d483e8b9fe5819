//! Fits the weights of the evaluation of five in a row: the computer plays itself, and a logistic regression finds
//! what the shapes and threats are worth, both for the result of a game and for what the search said of a position.
//! `cargo bench -p noughts-engine --bench fit -- --games 30000 --out src/five/weights.bin` takes an hour
//! on two cores.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;
use noughts_engine::{Candidates, Deadline, Outcome, WEIGHTS, candidates, features};
use noughts_protocol::{
    BoardSpec, Cell, Computer, Game, Mark, Placement, Rules, Strategy, Strength,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The evaluation at which a side wins e of e + 1 games.
const SCALE: f64 = 400.0;
/// Passes over all positions.
const PASSES: u32 = 400;
/// The longest step of a weight in a pass, and how much a weight falls without a reason.
const STEP: f64 = 4.0;
const DECAY: f64 = 1e-8;
/// The part of the result in what a position should say. The score of the search has the rest.
const RESULT_PART: f64 = 0.3;
/// An opening of random marks is played if the search says no more of it than this.
const BALANCED: i32 = 250;

/// The options after `--`.
#[derive(Debug, Parser)]
struct Options {
    /// Games that the computer plays against itself
    #[arg(long, default_value_t = 1_000)]
    games: u64,

    /// Positions that it looks at for a move
    #[arg(long, default_value_t = 1_500)]
    positions: u64,

    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// File for the weights
    #[arg(long)]
    out: PathBuf,

    /// Given by cargo
    #[arg(long)]
    bench: bool,
}

/// A position: how often the evaluation adds each weight, and what it should say, 0 to 1 for the side to move.
struct Sample {
    features: Vec<(u16, i16)>,
    expected: f64,
}

fn main() {
    // `cargo test` starts benchmarks too, to see that they start.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let options = Options::parse();
    let next = AtomicU64::new(0);
    let samples = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.games {
                        return;
                    }
                    let played = play(&options, number);
                    samples.lock().expect("no thread has panicked").extend(played);
                }
            });
        }
    });
    let samples = samples.into_inner().expect("no thread has panicked");
    println!("{} positions of {} games", samples.len(), options.games);
    let bytes: Vec<u8> = fit(&samples)
        .into_iter()
        .flat_map(|weight| (weight.round() as i16).to_le_bytes())
        .collect();
    std::fs::write(&options.out, bytes).expect("the weights can be written");
}

/// Searches so many positions.
fn search(game: &Game, positions: u64) -> Candidates {
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };
    candidates(game, computer, &Deadline::none().with_positions(Some(positions)))
}

/// A random opening that is about even.
fn opening(rng: &mut StdRng) -> Game {
    let spec = BoardSpec::new(15, 15, 5).expect("it is a board");
    loop {
        let mut game = Game::new(Rules::line(spec, true), Mark::X);
        let column = rng.random_range(2..13);
        let row = rng.random_range(2..13);
        for _ in 0..rng.random_range(2..9) {
            let cell =
                spec.cell_at(column + rng.random_range(-3..4), row + rng.random_range(-3..4));
            if let Some(cell) = cell.filter(|cell: &Cell| game.board().is_empty(*cell)) {
                let _ = game.apply(game.move_with(Placement { mark: game.to_move(), cell }));
            }
        }
        if game.turn().is_some() {
            let found = search(&game, 1_000);
            let is_even = found.evaluation.is_none_or(|score| score.abs() < BALANCED);
            if found.outcome.is_none() && is_even {
                return game;
            }
        }
    }
}

/// The positions of one game that a search evaluates.
fn play(options: &Options, number: u64) -> Vec<Sample> {
    let mut rng = StdRng::seed_from_u64(options.seed << 32 | number);
    let mut game = opening(&mut rng);
    let mut positions = Vec::new();
    while let Some(mark) = game.turn() {
        let found = search(&game, options.positions * rng.random_range(50..151) / 100);
        let said = match found.outcome {
            Some(Outcome::Win) => Some(1.0),
            Some(Outcome::Draw) => Some(0.5),
            Some(Outcome::Loss) => Some(0.0),
            None => found.evaluation.map(|score| chance(score.into())),
        };
        if let (Some(features), Some(said)) = (features(&game), said) {
            positions.push((mark, features, said));
        }
        let cell = found.moves[0];
        if game.apply(game.move_with(Placement { mark, cell })).is_err() {
            break;
        }
    }
    let winner = game.result().and_then(|result| result.winner());
    let sample = |(mark, features, said): (Mark, BTreeMap<usize, i32>, f64)| {
        let result = winner.map_or(0.5, |winner| if winner == mark { 1.0 } else { 0.0 });
        Sample {
            features: features.iter().map(|(at, count)| (*at as u16, *count as i16)).collect(),
            expected: RESULT_PART.mul_add(result - said, said),
        }
    };
    positions.into_iter().map(sample).collect()
}

/// The part of the games that a side wins whose evaluation is this.
fn chance(evaluation: f64) -> f64 {
    1.0 / (1.0 + (-evaluation / SCALE).exp())
}

/// The weights: gradient descent with the steps of Adam (Kingma and Ba, 2015).
fn fit(samples: &[Sample]) -> Vec<f64> {
    let mut weights = vec![0.0; WEIGHTS];
    let mut mean = vec![0.0; WEIGHTS];
    let mut square = vec![0.0; WEIGHTS];
    for pass in 1..=PASSES {
        let mut slope = vec![0.0; WEIGHTS];
        let mut loss = 0.0;
        for Sample { features, expected } in samples {
            let each =
                features.iter().map(|(at, count)| weights[usize::from(*at)] * f64::from(*count));
            let error = chance(each.sum()) - expected;
            loss += error * error;
            for (at, count) in features {
                slope[usize::from(*at)] += error * f64::from(*count);
            }
        }
        if pass % 50 == 0 {
            println!("pass {pass}: mean square error {:.5}", loss / samples.len() as f64);
        }
        for at in 0..WEIGHTS {
            let slope = DECAY.mul_add(weights[at], slope[at] / samples.len() as f64);
            mean[at] += 0.1 * (slope - mean[at]);
            square[at] += 0.001 * slope.mul_add(slope, -square[at]);
            let corrected = mean[at] / (1.0 - 0.9_f64.powi(pass as i32));
            let spread = (square[at] / (1.0 - 0.999_f64.powi(pass as i32))).sqrt();
            weights[at] -= STEP * corrected / (spread + 1e-8);
        }
    }
    weights
}
