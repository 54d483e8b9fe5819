//! The directory: which node owns a shard, and which nodes live, as this node knows it now. A node
//! [itself](super::node) writes it, everybody else reads it. A single server owns every shard.

mod name;

use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use url::Url;

pub use name::NodeName;

use crate::metrics::cluster::ClusterMetrics;
use crate::shard::{SHARDS, Shard};

/// How long somebody who needs a shard waits until the shard has an owner. It is longer than an engine
/// takes to find a new leader, and than a dead node's shards take to be claimed.
const SETTLE: Duration = Duration::from_secs(10);

/// A node that has not looked at the clock for this long stood still. It says of no shard that it owns it
/// before it has read the log. It looks ten times a second.
const STOOD_STILL: Duration = Duration::from_millis(500);

/// Addresses that a node remembers of nodes that have lived: far more than a cluster has nodes.
const MAX_ADDRESSES: usize = 64;

/// The owner of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// This node, and the shard's rooms are here.
    Me,
    /// Another node, by the log. It may have stopped without a word, or still read the shard's rooms.
    Node(NodeName),
    /// No node; or this one, which still reads the shard's rooms.
    Nobody,
}

/// A node that lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeInfo {
    /// Its name.
    pub name: NodeName,
    /// Where clients reach it, if its host says so.
    pub address: Option<String>,
    /// Whether it hands its shards over, to stop.
    pub is_leaving: bool,
}

/// Whether a node hears the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Hearing {
    /// Its own beats come back.
    #[default]
    Well,
    /// They have not for a second: new players are better off elsewhere.
    Badly,
    /// They have not for so long that its players are better off elsewhere too; or the log has taken
    /// nothing of this node for so long.
    CutOff,
}

/// The contents of a directory.
#[derive(Debug)]
pub(super) struct State {
    owners: [Owner; SHARDS as usize],
    nodes: Vec<NodeInfo>,
    /// Where clients reached the nodes that have lived since this one began, the youngest first.
    addresses: VecDeque<String>,
    hearing: Hearing,
    /// Whether this node must read the log before it may say that it owns a shard.
    in_doubt: bool,
    /// When this node looked at the clock.
    looked: Instant,
    /// How often somebody had to know what the log says now, and for how many of them it was read.
    asked: u64,
    read_for: u64,
}

/// The owners of the shards; cheap to clone.
#[derive(Debug, Clone)]
pub struct Directory {
    me: NodeName,
    address: Option<String>,
    /// `None` on a single server.
    state: Option<Arc<watch::Sender<State>>>,
    metrics: Arc<ClusterMetrics>,
}

impl Directory {
    /// The directory of a single server, which owns every shard.
    #[must_use]
    pub fn alone() -> Self {
        Self { state: None, ..Self::new(NodeName::default(), None) }
    }

    /// The directory of a node, which owns no shard yet. Clients reach the node at `address`.
    #[must_use]
    pub fn new(me: NodeName, address: Option<String>) -> Self {
        let owners = [const { Owner::Nobody }; SHARDS as usize];
        let (nodes, addresses) = (Vec::new(), VecDeque::new());
        let (hearing, looked) = (Hearing::default(), Instant::now());
        let (in_doubt, asked, read_for) = (false, 0, 0);
        let state = State { owners, nodes, addresses, hearing, in_doubt, looked, asked, read_for };
        let state = Some(Arc::new(watch::Sender::new(state)));
        Self { me, address, state, metrics: Arc::default() }
    }

    /// The name of this node.
    #[must_use]
    pub const fn me(&self) -> &NodeName {
        &self.me
    }

    /// Where clients reach this node, if its host says so.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Whether this is a single server.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.state.is_none()
    }

    /// The owner of a shard.
    #[must_use]
    pub fn owner(&self, shard: Shard) -> Owner {
        self.state.as_ref().map_or(Owner::Me, |state| state.borrow().owner(shard))
    }

    /// The shards that this node owns, all on a single server.
    #[must_use]
    pub fn owned(&self) -> Vec<Shard> {
        let Some(state) = &self.state else { return Shard::all().collect() };
        let state = state.borrow();
        Shard::all().filter(|shard| state.owner(*shard) == Owner::Me).collect()
    }

    /// Whether another node owns a shard.
    pub(crate) fn owns_any(&self, node: &NodeName) -> bool {
        let Some(state) = &self.state else { return false };
        let is_theirs = |owner: &Owner| matches!(owner, Owner::Node(name) if name == node);
        state.borrow().owners.iter().any(is_theirs)
    }

    /// Waits until the shard has an owner that lives, at most [`SETTLE`], and returns its owner then.
    pub async fn settled(&self, shard: Shard) -> Owner {
        self.wait(|state| state.is_settled(shard)).await;
        self.owner(shard)
    }

    /// Waits until every shard has an owner that lives, at most [`SETTLE`], and returns whether they have.
    pub async fn all_settled(&self) -> bool {
        self.wait(|state| Shard::all().all(|shard| state.is_settled(shard))).await
    }

    /// Waits until this node has read what the log holds now, at most [`SETTLE`], and returns whether it has.
    /// Another node may have claimed a shard that this one believes its own: before this node says that
    /// something is not there, it must be sure.
    pub(crate) async fn catch_up(&self) -> bool {
        let mut asked = 0;
        self.change(|state| {
            state.asked += 1;
            asked = state.asked;
            true
        });
        self.wait(|state| state.read_for >= asked).await
    }

    /// The nodes that live, with this one, by name. A single server is none.
    #[must_use]
    pub fn nodes(&self) -> Vec<NodeInfo> {
        self.state.as_ref().map(|state| state.borrow().nodes.clone()).unwrap_or_default()
    }

    /// Whether a page with this origin comes from a node: people go on elsewhere when their node has died.
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        let is_its = |address: &String| {
            Url::parse(address).is_ok_and(|url| url.origin().ascii_serialization() == origin)
        };
        self.state.as_ref().is_some_and(|state| state.borrow().addresses.iter().any(is_its))
    }

    /// Whether this node hears the others, so that new players may come to it.
    #[must_use]
    pub fn is_healthy(&self) -> bool {
        self.state.as_ref().is_none_or(|state| state.borrow().hearing == Hearing::Well)
    }

    /// Whether this node has not heard the others for so long that its players should go elsewhere.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.borrow().hearing == Hearing::CutOff)
    }

    /// Waits until [`Directory::is_cut_off`] is as given; forever on a single server.
    pub async fn until_cut_off_is(&self, is: bool) {
        let Some(state) = &self.state else { return std::future::pending().await };
        let wanted = |state: &State| (state.hearing == Hearing::CutOff) == is;
        // The sender is in this directory.
        let _ = state.subscribe().wait_for(wanted).await;
    }

    /// Waits until a node lives no more that has lived; forever on a single server.
    pub(super) async fn until_dead(&self, node: &NodeName) {
        let Some(state) = &self.state else { return std::future::pending().await };
        let mut state = state.subscribe();
        // The sender is in this directory.
        let _ = state.wait_for(|state| state.lives(node)).await;
        let _ = state.wait_for(|state| !state.lives(node)).await;
    }

    /// Waits until somebody has to know what the log says now. Returns for whom it is read then, as
    /// [`Directory::set_read_for`] takes it. Cancel-safe.
    pub(crate) async fn until_asked(&self) -> u64 {
        let Some(state) = &self.state else { return std::future::pending().await };
        let mut state = state.subscribe();
        // The sender is in this directory.
        let asked = state.wait_for(|state| state.asked > state.read_for).await;
        asked.map_or(0, |state| state.asked)
    }

    /// Says for whom the log was read: for all that had asked when the reading began.
    pub(crate) fn set_read_for(&self, asked: u64) {
        self.change(|state| replace(&mut state.read_for, asked));
    }

    /// The counts for the host; `None` on a single server.
    pub(crate) fn metrics(&self) -> Option<&Arc<ClusterMetrics>> {
        self.state.as_ref().map(|_| &self.metrics)
    }

    async fn wait(&self, is_so: impl FnMut(&State) -> bool) -> bool {
        let Some(state) = &self.state else { return true };
        let mut state = state.subscribe();
        let waited = tokio::time::timeout(SETTLE, state.wait_for(is_so)).await;
        waited.is_ok_and(|seen| seen.is_ok())
    }

    /// Says who owns a shard.
    pub(crate) fn set_owner(&self, shard: Shard, owner: Owner) {
        self.change(|state| replace(&mut state.owners[shard.index()], owner));
    }

    /// Says which nodes live.
    pub(super) fn set_nodes(&self, nodes: Vec<NodeInfo>) {
        self.change(|state| {
            for address in nodes.iter().filter_map(|node| node.address.as_ref()) {
                state.remember(address);
            }
            replace(&mut state.nodes, nodes)
        });
    }

    /// Says whether this node hears the others.
    pub(super) fn set_hearing(&self, hearing: Hearing) {
        self.change(|state| replace(&mut state.hearing, hearing));
    }

    /// Says whether this node must read the log before it may say that it owns a shard.
    pub(super) fn set_in_doubt(&self, in_doubt: bool) {
        self.change(|state| replace(&mut state.in_doubt, in_doubt));
    }

    /// Says that this node looked at the clock. Returns whether it stood still before.
    pub(super) fn look(&self) -> bool {
        let mut stood_still = false;
        self.change(|state| {
            stood_still = state.looked.elapsed() > STOOD_STILL;
            state.looked = Instant::now();
            false
        });
        stood_still
    }

    fn change(&self, change: impl FnOnce(&mut State) -> bool) {
        if let Some(state) = &self.state {
            state.send_if_modified(change);
        }
    }
}

/// Whether the value is a new one.
fn replace<T: PartialEq>(place: &mut T, value: T) -> bool {
    let is_new = *place != value;
    *place = value;
    is_new
}

impl State {
    fn remember(&mut self, address: &String) {
        if !self.addresses.contains(address) {
            self.addresses.truncate(MAX_ADDRESSES - 1);
            self.addresses.push_front(address.clone());
        }
    }

    fn owner(&self, shard: Shard) -> Owner {
        match &self.owners[shard.index()] {
            // It may have stood still until now: the first to run then is not always the node's own task.
            Owner::Me if self.in_doubt || self.looked.elapsed() > STOOD_STILL => Owner::Nobody,
            owner => owner.clone(),
        }
    }

    fn lives(&self, name: &NodeName) -> bool {
        self.nodes.iter().any(|node| node.name == *name)
    }

    fn is_settled(&self, shard: Shard) -> bool {
        match self.owner(shard) {
            Owner::Me => true,
            Owner::Node(name) => self.lives(&name),
            Owner::Nobody => false,
        }
    }
}

#[cfg(test)]
mod tests;
