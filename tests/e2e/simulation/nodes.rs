//! The same checks in a simulated cluster of three nodes, which crash, stop, freeze and are cut off, over a
//! log that loses answers and its leader. Clients come back at any node. At the end every client and
//! every node's copy must agree, and no version of a room may stand for two facts.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use noughts_cli::net::address::ServerAddress;
use noughts_cli::net::connection::Destination;
use noughts_cli::net::connection::network::Network;
use noughts_cli::session::Action;
use noughts_harness::bot::{Bot, BotCommand, BotConfig};
use noughts_harness::checker::{StoredHistory, talk_violations};
use noughts_harness::fault_injector::FaultInjector;
use noughts_harness::history::ClientHistory;
use noughts_harness::node_world::{NodeWorld, run};
use noughts_harness::ordered_watch::OrderedWatch;
use noughts_harness::{Player, VIRTUAL_TIMEOUT, advance_time};
use noughts_protocol::{MarkChoice, Role, RoomCode, RoomSettings, SeatRequest};
use noughts_server::cluster::engine::fake::faults::{Faults, Link};
use noughts_server::cluster::record::{Content, Record};
use noughts_server::journal::store::Write;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{AGREEMENT_TIME, FAULTS, RESEND_TIME, disagreements, seeds, summary};

/// The nodes of a cluster.
const NODES: usize = 3;

/// After this time no shard moves any more.
const SETTLED: Duration = Duration::from_secs(60);

/// For so many simulations of a single server there is one of a cluster, which takes as long as they do.
const SHARE: u64 = 20;

/// The result of a simulation.
#[derive(Debug, Default)]
struct Outcome {
    histories: Vec<ClientHistory>,
    moves: usize,
    claims: usize,
    violations: Vec<String>,
}

struct Simulation {
    rng: StdRng,
    world: NodeWorld,
    networks: Vec<FaultInjector>,
    command: OrderedWatch<BotCommand>,
    rooms: Vec<(RoomCode, Vec<Bot>)>,
}

impl Simulation {
    async fn run(seed: u64, world: NodeWorld) -> Outcome {
        let command = OrderedWatch::new(BotCommand::Play);
        let rng = StdRng::seed_from_u64(seed);
        let mut simulation = Self { rng, world, networks: Vec::new(), command, rooms: Vec::new() };
        for _ in 0..simulation.rng.random_range(2..=4) {
            simulation.open_room().await;
        }
        simulation.inject_faults().await;
        simulation.finish().await
    }

    async fn open_room(&mut self) {
        let board = if self.rng.random_bool(0.8) { "3x3x3" } else { "5x4x4" }.parse().unwrap();
        let settings = RoomSettings { board, ..RoomSettings::default() };
        let host = self.bot("Host", Action::create(SeatRequest::Open, MarkChoice::X, settings));
        let code = host.room().await;
        let guest = self.bot("Guest", Action::join(code, Role::Player));
        let watcher = self.bot("Watcher", Action::join(code, Role::Spectator));
        self.rooms.push((code, vec![host, guest, watcher]));
    }

    fn bot(&mut self, name: &str, goal: Action) -> Bot {
        let faults = FaultInjector::new(FAULTS, self.rng.random());
        self.networks.push(faults.clone());
        let destination = Destination::new(ServerAddress::default(), name.parse().unwrap());
        let config = BotConfig {
            seed: self.rng.random(),
            max_think_time: Duration::from_secs(2),
            crash_probability: 0.02,
            faults: Some(faults.clone()),
            acknowledged: None,
        };
        Bot::start(self.world.network(faults), destination, goal, config, self.command.clone())
    }

    /// Injects faults into every network, the engine and the nodes, for half a minute to two minutes.
    async fn inject_faults(&mut self) {
        let stop = CancellationToken::new();
        let injecting: Vec<_> = (self.networks.iter().cloned())
            .map(|faults| {
                let stop = stop.clone();
                tokio::spawn(async move { faults.run(&stop).await })
            })
            .collect();
        if self.rng.random() {
            self.world.cluster.set_faults(Faults::MANY);
        }
        let until = Instant::now() + Duration::from_secs(self.rng.random_range(30..120));
        while Instant::now() < until {
            self.pass(8_000).await;
            self.disturb().await;
        }
        stop.cancel();
        for injected in injecting {
            injected.await.unwrap();
        }
    }

    async fn pass(&mut self, most: u64) {
        advance_time(Duration::from_millis(self.rng.random_range(0..most))).await;
    }

    /// Does something to a node, or to the log.
    async fn disturb(&mut self) {
        let node = self.rng.random_range(0..NODES);
        match self.rng.random_range(0..10) {
            0..3 => {
                self.world.crash(node);
                // Sometimes the others have noticed before it is back.
                let longest = if self.rng.random() { 500 } else { 15_000 };
                self.pass(longest).await;
                self.world.start(node).await;
            }
            3 => {
                self.world.stop(node).await;
                self.pass(5_000).await;
                self.world.start(node).await;
            }
            4..7 => {
                let link = if self.rng.random() { Link::Paused } else { Link::Cut };
                self.world.set_link(node, link);
                let longest = if self.rng.random() { 2_000 } else { 30_000 };
                self.pass(longest).await;
                self.world.set_link(node, Link::Open);
            }
            7 => {
                let gap = Duration::from_millis(self.rng.random_range(200..9_000));
                self.world.cluster.leader_gap(gap);
            }
            _ => {}
        }
    }

    /// Lets every game end on sound connections; then the clients and all copies must agree.
    async fn finish(mut self) -> Outcome {
        let mut outcome = Outcome::default();
        self.world.cluster.set_faults(Faults::NONE);
        self.command.set(BotCommand::Finish);
        // The observer does not come back when its room moves.
        advance_time(SETTLED).await;
        for wait in [RESEND_TIME, Duration::ZERO] {
            for (code, bots) in &self.rooms {
                let mut network = self.world.network(FaultInjector::new(FAULTS, 0));
                let stream = Box::new(network.connect(&ServerAddress::default()).await.unwrap());
                let mut observer = Player::greet(stream, "Observer", None, VIRTUAL_TIMEOUT).await;
                observer.join(*code, Role::Spectator).await.unwrap();
                outcome.violations.extend(disagreements(&mut observer, bots, AGREEMENT_TIME).await);
            }
            advance_time(wait).await;
        }
        for node in 0..NODES {
            self.world.stop(node).await;
        }
        for (code, bots) in &self.rooms {
            let histories: Vec<_> = bots.iter().map(Bot::history).collect();
            for node in 0..NODES {
                let stored = StoredHistory::read(self.world.folder(node), *code);
                outcome.violations.extend(stored.violations(&histories));
                outcome.moves += stored.moves();
            }
            outcome.violations.extend(talk_violations(self.world.folder(0), &histories));
            outcome.histories.extend(histories);
        }
        outcome.read_log(&self.world);
        outcome
    }
}

impl Outcome {
    /// Every version of a room is one fact in the log.
    fn read_log(&mut self, world: &NodeWorld) {
        let mut versions = BTreeMap::new();
        for record in world.cluster.records() {
            let writes = match Record::decode(&record.record).unwrap().content {
                Content::Wrote(writes) => writes,
                content => {
                    self.claims += usize::from(content == Content::Claimed);
                    continue;
                }
            };
            for write in writes {
                let (Write::Create { room, entries, .. } | Write::Append { room, entries, .. }) =
                    write
                else {
                    continue;
                };
                for entry in entries {
                    let last = versions.insert(room, entry.v).unwrap_or(0);
                    if entry.v != last + 1 {
                        self.violations.push(format!("room {room}: {} follows {last}", entry.v));
                    }
                }
            }
        }
    }
}

fn simulate(seed: u64) -> Outcome {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        run(seed, NODES, async |world| Simulation::run(seed, world).await)
    }));
    outcome.unwrap_or_else(|_| Outcome {
        violations: vec!["it panicked".to_owned()],
        ..Outcome::default()
    })
}

#[test]
fn no_fault_of_a_node_loses_doubles_or_reorders_a_move() {
    let (first, count) = seeds();
    let count = count.div_ceil(SHARE);
    println!("{count} simulated clusters from seed {first}");
    let begun = std::time::Instant::now();
    let (mut histories, mut moves, mut claims, mut violations) = (Vec::new(), 0, 0, Vec::new());
    for seed in first..first + count {
        let outcome = simulate(seed);
        histories.extend(outcome.histories);
        moves += outcome.moves;
        claims += outcome.claims;
        if !outcome.violations.is_empty() {
            println!("replay it with: NOUGHTS_SEED={seed} tests/run no_fault_of_a_node");
            violations.push(format!("seed {seed}:\n{}", outcome.violations.join("\n")));
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{count} clusters in {seconds:.1} s: {moves} moves in copies, {claims} claims, {}",
        summary(&histories)
    );
    assert!(violations.is_empty(), "{}", violations.join("\n\n"));
    assert!(moves > 0, "nothing was played");
}
