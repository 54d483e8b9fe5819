//! The threads on which computers search for their moves, over all rooms: bounded, given in the
//! order of the calls, and in time however many computers search at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_engine::Deadline;
use noughts_engine::action::{self, Action};
use noughts_protocol::{Computer, NumberedGame};
use tokio::sync::Semaphore;

use super::search_deadline::{Load, SharedUntil};

/// Where the computers of all rooms search.
#[derive(Debug, Clone)]
pub(crate) struct EnginePool {
    threads: Arc<Semaphore>,
    /// The searches that wait for a thread or have one.
    load: Arc<Load>,
    /// The longest time of a move, the wait for a thread included.
    time: Duration,
}

impl EnginePool {
    /// A pool of `threads` threads.
    pub(crate) fn new(threads: usize, time: Duration) -> Self {
        let load = Arc::new(Load::new(threads));
        Self { threads: Arc::new(Semaphore::new(threads)), load, time }
    }

    /// The next action of `computer`; `None` where the search failed. Time counts from the call.
    pub(super) async fn decide(
        self,
        game: NumberedGame,
        computer: Computer,
        cancel: Deadline,
    ) -> Option<Action> {
        if action::is_quick(&game, computer) {
            return action::decide(&game, computer, &cancel, &mut rand::rng());
        }
        let due = Instant::now() + self.time;
        let counted = Arc::clone(&self.load).enter();
        // The semaphore lives as long as the server and is never closed.
        let permit = self.threads.acquire_owned().await.ok()?;
        let search = move || {
            let deadline = cancel.limited(SharedUntil::new(due, self.load));
            let decided = action::decide(&game, computer, &deadline, &mut rand::rng());
            drop((counted, permit));
            decided
        };
        tokio::task::spawn_blocking(search).await.ok().flatten()
    }
}
