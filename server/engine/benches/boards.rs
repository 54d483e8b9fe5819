//! Boards for games between equals: each computer plays itself, and the drawn games, the wins of the
//! side that begins, and the length of the games are counted.
//! `cargo bench -p noughts-engine --bench boards` plays 200 games on each board.

#[path = "shared/wall_clock.rs"]
mod wall_clock;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use clap::Parser;
use humantime::parse_duration;
use noughts_engine::opening::{Action, decide};
use noughts_protocol::{
    BoardSpec, Computer, Game, Mark, Move, NumberedGame, OpeningPhase, Rules, Strategy, Strength,
    Variant,
};
use rand::SeedableRng;
use rand::rngs::StdRng;
use wall_clock::deadline_in;

/// The boards that are measured if none is named.
const BOARDS: [&str; 13] = [
    "3x3x3", "4x4x4", "5x5x4", "6x6x4", "7x7x4", "7x7x5", "8x8x5", "9x9x5", "10x10x5", "11x11x5",
    "12x12x5", "13x13x5", "15x15x5",
];

/// The computers that play themselves. The weak ones play as people do who do not know the game; the
/// strong one thinks as long as it may.
const PLAYERS: [Computer; 4] = [
    Computer { strategy: Strategy::Minimax, strength: Strength::Weak },
    Computer { strategy: Strategy::Minimax, strength: Strength::Average },
    Computer { strategy: Strategy::Minimax, strength: Strength::Strong },
    Computer { strategy: Strategy::Heuristic, strength: Strength::Weak },
];

/// The strong computer plays one game of so many.
const STRONG_GAMES: u32 = 5;

/// How long a person takes for a move, in seconds.
const SECONDS_A_MOVE: f64 = 5.0;

/// The text that was typed after `--`.
#[derive(Debug, Parser)]
struct Options {
    /// The boards [default: 3 x 3 to 15 x 15, from 13 x 13 with swap2 too]
    #[arg(long)]
    board: Vec<BoardSpec>,

    /// Games of each computer on each board; the strong one plays a fifth of them
    #[arg(long, default_value_t = 200)]
    games: u32,

    /// Thinking time of a move
    #[arg(long, default_value = "20ms", value_parser = parse_duration)]
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
    let mut options = Options::parse();
    if options.board.is_empty() {
        options.board = BOARDS.iter().filter_map(|board| board.parse().ok()).collect();
    }
    print!("| board |");
    for player in PLAYERS {
        print!(" {player} |");
    }
    println!(" minutes |\n| --- |{} --- |", " --- |".repeat(PLAYERS.len()));
    for board in &options.board {
        measure(*board, false, &options);
        if board.admits_swap2() {
            measure(*board, true, &options);
        }
    }
}

/// Prints one row: what is drawn, what the side that begins scores, how many moves a game has.
fn measure(board: BoardSpec, swap2: bool, options: &Options) {
    print!("| {board}{} |", if swap2 { ", swap2" } else { "" });
    let mut minutes: Vec<f64> = Vec::new();
    for player in PLAYERS {
        let strong = player.strength == Strength::Strong;
        let games = if strong { options.games / STRONG_GAMES } else { options.games }.max(1);
        let tally = play_all(player, board, swap2, games, options);
        let games = f64::from(games);
        let share = |count: u32| 100.0 * f64::from(count) / games;
        let moves = f64::from(tally.moves) / games;
        minutes.push(moves * SECONDS_A_MOVE / 60.0);
        let (draws, first, second) = (share(tally.draws), share(tally.first), share(tally.second));
        print!(" {first:.0} : {second:.0}, {draws:.0} drawn, {moves:.0} moves |");
    }
    let least = minutes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = minutes.iter().copied().fold(0.0, f64::max);
    println!(" {least:.1} to {most:.1} |");
}

/// How the games ended, and how many moves they had together.
#[derive(Debug, Default)]
struct Tally {
    first: u32,
    second: u32,
    draws: u32,
    moves: u32,
}

/// Plays all games of one computer against itself, on all cores.
fn play_all(
    player: Computer,
    board: BoardSpec,
    swap2: bool,
    games: u32,
    options: &Options,
) -> Tally {
    let next = AtomicU32::new(0);
    let tally = Mutex::new(Tally::default());
    let play = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return;
            }
            let Some(played) = play_one(player, board, swap2, number, options) else { return };
            let Ok(mut tally) = tally.lock() else { return };
            match played.first_wins {
                Some(true) => tally.first += 1,
                Some(false) => tally.second += 1,
                None => tally.draws += 1,
            }
            tally.moves += u32::from(played.moves);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(play);
        }
    });
    tally.into_inner().unwrap_or_default()
}

/// A game that is over.
struct Played {
    /// Whether the side that made the first move won; `None` for a draw.
    first_wins: Option<bool>,
    moves: u16,
}

fn play_one(
    player: Computer,
    board: BoardSpec,
    swap2: bool,
    number: u32,
    options: &Options,
) -> Option<Played> {
    let mut rng = StdRng::seed_from_u64(options.seed.wrapping_add(number.into()));
    let rules = Rules { variant: Variant::Line, board, early_draw: true };
    let mut numbered = NumberedGame {
        number: 1,
        game: Game::new(rules, Mark::X),
        opening: swap2.then_some(OpeningPhase::first(Mark::X)),
        id: None,
    };
    // The mark of the player who makes the first move. A swap2 opening may exchange it.
    let mut first = Mark::X;
    while numbered.turn().is_some() {
        match decide(&numbered, player, &deadline_in(options.time), &mut rng)? {
            Action::Place(cell) => {
                let (ply, mark) = (numbered.game.ply(), numbered.game.to_move());
                let chosen = Move { ply, mark, cell };
                let after = numbered.decide(chosen).ok()?;
                numbered.game.apply(chosen).ok()?;
                numbered.opening = after.opening.or(numbered.opening);
            }
            Action::Choose(choice) => {
                let after = numbered.opening?.after_choice(choice)?;
                numbered.opening = after.opening;
                if after.swaps {
                    first = first.other();
                }
            }
        }
    }
    let winner = numbered.game.result()?.winner();
    Some(Played { first_wins: winner.map(|mark| mark == first), moves: numbered.game.ply() })
}
