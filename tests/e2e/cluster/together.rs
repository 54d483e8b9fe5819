//! Three nodes do together what a single server does alone.

use noughts_harness::bot::poll_delay;
use noughts_harness::nats::until_whole;
use noughts_harness::player::{listed, play_again, play_out, quick};
use noughts_harness::{NatsServers, Player, ServerProcess, TIMEOUT};
use noughts_protocol::{
    ByMark, ClientMessage, CloseCode, Found, Hello, LobbyIntent, PROTOCOL_VERSION, PartyRole,
    PartySettings, Role, RoomSettings,
};

#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_are_one_server() {
    let Some(nats) = NatsServers::start("three nodes as one server", 1) else { return };
    let nodes = [0, 1, 2].map(|number| nats.node(number, &[]));
    until_whole(nodes.iter()).await;
    games_are_played_and_watched(&nodes).await;
    strangers_are_paired_once(&nodes).await;
    the_list_has_all_rooms(&nodes).await;
    a_pass_and_a_token_are_good_everywhere(&nodes).await;
    a_party_is_played_at_all_nodes(&nodes).await;
    who_is_at_another_node_is_asked_to_play(&nodes).await;
    who_is_forgotten_leaves_all_rooms(&nodes).await;
}

async fn games_are_played_and_watched(nodes: &[ServerProcess]) {
    for (home, node) in nodes.iter().enumerate() {
        let mut ada = node.player("Ada").await;
        let mut bob = nodes[(home + 1) % 3].player("Bob").await;
        let mut eve = nodes[(home + 2) % 3].player("Eve").await;
        let code = ada.host().await;
        bob.join(code, Role::Player).await.unwrap();
        eve.join(code, Role::Spectator).await.unwrap();
        play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
        eve.until_over().await;
        assert_eq!(eve.result(), bob.result());
        for player in [&mut ada, &mut bob, &mut eve] {
            player.settle().await;
            player.until("one spectator", |player| player.presence.spectators == 1).await;
        }
        drop(eve);
        bob.until("one spectator less", |bob| bob.presence.spectators == 0).await;
        ada.say("again?").await.unwrap();
        bob.until_heard("again?").await;
        play_again(&mut ada, &mut bob).await;
        bob.leave().await.unwrap();
        ada.until_over().await;
        ada.leave().await.unwrap();
    }
}

async fn strangers_are_paired_once(nodes: &[ServerProcess]) {
    for (board, one, other) in [("3x3x3", 0, 1), ("4x4x3", 1, 2), ("5x5x4", 2, 0)] {
        let board = board.parse().unwrap();
        let quick = quick(board);
        let mut ada = nodes[one].player("Ada").await;
        let mut bob = nodes[other].player("Bob").await;
        assert_eq!(ada.ask_lobby(quick.clone()).await, Ok(None));
        bob.ask_lobby(quick.clone()).await.unwrap();
        ada.until_running().await;
        bob.until_running().await;
        assert_eq!(ada.state().code, bob.state().code);
        assert_ne!(ada.marks(), bob.marks());
        let mut eve = nodes[other].player("Eve").await;
        assert_eq!(eve.ask_lobby(quick).await, Ok(None), "nobody is paired twice");
        eve.ask_lobby(LobbyIntent::CancelMatch).await.unwrap();
    }
}

async fn the_list_has_all_rooms(nodes: &[ServerProcess]) {
    let mut watcher = nodes[0].player("Eve").await;
    watcher.ask_lobby(LobbyIntent::WatchLobby).await.unwrap();
    let mut hosts = Vec::new();
    for node in nodes {
        let mut host = node.player("Ada").await;
        host.create(listed(), ByMark::default()).await;
        hosts.push(host);
    }
    let waiting = |count| {
        move |eve: &Player| eve.lobby.as_ref().is_some_and(|(waiting, _)| waiting.len() == count)
    };
    watcher.until("three rooms", waiting(3)).await;
    let room = hosts[2].state().code;
    let mut newcomer = nodes[1].player("Bob").await;
    newcomer.join(room, Role::Player).await.unwrap();
    watcher.until("two rooms", waiting(2)).await;
    for host in &mut hosts[..2] {
        host.leave().await.unwrap();
    }
    watcher.until("no rooms", waiting(0)).await;
}

async fn a_pass_and_a_token_are_good_everywhere(nodes: &[ServerProcess]) {
    let mut laptop = nodes[0].player("Ada").await;
    let code = laptop.host().await;
    let pass = laptop.ask_pass().await;
    let name = "Phone".parse().unwrap();
    let protocol = PROTOCOL_VERSION;
    let hello = Hello { protocol, name, token: None, pass: Some(pass), password: None };
    let stream = nodes[1].stream().await;
    let mut phone = Player::try_hello(stream, &ClientMessage::Hello(hello), TIMEOUT).await.unwrap();
    assert_eq!((phone.id, &phone.token), (laptop.id, &laptop.token));
    phone.join(code, Role::Player).await.unwrap();
    assert_eq!(phone.marks(), laptop.marks());
    let mut tablet = nodes[2].returning("Ada", Some(laptop.token.clone())).await;
    assert_eq!(tablet.id, laptop.id);
    tablet.join(code, Role::Player).await.unwrap();
    assert_eq!(tablet.marks(), laptop.marks());
}

async fn a_party_is_played_at_all_nodes(nodes: &[ServerProcess]) {
    let mut ada = nodes[0].player("Ada").await;
    let party = ada.create_party("Evening", PartySettings::default(), true).await;
    let mut bob = nodes[2].player("Bob").await;
    bob.join_party(party, PartyRole::Player).await.unwrap();
    ada.until("two entrants", |ada| ada.party().entrants.len() == 2).await;
    assert!(ada.try_start_party().await);
    // With two entrants it ends with a game that somebody wins.
    tokio::join!(ada.attend(0, |_| false), bob.attend(4, |_| false));
}

async fn who_is_at_another_node_is_asked_to_play(nodes: &[ServerProcess]) {
    let mut ada = nodes[0].player("Ada").await;
    let mut bob = nodes[1].player("Bob").await;
    let settings = RoomSettings::default();
    let room = ada.host().await;
    bob.join(room, Role::Player).await.unwrap();
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    // Bob is at his own node, and by the room at Ada's: he is asked once.
    let challenge = LobbyIntent::Challenge { player: bob.id, settings };
    while ada.ask_lobby(challenge.clone()).await.is_err() {
        poll_delay().await;
    }
    bob.until("the challenge", |bob| !bob.challenges.is_empty()).await;
    bob.settle().await;
    ada.until("the room, once", |ada| bob.challenges == [ada.state().code]).await;
    bob.ask_lobby(LobbyIntent::Decline { player: ada.id }).await.unwrap();
    ada.until("the answer", |ada| ada.declined == [bob.id]).await;

    // A device at the third node sees them too.
    ada.leave().await.unwrap();
    let mut device = nodes[2].returning("Ada", Some(ada.token.clone())).await;
    device.ask_lobby(LobbyIntent::Here { hide: None }).await.unwrap();
    let is_bob = |found: &Found| match found {
        Found::Here { people, .. } => people.iter().any(|one| one.player == bob.id),
        _ => false,
    };
    device.until("Bob is here", |device| device.found.iter().any(is_bob)).await;
}

async fn who_is_forgotten_leaves_all_rooms(nodes: &[ServerProcess]) {
    let mut ada = nodes[0].player("Ada").await;
    let mut rooms = Vec::new();
    for node in nodes {
        let mut device = node.returning("Ada", Some(ada.token.clone())).await;
        // The same intent would make the same room.
        for _ in 0..rooms.len() {
            device.new_id();
        }
        let code = device.host().await;
        let mut other = nodes[2].player("Bob").await;
        other.join(code, Role::Player).await.unwrap();
        rooms.push((other, device));
    }
    ada.ask_lobby(LobbyIntent::Forget).await.unwrap();
    assert_eq!(ada.until_closed().await, CloseCode::Restart.number());
    for (mut other, _device) in rooms {
        other.until_over().await;
    }
    // Every node forgets the token, soon.
    while nodes[1].returning("Ada", Some(ada.token.clone())).await.id == ada.id {
        poll_delay().await;
    }
}
