//! Gossip between nodes: messages that are not kept and may be lost. Each begins with the id of its sender, who
//! does not hear it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures::StreamExt;
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};

use crate::engine::Engine;
use crate::nodes::{MAX_NODES, NodeId, Nodes, Peer};

/// A node tells its body again after this.
const TELL_AGAIN: Duration = Duration::from_secs(5);
/// The time between two tellings at least.
const TELL_PAUSE: Duration = Duration::from_millis(100);
/// A body that was not told again in this time is forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(15);
/// The longest telling, in bytes. A longer one is not sent.
const MAX_BODY: usize = 512 << 10;
/// A stream that ended begins again after this.
const RETRY: Duration = Duration::from_millis(500);

/// The bodies that nodes tell.
#[derive(Debug)]
pub(crate) struct Gossip {
    engine: Arc<dyn Engine>,
    nodes: Arc<Nodes>,
    own: watch::Sender<Bytes>,
    told: Mutex<BTreeMap<NodeId, (Instant, Bytes)>>,
    changed: Notify,
}

impl Gossip {
    pub(crate) fn new(engine: Arc<dyn Engine>, nodes: Arc<Nodes>) -> Self {
        let own = watch::Sender::new(Bytes::new());
        let told = Mutex::default();
        Self { engine, nodes, own, told, changed: Notify::new() }
    }

    pub(crate) fn tell(&self, body: Bytes) {
        if body.len() > MAX_BODY {
            tracing::warn!(bytes = body.len(), "this is too much to tell the other nodes");
            return;
        }
        self.own.send_if_modified(|own| {
            let is_new = *own != body;
            *own = body;
            is_new
        });
    }

    pub(crate) fn told(&self) -> Vec<(Peer, Bytes)> {
        let peers = self.nodes.peers();
        let told = self.told.lock();
        let heard = |peer: Peer| {
            let (at, body) = told.get(&peer.id)?;
            (at.elapsed() < FORGET_AFTER).then(|| (peer, body.clone()))
        };
        peers.into_iter().filter_map(heard).collect()
    }

    pub(crate) async fn told_changed(&self) {
        self.changed.notified().await;
    }

    /// Tells and listens for ever.
    pub(crate) async fn run(&self) {
        tokio::join!(self.run_tell(), self.run_listen());
    }

    async fn run_tell(&self) {
        let mut own = self.own.subscribe();
        loop {
            let body = own.borrow_and_update().clone();
            if !body.is_empty()
                && let Err(error) = self.engine.publish(self.signed(&body)).await
            {
                tracing::debug!(%error, "the other nodes could not be told");
            }
            sleep(TELL_PAUSE).await;
            drop(timeout(TELL_AGAIN, own.changed()).await);
        }
    }

    async fn run_listen(&self) {
        loop {
            match self.engine.subscribe().await {
                Ok(mut messages) => {
                    while let Some(message) = messages.next().await {
                        if let Some((node, body)) = self.heard(message) {
                            self.note(node, body);
                        }
                    }
                }
                Err(error) => tracing::debug!(%error, "the other nodes cannot be heard"),
            }
            sleep(RETRY).await;
        }
    }

    fn note(&self, node: NodeId, body: Bytes) {
        let mut told = self.told.lock();
        let is_new = told.get(&node).is_none_or(|(_, old)| *old != body);
        if is_new {
            told.retain(|_, (at, _)| at.elapsed() < FORGET_AFTER);
        }
        if told.len() < MAX_NODES || told.contains_key(&node) {
            told.insert(node, (Instant::now(), body));
        }
        if is_new {
            self.changed.notify_one();
        }
    }

    /// A message of this node.
    fn signed(&self, body: &[u8]) -> Bytes {
        let mut message = BytesMut::with_capacity(8 + body.len());
        message.put_u64(self.nodes.id.0);
        message.put_slice(body);
        message.freeze()
    }

    /// The sender and the body of a message; `None` if this node sent it.
    fn heard(&self, mut message: Bytes) -> Option<(NodeId, Bytes)> {
        let sender = NodeId(message.try_get_u64().ok()?);
        (sender != self.nodes.id).then_some((sender, message))
    }
}
