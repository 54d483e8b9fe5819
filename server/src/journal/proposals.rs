//! The writes that the rooms and parties of a node want in the log.

use tokio::sync::{mpsc, oneshot};

use super::error::DiskError;
use super::write::Write;
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

/// The writes of the rooms and parties of a node, in order. The queue holds
/// [`WRITE_QUEUE`](super::WRITE_QUEUE) writes; a room waits while it is full.
#[derive(Debug)]
pub struct Proposals(pub(crate) mpsc::Receiver<Proposal>);
