//! The links of a node to the other nodes. A link carries what the connections of one node and the rooms
//! of another tell each other, both ways and in order.
//!
//! **A life of a link** has a random number at each end, its *run*, and its packets are numbered. If one
//! end misses a packet, hears nothing for [`UNHEARD`] beats, knows that the other node is dead, or has no
//! room for what the other end is to be sent, the life is over at that end, and a new one begins with packet
//! 0 of a new run. The other end sees
//! the new run, and its life is over too. Packets name the run of both ends, so that those of an earlier
//! life do nothing.
//!
//! **When a life is over** all stays on it end. At the front the members' connections are closed as by a
//! server that restarts, so that their clients come back, and get one snapshot. At the owner the members
//! leave.
//!
//! **At the front** a [stand-in](super::stand_in) sends requests, and the link gives frames to the
//! connections' outboxes themselves. **At the owner** each stand-in has a [`Visit`]: a task that brings
//! its members into the room. A stand-in may be [`WINDOW`] requests ahead of its visit, and waits then, as
//! a connection waits for a full inbox.

mod dispatch;
mod lane;
mod life;
mod stand;
mod visit;

use std::collections::HashMap;
use std::fmt::Debug;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::future::BoxFuture;
use noughts_protocol::{PartyCode, RoomCode};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::directory::{Directory, NodeName};
use super::engine::{Engine, Topic};
use super::question::{Answer, Question};
use super::stand_in::{self, StandIns};
use super::wire::{Envelope, Packet};
use crate::metrics::Metrics;
use crate::metrics::cluster::ClusterMetrics;
use crate::outbox::ConnectionId;
use crate::room::RoomHandle;
pub(crate) use life::Link;
pub(crate) use stand::Stand;
pub(crate) use visit::Visit;

/// Time between two packets of a link on which nothing else is sent.
const BEAT: Duration = Duration::from_millis(500);

/// Beats without a word from the other end, with more of which a link is broken: two seconds. Beats in
/// which this node hears nobody, because its way to the engine is cut, do not count.
const UNHEARD: u32 = 4;

/// How long the engine may take for a packet. Then it is given the same one again.
const SENDING: Duration = Duration::from_secs(2);

/// The pause before a packet is sent again that the engine did not take. A connection to another of its
/// servers stands after some 10 ms.
const SEND_AGAIN: Duration = Duration::from_millis(50);

/// How long a question waits for its answer.
const ANSWER_TIME: Duration = Duration::from_secs(2);

/// Questions of other nodes that are answered at once. More are not answered.
const ANSWERING: usize = 1024;

/// Links at once: more than the other nodes that are known at a time.
const MAX_LINKS: usize = 128;

/// Requests of a stand-in that may be on their way, or wait at its visit.
const WINDOW: u32 = 64;

/// How long it takes until a lost subscription is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// The rooms and parties that are here, as other nodes ask for them.
pub(crate) trait LocalRooms: Debug + Send + Sync {
    /// The room itself. One that hibernates becomes active.
    fn room(&self, code: RoomCode) -> BoxFuture<'static, Option<RoomHandle>>;

    /// Brings the members of a stand-in into the party itself, until the visit ends.
    fn visit_party(&self, code: PartyCode, visit: Visit) -> BoxFuture<'static, ()>;

    /// Answers a question of another node. Without an answer the other node asks in vain.
    fn answer(&self, from: NodeName, question: Question) -> BoxFuture<'static, Option<Answer>>;
}

/// The load of a link at a moment.
#[derive(Debug, Clone)]
pub(crate) struct LinkLoad {
    /// The other node.
    pub(crate) peer: NodeName,
    /// The bytes that wait for it.
    pub(crate) bytes: usize,
    /// The connections here that are in its rooms and parties, or were a short time ago.
    pub(crate) connections: usize,
    /// How long the other node took for the last answer, the way there and back included.
    pub(crate) answer_time: Option<Duration>,
}

/// The links of a node. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Links(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    engine: Arc<dyn Engine>,
    directory: Directory,
    metrics: Arc<Metrics>,
    counts: Arc<ClusterMetrics>,
    /// One a node that lives or was heard a short time ago.
    links: Mutex<HashMap<NodeName, Arc<Link>>>,
    /// For each question of another node that is answered now.
    answering: Arc<Semaphore>,
    /// Lives of links so far.
    lives: AtomicU16,
    rooms: StandIns<RoomCode, RoomHandle>,
}

impl Links {
    /// The links of the node with this directory. Nothing is heard before [`Links::serve`].
    pub(crate) fn new(
        engine: Arc<dyn Engine>,
        directory: &Directory,
        metrics: Arc<Metrics>,
    ) -> Self {
        Self(Arc::new(Shared {
            engine,
            directory: directory.clone(),
            metrics,
            counts: directory.metrics().cloned().unwrap_or_default(),
            links: Mutex::default(),
            answering: Arc::new(Semaphore::new(ANSWERING)),
            lives: AtomicU16::new(0),
            rooms: StandIns::default(),
        }))
    }

    /// The handle of a room that another node owns. A stand-in serves it.
    pub(crate) fn room(&self, owner: &NodeName, code: RoomCode) -> RoomHandle {
        let link = self.to(owner);
        self.0.rooms.find_or_start(&link, code, |entry| stand_in::start(&link, code, entry))
    }

    /// Asks a node, and waits [`ANSWER_TIME`] at most. `None` if no answer comes, or the node has none.
    pub(crate) async fn ask(&self, node: &NodeName, question: Question) -> Option<Answer> {
        let (answer, answered) = oneshot::channel();
        self.to(node).ask(question, answer);
        timeout(ANSWER_TIME, answered).await.ok()?.ok()?
    }

    /// This node's number of a connection of another node, on the present life of their link.
    pub(crate) fn connection(&self, node: &NodeName, number: u64) -> ConnectionId {
        self.to(node).connection_id(number)
    }

    /// Serves the other nodes for ever: hears them, and lets their connections into the rooms here.
    pub(crate) async fn serve(self, rooms: Arc<dyn LocalRooms>) {
        loop {
            let topic = Topic::Node(self.0.directory.me().to_string());
            match self.0.engine.subscribe(topic).await {
                Ok(mut packets) => {
                    while let Some(packet) = packets.next().await {
                        self.hear(&packet, &rooms);
                    }
                }
                Err(error) => tracing::warn!(%error, "other nodes are not heard"),
            }
            sleep(RETRY).await;
        }
    }

    /// The load of each link now.
    pub(crate) fn loads(&self) -> Vec<LinkLoad> {
        let links = self.0.links.lock();
        let mut loads: Vec<_> = links.values().map(|link| link.load()).collect();
        drop(links);
        loads.sort_by(|one, other| one.peer.cmp(&other.peer));
        loads
    }

    /// The life of the link to a node, a new one if there is none.
    pub(crate) fn to(&self, node: &NodeName) -> Arc<Link> {
        let mut links = self.0.links.lock();
        let link = links.entry(node.clone()).or_insert_with(|| self.begin(node));
        Arc::clone(link)
    }

    /// The same for a node that was heard: `None` if there are [`MAX_LINKS`] to others.
    fn heard_from(&self, node: &NodeName) -> Option<Arc<Link>> {
        let links = self.0.links.lock();
        let may_be = links.contains_key(node) || links.len() < MAX_LINKS;
        drop(links);
        may_be.then(|| self.to(node))
    }

    /// A new life of the link to a node. Its first packet goes out at once, so that the other end knows.
    fn begin(&self, node: &NodeName) -> Arc<Link> {
        let index = self.0.lives.fetch_add(1, Ordering::Relaxed) & (u16::MAX >> 1);
        let link = Link::new(node.clone(), index, Arc::clone(&self.0.metrics));
        tokio::spawn(self.clone().carry(Arc::clone(&link)));
        link
    }

    /// Ends a life and begins the next.
    fn renew(&self, old: &Arc<Link>) -> Arc<Link> {
        ClusterMetrics::count(&self.0.counts.links_broken);
        let next = self.begin(old.peer());
        self.0.links.lock().insert(old.peer().clone(), Arc::clone(&next));
        old.end();
        next
    }

    /// The packet with this number for the other end of a link: as much of what waits as it holds.
    fn packet(&self, link: &Link, number: u64) -> Bytes {
        let me = self.0.directory.me().clone();
        let envelope = Envelope::new(me, link.run(), link.heard_run(), number);
        Packet { envelope, messages: link.lane().take() }.encode()
    }

    /// Sends what waits for the other end of a link, and beats, until the life is over. As long as the
    /// engine takes nothing, everything waits.
    async fn carry(self, link: Arc<Link>) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Others claim its shards now: nobody needs to wait for it any longer.
        let mut death = pin!(self.0.directory.until_dead(link.peer()));
        let (mut sent, mut unsent) = (0, None);
        loop {
            let mut is_dead = false;
            tokio::select! {
                biased;
                () = link.over() => break,
                () = &mut death => is_dead = true,
                _ = beats.tick() => link.beat(self.0.directory.is_healthy()),
                () = link.lane().ready(), if unsent.is_none() => {}
                () = sleep(SEND_AGAIN), if unsent.is_some() => {}
            }
            if is_dead || link.is_silent() {
                tracing::warn!(peer = %link.peer(), is_dead, "a node is silent: its link is broken");
                ClusterMetrics::count(&self.0.counts.links_broken);
                self.0.links.lock().retain(|_, known| !Arc::ptr_eq(known, &link));
                return link.end();
            }
            let packet = unsent.take().unwrap_or_else(|| self.packet(&link, sent));
            let topic = Topic::Node(link.peer().to_string());
            let sending = self.0.engine.publish(topic, packet.clone());
            if matches!(timeout(SENDING, sending).await, Ok(Ok(()))) {
                sent += 1;
            } else {
                // If it was sent after all, the other end has it twice, and the link begins anew.
                unsent = Some(packet);
            }
        }
        // If it was not renewed, the other end does not know yet.
        let is_known =
            self.0.links.lock().get(link.peer()).is_some_and(|it| Arc::ptr_eq(it, &link));
        if is_known {
            tracing::warn!(peer = %link.peer(), "a link is broken");
            self.renew(&link);
        }
    }
}

#[cfg(test)]
mod tests;
