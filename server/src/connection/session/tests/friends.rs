//! People who have played each other, and ask each other to play again.

use noughts_protocol::{
    ByMark, Found, LobbyIntent, PartyCode, PartyTable, RefusalCode, Role, RoomSettings, RoomState,
};

use super::person::{Person, World, play};

/// Whom somebody is told to be here.
async fn here(person: &mut Person, hide: Option<bool>) -> Vec<String> {
    person.lobby(LobbyIntent::Here { hide }).await.unwrap();
    match person.found.take() {
        Some(Found::Here { people, .. }) => {
            people.into_iter().map(|one| one.name.to_string()).collect()
        }
        other => panic!("nobody is told: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn who_has_played_somebody_asks_them_again_unless_they_hide() {
    let world = World::open();
    let [mut ada, mut ben, mut eve] = ["Ada", "Ben", "Eve"].map(|name| world.person(name));
    // A table of a party is made by its party alone.
    let party =
        PartyTable { party: PartyCode("NGHTS".parse().unwrap()), pairing: 1, table: 1, game: 1 };
    let settings = RoomSettings { party: Some(party), ..RoomSettings::default() };
    let ask = |player| LobbyIntent::Challenge { player, settings };
    assert_eq!(ada.lobby(ask(ben.player)).await, Err(RefusalCode::NotNow), "strangers");
    let create = LobbyIntent::Create { settings, seats: ByMark::default(), shuffle: false };
    ada.lobby(create).await.unwrap();
    ada.until("the room", |person| person.room.is_some()).await;
    ben.lobby(LobbyIntent::Join { room: ada.code(), role: Role::Player }).await.unwrap();
    ben.until("the room", |person| person.room.is_some()).await;
    play(&mut ada, Some(&mut ben), 9, &[]).await;

    assert_eq!(here(&mut ada, None).await, ["Ben"]);
    assert_eq!(here(&mut eve, None).await, Vec::<String>::new());
    here(&mut ben, Some(true)).await;
    assert_eq!(here(&mut ada, None).await, Vec::<String>::new(), "Ben hides");
    assert_eq!(ada.lobby(ask(ben.player)).await, Err(RefusalCode::NotNow));
    here(&mut ben, Some(false)).await;

    ada.room = None;
    ada.lobby(ask(ben.player)).await.unwrap();
    ada.until("another room", |person| person.room.is_some()).await;
    ben.until("the challenge", |person| person.challenged.is_some()).await;
    assert_eq!(ben.challenged, Some((ada.code(), RoomSettings::default())));
    assert_eq!(ada.lobby(ask(ben.player)).await, Err(RefusalCode::TooEarly), "once");
    ben.lobby(LobbyIntent::Join { room: ada.code(), role: Role::Player }).await.unwrap();
    ada.until("the game", |person| person.room.as_ref().is_some_and(RoomState::is_running)).await;
    ben.lobby(LobbyIntent::Decline { player: ada.player }).await.unwrap();
    ada.until("the answer", |person| person.is_declined).await;
    drop(ben);
    assert_eq!(here(&mut ada, None).await, Vec::<String>::new(), "Ben is gone");
}
