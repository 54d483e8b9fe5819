//! Three nodes over a fake engine in virtual time: what befalls them, and what must be so when it is over.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::super::super::*;
use super::super::world::{ENVIRONMENT, pass};
use super::copies::differences;
use super::house::{House, SharedLedger, Subject};
use super::ledger::{Kind, LogReader};
use super::{NODES, Outcome, Scenario};
use crate::cluster::directory::{NodeName, Owner};
use crate::cluster::engine::fake::faults::{Faults, Link};
use crate::cluster::engine::fake::{FakeCluster, FakeEngine};
use crate::cluster::engine::{Delivered, Engine};
use crate::journal::Journal;
use crate::journal::store::Store;
use crate::shard::Shard;

/// Rooms and parties of a world at most.
const MAX_SUBJECTS: usize = 8;

/// After the last fault everything is well within this time.
const RECOVERY: Duration = Duration::from_secs(40);

/// The file of a copy.
const FILE: &str = "journal.db";

/// A node starts again at most so often if the log seems shorter than its copy.
const STARTS: u32 = 30;

/// A node that runs.
#[derive(Debug)]
struct SimulatedNode {
    engine: FakeEngine,
    journal: Journal,
    directory: Directory,
    house: Arc<House>,
    applied: watch::Receiver<u64>,
    stop: CancellationToken,
    running: JoinHandle<Result<(), NodeError>>,
}

/// The nodes, by their places; a place is empty while its node is down.
#[derive(Debug)]
pub(super) struct World {
    pub(super) cluster: FakeCluster,
    rng: StdRng,
    folders: Vec<TempDir>,
    nodes: Vec<Option<SimulatedNode>>,
    started: u64,
    /// Links that open again at a time.
    opening: Vec<(Instant, usize)>,
    ledger: SharedLedger,
    /// The writes that have no outcome yet.
    writing: TaskTracker,
}

/// A folder in memory where the system has one: the disk of a simulation need not last.
fn memory_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let folder = folder.unwrap();
    std::fs::write(folder.path().join(FILE), new_copy()).unwrap();
    folder
}

/// A new copy: to make its tables takes longer than all that is written in a world.
fn new_copy() -> &'static [u8] {
    static COPY: OnceLock<Vec<u8>> = OnceLock::new();
    COPY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open_replica(folder.path()).unwrap());
        std::fs::read(folder.path().join(FILE)).unwrap()
    })
}

impl World {
    /// A world in which three nodes share the shards.
    pub(super) async fn begin(seed: u64) -> Self {
        let mut world = Self {
            cluster: FakeCluster::new(seed),
            rng: StdRng::seed_from_u64(seed),
            folders: (0..NODES).map(|_| memory_folder()).collect(),
            nodes: Vec::new(),
            started: 0,
            opening: Vec::new(),
            ledger: SharedLedger::default(),
            writing: TaskTracker::new(),
        };
        let starting: Vec<_> = (0..NODES).map(|place| world.starting(place)).collect();
        let started = futures::future::join_all(starting).await;
        world.nodes = started.into_iter().map(|node| Some(node.unwrap())).collect();
        world
    }

    /// Plays and breaks things for some seconds; then everything must be well again.
    pub(super) async fn run(mut self, scenario: Scenario) -> Outcome {
        self.until_settled().await;
        let quiet = LogReader::read(&self.cluster.records()).claims;
        scenario.flaw.iter().for_each(|flaw| self.cluster.set_flaw(*flaw));
        let kinds = if scenario.has_faults { 3 } else { 1 };
        let faults = [Faults::NONE, Faults::MANY, Faults::ALL][self.rng.random_range(0..kinds)];
        self.cluster.set_faults(faults);
        self.ledger.lock().reads_may_be_stale = faults.stale_bounds > 0.0;
        let until = Instant::now() + Duration::from_millis(self.rng.random_range(4000..12_000));
        while Instant::now() < until {
            for _ in 0..self.rng.random_range(4..10) {
                self.play();
                self.pass(200).await;
                self.open_links();
            }
            (scenario.disturb)(&mut self).await;
        }
        self.recover(quiet).await
    }

    /// Lets at most so many milliseconds pass.
    pub(super) async fn pass(&mut self, most: u64) {
        pass(self.rng.random_range(0..most)).await;
    }

    /// Writes something in a room or party on a node that has it, or that believes so.
    fn play(&mut self) {
        let place = self.rng.random_range(0..NODES);
        let known = self.ledger.lock().known.clone();
        let (code, kind) = (self.rng.random(), self.rng.random_bool(0.8));
        let kind = if kind { Kind::Room } else { Kind::Party };
        let (makes, anywhere) = (self.rng.random_bool(0.3), self.rng.random_bool(0.2));
        let (chosen, facts) = (self.rng.random_range(0..64), self.rng.random_range(1..3));
        if known.is_empty() || known.len() < MAX_SUBJECTS && makes || anywhere && makes {
            let Some(node) = &self.nodes[place] else { return };
            // The log refuses a node that tries to write for a shard that no node has.
            let all: Vec<_> = if anywhere { Shard::all().collect() } else { node.house.shards() };
            if !all.is_empty() {
                node.house.make(all[chosen % all.len()].code(code), kind, &self.writing);
            }
            return;
        }
        let subject = known[chosen % known.len()];
        for place in place..place + NODES {
            if let Some(node) = &self.nodes[place % NODES]
                && node.house.write(subject, facts, &self.writing)
            {
                return;
            }
        }
    }

    /// Does something to a node, or to the engine.
    pub(super) async fn disturb(&mut self) {
        let place = self.rng.random_range(0..NODES);
        let for_long = self.rng.random_bool(0.4);
        match self.rng.random_range(0..10) {
            0..2 => {
                self.crash(place).await;
                self.pass(if for_long { 4000 } else { 500 }).await;
                self.start(place).await;
            }
            2 => {
                self.stop(place).await;
                self.pass(2000).await;
                self.start(place).await;
            }
            3..6 => {
                let link = [Link::Paused, Link::Cut, Link::Late][self.rng.random_range(0..3)];
                let most = if for_long { 8000 } else { 1500 };
                let time = self.rng.random_range(100..most);
                self.set_link(place, link, Duration::from_millis(time));
            }
            6 => {
                let time = if for_long { 4000..9000 } else { 200..3000 };
                self.cluster.leader_gap(Duration::from_millis(self.rng.random_range(time)));
            }
            7 => self.cluster.restart(Duration::from_millis(self.rng.random_range(50..3000))),
            8 => {
                // All machines sleep.
                let time = Duration::from_millis(self.rng.random_range(500..5000));
                tokio::time::advance(time).await;
            }
            _ => {}
        }
    }

    /// Starts a node that is down, under a new name, in the folder of its place.
    async fn start(&mut self, place: usize) {
        for _ in 0..STARTS {
            match self.starting(place).await {
                Ok(node) => {
                    self.nodes[place] = Some(node);
                    return;
                }
                // A range of records that is out of date: what runs a server starts it again.
                Err(JoinError::Shorter { .. }) => pass(500).await,
                Err(error) => {
                    self.ledger.lock().violation(format!("a node does not start: {error}"));
                    return;
                }
            }
        }
        self.ledger.lock().violation("a node starts no more".to_owned());
    }

    /// A node that starts.
    fn starting(
        &mut self,
        place: usize,
    ) -> impl Future<Output = Result<SimulatedNode, JoinError>> + use<> {
        self.started += 1;
        let (engine, ledger) = (self.cluster.engine(), Arc::clone(&self.ledger));
        let folder = self.folders[place].path();
        let opened = Journal::open_replica(folder, ENVIRONMENT, |store| Box::new(store));
        let (journal, startup, replica, proposals) = opened.unwrap();
        let directory = Directory::new(NodeName::of(self.started), None);
        async move {
            let (applied, stop) = (replica.applied(), CancellationToken::new());
            let shared: Arc<dyn Engine> = Arc::new(engine.clone());
            let joining =
                join(shared, replica, proposals, directory.clone(), ENVIRONMENT, &startup);
            let node = match joining.await {
                Ok(node) => node,
                Err(error) => {
                    journal.close().await;
                    return Err(error);
                }
            };
            let house = Arc::new(House::new(journal.clone(), directory.clone(), ledger));
            let running = tokio::spawn(node.run(house.clone(), stop.clone()));
            Ok(SimulatedNode { engine, journal, directory, house, applied, stop, running })
        }
    }

    /// Ends a node without a word: from this moment on nothing of it reaches the engine.
    pub(super) async fn crash(&mut self, place: usize) {
        let Some(node) = self.nodes[place].take() else { return };
        node.engine.set_link(Link::Cut);
        node.house.has_ended.store(true, Ordering::Relaxed);
        node.house.is_gone.store(true, Ordering::Relaxed);
        node.running.abort();
        drop(node.running.await);
        node.journal.close().await;
    }

    /// Stops a node as SIGTERM does.
    async fn stop(&mut self, place: usize) {
        let Some(node) = self.nodes[place].take() else { return };
        node.house.has_ended.store(true, Ordering::Relaxed);
        node.stop.cancel();
        if !matches!(node.running.await, Ok(Ok(()))) {
            self.ledger.lock().violation("a node did not stop well".to_owned());
        }
        node.house.is_gone.store(true, Ordering::Relaxed);
        node.journal.close().await;
    }

    /// Pauses or cuts the link of a node for some time.
    pub(super) fn set_link(&mut self, place: usize, link: Link, time: Duration) {
        if let Some(node) = &self.nodes[place] {
            node.engine.set_link(link);
            self.opening.push((Instant::now() + time, place));
        }
    }

    /// Opens the links whose time has come.
    fn open_links(&mut self) {
        let (due, rest) = self.opening.iter().partition(|(at, _)| *at <= Instant::now());
        self.opening = rest;
        let due: Vec<(Instant, usize)> = due;
        for (_, place) in due {
            if let Some(node) = &self.nodes[place] {
                node.engine.set_link(Link::Open);
            }
        }
    }

    /// Ends all faults. Then every shard gets one owner, every room goes on, and all copies become equal.
    async fn recover(mut self, quiet: usize) -> Outcome {
        self.cluster.set_faults(Faults::NONE);
        for place in 0..NODES {
            if self.nodes[place].is_none() {
                self.start(place).await;
            }
        }
        for node in self.nodes.iter().flatten() {
            node.engine.set_link(Link::Open);
        }
        self.until_settled().await;
        self.writing.close();
        if timeout(RECOVERY, self.writing.wait()).await.is_err() {
            let mut ledger = self.ledger.lock();
            let waiting = std::mem::take(&mut ledger.waiting);
            ledger.violation(format!("{} tasks wait: {waiting:?}", self.writing.len()));
        }
        self.go_on().await;
        let records = self.end().await;
        let log = LogReader::read(&records);
        let mut ledger = self.ledger.lock();
        ledger.check(&log);
        let folders: Vec<_> = self.folders.iter().map(TempDir::path).collect();
        ledger.violations.extend(differences(&folders, &log));
        Outcome {
            writes: ledger.counts(),
            claims: log.claims,
            claimed_later: log.claims - quiet,
            violations: std::mem::take(&mut ledger.violations),
            records: records.len(),
        }
    }

    /// Waits until all copies have the whole log, and ends all nodes at that moment. Returns the log.
    async fn end(&mut self) -> Vec<Delivered> {
        let deadline = Instant::now() + RECOVERY;
        let last = |world: &Self| world.cluster.length();
        while self.nodes.iter().flatten().any(|node| *node.applied.borrow() < last(self)) {
            if Instant::now() > deadline {
                self.ledger.lock().violation(format!("a copy does not come to {}", last(self)));
                break;
            }
            pass(10).await;
        }
        let records = self.cluster.records();
        let nodes: Vec<_> = self.nodes.drain(..).flatten().collect();
        for SimulatedNode { engine, running, .. } in &nodes {
            if running.is_finished() {
                self.ledger.lock().violation("a node ended by itself".to_owned());
            }
            // A record on its way comes to no copy either.
            engine.set_link(Link::Cut);
            running.abort();
        }
        for node in nodes {
            drop(node.running.await);
            node.journal.close().await;
        }
        records
    }

    /// Every room and party goes on where it is.
    async fn go_on(&self) {
        let log = LogReader::read(&self.cluster.records());
        for (id, (kind, v)) in &log.versions {
            let owner =
                |node: &&SimulatedNode| node.directory.owner(Shard::of_number(*id)) == Owner::Me;
            let Some(node) = self.nodes.iter().flatten().find(owner) else { continue };
            let tasks = TaskTracker::new();
            node.house.write((*id, *kind), 1, &tasks);
            tasks.close();
            let written = timeout(RECOVERY, tasks.wait()).await;
            let loaded = Subject::load(&node.journal, *id, *kind).await.map(|subject| subject.v);
            if written.is_err() || loaded != Ok(v + 1) {
                let text = format!("{kind:?} {id} does not go on after {v}: {loaded:?}");
                self.ledger.lock().violation(text);
            }
        }
    }

    /// Waits until these nodes own all shards and agree on it.
    async fn until_settled(&self) {
        let deadline = Instant::now() + RECOVERY;
        while let Some(shard) = Shard::all().find(|shard| !self.agree(*shard)) {
            if Instant::now() > deadline {
                let owners = self.nodes.iter().flatten().map(|node| node.directory.owner(shard));
                let text = format!("shard {shard} is of {:?}", owners.collect::<Vec<_>>());
                self.ledger.lock().violation(text);
                return;
            }
            pass(50).await;
        }
    }

    /// Whether all nodes name the same owner of a shard, and it is one of them.
    fn agree(&self, shard: Shard) -> bool {
        let nodes = || self.nodes.iter().flatten();
        let mut mine = nodes().filter(|node| node.directory.owner(shard) == Owner::Me);
        let (Some(owner), None) = (mine.next(), mine.next()) else { return false };
        let named = Owner::Node(owner.directory.me().clone());
        let others = nodes().filter(|node| node.directory.me() != owner.directory.me());
        let agree = others.clone().all(|node| node.directory.owner(shard) == named);
        agree && owner.house.has(shard) && others.clone().all(|node| !node.house.has(shard))
    }
}
