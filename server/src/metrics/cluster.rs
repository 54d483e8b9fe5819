//! The counts of a node of a cluster.

use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::metrics::histogram::Histogram;

use super::histogram;

/// The figures of a node for its host.
#[derive(Debug)]
pub(crate) struct ClusterMetrics {
    /// The shards whose rooms are on this node.
    pub(crate) owned: AtomicU64,
    /// Shards that this node claimed.
    pub(crate) claims: AtomicU64,
    /// Shards that this node handed over.
    pub(crate) releases: AtomicU64,
    /// Shards that another node claimed while this one owned them.
    pub(crate) losses: AtomicU64,
    /// The records that this node appended, and how long that took, tries with an unknown outcome included.
    pub(crate) append_time: Histogram,
    /// The writes in each of those records.
    pub(crate) append_writes: Histogram,
    /// Records that another node's record was before.
    pub(crate) outruns: AtomicU64,
    /// Tries to append whose outcome was unknown.
    pub(crate) unknown: AtomicU64,
    /// Links to other nodes that broke, and ended the stays on them.
    pub(crate) links_broken: AtomicU64,
    /// Records that this node has followed, and the numbers of the last one that it has read and of the
    /// last one that is known to be in the log.
    pub(crate) followed: AtomicU64,
    pub(crate) read: AtomicU64,
    pub(crate) known: AtomicU64,
}

impl Default for ClusterMetrics {
    fn default() -> Self {
        Self {
            owned: AtomicU64::new(0),
            claims: AtomicU64::new(0),
            releases: AtomicU64::new(0),
            losses: AtomicU64::new(0),
            append_time: histogram::of_times(),
            append_writes: histogram::of_sizes(),
            outruns: AtomicU64::new(0),
            unknown: AtomicU64::new(0),
            links_broken: AtomicU64::new(0),
            followed: AtomicU64::new(0),
            read: AtomicU64::new(0),
            known: AtomicU64::new(0),
        }
    }
}

impl ClusterMetrics {
    /// Adds one.
    pub(crate) fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// How many records this node has yet to read.
    pub(crate) fn lag(&self) -> u64 {
        self.known.load(Ordering::Relaxed).saturating_sub(self.read.load(Ordering::Relaxed))
    }
}
