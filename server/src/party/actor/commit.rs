//! The commit of a party's facts: stored first, applied and told second.

use noughts_protocol::{PartyEvent, ServerMessage};
use tokio::time::Instant;

use super::Actor;
use crate::actor::{NotCommitted, RETRY};
use crate::journal::committed::Committed;
use crate::journal::party::log::{PartyLog, RoomNumbers};
use crate::outbox::Delivery;
use crate::party::rules::Decided;

impl Actor {
    /// Stores facts, applies them and tells them.
    pub(super) async fn commit(&mut self, decided: Decided) -> Result<(), NotCommitted> {
        self.commit_with(decided, &RoomNumbers::new()).await
    }

    /// The same for facts that name rooms of these numbers.
    pub(super) async fn commit_with(
        &mut self,
        decided: Decided,
        rooms: &RoomNumbers,
    ) -> Result<(), NotCommitted> {
        let stored = self.log.append(self.rules.state().v, decided, rooms).await;
        let committed = stored.map_err(|error| {
            tracing::debug!(%error, "not stored");
            NotCommitted::from(error)
        })?;
        self.apply(committed);
        Ok(())
    }

    /// The same for facts that nobody asked for. If they cannot be stored, or that is unknown, the party
    /// decides anew after [`RETRY`]. Returns whether they are stored.
    pub(super) async fn commit_or_retry(&mut self, decided: Decided) -> bool {
        let committed = self.commit(decided).await.is_ok();
        if !committed {
            self.retry_at = Some(Instant::now() + RETRY);
        }
        committed
    }

    /// Applies stored facts and tells them to everybody.
    fn apply(&mut self, committed: Committed<Decided>) {
        let events = self.rules.apply(self.now(), committed);
        if events.is_empty() {
            return;
        }
        let facts =
            ServerMessage::PartyEvents { party: self.code(), v: self.rules.state().v, events };
        self.audience.broadcast(Delivery::Required, &facts);
        let ServerMessage::PartyEvents { events, .. } = facts else { return };
        for event in &events {
            tracing::debug!(?event, "party event");
            match event {
                PartyEvent::Opened { pairing, room, .. } => self.lead(*pairing, *room),
                PartyEvent::Joined { entrant } => self.seat(entrant),
                PartyEvent::Decided { pairing, .. } => drop(self.tables.remove(pairing)),
                _ => {}
            }
        }
        self.handle.publish(self.rules.state());
        let names = |event| matches!(event, &PartyEvent::Joined { .. } | &PartyEvent::Led { .. });
        if events.iter().any(names) {
            self.handle.publish_people(self.rules.state());
        }
    }
}
