//! The node's own copy of the stream of finished games and forgettings. Records are stored in `SQLite` in the
//! order of the stream, in one transaction with the number of the last of them, so that each counts once.
//! History, profiles and ratings are then answered as by a single server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures::StreamExt;
use noughts_store::{Change, DiskError, SaveError, Sqlite};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::cluster::ClusterError;
use crate::engine::{Engine, Record};
use crate::retries::Retries;

/// Records that one transaction has at most.
const BATCH: usize = 256;
/// A copy that cannot go on begins again after this.
const RETRY: Duration = Duration::from_secs(1);
/// How often the end of the stream is looked at.
const MEASURE: Duration = Duration::from_secs(5);
/// How long a save waits for this node's copy of its game.
const WAIT: Duration = Duration::from_secs(1);

/// The copy.
#[derive(Debug)]
pub(crate) struct Copy {
    engine: Arc<dyn Engine>,
    sqlite: Sqlite,
    /// The id of the cluster.
    cluster: String,
    /// The number of the last record that is copied.
    position: AtomicU64,
    moved: Notify,
    /// A wait was in vain, and nothing was copied since: nobody else waits.
    is_late: AtomicBool,
    /// The number of the newest record that is known of.
    newest: AtomicU64,
    pub(crate) measures: Retries,
}

impl Copy {
    /// Opens the copy in a data folder.
    ///
    /// # Errors
    /// If the folder belongs to something else, or the stream does not go on from it.
    pub(crate) async fn open(
        engine: Arc<dyn Engine>,
        sqlite: Sqlite,
        cluster: String,
    ) -> Result<Self, ClusterError> {
        let replica = sqlite.replica().await?;
        let position = match replica.copied {
            Some((other, _)) if other != cluster => return Err(ClusterError::OfAnotherCluster),
            Some((_, position)) => position,
            None if !replica.is_empty => return Err(ClusterError::NotEmpty),
            None => 0,
        };
        let bounds = engine.bounds().await?;
        check(position, bounds)?;
        sqlite.replicate(&cluster, position, Vec::new()).await?;
        let newest = AtomicU64::new(bounds.1);
        let position = AtomicU64::new(position);
        let moved = Notify::new();
        let is_late = AtomicBool::new(false);
        let measures = Retries::new("finished games are not copied");
        Ok(Self { engine, sqlite, cluster, position, moved, is_late, newest, measures })
    }

    #[cfg(test)]
    pub(crate) fn cluster(&self) -> &str {
        &self.cluster
    }

    /// Records that are not copied yet.
    pub(crate) fn unread(&self) -> u64 {
        self.newest.load(Ordering::Relaxed).saturating_sub(self.position.load(Ordering::Relaxed))
    }

    /// Waits a moment until a record is copied.
    pub(crate) async fn wait_for(&self, number: u64) {
        if self.is_late.load(Ordering::Relaxed) {
            return;
        }
        let copied = async {
            loop {
                let moved = self.moved.notified();
                if self.position.load(Ordering::Relaxed) >= number {
                    return;
                }
                moved.await;
            }
        };
        if timeout(WAIT, copied).await.is_err() {
            self.is_late.store(true, Ordering::Relaxed);
            tracing::debug!(number, "the copy of the games is late");
        }
    }

    /// Copies for ever.
    pub(crate) async fn run(&self) {
        tokio::join!(self.run_follow(), self.run_measure());
    }

    async fn run_measure(&self) {
        let mut retry = self.measures.begin();
        loop {
            sleep(MEASURE).await;
            // Read first: a game that is copied meanwhile is not one that the stream has lost.
            let position = self.position.load(Ordering::Relaxed);
            let Ok(bounds) = self.engine.bounds().await else { continue };
            self.newest.store(bounds.1, Ordering::Relaxed);
            match check(position, bounds) {
                Ok(()) => retry.succeeded(),
                Err(error) => retry.failed(&error.to_string()),
            }
        }
    }

    async fn run_follow(&self) {
        loop {
            let from = self.position.load(Ordering::Relaxed) + 1;
            match self.engine.follow(from).await {
                Ok(records) => {
                    let mut batches = records.ready_chunks(BATCH);
                    while let Some(batch) = batches.next().await {
                        if !self.copy(batch).await {
                            break;
                        }
                    }
                }
                Err(error) => tracing::debug!(%error, "the games cannot be followed"),
            }
            sleep(RETRY).await;
        }
    }

    /// Copies records. Returns whether more may follow.
    async fn copy<E: std::fmt::Display>(&self, batch: Vec<Result<Record, E>>) -> bool {
        let mut records = Vec::new();
        let mut last = self.position.load(Ordering::Relaxed);
        let mut is_whole = true;
        for record in batch {
            match record {
                Ok(record) if record.number == last + 1 => {
                    last = record.number;
                    records.push(record);
                }
                Ok(record) => {
                    is_whole = false;
                    tracing::warn!(last, number = record.number, "the stream has a gap");
                    break;
                }
                Err(error) => {
                    is_whole = false;
                    tracing::debug!(%error, "the stream of games broke off");
                    break;
                }
            }
        }
        self.newest.fetch_max(last, Ordering::Relaxed);
        let changes = records.iter().filter_map(parse).collect();
        if !records.is_empty() && !self.store(last, changes).await {
            // One of them is to blame.
            for record in records {
                if !self.store(record.number, parse(&record).into_iter().collect()).await {
                    tracing::error!(number = record.number, "a record of the stream is left out");
                    self.store(record.number, Vec::new()).await;
                }
            }
        }
        is_whole
    }

    /// Stores records up to a number, as soon as the disk can. Returns whether they make sense there.
    async fn store(&self, position: u64, changes: Vec<Change>) -> bool {
        loop {
            let stored = self.sqlite.replicate(&self.cluster, position, changes.clone()).await;
            match stored {
                Ok(()) => {
                    self.position.store(position, Ordering::Relaxed);
                    self.is_late.store(false, Ordering::Relaxed);
                    self.moved.notify_waiters();
                    return true;
                }
                Err(SaveError::Refused(DiskError::Contradiction(_)) | SaveError::Stale) => {
                    return false;
                }
                Err(error) => {
                    tracing::warn!(%error, "games of the cluster cannot be stored");
                    sleep(RETRY).await;
                }
            }
        }
    }
}

/// Whether a stream with these bounds goes on from a position.
fn check(position: u64, (oldest, newest): (u64, u64)) -> Result<(), ClusterError> {
    if position + 1 < oldest {
        return Err(ClusterError::Behind { position, oldest });
    }
    if position > newest {
        return Err(ClusterError::Ahead { position, newest });
    }
    Ok(())
}

/// The change in a record; `None` if this version cannot read it.
fn parse(record: &Record) -> Option<Change> {
    let parsed = serde_json::from_slice(&record.body);
    let parsed = parsed.inspect_err(
        |error| tracing::error!(number = record.number, %error, "a record of the stream is left out"),
    );
    parsed.ok().filter(|change| !matches!(change, Change::Live { .. }))
}
