//! The nodes that live: each tells all others five times a second that it lives. Pure: the
//! caller brings the time, on its own clock.
//!
//! A node is silent only as long as one's own beats come back at once. So an engine that stands still
//! makes nobody look dead, and neither does a node's own sleep.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::directory::{Hearing, NodeInfo, NodeName};
use super::record::{FORMAT, OLDEST};

/// How often a node says that it lives.
pub(super) const EVERY: Duration = Duration::from_millis(200);

/// A node that is silent for longer is suspected: others claim its shards. It is five beats, so that one
/// that is lost does nothing.
pub(super) const SUSPECT_AFTER: Duration = Duration::from_secs(1);

/// Own beats that came back must be younger than this for the silence of others to count.
const ECHO: Duration = Duration::from_millis(400);

/// A node whose own beats have not come back for this long says that it is not healthy, and for that
/// long that its players should go elsewhere: longer than an engine takes to elect a leader.
const BADLY: Duration = Duration::from_secs(1);
pub(super) const CUT_OFF: Duration = Duration::from_secs(15);

/// Other nodes that are known at a time; further ones are not heard. A cluster has three to ten.
const MAX_NODES: usize = 63;

/// The longest address in bytes; a beat with a longer one is not heard.
const MAX_ADDRESS: usize = 256;

/// A beat begins so, and no other message to all nodes.
const PREFIX: &[u8] = br#"{"beat":"#;

/// The facts that a node tells of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Beat {
    pub(super) node: NodeName,
    /// Where clients reach the node.
    pub(super) address: Option<String>,
    /// When it was sent, by the sender's own clock, for the sender alone.
    pub(super) sent: Duration,
    /// Whether the node hands its shards over, to stop.
    pub(super) leaving: bool,
    /// The newest format of records that the node reads.
    pub(super) format: u16,
}

#[derive(Serialize, Deserialize)]
struct Message<B> {
    beat: B,
}

impl Beat {
    /// The message.
    pub(super) fn encode(&self) -> Bytes {
        // Serialization cannot fail: a beat has no map.
        serde_json::to_vec(&Message { beat: self }).unwrap_or_default().into()
    }

    /// Reads a message to all nodes; `None` if it is no beat that this version reads.
    pub(super) fn decode(message: &[u8]) -> Option<Self> {
        if !message.starts_with(PREFIX) {
            return None;
        }
        let Message { beat } = serde_json::from_slice::<Message<Self>>(message).ok()?;
        let fits = beat.address.as_ref().is_none_or(|address| address.len() <= MAX_ADDRESS);
        fits.then_some(beat)
    }
}

/// Another node that was heard.
#[derive(Debug)]
struct Peer {
    address: Option<String>,
    is_leaving: bool,
    /// The newest format of records that it reads.
    format: u16,
    /// When it was heard last.
    heard: Duration,
}

/// The nodes that live.
#[derive(Debug)]
pub(super) struct Beats {
    me: NodeInfo,
    peers: BTreeMap<NodeName, Peer>,
    /// Since when this node has heard itself without a break.
    hears_since: Duration,
    /// When the youngest own beat that came back was sent.
    echo: Duration,
    /// The last look at the clock.
    now: Duration,
}

impl Beats {
    /// A node that has heard nothing yet, at time zero of its clock.
    pub(super) const fn new(me: NodeName, address: Option<String>) -> Self {
        let me = NodeInfo { name: me, address, is_leaving: false };
        let zero = Duration::ZERO;
        Self { me, peers: BTreeMap::new(), hears_since: zero, echo: zero, now: zero }
    }

    /// Hears a beat.
    pub(super) fn hear(&mut self, now: Duration, beat: Beat) {
        let Beat { node, address, sent, leaving: is_leaving, format } = beat;
        if node == self.me.name {
            // A time yet to come is no beat of this node's.
            self.echo = self.echo.max(sent.min(now));
        } else if self.peers.len() < MAX_NODES || self.peers.contains_key(&node) {
            self.peers.insert(node, Peer { address, is_leaving, format, heard: now });
        }
    }

    /// Looks at the clock. A silence begins again if this node does not hear itself.
    pub(super) fn tick(&mut self, now: Duration) {
        self.now = now;
        if !self.hears_itself() {
            self.hears_since = now;
        }
        let since = self.hears_since;
        self.peers.retain(|_, peer| now.saturating_sub(peer.heard.max(since)) < SUSPECT_AFTER);
    }

    /// Whether this node's own beats come back at once. If not, others may soon believe it dead, and claim
    /// its shards, which they do after a longer silence than this one.
    pub(super) fn hears_itself(&self) -> bool {
        self.age_of_echo() <= ECHO
    }

    fn age_of_echo(&self) -> Duration {
        self.now.saturating_sub(self.echo)
    }

    /// Says whether this node hands its shards over.
    pub(super) const fn set_leaving(&mut self) {
        self.me.is_leaving = true;
    }

    /// Whether this node has heard itself for long enough to know that a node that it has not heard is
    /// silent.
    pub(super) fn has_listened(&self) -> bool {
        self.now.saturating_sub(self.hears_since) >= SUSPECT_AFTER
    }

    /// Whether a node, which owns a shard by the log, seems to be dead.
    pub(super) fn suspects(&self, node: &NodeName) -> bool {
        *node != self.me.name && !self.peers.contains_key(node) && self.has_listened()
    }

    /// Whether this node hears the others.
    pub(super) fn hearing(&self) -> Hearing {
        match self.age_of_echo() {
            age if age >= CUT_OFF => Hearing::CutOff,
            age if age >= BADLY => Hearing::Badly,
            _ => Hearing::Well,
        }
    }

    /// The nodes that live, with this one, by name.
    pub(super) fn nodes(&self) -> Vec<NodeInfo> {
        let peers = self.peers.iter().map(|(name, peer)| NodeInfo {
            name: name.clone(),
            address: peer.address.clone(),
            is_leaving: peer.is_leaving,
        });
        let mut nodes: Vec<_> = peers.chain([self.me.clone()]).collect();
        nodes.sort_by(|one, other| one.name.cmp(&other.name));
        nodes
    }

    /// The newest format of records that all nodes read, as far as this one knows them.
    pub(super) fn format(&self) -> u16 {
        if !self.has_listened() {
            return OLDEST;
        }
        self.peers.values().map(|peer| peer.format).fold(FORMAT, u16::min)
    }

    /// The nodes that may own shards, by name.
    pub(super) fn candidates(&self) -> Vec<NodeName> {
        let staying = self.nodes().into_iter().filter(|node| !node.is_leaving);
        staying.map(|node| node.name).collect()
    }
}

#[cfg(test)]
mod tests;
