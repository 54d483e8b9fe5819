//! A node whose way to the engine is cut or hangs: it says so, sends its people away, and goes on when
//! the way is back. The others go on without it. If no node reaches the engine, everything waits.

use std::time::Duration;

use noughts_harness::nodes::{TestCluster, balanced, shards};
use noughts_harness::player::open;
use noughts_harness::{Player, TestServer, advance_time};
use noughts_protocol::{CloseCode, Role, RoomCode};
use noughts_server::cluster::engine::fake::faults::Link;
use noughts_server::shard::SHARDS;
use serde_json::Value;
use tokio::time::Instant;

/// The documented time after which a node that is cut off closes its connections.
const CUT_OFF: Duration = Duration::from_secs(15);

/// The status of `/healthz`, and whether it says that the node hears the others.
async fn health(node: &TestServer) -> (u16, bool) {
    let (status, body) = node.get("/healthz", "").await;
    let health: Value = serde_json::from_str(&body).unwrap();
    let hears = health["cluster"]["hears_the_others"].as_bool().unwrap();
    // A node that is back has no shards at first.
    let expected = match (status, hears) {
        (200, _) => "ok",
        (_, true) => "starting",
        (_, false) => "failing",
    };
    assert_eq!(health["status"], expected);
    (status, hears)
}

/// How a player is told that the connection ends, and after how long.
async fn told(player: &mut Player, since: Instant) -> (u16, Duration) {
    let code = player.until_closed().await;
    (code, since.elapsed())
}

/// Whether a node takes a connection. If not, its answer says why.
async fn takes_connections(node: &TestServer) -> bool {
    match open(node.stream().await).await {
        Ok(_) => true,
        Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => {
            assert_eq!(answer.status(), 503);
            assert_eq!(answer.headers()["retry-after"], "10");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// Plays the next move of a room: whoever has the turn.
async fn next_move(players: [&mut Player; 2], cell: u16) {
    let [one, other] = players;
    let mover = if one.is_my_turn() { one } else { other };
    mover.play(cell).await.unwrap();
}

/// Somebody who has the seat of a player comes to another node.
async fn moved(node: &TestServer, name: &str, player: &Player, room: RoomCode) -> Player {
    let mut player = node.returning(name, Some(player.token.clone())).await;
    player.join(room, Role::Player).await.unwrap();
    player
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_cut_off_sends_its_people_to_the_others() {
    for link in [Link::Cut, Link::Paused] {
        let (cluster, nodes) = TestCluster::start(3).await;
        let mut ada = nodes[0].player("Ada").await;
        let mut bob = nodes[1].player("Bob").await;
        // Somebody in no room needs nothing from another node.
        let mut eve = nodes[0].player("Eve").await;
        let room = ada.host().await;
        bob.join(room, Role::Player).await.unwrap();
        ada.until_running().await;
        bob.until_running().await;
        next_move([&mut ada, &mut bob], 4).await;

        cluster.set_link(0, link);
        let since = Instant::now();
        advance_time(Duration::from_secs(2)).await;
        assert_eq!(health(&nodes[0]).await, (503, false), "a balancer sends nobody there");
        assert_eq!(health(&nodes[1]).await, (200, true));
        assert!(takes_connections(&nodes[0]).await, "who is there may stay for a while");
        let (code, after) = told(&mut eve, since).await;
        println!("{link:?}: eve after {after:?}");
        assert_eq!(code, CloseCode::TryAgainLater.number());
        assert!((CUT_OFF..CUT_OFF + Duration::from_secs(1)).contains(&after), "{after:?}");
        let (code, after) = told(&mut ada, since).await;
        assert_eq!(code, CloseCode::TryAgainLater.number());
        assert!(after < CUT_OFF + Duration::from_secs(1), "{after:?}");
        assert!(!takes_connections(&nodes[0]).await);
        assert_eq!(health(&nodes[0]).await, (503, false));
        assert_eq!(shards(&nodes[1]).await + shards(&nodes[2]).await, u64::from(SHARDS));

        let mut ada = moved(&nodes[2], "Ada", &ada, room).await;
        // Whoever sits at a good node is sent away too, if the room was at the bad one.
        let mut bob = moved(&nodes[1], "Bob", &bob, room).await;
        assert_eq!((ada.game().ply(), bob.game().ply()), (1, 1), "no move is lost");
        next_move([&mut ada, &mut bob], 0).await;

        cluster.set_link(0, Link::Open);
        advance_time(Duration::from_secs(2)).await;
        assert!(health(&nodes[0]).await.1, "it goes on by itself");
        balanced(&nodes).await;
        assert_eq!(health(&nodes[0]).await, (200, true));
        let mut ada = moved(&nodes[0], "Ada", &ada, room).await;
        let mut bob = moved(&nodes[1], "Bob", &bob, room).await;
        assert_eq!(ada.game().ply(), 2, "it has read what it has missed");
        next_move([&mut ada, &mut bob], 8).await;
    }
}

#[tokio::test(start_paused = true)]
async fn everything_waits_without_an_engine_and_goes_on_with_it() {
    for link in [Link::Cut, Link::Paused] {
        let (cluster, nodes) = TestCluster::start(3).await;
        let mut ada = nodes[0].player("Ada").await;
        let mut bob = nodes[1].player("Bob").await;
        let room = ada.host().await;
        bob.join(room, Role::Player).await.unwrap();
        ada.until_running().await;
        bob.until_running().await;
        next_move([&mut ada, &mut bob], 4).await;
        let mut before = Vec::new();
        for node in &nodes {
            before.push(shards(node).await);
        }

        (0..3).for_each(|node| cluster.set_link(node, link));
        let since = Instant::now();
        // Bob waits too, although his room is at Ada's server, which his does not hear.
        for player in [&mut ada, &mut bob] {
            let (code, after) = told(player, since).await;
            assert_eq!(code, CloseCode::TryAgainLater.number());
            assert!((CUT_OFF..CUT_OFF + Duration::from_secs(1)).contains(&after), "{after:?}");
        }
        advance_time(CUT_OFF).await;
        for node in &nodes {
            assert_eq!(health(node).await, (503, false));
            assert!(!takes_connections(node).await);
        }

        (0..3).for_each(|node| cluster.set_link(node, Link::Open));
        advance_time(Duration::from_secs(3)).await;
        for (node, before) in nodes.iter().zip(before) {
            assert_eq!(health(node).await, (200, true));
            assert_eq!(shards(node).await, before, "an outage of all makes nobody look dead");
        }
        let mut ada = moved(&nodes[0], "Ada", &ada, room).await;
        let mut bob = moved(&nodes[1], "Bob", &bob, room).await;
        assert_eq!(ada.game().ply(), 1, "no move is lost");
        next_move([&mut ada, &mut bob], 0).await;
    }
}
