//! Three nodes of a cluster do together what a single server does alone: rooms, quick match, the list,
//! passes, wrong codes, and people who want to be forgotten. What needs no other node to fail is done at
//! three real processes too.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use noughts_harness::bot::poll_delay;
use noughts_harness::nodes::{TestCluster, balanced, shards};
use noughts_harness::player::play_out;
use noughts_harness::process::program;
use noughts_harness::{Player, TestServer, VIRTUAL_TIMEOUT, advance_time};
use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, CloseCode, Computer, ComputerFallback, Hello, LobbyIntent,
    Mark, PROTOCOL_VERSION, PartyRole, PartySettings, PassCode, RefusalCode, Role, RoomSettings,
    SeatRequest,
};
use noughts_server::cluster::engine::fake::faults::Link;
use noughts_server::shard::SHARDS;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(start_paused = true)]
async fn three_nodes_are_one_server() {
    let (_cluster, nodes) = TestCluster::start(3).await;
    are_one_server(&nodes).await;
}

/// People do all they do, alone and together, at three nodes, in memory or as real processes.
pub(crate) async fn are_one_server(nodes: &[TestServer]) {
    games_are_played_and_watched(nodes).await;
    a_room_has_talk_hints_reviews_and_rematches(nodes).await;
    strangers_are_paired_once(nodes).await;
    the_list_has_all_rooms(nodes).await;
    a_pass_and_a_token_are_good_everywhere(nodes).await;
    the_same_intent_makes_one_room(nodes).await;
    a_party_is_followed_and_made_once(nodes).await;
    who_is_forgotten_leaves_all_rooms(nodes).await;
}

async fn games_are_played_and_watched(nodes: &[TestServer]) {
    for (home, node) in nodes.iter().enumerate() {
        let mut ada = node.player("Ada").await;
        let mut bob = nodes[(home + 1) % 3].player("Bob").await;
        let mut eve = nodes[(home + 2) % 3].player("Eve").await;
        let code = ada.host().await;
        bob.join(code, Role::Player).await.unwrap();
        eve.join(code, Role::Spectator).await.unwrap();
        let (x, o) =
            if ada.marks() == [Mark::X] { (&mut ada, &mut bob) } else { (&mut bob, &mut ada) };
        play_out(x, o, &[0, 3, 1, 4, 2]).await;
        eve.until_over().await;
        assert_eq!(eve.result(), o.result());
        for player in [&mut ada, &mut bob, &mut eve] {
            player.settle().await;
            player.until("one spectator", |player| player.presence.spectators == 1).await;
        }
        drop(eve);
        bob.until("one spectator less", |bob| bob.presence.spectators == 0).await;
        bob.leave().await.unwrap();
        ada.leave().await.unwrap();
    }
}

async fn a_room_has_talk_hints_reviews_and_rematches(nodes: &[TestServer]) {
    let mut ada = nodes[0].player("Ada").await;
    let mut bob = nodes[1].player("Bob").await;
    let settings = RoomSettings { hints: true, ..RoomSettings::default() };
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    let code = ada.create(settings, seats).await;
    bob.join(code, Role::Player).await.unwrap();
    ada.until_running().await;
    bob.until_running().await;
    ada.say("good luck").await.unwrap();
    bob.until_heard("good luck").await;
    play_out(&mut ada, &mut bob, &[0]).await;
    bob.hint().await.unwrap();
    play_out(&mut bob, &mut ada, &[3, 1, 4, 2]).await;
    bob.until_over().await;
    bob.review(1).await.unwrap();
    ada.rematch(true).await.unwrap();
    bob.rematch(true).await.unwrap();
    ada.until("the second game", |ada| ada.number() == 2).await;
    bob.until("the second game", |bob| bob.number() == 2).await;
    bob.resign().await.unwrap();
    ada.until_over().await;
}

async fn strangers_are_paired_once(nodes: &[TestServer]) {
    for (board, one, other) in [("3x3x3", 0, 1), ("4x4x3", 1, 2), ("5x5x4", 2, 0), ("5x4x4", 1, 1)]
    {
        let board = board.parse().unwrap();
        let quick = LobbyIntent::QuickMatch { board, move_time_ms: None, computer: None };
        let mut ada = nodes[one].player("Ada").await;
        let mut bob = nodes[other].player("Bob").await;
        assert_eq!(ada.ask_lobby(quick.clone()).await, Ok(None));
        let code = bob.ask_lobby(quick.clone()).await.unwrap();
        ada.until_running().await;
        bob.until_running().await;
        assert_eq!(ada.state().code, bob.state().code);
        assert_ne!(ada.marks(), bob.marks());
        assert_eq!(code, Some(bob.state().code));
        let mut eve = nodes[other].player("Eve").await;
        assert_eq!(eve.ask_lobby(quick).await, Ok(None), "nobody is paired twice");
        eve.ask_lobby(LobbyIntent::CancelMatch).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_to_be_sent_to_a_node_without_a_shard() {
    let (mut cluster, mut nodes) = TestCluster::start(2).await;
    nodes.push(cluster.node(3, &[]).await);
    let (status, body) = nodes[2].get("/healthz", "").await;
    assert!(status == 503 && body.contains(r#""status":"starting""#), "{body}");
    balanced(&nodes).await;
    assert_eq!(nodes[2].get("/healthz", "").await.0, 200);
}

#[tokio::test(start_paused = true)]
async fn who_waits_in_vain_plays_the_computer_and_who_goes_is_not_paired() {
    let (_cluster, nodes) = TestCluster::start(3).await;
    for node in &nodes {
        let mut ada = node.player("Ada").await;
        assert_eq!(ada.quick_match().await, Ok(None));
        drop(ada);
        advance_time(Duration::from_secs(1)).await;
        let mut bob = node.player("Bob").await;
        let computer = Some(ComputerFallback { after_ms: 8_000, computer: Computer::default() });
        let quick =
            LobbyIntent::QuickMatch { board: BoardSpec::default(), move_time_ms: None, computer };
        assert_eq!(bob.ask_lobby(quick).await, Ok(None));
        bob.until_running().await;
        assert!(
            bob.state().seats.o.computer().is_some() || bob.state().seats.x.computer().is_some()
        );
        bob.leave().await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_match_is_found_also_after_the_node_with_the_queue_has_stopped() {
    let (_cluster, mut nodes) = TestCluster::start(3).await;
    let mut ada = nodes[2].player("Ada").await;
    assert_eq!(ada.quick_match().await, Ok(None));
    // Those who wait are asked for again wherever the queue is then.
    nodes.remove(0).stop().await;
    advance_time(Duration::from_secs(5)).await;
    nodes.remove(0).stop().await;
    advance_time(Duration::from_secs(5)).await;
    let mut bob = nodes[0].player("Bob").await;
    bob.quick_match().await.unwrap();
    ada.until_running().await;
    bob.until_running().await;
    assert_eq!(ada.state().code, bob.state().code);
}

async fn the_list_has_all_rooms(nodes: &[TestServer]) {
    let mut watcher = nodes[0].player("Eve").await;
    watcher.ask_lobby(LobbyIntent::WatchLobby).await.unwrap();
    let settings = RoomSettings { listed: true, ..RoomSettings::default() };
    let mut hosts = Vec::new();
    for node in nodes {
        let mut host = node.player("Ada").await;
        host.create(settings, ByMark::default()).await;
        hosts.push(host);
    }
    let waiting = |count| {
        move |eve: &Player| eve.lobby.as_ref().is_some_and(|(waiting, _)| waiting.len() == count)
    };
    watcher.until("three rooms", waiting(3)).await;
    let mut newcomer = nodes[1].player("Bob").await;
    newcomer.ask_lobby(LobbyIntent::WatchLobby).await.unwrap();
    newcomer.until("three rooms", waiting(3)).await;
    let room = hosts[2].state().code;
    newcomer.join(room, Role::Player).await.unwrap();
    watcher.until("two rooms", waiting(2)).await;
    for host in &mut hosts[..2] {
        host.leave().await.unwrap();
    }
    watcher.until("no rooms", waiting(0)).await;
}

async fn a_pass_and_a_token_are_good_everywhere(nodes: &[TestServer]) {
    let mut laptop = nodes[0].player("Ada").await;
    let code = laptop.host().await;
    let pass = laptop.ask_pass().await;
    let mut phone = with_pass(&nodes[1], &pass).await;
    assert_eq!((phone.id, &phone.token), (laptop.id, &laptop.token));
    laptop.until("its pass is used", |p| p.pass == Some((pass.clone(), 0))).await;
    phone.join(code, Role::Player).await.unwrap();
    assert_eq!(phone.marks(), laptop.marks());
    let mut tablet = nodes[2].returning("Ada", Some(laptop.token.clone())).await;
    assert_eq!(tablet.id, laptop.id);
    tablet.join(code, Role::Player).await.unwrap();
    assert_eq!(tablet.marks(), laptop.marks());
    laptop.settle().await;
}

async fn with_pass(node: &TestServer, pass: &PassCode) -> Player {
    try_pass(node, pass).await.unwrap()
}

async fn try_pass(node: &TestServer, pass: &PassCode) -> Result<Player, String> {
    let (name, pass) = ("Phone".parse().unwrap(), Some(pass.clone()));
    let (protocol, token, password) = (PROTOCOL_VERSION, None, None);
    let hello = ClientMessage::Hello(Hello { protocol, name, token, pass, password });
    Player::try_hello(node.stream().await, &hello, VIRTUAL_TIMEOUT).await
}

#[tokio::test(start_paused = true)]
async fn a_pass_is_not_wrong_because_its_node_does_not_answer() {
    let (cluster, nodes) = TestCluster::start(3).await;
    let mut laptop = nodes[0].player("Ada").await;
    let pass = laptop.ask_pass().await;
    cluster.set_link(0, Link::Cut);
    let sent_away = try_pass(&nodes[1], &pass).await.unwrap_err();
    let code = CloseCode::TryAgainLater.number();
    assert_eq!(sent_away, format!("no welcome: Some(Closed({code}))"));
    cluster.set_link(0, Link::Open);
    balanced(&nodes).await;
    assert_eq!(with_pass(&nodes[1], &pass).await.id, laptop.id, "it is still good");
}

async fn the_same_intent_makes_one_room(nodes: &[TestServer]) {
    let mut ada = nodes[0].player("Ada").await;
    let code = ada.host().await;
    let mut again = nodes[1].returning("Ada", Some(ada.token.clone())).await;
    assert_eq!(again.host().await, code, "the first intent of a connection has the same id");
}

#[tokio::test(start_paused = true)]
async fn an_intent_makes_one_room_also_if_its_node_has_just_died() {
    for link in [Link::Cut, Link::Paused] {
        let (cluster, nodes) = TestCluster::start(3).await;
        let mut ada = nodes[0].player("Ada").await;
        let code = ada.host().await;
        let mut bob = nodes[0].player("Bob").await;
        let party = bob.create_party("Evening", PartySettings::default(), true).await;
        // Nobody was told that the room is there, and it is not yet known that the node is not.
        cluster.set_link(0, link);
        let began = tokio::time::Instant::now();
        let mut again = nodes[1].returning("Ada", Some(ada.token.clone())).await;
        let mut other = nodes[2].returning("Bob", Some(bob.token.clone())).await;
        let made = other.create_party("Evening", PartySettings::default(), true);
        assert_eq!(tokio::join!(again.host(), made), (code, party), "{link:?}");
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_code_that_nothing_has_is_refused_and_counts_everywhere() {
    let mut cluster = TestCluster::new(1);
    let options = ["--max-per-address", "8"];
    let (one, two) = tokio::join!(cluster.node(1, &options), cluster.node(2, &options));
    let nodes = [one, two];
    balanced(&nodes).await;
    let [one, two] = &nodes;
    let (mut ada, mut bob) = (one.player("Ada").await, two.player("Bob").await);
    let code = ada.host().await;
    for guess in (0..).map(noughts_protocol::RoomCode::from_number).filter(|c| *c != code).take(8) {
        assert_eq!(ada.join(guess, Role::Player).await, Err(RefusalCode::NoSuchRoom));
    }
    assert_eq!(bob.join(code, Role::Player).await, Err(RefusalCode::RateLimited));
    // Whoever has a seat may come back.
    let mut phone = two.returning("Ada", Some(ada.token.clone())).await;
    phone.join(code, Role::Player).await.unwrap();
}

async fn who_is_forgotten_leaves_all_rooms(nodes: &[TestServer]) {
    let mut ada = nodes[0].player("Ada").await;
    let mut others = Vec::new();
    for node in nodes {
        let mut device = node.returning("Ada", Some(ada.token.clone())).await;
        for _ in 0..others.len() {
            device.new_id();
        }
        let code = device.host().await;
        let mut other = nodes[2].player("Bob").await;
        other.join(code, Role::Player).await.unwrap();
        others.push((other, device));
    }
    ada.ask_lobby(LobbyIntent::Forget).await.unwrap();
    assert_eq!(ada.until_closed().await, CloseCode::Restart.number());
    for (mut other, mut device) in others {
        assert_eq!(device.until_closed().await, CloseCode::Restart.number());
        other.until_over().await;
    }
    // Every node forgets the token, soon.
    while nodes[1].returning("Ada", Some(ada.token.clone())).await.id == ada.id {
        poll_delay().await;
    }
}

async fn a_party_is_followed_and_made_once(nodes: &[TestServer]) {
    let mut ada = nodes[0].player("Ada").await;
    let party = ada.create_party("Evening", PartySettings::default(), true).await;
    let mut again = nodes[1].returning("Ada", Some(ada.token.clone())).await;
    assert_eq!(again.create_party("Evening", PartySettings::default(), true).await, party);
    let mut bob = nodes[2].player("Bob").await;
    bob.join_party(party, PartyRole::Player).await.unwrap();
    ada.until("two entrants", |ada| ada.party().entrants.len() == 2).await;
}

#[tokio::test(start_paused = true)]
async fn the_rooms_of_a_node_that_stops_go_on_elsewhere() {
    let (_cluster, mut nodes) = TestCluster::start(3).await;
    let mut ada = nodes[0].player("Ada").await;
    let mut bob = nodes[1].player("Bob").await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    ada.until_running().await;
    let first = if ada.is_my_turn() { &mut ada } else { &mut bob };
    first.play(4).await.unwrap();
    let leaving = tokio::spawn(nodes.remove(0).stop());
    assert_eq!(ada.until_closed().await, CloseCode::Restart.number());
    assert_eq!(bob.until_closed().await, CloseCode::Restart.number());
    let began = tokio::time::Instant::now();
    let mut ada = nodes[1].returning("Ada", Some(ada.token.clone())).await;
    let mut bob = nodes[0].returning("Bob", Some(bob.token.clone())).await;
    ada.join(code, Role::Player).await.unwrap();
    bob.join(code, Role::Player).await.unwrap();
    assert_eq!((ada.game().ply(), bob.game().ply()), (1, 1));
    let next = if ada.is_my_turn() { &mut ada } else { &mut bob };
    next.play(0).await.unwrap();
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
    leaving.await.unwrap();
    balanced(&nodes).await;
    assert_eq!(shards(&nodes[0]).await + shards(&nodes[1]).await, u64::from(SHARDS));
}

#[tokio::test(start_paused = true)]
async fn a_party_goes_on_at_another_node() {
    let (_cluster, mut nodes) = TestCluster::start(3).await;
    let mut ada = nodes[0].player("Ada").await;
    let party = ada.create_party("Evening", PartySettings::default(), true).await;
    let mut bob = nodes[2].player("Bob").await;
    bob.join_party(party, PartyRole::Player).await.unwrap();
    ada.until("two entrants", |ada| ada.party().entrants.len() == 2).await;
    let leaving = tokio::spawn(nodes.remove(0).stop());
    assert_eq!(bob.until_closed().await, CloseCode::Restart.number());
    let mut bob = nodes[0].returning("Bob", Some(bob.token.clone())).await;
    bob.join_party(party, PartyRole::Player).await.unwrap();
    assert_eq!(bob.party().entrants.len(), 2);
    leaving.await.unwrap();
}

#[test]
fn a_node_that_waits_for_its_cluster_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mut node = Command::new(program("noughts-server"))
        // Nobody listens there.
        .args(["--bind", "127.0.0.1:0", "--cluster", "nats://127.0.0.1:1", "--data-dir"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(node.stderr.take().unwrap());
    let mut line = String::new();
    assert!(log.read_line(&mut line).unwrap() > 0 && line.contains("no NATS server"), "{line}");
    let pid = node.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    log.read_to_string(&mut line).unwrap();
    assert!(node.wait().unwrap().success(), "{line}");
}

#[tokio::test(start_paused = true)]
async fn a_welcome_says_where_the_others_are() {
    let (_cluster, nodes) = TestCluster::start(2).await;
    let mut socket = noughts_harness::player::open(nodes[0].stream().await).await.unwrap();
    let hello = r#"{"type":"hello","protocol":2,"name":"Ada"}"#;
    socket.send(Message::text(hello)).await.unwrap();
    let welcome = socket.next().await.unwrap().unwrap().into_text().unwrap();
    let welcome: Value = serde_json::from_str(&welcome).unwrap();
    assert_eq!(welcome["server"]["nodes"], serde_json::json!(["http://node-2.example/"]));
}
