//! Move time limits (virtual time).

use std::time::Duration;

use noughts_harness::{TestServer, advance_time};
use noughts_protocol::{ByMark, GameResult, LobbyIntent, Mark, RefusalCode, Role, RoomSettings};
use tokio::time::Instant;

fn timed(ms: u32) -> RoomSettings {
    RoomSettings { move_time_ms: Some(ms), ..RoomSettings::default() }
}

#[tokio::test(start_paused = true)]
async fn whoever_lets_the_time_run_out_loses() {
    let server = TestServer::virtual_time(&[]);
    let (mut ada, mut bob) = server.pair(timed(30_000)).await;
    let started = Instant::now();
    advance_time(Duration::from_secs(20)).await;
    ada.play(4).await.unwrap();
    bob.until_over().await;
    assert_eq!(bob.result(), Some(&GameResult::Time { winner: Mark::X }));
    assert_eq!(started.elapsed().as_secs(), 50, "a move starts the clock anew");
    assert_eq!(bob.state().score.x, 1);
}

#[tokio::test(start_paused = true)]
async fn the_clock_runs_while_the_mover_is_away_and_a_snapshot_tells_it() {
    let server = TestServer::virtual_time(&[]);
    let (ada, mut bob) = server.pair(timed(30_000)).await;
    let (code, token) = (ada.state().code, ada.token.clone());
    drop(ada);
    advance_time(Duration::from_secs(10)).await;
    let mut ada = server.returning("Ada", Some(token)).await;
    ada.join(code, Role::Player).await.unwrap();
    let left = ada.move_ms_left.unwrap();
    assert!((19_000..=20_000).contains(&left), "{left} ms left");
    bob.until_over().await;
    assert_eq!(bob.result(), Some(&GameResult::Time { winner: Mark::O }));
}

#[tokio::test(start_paused = true)]
async fn no_clock_runs_after_the_game_or_without_a_limit() {
    let server = TestServer::virtual_time(&[]);
    let (mut ada, _bob) = server.pair(timed(1_000)).await;
    ada.sync().await;
    assert!(ada.move_ms_left.is_some(), "the clock runs in the game");
    ada.resign().await.unwrap();
    ada.until_over().await;
    advance_time(Duration::from_secs(3600)).await;
    ada.sync().await;
    assert_eq!((ada.move_ms_left, ada.state().score.o), (None, 1));

    let mut eve = server.player("Eve").await;
    eve.host().await;
    assert_eq!(eve.move_ms_left, None);
}

#[tokio::test(start_paused = true)]
async fn clocks_stand_still_while_the_server_does() {
    let server = TestServer::virtual_time(&[]);
    let (mut ada, mut bob) = server.pair(timed(10_000)).await;
    // All at once, as for a process that was stopped: nothing happens in between.
    tokio::time::advance(Duration::from_secs(30)).await;
    ada.play(4).await.unwrap();
    let resumed = Instant::now();
    bob.until("the move", |p| p.game().ply() == 1).await;
    bob.until_over().await;
    assert_eq!(bob.result(), Some(&GameResult::Time { winner: Mark::X }));
    let took = resumed.elapsed().as_secs();
    assert!((28..=30).contains(&took), "10 s, and 20 s for those who come back: {took} s");
}

#[tokio::test]
async fn a_limit_out_of_range_is_refused() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    for ms in [0, 999, u32::MAX] {
        let settings = RoomSettings { move_time_ms: Some(ms), ..RoomSettings::default() };
        let seats = ByMark::default();
        let create = LobbyIntent::Create { settings, seats, shuffle: false };
        assert_eq!(ada.ask_lobby(create).await, Err(RefusalCode::BadSettings));
    }
}
