//! Reviews of kept games, for everybody who looks at one. Rooms review their own last games.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{Game, GameId};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::analysis::{Reviewed, review};
use super::{AnalysisPool, Recent};

/// Reviews that run at once, so that those who look back leave threads to those who play.
const AT_ONCE: usize = 2;
/// How long a review waits for others. A review takes five seconds at most, and a client waits ten
/// for an answer.
const LONGEST_WAIT: Duration = Duration::from_secs(4);

/// Other reviews were first, and the wait was too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TooManyReviews;

/// The last reviews of kept games. A game that several people look at is reviewed once.
#[derive(Debug)]
pub(crate) struct KeptReviews {
    pool: AnalysisPool,
    turns: Semaphore,
    last: Recent<Arc<Reviewed>>,
}

impl KeptReviews {
    /// No reviews yet. They will run in this pool.
    pub(crate) fn new(pool: AnalysisPool) -> Self {
        Self { pool, turns: Semaphore::new(AT_ONCE), last: Recent::default() }
    }

    /// The review of a game whose opening placed the first `opening` marks. It goes on if the caller stops waiting:
    /// others may wait for it, and the caller may ask again.
    ///
    /// # Errors
    /// If too many other reviews run.
    pub(crate) async fn review(
        self: &Arc<Self>,
        id: GameId,
        game: Game,
        opening: u16,
    ) -> Result<Arc<Reviewed>, TooManyReviews> {
        let reviews = Arc::clone(self);
        // The wait for another caller, who gets no turn, is a part of it.
        let until = Instant::now() + LONGEST_WAIT;
        let made = tokio::spawn(async move { reviews.make(id, &game, opening, until).await });
        made.await.unwrap_or(Err(TooManyReviews))
    }

    async fn make(
        &self,
        id: GameId,
        game: &Game,
        opening: u16,
        until: Instant,
    ) -> Result<Arc<Reviewed>, TooManyReviews> {
        let run = async || {
            // The semaphore lives as long as the server and is never closed.
            let turn = timeout_at(until, self.turns.acquire()).await;
            let Ok(Ok(_turn)) = turn else { return Err(TooManyReviews) };
            Ok(Arc::new(review(&self.pool, game, opening).await))
        };
        let reviewed = self.last.of(id).get_or_try_init(run).await.cloned()?;
        if !reviewed.is_whole {
            // Those who have waited get it. Who asks later may get a better one.
            self.last.forget(id);
        }
        Ok(reviewed)
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{Cell, Mark, RoomSettings, Rules};

    use super::*;

    fn reviews() -> Arc<KeptReviews> {
        Arc::new(KeptReviews::new(AnalysisPool::new(1, Duration::from_secs(1))))
    }

    fn game(cells: &[u16]) -> Game {
        let cells: Vec<Cell> = cells.iter().copied().map(Cell).collect();
        Game::replay(Rules::of(&RoomSettings::default()), Mark::X, &cells, &[]).unwrap()
    }

    #[tokio::test]
    async fn a_game_is_reviewed_once() {
        let reviews = reviews();
        let game = game(&[0, 3, 1, 4, 2]);
        let both = futures::join!(
            reviews.review(GameId(1), game.clone(), 0),
            reviews.review(GameId(1), game, 0)
        );
        let one = both.0.unwrap();
        let other = both.1.unwrap();
        assert_eq!(one.moves.len(), 5);
        assert!(Arc::ptr_eq(&one, &other));
    }

    #[tokio::test(start_paused = true)]
    async fn a_review_waits_only_so_long_for_others() {
        let reviews = reviews();
        let game = game(&[0, 3, 1, 4, 2]);
        let _turns = reviews.turns.acquire_many(AT_ONCE as u32).await.unwrap();
        let begun = Instant::now();
        let both = futures::join!(
            reviews.review(GameId(1), game.clone(), 0),
            reviews.review(GameId(1), game, 0)
        );
        assert!(both.0.is_err() && both.1.is_err());
        // Catches a second caller who waits as long again as the first one.
        assert!(begun.elapsed() < LONGEST_WAIT * 2);
    }

    /// Catches a review that ends with its caller: others who wait for it would wait for all of it again.
    #[tokio::test]
    async fn a_review_goes_on_without_its_caller() {
        let reviews = reviews();
        let turns = reviews.turns.acquire_many(AT_ONCE as u32).await.unwrap();
        let asked = reviews.review(GameId(1), game(&[0, 3, 1, 4, 2]), 0);
        assert!(futures::poll!(Box::pin(asked)).is_pending());
        tokio::task::yield_now().await;
        drop(turns);
        tokio::task::yield_now().await;
        assert!(reviews.last.of(GameId(1)).get().is_some());
    }

    /// Catches a review that is poor for everybody because others took the threads for a moment.
    #[tokio::test]
    async fn a_review_that_is_not_whole_is_made_again() {
        let reviews = reviews();
        let game = game(&[0, 3, 1, 4, 2]);
        let poor = Reviewed { is_whole: false, proven: false, moves: Vec::new() };
        reviews.last.of(GameId(1)).set(Arc::new(poor)).unwrap();
        assert!(reviews.review(GameId(1), game.clone(), 0).await.unwrap().moves.is_empty());
        assert_eq!(reviews.review(GameId(1), game, 0).await.unwrap().moves.len(), 5);
    }
}
