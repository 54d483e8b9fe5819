//! Move time limits over a stall of the server (virtual time).

use std::time::Duration;

use noughts_harness::TestServer;
use noughts_protocol::{GameResult, Mark, RoomSettings};
use tokio::time::Instant;

fn timed(ms: u32) -> RoomSettings {
    RoomSettings { move_time_ms: Some(ms), ..RoomSettings::default() }
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
