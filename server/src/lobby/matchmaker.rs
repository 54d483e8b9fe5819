//! The queues of quick match. Players with equal settings are paired, first come first served, and
//! nobody with themselves. The lobby makes the room.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use noughts_cluster::Peer;
use noughts_protocol::{BoardSpec, PlayerId, RoomCode, Variant};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, oneshot};

use super::Requester;

/// The game that both players of a match want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct QuickSettings {
    pub(crate) board: BoardSpec,
    #[serde(default)]
    pub(crate) variant: Variant,
    pub(crate) move_time_ms: Option<u32>,
}

/// The queues. They hold at most one entry for each player. No queue is empty.
#[derive(Debug, Default)]
pub(crate) struct Matchmaker {
    queues: Mutex<Queues>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Queues {
    waiting: HashMap<QuickSettings, VecDeque<QueueEntry>>,
    /// The number of the next entry.
    next: u64,
}

/// A waiting player. The matchmaker holds it.
#[derive(Debug)]
pub(crate) struct QueueEntry {
    number: u64,
    requester: Requester,
    /// Tells the player's connection of the room.
    pub(crate) found: oneshot::Sender<Match>,
}

/// The end of a player's wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// The room of the game.
    Room(RoomCode),
    /// Somebody waits for the same game at another node.
    At(Peer),
}

/// A player's place in the queue. The connection holds it; dropping it gives up the place.
#[derive(Debug)]
pub(crate) struct MatchTicket {
    number: u64,
    pub(crate) wanted: QuickSettings,
    pub(crate) requester: Requester,
    pub(crate) found: oneshot::Receiver<Match>,
    matchmaker: Arc<Matchmaker>,
}

impl QueueEntry {
    /// The player who waits.
    pub(crate) const fn requester(&self) -> &Requester {
        &self.requester
    }
}

impl Matchmaker {
    /// The number of waiting players.
    pub(crate) fn len(&self) -> usize {
        self.queues.lock().waiting.values().map(VecDeque::len).sum()
    }

    /// The players who wait, and for which games.
    pub(crate) fn waiting(&self) -> HashMap<PlayerId, QuickSettings> {
        let queues = self.queues.lock();
        let all = queues.waiting.iter();
        all.flat_map(|(wanted, queue)| queue.iter().map(|it| (it.requester.player, *wanted)))
            .collect()
    }

    /// Takes the player who has waited longest for these settings and is not `player`.
    pub(crate) fn take_opponent(
        &self,
        wanted: QuickSettings,
        player: PlayerId,
    ) -> Option<QueueEntry> {
        let mut queues = self.queues.lock();
        let queue = queues.waiting.get_mut(&wanted)?;
        let place = queue.iter().position(|entry| entry.requester.player != player);
        let entry = place.and_then(|place| queue.remove(place));
        if queue.is_empty() {
            queues.waiting.remove(&wanted);
            self.changed.notify_one();
        }
        entry
    }

    /// Ends the waits of some players: the sender of each ticket is gone.
    pub(crate) fn end_waits(&self, of: impl Fn(PlayerId) -> bool) {
        self.queues.lock().end_waits(of);
        self.changed.notify_one();
    }

    /// Waits until there is another queue, or one less.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// The games for which somebody waits, `most` at most.
    pub(super) fn queues(&self, most: usize) -> Vec<QuickSettings> {
        self.queues.lock().waiting.keys().take(most).copied().collect()
    }

    /// Sends the player who has waited longest for these settings to another node, if there is one.
    pub(super) fn send_to(&self, wanted: QuickSettings, peer: &Peer) {
        if let Some(entry) = self.take_opponent(wanted, PlayerId::NOBODY) {
            // The player may have gone.
            let _ = entry.found.send(Match::At(peer.clone()));
        }
    }

    /// Puts a taken entry back at the head of the queue.
    pub(crate) fn put_back(&self, wanted: QuickSettings, entry: QueueEntry) {
        // A player who has gone meanwhile found no entry to remove.
        if !entry.found.is_closed() {
            self.queues.lock().waiting.entry(wanted).or_default().push_front(entry);
        }
    }

    /// Puts a player at the end of the queue. An earlier wait of theirs, at whichever connection, ends.
    pub(crate) fn wait(
        self: Arc<Self>,
        wanted: QuickSettings,
        requester: Requester,
    ) -> MatchTicket {
        let (found_sender, found) = oneshot::channel();
        let mut queues = self.queues.lock();
        queues.end_waits(|player| player == requester.player);
        let number = queues.next;
        queues.next += 1;
        let entry = QueueEntry { number, requester: requester.clone(), found: found_sender };
        queues.waiting.entry(wanted).or_default().push_back(entry);
        drop(queues);
        self.changed.notify_one();
        MatchTicket { number, wanted, requester, found, matchmaker: self }
    }

    fn remove(&self, wanted: QuickSettings, number: u64) {
        let mut queues = self.queues.lock();
        if let Some(queue) = queues.waiting.get_mut(&wanted) {
            queue.retain(|entry| entry.number != number);
            if queue.is_empty() {
                queues.waiting.remove(&wanted);
                self.changed.notify_one();
            }
        }
    }
}

impl Queues {
    fn end_waits(&mut self, of: impl Fn(PlayerId) -> bool) {
        self.waiting.retain(|_, queue| {
            queue.retain(|entry| !of(entry.requester.player));
            !queue.is_empty()
        });
    }
}

impl Drop for MatchTicket {
    fn drop(&mut self) {
        self.matchmaker.remove(self.wanted, self.number);
    }
}

#[cfg(test)]
mod tests;
