//! The needs of a cluster of its engine: one log whose records form a chain in each shard, and messages
//! between nodes. [`nats`] is the engine of a real cluster, [`fake`] that of simulations; one contract
//! test runs on both. No other file names a library of an engine.

#[cfg(any(test, feature = "fuzzing"))]
pub mod fake;
#[cfg(feature = "cluster")]
pub mod nats;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;

use crate::config::cluster::ClusterConfig;
use crate::journal::store::Durability;
use crate::shard::Shard;

/// How long a call to an engine waits at most. After that the outcome of an append is unknown.
pub const ANSWER_TIME: Duration = Duration::from_millis(500);

/// The longest record and the longest message in bytes, as NATS has it if nobody has set it: 1 MiB.
pub const MAX_PAYLOAD: usize = 1 << 20;

/// A chain of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chain {
    /// The chain of the whole cluster: its secret, and people who asked to be forgotten.
    Common,
    /// A shard's claims, rooms and parties.
    Shard(Shard),
}

/// A record as it lies in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// Its number in the whole log: 1, 2, 3 and so on.
    pub seq: u64,
    /// Its chain.
    pub chain: Chain,
    /// The text, as it was appended.
    pub record: Bytes,
}

/// Why a record was not appended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Another record is the last of the chain, and `last` is its number. This record is not in the log,
    /// unless an earlier try of the same record, whose outcome was unknown, is.
    #[error("record {last} is the last of its chain")]
    Outrun {
        /// The number of the last record of the chain. It is 0 if all records of the chain were
        /// discarded: a caller that has read all that was discarded appends after 0 instead.
        last: u64,
    },
    /// The record may be in the log or not, and may still come into it.
    #[error("the outcome is unknown: {0}")]
    Unknown(String),
    /// The engine refuses the record: it is not in the log.
    #[error("the engine refuses it: {0}")]
    Refused(String),
}

/// The engine cannot be reached, or does not do what it is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EngineError(pub String);

/// The range of records that the log holds. It discards the oldest when it is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The number of the oldest record; of the next one, if the log holds none.
    pub first: u64,
    /// The number of the newest record that there ever was, 0 for none.
    pub last: u64,
}

/// Where messages between nodes go. They are not kept, and may be lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Topic {
    /// To all nodes.
    All,
    /// To the node with this name.
    Node(String),
}

/// The engine of a cluster. Every method may be called at any time by any task.
pub trait Engine: Debug + Send + Sync {
    /// Appends a record to a chain as the successor of record `after`, 0 for none, and returns its number
    /// in the log. The same call may be repeated after [`AppendError::Unknown`]. A caller names only
    /// records that it knows to be in the log: if one is not there, the outcome stays unknown.
    fn append(
        &self,
        chain: Chain,
        after: u64,
        record: Bytes,
    ) -> BoxFuture<'static, Result<u64, AppendError>>;

    /// The range of records that the log holds, at some moment of this call.
    fn bounds(&self) -> BoxFuture<'static, Result<Bounds, EngineError>>;

    /// The number of the last record of the log, 0 for none.
    fn last(&self) -> BoxFuture<'static, Result<u64, EngineError>> {
        let bounds = self.bounds();
        Box::pin(async move { Ok(bounds.await?.last) })
    }

    /// All records from number `from` on, in order and without a gap, also those that are appended later.
    /// The stream ends with an error if it cannot go on, also if a record was discarded before it was
    /// read; the caller begins again where it was.
    fn follow(
        &self,
        from: u64,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Result<Delivered, EngineError>>, EngineError>>;

    /// Sends a message to a topic. Messages of one node to one topic keep their order, if each is awaited
    /// before the next.
    fn publish(&self, topic: Topic, message: Bytes) -> BoxFuture<'static, Result<(), EngineError>>;

    /// The messages of a topic from now on; also one's own, and that is how a node knows that others hear
    /// it.
    fn subscribe(
        &self,
        topic: Topic,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Bytes>, EngineError>>;
}

/// One thing that a look at an engine has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It is as a node needs it.
    Well(String),
    /// It is not, and what to do.
    Problem(String),
    /// It cannot be seen from here, and what to look at.
    #[cfg_attr(
        not(feature = "cluster"),
        expect(dead_code, reason = "a build without clusters looks at no engine")
    )]
    Unseen(String),
}

/// Connects to the engine of a cluster.
///
/// # Errors
/// If it cannot be used, or if this build has none.
pub(crate) async fn connect(config: &ClusterConfig) -> Result<Arc<dyn Engine>, EngineError> {
    #[cfg(feature = "cluster")]
    return nats::NatsEngine::connect(&config.into()).await;
    #[cfg(not(feature = "cluster"))]
    {
        let _ = config;
        Err(EngineError(NOT_BUILT.to_owned()))
    }
}

/// Looks at the engine of a cluster and changes nothing there. Also returns the newest record, if it could
/// be read. It takes some seconds at most.
pub(crate) async fn survey(
    config: &ClusterConfig,
    durability: Durability,
) -> (Vec<Finding>, Option<Delivered>) {
    #[cfg(feature = "cluster")]
    return nats::survey::survey(&config.into(), durability).await;
    #[cfg(not(feature = "cluster"))]
    {
        let _ = (config, durability);
        (vec![Finding::Problem(NOT_BUILT.to_owned())], None)
    }
}

#[cfg(not(feature = "cluster"))]
const NOT_BUILT: &str = "this noughts-server was built without clusters";

#[cfg(feature = "cluster")]
impl From<&ClusterConfig> for nats::NatsConfig {
    fn from(config: &ClusterConfig) -> Self {
        let ClusterConfig { urls, credentials, authorities, certificate, .. } = config.clone();
        let ClusterConfig { name: prefix, replicas, log_size: max_bytes, .. } = config.clone();
        Self { urls, credentials, authorities, certificate, prefix, replicas, max_bytes }
    }
}
