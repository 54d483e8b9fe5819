//! The time of every choice on 3 x 3, and the published values of m,n,k-games.
//! `cargo bench -p noughts-engine --bench search`; with `-- 300` a value may take 300 seconds;
//! `-- 300 8,4,4` searches for that value only.

#[path = "shared/wall_clock.rs"]
mod wall_clock;

use std::time::{Duration, Instant};

use noughts_engine::{Deadline, TimeLimit, candidates};
use noughts_protocol::{BoardSpec, Cell, Computer, Game, Mark, Move, Rules, Strategy, Strength};
use wall_clock::deadline_in;

/// How long a value may take, unless the program's arguments say how many seconds.
const PATIENCE: Duration = Duration::from_secs(10);
/// Runs of each choice.
const CHOICES: usize = 20;

/// Published values for the first player, `win` or `draw`; `-`: we know of none. Those of
/// 7,7,5 and 8,8,5 are from Hsu, Ko, Chen, Wei, Hsueh and Wu, "On solving the 7,7,5-game and the
/// 8,8,5-game", Theoretical Computer Science 815 (2020); those of boards with 4 in a row from
/// Charatsidis, "Solving Four-in-a-Row on 9x4 and 10x4 Boards", Maastricht University (2017).
const VALUES: [(u8, u8, u8, &str); 29] = [
    (3, 3, 3, "draw"),
    (4, 3, 3, "win"),
    (4, 4, 3, "win"),
    (4, 4, 4, "draw"),
    (5, 4, 4, "draw"),
    (6, 4, 4, "draw"),
    (7, 4, 4, "draw"),
    (8, 4, 4, "draw"),
    (9, 4, 4, "win"),
    (5, 5, 4, "draw"),
    (6, 5, 4, "win"),
    (7, 5, 4, "win"),
    (6, 6, 4, "win"),
    (5, 5, 5, "draw"),
    (6, 5, 5, "draw"),
    (7, 5, 5, "-"),
    (8, 5, 5, "-"),
    (9, 5, 5, "-"),
    (6, 6, 5, "draw"),
    (7, 6, 5, "-"),
    (8, 6, 5, "-"),
    (7, 7, 5, "draw"),
    (8, 7, 5, "-"),
    (8, 8, 5, "draw"),
    (6, 6, 6, "draw"),
    (7, 7, 6, "-"),
    (7, 7, 7, "draw"),
    (8, 8, 8, "draw"),
    (9, 9, 8, "-"),
];

fn main() {
    // `cargo test` starts benchmarks too, to see that they start.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let named: Vec<String> = std::env::args().filter(|arg| arg.contains(',')).collect();
    if named.is_empty() {
        every_choice();
    }
    values(&named);
}

fn board(width: u8, height: u8, line: u8) -> Game {
    let spec = BoardSpec::new(width, height, line).expect("the boards here are legal");
    let rules = Rules::line(spec, false);
    Game::new(rules, Mark::X)
}

const fn of(strategy: Strategy, strength: Strength) -> Computer {
    Computer { strategy, strength }
}

const PERFECT: Computer = of(Strategy::Perfect, Strength::Average);

fn in_words(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", 1e3 * s),
        s => format!("{:.2} us", 1e6 * s),
    }
}

/// The answer, and the mean time of a run.
fn timed<T>(runs: u32, run: impl Fn() -> T) -> (T, Duration) {
    let start = Instant::now();
    for _ in 1..runs {
        std::hint::black_box(run());
    }
    let answer = run();
    (answer, start.elapsed() / runs)
}

/// Every choice on 3 x 3: the mean and the worst position. Each position counts with the best of
/// some runs, which leaves out what else the machine does.
fn every_choice() {
    println!("any choice on 3x3x3                mean          worst");
    let games = unfinished(&board(3, 3, 3));
    let with = |strategy| Strength::NAMED.map(|strength| of(strategy, strength));
    let mut all = [with(Strategy::Heuristic), with(Strategy::Minimax)].concat();
    all.extend([PERFECT, of(Strategy::Rules, Strength::Average)]);
    for computer in all {
        let best = |game| {
            let run = || timed(1, || candidates(game, computer, &Deadline::none())).1;
            (0..CHOICES).map(|_| run()).min().unwrap_or_default()
        };
        let times: Vec<Duration> = games.iter().map(best).collect();
        let mean = times.iter().sum::<Duration>() / times.len() as u32;
        let worst = times.into_iter().max().unwrap_or_default();
        let name = format!("{} {}", computer.strategy, computer.strength);
        println!("  {name:22} {:>14} {:>14}", in_words(mean), in_words(worst));
    }
    println!();
}

/// A game for every unfinished position.
fn unfinished(empty: &Game) -> Vec<Game> {
    let mut games = vec![empty.clone()];
    let mut seen = std::collections::HashSet::new();
    let mut at = 0;
    while let Some(game) = games.get(at).cloned() {
        at += 1;
        for cell in game.board().empty_cells().collect::<Vec<Cell>>() {
            let mut next = game.clone();
            let chosen = Move { ply: game.ply(), mark: game.to_move(), cell, placed: None };
            let goes_on = next.apply(chosen).is_ok_and(|result| result.is_none());
            if goes_on && seen.insert(next.board().clone()) {
                games.push(next);
            }
        }
    }
    games
}

/// How long a value may take: `cargo bench ... --bench search -- 300` says 300 seconds.
fn patience() -> Duration {
    let seconds = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    seconds.map_or(PATIENCE, Duration::from_secs)
}

/// The values of the named boards, or of all.
fn values(named: &[String]) {
    let patience = patience();
    println!("value of m,n,k     published     proven     positions           time");
    for (width, height, line, published) in VALUES {
        let name = format!("{width},{height},{line}");
        if !named.is_empty() && !named.contains(&name) {
            continue;
        }
        let game = board(width, height, line);
        let start = Instant::now();
        let found = candidates(&game, PERFECT, &deadline_in(patience));
        let time = in_words(start.elapsed());
        let proven = found.outcome.map_or("-".to_owned(), |o| format!("{o:?}").to_lowercase());
        println!("  {name:16} {published:>9} {proven:>10} {:13} {time:>14}", found.nodes);
    }
}
