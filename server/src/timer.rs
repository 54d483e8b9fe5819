//! A timer for tasks that wake far more often than their time is over. What is due is the task's.

use std::pin::Pin;
use std::task::{Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer that is set anew at every wait. Setting it later costs nothing: it rings at the
/// earlier moment, and goes on from there.
#[derive(Debug)]
pub(crate) struct Timer(Pin<Box<Sleep>>);

impl Timer {
    /// An timer that is not set.
    pub(crate) fn new() -> Self {
        Self(Box::pin(sleep_until(Instant::now())))
    }

    /// Waits until a moment and says what it was for; waits for ever where there is none.
    /// Cancel-safe.
    pub(crate) async fn until<T>(&mut self, due: Option<(Instant, T)>) -> T {
        let Some((due, what)) = due else { return std::future::pending().await };
        if due < self.0.deadline() {
            self.0.as_mut().reset(due);
        }
        std::future::poll_fn(|context| {
            loop {
                ready!(self.0.as_mut().poll(context));
                if self.0.deadline() >= due {
                    return Poll::Ready(());
                }
                self.0.as_mut().reset(due);
            }
        })
        .await;
        what
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, timeout};

    use super::Timer;

    #[tokio::test(start_paused = true)]
    async fn it_rings_when_it_was_last_set_to() {
        let mut timer = Timer::new();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut rung = Vec::new();
        // Given up before: set later, set earlier, not set at all.
        for (given_up, due) in [(1, Some(20)), (1, Some(9)), (1, None)] {
            let limit = Duration::from_secs(given_up);
            assert!(timeout(limit, timer.until(due.map(|due| (after(due), ())))).await.is_err());
        }
        for due in [5, 7, 6, 30] {
            timer.until(Some((after(due), ()))).await;
            rung.push(start.elapsed().as_secs());
        }
        assert_eq!(rung, [5, 7, 7, 30]);
    }
}
