//! `/api/v1` of a cluster: each node tells the same, also what another one has.

use noughts_harness::bot::poll_delay;
use noughts_harness::nats::until_whole;
use noughts_harness::player::{listed, play_out};
use noughts_harness::{LONG_TIMEOUT, NatsServers};
use noughts_protocol::{ArchivedGame, ByMark, PartySettings, Role};
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use super::enter;
use crate::api::{events, json, until};

#[tokio::test(flavor = "multi_thread")]
async fn every_node_tells_what_another_one_has() {
    let Some(nats) = NatsServers::start("/api/v1 of three nodes", 1) else { return };
    let nodes = [0, 1, 2].map(|number| nats.node(number, &[]));
    until_whole(nodes.iter()).await;
    let mut ada = nodes[0].player("Ada").await;
    let mut bob = nodes[1].player("Bob").await;
    let room = ada.create(listed(), ByMark::default()).await;
    bob.join(room, Role::Player).await.unwrap();
    let mut streams = Vec::new();
    for node in &nodes {
        let mut stream = events(node, &format!("/api/v1/rooms/{room}/events"), "").await;
        until(&mut stream, "event: snapshot").await;
        streams.push(stream);
    }
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    for stream in &mut streams {
        let told = until(stream, r#""over":"#).await;
        assert!(told.contains(&format!("event: event\nid: {}\n", ada.state().v)), "{told}");
    }
    let party = ada.create_party("Evening", PartySettings::default(), true).await;
    // The games are copied to each node, and the lists are told from node to node.
    until_whole(nodes.iter()).await;
    for node in &nodes {
        let told = json(node, &format!("/api/v1/parties/{party}")).await;
        assert_eq!(told["entrants"][0]["name"], "Ada");
        let profile = format!("/api/v1/players/{}", ada.id);
        while json(node, &profile).await["recent"].as_array().is_none_or(Vec::is_empty) {
            poll_delay().await;
        }
        let (_, games) = node.get(&format!("{profile}/games"), "").await;
        let game: ArchivedGame = serde_json::from_str(games.trim()).unwrap();
        let kept = format!("/api/v1/games/{}", game.summary.id);
        assert_eq!(json(node, &kept).await["moves"].as_array().map(Vec::len), Some(5));
        while json(node, "/api/v1/rooms").await["playing"][0]["room"] != room.to_string() {
            poll_delay().await;
        }
        let mut stream = events(node, &format!("/api/v1/parties/{party}/events"), "").await;
        until(&mut stream, "event: snapshot").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_a_room_comes_again_when_its_node_is_killed() {
    let Some(mut nats) = NatsServers::start("events of a node that is killed", 1) else { return };
    let mut nodes = [0, 1].map(|number| nats.node(number, &[]));
    until_whole(nodes.iter()).await;
    let mut ada = nodes[0].player("Ada").await;
    let mut bob = nodes[1].player("Bob").await;
    let room = ada.host().await;
    bob.join(room, Role::Player).await.unwrap();
    ada.until_running().await;
    let path = format!("/api/v1/rooms/{room}/events");
    let mut stream = events(&nodes[1], &path, "").await;
    until(&mut stream, "event: snapshot").await;
    let known = format!("last-event-id: {}\r\n", ada.state().v);

    nodes[0].kill();
    let mut rest = String::new();
    let ending = stream.read_to_string(&mut rest);
    timeout(LONG_TIMEOUT, ending).await.expect("the end of the events").unwrap();
    // As soon as it likes: it waits for the node that takes the room over.
    let mut stream = events(&nodes[1], &path, &known).await;
    let again = until(&mut stream, "event: ").await;
    assert!(again.starts_with("HTTP/1.1 200 "), "{again}");
    let mut ada = enter(&nodes[1], "Ada", Some(ada.token.clone()), room, Role::Player).await;
    let mut bob = enter(&nodes[1], "Bob", Some(bob.token.clone()), room, Role::Player).await;
    play_out(&mut ada, &mut bob, &[4]).await;
    until(&mut stream, r#""cell":4"#).await;

    // A node without a lease cannot know what there is.
    nats.kill(0);
    while nodes[1].get("/api/v1/rooms", "").await.0 == 200 {
        poll_delay().await;
    }
    for path in ["/api/v1/rooms", "/api/v1/parties/BBBBB", &path] {
        assert_eq!(nodes[1].get(path, "").await.0, 503, "{path}");
    }
}
