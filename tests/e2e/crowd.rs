//! Many rooms at once, and nothing left behind.

use futures::future::join_all;
use noughts_harness::skip::skipped;
use noughts_harness::{Player, ServerProcess, TIMEOUT, TestServer};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// People who come at the same moment, as after a server has died.
const CROWD: usize = 2000;

#[tokio::test]
async fn a_crowd_that_comes_before_it_is_taken_is_not_sent_away() {
    let most = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap_or_default();
    if most.trim().parse().is_ok_and(|most: usize| most < CROWD) || !cfg!(target_os = "linux") {
        return skipped("a crowd before it is taken", "Linux with net.core.somaxconn of 4096");
    }
    let server = ServerProcess::start(&[]);
    server.freeze();
    // The system drops the first packet of those for whom it has no place.
    let come = (0..CROWD).map(|_| timeout(TIMEOUT, TcpStream::connect(server.address())));
    let dropped = join_all(come).await.iter().filter(|came| !matches!(came, Ok(Ok(_)))).count();
    server.thaw();
    assert_eq!(dropped, 0, "of {CROWD}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_rooms_opened_and_abandoned_leave_nothing() {
    let server = TestServer::start(&[
        "--max-per-address=20000",
        "--intents-per-second=50000",
        "--room-ttl=1s",
        "--quick-move-time=1s",
    ])
    .await;
    let mut players = Vec::new();
    for number in 0..100 {
        players.push(server.player(&format!("Ada {number}")).await);
    }
    for _ in 0..100 {
        join_all(players.iter_mut().map(Player::host)).await;
    }
    for player in &mut players {
        player.quick_match().await.unwrap();
    }
    drop(players);
    server.until_counts([0, 0, 0]).await;
    // Rooms and connections are all the tasks there are: this returns when every task has ended.
    server.stop().await;
}
