//! The log as a node knows it: the last record and the owner of each chain as they were delivered, and how
//! the node appends to a chain. The writer, the follower and the tenures of a node share it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep};

use super::directory::NodeName;
use super::engine::{AppendError, Bounds, Chain, Engine};
use super::record::{Content, OLDEST, Record};
use crate::journal::environment::Environment;
use crate::journal::replica::Replica;
use crate::metrics::cluster::ClusterMetrics;
use crate::shard::{SHARDS, Shard};

/// The pause after the first call to the engine that failed; each further one is twice as long, up to the
/// longest.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The node that owns a shard, and the number of the record with which it claimed the shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) node: NodeName,
    pub(super) seq: u64,
}

/// The end of a chain, as far as it was delivered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tip {
    /// The number of the chain's last record. After a restart it is too low until a record of the chain
    /// is delivered or named; a claim after it is refused and names the right one.
    pub(super) last: u64,
    /// The owner of the shard.
    pub(super) owner: Option<Claim>,
    /// The number of this node's last record among its own, and its number in the log.
    mine: (u64, u64),
}

/// The outcome of an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is in the log, with this number.
    Stored(u64),
    /// It is not in the log, and never will be: another record has its place.
    Outrun,
    /// It is not in the log: the engine refuses it.
    Refused(String),
}

/// The log as a node knows it.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) engine: Arc<dyn Engine>,
    /// The node's copy.
    pub(super) replica: Replica,
    pub(super) me: NodeName,
    pub(super) metrics: Arc<ClusterMetrics>,
    environment: Environment,
    /// By shard, and at the end the common chain.
    tips: Vec<watch::Sender<Tip>>,
    /// The number of the last record that was delivered.
    delivered: watch::Sender<u64>,
    /// The secret of the cluster, once it is known.
    pub(super) secret: watch::Sender<Option<[u8; 32]>>,
    /// The secret of the single server whose data folder this node's was.
    pub(super) imported: Option<[u8; 32]>,
    /// The number of the last record that this node has written.
    number: AtomicU64,
    appends: Mutex<Appends>,
    /// The format in which it writes.
    format: AtomicU16,
    /// Told when a shard has another owner, or is held here or not any more.
    pub(super) changed: Notify,
}

impl Log {
    /// The log, of which a node knows what its copy has done.
    pub(super) fn new(
        engine: Arc<dyn Engine>,
        replica: Replica,
        me: NodeName,
        metrics: Arc<ClusterMetrics>,
        environment: Environment,
    ) -> Self {
        let delivered = watch::Sender::new(*replica.applied().borrow());
        Self {
            engine,
            replica,
            me,
            metrics,
            environment,
            tips: (0..=SHARDS).map(|_| watch::Sender::new(Tip::default())).collect(),
            delivered,
            secret: watch::Sender::new(None),
            imported: None,
            number: AtomicU64::new(0),
            appends: Mutex::new(Appends { pending: 0, since: Instant::now() }),
            format: AtomicU16::new(OLDEST),
            changed: Notify::new(),
        }
    }

    /// Notes the owner of a shard that the node's copy knows, by the record with this number.
    pub(super) fn restore(&self, shard: Shard, node: Option<NodeName>, seq: u64) {
        let owner = node.map(|node| Claim { node, seq });
        self.tip(Chain::Shard(shard)).send_replace(Tip { last: seq, owner, ..Tip::default() });
    }

    /// The end of a chain.
    pub(super) fn tip(&self, chain: Chain) -> &watch::Sender<Tip> {
        let index = match chain {
            Chain::Shard(shard) => shard.index(),
            Chain::Common => usize::from(SHARDS),
        };
        &self.tips[index]
    }

    /// The owner of a shard, as far as the log was delivered.
    pub(super) fn owner(&self, shard: Shard) -> Option<Claim> {
        self.tip(Chain::Shard(shard)).borrow().owner.clone()
    }

    /// The number of the last record that was delivered.
    pub(super) fn delivered(&self) -> u64 {
        *self.delivered.borrow()
    }

    /// Waits until everything up to a record was delivered.
    pub(super) async fn until_delivered(&self, seq: u64) {
        self.know(seq);
        // The sender is in this log.
        let _ = self.delivered.subscribe().wait_for(|delivered| *delivered >= seq).await;
    }

    /// Waits until a shard has another owner, or none, than by this claim.
    pub(super) async fn until_lost(&self, shard: Shard, claim: u64) {
        let mut tip = self.tip(Chain::Shard(shard)).subscribe();
        let is_lost = |tip: &Tip| tip.owner.as_ref().is_none_or(|owner| owner.seq > claim);
        let _ = tip.wait_for(|tip| tip.last >= claim && is_lost(tip)).await;
    }

    /// Notes a record that was delivered.
    pub(super) fn deliver(&self, seq: u64, chain: Chain, node: &NodeName, record: &Record) {
        self.tip(chain).send_modify(|tip| {
            tip.last = seq;
            if *node == self.me {
                tip.mine = (record.number, seq);
            }
            match &record.content {
                Content::Claimed => tip.owner = Some(Claim { node: node.clone(), seq }),
                Content::Released => tip.owner = None,
                Content::Founded { .. } | Content::Wrote(_) => return,
            }
            self.changed.notify_one();
        });
        self.delivered.send_replace(seq);
        ClusterMetrics::count(&self.metrics.followed);
        self.metrics.read.store(seq, Ordering::Relaxed);
        self.know(seq);
    }

    /// Notes that the log is as long as this.
    fn know(&self, seq: u64) {
        self.metrics.known.fetch_max(seq, Ordering::Relaxed);
    }

    /// How long records of this node have waited without any of them having an outcome; zero if none waits.
    pub(super) fn stalled(&self) -> Duration {
        let appends = self.appends.lock();
        if appends.pending == 0 { Duration::ZERO } else { appends.since.elapsed() }
    }

    /// Says in which format this node writes from now on.
    pub(super) fn set_format(&self, format: u16) {
        self.format.store(format, Ordering::Relaxed);
    }

    /// A new record of this node.
    pub(super) fn record(&self, content: Content) -> Record {
        Record {
            format: self.format.load(Ordering::Relaxed),
            node: self.me.to_string(),
            number: self.number.fetch_add(1, Ordering::Relaxed) + 1,
            at: (self.environment.wall_clock)(),
            age: self.replica.age(),
            content,
        }
    }

    /// Appends a record to a chain as the successor of record `after`, and returns when it is certain
    /// what became of it: never, as long as the engine does not say. One record of a chain at a time.
    pub(super) async fn append(
        &self,
        chain: Chain,
        after: u64,
        (number, text): (u64, Bytes),
    ) -> Outcome {
        let began = Instant::now();
        let _pending = Pending::begin(&self.appends);
        let mut tip = self.tip(chain).subscribe();
        let outcome = tokio::select! {
            biased;
            outcome = known(&mut tip, after, number) => outcome,
            outcome = self.try_to_append(chain, after, (number, text)) => outcome,
        };
        self.metrics.append_time.observe(began.elapsed().as_secs_f64());
        match outcome {
            Outcome::Stored(seq) => self.know(seq),
            Outcome::Outrun => ClusterMetrics::count(&self.metrics.outruns),
            Outcome::Refused(_) => {}
        }
        outcome
    }

    async fn try_to_append(
        &self,
        chain: Chain,
        mut after: u64,
        (number, text): (u64, Bytes),
    ) -> Outcome {
        let mut pause = Pause::default();
        // Whether an earlier try may be in the log, or may still come into it.
        let mut is_doubtful = false;
        loop {
            match self.engine.append(chain, after, text.clone()).await {
                Ok(seq) => return Outcome::Stored(seq),
                Err(AppendError::Outrun { last }) if last > after => {
                    self.until_delivered(last).await;
                    let tip = self.tip(chain);
                    tip.send_if_modified(|tip| {
                        tip.last = tip.last.max(last);
                        false
                    });
                    let tip = tip.borrow();
                    return tip.fate(after, number).unwrap_or(Outcome::Outrun);
                }
                // All records of the chain were discarded, and this node has read them: it begins again.
                Err(AppendError::Outrun { last: 0 }) if self.has_discarded(after).await => {
                    after = 0;
                    continue;
                }
                Err(AppendError::Refused(error)) if !is_doubtful => return Outcome::Refused(error),
                // An engine that names an older record has not yet read its own log.
                Err(error) => {
                    tracing::debug!(%error, ?chain, "a record is appended again");
                    is_doubtful = true;
                }
            }
            ClusterMetrics::count(&self.metrics.unknown);
            pause.wait().await;
        }
    }

    /// Whether the log has discarded a record. Then this node has read everything up to now: a claim of
    /// another node in that chain is known.
    async fn has_discarded(&self, record: u64) -> bool {
        let Ok(Bounds { first, last }) = self.engine.bounds().await else { return false };
        if first <= record {
            return false;
        }
        self.until_delivered(last).await;
        true
    }

    /// Calls the engine until it answers.
    pub(super) async fn insist<T, E: std::fmt::Display>(
        &self,
        what: &str,
        call: impl Fn() -> BoxFuture<'static, Result<T, E>>,
    ) -> T {
        let mut pause = Pause::default();
        loop {
            match call().await {
                Ok(answer) => return answer,
                Err(error) => pause.after(what, &error).await,
            }
        }
    }
}

/// The records of a node that wait for their outcome.
#[derive(Debug)]
struct Appends {
    pending: u32,
    /// When the last of them had its outcome, or when the first one began to wait.
    since: Instant,
}

/// A record that waits. Dropping it ends that.
struct Pending<'a>(&'a Mutex<Appends>);

impl<'a> Pending<'a> {
    fn begin(all: &'a Mutex<Appends>) -> Self {
        let mut appends = all.lock();
        if appends.pending == 0 {
            appends.since = Instant::now();
        }
        appends.pending += 1;
        Self(all)
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        let mut appends = self.0.lock();
        appends.pending -= 1;
        appends.since = Instant::now();
    }
}

impl Tip {
    /// The outcome of this node's record with this number, which was to follow record `after`; `None` if
    /// the chain does not yet say.
    fn fate(&self, after: u64, number: u64) -> Option<Outcome> {
        let (last, seq) = self.mine;
        if last >= number {
            Some(Outcome::Stored(seq))
        } else {
            (self.last > after).then_some(Outcome::Outrun)
        }
    }
}

/// Waits until the chain says what became of a record.
async fn known(tip: &mut watch::Receiver<Tip>, after: u64, number: u64) -> Outcome {
    let seen = tip.wait_for(|tip| tip.fate(after, number).is_some()).await;
    let fate = seen.ok().and_then(|tip| tip.fate(after, number));
    fate.unwrap_or(Outcome::Outrun)
}

/// Pauses between calls to an engine that fail.
#[derive(Debug)]
pub(super) struct Pause(Duration);

impl Default for Pause {
    fn default() -> Self {
        Self(PAUSE)
    }
}

impl Pause {
    /// Waits, the next time for longer.
    pub(super) async fn wait(&mut self) {
        sleep(self.0).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }

    /// Waits after an error, and says so the first time.
    pub(super) async fn after(&mut self, what: &str, error: &impl std::fmt::Display) {
        if self.0 == PAUSE {
            tracing::warn!(%error, "the cluster's engine does not answer: {what}; trying again");
        }
        self.wait().await;
    }
}

#[cfg(test)]
mod tests;
