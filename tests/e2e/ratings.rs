//! Ratings: strangers are rated and friends are not, and the stored ratings are what
//! the rated games give, also after a kill.

use noughts_harness::player::{play_again, play_out};
use noughts_harness::process::server_says;
use noughts_harness::{Player, ServerProcess};
use noughts_protocol::{
    BoardClass, Found, LobbyIntent, Period, PlayerId, Profile, Rating, RefusalCode, Role,
    RoomRatings, SeatRating,
};
use rusqlite::Connection;

/// Two strangers whose quick match runs.
async fn strangers(server: &ServerProcess) -> (Player, Player) {
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    ada.quick_match().await.unwrap();
    bob.quick_match().await.unwrap();
    (ada, bob)
}

/// Ada wins the running game: after a mark Bob resigns.
async fn win(ada: &mut Player, bob: &mut Player) {
    play_out(ada, bob, &[4]).await;
    bob.resign().await.unwrap();
    ada.until_over().await;
    bob.until_over().await;
}

/// Whether the game is rated, and what a player is told of their own rating and the other's. Chance gives
/// the marks of a quick match.
fn told(player: &Player) -> (bool, [Option<SeatRating>; 2]) {
    let RoomRatings { rated, seats } = player.presence.ratings.unwrap();
    let own = player.marks()[0];
    (rated, [seats[own], seats[own.other()]])
}

#[tokio::test]
async fn what_is_rated_is_said_before_the_game_and_the_change_after_it() {
    let server = ServerProcess::start(&[]);
    let (mut ada, mut bob) = strangers(&server).await;
    for player in [&mut ada, &mut bob] {
        player.until("the ratings", |p| p.presence.ratings.is_some()).await;
        assert_eq!(told(player), (true, [None, None]));
    }
    win(&mut ada, &mut bob).await;
    ada.until("her new rating", |p| told(p).1[0].is_some()).await;
    let stored = [rating(&mut ada).await.unwrap(), rating(&mut bob).await.unwrap()];
    let stored = stored.map(|Rating { rating, .. }| u16::try_from(rating).unwrap());
    let changed = |rating| Some(SeatRating { rating, provisional: true, before: Some(1_500) });
    assert_eq!(told(&ada), (true, stored.map(changed)));
    // Somebody else takes the seat that Bob has left.
    let room = ada.state().code;
    bob.leave().await.unwrap();
    ada.until("an open seat", |p| p.state().seats.has_open()).await;
    let mut cid = server.player("Cid").await;
    cid.join(room, Role::Player).await.unwrap();
    ada.until("another game", |p| p.number() == 2 && !told(p).0).await;
    assert_eq!(told(&ada).1[1], None);
    // Nobody is told of ratings in a room for friends.
    cid.leave().await.unwrap();
    cid.host().await;
    assert_eq!(cid.presence.ratings, None);
}

async fn profile(of: &mut Player, player: Option<PlayerId>) -> Profile {
    of.ask_lobby(LobbyIntent::Profile { player }).await.unwrap();
    let Some(Found::Profile { profile }) = of.found.pop() else { panic!("no profile") };
    profile
}

async fn rating(of: &mut Player) -> Option<Rating> {
    let ratings = profile(of, None).await.ratings;
    assert!(ratings.iter().all(|rating| rating.class == BoardClass::Three), "{ratings:?}");
    ratings.first().copied()
}

#[tokio::test]
async fn the_stored_ratings_are_the_fold_also_after_a_kill() {
    let mut server = ServerProcess::start(&[]);
    let (mut ada, mut bob) = strangers(&server).await;
    win(&mut ada, &mut bob).await;
    let said = server.tool("ratings");
    assert!(said.contains("the stored ratings agree: 2 ratings, 1 rated game"), "{said}");
    assert!(said.contains("three in a row") && said.contains(&ada.id.to_string()), "{said}");
    play_again(&mut ada, &mut bob).await;
    win(&mut ada, &mut bob).await;
    let rated = rating(&mut ada).await;
    server.kill();
    for name in ["ratings", "verify"] {
        server.tool(name);
    }
    server = server.restart();
    let mut ada = server.returning("Ada", Some(ada.token.clone())).await;
    assert_eq!(rating(&mut ada).await, rated);
    server.kill();
    // A rating that no game explains is found by both.
    let file = Connection::open(server.folder().join("noughts.db")).unwrap();
    file.execute("UPDATE rating SET rating = rating + 1", []).unwrap();
    drop(file);
    for name in ["ratings", "verify"] {
        let said = server_says(1, &[name, "--data-dir", server.folder().to_str().unwrap()]);
        assert!(said.contains(&format!("the rating of player {}", ada.id)), "{name}: {said}");
    }
}

#[tokio::test]
async fn a_host_can_switch_ratings_off() {
    let server = ServerProcess::start(&["--no-ratings"]);
    let (mut ada, mut bob) = strangers(&server).await;
    let own = profile(&mut ada, None).await;
    assert_eq!(profile(&mut ada, Some(own.player)).await, own, "before the first game");
    win(&mut ada, &mut bob).await;
    assert_eq!(rating(&mut ada).await, None);
    assert_eq!(profile(&mut ada, None).await.tally.games(), 1, "the game itself counts");
    let class = BoardClass::Three;
    let period = Period::Ever;
    let refused = ada.ask_lobby(LobbyIntent::Leaderboard { class, period }).await;
    assert_eq!(refused, Err(RefusalCode::SwitchedOff));
    let said = server.tool("ratings");
    assert!(said.contains("0 ratings, 0 rated games"), "{said}");
}
