//! Somebody who asks to be forgotten on one of two devices.

use noughts_protocol::{CloseCode, LobbyIntent, Mark, Participant, RoomSettings};

use super::{ALL, history, resigned, server};

#[tokio::test]
async fn who_is_forgotten_on_one_device_leaves_the_rooms_of_the_others_too() {
    let server = server().await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    ada.play(4).await.unwrap();
    let mut phone = server.returning("Ada", Some(ada.token.clone())).await;
    phone.ask_lobby(LobbyIntent::Forget).await.unwrap();
    bob.until_over().await;
    assert_eq!(bob.result(), Some(&resigned(Mark::O)));
    assert_eq!(ada.until_closed().await, CloseCode::Restart.number());
    assert_eq!(phone.until_closed().await, CloseCode::Restart.number());
    let (games, _) = history(&mut bob, ALL).await;
    assert_eq!(games[0].players.x, Participant::Somebody);
}
