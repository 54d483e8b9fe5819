//! The living nodes. Each node stores its key every second, which renews its lease, and watches
//! those of the others: a key that has not changed for [`DEAD_AFTER`] is that of a dead node, whose
//! lease ended a second before. Silence is counted by the own clock, so the nodes need not agree
//! about the time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use crate::engine::{Engine, EngineError, Entry, Revision};
use crate::lease::Lease;
use crate::retries::Retries;
use crate::value::Owner;

/// The time between two heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// A call that failed is repeated after this.
pub(crate) const RETRY: Duration = Duration::from_millis(100);
/// A node that is silent for longer may be dead: who looks for its rooms waits until that is known.
const SILENT_AFTER: Duration = Duration::from_millis(1500);
/// A node that is silent for so long is dead. Longer than [`LEASE_TIME`](crate::lease::LEASE_TIME).
pub(crate) const DEAD_AFTER: Duration = Duration::from_secs(3);
/// A node that is silent for so long is forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(60);
/// Nodes, and addresses of nodes, that are known at most. More are not looked at.
pub(crate) const MAX_NODES: usize = 1024;
/// How long a node that leaves tries to delete its key. Without that, the others take over three seconds
/// later.
const LEAVE_TIME: Duration = Duration::from_secs(2);
/// The beginning of the keys of nodes.
pub(crate) const NODES: &str = "node.";
/// The format of all values. Nodes of two formats cannot be one cluster.
pub(crate) const FORMAT: u32 = 2;

/// The id of a node, drawn at each start of its process; 16 hexadecimal digits in messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub u64);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Another node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Its id.
    pub id: NodeId,
    /// Where other nodes reach it, for example `http://10.0.0.1:7333`.
    pub address: String,
}

/// The value of a node's key.
#[derive(Debug, Serialize, Deserialize)]
struct Heartbeat {
    address: String,
    /// The number of the lease that the heartbeat renews.
    lease: u64,
    format: u32,
}

/// The last sighting of another node.
#[derive(Debug, Clone)]
struct Seen {
    revision: Revision,
    /// When this revision was seen first.
    at: Instant,
    address: String,
    lease: u64,
    /// No heartbeat came since it was found, or since it could not be reached.
    is_suspect: bool,
}

/// Whether an owner lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Liveness {
    Alive(Peer),
    /// It is dead at this time if no heartbeat comes.
    Silent(Instant),
    Dead,
}

/// This node and the others.
#[derive(Debug)]
pub(crate) struct Nodes {
    pub(crate) id: NodeId,
    pub(crate) lease: Lease,
    address: String,
    engine: Arc<dyn Engine>,
    /// The others.
    seen: Mutex<BTreeMap<NodeId, Seen>>,
    /// The addresses of all others that were ever seen.
    addresses: Mutex<BTreeSet<String>>,
    pub(crate) changes: Notify,
    pub(crate) heartbeats: Retries,
}

impl Nodes {
    pub(crate) fn new(engine: Arc<dyn Engine>, id: NodeId, address: String) -> Self {
        let lease = Lease::new();
        let seen = Mutex::default();
        let addresses = Mutex::default();
        let changes = Notify::new();
        let heartbeats =
            Retries::new("this node serves nobody, because its heartbeats cannot be stored");
        Self { id, lease, address, engine, seen, addresses, changes, heartbeats }
    }

    /// This node as an owner.
    pub(crate) fn owner(&self) -> Owner {
        Owner { node: self.id, lease: self.lease.number() }
    }

    /// The own key.
    pub(crate) fn key(&self) -> String {
        key(self.id)
    }

    /// The others that live.
    pub(crate) fn peers(&self) -> Vec<Peer> {
        let seen = self.seen.lock();
        let lives = |seen: &Seen| !seen.is_suspect && seen.at.elapsed() < DEAD_AFTER;
        let live = seen.iter().filter(|(_, seen)| lives(seen));
        live.map(|(&id, seen)| Peer { id, address: seen.address.clone() }).collect()
    }

    /// The addresses of the others, also of those that live no more.
    pub(crate) fn addresses(&self) -> Vec<String> {
        self.addresses.lock().iter().cloned().collect()
    }

    /// A node could not be reached: until it is heard again, who looks for its rooms waits.
    pub(crate) fn suspect(&self, node: NodeId) {
        if let Some(seen) = self.seen.lock().get_mut(&node) {
            seen.is_suspect = true;
        }
    }

    /// Whether the lease of an owner is still held, or may be.
    pub(crate) async fn liveness(&self, owner: Owner) -> Result<Liveness, EngineError> {
        if owner.node == self.id {
            // This node owns nothing of an earlier lease. Of this one it owns what it holds.
            return Ok(Liveness::Dead);
        }
        let silent = match self.known(owner) {
            Ok(known) => return Ok(known),
            Err(silent) => silent,
        };
        // The leader says whether the watcher is late.
        let Some(entry) = self.engine.get(&key(owner.node)).await? else {
            return Ok(Liveness::Dead);
        };
        if silent == Some(entry.revision) {
            return Ok(Liveness::Dead);
        }
        self.note(owner.node, &entry);
        Ok(self.known(owner).unwrap_or(Liveness::Silent(Instant::now() + DEAD_AFTER)))
    }

    /// The liveness as far as it is known here. On an error, the engine must be asked whether that
    /// revision, which was silent for so long, is still the last one.
    fn known(&self, owner: Owner) -> Result<Liveness, Option<Revision>> {
        let seen = self.seen.lock();
        let known = seen.get(&owner.node).ok_or(None)?;
        let silence = known.at.elapsed();
        if owner.lease < known.lease {
            Ok(Liveness::Dead)
        } else if silence < SILENT_AFTER && !known.is_suspect {
            Ok(Liveness::Alive(Peer { id: owner.node, address: known.address.clone() }))
        } else if silence < DEAD_AFTER {
            Ok(Liveness::Silent(known.at + DEAD_AFTER))
        } else {
            Err(Some(known.revision))
        }
    }

    /// Sends heartbeats for ever, while the lease is not lost.
    pub(crate) async fn run_heartbeat(&self) {
        let mut known = Vec::new();
        let mut retry = self.heartbeats.begin();
        loop {
            self.log_changes(&mut known);
            match self.beat().await {
                Ok(()) => {
                    retry.succeeded();
                    sleep(HEARTBEAT).await;
                }
                Err(EngineError(why)) => {
                    retry.failed(&why);
                    sleep(RETRY).await;
                }
            }
        }
    }

    /// Logs who has come and who has gone since the last time. Without its lease the node hears nobody, which
    /// says nothing of the others.
    fn log_changes(&self, known: &mut Vec<Peer>) {
        if !self.lease.is_held() {
            return;
        }
        let peers = self.peers();
        for peer in peers.iter().filter(|peer| !known.contains(peer)) {
            tracing::info!(node = %peer.address, "another node lives");
        }
        for peer in known.iter().filter(|peer| !peers.contains(peer)) {
            tracing::warn!(node = %peer.address, "another node is gone: its rooms go on where somebody asks for them");
        }
        *known = peers;
    }

    /// Sends a heartbeat.
    ///
    /// # Errors
    /// If it may not be stored.
    pub(crate) async fn beat(&self) -> Result<(), EngineError> {
        let lease = self.lease.wanted().await;
        let sent = Instant::now();
        let heartbeat = Heartbeat { address: self.address.clone(), lease, format: FORMAT };
        // Serialization cannot fail: it is a text and two numbers.
        let value: Bytes = serde_json::to_vec(&heartbeat).unwrap_or_default().into();
        self.engine.overwrite(&self.key(), value).await?;
        self.lease.renew(lease, sent);
        Ok(())
    }

    /// Ends the lease and deletes the node's key: the others take over at once.
    pub(crate) async fn leave(&self) {
        self.lease.leave();
        let key = self.key();
        let delete = async {
            loop {
                match self.engine.get(&key).await {
                    Ok(None) => return,
                    Ok(Some(entry)) if self.engine.delete(&key, entry.revision).await.is_ok() => {
                        return;
                    }
                    _ => sleep(RETRY).await,
                }
            }
        };
        if timeout(LEAVE_TIME, delete).await.is_err() {
            tracing::info!("the cluster could not be told that this node leaves");
        }
    }

    /// Watches the others for ever.
    pub(crate) async fn run_watch(&self) {
        loop {
            match self.engine.watch(NODES).await {
                Ok(mut changes) => {
                    while let Some(Ok((key, entry))) = changes.next().await {
                        self.changed(&key, entry.as_ref());
                    }
                }
                Err(error) => tracing::debug!(%error, "the other nodes cannot be watched"),
            }
            sleep(RETRY).await;
        }
    }

    fn changed(&self, key: &str, entry: Option<&Entry>) {
        let Some(node) = node_of(key).filter(|&node| node != self.id) else { return };
        match entry {
            Some(entry) => self.note(node, entry),
            None => {
                self.seen.lock().remove(&node);
            }
        }
        self.changes.notify_waiters();
    }

    fn note(&self, node: NodeId, entry: &Entry) {
        let heartbeat = match serde_json::from_slice::<Heartbeat>(&entry.value) {
            Ok(heartbeat) => heartbeat,
            Err(error) => {
                tracing::warn!(%node, %error, "a heartbeat cannot be read");
                return;
            }
        };
        let Heartbeat { address, lease, .. } = heartbeat;
        let mut seen = self.seen.lock();
        let old = seen.get(&node).map(|seen| seen.revision);
        if old == Some(entry.revision) {
            return;
        }
        if old.is_none() {
            seen.retain(|_, seen| seen.at.elapsed() < FORGET_AFTER);
            if seen.len() >= MAX_NODES {
                return;
            }
        }
        let mut addresses = self.addresses.lock();
        if addresses.len() < MAX_NODES && !addresses.contains(&address) {
            addresses.insert(address.clone());
        }
        let is_suspect = old.is_none();
        let at = Instant::now();
        seen.insert(node, Seen { revision: entry.revision, at, address, lease, is_suspect });
    }
}

/// The key of a node.
fn key(node: NodeId) -> String {
    format!("{NODES}{node}")
}

/// The node of a key.
fn node_of(key: &str) -> Option<NodeId> {
    u64::from_str_radix(key.strip_prefix(NODES)?, 16).ok().map(NodeId)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use tokio::time::timeout_at;

    use super::*;
    use crate::fake::{FakeServer, Faults};
    use crate::lease::LEASE_TIME;

    fn node(server: &FakeServer, id: u64) -> Arc<Nodes> {
        let engine = Arc::new(server.connect());
        Arc::new(Nodes::new(engine, NodeId(id), String::new()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_counts_from_the_moment_its_heartbeat_was_sent() {
        let server = FakeServer::new(1);
        server.set_faults(Faults { delay: Duration::from_millis(200), ..Faults::default() });
        let node = node(&server, 1);
        let sent = Instant::now();
        assert!(node.beat().await.is_ok() && node.lease.is_held());
        assert!(sent.elapsed() > Duration::from_millis(50));
        drop(timeout_at(sent + LEASE_TIME, std::future::pending::<()>()).await);
        assert!(!node.lease.is_held());
    }

    #[tokio::test(start_paused = true)]
    async fn a_heartbeat_that_comes_while_the_engine_is_asked_is_no_sign_of_death() {
        let server = FakeServer::new(1);
        let [a, b] = [1, 2].map(|id| node(&server, id));
        let watching = Arc::clone(&b);
        drop(tokio::spawn(async move { watching.run_watch().await }));
        assert!(a.beat().await.is_ok() && a.beat().await.is_ok());
        drop(timeout_at(Instant::now() + DEAD_AFTER, std::future::pending::<()>()).await);
        server.set_faults(Faults { delay: Duration::from_millis(200), ..Faults::default() });
        let mut asking = pin!(b.liveness(a.owner()));
        assert!(futures::poll!(&mut asking).is_pending());
        server.set_faults(Faults::default());
        assert!(a.beat().await.is_ok());
        let found = asking.await;
        assert!(matches!(found, Ok(Liveness::Alive(_))), "{found:?}");
    }
}
