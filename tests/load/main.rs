//! `noughts-load` loads a server with thousands of real connections and measures it, beside a bare relay
//! that knows no game. Everything runs on one thread, and the server on another core. This file is one
//! run: start, connect, measure, report.

mod connection;
mod room;
mod ssh;
mod stats;
mod target;

use std::cell::RefCell;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use clap::Parser;
use futures::{StreamExt, TryStreamExt, stream};
use humantime::parse_duration;
use noughts_protocol::{BoardSpec, Role};
use tokio::task::{JoinSet, LocalSet};

use connection::Connection;
use room::{Room, Script, Viewer, Way, enter};
use stats::{Figure, Rounds, Stats};
use target::{Kind, Target};

/// Clients that connect at the same time, so that the server's backlog never overflows.
const AT_ONCE: usize = 64;

/// Rooms that visitors enter.
const HOSTED: usize = 100;

/// Examples, printed after the options.
const EXAMPLES: &str = "\
Examples:
  noughts-load                                100 rooms, as many moves as they can
  noughts-load --rooms 1000 --rate 500        1000 rooms, 500 moves a second in all
  noughts-load --rooms 1 --spectators 5000    one game that 5000 watch
  noughts-load --rooms 0 --idle 10000         what a silent connection costs
  noughts-load --rooms 0 --visitors 64        how many can come in a second
  noughts-load --ssh 1000                     what a session by ssh takes of its door
  noughts-load --server 192.0.2.7:7333 --rooms 500 --rate 250

How many can my server hold? Start it as you mean to run it, with --max-per-address and
--max-connections as high as you want to try, and raise --rooms with --rate at half as many (a
move every two seconds in each room), until p99 is no longer what you would like to play with. A
server lets a connection send 10 messages a second unless --intents-per-second says more: without
a --rate it refuses what comes faster, and that ends the measurement.

Every viewer checks that it is told each move once, in order and of the right cell; the exit code
is 1 if that is not so, a connection breaks or a room stands still.";

/// Loads a Noughts server and measures what it does, beside a bare relay.
///
/// Players, spectators and visitors are real connections that play real games, one after another.
/// Without --server it starts the relay and a server of its own, in turn, from the programs beside it.
#[derive(Debug, Parser)]
#[command(args_override_self = true, version, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    /// A running server to load; its own host's limits hold
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with = "server_option")]
    server: Option<SocketAddr>,

    /// The process of that server, where it runs on this machine, to measure memory and CPU
    #[arg(long, value_name = "PID", requires = "server")]
    pid: Option<u32>,

    /// Measure the server without the relay
    #[arg(long)]
    alone: bool,

    /// An option for the server that is started, as in --server-option=--ephemeral; may be repeated
    #[arg(long, value_name = "OPTION")]
    server_option: Vec<String>,

    /// Rooms of two players
    #[arg(long, default_value_t = 100, value_name = "N")]
    rooms: usize,

    /// Moves a second in all rooms together [default: each as soon as it may be made]
    #[arg(long, value_parser = rate, value_name = "N")]
    rate: Option<f64>,

    /// Spectators of the first room, in which the next move waits until the last of them has the one
    /// before
    #[arg(long, default_value_t = 0, value_name = "N", requires = "rooms")]
    spectators: usize,

    /// Connections that say hello and nothing more
    #[arg(long, default_value_t = 0, value_name = "N")]
    idle: usize,

    /// Visitors that are coming at any time: each connects, joins a room as a spectator and goes
    #[arg(long, default_value_t = 0, value_name = "N")]
    visitors: usize,

    /// Sessions by ssh at a door before the server, and nothing else: each is in the menu of a terminal
    #[arg(long, value_name = "N", conflicts_with = "server", value_parser = clap::value_parser!(u16).range(1..=20_000))]
    ssh: Option<u16>,

    /// The board: width, height and how many in a row win; 3x3x3 has a rematch every nine moves
    #[arg(long, default_value = "15x15x5", value_name = "BOARD")]
    board: BoardSpec,

    /// How often everything is measured; the table has the medians
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// How long is measured
    #[arg(long, default_value = "5s", value_parser = parse_duration, value_name = "TIME")]
    time: Duration,

    /// How long they play before that
    #[arg(long, default_value = "1s", value_parser = parse_duration, value_name = "TIME")]
    warm_up: Duration,

    /// How long a room may stand still after that
    #[arg(long, default_value = "30s", value_parser = parse_duration, value_name = "TIME")]
    patience: Duration,

    /// Write one JSON object instead of the table
    #[arg(long)]
    json: bool,

    /// Do not pin the server and the load to a core each
    #[arg(long)]
    no_pin: bool,
}

fn rate(text: &str) -> anyhow::Result<f64> {
    let rate: f64 = text.parse()?;
    ensure!((0.001..=1e6).contains(&rate), "use 0.001 to 1000000");
    Ok(rate)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args = Args::parse();
    let figures = match args.ssh {
        Some(sessions) => ssh::measure(&args, sessions).await,
        None => run(&args).await,
    };
    match figures {
        Ok(figures) => {
            print!("{figures}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("noughts-load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The figures of the relay and of Noughts, as they are printed.
async fn run(args: &Args) -> anyhow::Result<String> {
    let has_relay = !args.alone && args.server.is_none();
    let mut relay = Rounds::new();
    let mut noughts = Rounds::new();
    for _ in 0..args.rounds {
        if has_relay {
            relay.push(LocalSet::new().run_until(measure(args, Kind::Relay)).await?);
        }
        noughts.push(LocalSet::new().run_until(measure(args, Kind::Noughts)).await?);
    }
    Ok(if args.json {
        format!("{}\n", stats::json(&relay, &noughts))
    } else {
        stats::table(&relay, &noughts)
    })
}

async fn measure(args: &Args, kind: Kind) -> anyhow::Result<Vec<Figure>> {
    let target = Rc::new(Target::new(args, kind)?);
    let script = Rc::new(Script::new(args.board));
    let stats = Rc::new(RefCell::new(Stats::default()));
    let empty = target.memory_kib();
    let interval = args.rate.map(|rate| Duration::from_secs_f64(args.rooms as f64 / rate));
    let pair = |number| Viewer::pair(&target, number, script.clone(), stats.clone(), interval);
    let pairs: Vec<[Viewer; 2]> =
        stream::iter(0..args.rooms).map(pair).buffer_unordered(AT_ONCE).try_collect().await?;
    let rooms: Vec<Rc<Room>> = pairs.iter().map(|[x, _]| x.room.clone()).collect();
    let mut viewers = Vec::new();
    if let Some([player, _]) = pairs.first() {
        let spectators = stream::iter(0..args.spectators).map(|_| player.spectator(&target));
        viewers = spectators.buffer_unordered(AT_ONCE).try_collect().await?;
    }
    viewers.extend(pairs.into_iter().flatten());
    let silent: Vec<Connection> = stream::iter(0..args.idle)
        .map(|_| silent(&target))
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    let connections = viewers.len() + silent.len();
    let open = target.memory_kib();

    let mut tasks = JoinSet::new();
    for mut connection in silent {
        tasks.spawn_local(async move { connection.listen().await });
    }
    let start = Instant::now();
    for (number, room) in rooms.iter().enumerate() {
        let wait = interval.unwrap_or_default().mul_f64(number as f64 / args.rooms as f64);
        room.next_at.set(start + wait);
    }
    for viewer in viewers {
        tasks.spawn_local(viewer.take_part());
    }
    if args.visitors > 0 {
        begin_visits(args.visitors, &target, &script, &stats, &mut tasks).await?;
    }
    wait(&mut tasks, args.warm_up).await?;
    stats.replace(Stats::default());
    let cpu = || (target.cpu(), target::cpu(std::process::id()));
    let before = cpu();
    let begin = Instant::now();
    wait(&mut tasks, args.time).await?;
    let after = cpu();
    let time = begin.elapsed();
    let mut counted = stats.take();
    check_moves(&mut tasks, &rooms, args, interval).await?;

    let spent = |now: Option<Duration>, before| Some(now?.saturating_sub(before?).as_secs_f64());
    let server = spent(after.0, before.0);
    let own = spent(after.1, before.1);
    let seconds = time.as_secs_f64();
    let grown = open.zip(empty).map(|(open, empty)| (open - empty).max(0.0));
    let memory = [empty, per(grown, connections as f64)];
    Ok(figures(&mut counted, seconds, [server, own], args.spectators > 0, memory))
}

/// The figures of `seconds`. `server` and `own`: seconds of processor time. `empty` is the memory
/// of the server without connections in KiB, `of_connection` that of one connection.
fn figures(
    counted: &mut Stats,
    seconds: f64,
    [server, own]: [Option<f64>; 2],
    spectated: bool,
    [empty, of_connection]: [Option<f64>; 2],
) -> Vec<Figure> {
    let moves = counted.to_players as f64 / 2.0;
    let opens = counted.opens as f64;
    let told = spectated.then_some(counted.deliveries as f64 / seconds);
    let micros = server.map(|seconds| 1e6 * seconds);
    let Stats { delivery, last_viewer, opening, .. } = counted;
    vec![
        ("moves_per_second", "moves a second, told to both", "", Some(moves / seconds)),
        ("deliveries_per_second", "moves told to anybody a second", "", told),
        ("opens_per_second", "visitors a second", "", Some(opens / seconds)),
        ("delivery_p50", "until the opponent has a move, p50", "ms", delivery.ms_at(0.5)),
        ("delivery_p99", "the same, p99", "ms", delivery.ms_at(0.99)),
        ("last_viewer_p50", "until the last viewer has it, p50", "ms", last_viewer.ms_at(0.5)),
        ("last_viewer_p99", "the same, p99", "ms", last_viewer.ms_at(0.99)),
        ("opening_p50", "until a visitor is in, p50", "ms", opening.ms_at(0.5)),
        ("opening_p99", "the same, p99", "ms", opening.ms_at(0.99)),
        ("us_per_move", "processor time of a move", "us", per(micros, moves)),
        ("us_per_visit", "processor time of a visit", "us", per(micros, opens)),
        ("server_cores", "cores it kept busy", "", per(server, seconds)),
        ("load_cores", "cores the load kept busy (1: the limit)", "", per(own, seconds)),
        ("memory_empty", "memory without connections", "KiB", empty),
        ("memory_per_connection", "memory of a connection", "KiB", of_connection),
    ]
}

/// A total for each of so many; `None` for none.
fn per(total: Option<f64>, count: f64) -> Option<f64> {
    total.filter(|_| count > 0.0).map(|all| all / count)
}

/// Lets everybody go on for some time.
async fn wait(tasks: &mut JoinSet<anyhow::Result<()>>, time: Duration) -> anyhow::Result<()> {
    let end = tokio::time::Instant::now() + time;
    match tokio::time::timeout_at(end, tasks.join_next()).await {
        // Nobody ends, unless something is wrong.
        Ok(Some(ended)) => ended?.and_then(|()| bail!("a connection ended")),
        Ok(None) => {
            tokio::time::sleep_until(end).await;
            Ok(())
        }
        Err(_) => Ok(()),
    }
}

/// Checks that every room moves once more, unless the rate is too low for that.
async fn check_moves(
    tasks: &mut JoinSet<anyhow::Result<()>>,
    rooms: &[Rc<Room>],
    args: &Args,
    interval: Option<Duration>,
) -> anyhow::Result<()> {
    if interval.is_some_and(|interval| interval > args.patience / 2) {
        return Ok(());
    }
    let before: Vec<u64> = rooms.iter().map(|room| room.told.get()).collect();
    let still = || rooms.iter().zip(&before).filter(|(room, before)| room.told.get() == **before);
    let begin = Instant::now();
    while still().next().is_some() {
        ensure!(begin.elapsed() < args.patience, "{} rooms stood still", still().count());
        wait(tasks, Duration::from_millis(50)).await?;
    }
    Ok(())
}

async fn silent(target: &Target) -> anyhow::Result<Connection> {
    match target.kind {
        Kind::Relay => Connection::open(target, "/echo").await,
        Kind::Noughts | Kind::Door => {
            let mut connection = Connection::greeted(target, "/ws").await?;
            connection.text().await?;
            Ok(connection)
        }
    }
}

/// Lets so many visitors come at any time, until the tasks are dropped.
async fn begin_visits(
    visitors: usize,
    target: &Rc<Target>,
    script: &Script,
    stats: &Rc<RefCell<Stats>>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<()> {
    let mut hosted = Vec::new();
    while target.kind == Kind::Noughts && hosted.len() < HOSTED {
        let (mut host, state) = enter(target, Way::Make(script.settings)).await?;
        tasks.spawn_local(async move { host.listen().await });
        hosted.push(state.code);
    }
    for number in 0..visitors {
        let target = Rc::clone(target);
        let stats = Rc::clone(stats);
        let room = hosted.get(number % HOSTED).copied();
        tasks.spawn_local(async move {
            loop {
                let begin = Instant::now();
                let connection = if let Some(room) = room {
                    enter(&target, Way::Join(room, Role::Spectator)).await?.0
                } else {
                    // The relay has no rooms to enter: it sends back what a visitor says.
                    let mut connection = Connection::greeted(&target, "/echo").await?;
                    connection.text().await?;
                    connection
                };
                stats.borrow_mut().opened(begin.elapsed());
                connection.close().await;
            }
        });
    }
    Ok(())
}
