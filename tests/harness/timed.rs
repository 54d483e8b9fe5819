//! Games whose moves are timed, for the benchmarks. What is done with the times is theirs.

use std::time::Duration;

use tokio::time::{Instant, interval_at};

use crate::Player;

/// Two people who sit in one room play one game after another for `measured`: a move every `pace`,
/// the first after `offset`. The times from each move's sending until the other has it.
///
/// # Panics
/// Where a move is refused or does not arrive.
pub async fn timed_games(
    (ada, bob): (&mut Player, &mut Player),
    (offset, pace): (Duration, Duration),
    measured: Duration,
) -> Vec<Duration> {
    let begin = Instant::now();
    let mut due = interval_at(begin + offset, pace);
    let mut times = Vec::new();
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
        times.push(sent.elapsed());
        mover.until("the move", |p| p.game().ply() > ply).await;
        if ada.result().is_some() {
            ada.rematch(true).await.unwrap();
            bob.rematch(true).await.unwrap();
        }
    }
    times
}
