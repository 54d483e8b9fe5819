//! The commit of a room's events: saved first, applied and sent second.

use std::sync::Arc;

use noughts_protocol::{Event, GameId, Refusal, Seat, ServerMessage};
use noughts_store::{Change, Committed, commit};
use tokio::time::Instant;
use tracing::field::display;

use super::RoomActor;
use crate::actor::RETRY;
use crate::outbox::Delivery;
use crate::room::rules::RoomDecided;
use crate::room::rules::ratings::changes_ratings;

impl RoomActor {
    /// Saves what was decided. After an error nothing has happened that anybody may be shown. The future
    /// does not hold the actor, whose computations are not `Sync`.
    pub(super) fn store(
        &self,
        decided: RoomDecided,
    ) -> impl Future<Output = Result<Committed<RoomDecided>, Refusal>> + Send + use<> {
        let store = self.context.storage.as_ref().map(|storage| Arc::clone(&storage.store));
        let store = store.filter(|_| !decided.as_ref().is_empty());
        let (decided, changes) = match store {
            Some(_) => self.changes(decided),
            None => (decided, Vec::new()),
        };
        let fence = self.fence.clone();
        async move { fence.passed(commit(store.as_deref(), changes, decided).await).await }
    }

    /// The changes of what is stored. A game that ends gets its id here.
    fn changes(&self, decided: RoomDecided) -> (RoomDecided, Vec<Change>) {
        let at = self.timestamp();
        let rates = self.context.switches.now().ratings;
        let (decided, game) = self.rules.keep_game(at, decided, GameId(rand::random()), rates);
        let mut changes = vec![self.change(&decided)];
        changes.extend(game.map(Change::Game));
        (decided, changes)
    }

    /// The change of the room's row.
    fn change(&self, decided: &RoomDecided) -> Change {
        let state = self.rules.state();
        let row = self.rules.stored_after(self.timestamp(), decided, &self.origins);
        Change::Live { code: state.code, expected: Some(state.v), row }
    }

    /// Saves the room as it is, where that is no event: who is in it, and who made it.
    pub(super) fn save(&self) -> impl Future<Output = Result<(), Refusal>> + Send + use<> {
        let saving = self
            .context
            .storage
            .as_ref()
            .map(|storage| storage.store.save(vec![self.change(&RoomDecided::default())]));
        let fence = self.fence.clone();
        async move {
            match saving {
                Some(saving) => fence.passed(saving.await).await,
                None => Ok(()),
            }
        }
    }

    /// Stores the events of an intent, applies them and sends them.
    pub(super) async fn commit(
        &mut self,
        decided: Result<RoomDecided, Refusal>,
    ) -> Result<(), Refusal> {
        let committed = self.store(decided?).await?;
        self.apply(committed);
        Ok(())
    }

    /// The same for events that no player asked for. If they cannot be stored, the room decides anew after
    /// [`RETRY`] what its rules and its computers do; an order of its party or of the lobby is lost, as if
    /// the inbox had been full. Nobody was shown them, so another outcome contradicts nothing.
    pub(super) async fn commit_or_retry(&mut self, decided: RoomDecided) {
        if let Err(why) = self.commit(Ok(decided)).await {
            self.reject_steps(&why);
            self.retry_at = Some(Instant::now() + RETRY);
        }
    }

    /// The moment, or the next retry if that is later.
    pub(super) fn not_before_retry(&self, moment: Instant) -> Instant {
        self.retry_at.map_or(moment, |retry_at| moment.max(retry_at))
    }

    /// Writes the end of a game into the log.
    fn log_result(&mut self, event: &Event) {
        let (Event::Moved { game, over: Some(end), .. } | Event::GameOver { game, end }) = event
        else {
            return;
        };
        if !self.logged_results.try_take(self.now()) {
            return;
        }
        let how = end.result.how();
        let winner = end.result.winner().map(display);
        let id = end.id.map(display);
        tracing::info!(room = %self.rules.state().code, game, how, winner, id, "game over");
    }

    /// Applies stored facts and sends them to everybody. Returns the number of moves.
    pub(super) fn apply(&mut self, committed: Committed<RoomDecided>) -> usize {
        let mut moves = 0;
        let mut others = 0;
        let mut asks_ratings = false;
        let room = self.rules.state().code;
        for (v, event) in self.rules.apply(self.timestamp(), committed) {
            tracing::debug!(?event, "event");
            asks_ratings |= changes_ratings(&event);
            self.log_result(&event);
            match event {
                Event::Moved { over: None, .. } => moves += 1,
                Event::Moved { over: Some(_), .. } => {
                    moves += 1;
                    others += 1;
                }
                Event::Paced { .. }
                | Event::TakenBack { .. }
                | Event::Seated { seat: Seat::Computer(_), .. } => {
                    // The turn begins again at the new pace, position or strength.
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
        }
        // A move ends a request to take one back.
        self.presence_changed();
        // After a game the players hear what the spectators have said. Nothing comes after the end of the room.
        if !self.rules.state().closed {
            self.tell_players();
        }
        self.ack_steps();
        self.update_computer_turn();
        self.update_analyses();
        moves
    }
}
