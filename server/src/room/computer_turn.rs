//! A computer's turn, as a future that a room waits for: delayed so that people can follow,
//! cancelled with its room. [`EnginePool`] searches, `noughts_engine` decides.

use std::pin::Pin;
use std::time::Duration;

use noughts_engine::action::{self, Action};
use noughts_engine::{CancelGuard, Deadline};
use noughts_protocol::{Computer, NumberedGame};
use tokio::time::Instant;

use super::EnginePool;

/// The turn that a computer is taking. Dropping it stops the search.
pub(super) struct ComputerTurn {
    game: u32,
    ply: u16,
    /// The computer does this if the search fails: any legal action keeps the game going.
    fallback: Action,
    /// The action, and how long the search took.
    search: Pin<Box<dyn Future<Output = (Option<Action>, Duration)> + Send>>,
    _cancel: CancelGuard,
}

impl std::fmt::Debug for ComputerTurn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ComputerTurn")
            .field("game", &self.game)
            .field("ply", &self.ply)
            .finish_non_exhaustive()
    }
}

/// A computer's action in a game at a ply, and how long the search for it took.
#[derive(Debug)]
pub(super) struct FinishedTurn {
    pub(super) game: u32,
    pub(super) ply: u16,
    pub(super) action: Action,
    pub(super) took: Duration,
}

impl ComputerTurn {
    /// Starts the search. The turn finishes after `delay` at the earliest.
    pub(super) fn begin(
        engine_pool: EnginePool,
        running: &NumberedGame,
        computer: Computer,
        delay: Duration,
    ) -> Self {
        let begun = Instant::now();
        let deadline = Deadline::none();
        let cancel = deadline.cancel_guard();
        let action = engine_pool.decide(running.clone(), computer, deadline);
        let search = Box::pin(async move {
            let found = (action.await, begun.elapsed());
            tokio::time::sleep_until(begun + delay).await;
            found
        });
        Self {
            game: running.number,
            ply: running.game.ply(),
            fallback: action::any_legal_action(running),
            search,
            _cancel: cancel,
        }
    }

    /// Whether this is the turn that is due in `running`.
    pub(super) fn is_for(&self, running: &NumberedGame) -> bool {
        self.game == running.number && self.ply == running.game.ply()
    }

    /// Waits for the action. Cancel-safe; not to be called again after it has returned.
    pub(super) async fn finished(&mut self) -> FinishedTurn {
        let (action, took) = self.search.as_mut().await;
        let action = action.unwrap_or_else(|| {
            tracing::error!("a computer's search failed: it plays any empty cell");
            self.fallback
        });
        FinishedTurn { game: self.game, ply: self.ply, action, took }
    }
}
