//! The threads on which the teachers of all rooms think: bounded, apart from the computer
//! players' own so that no move waits for a lesson, and stopped when nobody waits any more.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::Instant;

use noughts_engine::Deadline;

/// Where lessons are worked out.
#[derive(Debug, Clone)]
pub(crate) struct Tutors {
    threads: Arc<Semaphore>,
    /// The longest that anything is thought about at once.
    time: Duration,
}

impl Tutors {
    /// Half as many threads as the computer players have, at least one; nothing is thought about
    /// for longer than a computer's move.
    pub(crate) fn new(computer_threads: usize, computer_time: Duration) -> Self {
        let threads = Arc::new(Semaphore::new((computer_threads / 2).max(1)));
        Self { threads, time: computer_time }
    }

    /// Thinks for `time` at most. Dropping the future stops it. `None` where no thread was free
    /// until `latest`, or the work failed.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        time: Duration,
        latest: Instant,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Option<T> {
        let free = Arc::clone(&self.threads).acquire_owned();
        // The semaphore lives as long as the server and is never closed.
        let permit = tokio::time::timeout_at(latest, free).await.ok()?.ok()?;
        let deadline = Deadline::at(std::time::Instant::now() + time.min(self.time));
        let _waiting = deadline.waiting();
        let think = move || {
            let found = work(&deadline);
            drop(permit);
            found
        };
        tokio::task::spawn_blocking(think).await.ok()
    }
}
