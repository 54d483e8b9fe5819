//! `noughts-load` loads a server with thousands of real connections and measures it. This file is one
//! run: start, connect, measure, report.
//!
//! One thread owns everything ([`driver`]), and sockets are non-blocking ([`socket`]). Every event is
//! compared with the expected one ([`expected`]), so that a fast server cannot win by losing or
//! doubling a move.

mod args;
mod connect;
mod disk;
mod driver;
mod empty_rooms;
mod expected;
mod limits;
mod messages;
mod party;
mod process;
mod progress;
mod report;
mod script;
mod socket;
mod stats;
mod storm;
mod talk;
mod target;
mod two_player_room;
mod usage;
mod versus_computer;

use std::fmt::Display;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use serde::Serialize;

use args::Args;
use disk::DiskMeter;
use driver::{Driver, Schedule};
use messages::Peer;
use process::Process;
use report::{Memory, Report};
use socket::Sockets;
use stats::Stats;
use target::Target;
use usage::Usage;

/// The time between two checks whether every room still moves.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

fn main() -> ExitCode {
    let args = Args::parse();
    let sound = match args.party.party {
        Some(_) => party::run(&args).map(|report| show(&args, &report)).map(|()| true),
        None => run(&args).map(|report| {
            show(&args, &report);
            report.is_sound()
        }),
    };
    match sound {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("noughts-load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn show(args: &Args, report: &(impl Serialize + Display)) {
    match args.json {
        true => println!("{}", messages::text(report)),
        false => print!("{report}"),
    }
}

fn run(args: &Args) -> anyhow::Result<Report> {
    let target = Target::new(args)?;
    let load = &args.load;
    let process = target.processes.first().copied();
    let kib = || process.and_then(Process::memory_kib);
    let sockets = Sockets::new(target.address, args.other_server.clone())?;
    let mut driver = Driver::new(target.peer, sockets, load);
    let mut memory =
        kib().map(|empty| Memory { empty, rested: empty, absent: empty, ..Memory::default() });
    if load.absent > 0 {
        // Twice, because the allocator keeps the memory that rooms used while connections were open.
        driver.make_absent(load.absent, args.patience)?;
        memory = memory.zip(kib()).map(|(memory, rested)| Memory { rested, ..memory });
        driver.make_absent(load.absent, args.patience)?;
        memory = memory.zip(kib()).map(|(memory, absent)| Memory { absent, ..memory });
    }
    driver.open_all(load, args.patience)?;
    memory = memory.zip(kib()).map(|(memory, open)| Memory { open, ..memory });

    driver.fail_on_loss = false;
    let mut schedule = driver.begin(load.rate);
    driver.begin_storm();
    driver.begin_talk(load.talk);
    driver.play(args.warm_up, &mut schedule, "warming up")?;
    driver.stats = Stats::new();
    let meter = process.zip(target.data_dir.as_deref());
    let meter = meter.map(|(process, folder)| DiskMeter::start(process, folder)).transpose()?;
    let usage = || Usage::of(&target.processes);
    let (before, begin) = (usage(), Instant::now());
    driver.play(args.time, &mut schedule, "measuring")?;
    let (after, time) = (usage(), begin.elapsed());
    let disk = meter.map(|meter| meter.stop(driver.stats.moves)).transpose()?;

    let stats = std::mem::replace(&mut driver.stats, Stats::new());
    let name = if target.peer == Peer::Relay { "relay" } else { "noughts" };
    let mut report = Report::new(name, load.clone(), stats, time, after.since(before));
    report.disk = disk;
    if let Some((memory, end)) = memory.as_mut().zip(kib()) {
        memory.end = end;
        memory.finish(load);
    }
    report.memory = memory;
    report.stalled_rooms = stalled_rooms(&mut driver, args, &mut schedule)?;
    Ok(report)
}

/// Plays until every room has moved once more; returns the number of rooms that do not within the
/// patience. At rates too low for that it returns 0.
fn stalled_rooms(
    driver: &mut Driver,
    args: &Args,
    schedule: &mut Schedule,
) -> anyhow::Result<usize> {
    let load = &args.load;
    let interval = load.rate.map_or(0.0, |rate| load.rooms as f64 / rate);
    if interval > args.patience.as_secs_f64() / 2.0 {
        return Ok(0);
    }
    let measured = Instant::now();
    while driver.stalled_since(measured) > 0 && measured.elapsed() < args.patience {
        driver.play(CHECK_INTERVAL, schedule, "checking that every room moves")?;
    }
    Ok(driver.stalled_since(measured))
}
