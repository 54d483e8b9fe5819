//! The ladder of strengths: each plays the one below, which begins every second game.
//! `cargo bench -p noughts-engine --bench ladder` plays 1,000 games a pair on 3 x 3, and a few on
//! a large board; `-- --games 100 --time 1s` plays enough there for a result.

#[path = "shared/wall_clock.rs"]
mod wall_clock;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use clap::Parser;
use humantime::parse_duration;
use noughts_engine::choose;
use noughts_protocol::{BoardSpec, Computer, Game, Mark, Rules, Strategy, Strength};
use rand::SeedableRng;
use rand::rngs::StdRng;
use wall_clock::deadline_in;

/// Games a pair on 3 x 3.
const SMALL_GAMES: u32 = 1_000;

/// What was typed after `--`.
#[derive(Debug, Parser)]
struct Options {
    /// The large board
    #[arg(long, default_value = "15x15x5")]
    board: BoardSpec,

    /// Games a pair on the large board
    #[arg(long, default_value_t = 10)]
    games: u32,

    /// Thinking time of a move there
    #[arg(long, default_value = "50ms", value_parser = parse_duration)]
    time: Duration,

    /// Seed of the random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Given by cargo
    #[arg(long)]
    bench: bool,
}

fn main() {
    // `cargo test` starts benchmarks too, to see that they start.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let options = Options::parse();
    heading("3x3x3");
    for strategy in [Strategy::Heuristic, Strategy::Minimax] {
        ladder(strategy, BoardSpec::TIC_TAC_TOE, SMALL_GAMES, &options);
    }
    println!();
    heading(&format!("{}, {:?} a move", options.board, options.time));
    ladder(Strategy::Minimax, options.board, options.games, &options);
}

fn heading(board: &str) {
    println!("{board:48}   wins  draws losses   score  at least as well");
}

/// Every strength of a strategy against the one below.
fn ladder(strategy: Strategy, board: BoardSpec, games: u32, options: &Options) {
    for pair in Strength::ALL.windows(2) {
        let players = [pair[1], pair[0]].map(|strength| Computer { strategy, strength });
        let [wins, draws, losses] = play_all(players, board, games, options);
        let name = format!("{strategy} {} against {}", pair[1], pair[0]);
        let score = 100.0 * (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games.max(1));
        let as_well = if wins >= losses { "yes" } else { "NO" };
        println!("  {name:46} {wins:6} {draws:6} {losses:6} {score:5.1} %  {as_well}");
    }
}

/// How many games the first of two players wins, draws and loses; on all cores.
fn play_all(players: [Computer; 2], board: BoardSpec, games: u32, options: &Options) -> [u32; 3] {
    let next = AtomicU32::new(0);
    let tally = [const { AtomicU32::new(0) }; 3];
    let play = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return;
            }
            let outcome = match play_one(players, board, number, options) {
                Some(0) => 0,
                None => 1,
                Some(_) => 2,
            };
            tally[outcome].fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(play);
        }
    });
    tally.map(AtomicU32::into_inner)
}

/// The place of the winner among the players; `None` for a draw.
fn play_one(
    players: [Computer; 2],
    board: BoardSpec,
    number: u32,
    options: &Options,
) -> Option<usize> {
    let mut rng = StdRng::seed_from_u64(options.seed.wrapping_add(number.into()));
    let begins = number as usize % 2;
    let early_draw = board != BoardSpec::TIC_TAC_TOE;
    let mut game = Game::new(Rules::line(board, early_draw), Mark::X);
    let place = |mark| if mark == Mark::X { begins } else { 1 - begins };
    while let Some(mark) = game.turn() {
        let deadline = deadline_in(options.time);
        let placed = choose(&game, players[place(mark)], &deadline, &mut rng)?;
        game.apply(game.move_with(placed)).ok()?;
    }
    game.result()?.winner().map(place)
}
