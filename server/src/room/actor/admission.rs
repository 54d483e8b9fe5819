//! How a connection comes into a room, and the snapshot that it gets.

use noughts_protocol::{IntentId, PlayerId, Role, ServerMessage};

use super::RoomActor;
use crate::actor::Client;
use crate::outbox::Outbox;
use crate::room::membership::Membership;

impl RoomActor {
    /// Brings a client into the room; `None` after a refusal.
    pub(super) async fn join(
        &mut self,
        client: Client,
        role: Role,
        id: Option<IntentId>,
    ) -> Option<Membership> {
        let Client { player, ref name, ref outbox } = client;
        let decided = self.rules.join(player, name, role, rand::random());
        if let Err(why) = self.commit(decided).await
            // A player with a seat may return to it, also if the new name could not be stored.
            && self.rules.state().marks_of(player).next().is_none()
        {
            outbox.reject(id, why);
            return None;
        }
        if self.audience.player(outbox.connection()).is_none() {
            self.rules.connect(self.now(), player);
            self.log_of(player, outbox, "joined");
        }
        self.note_visit();
        // The other members hear of the arrival by the presence, the client by the snapshot.
        self.presence_changed();
        if let Some(id) = id {
            outbox.ack(id, Some(self.rules.state().code));
        }
        self.send_snapshot(outbox);
        self.send_chat(player, outbox);
        let outbox = outbox.clone();
        let membership_id = self.audience.admit(client, ());
        self.update_analyses();
        self.send_evaluation(player, &outbox);
        Some(Membership::new(self.handle.clone(), outbox, self.departures.stay(membership_id)))
    }

    /// Writes into the log that a connection of a player has come or gone.
    pub(super) fn log_of(&self, player: PlayerId, outbox: &Outbox, what: &str) {
        if !outbox.may_log() {
            return;
        }
        let state = self.rules.state();
        let is_seated = state.marks_of(player).next().is_some();
        let role = if is_seated { "player" } else { "spectator" };
        let connection = outbox.connection().0;
        tracing::info!(room = %state.code, %player, role, connection, "{what}");
    }

    pub(super) fn send_snapshot(&self, outbox: &Outbox) {
        outbox.send(&ServerMessage::Snapshot(self.rules.snapshot(self.now())));
    }
}
