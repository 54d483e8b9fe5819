//! A node's handle of its cluster: what the server may ask of it. How each thing is done is in the modules
//! beside this one.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use noughts_protocol::{PartyCode, PlayerId, RoomCode};
use noughts_store::{Change, LiveRow, ReadError, SaveError, Sqlite, Store};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use crate::copy::Copy;
use crate::engine::{Engine, EngineError, PutError};
use crate::gossip::Gossip;
use crate::locate::locate;
#[cfg(feature = "nats")]
use crate::nats::NatsEngine;
use crate::nodes::{FORMAT, NodeId, Nodes, Peer, RETRY};
use crate::options::Options;
use crate::retries::Retries;
use crate::rooms::{Location, Rooms};
use crate::sweep;
use crate::value::{Value, key};

/// The key of what all nodes have in common.
const SECRET: &str = "meta.secret";
/// How long a start tries to reach the engine.
const START_TIME: Duration = Duration::from_secs(10);
/// How often a node looks whether that key is still the same.
const LOOK: Duration = Duration::from_secs(1);

/// Why a node cannot be part of a cluster. The texts say what the host can do.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The engine cannot be reached, or is not set up as it must be.
    #[error("the cluster cannot be used: {0}")]
    Engine(#[from] EngineError),
    /// The cluster is of another version.
    #[error(
        "the cluster has the format {found}, and this noughts-server knows the format {FORMAT}: use the \
         version of the other nodes, or make a new cluster with another --cluster-name"
    )]
    OtherFormat {
        /// The number of the cluster's format.
        found: u32,
    },
    /// The cluster's common values cannot be read.
    #[error("the value {SECRET} of the cluster is damaged ({0})")]
    Damaged(String),
    /// The data folder has games of a server alone.
    #[error(
        "the data folder has rooms or games of a server without a cluster: choose an empty folder with \
         --data-dir; the cluster then fills it"
    )]
    NotEmpty,
    /// The data folder has the games of another cluster.
    #[error(
        "the data folder has the games of another cluster: choose an empty folder with --data-dir, or the \
         cluster with --cluster-name"
    )]
    OfAnotherCluster,
    /// The stream does not have the next game any more.
    #[error(
        "the data folder has the games up to number {position}, and the cluster has only those from number \
         {oldest} on: start with a backup of another node (noughts-server backup)"
    )]
    Behind {
        /// The last copied record.
        position: u64,
        /// The oldest record of the stream.
        oldest: u64,
    },
    /// The stream has fewer games than the folder.
    #[error(
        "the data folder has the games up to number {position}, and the cluster only those up to number \
         {newest}: the stream of the cluster was lost or restored. Restore it, or choose an empty folder with \
         --data-dir"
    )]
    Ahead {
        /// The last copied record.
        position: u64,
        /// The newest record of the stream.
        newest: u64,
    },
    /// The data folder cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data folder cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// How a node does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The live nodes, this one too.
    pub nodes: usize,
    /// Whether this node holds its lease.
    pub lease: bool,
    /// Whether the connection to the engine is up.
    pub connected: bool,
    /// Finished games and forgettings that this node has not copied yet.
    pub unread_records: u64,
    /// A failure that lasts for longer than two seconds, and its reason, for the host.
    pub problem: Option<String>,
}

/// The values that all nodes share.
#[derive(Debug, Serialize, Deserialize)]
struct Common {
    format: u32,
    /// The id of the cluster.
    cluster: String,
    secret: [u8; 32],
}

/// A handle of the cluster; cheap to clone.
///
/// The server keeps this order: [`lease_held`](Self::lease_held), then it serves; [`lease_lost`](Self::lease_lost),
/// then it closes all connections and ends all rooms and parties without saving them; then
/// [`forget_codes`](Self::forget_codes), and again from the beginning. [`run`](Self::run) runs all the time.
#[derive(Debug, Clone)]
pub struct Cluster(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    secret: [u8; 32],
    engine: Arc<dyn Engine>,
    nodes: Arc<Nodes>,
    rooms: Rooms,
    copy: Arc<Copy>,
    gossip: Gossip,
}

impl Cluster {
    /// Joins a cluster, or makes it.
    ///
    /// # Errors
    /// If the engine cannot be reached or is set up in another way, or if the data folder is of something
    /// else.
    #[cfg(feature = "nats")]
    pub async fn connect(options: &Options, sqlite: Sqlite) -> Result<Self, ClusterError> {
        let engine = Arc::new(NatsEngine::connect(options).await?);
        Self::with_engine(engine, NodeId(rand::random()), options.address.clone(), sqlite).await
    }

    /// Whether NATS takes a node with these options. Nothing is made.
    ///
    /// # Errors
    /// If no server answers, or the servers refuse the node. The words are for the host.
    #[cfg(feature = "nats")]
    pub async fn check(options: &Options) -> Result<(), EngineError> {
        NatsEngine::check(options).await
    }

    /// There is no engine.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_async, reason = "it is awaited where there is an engine")]
    pub async fn connect(_: &Options, _: Sqlite) -> Result<Self, ClusterError> {
        Err(EngineError("this program was built without NATS".to_owned()).into())
    }

    /// There is no engine.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_async, reason = "it is awaited where there is an engine")]
    pub async fn check(_: &Options) -> Result<(), EngineError> {
        Err(EngineError("this program was built without NATS".to_owned()))
    }

    /// The same on any engine, with an id that no node had before.
    ///
    /// # Errors
    /// As [`Cluster::connect`].
    pub async fn with_engine(
        engine: Arc<dyn Engine>,
        id: NodeId,
        address: String,
        sqlite: Sqlite,
    ) -> Result<Self, ClusterError> {
        let common = common(&*engine).await?;
        let copy = Copy::open(Arc::clone(&engine), sqlite, common.cluster).await?;
        let copy = Arc::new(copy);
        let nodes = Arc::new(Nodes::new(Arc::clone(&engine), id, address));
        let rooms = Rooms::new(Arc::clone(&engine), Arc::clone(&nodes), Arc::clone(&copy));
        let gossip = Gossip::new(Arc::clone(&engine), Arc::clone(&nodes));
        let secret = common.secret;
        Ok(Self(Arc::new(Parts { secret, engine, nodes, rooms, copy, gossip })))
    }

    /// The secret with which all nodes sign tokens.
    #[must_use]
    pub fn secret(&self) -> [u8; 32] {
        self.0.secret
    }

    /// The id of this node.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.0.nodes.id
    }

    /// Sends heartbeats, watches the other nodes, copies the stream, tells and listens, and sweeps, for ever.
    pub async fn run(&self) {
        let Parts { nodes, rooms, copy, gossip, .. } = &*self.0;
        tokio::join!(
            nodes.run_heartbeat(),
            nodes.run_watch(),
            copy.run(),
            gossip.run(),
            sweep::run(rooms),
        );
    }

    /// Whether this node may show its rooms at this moment. Cheap.
    #[must_use]
    pub fn holds_lease(&self) -> bool {
        self.0.nodes.lease.is_held()
    }

    /// Waits until this node may show its rooms.
    pub async fn lease_held(&self) {
        self.0.nodes.lease.held().await;
    }

    /// Waits until this node, which could show its rooms, may not show them any more.
    pub async fn lease_lost(&self) {
        self.0.nodes.lease.lost().await;
    }

    /// Nothing of the time before the loss of the lease is left: this node owns no code, saves that are
    /// under way are stale, and the lease may be held again.
    pub fn forget_codes(&self) {
        self.0.rooms.forget();
    }

    /// Finds a room or a party, and takes it over if its owner is dead.
    ///
    /// # Errors
    /// If the engine does not answer, the owner is silent, or this node has no lease; within 4 s.
    pub async fn locate(&self, code: RoomCode) -> Result<Location, EngineError> {
        locate(&self.0.rooms, code).await
    }

    /// A node could not be reached. Until it is heard again, [`Cluster::locate`] waits whether it is dead.
    pub fn suspect(&self, node: NodeId) {
        self.0.nodes.suspect(node);
    }

    /// Waits until the bucket is that of another cluster: it was lost, and somebody has made it anew. What this
    /// node signs and what it has copied are of no use there.
    pub async fn replaced(&self) {
        loop {
            sleep(LOOK).await;
            let Ok(entry) = self.0.engine.get(SECRET).await else { continue };
            let common =
                entry.and_then(|entry| serde_json::from_slice::<Common>(&entry.value).ok());
            if common.is_none_or(|common| common.secret != self.0.secret) {
                return;
            }
        }
    }

    /// Gives everything up: other nodes take over at once. Nothing of this node may serve any more.
    pub async fn leave(&self) {
        self.0.nodes.leave().await;
    }

    /// The other nodes that live.
    #[must_use]
    pub fn peers(&self) -> Vec<Peer> {
        self.0.nodes.peers()
    }

    /// The addresses of the other nodes, also of those that have lived since this one began: 1,024 at most.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        self.0.nodes.addresses()
    }

    /// Tells the other nodes something in place of what was told before: now, and again each 5 s. At most
    /// 512 KiB.
    pub fn tell(&self, body: Bytes) {
        self.0.gossip.tell(body);
    }

    /// The gossip of the other nodes in the last 15 s.
    #[must_use]
    pub fn told(&self) -> Vec<(Peer, Bytes)> {
        self.0.gossip.told()
    }

    /// Waits until somebody has told something new since the last call. For one caller.
    pub async fn told_changed(&self) {
        self.0.gossip.told_changed().await;
    }

    /// The row of a party, whichever node has it.
    ///
    /// # Errors
    /// If the engine does not answer.
    pub async fn party_anywhere(&self, code: PartyCode) -> Result<Option<LiveRow>, EngineError> {
        let entry = self.0.engine.get(&key(code.0)).await?;
        let value = entry.and_then(|entry| Value::parse(&entry.value).ok());
        Ok(value.and_then(|value| value.row).filter(LiveRow::is_party))
    }

    /// The rooms and parties whose stored values name a person, on all nodes.
    ///
    /// # Errors
    /// If the engine does not answer.
    pub async fn codes_naming(&self, player: PlayerId) -> Result<Vec<RoomCode>, EngineError> {
        self.0.rooms.naming(player).await
    }

    #[cfg(test)]
    pub(crate) fn name(&self) -> &str {
        self.0.copy.cluster()
    }

    /// A sweep at this time of the engine.
    #[cfg(test)]
    pub(crate) async fn sweep(&self, now: std::time::SystemTime) -> Result<(), EngineError> {
        sweep::sweep(&self.0.rooms, now).await
    }

    /// How this node does.
    #[must_use]
    pub fn status(&self) -> Status {
        let Parts { nodes, rooms, copy, .. } = &*self.0;
        let kinds = [&nodes.heartbeats, &rooms.calls, &copy.measures];
        Status {
            nodes: self.peers().len() + 1,
            lease: self.holds_lease(),
            connected: self.0.engine.is_connected(),
            unread_records: copy.unread(),
            problem: kinds.into_iter().find_map(Retries::problem),
        }
    }
}

impl Store for Cluster {
    fn save(&self, changes: Vec<Change>) -> BoxFuture<'static, Result<(), SaveError>> {
        let parts = Arc::clone(&self.0);
        Box::pin(async move { parts.rooms.save(changes).await })
    }

    fn load(&self, code: RoomCode) -> BoxFuture<'static, Result<Option<LiveRow>, ReadError>> {
        let parts = Arc::clone(&self.0);
        Box::pin(async move { parts.rooms.load(code).await })
    }
}

/// Reads what all nodes have in common; the first node makes it.
async fn common(engine: &dyn Engine) -> Result<Common, ClusterError> {
    let end = Instant::now() + START_TIME;
    loop {
        let error = match engine.get(SECRET).await {
            Ok(Some(entry)) => {
                let common: Common = serde_json::from_slice(&entry.value)
                    .map_err(|error| ClusterError::Damaged(error.to_string()))?;
                return match common.format {
                    FORMAT => Ok(common),
                    found => Err(ClusterError::OtherFormat { found }),
                };
            }
            Ok(None) => {
                let cluster = NodeId(rand::random()).to_string();
                let new = Common { format: FORMAT, cluster, secret: rand::random() };
                // Serialization cannot fail: it is a text and numbers.
                let new = serde_json::to_vec(&new).unwrap_or_default();
                match engine.put(SECRET, new.into(), 0).await {
                    // The stored value is read: another node may have been first.
                    Ok(_) | Err(PutError::OtherRevision) => continue,
                    Err(PutError::Unknown(why)) => EngineError(why),
                }
            }
            Err(error) => error,
        };
        if Instant::now() >= end {
            return Err(error.into());
        }
        sleep(RETRY).await;
    }
}
