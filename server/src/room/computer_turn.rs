//! A computer's thinking, as something a room can wait for: paced so that people can follow,
//! off the runtime's threads when it may take long, bounded over all rooms, in time however many
//! think at once, cancelled with its room. What the computer plays is [`crate::computer`]'s.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{Computer, NumberedGame};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use noughts_engine::opening::{self, Decision};
use noughts_engine::{Deadline, Load, Waiting};

/// The threads on which computers may think at once, over all rooms.
#[derive(Debug, Clone)]
pub(crate) struct Thinkers {
    threads: Arc<Semaphore>,
    /// Who waits for a thread or has one.
    load: Arc<Load>,
    time: Duration,
}

impl Thinkers {
    /// `threads` at once; a move takes at most `time`, waiting for a thread included.
    pub(crate) fn new(threads: usize, time: Duration) -> Self {
        let load = Arc::new(Load::new(threads));
        Self { threads: Arc::new(Semaphore::new(threads)), load, time }
    }

    /// The time counts from the call. Threads are given in the order of the calls.
    async fn choose(
        self,
        game: NumberedGame,
        computer: Computer,
        cancel: Deadline,
    ) -> Option<Decision> {
        if opening::is_quick(&game, computer) {
            return opening::decide(&game, computer, &cancel, &mut rand::rng());
        }
        let due = std::time::Instant::now() + self.time;
        let job = Arc::clone(&self.load).enter();
        // The semaphore lives as long as the server and is never closed.
        let permit = self.threads.acquire_owned().await.ok()?;
        let think = move || {
            let deadline = cancel.by(due).shared(std::time::Instant::now(), self.load);
            let decision = opening::decide(&game, computer, &deadline, &mut rand::rng());
            drop((job, permit));
            decision
        };
        tokio::task::spawn_blocking(think).await.ok().flatten()
    }
}

/// The move a computer is choosing. Dropping it stops the search.
pub(super) struct Thought {
    game: u32,
    ply: u16,
    /// What is done should the search fail: anything legal keeps the game going.
    any: Decision,
    /// The decision, and how long it took.
    cell: Pin<Box<dyn Future<Output = (Option<Decision>, Duration)> + Send>>,
    _waiting: Waiting,
}

impl std::fmt::Debug for Thought {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thought").field("game", &self.game).field("ply", &self.ply).finish()
    }
}

/// What a computer does: the game, the ply it was decided at, the decision, and how long that took.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) game: u32,
    pub(super) ply: u16,
    pub(super) decision: Decision,
    pub(super) took: Duration,
}

impl Thought {
    /// Begins to think; the move is not made before `delay` has passed.
    pub(super) fn begin(
        thinkers: Thinkers,
        running: &NumberedGame,
        computer: Computer,
        delay: Duration,
    ) -> Self {
        let asked = Instant::now();
        let not_before = asked + delay;
        let deadline = Deadline::none();
        let waiting = deadline.waiting();
        let chosen = thinkers.choose(running.clone(), computer, deadline);
        let cell = Box::pin(async move {
            let chosen = (chosen.await, asked.elapsed());
            tokio::time::sleep_until(not_before).await;
            chosen
        });
        let any = opening::anything(running);
        Self { game: running.number, ply: running.game.ply(), any, cell, _waiting: waiting }
    }

    /// Whether this is the move that is due in `running`.
    pub(super) fn is_for(&self, running: &NumberedGame) -> bool {
        self.game == running.number && self.ply == running.game.ply()
    }

    /// Waits for the choice. Cancel-safe; not to be called again once it has returned.
    pub(super) async fn chosen(&mut self) -> Chosen {
        let (decision, took) = self.cell.as_mut().await;
        let decision = decision.unwrap_or_else(|| {
            tracing::error!("a computer's search failed: it plays any empty cell");
            self.any
        });
        Chosen { game: self.game, ply: self.ply, decision, took }
    }
}
