//! Nodes on a fake engine in virtual time, with real copies in temporary folders, and what the log says of
//! their rooms.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use noughts_protocol::{Cell, Event, Mark, RoomSettings};
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::super::*;
use crate::cluster::directory::{NodeName, Owner};
use crate::cluster::engine::fake::{FakeCluster, FakeEngine};
use crate::cluster::record::{Content, Record};
use crate::journal::Journal;
use crate::journal::RoomJournal;
use crate::journal::entry::{Entry, NewRoom, Payload};
use crate::journal::environment::{Environment, Workers};
use crate::journal::error::DiskError;
use crate::journal::replica::ShardContents;
use crate::journal::room_log::RoomLog;
use crate::journal::store::Write;
use crate::shard::Shard;

/// One runtime, one order.
pub(super) const ENVIRONMENT: Environment =
    Environment { workers: Workers::Tasks, wall_clock: || 1_790_000_000_000, lot: || 0 };

/// The numbers of the rooms of each shard that a node has, as they came with the shard.
#[derive(Debug, Default)]
pub(super) struct House(Mutex<BTreeMap<u8, Vec<i64>>>);

impl House {
    pub(super) fn rooms(&self, shard: Shard) -> Option<Vec<i64>> {
        self.0.lock().get(&u8::from(shard)).cloned()
    }
}

impl Tenant for House {
    fn take(&self, shard: Shard, contents: ShardContents) -> BoxFuture<'static, ()> {
        let rooms = contents.rooms.iter().map(|room| room.id).collect();
        let before = self.0.lock().insert(shard.into(), rooms);
        assert_eq!(before, None, "shard {shard} was here");
        async {}.boxed()
    }

    fn leave(&self, shard: Shard) -> BoxFuture<'static, ()> {
        let before = self.0.lock().remove(&u8::from(shard));
        assert!(before.is_some(), "shard {shard} was not here");
        async {}.boxed()
    }
}

/// A node with its folder.
#[derive(Debug)]
pub(super) struct TestNode {
    pub(super) name: NodeName,
    pub(super) engine: FakeEngine,
    pub(super) journal: Journal,
    pub(super) directory: Directory,
    pub(super) house: Arc<House>,
    pub(super) secret: [u8; 32],
    pub(super) folder: TempDir,
    stop: CancellationToken,
    running: JoinHandle<Result<(), NodeError>>,
}

impl TestNode {
    /// A node with a new folder.
    pub(super) async fn start(cluster: &FakeCluster, number: u64) -> Self {
        Self::start_in(cluster, number, tempfile::tempdir().unwrap()).await.unwrap()
    }

    pub(super) async fn start_in(
        cluster: &FakeCluster,
        number: u64,
        folder: TempDir,
    ) -> Result<Self, JoinError> {
        let engine = cluster.engine();
        let opened = Journal::open_replica(folder.path(), ENVIRONMENT, |store| Box::new(store));
        let (journal, startup, replica, proposals) = opened.unwrap();
        let name = NodeName::of(number);
        let directory = Directory::new(name.clone(), None);
        let shared: Arc<dyn crate::cluster::engine::Engine> = Arc::new(engine.clone());
        let joining =
            join(shared, replica, proposals, directory.clone(), ENVIRONMENT, &startup).await;
        let node = match joining {
            Ok(node) => node,
            Err(error) => {
                journal.close().await;
                return Err(error);
            }
        };
        let (house, stop, secret) =
            (Arc::new(House::default()), CancellationToken::new(), node.secret());
        let tenant: Arc<dyn Tenant> = house.clone();
        let running = tokio::spawn(node.run(tenant, stop.clone()));
        Ok(Self { name, engine, journal, directory, house, secret, folder, stop, running })
    }

    /// Ends it without a word.
    pub(super) async fn kill(self) -> TempDir {
        self.running.abort();
        drop(self.running.await);
        self.journal.close().await;
        self.folder
    }

    /// Stops it, and returns its folder.
    pub(super) async fn stop(self) -> TempDir {
        self.stop.cancel();
        self.running.await.unwrap().unwrap();
        self.journal.close().await;
        self.folder
    }

    /// Waits until it has ended by itself.
    pub(super) async fn ended(self) -> Result<(), NodeError> {
        self.running.await.unwrap()
    }

    /// Waits until it owns so many shards.
    pub(super) async fn owns(&self, shards: usize) {
        self.until(|node| node.directory.owned().len() == shards).await;
    }

    /// Waits until something is so.
    pub(super) async fn until(&self, is_so: impl Fn(&Self) -> bool) {
        let polling = async {
            while !is_so(self) {
                pass(10).await;
            }
        };
        let owned = || self.directory.owned().len();
        timeout(Duration::from_secs(60), polling).await.unwrap_or_else(|_| panic!("{}", owned()));
    }

    /// Makes a room in a shard that it owns.
    pub(super) async fn make_room(&self, shard: Shard) -> Result<Room, DiskError> {
        make_room(&self.journal, shard).await
    }

    /// A room that the node has from another one.
    pub(super) async fn load_room(&self, id: i64) -> Result<Room, DiskError> {
        let log = self.journal.room(id);
        let stored = log.load().await?;
        Ok(Room { log, v: stored.entries.last().map_or(0, |entry| entry.v), tried: 0 })
    }
}

/// Makes a room in a shard.
pub(super) async fn make_room(journal: &Journal, shard: Shard) -> Result<Room, DiskError> {
    let code = shard.code(0);
    let log = journal.new_room(code);
    let new = NewRoom { code, settings: RoomSettings::default(), origins: Vec::new() };
    let tried = next_cell();
    log.create(new, &[moved(tried)]).await?;
    Ok(Room { log, v: 1, tried })
}

/// A room of a node, of which only its facts matter here.
pub(super) struct Room {
    pub(super) log: RoomJournal,
    pub(super) v: u64,
    /// The cell of the last fact that it wrote or tried to write: no other fact has it.
    pub(super) tried: u16,
}

impl Room {
    /// Writes one fact more, and returns its version.
    pub(super) async fn play(&mut self) -> Result<u64, DiskError> {
        self.tried = next_cell();
        self.log.append(self.v, &[moved(self.tried)], None).await?;
        self.v += 1;
        Ok(self.v)
    }
}

/// A cell that was not there before, within some ten thousand facts.
fn next_cell() -> u16 {
    static CELLS: AtomicU16 = AtomicU16::new(1);
    CELLS.fetch_add(1, Ordering::Relaxed)
}

fn moved(cell: u16) -> Event {
    let cell = Cell(cell);
    Event::Moved { game: 1, ply: 0, mark: Mark::X, cell, over: None, opening: None }
}

/// The records of the log.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The number of facts of each room.
    pub(super) rooms: BTreeMap<i64, u64>,
    /// Their cells.
    pub(super) cells: BTreeSet<(i64, u16)>,
    /// How often shards were claimed, and released.
    pub(super) claims: usize,
    pub(super) releases: usize,
    /// The number of records with writes, and the most writes of one.
    pub(super) records: usize,
    pub(super) longest: usize,
}

/// Reads the log. A fact that is there twice or is missing is an error.
pub(super) fn told(cluster: &FakeCluster) -> Told {
    let mut told = Told::default();
    for record in cluster.records() {
        match Record::decode(&record.record).unwrap().content {
            Content::Founded { .. } => assert_eq!(record.seq, 1),
            Content::Claimed => told.claims += 1,
            Content::Released => told.releases += 1,
            Content::Wrote(writes) => {
                told.records += 1;
                told.longest = told.longest.max(writes.len());
                writes.iter().for_each(|write| told.see(write));
            }
        }
    }
    told
}

impl Told {
    fn see(&mut self, write: &Write) {
        let (room, entries): (i64, &Vec<Entry>) = match write {
            Write::Create { room, entries, .. } => {
                assert_eq!(self.rooms.insert(*room, 0), None, "room {room} was made twice");
                (*room, entries)
            }
            Write::Append { room, entries, .. } => (*room, entries),
            _ => return,
        };
        let last = self.rooms.get_mut(&room).expect("a room that was made");
        for entry in entries {
            assert_eq!(entry.v, *last + 1, "the facts of room {room}");
            *last = entry.v;
            if let Payload::Move(cell) = entry.payload {
                self.cells.insert((room, cell));
            }
        }
    }
}

/// Waits until these nodes own all shards and agree on it; returns how long that took.
pub(super) async fn settled(nodes: &[&TestNode]) -> Duration {
    let began = Instant::now();
    let agree = || {
        Shard::all().all(|shard| {
            let owner = |node: &TestNode| match node.directory.owner(shard) {
                Owner::Me => Some(node.name.clone()),
                Owner::Node(name) => Some(name),
                Owner::Nobody => None,
            };
            let first = owner(nodes[0]);
            let mine = nodes.iter().filter(|node| node.directory.owner(shard) == Owner::Me);
            mine.count() == 1 && nodes.iter().all(|node| owner(node) == first)
        })
    };
    nodes[0].until(|_| agree()).await;
    began.elapsed()
}

/// A shard that a node owns.
pub(super) fn shard_of(node: &TestNode) -> Shard {
    node.directory.owned()[0]
}

/// Lets so many milliseconds pass, task by task.
pub(super) async fn pass(millis: u64) {
    drop(timeout(Duration::from_millis(millis), std::future::pending::<()>()).await);
}
