//! Lost connections: resume, repeated intents, resync.

use noughts_harness::player::play_out;
use noughts_harness::{Player, ServerProcess, TestServer};
use noughts_protocol::{
    ByMark, Cell, ClientMessage, LobbyIntent, Mark, RefusalCode, Role, RoomCode, RoomIntent,
    RoomSettings,
};

/// The same player on a new connection, back in the room.
async fn reconnect(server: &TestServer, player: Player, code: RoomCode) -> Player {
    let (id, token) = (player.id, player.token.clone());
    drop(player);
    let mut player = server.returning("Ada", Some(token)).await;
    assert_eq!(player.id, id);
    player.join(code, Role::Player).await.unwrap();
    player
}

#[tokio::test]
async fn a_player_comes_back_to_the_same_seat_and_game() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    play_out(&mut ada, &mut bob, &[4, 0, 8]).await;
    let mut ada = reconnect(&server, ada, code).await;
    assert_eq!(ada.marks(), [Mark::X]);
    assert_eq!(ada.game().moves(), [4, 0, 8].map(Cell));
    play_out(&mut ada, &mut bob, &[1, 2, 7, 6]).await;
    assert_eq!(ada.game().ply(), 7);
}

#[tokio::test]
async fn a_repeated_move_is_granted_and_changes_nothing() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    let opening = ada.move_to(4);
    ada.ask(opening.clone()).await.unwrap();
    ada.ask(opening.clone()).await.unwrap();
    bob.until("the move", |p| p.game().ply() == 1).await;
    play_out(&mut bob, &mut ada, &[0]).await;
    let mut ada = reconnect(&server, ada, code).await;
    ada.ask(opening.clone()).await.unwrap();
    ada.settle().await;
    assert_eq!(ada.game().moves(), [4, 0].map(Cell));

    let elsewhere = RoomIntent::Play { game: 1, ply: 0, cell: Cell(8) };
    assert_eq!(ada.ask_room(elsewhere).await, Err(RefusalCode::Stale));
    assert_eq!(bob.ask(opening).await, Err(RefusalCode::Stale), "it was not Bob's move");
}

#[tokio::test]
async fn a_repeat_of_the_winning_move_is_granted_even_in_the_next_game() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4]).await;
    let winning = ada.move_to(2);
    ada.ask(winning.clone()).await.unwrap();
    ada.until_over().await;
    bob.until_over().await;
    ada.rematch(true).await.unwrap();
    bob.rematch(true).await.unwrap();
    ada.until("the next game", |p| p.number() == 2).await;
    ada.ask(winning).await.unwrap();
    ada.settle().await;
    assert_eq!((ada.game().ply(), ada.state().score.x), (0, 1));
}

#[tokio::test]
async fn the_same_intent_creates_one_room_only() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let id = ada.new_id();
    let (settings, seats) = (RoomSettings::default(), ByMark::default());
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
async fn idempotent_intents_may_be_repeated() {
    let server = TestServer::start(&[]).await;
    let (mut ada, _bob) = server.pair(RoomSettings::default()).await;
    let room = ada.state().code;
    let mut versions = Vec::new();
    for _ in 0..2 {
        ada.join(room, Role::Player).await.unwrap();
        ada.resign().await.unwrap();
        ada.rematch(true).await.unwrap();
        ada.settle().await;
        versions.push(ada.state().v);
    }
    assert_eq!(versions[0], versions[1], "the second time changes nothing");
    for _ in 0..2 {
        ada.ask_room(RoomIntent::Leave).await.unwrap();
    }
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

#[tokio::test]
async fn a_token_of_another_server_makes_a_new_player() {
    let (here, there) = (TestServer::start(&[]).await, TestServer::start(&[]).await);
    let stranger = there.player("Ada").await;
    let ada = here.returning("Ada", Some(stranger.token.clone())).await;
    assert_ne!(ada.id, stranger.id);
    assert_ne!(ada.token, stranger.token);
}

#[tokio::test]
async fn a_restarted_server_is_found_on_the_same_port() {
    let server = ServerProcess::start(&[]);
    let connect = async |server: &ServerProcess| {
        let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
        Player::greet(Box::new(stream), "Ada", None, noughts_harness::TIMEOUT).await
    };
    let mut ada = connect(&server).await;
    ada.host().await;
    let server = server.restart();
    assert_eq!(ada.until_closed().await, 1006);
    connect(&server).await.host().await;
}
