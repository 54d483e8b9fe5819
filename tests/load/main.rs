//! `noughts-load`: real connections by the thousand, to see what a server does with them. This
//! page is one run: start, open, measure, report.
//!
//! One thread owns everything ([`scene`]); sockets are non-blocking ([`socket`]). Whatever a
//! viewer is told is held against what must be told ([`log`]), so that speed is never bought with
//! a lost or doubled move.

mod absent;
mod args;
mod duel;
mod log;
mod opening;
mod person;
mod process;
mod progress;
mod report;
mod scene;
mod script;
mod socket;
mod storm;
mod tally;
mod target;
mod words;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

use args::Args;
use process::Process;
use report::{Memory, Report};
use scene::{Pace, Scene};
use socket::Fleet;
use tally::Tally;
use target::Target;
use words::Peer;

/// How often it is looked whether every room goes on.
const LOOK: Duration = Duration::from_millis(50);

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(report) => {
            match args.json {
                true => println!("{}", words::text(&report)),
                false => print!("{report}"),
            }
            if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("noughts-load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<Report> {
    let target = Target::new(args)?;
    let load = &args.load;
    let kib = || target.process.and_then(Process::memory_kib);
    let fleet = Fleet::new(target.address)?;
    let mut scene = Scene::new(target.peer, fleet, load);
    let mut memory =
        kib().map(|empty| Memory { empty, rested: empty, absent: empty, ..Memory::default() });
    if load.absent > 0 {
        // Twice, because the allocator keeps what rooms took while somebody was there.
        scene.make_absent(load.absent, args.patience)?;
        memory = memory.zip(kib()).map(|(memory, rested)| Memory { rested, ..memory });
        scene.make_absent(load.absent, args.patience)?;
        memory = memory.zip(kib()).map(|(memory, absent)| Memory { absent, ..memory });
    }
    scene.open_all(load, args.patience)?;
    memory = memory.zip(kib()).map(|(memory, open)| Memory { open, ..memory });

    scene.fragile = false;
    let mut pace = scene.begin(load.rate);
    scene.begin_storm();
    scene.play(args.warm_up, &mut pace, "warming up")?;
    scene.tally = Tally::new();
    let cpu = || (target.process.and_then(Process::cpu), Process(std::process::id()).cpu());
    let (before, begin) = (cpu(), Instant::now());
    scene.play(args.time, &mut pace, "measuring")?;
    let (after, time) = (cpu(), begin.elapsed());

    let spent = |after: Option<Duration>, before| Some(after?.saturating_sub(before?));
    let spent = (spent(after.0, before.0), spent(after.1, before.1));
    let tally = std::mem::replace(&mut scene.tally, Tally::new());
    let name = if target.peer == Peer::Relay { "relay" } else { "noughts" };
    let mut report = Report::new(name, load.clone(), tally, time, spent);
    if let Some((memory, end)) = memory.as_mut().zip(kib()) {
        memory.end = end;
        memory.finish(load);
    }
    report.memory = memory;
    report.stalled_rooms = still_rooms(&mut scene, args, &mut pace)?;
    Ok(report)
}

/// Plays on until every room has moved once more; the rooms that do not, in a time that would do
/// for any. Not looked for where rooms move too seldom for that.
fn still_rooms(scene: &mut Scene, args: &Args, pace: &mut Pace) -> anyhow::Result<usize> {
    let load = &args.load;
    let beat = load.rate.map_or(0.0, |rate| load.rooms as f64 / rate);
    if beat > args.patience.as_secs_f64() / 2.0 {
        return Ok(0);
    }
    let measured = Instant::now();
    while scene.still_since(measured) > 0 && measured.elapsed() < args.patience {
        scene.play(LOOK, pace, "seeing that every room goes on")?;
    }
    Ok(scene.still_since(measured))
}
