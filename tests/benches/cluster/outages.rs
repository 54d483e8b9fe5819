//! How long rooms pause when a node or a NATS server is killed or stopped.

use std::time::{Duration, Instant};

use noughts_cli::address::Link;
use noughts_cli::connection::Destination;
use noughts_cli::connection::network::Tcp;
use noughts_cli::core::Action;
use noughts_harness::LONG_TIMEOUT;
use noughts_harness::bot::{Bot, BotCommand, BotConfig, poll_delay};
use noughts_harness::nats::LOG;
use noughts_harness::ordered_watch::OrderedWatch;
use noughts_protocol::{MarkChoice, Role, RoomSettings, SeatRequest};
use tokio::sync::watch;
use tokio::time::timeout;

use super::Cluster;

/// The rooms of the node that ends. One player of each is connected to it, the other one to the next.
const ROOMS: [usize; 2] = [100, 1000];

/// The rooms in which a pause of the log is measured, and the longest time that a player in them thinks.
const BUSY_ROOMS: usize = 30;
const SHORT: Duration = Duration::from_millis(100);

pub(super) async fn measure() {
    println!("what happens                    rooms       p50       p99     worst");
    for kills in [true, false] {
        for count in ROOMS {
            node_ends(kills, count).await;
        }
    }
    for kills in [true, false] {
        leader_ends(kills).await;
    }
}

/// A room and its two players.
struct Room {
    players: [Bot; 2],
    /// The number of its moves.
    moves: watch::Receiver<u64>,
}

async fn rooms(cluster: &Cluster, count: usize, max_think_time: Duration) -> Vec<Room> {
    let command = OrderedWatch::new(BotCommand::Play);
    let mut rooms = Vec::new();
    for number in 0..count {
        let (acknowledged, moves) = watch::channel(0);
        let bot = |node: usize, goal| {
            let server = cluster.address(node).to_string().parse::<Link>().unwrap().server;
            let destination = Destination::new(server, "Bot".parse().unwrap());
            let config = BotConfig {
                seed: 2 * number as u64 + node as u64,
                max_think_time,
                crash_probability: 0.0,
                faults: None,
                acknowledged: Some(acknowledged.clone()),
            };
            Bot::start(Tcp, destination, goal, config, command.clone())
        };
        let host =
            bot(0, Action::create(SeatRequest::Open, MarkChoice::X, RoomSettings::default()));
        let code = host.room().await;
        rooms.push(Room { players: [host, bot(1, Action::join(code, Role::Player))], moves });
    }
    // Every room is played in.
    all_move(&mut rooms).await;
    rooms
}

/// Waits until there were two more moves in every room.
async fn all_move(rooms: &mut [Room]) {
    let targets: Vec<u64> = rooms.iter().map(|room| *room.moves.borrow() + 2).collect();
    for (room, target) in rooms.iter_mut().zip(targets) {
        let moved = timeout(LONG_TIMEOUT, room.moves.wait_for(|moves| *moves >= target));
        moved.await.expect("a room does not go on").unwrap();
    }
}

/// A node with rooms is killed, or stopped with SIGTERM. A room's pause lasts from the kill, or from when
/// a player loses it, until both players see it again. Beside it stands how long a player of the room
/// waited for the answer to a move.
async fn node_ends(kills: bool, count: usize) {
    let mut cluster = Cluster::start().await;
    let mut rooms = rooms(&cluster, count, Duration::from_secs(2)).await;
    let players = || rooms.iter().flat_map(|room| &room.players);
    players().for_each(|player| player.state.lock().history.longest_wait = Duration::ZERO);
    let begun = Instant::now();
    let mut node = cluster.nodes.remove(0);
    let ending = tokio::task::spawn_blocking(move || {
        if kills {
            node.kill();
        } else {
            assert_eq!(node.terminate(), Some(0), "{}", node.log());
        }
        node
    });
    all_move(&mut rooms).await;
    drop(ending.await);
    let pause = |room: &Room| {
        let breaks = room.players.iter().map(|player| {
            let state = player.state.lock();
            let seen = state.seen_again.expect("nobody lost the room");
            if kills { seen.into_std() - begun } else { state.history.longest_outage }
        });
        breaks.max().unwrap_or_default()
    };
    let longest = |room: &Room| {
        let waits = room.players.iter().map(|player| player.history().longest_wait);
        waits.max().unwrap_or_default()
    };
    let what = if kills { "a node is killed" } else { "a node is stopped" };
    row(what, rooms.iter().map(pause).collect());
    row("  the wait for a move", rooms.iter().map(longest).collect());
}

/// The NATS server that leads the log is killed, or stopped with SIGTERM. A room's pause is its longest
/// time without a move, with the time in which its players think.
async fn leader_ends(kills: bool) {
    let mut cluster = Cluster::start().await;
    let mut rooms = rooms(&cluster, BUSY_ROOMS, SHORT).await;
    let leader = cluster.nats.until_led(LOG).await;
    let pauses = rooms.iter().map(|room| tokio::spawn(longest_pause(room.moves.clone())));
    let pauses: Vec<_> = pauses.collect();
    let nats = tokio::task::spawn_blocking(move || {
        if kills {
            cluster.nats.kill(leader);
        } else {
            cluster.nats.terminate(leader);
        }
        cluster
    });
    let cluster = nats.await.unwrap();
    cluster.nats.until_led(LOG).await;
    for _ in 0..5 {
        all_move(&mut rooms).await;
        poll_delay().await;
    }
    drop(rooms);
    let mut longest = Vec::new();
    for pause in pauses {
        longest.push(pause.await.unwrap());
    }
    row(if kills { "the log's leader is killed" } else { "the log's leader is stopped" }, longest);
}

/// The longest time between two moves, until the room's players are gone.
async fn longest_pause(mut moves: watch::Receiver<u64>) -> Duration {
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    while moves.changed().await.is_ok() {
        longest = longest.max(last.elapsed());
        last = Instant::now();
    }
    longest
}

fn row(what: &str, mut pauses: Vec<Duration>) {
    pauses.sort_unstable();
    let at =
        |percent: usize| pauses[(pauses.len() * percent / 100).min(pauses.len() - 1)].as_secs_f64();
    println!("{what:28} {:8} {:7.2} s {:7.2} s {:7.2} s", pauses.len(), at(50), at(99), at(100));
}
