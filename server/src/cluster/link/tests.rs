//! Two nodes, a link between them, and a room that tells everybody what a member says.

mod engine;
mod room;

use std::sync::atomic::Ordering;

use bytes::Bytes;
use noughts_protocol::{CloseCode, IntentId, PlayerId, Role, RoomIntent};
use tokio::time::Instant;

use super::*;
use crate::actor::Client;
use crate::cluster::directory::{Hearing, NodeInfo};
use crate::cluster::engine::fake::FakeCluster;
use crate::cluster::engine::fake::faults::Link as Way;
use crate::outbox::{Frame, OUTBOX, Outbox, OutboxReader, outbox};
use crate::room::Membership;
use engine::TestEngine;
use room::TestRoom;

/// A node.
struct Node {
    name: NodeName,
    engine: Arc<TestEngine>,
    directory: Directory,
    links: Links,
    room: TestRoom,
}

impl Node {
    fn new(cluster: &FakeCluster, number: u64) -> Self {
        let engine = TestEngine::new(cluster);
        let (name, room) = (NodeName::of(number), TestRoom::start());
        let directory = Directory::new(name.clone(), None);
        let links = Links::new(engine.clone(), &directory, Arc::new(Metrics::new()));
        tokio::spawn(links.clone().serve(Arc::new(room.clone())));
        Self { name, engine, directory, links, room }
    }

    /// How many lives of its links were over.
    fn broken(&self) -> u64 {
        self.links.0.counts.links_broken.load(Ordering::Relaxed)
    }

    /// A connection of this node that joins the room at another.
    async fn join(&self, owner: &Self, number: u64) -> Player {
        let mut player = Player::new(number);
        player.join(self, owner).await;
        player
    }
}

/// A connection and its player.
struct Player {
    outbox: Outbox,
    reader: OutboxReader,
    membership: Option<Membership>,
}

impl Player {
    fn new(number: u64) -> Self {
        let (outbox, reader) = outbox(ConnectionId(number), Arc::new(Metrics::new()));
        Self { outbox, reader, membership: None }
    }

    async fn join(&mut self, front: &Node, owner: &Node) {
        let (player, name) = (PlayerId(self.outbox.connection().0), "Ada".parse().unwrap());
        let client = Client { player, name, outbox: self.outbox.clone() };
        let room = front.links.room(&owner.name, owner.room.code());
        let joined = room.join(client, Role::Spectator, Some(id(0))).await;
        self.membership = joined.unwrap_or(None);
    }

    /// Says something in the room.
    async fn say(&self, number: u64) {
        let membership = self.membership.as_ref().unwrap();
        let (name, at) = ("Ada".parse().unwrap(), Instant::now());
        membership.send(id(number), RoomIntent::Sync, &name, at).await.unwrap();
    }

    /// The next messages, as text.
    async fn heard(&mut self) -> Vec<String> {
        let mut batch = Vec::new();
        let _ = self.reader.next(&mut batch).await;
        batch.iter().map(Frame::to_text).collect()
    }

    /// Waits until exactly these messages have come.
    async fn expect(&mut self, expected: &[String]) {
        let mut heard = Vec::new();
        while heard.len() < expected.len() && self.reader.close_code().is_none() {
            heard.extend(self.heard().await);
        }
        assert_eq!(heard, expected);
    }

    /// Waits until the connection is to be closed, and returns how long that took.
    async fn closed(&mut self) -> (CloseCode, Duration) {
        let begun = Instant::now();
        loop {
            self.heard().await;
            if let Some(code) = self.reader.close_code() {
                return (code, begun.elapsed());
            }
        }
    }
}

fn id(number: u64) -> IntentId {
    IntentId::try_from(number).unwrap()
}

/// Lets time pass, in which everything goes on.
async fn pass(time: Duration) {
    assert!(timeout(time, std::future::pending::<()>()).await.is_err());
}

fn pair() -> (Node, Node) {
    let cluster = FakeCluster::new(1);
    (Node::new(&cluster, 1), Node::new(&cluster, 2))
}

#[tokio::test(start_paused = true)]
async fn a_member_over_a_link_is_a_member() {
    let (front, owner) = pair();
    let mut ada = front.join(&owner, 1).await;
    ada.expect(&[room::joined(1)]).await;
    let mut bob = front.join(&owner, 2).await;
    bob.expect(&[room::joined(2)]).await;
    ada.say(7).await;
    ada.expect(&[room::said(7), room::answer(7)]).await;
    bob.expect(&[room::said(7)]).await;
    let handle = front.links.room(&owner.name, owner.room.code());
    assert!(handle.has_seat(PlayerId(1)).await.unwrap());
    assert!(!handle.has_seat(PlayerId(3)).await.unwrap());
    drop(ada);
    owner.room.until_members(1).await;
    drop(bob);
    owner.room.until_members(0).await;
    // The stand-in ends, and the next visitor finds another one.
    pass(stand_in::IDLE * 2).await;
    assert!(handle.has_seat(PlayerId(1)).await.is_err());
    let mut eve = front.join(&owner, 3).await;
    eve.expect(&[room::joined(3)]).await;
}

#[tokio::test(start_paused = true)]
async fn a_node_may_be_linked_to_itself() {
    let node = Node::new(&FakeCluster::new(1), 1);
    let mut ada = node.join(&node, 1).await;
    ada.say(3).await;
    ada.expect(&[room::joined(1), room::said(3), room::answer(3)]).await;
    // A hole in a link to itself ends the life of both ends, which are one, and the next one works.
    node.engine.lose.store(1, Ordering::Relaxed);
    assert_eq!(ada.closed().await.0, CloseCode::Restart);
    let mut bob = node.join(&node, 2).await;
    bob.expect(&[room::joined(2)]).await;
}

#[tokio::test(start_paused = true)]
async fn a_frame_for_many_crosses_once() {
    let (front, owner) = pair();
    let mut players = Vec::new();
    for number in 1..=50 {
        players.push(front.join(&owner, number).await);
    }
    let from = owner.engine.sent.lock().len();
    players[0].say(7).await;
    for (number, player) in (1..).zip(&mut players) {
        let mut expected = vec![room::joined(number), room::said(7)];
        expected.extend((number == 1).then(|| room::answer(7)));
        player.expect(&expected).await;
    }
    let sent = owner.engine.sent.lock().split_off(from).concat();
    let frames = sent.windows(room::said(7).len()).filter(|it| *it == room::said(7).as_bytes());
    assert_eq!(frames.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_hole_ends_all_stays_at_both_ends() {
    for (from_owner, lost) in [(true, 1), (false, 1), (true, 2)] {
        let (front, owner) = pair();
        let mut ada = front.join(&owner, 1).await;
        let mut bob = owner.join(&front, 2).await;
        let engine = if from_owner { &owner.engine } else { &front.engine };
        engine.lose.store(lost, Ordering::Relaxed);
        let (code, after) = ada.closed().await;
        assert_eq!(code, CloseCode::Restart);
        assert!(after <= BEAT * (lost + 2), "{after:?}");
        assert_eq!(bob.closed().await.0, CloseCode::Restart);
        owner.room.until_members(0).await;
        front.room.until_members(0).await;
        let mut ada = front.join(&owner, 3).await;
        ada.say(1).await;
        ada.expect(&[room::joined(3), room::said(1), room::answer(1)]).await;
        // What was on its way did not break the next life too.
        assert_eq!((front.broken(), owner.broken()), (1, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_node_loses_its_stays() {
    let (front, owner) = pair();
    let mut ada = front.join(&owner, 1).await;
    // Nobody says anything for an hour, and the link holds.
    pass(Duration::from_secs(3600)).await;
    assert_eq!(ada.reader.close_code(), None);
    owner.engine.inner.set_link(Way::Cut);
    let (code, after) = ada.closed().await;
    assert_eq!(code, CloseCode::Restart);
    assert!((UNHEARD * BEAT..(UNHEARD + 2) * BEAT).contains(&after), "{after:?}");
    owner.room.until_members(0).await;
    // The node cannot be reached: the connection is closed.
    let mut bob = Player::new(2);
    bob.join(&front, &owner).await;
    assert!(bob.membership.is_none());
    assert_eq!(bob.reader.close_code(), Some(CloseCode::Restart));
    owner.engine.inner.set_link(Way::Open);
    let mut bob = front.join(&owner, 3).await;
    bob.expect(&[room::joined(3)]).await;
}

#[tokio::test(start_paused = true)]
async fn a_link_waits_for_an_engine_that_is_away() {
    const OUTAGE: Duration = Duration::from_secs(60);
    let (front, owner) = pair();
    let nodes = [&front, &owner];
    let mut ada = front.join(&owner, 1).await;
    ada.expect(&[room::joined(1)]).await;
    for node in nodes {
        node.engine.refuses.store(true, Ordering::Relaxed);
        node.directory.set_hearing(Hearing::Badly);
    }
    ada.say(7).await;
    pass(OUTAGE).await;
    assert_eq!(ada.reader.close_code(), None);
    for node in nodes {
        let refused = node.engine.refused.load(Ordering::Relaxed);
        let most = 2 * OUTAGE.as_millis() / SEND_AGAIN.as_millis();
        assert!(u128::from(refused) <= most, "{refused} tries in a minute");
        node.engine.refuses.store(false, Ordering::Relaxed);
        node.directory.set_hearing(Hearing::Well);
    }
    ada.expect(&[room::said(7), room::answer(7)]).await;
    pass(OUTAGE).await;
    assert_eq!(ada.reader.close_code(), None);
    assert_eq!(nodes.map(Node::broken), [0, 0]);
}

#[tokio::test(start_paused = true)]
async fn the_stays_at_a_dead_node_end_as_soon_as_it_is_known() {
    let (front, owner) = pair();
    let mut ada = front.join(&owner, 1).await;
    let node = NodeInfo { name: owner.name.clone(), address: None, is_leaving: false };
    front.directory.set_nodes(vec![node]);
    pass(Duration::from_secs(60)).await;
    assert_eq!(ada.reader.close_code(), None);
    owner.engine.inner.set_link(Way::Cut);
    front.directory.set_nodes(Vec::new());
    let (code, after) = ada.closed().await;
    assert_eq!((code, after < BEAT), (CloseCode::Restart, true), "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_full_link_loses_its_stays_and_the_room_goes_on() {
    let (front, owner) = pair();
    let mut ada = front.join(&owner, 1).await;
    let mut here = owner.join(&owner, 9).await;
    owner.engine.holds.store(true, Ordering::Relaxed);
    let long = "x".repeat(100_000);
    for _ in 0..=OUTBOX {
        owner.room.tell(&long);
    }
    owner.engine.holds.store(false, Ordering::Relaxed);
    assert_eq!(ada.closed().await.0, CloseCode::Restart);
    here.closed().await;
    owner.room.until_members(0).await;
    let mut bob = front.join(&owner, 3).await;
    bob.expect(&[room::joined(3)]).await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_room_slows_its_members_down_and_loses_no_intent() {
    let (front, owner) = pair();
    let mut ada = front.join(&owner, 0).await;
    ada.expect(&[room::joined(0)]).await;
    owner.room.hold();
    let membership = Arc::new(ada.membership.take().unwrap());
    let saying = tokio::spawn({
        let membership = Arc::clone(&membership);
        async move {
            for number in 0..1000 {
                let (name, at) = ("Ada".parse().unwrap(), Instant::now());
                let sent = membership.send(id(number), RoomIntent::Leave, &name, at).await;
                sent.unwrap();
            }
        }
    });
    pass(Duration::from_secs(60)).await;
    assert!(!saying.is_finished());
    assert_eq!(ada.reader.close_code(), None);
    owner.room.go_on();
    saying.await.unwrap();
    owner.room.until_taken(1000).await;
    drop(membership);
    owner.room.until_members(0).await;
}

#[tokio::test(start_paused = true)]
async fn a_join_where_there_is_no_room_tells_nothing() {
    let (front, owner) = pair();
    let mut ada = Player::new(1);
    let client =
        Client { player: PlayerId(1), name: "Ada".parse().unwrap(), outbox: ada.outbox.clone() };
    let room = front.links.room(&owner.name, RoomCode::from_number(99));
    assert!(room.join(client, Role::Player, Some(id(1))).await.is_err());
    assert!(!room.has_seat(PlayerId(1)).await.unwrap());
    assert!(ada.reader.take().is_empty() && ada.reader.close_code().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_question_has_its_answer_or_none() {
    let (front, owner) = pair();
    let ask = |node: &NodeName, number| {
        let (links, node) = (front.links.clone(), node.clone());
        async move { links.ask(&node, room::question(number)).await.is_some() }
    };
    assert!(ask(&owner.name, 0).await);
    owner.engine.inner.set_link(Way::Paused);
    let late = Duration::from_millis(300);
    let opened = async {
        pass(late).await;
        owner.engine.inner.set_link(Way::Open);
    };
    let (is_answered, ()) = tokio::join!(ask(&owner.name, 1), opened);
    assert!(!is_answered, "the node has no answer");
    let begun = Instant::now();
    assert!(!ask(&NodeName::of(3), 0).await, "there is no such node");
    assert_eq!(begun.elapsed(), ANSWER_TIME);
    let shown = front.links.loads().into_iter().map(|load| (load.peer, load.answer_time));
    assert_eq!(Vec::from_iter(shown), [(owner.name, Some(late)), (NodeName::of(3), None)]);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_packet_harms_nobody() {
    let (front, owner) = pair();
    let mut ada = front.join(&owner, 1).await;
    for bytes in ["", "{\"beat\":1}", "\0\0\0\u{1}{", "\u{7f}\u{7f}\u{7f}\u{7f}"] {
        let topic = Topic::Node(owner.name.to_string());
        front.engine.inner.publish(topic, Bytes::from_static(bytes.as_bytes())).await.unwrap();
    }
    ada.say(1).await;
    ada.expect(&[room::joined(1), room::said(1), room::answer(1)]).await;
}

#[tokio::test(start_paused = true)]
async fn no_more_nodes_are_heard_than_a_cluster_has() {
    let node = Node::new(&FakeCluster::new(1), 1);
    for number in 2..=2 * MAX_LINKS as u64 {
        node.links.heard_from(&NodeName::of(number));
    }
    assert_eq!(node.links.0.links.lock().len(), MAX_LINKS);
    assert_eq!(node.links.loads().len(), MAX_LINKS);
    assert!(node.links.heard_from(&NodeName::of(2)).is_some(), "who was heard is heard again");
}
