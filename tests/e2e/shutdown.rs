//! A server that stops tells its clients.

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
