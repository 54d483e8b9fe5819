//! `noughts-server match`: computers play each other on all cores, and the results are counted.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use noughts_protocol::{ByMark, Computer, FirstMove, Game, Mark, Move, RoomSettings};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use crate::cli::args::MatchArgs;
use crate::cli::{combination, interval};
use noughts_engine::Deadline;

/// Results that may wait to be counted.
const UNCOUNTED: usize = 1_024;
/// How often progress is shown.
const SHOW_EVERY: Duration = Duration::from_millis(200);

/// Plays the games and prints what came of them. Ctrl-C ends the match with the games that are
/// finished by then.
pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let contest = Arc::new(Contest::new(args));
    stop_on_interrupt(Arc::clone(&contest));
    let (sender, results) = sync_channel(UNCOUNTED);
    for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
        let (contest, sender) = (Arc::clone(&contest), sender.clone());
        std::thread::spawn(move || contest.play(&sender));
    }
    drop(sender);
    let tally = count(&results, args.games);
    let seed = contest.seed;
    let text =
        if args.json { format!("{}\n", tally.json(args, seed)) } else { tally.table(args, seed) };
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// The match was stopped before a game ended.
struct Stopped;

/// What the threads share.
#[derive(Debug)]
struct Contest {
    settings: RoomSettings,
    players: ByMark<Computer>,
    games: u32,
    time: Duration,
    seed: u64,
    /// The number of the next game.
    next: AtomicU32,
    /// Set when no more games are wanted.
    stopped: AtomicBool,
}

impl Contest {
    fn new(args: &MatchArgs) -> Self {
        let first = if args.alternate { FirstMove::Alternate } else { FirstMove::X };
        Self {
            settings: RoomSettings { board: args.board, first, ..RoomSettings::default() },
            players: ByMark { x: args.x, o: args.o },
            games: args.games,
            time: args.time,
            seed: args.seed.unwrap_or_else(rand::random),
            next: AtomicU32::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Plays games until there are no more, and tells who won each.
    fn play(&self, winners: &SyncSender<Option<Mark>>) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return;
            }
            let Ok(winner) = self.game(number) else { return };
            if winners.send(winner).is_err() {
                return;
            }
        }
    }

    /// Plays one game; its winner, unless the match was stopped meanwhile. Each game has
    /// its own random numbers, so that it does not matter which thread plays it.
    fn game(&self, number: u32) -> Result<Option<Mark>, Stopped> {
        let mut rng = StdRng::seed_from_u64(self.seed.wrapping_add(number.into()));
        let o_begins = self.settings.first == FirstMove::Alternate && number % 2 == 1;
        let first = if o_begins { Mark::O } else { Mark::X };
        let mut game = Game::new(self.settings.board, first, self.settings.draws_early());
        while let Some(mark) = game.turn() {
            if self.stopped.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            let at = Instant::now().checked_add(self.time);
            let deadline = at.map_or_else(Deadline::none, Deadline::at);
            let cell = noughts_engine::choose(&game, self.players[mark], &deadline, &mut rng);
            let chosen = cell.map(|cell| Move { ply: game.ply(), mark, cell });
            // A computer plays an empty cell for as long as the game goes on.
            chosen.and_then(|chosen| game.apply(chosen).ok()).ok_or(Stopped)?;
        }
        Ok(game.result().and_then(|result| result.winner()))
    }
}

/// Stops the match on Ctrl-C. The thread waits for as long as the program lives.
fn stop_on_interrupt(contest: Arc<Contest>) {
    let wait = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            contest.stopped.store(true, Ordering::Relaxed);
        }
    };
    std::thread::spawn(wait);
}

/// Counts until all threads have ended, and says how far it is where somebody sees it.
fn count(winners: &Receiver<Option<Mark>>, games: u32) -> Tally {
    let (mut tally, mut shown) = (Tally::default(), Instant::now());
    let watched = io::stderr().is_terminal();
    for winner in winners {
        tally.add(winner);
        if watched && (shown.elapsed() >= SHOW_EVERY || tally.games() == games) {
            shown = Instant::now();
            eprint!("\r{} of {games} games", tally.games());
        }
    }
    if watched {
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

    fn json(self, args: &MatchArgs, seed: u64) -> Value {
        let row = |count| {
            let (low, high) = interval::wilson(count, self.games());
            let share = f64::from(count) / f64::from(self.games().max(1));
            json!({"games": count, "share": share, "low": low, "high": high})
        };
        json!({
            "board": args.board.to_string(),
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

    fn table(self, args: &MatchArgs, seed: u64) -> String {
        let (x, o) = (combination::name(args.x), combination::name(args.o));
        let mut table = format!("X {x}, O {o}, {} on {}", self.games(), args.board);
        table +=
            &format!(" (--seed {seed})\n\n{:8}{:>7}{:>9}   95 % (Wilson)\n", "", "games", "share");
        for (what, count) in
            [("X wins", self.wins.x), ("draws", self.draws), ("O wins", self.wins.o)]
        {
            let (low, high) = interval::wilson(count, self.games());
            let [share, low, high] =
                [f64::from(count) / f64::from(self.games().max(1)), low, high].map(|s| 100.0 * s);
            table += &format!("{what:8}{count:>7}{share:>7.1} %   {low:.1} to {high:.1} %\n");
        }
        table
    }
}
