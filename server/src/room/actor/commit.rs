//! The commit of a room's events: stored first, applied and sent second.

use futures::TryFutureExt;
use noughts_protocol::{Event, GameId, Refusal, ServerMessage};
use tokio::time::Instant;

use super::Actor;
use crate::actor::{NotCommitted, RETRY};
use crate::journal::committed::Committed;
use crate::journal::room_log::RoomLog;
use crate::outbox::Delivery;
use crate::room::rules::Decided;
use crate::room::rules::ratings::changes_ratings;

impl Actor {
    /// Stores facts. After an error nothing has happened that anybody may be shown. The future does not
    /// hold the actor, whose computations are not `Sync`.
    pub(super) fn store(
        &self,
        decided: Decided,
    ) -> impl Future<Output = Result<Committed<Decided>, NotCommitted>> + Send {
        let (decided, kept) = match self.log.kept() {
            Some(_) => {
                let rates = self.context.rates_games;
                let id = GameId(rand::random());
                let (decided, kept) = self.rules.keep_game(self.timestamp(), decided, id, rates);
                (decided, kept.map(|game| Box::new(game.for_journal(rates))))
            }
            None => (decided, None),
        };
        let stored = self.log.append(self.rules.state().v, decided, kept);
        stored.map_err(|error| {
            tracing::debug!(%error, "not stored");
            error.into()
        })
    }

    /// Stores the events of an intent, applies them and sends them.
    pub(super) async fn commit(
        &mut self,
        decided: Result<Decided, Refusal>,
    ) -> Result<(), NotCommitted> {
        let committed = self.store(decided?).await?;
        self.apply(committed);
        Ok(())
    }

    /// The same for events that nobody asked for. If they cannot be stored, or that is unknown, the
    /// room decides anew after [`RETRY`]. Nobody was shown them, so another outcome contradicts
    /// nothing.
    pub(super) async fn commit_or_retry(&mut self, decided: Decided) {
        if let Err(why) = self.commit(Ok(decided)).await {
            self.refuse_steps(&why);
            self.retry_at = Some(Instant::now() + RETRY);
        }
    }

    /// The moment, or the next retry if that is later.
    pub(super) fn not_before_retry(&self, moment: Instant) -> Instant {
        self.retry_at.map_or(moment, |retry_at| moment.max(retry_at))
    }

    /// Applies stored facts and sends them to everybody. Returns the number of moves.
    pub(super) fn apply(&mut self, committed: Committed<Decided>) -> usize {
        let (mut moves, mut others) = (0, 0);
        let mut asks_ratings = false;
        let room = self.rules.state().code;
        for (v, event) in self.rules.apply(self.timestamp(), committed) {
            tracing::debug!(?event, "event");
            asks_ratings |= changes_ratings(&event);
            match event {
                Event::Moved { over: None, .. } => moves += 1,
                Event::Moved { over: Some(_), .. } => (moves, others) = (moves + 1, others + 1),
                Event::Paced { .. } => {
                    // The turn begins again at the new pace.
                    self.computer_turn = None;
                    others += 1;
                }
                _ => others += 1,
            }
            self.audience.broadcast(Delivery::Required, &ServerMessage::Event { room, v, event });
        }
        if moves + others == 0 {
            return 0;
        }
        if asks_ratings {
            self.ask_ratings();
        }
        self.context.metrics.moved(moves);
        self.report_table();
        if others > 0 {
            self.summary_changed();
            self.presence_changed();
        }
        // After a game the players hear what the spectators have said. Nothing comes after the end of the room.
        if !self.rules.state().closed {
            self.tell_players();
        }
        self.grant_steps();
        self.update_computer_turn();
        self.update_analyses();
        moves
    }
}
