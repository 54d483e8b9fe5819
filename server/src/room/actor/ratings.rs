//! The room asks the store for the ratings of its players, and goes on meanwhile.

use std::fmt;
use std::pin::Pin;

use noughts_protocol::BoardClass;
use noughts_store::Standing;

use super::RoomActor;
use crate::actor::or_pending;

type RatingsAnswer = Pin<Box<dyn Future<Output = Option<Standing>> + Send>>;

/// The answer that is awaited. A newer question replaces it.
#[derive(Default)]
pub(super) struct AskedRatings(Option<RatingsAnswer>);

impl fmt::Debug for AskedRatings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AskedRatings({})", self.0.is_some())
    }
}

impl AskedRatings {
    /// The answer; waits for ever while nothing is asked. Cancel-safe.
    pub(super) async fn answer(&mut self) -> Option<Standing> {
        let standing = or_pending(self.0.as_mut()).await;
        self.0 = None;
        standing
    }
}

impl RoomActor {
    /// Asks for the ratings, in the room of a quick match on a server that rates.
    pub(super) fn ask_ratings(&mut self) {
        let storage = self.context.storage.as_ref().filter(|_| self.context.switches.now().ratings);
        let Some((storage, (game, seats))) = storage.zip(self.rules.asks_ratings()) else { return };
        let class = BoardClass::of(&self.rules.state().settings);
        let asked = storage.sqlite.standing(class, game, seats, &self.origins);
        self.asked_ratings = AskedRatings(Some(Box::pin(asked)));
    }
}
