//! A game at two nodes goes on whatever becomes of a node or of NATS. Ada's room is at the first node, where
//! she is; Bob reaches it from the second.

use std::time::{Duration, Instant};

use noughts_harness::bot::poll_delay;
use noughts_harness::nats::{get_json, until_whole};
use noughts_harness::player::play_out;
use noughts_harness::{Device, LONG_TIMEOUT, NatsServers, Player, ServerProcess, Tab};
use noughts_protocol::{
    ByMark, CloseCode, PartyRole, PartySettings, Role, RoomCode, RoomIntent, RoomSettings,
};

use super::{enter, hello};
use crate::admin::admin;
use crate::page::steps;

/// The time of a move in these games.
const MOVE_TIME: Duration = Duration::from_secs(60);

struct TwoNodes {
    nats: NatsServers,
    nodes: [ServerProcess; 2],
    room: RoomCode,
    ada: Player,
    bob: Player,
}

impl TwoNodes {
    /// A game after the first move.
    async fn start(test: &str, nats: u8) -> Option<Self> {
        let nats = NatsServers::start(test, nats)?;
        let nodes = [0, 1].map(|number| nats.node(number, &[]));
        until_whole(nodes.iter()).await;
        let mut ada = nodes[0].player("Ada").await;
        let mut bob = nodes[1].player("Bob").await;
        let move_time_ms = Some(u32::try_from(MOVE_TIME.as_millis()).unwrap());
        let settings = RoomSettings { move_time_ms, ..RoomSettings::default() };
        let room = ada.create(settings, ByMark::default()).await;
        bob.join(room, Role::Player).await.unwrap();
        let mut two = Self { nats, nodes, room, ada, bob };
        two.play(4).await;
        Some(two)
    }

    /// The one whose turn it is plays a cell, and both see it.
    async fn play(&mut self, cell: u16) {
        play_out(&mut self.ada, &mut self.bob, &[cell]).await;
    }

    /// Ada and Bob come back to the room at this node.
    async fn come_back(&mut self, node: usize) {
        let node = &self.nodes[node];
        let ada = enter(node, "Ada", Some(self.ada.token.clone()), self.room, Role::Player);
        let bob = enter(node, "Bob", Some(self.bob.token.clone()), self.room, Role::Player);
        let (ada, bob) = tokio::join!(ada, bob);
        for (now, before) in [(&ada, &self.ada), (&bob, &self.bob)] {
            assert_eq!(now.state().game, before.state().game, "a move is lost");
            assert_eq!(now.marks(), before.marks());
        }
        self.ada = ada;
        self.bob = bob;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_when_its_node_is_killed() {
    let Some(mut two) = TwoNodes::start("a node that is killed", 1).await else { return };
    two.nodes[0].kill();
    let killed = Instant::now();
    assert_eq!(two.bob.until_closed().await, CloseCode::Restart.number());
    two.come_back(1).await;
    let took = killed.elapsed();
    println!("killed: both are back after {took:.1?}");
    two.play(0).await;
    two.play(1).await;
    // Others take over three seconds after the last heartbeat; a busy machine takes some more.
    assert!(took < Duration::from_secs(12), "{took:?}");
}

/// It fails without the other node in the page's policy, and without the dead one among the origins there.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_goes_on_at_another_node() {
    let Some(nats) = NatsServers::start("a page whose node is killed", 1) else { return };
    let mut nodes = [0, 1].map(|number| nats.node(number, &[]));
    until_whole(nodes.iter()).await;
    let mut page = Tab::open(Device::LAPTOP, &format!("http://{}/", nodes[0].address())).await;
    page.tolerate_no_server();
    page.click("link", "Play the computer*").await;
    page.button("Start").await;
    steps::my_turn(&page).await;
    nodes[0].kill();
    steps::play(&page, 2, 2, 'X').await;
    page.until("an answer of the computer", &format!("{} === 2", steps::MARKS)).await;
    page.done().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_at_once_when_its_node_stops() {
    let Some(mut two) = TwoNodes::start("a node that stops", 1).await else { return };
    let stopped = Instant::now();
    assert_eq!(two.nodes[0].terminate(), Some(0));
    let ended = stopped.elapsed();
    assert_eq!(two.ada.until_closed().await, CloseCode::Restart.number());
    assert_eq!(two.bob.until_closed().await, CloseCode::Restart.number());
    two.come_back(1).await;
    println!("stopped after {ended:.1?}, both are back after {:.1?}", stopped.elapsed());
    two.play(0).await;
    assert!(stopped.elapsed() < Duration::from_secs(8), "{:?}", stopped.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_was_frozen_shows_nobody_an_older_board() {
    let Some(mut two) = TwoNodes::start("a node that is frozen", 1).await else { return };
    let node = &two.nodes[0];
    let mut eve = enter(node, "Eve", None, two.room, Role::Spectator).await;
    node.freeze();
    two.come_back(1).await;
    two.play(0).await;
    two.nodes[0].thaw();
    let before = eve.state().clone();
    eve.until_closed().await;
    assert_eq!(*eve.state(), before, "it was told something after the thaw");
    let seen =
        enter(&two.nodes[0], "Eve", Some(eve.token.clone()), two.room, Role::Spectator).await;
    assert_eq!(seen.state().game, two.ada.state().game);
    two.play(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_wait_for_another_leader_of_the_bucket() {
    let Some(mut two) = TwoNodes::start("a leader that is killed", 3).await else { return };
    let leader = two.nats.until_led("KV_noughts-rooms").await;
    two.nats.kill(leader);
    let killed = Instant::now();
    // The election takes longer than a lease. So everybody is sent away, and comes back.
    two.ada.until_closed().await;
    two.bob.until_closed().await;
    println!("leader killed: sent away after {:.1?}", killed.elapsed());
    two.come_back(1).await;
    println!("leader killed: both are back after {:.1?}", killed.elapsed());
    two.play(0).await;
    two.play(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_stand_still_while_nats_is_away() {
    let Some(mut two) = TwoNodes::start("clocks without NATS", 1).await else { return };
    let mover = if two.ada.is_my_turn() { &mut two.ada } else { &mut two.bob };
    mover.sync().await;
    let left = mover.move_ms_left.unwrap();
    let asked = Instant::now();
    two.nats.kill(0);
    assert_eq!(two.ada.until_closed().await, CloseCode::TryAgainLater.number());
    let away = Instant::now();
    // Catches a host who waits for ever, and who is told nothing of what may come.
    let status = admin(&two.nodes[0], &["status"]).unwrap();
    assert!(status.contains("serves NOBODY, NATS is AWAY"), "{status}");
    let unsaid = admin(&two.nodes[0], &["say", "Hello"]).unwrap_err();
    assert!(unsaid.contains("may still be done"), "{unsaid}");
    while away.elapsed() < MOVE_TIME / 4 {
        assert!(hello(two.nodes[0].address(), "Ada", None).await.is_err(), "a node serves");
        poll_delay().await;
    }
    let status = admin(&two.nodes[0], &["status"]).unwrap();
    assert!(status.contains("cannot be stored: no NATS server is connected"), "{status}");
    two.nats.restart(0);
    two.come_back(1).await;
    let mover = if two.ada.is_my_turn() { &two.ada } else { &two.bob };
    let now = mover.move_ms_left.unwrap();
    let lost = Duration::from_millis(u64::from(left.saturating_sub(now)));
    println!("of {left} ms, {now} are left, {:.1?} later", asked.elapsed());
    assert!(lost < MOVE_TIME / 6, "the clock has run: {lost:?}");
    two.play(0).await;
}

/// Catches a node that goes on in a bucket that another node has made.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_ends_when_nats_has_the_rooms_of_another_cluster() {
    let Some(mut nats) = NatsServers::start("a bucket that is lost", 1) else { return };
    let mut node = nats.node(0, &[]);
    until_whole([&node].into_iter()).await;
    nats.lose_all(0);
    let _other = nats.node(1, &[]);
    assert_eq!(node.ended(LONG_TIMEOUT), Some(74));
    assert!(node.log().contains("NATS has lost the rooms of this cluster"), "{}", node.log());
}

/// Catches a room that waits while its host is told that all is well.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_nats_does_not_take_is_a_problem_of_its_node() {
    let Some(mut nats) = NatsServers::prepare("games that NATS refuses", 1) else { return };
    nats.run(
        "no_auth_user: node\nauthorization { users: [\
         { user: node, password: x, permissions { publish { deny: \"noughts.games\" } } }] }",
    );
    let node = nats.node(0, &[]);
    until_whole([&node].into_iter()).await;
    let mut ada = node.player("Ada").await;
    let mut bob = node.player("Bob").await;
    let room = ada.host().await;
    bob.join(room, Role::Player).await.unwrap();
    ada.until_running().await;
    bob.until_running().await;
    // A game without a move is not kept.
    if ada.is_my_turn() { &mut ada } else { &mut bob }.play(4).await.unwrap();
    let resign = ada.room_message(RoomIntent::Resign { game: ada.number() });
    ada.send(&resign).await;
    let deadline = Instant::now() + LONG_TIMEOUT;
    let health = || get_json(node.address(), "/healthz").unwrap_or_default();
    while health()["status"] != "degraded" {
        assert!(Instant::now() < deadline, "{}", health());
        poll_delay().await;
    }
    assert_eq!(health()["cluster"]["problem"], true);
    let status = admin(&node, &["status"]).unwrap();
    assert!(status.contains("rooms wait") && status.contains("the stream of games"), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_party_goes_on_when_its_node_is_killed() {
    let Some(nats) = NatsServers::start("a party whose node is killed", 1) else { return };
    let mut nodes = [0, 1].map(|number| nats.node(number, &[]));
    until_whole(nodes.iter()).await;
    let mut ada = nodes[0].player("Ada").await;
    let party = ada.create_party("Evening", PartySettings::default(), true).await;
    let mut people = Vec::new();
    for name in ["Bob", "Cleo", "Dana"] {
        let mut person = nodes[1].player(name).await;
        person.join_party(party, PartyRole::Player).await.unwrap();
        people.push(person);
    }
    ada.until("four entrants", |ada| ada.party().entrants.len() == 4).await;
    assert!(ada.try_start_party().await);
    ada.until("the first round", |ada| ada.party().round == 1).await;
    people.push(ada);
    nodes[0].kill();
    let playing = people.into_iter().zip(0..).map(|(mut person, from)| {
        let node = nodes[1].address();
        async move {
            while !person.try_attend(from, |_| false).await {
                let token = Some(person.token.clone());
                let Ok(back) = hello(node, "Back", token).await else {
                    poll_delay().await;
                    continue;
                };
                person = back;
                if !person.try_join_party(party).await {
                    poll_delay().await;
                }
            }
            person.party().places.len()
        }
    });
    let places = futures::future::join_all(playing).await;
    assert_eq!(places, [4; 4]);
}
