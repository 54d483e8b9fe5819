//! Lost connections: resume, repeated intents, resync.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{ByMark, ClientMessage, LobbyIntent, Role, RoomCode, RoomSettings};

/// The same player on a new connection, back in the room.
async fn reconnect(server: &TestServer, player: Player, code: RoomCode) -> Player {
    let id = player.id;
    let token = player.token.clone();
    drop(player);
    let mut player = server.returning("Ada", Some(token)).await;
    assert_eq!(player.id, id);
    player.join(code, Role::Player).await.unwrap();
    player
}

#[tokio::test]
async fn the_same_intent_creates_one_room_only() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let id = ada.new_id();
    let settings = RoomSettings::default();
    let seats = ByMark::default();
    let intent = LobbyIntent::Create { settings, seats, shuffle: false };
    let create = ClientMessage::Lobby { intent, id };
    let code = ada.ask(create.clone()).await.unwrap();
    assert_eq!(ada.ask(create.clone()).await, Ok(code));
    let mut ada = reconnect(&server, ada, code.unwrap()).await;
    assert_eq!(ada.ask(create.clone()).await, Ok(code));
    assert_eq!(server.counts().await[0], 1);

    let mut bob = server.player("Bob").await;
    assert_ne!(bob.ask(create).await, Ok(code), "an id is its player's own");
}

#[tokio::test]
async fn sync_and_pong_tell_the_version() {
    let server = TestServer::start(&[]).await;
    let (mut ada, _bob) = server.pair(RoomSettings::default()).await;
    ada.play(4).await.unwrap();
    let seen = ada.state().clone();
    ada.sync().await;
    assert_eq!(ada.state(), &seen);
    ada.ask_lobby(LobbyIntent::Ping).await.unwrap();
    assert_eq!(ada.pong, Some((seen.v, ada.presence)));
    ada.leave().await.unwrap();
    ada.ask_lobby(LobbyIntent::Ping).await.unwrap();
    assert_eq!(ada.pong, None);
}
