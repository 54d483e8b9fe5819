//! The queues of quick match. Players with equal settings are paired, first come first served, and
//! nobody with themselves. The lobby makes the room.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use noughts_protocol::{BoardSpec, PlayerId, RoomCode};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::Requester;

/// The game that both players of a match want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct QuickSettings {
    pub(crate) board: BoardSpec,
    pub(crate) move_time_ms: Option<u32>,
}

/// The queues. They hold at most one entry for each connection. No queue is empty.
#[derive(Debug, Default)]
pub(crate) struct Matchmaker {
    queues: Mutex<Queues>,
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
    pub(crate) found: oneshot::Sender<RoomCode>,
}

/// A player's place in the queue. The connection holds it; dropping it gives up the place.
#[derive(Debug)]
pub(crate) struct MatchTicket {
    number: u64,
    pub(crate) wanted: QuickSettings,
    pub(crate) requester: Requester,
    pub(crate) found: oneshot::Receiver<RoomCode>,
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
        }
        entry
    }

    /// Puts a taken entry back at the head of the queue.
    pub(crate) fn put_back(&self, wanted: QuickSettings, entry: QueueEntry) {
        // A player who has gone meanwhile found no entry to remove.
        if !entry.found.is_closed() {
            self.queues.lock().waiting.entry(wanted).or_default().push_front(entry);
        }
    }

    /// Puts a player at the end of the queue.
    pub(crate) fn wait(
        self: Arc<Self>,
        wanted: QuickSettings,
        requester: Requester,
    ) -> MatchTicket {
        let (found_sender, found) = oneshot::channel();
        let mut queues = self.queues.lock();
        let number = queues.next;
        queues.next += 1;
        let entry = QueueEntry { number, requester: requester.clone(), found: found_sender };
        queues.waiting.entry(wanted).or_default().push_back(entry);
        drop(queues);
        MatchTicket { number, wanted, requester, found, matchmaker: self }
    }

    fn remove(&self, wanted: QuickSettings, number: u64) {
        let mut queues = self.queues.lock();
        if let Some(queue) = queues.waiting.get_mut(&wanted) {
            queue.retain(|entry| entry.number != number);
            if queue.is_empty() {
                queues.waiting.remove(&wanted);
            }
        }
    }
}

impl Drop for MatchTicket {
    fn drop(&mut self) {
        self.matchmaker.remove(self.wanted, self.number);
    }
}

#[cfg(test)]
mod tests;
