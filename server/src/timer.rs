//! A timer for tasks whose deadline moves far more often than it passes.

use std::pin::Pin;
use std::task::{Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer that every wait sets again. A later deadline costs nothing: the timer fires at the old
/// deadline first, and then waits for the new one.
#[derive(Debug)]
pub(crate) struct Timer(Pin<Box<Sleep>>);

impl Timer {
    /// A timer without a deadline.
    pub(crate) fn new() -> Self {
        Self(Box::pin(sleep_until(Instant::now())))
    }

    /// Waits until a moment and returns what is due then. Waits for ever without one. Cancel-safe.
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
    async fn it_fires_when_it_was_last_set_to() {
        let mut timer = Timer::new();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut fired = Vec::new();
        // Cancelled before: set later, set earlier, not set.
        for (cancelled, due) in [(1, Some(20)), (1, Some(9)), (1, None)] {
            let limit = Duration::from_secs(cancelled);
            assert!(timeout(limit, timer.until(due.map(|due| (after(due), ())))).await.is_err());
        }
        for due in [5, 7, 6, 30] {
            timer.until(Some((after(due), ()))).await;
            fired.push(start.elapsed().as_secs());
        }
        assert_eq!(fired, [5, 7, 7, 30]);
    }
}
