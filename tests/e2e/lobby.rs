//! The public list, as it is pushed.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{ByMark, LobbyIntent, Role, RoomSettings};

async fn watch(player: &mut Player) {
    player.ask_lobby(LobbyIntent::WatchLobby).await.unwrap();
    player.until("the lists", |p| p.lobby.is_some()).await;
}

fn listed() -> RoomSettings {
    RoomSettings { listed: true, ..RoomSettings::default() }
}

#[tokio::test]
async fn listed_rooms_are_pushed_as_they_wait_play_and_end() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let mut eve = server.player("Eve").await;
    ada.host().await;
    ada.leave().await.unwrap();
    watch(&mut eve).await;
    assert_eq!(eve.lobby, Some((vec![], vec![])));

    let code = ada.create(listed(), ByMark::default()).await;
    let waiting = |p: &Player| p.lobby.as_ref().is_some_and(|(waiting, _)| waiting.len() == 1);
    eve.until("a waiting room", waiting).await;
    bob.join(code, Role::Player).await.unwrap();
    let playing = |p: &Player| p.lobby.as_ref().is_some_and(|(_, playing)| playing.len() == 1);
    eve.until("a running game", playing).await;
    let (_, playing) = eve.lobby.clone().unwrap();
    assert_eq!((playing[0].room, playing[0].game), (code, Some(1)));
    assert_eq!(playing[0].seats.o.label(), "Bob");

    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    eve.until("the end", |p| p.lobby == Some((vec![], vec![]))).await;
    eve.ask_lobby(LobbyIntent::UnwatchLobby).await.unwrap();
}
