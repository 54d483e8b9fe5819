//! The lobbies of a cluster's nodes: their lists, and the games for which somebody waits. Each node
//! tells its own, whole.

use std::sync::Arc;
use std::time::Duration;

use noughts_cluster::{Cluster, Peer};
use noughts_protocol::{RoomSummary, ServerMessage};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::listing::list;
use super::matchmaker::{Matchmaker, QuickSettings};
use super::registry::Registry;

/// A node's lobby. Its rooms are as many as a list has, its queues [`MAX_QUEUES`] at most.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ToldLobby {
    rooms: Vec<RoomSummary>,
    /// Rooms beyond these.
    more: u32,
    queues: Vec<QuickSettings>,
}

/// Queues that a node tells. Those who wait in another one wait for somebody at their own node.
const MAX_QUEUES: usize = 256;

/// How often the lobbies are looked at while no node tells anything: a node that has died tells nobody.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// The lobbies of all nodes.
#[derive(Debug)]
pub(super) struct NodeLobbies {
    cluster: Cluster,
    registry: Arc<Registry>,
    matchmaker: Arc<Matchmaker>,
}

impl NodeLobbies {
    pub(super) fn new(
        cluster: Cluster,
        registry: Arc<Registry>,
        matchmaker: Arc<Matchmaker>,
    ) -> Self {
        Self { cluster, registry, matchmaker }
    }

    /// Waits until this node has something new to tell, or has heard something new, or another node may have
    /// died. `changed` is ready when a room of this node has changed.
    pub(super) async fn change(&self, changed: impl Future<Output = ()>) {
        tokio::select! {
            () = changed => self.tell(),
            () = self.matchmaker.changed() => self.tell(),
            () = self.cluster.told_changed() => self.hear(),
            () = sleep(LOOK_AGAIN) => {}
        }
    }

    /// The listed rooms of the others, and the number of those that they have not told.
    pub(super) fn rooms(&self) -> (Vec<RoomSummary>, u32) {
        let told: Vec<_> = self.told().collect();
        let more = told.iter().map(|(_, told)| told.more).sum();
        (told.into_iter().flat_map(|(_, told)| told.rooms).collect(), more)
    }

    /// Another node at which somebody waits for this game.
    pub(super) fn waits_for(&self, wanted: QuickSettings) -> Option<Peer> {
        let waits = self.told().find(|(_, told)| told.queues.contains(&wanted));
        waits.map(|(peer, _)| peer)
    }

    /// The last lobby of each other node that lives.
    fn told(&self) -> impl Iterator<Item = (Peer, ToldLobby)> {
        let told = self.cluster.told().into_iter();
        told.map(|(peer, body)| (peer, serde_json::from_slice(&body).unwrap_or_default()))
    }

    fn tell(&self) {
        let told = list(self.registry.listed().into_iter(), 0);
        let ServerMessage::Lobby { mut waiting, playing, more } = told else { return };
        waiting.extend(playing);
        let queues = self.matchmaker.queues(MAX_QUEUES);
        let told = ToldLobby { rooms: waiting, more, queues };
        // Serialization cannot fail: no map is in it.
        self.cluster.tell(serde_json::to_vec(&told).unwrap_or_default().into());
    }

    /// Of two who wait at two nodes, the one at the node with the higher id goes to the other.
    fn hear(&self) {
        for (peer, lobby) in self.told().filter(|(peer, _)| peer.id < self.cluster.id()) {
            for wanted in lobby.queues {
                self.matchmaker.send_to(wanted, &peer);
            }
        }
    }
}
