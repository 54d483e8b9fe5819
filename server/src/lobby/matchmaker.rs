//! The queues of quick match. Players with equal settings are paired, first come first served, and
//! nobody with themselves. The lobby makes the room.
//!
//! In a cluster the queue of some settings is at one node, and players wait there from all nodes
//! ([`super::seek`]).

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{BoardSpec, PlayerId, RoomCode};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::Requester;
use crate::cluster::directory::NodeName;
use crate::cluster::question::Ticket;

/// A player at another node who has not asked again for this long does not wait any more.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(7);

/// Waiting players from which on no further player of another node is noted, who then asks again: as many as
/// one server has connections.
const MAX_WAITING: usize = 20_000;

/// The game that both players of a match want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct QuickSettings {
    pub(crate) board: BoardSpec,
    pub(crate) move_time_ms: Option<u32>,
}

/// The queues. They hold at most one entry for each connection here, and [`MAX_WAITING`] of other nodes. No queue
/// is empty.
#[derive(Debug, Default)]
pub(crate) struct Matchmaker {
    queues: Mutex<Queues>,
    /// The players of this node who wait in a queue of the cluster: at most one for each connection.
    elsewhere: Mutex<HashMap<Ticket, oneshot::Sender<RoomCode>>>,
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
    pub(crate) way: Way,
}

/// How a waiting player hears of their room.
#[derive(Debug)]
pub(crate) enum Way {
    /// Their connection is here.
    Here(oneshot::Sender<RoomCode>),
    /// A node of the cluster tells them. It asked last at that time.
    Node(NodeName, Ticket, Instant),
}

/// A player's place in the queue. The connection holds it; dropping it gives up the place.
#[derive(Debug)]
pub(crate) struct MatchTicket {
    place: TicketPlace,
    pub(crate) wanted: QuickSettings,
    pub(crate) requester: Requester,
    pub(crate) found: oneshot::Receiver<RoomCode>,
    matchmaker: Arc<Matchmaker>,
}

#[derive(Debug)]
enum TicketPlace {
    /// In a queue of a single server, with this number.
    Here(u64),
    /// In a queue of the cluster. Dropping the guard ends the task that asks for it.
    Elsewhere { ticket: Ticket, _asking: DropGuard },
}

impl QueueEntry {
    /// The player who waits.
    pub(crate) const fn requester(&self) -> &Requester {
        &self.requester
    }

    /// Whether the player may still wait. One of this node removes the entry before that ends.
    fn may_wait(&self) -> bool {
        matches!(self.way, Way::Here(_)) || !self.way.is_closed()
    }
}

impl Way {
    /// Whether the player is known to wait no more.
    fn is_closed(&self) -> bool {
        match self {
            Self::Here(found) => found.is_closed(),
            Self::Node(.., asked) => asked.elapsed() > FORGOTTEN_AFTER,
        }
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
        queue.retain(QueueEntry::may_wait);
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
        if !entry.way.is_closed() {
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
        let way = Way::Here(found_sender);
        let entry = QueueEntry { number, requester: requester.clone(), way };
        queues.waiting.entry(wanted).or_default().push_back(entry);
        drop(queues);
        let place = TicketPlace::Here(number);
        MatchTicket { place, wanted, requester, found, matchmaker: self }
    }

    /// Puts a player of a node at the end of the queue, or notes that they still wait.
    pub(crate) fn wait_from(
        &self,
        wanted: QuickSettings,
        requester: Requester,
        node: NodeName,
        ticket: Ticket,
    ) {
        let now = Instant::now();
        let mut queues = self.queues.lock();
        let Queues { waiting, next } = &mut *queues;
        for entry in waiting.get_mut(&wanted).into_iter().flatten() {
            if let Way::Node(_, known, asked) = &mut entry.way
                && *known == ticket
            {
                *asked = now;
                return;
            }
        }
        if waiting.values().map(VecDeque::len).sum::<usize>() < MAX_WAITING {
            let (number, way) = (*next, Way::Node(node, ticket, now));
            *next += 1;
            let queue = waiting.entry(wanted).or_default();
            queue.push_back(QueueEntry { number, requester, way });
        }
    }

    /// Forgets the players of other nodes who are known to wait no more.
    pub(crate) fn forget_silent(&self) {
        self.queues.lock().waiting.retain(|_, queue| {
            queue.retain(QueueEntry::may_wait);
            !queue.is_empty()
        });
    }

    /// A player of a node waits no more.
    pub(crate) fn forget(&self, ticket: Ticket) {
        let is_it =
            |entry: &QueueEntry| matches!(entry.way, Way::Node(_, known, _) if known == ticket);
        self.queues.lock().waiting.retain(|_, queue| {
            queue.retain(|entry| !is_it(entry));
            !queue.is_empty()
        });
    }

    /// A ticket for a player of this node who is to wait in a queue of the cluster, and what ends with
    /// it.
    pub(crate) fn wait_elsewhere(
        self: Arc<Self>,
        ticket: Ticket,
        wanted: QuickSettings,
        requester: Requester,
    ) -> (MatchTicket, CancellationToken) {
        let (found_sender, found) = oneshot::channel();
        self.elsewhere.lock().insert(ticket, found_sender);
        let gone = CancellationToken::new();
        let place = TicketPlace::Elsewhere { ticket, _asking: gone.clone().drop_guard() };
        (MatchTicket { place, wanted, requester, found, matchmaker: self }, gone)
    }

    /// Leads a player of this node to a room; `false` if they wait no more.
    pub(crate) fn found(&self, ticket: Ticket, room: RoomCode) -> bool {
        let found = self.elsewhere.lock().remove(&ticket);
        found.is_some_and(|found| found.send(room).is_ok())
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
        match &self.place {
            TicketPlace::Here(number) => self.matchmaker.remove(self.wanted, *number),
            TicketPlace::Elsewhere { ticket, .. } => {
                drop(self.matchmaker.elsewhere.lock().remove(ticket));
            }
        }
    }
}

#[cfg(test)]
mod tests;
