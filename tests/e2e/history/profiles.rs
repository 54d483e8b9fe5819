//! Profiles: of oneself everything, of others what is theirs to know.

use noughts_harness::TestServer;
use noughts_harness::player::play_out;
use noughts_protocol::{
    BoardTally, ByMark, Computer, Found, LobbyIntent, OpponentTally, Participant, Period, PlayerId,
    Profile, RefusalCode, RoomSettings, Tally,
};

use super::{Player, X_WINS, against_computer, find, server};

async fn profile(asker: &mut Player, player: Option<PlayerId>) -> Profile {
    let found = find(asker, LobbyIntent::Profile { player }).await;
    let Found::Profile { profile } = found else { panic!("no profile: {found:?}") };
    profile
}

/// One quick match, which the first to move wins; returns whether it was the first player.
async fn quick_match(one: &mut Player, other: &mut Player) -> bool {
    one.quick_match().await.unwrap();
    other.quick_match().await.unwrap();
    one.until_running().await;
    other.until_running().await;
    let first = one.is_my_turn();
    play_out(one, other, &X_WINS).await;
    one.leave().await.unwrap();
    other.leave().await.unwrap();
    first
}

#[tokio::test]
async fn others_see_tallies_and_public_games_and_not_who_else_somebody_plays() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &X_WINS).await;
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    against_computer(&mut ada, Computer::default()).await;
    let mut eve = server.player("Eve").await;
    let ada_won = quick_match(&mut ada, &mut eve).await;
    let tally = |wins, losses| Tally { wins, losses, draws: 0 };
    let against_eve = if ada_won { tally(1, 0) } else { tally(0, 1) };

    let own = profile(&mut ada, None).await;
    assert_eq!(own, profile(&mut ada, Some(own.player)).await);
    let all = tally(1 + against_eve.wins, 1 + against_eve.losses);
    assert_eq!((own.player, own.name.as_str(), own.tally), (ada.id, "Ada", all));
    let board = RoomSettings::default().board;
    assert_eq!(own.boards, [BoardTally { board, tally: all }]);
    let computer = Participant::Computer(Computer::default());
    assert_eq!(own.computers, [OpponentTally { opponent: computer, tally: tally(0, 1) }]);
    assert_eq!(own.opponents.len(), 2);
    assert_eq!((own.recent.len(), own.you), (3, None));
    assert_eq!((own.best_streak, own.streak), (1, u32::from(ada_won)));
    assert!(own.first_at < own.last_at, "{own:?}");
    assert_eq!(own.ratings.len(), 1);

    let to_bob = profile(&mut bob, Some(ada.id)).await;
    assert_eq!(to_bob.you, Some(tally(0, 1)));
    // The game that they played together, and the public one.
    assert_eq!(to_bob.recent, [own.recent[0].clone(), own.recent[2].clone()]);
    let to_eve = profile(&mut eve, Some(ada.id)).await;
    assert_eq!(to_eve.recent, own.recent[..1]);
    let eve_won = Tally { wins: against_eve.losses, losses: against_eve.wins, draws: 0 };
    assert_eq!(to_eve.you, Some(eve_won));
    let mut zoe = server.player("Zoe").await;
    let to_zoe = profile(&mut zoe, Some(ada.id)).await;
    assert_eq!(to_zoe.recent, own.recent[..1]);
    for told in [&to_bob, &to_eve, &to_zoe] {
        assert_eq!(told.opponents, []);
        let same = (&told.boards, &told.computers, told.tally, &told.ratings);
        assert_eq!(same, (&own.boards, &own.computers, own.tally, &own.ratings));
    }
    assert_eq!(to_zoe.you, None);
}

#[tokio::test]
async fn before_the_first_game_ones_own_profile_is_empty_and_others_know_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let own = profile(&mut ada, None).await;
    assert_eq!((own.player, own.name.as_str(), own.tally.games()), (ada.id, "Ada", 0));
    assert_eq!((own.first_at, own.recent.len()), (None, 0));
    assert_eq!(profile(&mut ada, Some(own.player)).await, own);
    let question = LobbyIntent::Profile { player: Some(own.player) };
    assert_eq!(bob.ask_lobby(question).await, Err(RefusalCode::NoSuchPlayer));
}

#[tokio::test]
async fn a_host_may_switch_ratings_off() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let server = TestServer::start(&["--data-dir", folder, "--no-ratings"]).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    quick_match(&mut ada, &mut bob).await;
    assert_eq!(profile(&mut ada, None).await.ratings, []);
    let class = noughts_protocol::BoardClass::Three;
    let question = LobbyIntent::Leaderboard { class, period: Period::Ever };
    assert_eq!(ada.ask_lobby(question).await, Err(RefusalCode::SwitchedOff));
    let seats = ByMark::default();
    ada.create(RoomSettings::default(), seats).await;
}
