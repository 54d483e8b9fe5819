//! Computers that think in 200 rooms at once: whether they keep their time, and the latency of moves of
//! people in 200 other rooms. Prints a table; `cargo bench -p noughts-tests --bench thinking`.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

use std::time::{Duration, Instant};

use futures::future::join_all;
use noughts_harness::latency::move_latencies;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Computer, Role, RoomSettings, SeatRequest, Strategy, Strength,
};

const ROOMS: u64 = 200;
/// The length of each of the two measurements.
const MEASURED: Duration = Duration::from_secs(10);
/// How long a computer may think.
const LIMIT: Duration = Duration::from_secs(1);
/// A person moves this often.
const MOVE_INTERVAL: Duration = Duration::from_millis(500);

#[tokio::main]
async fn main() {
    // `cargo test` runs benchmarks too, without `--bench`.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let server = TestServer::start(&[
        "--max-per-address=5000",
        "--intent-burst=100000",
        "--computer-time=1s",
    ])
    .await;
    let alone = people(&server).await;
    let (computer_times, beside) = tokio::join!(computers(&server), people(&server));
    println!("{ROOMS} rooms of two people, time from a move to the opponent's screen:");
    println!("  alone             {}", summary(alone));
    println!("  beside thinkers   {}", summary(beside));
    println!("{ROOMS} rooms thinking on 15x15x5, {} s a move:", LIMIT.as_secs());
    println!("  time of a move    {}", summary(computer_times.clone()));
    let worst = computer_times.into_iter().max().unwrap_or_default();
    println!("  worst over the limit: {:.1} ms", 1e3 * (worst.as_secs_f64() - LIMIT.as_secs_f64()));
}

fn summary(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: f64| {
        let time = times.get((times.len() as f64 * share) as usize).or(times.last());
        time.map_or(0.0, |time| 1e3 * time.as_secs_f64())
    };
    format!(
        "{:6} moves, median {:.2} ms, p99 {:.2} ms, worst {:.2} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    )
}

async fn people(server: &TestServer) -> Vec<Duration> {
    let pairs = join_all((0..ROOMS).map(|number| pair(server, number))).await;
    pairs.into_iter().flatten().collect()
}

/// Two people in one game after another.
async fn pair(server: &TestServer, number: u64) -> Vec<Duration> {
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    let offset = MOVE_INTERVAL.mul_f64(number as f64 / ROOMS as f64);
    move_latencies((&mut ada, &mut bob), (offset, MOVE_INTERVAL), MEASURED).await
}

async fn computers(server: &TestServer) -> Vec<Duration> {
    let rooms = join_all((0..ROOMS).map(|number| against_computer(server, number))).await;
    rooms.into_iter().flatten().collect()
}

/// A player who moves at once, so that the computer always thinks; returns the time of each of the
/// computer's moves.
async fn against_computer(server: &TestServer, mut seed: u64) -> Vec<Duration> {
    let mut ada = server.player("Ada").await;
    let board = BoardSpec::new(15, 15, 5).unwrap();
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(computer) };
    ada.create(RoomSettings { board, ..RoomSettings::default() }, seats).await;
    let (mut times, end) = (Vec::new(), Instant::now() + MEASURED);
    while Instant::now() < end {
        ada.until("my turn", Player::is_my_turn).await;
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let cells: Vec<_> = ada.game().board().empty_cells().collect();
        let (cell, ply) = (cells[(seed >> 33) as usize % cells.len()], ada.game().ply());
        let start = Instant::now();
        ada.play(cell.0).await.unwrap();
        ada.until("its move", |p| p.result().is_some() || p.game().ply() > ply + 1).await;
        times.push(start.elapsed());
        if ada.result().is_some() {
            ada.rematch(true).await.unwrap();
            ada.until("the next game", |p| p.result().is_none()).await;
        }
    }
    times
}
