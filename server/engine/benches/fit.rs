//! Fits the weights of the evaluation of five in a row: the computer plays itself, and a logistic regression finds
//! what each shape is worth for the result. `cargo bench -p noughts-engine --bench fit -- --games 4000` prints the
//! tables for `five/weights.rs`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;
use noughts_engine::{Deadline, choose, features};
use noughts_protocol::{BoardSpec, Cell, Computer, Game, Mark, Rules, Strategy, Strength};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The evaluation at which a side wins e of e + 1 games.
const SCALE: f64 = 400.0;
/// Passes over all positions.
const PASSES: u32 = 400;
/// Values of a feature for the side to move and for the other one.
const SIDES: usize = 2;

/// The options after `--`.
#[derive(Debug, Parser)]
struct Options {
    /// Games that the computer plays against itself
    #[arg(long, default_value_t = 1_000)]
    games: u64,

    /// Positions that it looks at for a move
    #[arg(long, default_value_t = 2_000)]
    positions: u64,

    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Given by cargo
    #[arg(long)]
    bench: bool,
}

/// A position: what the evaluation counts, and the result for the side to move, 0 to 1.
struct Sample {
    features: Vec<f64>,
    result: f64,
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
    if !samples.is_empty() {
        print_weights(&fit(&samples));
    }
}

/// The quiet positions of one game after a random opening.
fn play(options: &Options, number: u64) -> Vec<Sample> {
    let mut rng = StdRng::seed_from_u64(options.seed << 32 | number);
    let spec = BoardSpec::new(15, 15, 5).expect("it is a board");
    let mut game = Game::new(Rules::line(spec, true), Mark::X);
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };
    let column = rng.random_range(2..13);
    let row = rng.random_range(2..13);
    for _ in 0..rng.random_range(1..7) {
        let cell = spec.cell_at(column + rng.random_range(-3..4), row + rng.random_range(-3..4));
        if let Some(cell) = cell.filter(|cell: &Cell| game.board().is_empty(*cell)) {
            let placed = noughts_protocol::Placement { mark: game.to_move(), cell };
            let _ = game.apply(game.move_with(placed));
        }
    }
    let mut positions = Vec::new();
    while let Some(mark) = game.turn() {
        if let Some(features) = features(&game) {
            positions.push((mark, features));
        }
        let deadline = Deadline::none().with_positions(Some(options.positions));
        let Some(placed) = choose(&game, computer, &deadline, &mut rng) else { break };
        if game.apply(game.move_with(placed)).is_err() {
            break;
        }
    }
    let winner = game.result().and_then(|result| result.winner());
    let sample = |(mark, features): (Mark, Vec<i32>)| Sample {
        features: features.into_iter().map(f64::from).collect(),
        result: winner.map_or(0.5, |winner| if winner == mark { 1.0 } else { 0.0 }),
    };
    positions.into_iter().map(sample).collect()
}

/// The weights, and the value of the move itself at the end: gradient descent with the steps of Adam (Kingma and
/// Ba, 2015).
fn fit(samples: &[Sample]) -> Vec<f64> {
    let count = samples[0].features.len();
    let mut weights = vec![0.0; count + 1];
    let mut mean = vec![0.0; count + 1];
    let mut square = vec![0.0; count + 1];
    for pass in 1..=PASSES {
        let mut slope = vec![0.0; count + 1];
        let mut loss = 0.0;
        for sample in samples {
            let dot = sample.features.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
            let expected = 1.0 / (1.0 + (-(dot + weights[count]) / SCALE).exp());
            let error = expected - sample.result;
            loss += error * error;
            for (slope, x) in slope.iter_mut().zip(sample.features.iter().chain([&1.0])) {
                *slope += error * x;
            }
        }
        if pass % 50 == 0 {
            println!("pass {pass}: mean square error {:.5}", loss / samples.len() as f64);
        }
        for at in 0..=count {
            let slope = 1e-5_f64.mul_add(weights[at], slope[at] / samples.len() as f64);
            mean[at] += 0.1 * (slope - mean[at]);
            square[at] += 0.001 * slope.mul_add(slope, -square[at]);
            let corrected = mean[at] / (1.0 - 0.9_f64.powi(pass as i32));
            let spread = (square[at] / (1.0 - 0.999_f64.powi(pass as i32))).sqrt();
            weights[at] -= 4.0 * corrected / (spread + 1e-8);
        }
    }
    weights
}

fn print_weights(weights: &[f64]) {
    let half = (weights.len() - 1) / SIDES;
    for at in 0..half {
        println!("[{:.0}, {:.0}],", weights[at], -weights[half + at]);
    }
    println!("to move: {:.0}", weights[2 * half]);
}
