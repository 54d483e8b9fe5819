//! The runs in which facts happen, and the numbers that new rooms and parties get: those of a single
//! server, which counts 1, 2, 3, or those of the shards that a node owns.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use noughts_protocol::RoomCode;
use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::error::DiskError;
use super::proposals::Proposal;
use super::startup::Startup;
use super::uptime::Uptime;
use crate::shard::Shard;

/// Who reads a room back waits at most so long until this node has done the records that it knows of.
/// A node that works is some milliseconds behind.
const CATCH_UP: Duration = Duration::from_secs(5);

/// Where runs and numbers come from.
#[derive(Debug)]
pub(super) enum Runs {
    /// A single server has one run at a time.
    Server(Server),
    /// On a node each shard has its own.
    Node(Node),
}

/// The run and the numbers of a single server.
#[derive(Debug)]
pub(super) struct Server {
    uptime: Arc<Uptime>,
    /// How long the server ran before, in milliseconds.
    age: i64,
    next_room: AtomicI64,
    next_party: AtomicI64,
}

/// A node's part of the journal: its shards, and how far the log is done.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) proposals: mpsc::Sender<Proposal>,
    /// The shards that this node has owned: at most all of them.
    shards: Mutex<HashMap<Shard, ShardRun>>,
    /// The age of the cluster when this journal was opened, in milliseconds, as far as it is known by now.
    pub(super) age: AtomicI64,
    /// The last record that is known to be in the log.
    appended: AtomicU64,
    /// The last record that is done in the file.
    pub(super) applied: watch::Sender<u64>,
}

/// The last run of a shard on this node.
#[derive(Debug)]
struct ShardRun {
    uptime: Arc<Uptime>,
    next_number: i64,
}

impl Runs {
    /// The runs of a single server.
    pub(super) fn of_server(startup: &Startup) -> Self {
        Self::Server(Server {
            uptime: Arc::new(startup.uptime.clone()),
            age: startup.age,
            next_room: AtomicI64::new(startup.next_room),
            next_party: AtomicI64::new(startup.next_party),
        })
    }

    /// How long the server, or the cluster, had run before this journal was opened, in milliseconds.
    pub(super) fn age(&self) -> i64 {
        match self {
            Self::Server(server) => server.age,
            Self::Node(node) => node.age.load(Ordering::Relaxed),
        }
    }

    /// The runs of the room or party with a number.
    pub(super) fn uptime(&self, number: i64) -> Arc<Uptime> {
        match self {
            Self::Server(server) => Arc::clone(&server.uptime),
            Self::Node(node) => {
                let shards = node.shards.lock();
                let run = shards.get(&Shard::of_number(number));
                // A shard that was never taken has no room here whose time would count.
                run.map_or_else(|| Arc::new(Uptime::new(Vec::new())), |run| Arc::clone(&run.uptime))
            }
        }
    }

    /// The number of a new room. `now` is the time of day in milliseconds since 1970.
    pub(super) fn next_room(&self, code: RoomCode, now: i64) -> i64 {
        match self {
            Self::Server(server) => server.next_room.fetch_add(1, Ordering::Relaxed),
            Self::Node(node) => node.next_number(Shard::of_code(code), now),
        }
    }

    /// The number of a new party.
    pub(super) fn next_party(&self, code: RoomCode, now: i64) -> i64 {
        match self {
            Self::Server(server) => server.next_party.fetch_add(1, Ordering::Relaxed),
            Self::Node(node) => node.next_number(Shard::of_code(code), now),
        }
    }

    /// Waits until this node has done all records that it knows to be in the log.
    ///
    /// # Errors
    /// If that takes too long.
    pub(super) async fn caught_up(&self) -> Result<(), DiskError> {
        match self {
            Self::Server(_) => Ok(()),
            Self::Node(node) => node.until(node.appended.load(Ordering::Acquire)).await,
        }
    }
}

impl Node {
    /// A node's part of a journal in which the record `applied` is the last that is done.
    pub(super) fn new(proposals: mpsc::Sender<Proposal>, age: i64, applied: u64) -> Self {
        Self {
            proposals,
            shards: Mutex::default(),
            age: AtomicI64::new(age),
            appended: AtomicU64::new(applied),
            applied: watch::Sender::new(applied),
        }
    }

    /// Notes that a record is in the log.
    pub(super) fn note_appended(&self, seq: u64) {
        self.appended.fetch_max(seq, Ordering::AcqRel);
    }

    /// Waits until a record is done.
    ///
    /// # Errors
    /// If that takes too long.
    pub(super) async fn until(&self, seq: u64) -> Result<(), DiskError> {
        let mut applied = self.applied.subscribe();
        let done = timeout(CATCH_UP, applied.wait_for(|applied| *applied >= seq)).await;
        match done {
            Ok(Ok(_)) => Ok(()),
            _ => Err(DiskError::Failing(format!("it is behind record {seq} of the log"))),
        }
    }

    /// Takes a shard, whose runs are these and whose highest number was `number`.
    pub(super) fn take(&self, shard: Shard, uptime: Uptime, number: i64, now: i64) {
        let next_number = shard.next_number(number).max(shard.first_number(now));
        let run = ShardRun { uptime: Arc::new(uptime), next_number };
        self.shards.lock().insert(shard, run);
    }

    fn next_number(&self, shard: Shard, now: i64) -> i64 {
        let mut shards = self.shards.lock();
        // Rooms are made in shards that this node owns. Elsewhere the log refuses them.
        let Some(run) = shards.get_mut(&shard) else { return shard.first_number(now) };
        let number = run.next_number;
        run.next_number = shard.next_number(number);
        number
    }
}
