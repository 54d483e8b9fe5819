//! A contest of two versions of the engine at a fixed number of positions a move, so that the
//! machine does not matter: the one number that a change of the search has to show. Both are
//! programs that speak the protocol of Gomocup. `cargo run --release -p noughts-tests --bin
//! noughts-contest -- OLD NEW`, where both are a `noughts-server`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use clap::Parser;
use noughts_harness::Pipe;
use noughts_protocol::{BoardSpec, Cell, Game, Mark, Placement, Rules};

/// Short openings in which no side stands much better, one a line. Found by the engine: at 8,000 positions its
/// evaluation of each is below 110.
const OPENINGS: &str = include_str!("openings.txt");

/// What was typed.
#[derive(Debug, Parser)]
struct Options {
    /// The version before
    old: PathBuf,

    /// The changed one
    new: PathBuf,

    /// Games: each opening is played twice, with the sides exchanged
    #[arg(long, default_value_t = 100)]
    games: usize,

    /// Positions that each looks at for a move
    #[arg(long, default_value_t = 10_000)]
    positions: u64,
}

/// Starts an engine on an empty board.
fn start(program: &Path, positions: u64) -> Pipe {
    let positions = positions.to_string();
    let mut engine = Pipe::start(Command::new(program).args(["engine", "--positions", &positions]));
    engine.line("START 15");
    engine.wait_for("OK");
    // Positions are the bound: the time is long enough for all of them.
    engine.line("INFO timeout_turn 600000");
    engine
}

/// The move of an engine in a game.
fn play(engine: &mut Pipe, game: &Game) -> Result<Cell> {
    engine.line("BOARD");
    for (ply, cell) in (0..).zip(game.moves()) {
        let (column, row) = game.spec().position(*cell);
        let whose = if game.mark_at(ply) == game.to_move() { 1 } else { 2 };
        engine.line(&format!("{column},{row},{whose}"));
    }
    engine.line("DONE");
    let answer = engine.wait_for(",");
    let (column, row) = answer.split_once(',').context("it waited for a comma")?;
    let cell = game.spec().cell_at(column.parse()?, row.parse()?);
    cell.context("an engine plays beside the board")
}

fn main() -> Result<()> {
    let options = Options::parse();
    let next = AtomicUsize::new(0);
    let tally = [const { AtomicU32::new(0) }; 3];
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..std::thread::available_parallelism().map_or(1, usize::from))
            .map(|_| scope.spawn(|| play_games(&options, &next, &tally)))
            .collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(played) => played,
            Err(_) => bail!("a game has failed"),
        })
    })?;
    let [wins, losses, draws] = tally.map(|count| f64::from(count.into_inner()));
    let games = (wins + losses + draws).max(1.0);
    let score = (wins + draws / 2.0) / games;
    // The score of one game deviates by at most a half.
    let deviation = 0.98 / games.sqrt();
    println!(
        "new against old: {wins} wins, {losses} losses, {draws} draws: {:.1} % ± {:.1}",
        100.0 * score,
        100.0 * deviation
    );
    Ok(())
}

fn play_games(options: &Options, next: &AtomicUsize, tally: &[AtomicU32; 3]) -> Result<()> {
    let openings: Vec<&str> = OPENINGS.lines().collect();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= options.games {
            return Ok(());
        }
        let new_plays = if number.is_multiple_of(2) { Mark::X } else { Mark::O };
        let winner = play_game(options, openings[number / 2 % openings.len()], new_plays)?;
        let outcome = winner.map_or(2, |winner| usize::from(winner != new_plays));
        tally[outcome].fetch_add(1, Ordering::Relaxed);
    }
}

/// The winner of a game from an opening.
fn play_game(options: &Options, opening: &str, new_plays: Mark) -> Result<Option<Mark>> {
    let spec = BoardSpec::new(15, 15, 5)?;
    let mut game = Game::new(Rules::line(spec, true), Mark::X);
    for label in opening.split_whitespace() {
        make(&mut game, spec.parse_cell(label)?)?;
    }
    let mut old = start(&options.old, options.positions);
    let mut new = start(&options.new, options.positions);
    while let Some(mark) = game.turn() {
        let engine = if mark == new_plays { &mut new } else { &mut old };
        let cell = play(engine, &game)?;
        make(&mut game, cell)?;
    }
    Ok(game.result().and_then(|result| result.winner()))
}

fn make(game: &mut Game, cell: Cell) -> Result<()> {
    let placed = Placement { mark: game.to_move(), cell };
    game.apply(game.move_with(placed))?;
    Ok(())
}
