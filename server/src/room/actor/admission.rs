//! How a connection comes into a room, and the snapshot that it gets.

use std::sync::Arc;

use noughts_protocol::{IntentId, PlayerId, Role, ServerMessage};

use super::Actor;
use crate::outbox::Outbox;
use crate::room::membership::Membership;
use crate::room::{Client, ConnectionId};

impl Actor {
    /// Brings a client into the room; `None` after a refusal.
    pub(super) async fn join(
        &mut self,
        client: Client,
        role: Role,
        id: Option<IntentId>,
    ) -> Option<Membership> {
        let Client { connection, player, ref name, ref outbox } = client;
        let decided = self.rules.join(player, name, role, rand::random());
        if let Err(why) = self.commit(decided).await
            // A player with a seat may return to it, also if the new name could not be stored.
            && self.rules.state().marks_of(player).next().is_none()
        {
            why.answer(outbox, id);
            return None;
        }
        self.note_visit();
        // The other members hear of the arrival by events, the client by the snapshot.
        let arrived = self.audience.member(connection).is_none();
        if arrived {
            let decided = self.rules.connect(self.now(), player);
            self.commit_or_retry(decided).await;
        }
        if let Some(id) = id {
            outbox.grant(id, Some(self.rules.state().code));
        }
        self.send_snapshot(player, outbox);
        let membership_id = self.audience.admit(client);
        self.update_analyses();
        self.send_evaluation(connection);
        self.spectators_may_have_changed();
        let (room, departures) = (self.handle.clone(), Arc::clone(&self.departures));
        Some(Membership { id: membership_id, room, departures })
    }

    pub(super) fn sync(&self, connection: ConnectionId, id: IntentId) {
        let Some((player, outbox)) = self.audience.member(connection) else { return };
        outbox.grant(id, Some(self.rules.state().code));
        self.send_snapshot(player, outbox);
    }

    pub(super) fn send_snapshot(&self, player: PlayerId, outbox: &Outbox) {
        let snapshot = self.rules.snapshot_for(player, self.now());
        outbox.send(&ServerMessage::Snapshot(snapshot));
    }
}
