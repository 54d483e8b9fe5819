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
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    /// `ada`, or with a board or a move time in milliseconds: `ada 5x4x4 30000`.
    fn wish(text: &str) -> (QuickSettings, Requester) {
        let [name, wishes @ ..] = &text.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
        let board = wishes.iter().find_map(|word| word.parse().ok()).unwrap_or_default();
        let move_time_ms = wishes.iter().find_map(|word| word.parse().ok());
        let requester = Requester {
            player: PlayerId(u64::from(name.as_bytes()[0])),
            name: name.parse().unwrap(),
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            id: 1.try_into().unwrap(),
        };
        (QuickSettings { board, move_time_ms }, requester)
    }

    /// Puts players into the queue, in this order.
    fn queue(waiting: &str) -> (Arc<Matchmaker>, Vec<MatchTicket>) {
        let matchmaker = Arc::new(Matchmaker::default());
        let wishes = waiting.split(", ").filter(|text| !text.is_empty()).map(wish);
        let tickets =
            wishes.map(|(wanted, requester)| Arc::clone(&matchmaker).wait(wanted, requester));
        let tickets = tickets.collect();
        (matchmaker, tickets)
    }

    /// The opponents that are found, one after the other.
    fn opponents(matchmaker: &Matchmaker, requester: &str) -> String {
        let (wanted, requester) = wish(requester);
        let next = || matchmaker.take_opponent(wanted, requester.player);
        let names = std::iter::from_fn(next).map(|entry| entry.requester().name.to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    #[track_caller]
    fn check(waiting: &str, requester: &str, expected: &str) {
        let (matchmaker, _tickets) = queue(waiting);
        assert_eq!(opponents(&matchmaker, requester), expected, "{waiting}: {requester}");
    }

    #[test]
    fn players_who_want_the_same_game_are_paired_in_their_order() {
        check("", "dan", "");
        check("ada", "dan", "ada");
        check("ada, bob, cid", "dan", "ada, bob, cid");
        check("ada 5x4x4", "dan", "");
        check("ada 5x4x4, bob", "dan", "bob");
        check("ada 5x4x4, bob", "dan 5x4x4", "ada");
        check("ada 30000", "dan", "");
        check("ada 30000, bob 60000", "dan 60000", "bob");
    }

    #[test]
    fn players_of_other_nodes_are_so_many_at_most() {
        let matchmaker = Arc::new(Matchmaker::default());
        let (wanted, requester) = wish("ada");
        let wait = |number: u64| {
            // In many short queues.
            let wanted = QuickSettings { move_time_ms: Some((number % 200) as u32), ..wanted };
            matchmaker.wait_from(wanted, requester.clone(), NodeName::of(2), Ticket(number));
        };
        for number in 0..MAX_WAITING as u64 {
            wait(number);
            wait(0);
            assert_eq!(matchmaker.len() as u64, number + 1, "who is known has no second place");
        }
        wait(u64::MAX);
        assert_eq!(matchmaker.len(), MAX_WAITING);
        let here = Arc::clone(&matchmaker).wait(wanted, requester.clone());
        assert_eq!(matchmaker.len(), MAX_WAITING + 1, "connections of this node have their place");
        drop(here);
        matchmaker.forget(Ticket(0));
        assert_eq!(matchmaker.len(), MAX_WAITING - 1);
    }

    #[test]
    fn nobody_is_paired_with_themselves() {
        check("ada", "ada", "");
        check("ada, bob, ada", "ada", "bob");
        check("ada, ada", "bob", "ada, ada");
    }

    #[test]
    fn who_gives_up_waits_no_longer() {
        let (matchmaker, mut tickets) = queue("ada, bob, cid, dan 5x4x4");
        assert_eq!(matchmaker.len(), 4);
        drop(tickets.remove(1));
        drop(tickets.pop());
        assert_eq!((matchmaker.len(), matchmaker.queues.lock().waiting.len()), (2, 1));
        assert_eq!(opponents(&matchmaker, "eve"), "ada, cid");
        assert!(matchmaker.queues.lock().waiting.is_empty(), "an empty queue is forgotten");
    }

    #[test]
    fn an_opponent_who_was_taken_in_vain_comes_first_again_unless_they_have_gone() {
        let (matchmaker, mut tickets) = queue("ada, bob");
        let (wanted, eve) = wish("eve");
        let taken = matchmaker.take_opponent(wanted, eve.player).unwrap();
        matchmaker.put_back(wanted, taken);
        let taken = matchmaker.take_opponent(wanted, eve.player).unwrap();
        assert_eq!(taken.requester().name.to_string(), "ada");
        drop(tickets.remove(0));
        matchmaker.put_back(wanted, taken);
        assert_eq!(opponents(&matchmaker, "eve"), "bob");
    }

    #[test]
    fn a_room_is_handed_over_unless_the_opponent_has_gone() {
        let (matchmaker, mut tickets) = queue("ada, bob");
        let (wanted, eve) = wish("eve");
        let next = || matchmaker.take_opponent(wanted, eve.player).unwrap();
        let (ada, bob) = (next(), next());
        let room = RoomCode::from_number(7);
        drop(tickets.remove(0));
        let hand_over = |entry: QueueEntry| {
            let Way::Here(found) = entry.way else { unreachable!() };
            found.send(room).is_ok()
        };
        assert!(!hand_over(ada) && hand_over(bob));
        assert_eq!(tickets[0].found.try_recv(), Ok(room));
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_of_another_node_waits_while_that_node_asks_again() {
        let matchmaker = Matchmaker::default();
        let wait = |name, ticket| {
            let (wanted, requester) = wish(name);
            matchmaker.wait_from(wanted, requester, NodeName::of(2), Ticket(ticket));
        };
        for (name, ticket) in [("ada", 1), ("bob", 2), ("cid", 3), ("ada", 1)] {
            wait(name, ticket);
        }
        assert_eq!(matchmaker.len(), 3, "who asks again waits once");
        tokio::time::advance(FORGOTTEN_AFTER / 2).await;
        matchmaker.forget(Ticket(3));
        wait("bob", 2);
        tokio::time::advance(FORGOTTEN_AFTER * 3 / 4).await;
        assert_eq!(opponents(&matchmaker, "eve"), "bob");
        assert!(matchmaker.queues.lock().waiting.is_empty());
        wait("dan", 4);
        tokio::time::advance(FORGOTTEN_AFTER / 2).await;
        wait("eve", 5);
        tokio::time::advance(FORGOTTEN_AFTER * 3 / 4).await;
        matchmaker.forget_silent();
        assert_eq!(matchmaker.len(), 1, "dan's node has not asked again");
    }

    #[test]
    fn a_ticket_for_a_queue_of_the_cluster_is_good_once_and_ends_with_the_connection() {
        let matchmaker = Arc::new(Matchmaker::default());
        let (wanted, ada) = wish("ada");
        let wait =
            |ticket| Arc::clone(&matchmaker).wait_elsewhere(Ticket(ticket), wanted, ada.clone());
        let ((mut one, _), (two, gone)) = (wait(1), wait(2));
        let room = RoomCode::from_number(7);
        assert!(matchmaker.found(Ticket(1), room) && !matchmaker.found(Ticket(1), room));
        assert_eq!(one.found.try_recv(), Ok(room));
        assert!(!gone.is_cancelled());
        drop(two);
        assert!(gone.is_cancelled() && !matchmaker.found(Ticket(2), room));
        assert!(matchmaker.elsewhere.lock().is_empty());
    }
}
