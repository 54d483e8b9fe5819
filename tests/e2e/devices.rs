//! One player on two devices, and one person on both sides.

use noughts_harness::TestServer;
use noughts_protocol::{LobbyIntent, RefusalCode, Role, RoomIntent, RoomSettings, Seat};

#[tokio::test]
async fn two_devices_share_a_seat_and_both_may_act() {
    let server = TestServer::start(&[]).await;
    let mut laptop = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = laptop.host().await;
    bob.join(code, Role::Player).await.unwrap();
    let mut phone = server.returning("Ada", Some(laptop.token.clone())).await;
    phone.join(code, Role::Player).await.unwrap();
    assert_eq!((phone.id, phone.marks()), (laptop.id, laptop.marks()));

    phone.play(0).await.unwrap();
    bob.play(4).await.unwrap();
    laptop.until_running().await;
    laptop.until("both moves", |p| p.game().ply() == 2).await;
    laptop.play(1).await.unwrap();
    bob.play(5).await.unwrap();
    phone.until("all moves", |p| p.game().ply() == 4).await;
    phone.play(2).await.unwrap();
    laptop.until_over().await;
    assert_eq!(laptop.state(), phone.state());
    laptop.sync().await;
    assert_eq!(laptop.presence.spectators, 0);
}

#[tokio::test]
async fn a_seat_given_up_on_one_device_leaves_no_spectator_where_none_may_be() {
    let server = TestServer::start(&[]).await;
    let closed = RoomSettings { spectators: false, ..RoomSettings::default() };
    let (mut laptop, mut bob) = server.pair(closed).await;
    let code = laptop.state().code;
    let mut phone = server.returning("Ada", Some(laptop.token.clone())).await;
    phone.join(code, Role::Player).await.unwrap();
    laptop.leave().await.unwrap();
    bob.until("the seat is open", |p| p.state().seats.x == Seat::Open).await;
    phone.until("the end of the room for her", |p| p.state().closed).await;
    // Whatever it asks is answered from outside.
    let not_in_room = Err(RefusalCode::NotInRoom);
    assert_eq!(phone.ask_room(RoomIntent::Resign { game: 1 }).await, not_in_room);
    assert_eq!(phone.ask_room(RoomIntent::Sync).await, not_in_room);
    assert_eq!(phone.join(code, Role::Spectator).await, Err(RefusalCode::NoSpectators));
    assert_eq!(phone.ask_room(RoomIntent::Leave).await, Ok(Some(code)));
    // It receives nothing that follows, and does not count.
    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Player).await.unwrap();
    noughts_harness::player::play_out(&mut bob, &mut eve, &[4]).await;
    assert_eq!(eve.presence.spectators, 0);
    phone.ask_lobby(LobbyIntent::Ping).await.unwrap();
    assert_eq!(phone.pong, None);
    bob.leave().await.unwrap();
    // The seat is hers again if she wants it.
    phone.join(code, Role::Player).await.unwrap();
    phone.until("her seat", |p| p.marks().len() == 1).await;
}
