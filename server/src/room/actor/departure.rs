//! How somebody leaves a room for good, and what becomes of their other devices.

use noughts_protocol::{CloseReason, Event, IntentId, PlayerId, ServerMessage};
use tokio::sync::oneshot;

use super::Actor;
use crate::room::membership::Membership;

impl Actor {
    /// Gives up the seat of whoever asks, or ends their watching.
    pub(super) async fn leave(
        &mut self,
        membership: Membership,
        id: IntentId,
        refused: oneshot::Sender<Membership>,
    ) {
        let connection = membership.id.connection;
        let Some((player, outbox)) = self.audience.member(connection) else { return };
        let outbox = outbox.clone();
        let committed = match self.store(self.rules.leave(player)).await {
            Ok(committed) => committed,
            Err(why) => {
                why.answer(&outbox, Some(id));
                drop(refused.send(membership));
                return;
            }
        };
        // Whoever leaves hears no more of the room, not even of that.
        self.audience.dismiss_connection(connection);
        outbox.grant(id, Some(self.rules.state().code));
        self.analyses.forget(connection);
        self.rules.disconnect(self.now(), player);
        self.apply(committed);
        self.remove_player(player);
        self.spectators_may_have_changed();
    }

    /// Sees the other devices of a player off who has left, where they may not watch. To them the
    /// room has ended.
    fn remove_player(&mut self, player: PlayerId) {
        let state = self.rules.state();
        if state.settings.spectators || state.closed || state.marks_of(player).next().is_some() {
            return;
        }
        let event = Event::Closed { reason: CloseReason::Left };
        let closed = ServerMessage::Event { room: state.code, v: state.v + 1, event };
        for (connection, outbox) in self.audience.remove_player(player) {
            outbox.send(&closed);
            self.analyses.forget(connection);
            self.rules.disconnect(self.now(), player);
        }
    }
}
