//! A server that stops tells its clients, and a room that nobody needs ends.

use noughts_harness::TestServer;
use noughts_protocol::{CloseCode, Role};

#[tokio::test]
async fn a_stopping_server_closes_every_connection_with_a_reason() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let mut waiting = server.player("Eve").await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    waiting.quick_match().await.unwrap();
    server.stop().await;
    for mut player in [ada, bob, waiting] {
        assert_eq!(player.until_closed().await, CloseCode::Restart.number());
    }
}

#[tokio::test]
async fn a_room_ends_when_everybody_who_played_has_left() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let mut eve = server.player("Eve").await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    eve.join(code, Role::Spectator).await.unwrap();
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    eve.until("the end", |p| p.state().closed).await;
    server.until_counts([0, 3, 0]).await;
}
