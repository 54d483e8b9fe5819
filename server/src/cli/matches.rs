//! `noughts-server match`: computers play each other on all cores, and the results are counted.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use noughts_protocol::{ByMark, Game, Mark, RoomSettings, Rules};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use crate::cli::args::MatchArgs;
use crate::cli::{args, combination};
use crate::room::search_deadline::deadline_in;

/// The most results that wait to be counted.
const MAX_UNCOUNTED: usize = 1_024;
/// The 97.5th percentile of the normal distribution: two tails leave 95 %.
const Z: f64 = 1.959_964;
/// How often progress is shown.
const SHOW_EVERY: Duration = Duration::from_millis(200);

/// Plays the games and prints the results. Ctrl-C ends the match; the finished games count.
pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let shared = Arc::new(Pairing::new(args)?);
    stop_on_interrupt(Arc::clone(&shared));
    let (sender, results) = sync_channel(MAX_UNCOUNTED);
    for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
        let shared = Arc::clone(&shared);
        let sender = sender.clone();
        std::thread::spawn(move || shared.play(&sender));
    }
    drop(sender);
    let tally = count(&results, args.games);
    let text = if args.json { format!("{}\n", tally.json(&shared)) } else { tally.table(&shared) };
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// Ctrl-C has stopped the match.
struct Stopped;

/// A match, as its threads share it.
#[derive(Debug)]
struct Pairing {
    args: MatchArgs,
    settings: RoomSettings,
    seed: u64,
    /// The number of the next game.
    next: AtomicU32,
    /// Set by Ctrl-C.
    stopped: AtomicBool,
}

impl Pairing {
    fn new(args: &MatchArgs) -> anyhow::Result<Self> {
        Ok(Self {
            args: args.clone(),
            settings: args::settings(args.variant, args.board)?,
            seed: args.seed.unwrap_or_else(rand::random),
            next: AtomicU32::new(0),
            stopped: AtomicBool::new(false),
        })
    }

    /// Plays games until none is left, and sends the winner of each.
    fn play(&self, winners: &SyncSender<Option<Mark>>) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.args.games {
                return;
            }
            let Ok(winner) = self.game(number) else { return };
            if winners.send(winner).is_err() {
                return;
            }
        }
    }

    /// Plays one game and returns its winner. Each game has its own random numbers, so that the
    /// result does not depend on the thread.
    fn game(&self, number: u32) -> Result<Option<Mark>, Stopped> {
        let mut rng = StdRng::seed_from_u64(self.seed.wrapping_add(number.into()));
        let o_begins = self.args.alternate && number % 2 == 1;
        let first = if o_begins { Mark::O } else { Mark::X };
        let mut game = Game::new(Rules::of(&self.settings), first);
        while let Some(mark) = game.turn() {
            if self.stopped.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            let deadline = deadline_in(self.args.time);
            let player = if mark == Mark::X { self.args.x } else { self.args.o };
            let placed = noughts_engine::choose(&game, player, &deadline, &mut rng);
            let chosen = placed.map(|placed| game.move_with(placed));
            // A computer always has a legal move while the game goes on.
            chosen.and_then(|chosen| game.apply(chosen).ok()).ok_or(Stopped)?;
        }
        Ok(game.result().and_then(|result| result.winner()))
    }
}

/// Stops the match on Ctrl-C. Its thread lives as long as the program.
fn stop_on_interrupt(shared: Arc<Pairing>) {
    let wait = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            shared.stopped.store(true, Ordering::Relaxed);
        }
    };
    std::thread::spawn(wait);
}

/// Counts results until all threads have ended. Shows the progress on a terminal.
fn count(winners: &Receiver<Option<Mark>>, games: u32) -> Tally {
    let mut tally = Tally::default();
    let mut shown = Instant::now();
    let on_terminal = io::stderr().is_terminal();
    for winner in winners {
        tally.add(winner);
        if on_terminal && (shown.elapsed() >= SHOW_EVERY || tally.games() == games) {
            shown = Instant::now();
            eprint!("\r{} of {games} games", tally.games());
        }
    }
    if on_terminal {
        eprintln!();
    }
    tally
}

/// How the games ended.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    wins: ByMark<u32>,
    draws: u32,
}

impl Tally {
    fn add(&mut self, winner: Option<Mark>) {
        match winner {
            Some(mark) => self.wins[mark] += 1,
            None => self.draws += 1,
        }
    }

    const fn games(self) -> u32 {
        self.wins.x + self.wins.o + self.draws
    }

    /// The share of a count, and the ends of its confidence interval.
    fn share(self, count: u32) -> [f64; 3] {
        let (low, high) = wilson(count, self.games());
        [f64::from(count) / f64::from(self.games().max(1)), low, high]
    }

    fn json(self, Pairing { args, settings, seed, .. }: &Pairing) -> Value {
        let row = |count| {
            let [share, low, high] = self.share(count);
            json!({"games": count, "share": share, "low": low, "high": high})
        };
        json!({
            "board": settings.board.to_string(),
            "variant": settings.variant,
            "x": combination::name(args.x),
            "o": combination::name(args.o),
            "alternate": args.alternate,
            "seed": seed,
            "games": self.games(),
            "x_wins": row(self.wins.x),
            "draws": row(self.draws),
            "o_wins": row(self.wins.o),
        })
    }

    fn table(self, Pairing { args, settings, seed, .. }: &Pairing) -> String {
        let x = combination::name(args.x);
        let o = combination::name(args.o);
        let mut table =
            format!("X {x}, O {o}, {} of {}", self.games(), settings.variant.on(settings.board));
        table +=
            &format!(" (--seed {seed})\n\n{:8}{:>7}{:>9}   95 % (Wilson)\n", "", "games", "share");
        for (label, count) in
            [("X wins", self.wins.x), ("draws", self.draws), ("O wins", self.wins.o)]
        {
            let [share, low, high] = self.share(count).map(|share| 100.0 * share);
            table += &format!("{label:8}{count:>7}{share:>7.1} %   {low:.1} to {high:.1} %\n");
        }
        table
    }
}

/// The Wilson score interval of 95 % confidence, as `(low, high)` between 0 and 1. Unlike the
/// normal interval it is also right near 0 and 1.
fn wilson(count: u32, of: u32) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = f64::from(of);
    let share = f64::from(count) / f64::from(of);
    let scale = 1.0 / (1.0 + Z * Z / n);
    let middle = scale * (share + Z * Z / (2.0 * n));
    let reach = scale * Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((middle - reach).max(0.0), (middle + reach).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    fn check(count: u32, of: u32, expected: (f64, f64)) {
        let (low, high) = wilson(count, of);
        assert!((low - expected.0).abs() < 0.000_5 && (high - expected.1).abs() < 0.000_5);
    }

    #[test]
    fn the_interval_is_that_of_the_tables() {
        check(5, 10, (0.236_6, 0.763_4));
        check(0, 10, (0.0, 0.277_5));
        check(81, 263, (0.255_3, 0.366_2));
        check(0, 0, (0.0, 1.0));
    }
}
