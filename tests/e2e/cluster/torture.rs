//! Three nodes on three NATS servers, all real processes, under load. In each round one of them is killed,
//! stopped or frozen, and comes back; or a node and the bucket's leader are killed at once, or all NATS
//! servers. Afterwards the copies of all nodes and every client agree.
//!
//! `NOUGHTS_CLUSTER_ROUNDS` sets the number of rounds (`tests/run --long` does), `NOUGHTS_SEED` repeats
//! the random choices of a run.

use std::time::{Duration, Instant};

use noughts_cli::action::Action;
use noughts_client::address::Link;
use noughts_client::connection::Destination;
use noughts_client::connection::network::Tcp;
use noughts_harness::bot::{Bot, BotCommand, BotConfig, poll_delay};
use noughts_harness::checker::Stored;
use noughts_harness::nats::until_whole;
use noughts_harness::ordered_watch::OrderedWatch;
use noughts_harness::{LONG_TIMEOUT, NatsServers, ServerProcess};
use noughts_protocol::{MarkChoice, Role, RoomCode, RoomSettings, SeatRequest};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tokio::sync::watch;
use tokio::time::timeout;

use super::enter;
use crate::simulation::{disagreements, number_from_env, summary};

/// The nodes, and the NATS servers.
const NODES: usize = 3;

/// Rooms, each with two players and a spectator, on all nodes.
const ROOMS: usize = 12;

/// The moves that must be acknowledged in a round before the fault, and again after it.
const MOVES: u64 = 100;

/// How long what is frozen is away: so long that the other nodes have all rooms of a node.
const FROZEN: Duration = Duration::from_secs(8);

/// Bots move without rate limits, so that every fault meets moves in progress.
const OPTIONS: [&str; 2] = ["--intents-per-second", "10000"];

/// The stream of the rooms.
const BUCKET: &str = "KV_noughts-rooms";

/// The fault of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    KillNode,
    FreezeNode,
    StopNode,
    KillNats,
    FreezeNats,
    StopNats,
    KillNodeAndNats,
    KillAllNats,
}

/// All faults, in the order of the first rounds.
const FAULTS: [Fault; 8] = [
    Fault::KillNode,
    Fault::KillNats,
    Fault::FreezeNode,
    Fault::StopNode,
    Fault::KillAllNats,
    Fault::StopNats,
    Fault::KillNodeAndNats,
    Fault::FreezeNats,
];

struct Torture {
    rng: StdRng,
    nats: NatsServers,
    nodes: Vec<Option<ServerProcess>>,
    /// The number of moves that were acknowledged to all bots.
    acknowledged: watch::Sender<u64>,
    command: OrderedWatch<BotCommand>,
    rooms: Vec<(RoomCode, Vec<Bot>)>,
}

impl Torture {
    async fn begin(seed: u64, nats: NatsServers) -> Self {
        let nodes = (0..3).map(|number| Some(nats.node(number, &OPTIONS))).collect();
        let mut torture = Self {
            rng: StdRng::seed_from_u64(seed),
            nats,
            nodes,
            acknowledged: watch::Sender::new(0),
            command: OrderedWatch::new(BotCommand::Play),
            rooms: Vec::new(),
        };
        until_whole(torture.nodes.iter().flatten()).await;
        for number in 0..ROOMS {
            torture.open_room(number).await;
        }
        torture
    }

    /// Opens a room; over all rooms, its people are on all combinations of nodes.
    async fn open_room(&mut self, number: usize) {
        let new = Action::create(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        let host = self.bot("Host", number, new);
        let code = timeout(LONG_TIMEOUT, host.room()).await.expect("no room is made");
        let guest = self.bot("Guest", number + number / 3, Action::join(code, Role::Player));
        let watcher = self.bot("Watcher", number + 2, Action::join(code, Role::Spectator));
        self.rooms.push((code, vec![host, guest, watcher]));
    }

    fn bot(&mut self, name: &str, node: usize, goal: Action) -> Bot {
        let node = self.nodes[node % NODES].as_ref().unwrap();
        let server = node.address().to_string().parse::<Link>().unwrap().server;
        let destination = Destination::new(server, name.parse().unwrap());
        let config = BotConfig {
            seed: self.rng.random(),
            max_think_time: Duration::from_millis(50),
            crash_probability: 0.005,
            faults: None,
            acknowledged: Some(self.acknowledged.clone()),
        };
        Bot::start(Tcp, destination, goal, config, self.command.clone())
    }

    /// Waits until the bots have made some more moves.
    async fn progress(&self, when: &str) {
        let begun = Instant::now();
        let mut count = self.acknowledged.subscribe();
        let target = *count.borrow() + MOVES;
        let reached = count.wait_for(|count| *count >= target);
        let is_reached = timeout(LONG_TIMEOUT, reached).await.is_ok();
        assert!(is_reached, "{when}: no bot moves any more");
        println!("{when}: {MOVES} moves after {:.1?}", begun.elapsed());
    }

    async fn befall(&mut self, fault: Fault) {
        let index = self.rng.random_range(0..NODES);
        self.progress("before").await;
        println!("{fault:?} {index}");
        match fault {
            Fault::KillNode => {
                self.nodes[index].as_mut().unwrap().kill();
                self.progress("without the node").await;
                self.restart(index).await;
            }
            Fault::FreezeNode => {
                self.nodes[index].as_ref().unwrap().freeze();
                self.progress_for(FROZEN, "without the node").await;
                self.nodes[index].as_ref().unwrap().thaw();
            }
            Fault::StopNode => {
                let code = self.nodes[index].as_mut().unwrap().terminate();
                assert_eq!(code, Some(0), "{}", self.nodes[index].as_ref().unwrap().log());
                self.progress("without the node").await;
                self.restart(index).await;
            }
            Fault::KillNats => {
                let leader = self.nats.until_led(BUCKET).await;
                self.nats.kill(leader);
                self.progress("without the leader").await;
                self.nats.restart(leader);
            }
            Fault::StopNats => {
                let leader = self.nats.until_led(BUCKET).await;
                self.nats.terminate(leader);
                self.progress("without the leader").await;
                self.nats.restart(leader);
            }
            Fault::KillNodeAndNats => {
                let leader = self.nats.until_led(BUCKET).await;
                self.nats.kill(leader);
                self.nodes[index].as_mut().unwrap().kill();
                self.progress("without the node and the leader").await;
                self.nats.restart(leader);
                self.restart(index).await;
            }
            Fault::FreezeNats => {
                let leader = self.nats.until_led(BUCKET).await;
                self.nats.freeze(leader);
                self.progress_for(FROZEN, "with a frozen leader").await;
                self.nats.thaw(leader);
            }
            Fault::KillAllNats => {
                (0..NODES).for_each(|index| self.nats.kill(index));
                poll_delay().await;
                (0..NODES).for_each(|index| self.nats.restart(index));
            }
        }
        self.progress("after").await;
        until_whole(self.nodes.iter().flatten()).await;
    }

    async fn progress_for(&self, time: Duration, when: &str) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            self.progress(when).await;
        }
    }

    async fn restart(&mut self, index: usize) {
        let node = self.nodes[index].take().unwrap();
        let restarted = tokio::task::spawn_blocking(move || node.restart()).await;
        self.nodes[index] = Some(restarted.unwrap());
    }

    /// Lets every game end and compares the clients and the copies of all nodes. Returns the number of
    /// moves, and the violations.
    async fn finish(mut self) -> (usize, Vec<String>) {
        self.command.set(BotCommand::Finish);
        let mut violations = Vec::new();
        let mut all = Vec::new();
        let mut last = Vec::new();
        for (code, bots) in &self.rooms {
            let node = self.nodes.choose(&mut self.rng).unwrap().as_ref().unwrap();
            let mut observer = enter(node, "Observer", None, *code, Role::Spectator).await;
            violations.extend(disagreements(&mut observer, bots, LONG_TIMEOUT).await);
            last.push(observer.state().clone());
        }
        until_whole(self.nodes.iter().flatten()).await;
        for node in self.nodes.iter_mut().flatten() {
            node.kill();
        }
        let mut moves = 0;
        let mut exported = Vec::new();
        for (number, node) in self.nodes.iter().flatten().enumerate() {
            let log = node.log();
            violations.extend(log.contains("panicked").then(|| format!("node {number}:\n{log}")));
            node.tool("verify");
            exported.push(node.tool("export"));
            let stored = Stored::read(node.folder());
            for ((code, bots), last) in self.rooms.iter().zip(&last) {
                let mut room = stored.room(*code);
                room.show(last);
                let histories: Vec<_> = bots.iter().map(Bot::history).collect();
                let found = room.violations(&histories);
                violations
                    .extend(found.iter().map(|found| format!("node {number}, {code}: {found}")));
                moves += room.moves();
                all.extend(histories);
            }
        }
        let is_same = exported.iter().all(|one| *one == exported[0]);
        violations.extend((!is_same).then(|| "the nodes export different games".to_owned()));
        let outage = all.iter().map(|history| history.longest_outage).max().unwrap_or_default();
        println!(
            "{}; the longest break of a player: {outage:.1?}",
            summary(&all[..all.len() / NODES])
        );
        (moves / NODES, violations)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_whatever_becomes_of_nodes_and_nats_servers() {
    let Some(nats) = NatsServers::start("a cluster of real processes that are killed", 3) else {
        return;
    };
    let rounds = number_from_env("NOUGHTS_CLUSTER_ROUNDS").unwrap_or(FAULTS.len() as u64);
    let seed = number_from_env("NOUGHTS_SEED").unwrap_or_else(rand::random);
    println!(
        "{rounds} rounds: NOUGHTS_SEED={seed} NOUGHTS_CLUSTER_ROUNDS={rounds} tests/run whatever_becomes_of_nodes"
    );
    let begun = Instant::now();
    let mut torture = Torture::begin(seed, nats).await;
    for round in 0..rounds {
        let in_order = usize::try_from(round).ok().and_then(|round| FAULTS.get(round));
        let fault = in_order.or_else(|| FAULTS.choose(&mut torture.rng)).copied().unwrap();
        torture.befall(fault).await;
    }
    let (moves, violations) = torture.finish().await;
    let seconds = begun.elapsed().as_secs();
    println!("{rounds} rounds, {moves} moves, {seconds} s, {} violations", violations.len());
    assert!(violations.is_empty(), "seed {seed}:\n{}", violations.join("\n"));
    assert!(moves > 0, "nothing was played");
}
