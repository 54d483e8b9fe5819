//! One life of a link, and all that ends with it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::CloseCode;
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::lane::{Lane, connection_id};
use super::{LinkLoad, UNHEARD, WINDOW};
use crate::cluster::directory::NodeName;
use crate::cluster::question::{Answer, Question};
use crate::cluster::wire::{Message, Number, Place, Reply, Request};
use crate::metrics::Metrics;
use crate::outbox::{ConnectionId, Outbox};

/// A connection that has left all rooms and parties of a link may still get answers for this long. It is
/// closed too if the link breaks meanwhile.
const LAST_ANSWERS: Duration = Duration::from_secs(30);

/// Replies that may wait for a stand-in, two for each of its requests, and what a party says besides.
/// With more the link is broken.
const REPLIES: usize = 1024;

/// Stand-ins of one link at each end, and questions at once. With more the link is broken.
const MOST: usize = 65_536;

/// One life of a link.
#[derive(Debug)]
pub(crate) struct Link {
    peer: NodeName,
    run: u64,
    /// Its number among the lives of this node's links.
    index: u16,
    lane: Arc<Lane>,
    over: CancellationToken,
    state: Mutex<State>,
    metrics: Arc<Metrics>,
}

#[derive(Debug)]
struct State {
    is_over: bool,
    /// The run of the other end, and the number of its next packet.
    heard: Option<(u64, u64)>,
    /// Beats of this end since the other end was heard. It is not a time, since a node that stood still
    /// itself has not been left without a word for that long.
    unheard: u32,
    /// The stand-ins here.
    stands: HashMap<u64, mpsc::Sender<Reply>>,
    last_stand: u64,
    /// The connections here that are in a room or a party of the other end, or were so a short time ago.
    connections: HashMap<Number, Here>,
    /// The visits of the other end's stand-ins.
    visits: HashMap<u64, mpsc::Sender<Request>>,
    /// The questions to the other end, and when they were asked.
    asked: HashMap<u64, (Instant, oneshot::Sender<Option<Answer>>)>,
    last_ask: u64,
    /// The time from the last question that was answered to its answer.
    answer_time: Option<Duration>,
}

#[derive(Debug)]
struct Here {
    outbox: Outbox,
    stays: u32,
    left_at: Instant,
}

/// The place of a packet in a life of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// The next one.
    Next,
    /// One of another life of this end: it does nothing.
    Stale,
    /// The first one of another life of the other end.
    Renewed,
    /// Not the next one: something was lost.
    Hole,
}

impl Link {
    pub(super) fn new(peer: NodeName, index: u16, metrics: Arc<Metrics>) -> Arc<Self> {
        let over = CancellationToken::new();
        let state = State {
            is_over: false,
            heard: None,
            unheard: 0,
            stands: HashMap::new(),
            last_stand: 0,
            connections: HashMap::new(),
            visits: HashMap::new(),
            asked: HashMap::new(),
            last_ask: 0,
            answer_time: None,
        };
        let (lane, state) = (Arc::new(Lane::new(over.clone())), Mutex::new(state));
        Arc::new(Self { peer, run: rand::random(), index, lane, over, state, metrics })
    }

    pub(super) const fn peer(&self) -> &NodeName {
        &self.peer
    }

    pub(in crate::cluster) const fn run(&self) -> u64 {
        self.run
    }

    pub(super) fn lane(&self) -> &Lane {
        &self.lane
    }

    /// The load of the link now.
    pub(super) fn load(&self) -> LinkLoad {
        let state = self.state.lock();
        let (connections, answer_time) = (state.connections.len(), state.answer_time);
        drop(state);
        LinkLoad { peer: self.peer.clone(), bytes: self.lane.bytes(), connections, answer_time }
    }

    /// Waits until the life is over.
    pub(super) fn over(&self) -> impl Future<Output = ()> {
        self.over.cancelled()
    }

    /// Runs a future until the life is over.
    pub(super) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        tokio::spawn(self.over.clone().run_until_cancelled_owned(future));
    }

    /// The run of the other end, if it was heard.
    pub(super) fn heard_run(&self) -> Option<u64> {
        self.state.lock().heard.map(|(run, _)| run)
    }

    /// Whether the other end was not heard for so long that the link is broken.
    pub(super) fn is_silent(&self) -> bool {
        self.state.lock().unheard > UNHEARD
    }

    /// Judges a packet of the other end, which says that it knows this end by `peer`.
    pub(super) fn judge(&self, run: u64, peer: Option<u64>, number: u64) -> Heard {
        if peer.is_some_and(|peer| peer != self.run) {
            return Heard::Stale;
        }
        let mut state = self.state.lock();
        match state.heard {
            Some((known, _)) if known != run => {
                return if number == 0 { Heard::Renewed } else { Heard::Hole };
            }
            Some((_, next)) if next == number => {}
            None if number == 0 => {}
            _ => return Heard::Hole,
        }
        state.heard = Some((run, number + 1));
        state.unheard = 0;
        Heard::Next
    }

    /// Ends the life, and all stays on it.
    pub(super) fn end(&self) {
        let mut state = self.state.lock();
        state.is_over = true;
        let connections = std::mem::take(&mut state.connections);
        let (stands, visits) =
            (std::mem::take(&mut state.stands), std::mem::take(&mut state.visits));
        let asked = std::mem::take(&mut state.asked);
        drop(state);
        // Before the stand-ins end: what a session answers then is not sent.
        for here in connections.values() {
            here.outbox.close(CloseCode::Restart);
        }
        self.lane.close();
        self.over.cancel();
        drop((stands, visits, asked));
    }

    /// A new stand-in: its number, and where its replies come. They end with the life.
    pub(super) fn open(&self, place: Place) -> (u64, mpsc::Receiver<Reply>) {
        let (replies, replied) = mpsc::channel(REPLIES);
        let mut state = self.state.lock();
        state.last_stand += 1;
        let stand = state.last_stand;
        if !state.is_over {
            state.stands.insert(stand, replies);
            drop(state);
            self.lane.push(Message::Open { stand, place });
        }
        (stand, replied)
    }

    /// A stand-in has ended.
    pub(super) fn close(&self, stand: u64) {
        if self.state.lock().stands.remove(&stand).is_some() {
            self.lane.push(Message::End { stand });
        }
    }

    /// Gives a reply to a stand-in, if it has not ended.
    pub(super) fn reply(&self, stand: u64, reply: Reply) {
        let is_full = |replies: &mpsc::Sender<Reply>| {
            matches!(replies.try_send(reply), Err(mpsc::error::TrySendError::Full(_)))
        };
        if self.state.lock().stands.get(&stand).is_some_and(is_full) {
            self.over.cancel();
        }
    }

    /// A stay of a connection here begins, on which the other end may send it frames.
    pub(super) fn register(&self, outbox: &Outbox) {
        let mut state = self.state.lock();
        if state.is_over {
            drop(state);
            return outbox.close(CloseCode::Restart);
        }
        let here = Here { outbox: outbox.clone(), stays: 0, left_at: Instant::now() };
        state.connections.entry(outbox.connection().0).or_insert(here).stays += 1;
    }

    /// A stay of a connection here ends.
    pub(super) fn unregister(&self, connection: ConnectionId) {
        if let Some(here) = self.state.lock().connections.get_mut(&connection.0) {
            here.stays = here.stays.saturating_sub(1);
            here.left_at = Instant::now();
        }
    }

    /// A beat of this end: counts the silence, if this node hears the others, and forgets the connections
    /// that get no more answers.
    pub(super) fn beat(&self, hears_others: bool) {
        let mut state = self.state.lock();
        state.unheard = if hears_others { state.unheard + 1 } else { 0 };
        state.connections.retain(|_, here| {
            here.stays > 0 || (here.left_at.elapsed() < LAST_ANSWERS && !here.outbox.is_ended())
        });
    }

    /// Calls `each` with the outboxes of connections here.
    pub(super) fn outboxes(&self, numbers: &[Number], mut each: impl FnMut(&Outbox)) {
        let state = self.state.lock();
        for here in numbers.iter().filter_map(|number| state.connections.get(number)) {
            each(&here.outbox);
        }
    }

    /// The outbox of a connection of the other end.
    pub(super) fn outbox(&self, connection: Number) -> Outbox {
        let (lane, metrics) = (Arc::clone(&self.lane), Arc::clone(&self.metrics));
        Outbox::remote(self.connection_id(connection), lane, metrics)
    }

    /// This node's number of a connection of the other end.
    pub(super) const fn connection_id(&self, connection: Number) -> ConnectionId {
        connection_id(self.index, connection)
    }

    /// Begins a visit: where its requests come. `None` if there are too many.
    pub(super) fn begin_visit(&self, stand: u64) -> Option<mpsc::Receiver<Request>> {
        let (requests, requested) = mpsc::channel(WINDOW as usize);
        let mut state = self.state.lock();
        if state.is_over || state.visits.len() >= MOST {
            return None;
        }
        state.visits.insert(stand, requests);
        Some(requested)
    }

    /// Gives a visit a request. Returns whether there is such a visit, and a place in its window.
    pub(super) fn request(&self, stand: u64, request: Request) -> bool {
        let state = self.state.lock();
        state.visits.get(&stand).is_some_and(|visit| visit.try_send(request).is_ok())
    }

    /// Ends a visit, once it has done what waits.
    pub(super) fn end_visit(&self, stand: u64) {
        self.state.lock().visits.remove(&stand);
    }

    /// Asks the other end.
    pub(super) fn ask(&self, question: Question, answer: oneshot::Sender<Option<Answer>>) {
        let mut state = self.state.lock();
        state.asked.retain(|_, (_, answer)| !answer.is_closed());
        if state.is_over || state.asked.len() >= MOST {
            return;
        }
        state.last_ask += 1;
        let ask = state.last_ask;
        state.asked.insert(ask, (Instant::now(), answer));
        drop(state);
        self.lane.push(Message::Ask { ask, question });
    }

    /// Gives an answer to the one who asked, unless it comes too late.
    pub(super) fn answered(&self, ask: u64, answer: Option<Answer>) {
        let mut state = self.state.lock();
        let Some((asked_at, asker)) = state.asked.remove(&ask) else { return };
        state.answer_time = Some(asked_at.elapsed());
        drop(state);
        // The one who asked may have stopped waiting.
        let _ = asker.send(answer);
    }
}
