//! Spectators see everything and can do nothing.

use noughts_harness::TestServer;
use noughts_harness::player::play_out;
use noughts_protocol::{Mark, Role, RoomSettings};

#[tokio::test]
async fn a_spectator_sees_every_move_of_every_game() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    ada.play(4).await.unwrap();
    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Spectator).await.unwrap();
    assert_eq!(eve.game().ply(), 1, "the moves so far come with the snapshot");

    play_out(&mut ada, &mut bob, &[0, 2, 6, 3, 5, 1, 7, 8]).await;
    ada.rematch(true).await.unwrap();
    bob.until("the offer", |p| p.presence.rematch == Some(Mark::X)).await;
    bob.rematch(true).await.unwrap();
    bob.until("the next game", |p| p.number() == 2).await;
    play_out(&mut ada, &mut bob, &[0, 1]).await;
    eve.until_version(ada.state().v).await;
    bob.until_version(ada.state().v).await;
    assert_eq!(eve.state(), ada.state());
    assert_eq!(eve.state(), bob.state());
}
