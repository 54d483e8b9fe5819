//! One player on two devices.

use noughts_harness::TestServer;
use noughts_protocol::{LobbyIntent, RefusalCode, Role, RoomIntent, RoomSettings, Seat};

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
