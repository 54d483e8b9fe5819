//! Hints and their reasons, reviews, evaluations, and which connections are told none of them.

use std::time::{Duration, Instant};

use noughts_harness::player::play_out;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Cell, Role, RoomIntent, RoomSettings, SeatRequest, Standing,
};

/// One player on both sides, so that any position is theirs to ask about.
async fn alone(server: &TestServer, board: BoardSpec, moves: &[u16]) -> Player {
    let mut ada = server.player("Ada").await;
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    ada.create(RoomSettings { board, ..RoomSettings::default() }, seats).await;
    for &cell in moves {
        ada.play(cell).await.unwrap();
    }
    ada
}

#[tokio::test]
async fn a_hint_is_told_to_the_player_who_asked() {
    let server = TestServer::start(&[]).await;
    let settings = RoomSettings { hints: Some(true), ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(settings).await;
    let mut eve = server.player("Eve").await;
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    play_out(&mut ada, &mut bob, &[0, 3, 8, 4]).await;
    ada.hint().await.unwrap();
    let hint = ada.hints.pop().unwrap();
    assert_eq!((hint.game, hint.ply, &hint.cells[..]), (1, 4, &[Cell(5)][..]));
    assert_eq!(hint.message.to_string(), "stops row 2");
    bob.settle().await;
    eve.settle().await;
    assert!(bob.hints.is_empty() && eve.hints.is_empty());
    assert_eq!(bob.presence.hints, Some(ByMark { x: 1, o: 0 }));
}

#[tokio::test]
async fn only_spectators_are_told_how_the_game_stands() {
    let server = TestServer::start(&["--computer-threads", "1"]).await;
    let settings = RoomSettings { evaluation: true, ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(settings).await;
    let mut eve = server.player("Eve").await;
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    eve.until("the empty board", |p| p.evaluations.len() == 1).await;
    assert_eq!(eve.evaluations[0].worth, Standing::Drawn);
    play_out(&mut ada, &mut bob, &[0, 1]).await;
    eve.until("the mistake", |p| p.evaluations.last().is_some_and(|e| e.ply == 2)).await;
    assert_eq!(eve.evaluations.last().unwrap().worth, Standing::XWins);
    // A spectator who joins later receives it at once.
    let mut kim = server.player("Kim").await;
    kim.join(ada.state().code, Role::Spectator).await.unwrap();
    kim.until("the same", |p| p.evaluations == eve.evaluations[eve.evaluations.len() - 1..]).await;
    // A player who comes back, as after a reload, is no spectator although the role asks for it.
    let mut again = server.returning("Ada", Some(ada.token.clone())).await;
    again.join(ada.state().code, Role::Spectator).await.unwrap();
    for player in [&mut ada, &mut bob, &mut again] {
        player.settle().await;
        assert!(player.evaluations.is_empty());
    }

    let settings = RoomSettings { hints: Some(true), ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(settings).await;
    eve.evaluations.clear();
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    play_out(&mut ada, &mut bob, &[0, 1]).await;
    // The only thread would have come to it before the hint.
    ada.hint().await.unwrap();
    eve.settle().await;
    assert_eq!(eve.state(), ada.state());
    assert!(eve.evaluations.is_empty(), "it is off unless the room allows it");
}

/// Moves that lie far apart, so that nothing is decided.
fn scattered() -> Vec<u16> {
    (0..60).map(|n| n * 97 % 361).collect()
}

#[tokio::test]
async fn a_large_review_ends_within_its_bound_and_holds_nobody_up() {
    let server =
        TestServer::start(&["--computer-threads", "1", "--intents-per-second", "1000"]).await;
    let mut ada = alone(&server, BoardSpec::new(19, 19, 5).unwrap(), &scattered()).await;
    ada.resign().await.unwrap();
    let begun = Instant::now();
    ada.ask_room(RoomIntent::Review { game: 1 }).await.unwrap();
    // The only thread also gives another room its hint meanwhile.
    let mut bob = alone(&server, BoardSpec::new(15, 15, 5).unwrap(), &[112, 0]).await;
    bob.hint().await.unwrap();
    assert!(ada.reviews.is_empty());
    ada.until("the review", |p| !p.reviews.is_empty()).await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(ada.reviews[0].moves.len(), 60);
    // Asked again, it is there.
    let begun = Instant::now();
    ada.review(1).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn leaving_and_moving_on_cancel_what_was_asked() {
    let server =
        TestServer::start(&["--computer-threads", "1", "--intents-per-second", "1000"]).await;
    let board = BoardSpec::new(19, 19, 5).unwrap();
    let mut ada = alone(&server, board, &scattered()).await;
    ada.ask_room(RoomIntent::Hint { game: 1 }).await.unwrap();
    ada.play(360).await.unwrap();
    ada.hint().await.unwrap();
    assert_eq!(ada.hints.iter().map(|hint| hint.ply).collect::<Vec<_>>(), [61]);
    ada.resign().await.unwrap();
    ada.ask_room(RoomIntent::Review { game: 1 }).await.unwrap();
    ada.leave().await.unwrap();
    // The room and its review are gone: the one thread is free at once.
    let begun = Instant::now();
    let mut bob = alone(&server, BoardSpec::new(15, 15, 5).unwrap(), &[112, 0]).await;
    bob.hint().await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert!(ada.reviews.is_empty());
    server.stop().await;
}
