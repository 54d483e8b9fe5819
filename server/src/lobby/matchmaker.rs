//! Who waits for a quick match. Pairing is by equal settings, first come first served, and never
//! of a player with themselves. Making the room is the lobby's.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_protocol::{BoardSpec, PlayerId, RoomCode};
use tokio::sync::oneshot;

use super::Requester;

/// The game that two people must both want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct QuickSettings {
    pub(crate) board: BoardSpec,
    pub(crate) move_time_ms: Option<u32>,
}

/// The queues: at most one entry for each connection, and no queue is kept empty.
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

/// Somebody who waits, as the matchmaker holds them.
#[derive(Debug)]
pub(crate) struct QueueEntry {
    number: u64,
    requester: Requester,
    found: oneshot::Sender<RoomCode>,
}

/// Somebody's own hold on their place in the queue; dropping it gives the place up.
#[derive(Debug)]
pub(crate) struct MatchTicket {
    number: u64,
    pub(crate) wanted: QuickSettings,
    pub(crate) requester: Requester,
    pub(crate) found: oneshot::Receiver<RoomCode>,
    matchmaker: Arc<Matchmaker>,
}

impl QueueEntry {
    /// Who waits.
    pub(crate) const fn requester(&self) -> &Requester {
        &self.requester
    }

    /// Leads them to their room; `false` if their connection has ended.
    pub(crate) fn hand_over(self, room: RoomCode) -> bool {
        self.found.send(room).is_ok()
    }
}

impl Matchmaker {
    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().waiting.values().map(VecDeque::len).sum()
    }

    /// Takes the one who has waited longest for these settings, other than `player`.
    pub(crate) fn take_opponent(
        &self,
        wanted: QuickSettings,
        player: PlayerId,
    ) -> Option<QueueEntry> {
        let mut queues = self.lock();
        let queue = queues.waiting.get_mut(&wanted)?;
        let place = queue.iter().position(|entry| entry.requester.player != player)?;
        let entry = queue.remove(place);
        if queue.is_empty() {
            queues.waiting.remove(&wanted);
        }
        entry
    }

    /// Puts somebody who was taken to the head of the queue again.
    pub(crate) fn put_back(&self, wanted: QuickSettings, entry: QueueEntry) {
        // Whoever has gone meanwhile took nothing out of the queue as they went.
        if !entry.found.is_closed() {
            self.lock().waiting.entry(wanted).or_default().push_front(entry);
        }
    }

    /// Puts somebody at the end of the queue.
    pub(crate) fn wait(
        self: Arc<Self>,
        wanted: QuickSettings,
        requester: Requester,
    ) -> MatchTicket {
        let (found_sender, found) = oneshot::channel();
        let mut queues = self.lock();
        let number = queues.next;
        queues.next += 1;
        let entry = QueueEntry { number, requester: requester.clone(), found: found_sender };
        queues.waiting.entry(wanted).or_default().push_back(entry);
        drop(queues);
        MatchTicket { number, wanted, requester, found, matchmaker: self }
    }

    fn remove(&self, wanted: QuickSettings, number: u64) {
        let mut queues = self.lock();
        if let Some(queue) = queues.waiting.get_mut(&wanted) {
            queue.retain(|entry| entry.number != number);
            if queue.is_empty() {
                queues.waiting.remove(&wanted);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for MatchTicket {
    fn drop(&mut self) {
        self.matchmaker.remove(self.wanted, self.number);
    }
}
