//! Somebody who asks to be forgotten: profile and name go, games stay.

use noughts_harness::player::play_out;
use noughts_protocol::{
    CloseCode, Found, LobbyIntent, Mark, Participant, RefusalCode, RoomSettings,
};

use super::{ALL, X_WINS, find, game, history, kept, resigned, server};

#[tokio::test]
async fn a_forgotten_player_is_somebody_in_kept_games_and_somebody_new_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let before = server(&folder).await;
    let (mut ada, mut bob) = before.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &X_WINS).await;
    let id = kept(&ada);
    ada.ask_lobby(LobbyIntent::Forget).await.unwrap();
    assert_eq!(ada.until_closed().await, CloseCode::Restart.number());
    let seen = game(&mut bob, id).await;
    assert_eq!(seen.summary.players.x, Participant::Somebody);
    assert_eq!(seen.summary.players.o.player(), Some(bob.id));
    let question = LobbyIntent::Profile { player: Some(ada.id) };
    assert_eq!(bob.ask_lobby(question.clone()).await, Err(RefusalCode::NoSuchPlayer));
    let found = find(&mut bob, LobbyIntent::Profile { player: None }).await;
    let Found::Profile { profile } = found else { panic!("no profile: {found:?}") };
    assert_eq!(profile.opponents[0].opponent, Participant::Somebody);
    let again = before.returning("Ada", Some(ada.token.clone())).await;
    assert_ne!((again.id, &again.token), (ada.id, &ada.token));
    let bobs = bob.token.clone();
    let adas = again.token.clone();
    before.stop().await;
    // The next run of the server has forgotten her too.
    let after = server(&folder).await;
    let mut bob = after.returning("Bob", Some(bobs)).await;
    assert_eq!(game(&mut bob, id).await, seen);
    assert_eq!(bob.ask_lobby(question).await, Err(RefusalCode::NoSuchPlayer));
    let old = after.returning("Ada", Some(ada.token.clone())).await;
    assert_ne!(old.id, ada.id);
    let mut new = after.returning("Ada", Some(adas)).await;
    assert_eq!(new.id, again.id);
    assert_eq!(history(&mut new, ALL).await.0, []);
}

#[tokio::test]
async fn who_is_forgotten_on_one_device_leaves_the_rooms_of_the_others_too() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder).await;
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
