//! Profiles: of oneself everything, of others what is theirs to know.

use noughts_protocol::{Found, LobbyIntent, PlayerId, Profile, RefusalCode};

use super::{Player, find, server};

async fn profile(asker: &mut Player, player: Option<PlayerId>) -> Profile {
    let found = find(asker, LobbyIntent::Profile { player }).await;
    let Found::Profile { profile } = found else { panic!("no profile: {found:?}") };
    profile
}

#[tokio::test]
async fn before_the_first_game_ones_own_profile_is_empty_and_others_know_nobody() {
    let server = server().await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let own = profile(&mut ada, None).await;
    assert_eq!((own.player, own.name.as_str(), own.tally.games()), (ada.id, "Ada", 0));
    assert_eq!((own.first_at, own.recent.len()), (None, 0));
    assert_eq!(profile(&mut ada, Some(own.player)).await, own);
    let question = LobbyIntent::Profile { player: Some(own.player) };
    assert_eq!(bob.ask_lobby(question).await, Err(RefusalCode::NoSuchPlayer));
}
