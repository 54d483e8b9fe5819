//! The latency of moves, for the benchmarks.

use std::time::Duration;

use tokio::time::{Instant, interval_at};

use crate::Player;

/// Two players in one room play one game after another for `measured`: the first move after
/// `offset`, then one every `interval`. Returns the time of each move from sending it until the
/// opponent has it.
///
/// # Panics
/// If a move is refused or does not arrive.
pub async fn move_latencies(
    (ada, bob): (&mut Player, &mut Player),
    (offset, interval): (Duration, Duration),
    measured: Duration,
) -> Vec<Duration> {
    let begin = Instant::now();
    let mut due = interval_at(begin + offset, interval);
    let mut latencies = Vec::new();
    while begin.elapsed() < measured {
        due.tick().await;
        ada.until_running().await;
        bob.until_running().await;
        let ply = ada.game().ply();
        let cell = ada.game().board().empty_cells().next().unwrap();
        let (mover, waiter) =
            if ada.is_my_turn() { (&mut *ada, &mut *bob) } else { (&mut *bob, &mut *ada) };
        let sent = Instant::now();
        let play = mover.move_to(cell.0);
        mover.send(&play).await;
        waiter.until("the move", |p| p.game().ply() > ply).await;
        latencies.push(sent.elapsed());
        mover.until("the move", |p| p.game().ply() > ply).await;
        if ada.result().is_some() {
            ada.rematch(true).await.unwrap();
            bob.rematch(true).await.unwrap();
        }
    }
    latencies
}
