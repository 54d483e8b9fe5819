//! The threads on which the analyses of all rooms run: bounded, and apart from the
//! [`EnginePool`](super::EnginePool), so that no computer's move waits for an analysis.

use std::sync::Arc;
use std::time::Duration;

use noughts_engine::Deadline;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::search_deadline::deadline_in;

/// Where the analyses of all rooms run.
#[derive(Debug, Clone)]
pub(crate) struct AnalysisPool {
    threads: Arc<Semaphore>,
    /// The longest time of one search.
    time: Duration,
}

impl AnalysisPool {
    /// Half as many threads as the computer players have, at least one. A search takes no longer
    /// than a computer's move.
    pub(crate) fn new(computer_threads: usize, computer_time: Duration) -> Self {
        let threads = Arc::new(Semaphore::new((computer_threads / 2).max(1)));
        Self { threads, time: computer_time }
    }

    /// Runs `work` for `time` at most. Dropping the future stops it. `None` where no thread was
    /// free before `latest_start`, or the work failed.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        time: Duration,
        latest_start: Instant,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Option<T> {
        let free = Arc::clone(&self.threads).acquire_owned();
        // The semaphore lives as long as the server and is never closed.
        let permit = tokio::time::timeout_at(latest_start, free).await.ok()?.ok()?;
        let deadline = deadline_in(time.min(self.time));
        let _cancel = deadline.cancel_guard();
        let search = move || {
            let found = work(&deadline);
            drop(permit);
            found
        };
        tokio::task::spawn_blocking(search).await.ok()
    }
}
