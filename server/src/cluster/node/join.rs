//! How a node joins its cluster: it founds it if it is the first, reads the log to its end, and knows the
//! secret then.

use std::sync::Arc;

use futures::stream::StreamExt;

use super::{Follower, Node};
use crate::cluster::directory::{Directory, NodeName};
use crate::cluster::engine::{Chain, Engine};
use crate::cluster::follower::{FollowError, follow, hex};
use crate::cluster::log::{Log, Outcome, Pause};
use crate::cluster::record::{Content, Record};
use crate::journal::environment::Environment;
use crate::journal::replica::{Proposals, Replica};
use crate::journal::startup::Startup;

/// How often a node looks again at a log that seems to be too short, in some six seconds.
const LOOKS: u32 = 8;

/// Why a node could not join.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// The log is shorter than what the copy has of it.
    #[error(
        "the data folder has record {applied} of the cluster's log, and the log ends with record \
         {last}: it belongs to another cluster, or the log was lost"
    )]
    Shorter {
        /// The last record that the copy has.
        applied: u64,
        /// The last record of the log.
        last: u64,
    },
    /// The copy is one of another cluster's log.
    #[error("the data folder belongs to another cluster: choose another one with --data-dir")]
    OtherCluster,
    /// The engine refuses the first record.
    #[error("the cluster's log refuses a record ({0})")]
    Refused(String),
    /// The log cannot be read.
    #[error(transparent)]
    Follow(#[from] FollowError),
}

/// Joins a cluster, and returns when this node has read everything that is in the log now. It waits as long
/// as the engine does not answer. A cluster without a record is founded with the secret of `startup`.
///
/// # Errors
/// If the node's folder or its version does not fit the cluster.
pub async fn join(
    engine: Arc<dyn Engine>,
    replica: Replica,
    proposals: Proposals,
    directory: Directory,
    environment: Environment,
    startup: &Startup,
) -> Result<Node, JoinError> {
    let metrics = directory.metrics().cloned().unwrap_or_default();
    let mut log = Log::new(engine, replica, directory.me().clone(), metrics, environment);
    for owner in &startup.owners {
        let node: Option<NodeName> = owner.node.as_ref().and_then(|node| node.parse().ok());
        log.restore(owner.shard, node, owner.claim);
    }
    log.imported = startup.imported.then_some(startup.secret);
    let log = Arc::new(log);
    let applied = log.delivered();
    let last = end(&log, applied).await?;
    if applied > 0 {
        if founder(&log).await.is_some_and(|secret| secret != hex(&startup.secret)) {
            return Err(JoinError::OtherCluster);
        }
        log.secret.send_replace(Some(startup.secret));
    }
    let mut follower = Follower(tokio::spawn(follow(Arc::clone(&log))));
    let catching_up = async {
        if last == 0 {
            found(&log, &startup.secret).await?;
        } else {
            tracing::info!(records = last - applied, "reading the cluster's log");
        }
        let mut done = log.replica.applied();
        // The journal is not closed before the node ends.
        let _ = done.wait_for(|applied| *applied >= last.max(1)).await;
        Ok::<_, JoinError>(())
    };
    tokio::select! {
        biased;
        failed = &mut follower.0 => return Err(failed.unwrap_or(FollowError::Failed).into()),
        caught_up = catching_up => caught_up?,
    }
    Ok(Node { log, directory, proposals, follower })
}

/// The number of the last record of the log.
pub(super) async fn last(log: &Log) -> u64 {
    log.insist("its log is not known", || log.engine.last()).await
}

/// The number of the last record of the log, which the copy with the record `applied` follows. A server that
/// leads the log since a moment ago may not yet know its end: it is asked a few times.
async fn end(log: &Log, applied: u64) -> Result<u64, JoinError> {
    let mut pause = Pause::default();
    let mut found = last(log).await;
    for _ in 0..LOOKS {
        if found >= applied {
            return Ok(found);
        }
        pause.wait().await;
        found = last(log).await;
    }
    Err(JoinError::Shorter { applied, last: found })
}

/// Appends the first record of all, unless another node does.
async fn found(log: &Log, secret: &[u8; 32]) -> Result<(), JoinError> {
    let record =
        log.record(Content::Founded { secret: hex(secret), imported: log.imported.is_some() });
    match log.append(Chain::Common, 0, (record.number, record.encode())).await {
        Outcome::Stored(_) | Outcome::Outrun => Ok(()),
        Outcome::Refused(error) => Err(JoinError::Refused(error)),
    }
}

/// The secret of the first record of all, if the log still has that record.
async fn founder(log: &Log) -> Option<String> {
    let mut records = log.insist("its log cannot be read", || log.engine.follow(1)).await;
    let first = records.next().await?.ok()?;
    match Record::decode(&first.record).ok()?.content {
        Content::Founded { secret, .. } if first.seq == 1 => Some(secret),
        _ => None,
    }
}
