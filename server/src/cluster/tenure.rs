//! A tenure: the time in which a node owns a shard, from its claim to its release or loss.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio_util::sync::CancellationToken;

use super::engine::Chain;
use super::log::{Log, Outcome, Pause};
use super::record::Content;
use super::tenant::Tenant;
use super::writer::WriterHandle;
use crate::journal::replica::ShardContents;
use crate::metrics::cluster::ClusterMetrics;
use crate::shard::Shard;

/// The parts that the tenures of a node share.
#[derive(Clone)]
pub(super) struct Tenures {
    pub(super) log: Arc<Log>,
    pub(super) writer: WriterHandle,
    pub(super) tenant: Arc<dyn Tenant>,
    /// For each shard whose rooms are here, the number of its claim; else 0.
    pub(super) held: Arc<Vec<AtomicU64>>,
}

impl Tenures {
    /// Claims a shard, and has its rooms here until `release` is cancelled or the shard is lost. Ends at
    /// once if another node was first.
    pub(super) async fn run(self, shard: Shard, release: CancellationToken) {
        let Some(claim) = self.claim(shard).await else { return };
        tracing::debug!(%shard, claim, "claimed a shard");
        ClusterMetrics::count(&self.log.metrics.claims);
        let contents = tokio::select! {
            biased;
            () = self.log.until_lost(shard, claim) => return,
            contents = self.contents(shard, claim) => contents,
        };
        self.writer.open(shard, claim).await;
        self.tenant.take(shard, contents).await;
        self.hold(shard, claim);
        tokio::select! {
            biased;
            () = self.log.until_lost(shard, claim) => {}
            () = release.cancelled() => {}
        }
        self.hold(shard, 0);
        // Waiting writes have their outcome from the writer, also if the shard is lost.
        self.tenant.leave(shard).await;
        let last = self.writer.flush(shard).await;
        let is_lost = self.log.owner(shard).is_none_or(|owner| owner.seq != claim);
        match last {
            Some(last) if !is_lost => self.release(shard, last).await,
            _ => {
                tracing::info!(%shard, "another node has claimed a shard of this one");
                ClusterMetrics::count(&self.log.metrics.losses);
            }
        }
    }

    /// Says that the shard's rooms are here, or with 0 that they are not.
    fn hold(&self, shard: Shard, claim: u64) {
        self.held[shard.index()].store(claim, Ordering::Release);
        self.log.changed.notify_one();
    }

    async fn claim(&self, shard: Shard) -> Option<u64> {
        let chain = Chain::Shard(shard);
        let after = self.log.tip(chain).borrow().last;
        match self.append(chain, after, Content::Claimed).await {
            Outcome::Stored(claim) => Some(claim),
            Outcome::Outrun => None,
            Outcome::Refused(error) => {
                tracing::error!(%shard, %error, "the cluster's log refuses a claim");
                // The node tries again, in its own time.
                Pause::default().wait().await;
                None
            }
        }
    }

    /// Waits until this node's copy has everything up to the claim, and reads the shard from it.
    async fn contents(&self, shard: Shard, claim: u64) -> ShardContents {
        let mut pause = Pause::default();
        loop {
            // The copy is as late as its disk is slow.
            let _ = self.log.replica.applied().wait_for(|applied| *applied >= claim).await;
            match self.log.replica.take_shard(shard, claim).await {
                Ok(contents) => return contents,
                Err(error) => {
                    tracing::error!(%shard, %error, "a shard cannot be read; trying again");
                    pause.wait().await;
                }
            }
        }
    }

    async fn release(&self, shard: Shard, last: u64) {
        match self.append(Chain::Shard(shard), last, Content::Released).await {
            Outcome::Stored(_) => ClusterMetrics::count(&self.log.metrics.releases),
            Outcome::Outrun => ClusterMetrics::count(&self.log.metrics.losses),
            Outcome::Refused(error) => {
                tracing::error!(%shard, %error, "the cluster's log refuses a release");
            }
        }
    }

    async fn append(&self, chain: Chain, after: u64, content: Content) -> Outcome {
        let record = self.log.record(content);
        self.log.append(chain, after, (record.number, record.encode())).await
    }
}
