//! Many rooms at once, and nothing left behind.

use std::sync::Arc;

use futures::future::join_all;
use noughts_harness::skip::skipped;
use noughts_harness::{Player, ServerProcess, TIMEOUT, TestServer};
use noughts_protocol::Role;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Players who connect at once.
const CONNECTING: usize = 64;

/// People who come at the same moment, as after a server has died.
const CROWD: usize = 2000;

/// Two scripted players play one game to its end and leave.
async fn duel(server: &TestServer, connecting: &Semaphore, number: u64) {
    let permit = connecting.acquire().await.unwrap();
    let mut ada = server.player(&format!("Ada {number}")).await;
    let mut bob = server.player(&format!("Bob {number}")).await;
    drop(permit);
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    let mut seed = number;
    for player in [&mut ada, &mut bob] {
        player.until_running().await;
    }
    while ada.result().is_none() {
        let turn = ada.state().turn().unwrap();
        let ply = ada.game().ply();
        let (mover, waiter) =
            if ada.marks().contains(&turn) { (&mut ada, &mut bob) } else { (&mut bob, &mut ada) };
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let cells: Vec<_> = mover.game().board().empty_cells().collect();
        let cell = cells[(seed >> 33) as usize % cells.len()];
        mover.play(cell.0).await.unwrap();
        waiter.until("the move", |p| p.game().ply() > ply).await;
    }
    bob.until_over().await;
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
}

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
async fn a_thousand_rooms_each_finish_a_game_and_leave_nothing() {
    let server = Arc::new(TestServer::start(&["--max-per-address", "5000"]).await);
    let connecting = Arc::new(Semaphore::new(CONNECTING));
    let duels = (0..1000).map(|number| {
        let (server, connecting) = (Arc::clone(&server), Arc::clone(&connecting));
        tokio::spawn(async move { duel(&server, &connecting, number).await })
    });
    for done in join_all(duels).await {
        done.unwrap();
    }
    server.until_counts([0, 0, 0]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_rooms_opened_and_abandoned_leave_nothing() {
    let server = TestServer::start(&[
        "--max-per-address=5000",
        "--intent-burst=100000",
        "--waiting-rooms=100",
        "--rooms-per-player=1000",
        "--new-rooms-per-player=1000",
        "--new-rooms-per-address=20000",
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
