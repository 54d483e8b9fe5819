//! The ladder of strengths: each plays the one below, which begins every second game.
//! `cargo bench -p noughts-engine --bench ladder` plays 1,000 games a pair on 3 x 3, and a few on
//! a large board; `-- --games 100 --time 1s` plays enough there for a result. With
//! `-- --variant misere` it plays that variant alone, on each board that its form offers or on one.

#[path = "shared/wall_clock.rs"]
mod wall_clock;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use clap::Parser;
use humantime::parse_duration;
use noughts_engine::{Deadline, TimeLimit, choose};
use noughts_protocol::{
    BoardSpec, Computer, Game, Mark, Placement, Rules, Strategy, Strength, Variant,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use wall_clock::deadline_in;

/// Games a pair on 3 x 3.
const SMALL_GAMES: u32 = 1_000;

/// Marks of an opening: most of the cells around the middle stay empty.
const MOST_OPENING: u16 = 6;

/// What was typed after `--`.
#[derive(Debug, Parser)]
struct Options {
    /// The large board, or the variant's; without it 15x15x5, or all that the variant offers
    #[arg(long)]
    board: Option<BoardSpec>,

    /// The variant
    #[arg(long)]
    variant: Option<Variant>,

    /// Games a pair on the large board and in a variant
    #[arg(long, default_value_t = 10)]
    games: u32,

    /// Thinking time of a move there
    #[arg(long, default_value = "50ms", value_parser = parse_duration)]
    time: Duration,

    /// The positions that a move may search there, in place of a time
    #[arg(long)]
    positions: Option<u64>,

    /// Marks at random around the middle that every two games begin with, once for each player: two searches without
    /// chance play few different games from an empty board
    #[arg(long, default_value_t = 0)]
    opening: u16,

    /// Only this strength against the one below
    #[arg(long)]
    strength: Option<Strength>,

    /// Games at once; without it one a core
    #[arg(long)]
    threads: Option<usize>,

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
    if let Some(variant) = options.variant {
        let offered = variant.boards().iter().filter_map(|board| board.parse().ok());
        let boards = options.board.map_or_else(|| offered.collect(), |board| vec![board]);
        for board in boards {
            heading(&format!("{variant} {board}, {:?} a move", options.time));
            let rules = Rules { variant, ..Rules::line(board, false) };
            ladder(Strategy::Minimax, rules, options.games, &options);
        }
        return;
    }
    heading("3x3x3");
    for strategy in [Strategy::Heuristic, Strategy::Minimax] {
        let rules = Rules::line(BoardSpec::TIC_TAC_TOE, false);
        ladder(strategy, rules, SMALL_GAMES, &options);
    }
    println!();
    let board = options.board.unwrap_or_else(|| BoardSpec::new(15, 15, 5).expect("it is a board"));
    heading(&format!("{board}, {:?} a move", options.time));
    ladder(Strategy::Minimax, Rules::line(board, true), options.games, &options);
}

fn heading(board: &str) {
    println!("{board:48}   wins  draws losses   score  at least as well");
}

/// Every strength of a strategy against the one below.
fn ladder(strategy: Strategy, rules: Rules, games: u32, options: &Options) {
    for pair in Strength::offered(rules.variant, rules.board, strategy).windows(2) {
        if options.strength.is_some_and(|only| only != pair[1]) {
            continue;
        }
        let players = [pair[1], pair[0]].map(|strength| Computer { strategy, strength });
        let [wins, draws, losses] = play_all(players, rules, games, options);
        let name = format!("{strategy} {} against {}", pair[1], pair[0]);
        let score = 100.0 * (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games.max(1));
        let as_well = if wins >= losses { "yes" } else { "NO" };
        println!("  {name:46} {wins:6} {draws:6} {losses:6} {score:5.1} %  {as_well}");
    }
}

/// How many games the first of two players wins, draws and loses; on all cores.
fn play_all(players: [Computer; 2], rules: Rules, games: u32, options: &Options) -> [u32; 3] {
    let next = AtomicU32::new(0);
    let tally = [const { AtomicU32::new(0) }; 3];
    let play = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return;
            }
            let outcome = match play_one(players, rules, number, options) {
                Some(0) => 0,
                None => 1,
                Some(_) => 2,
            };
            tally[outcome].fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..options.threads.unwrap_or(cores) {
            scope.spawn(play);
        }
    });
    tally.map(AtomicU32::into_inner)
}

/// The place of the winner among the players; `None` for a draw.
fn play_one(players: [Computer; 2], rules: Rules, number: u32, options: &Options) -> Option<usize> {
    let mut rng = StdRng::seed_from_u64(options.seed.wrapping_add(number.into()));
    let begins = number as usize % 2;
    let mut game = Game::new(rules, Mark::X);
    let mut opening = StdRng::seed_from_u64(options.seed.wrapping_add(u64::from(number / 2)));
    let width = i16::from(rules.board.width());
    let height = i16::from(rules.board.height());
    while game.ply() < options.opening.min(MOST_OPENING) {
        let mut near = |middle: i16| middle + opening.random_range(-2..=2);
        let cell = rules.board.cell_at(near(width / 2), near(height / 2));
        if let Some(cell) = cell.filter(|cell| game.board().is_empty(*cell)) {
            game.apply(game.move_with(Placement { mark: game.to_move(), cell })).ok()?;
        }
    }
    let place = |mark| if mark == Mark::X { begins } else { 1 - begins };
    while let Some(mark) = game.turn() {
        let deadline = options.positions.map_or_else(
            || deadline_in(options.time),
            |positions| Deadline::none().with_positions(Some(positions)),
        );
        let placed = choose(&game, players[place(mark)], &deadline, &mut rng)?;
        game.apply(game.move_with(placed)).ok()?;
    }
    game.result()?.winner().map(place)
}
