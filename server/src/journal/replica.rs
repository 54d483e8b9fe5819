//! The journal of a node of a cluster is a replica of the log: what its rooms write becomes
//! a [`Proposal`], and only what the log says is stored, by the [`Replica`].

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::sleep;

use super::error::DiskError;
use super::party::LiveParty;
pub use super::proposals::{Proposal, Proposals};
use super::reader::ReaderCommand;
use super::startup::LiveRoom;
use super::store::Write;
use super::writer::WriterCommand;
use super::{Journal, closed};
use crate::shard::Shard;

/// While the disk fails, writes of the log are tried again after this time.
const RETRY: Duration = Duration::from_secs(1);

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
pub struct Replica(Journal);

impl Replica {
    /// The replica of a node's journal.
    pub(super) const fn of(journal: Journal) -> Self {
        Self(journal)
    }

    /// Does writes of the log in one transaction, and returns when they are stored. The last of them is
    /// [`Write::Applied`]. While the disk fails it tries again. A write that the file refuses is left
    /// out: every node refuses it.
    ///
    /// # Errors
    /// If the journal is closed.
    pub async fn apply(&self, writes: Vec<Write>) -> Result<(), DiskError> {
        let writes = Arc::new(writes);
        loop {
            let (reply, outcome) = oneshot::channel();
            let command = WriterCommand::Apply(Arc::clone(&writes), reply);
            self.0.writer.send(command).await.map_err(|_| closed())?;
            if outcome.await.map_err(|_| closed())?.is_ok() {
                break;
            }
            // The journal's health has told the error.
            sleep(RETRY).await;
        }
        writes.iter().for_each(|write| self.note(write));
        Ok(())
    }

    /// Notes in memory what was stored.
    fn note(&self, write: &Write) {
        let Some(node) = self.0.node() else { return };
        match write {
            Write::Forget { player, .. } => self.0.forgotten.insert(*player),
            Write::Run { age, .. } | Write::Alive { age, .. } => {
                let before = age.saturating_sub(self.0.elapsed());
                node.age.fetch_max(before, Ordering::Relaxed);
            }
            Write::Applied(seq) => {
                node.note_appended(*seq);
                node.applied.send_replace(*seq);
            }
            _ => {}
        }
    }

    /// The number of the last record that is done; 0 for none.
    #[must_use]
    pub fn applied(&self) -> watch::Receiver<u64> {
        match self.0.node() {
            Some(node) => node.applied.subscribe(),
            None => watch::channel(0).1,
        }
    }

    /// Notes that this record is in the log: who reads a room back waits until it is done.
    pub fn note_appended(&self, seq: u64) {
        if let Some(node) = self.0.node() {
            node.note_appended(seq);
        }
    }

    /// How long the cluster has run, in milliseconds, as this node knows it.
    #[must_use]
    pub fn age(&self) -> i64 {
        self.0.age()
    }

    /// All that a shard holds, after its claim is done. From now on what its rooms write has this run.
    ///
    /// # Errors
    /// If the claim is not done in time, or if the file cannot be read.
    pub async fn take_shard(&self, shard: Shard, claim: u64) -> Result<ShardContents, DiskError> {
        let Some(node) = self.0.node() else { return Err(closed()) };
        node.until(claim).await?;
        let stored = self.0.read(|reply| ReaderCommand::LoadShard(shard, reply)).await?;
        let now = (self.0.environment.wall_clock)();
        node.take(shard, stored.uptime, stored.number, now);
        Ok(ShardContents { rooms: stored.rooms, parties: stored.parties })
    }
}
