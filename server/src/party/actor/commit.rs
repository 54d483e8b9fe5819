//! The commit of a party's facts: saved first, applied and told second.

use noughts_protocol::{PartyEvent, Refusal, ServerMessage};
use noughts_store::{Change, Committed, commit};
use tokio::time::Instant;

use super::PartyActor;
use crate::actor::RETRY;
use crate::outbox::Delivery;
use crate::party::rules::PartyDecided;

impl PartyActor {
    /// Saves facts, applies them and tells them.
    pub(super) async fn commit(&mut self, decided: PartyDecided) -> Result<(), Refusal> {
        if decided.as_ref().is_empty() {
            return Ok(());
        }
        let state = self.rules.state();
        let row = Some(self.rules.stored_after(self.now(), &decided, self.intent));
        let mut changes = vec![Change::Live { code: state.code.0, expected: Some(state.v), row }];
        // The result of the party before stays until another one takes its place.
        if decided.as_ref().iter().any(|event| matches!(event, PartyEvent::Again { .. })) {
            changes.extend(self.kept().map(|party| Change::KeptParty(Box::new(party))));
        }
        let store = self.context.lobby.store();
        let saved = commit(store, changes, decided).await;
        let committed = self.fence.passed(saved).await?;
        self.apply(committed);
        Ok(())
    }

    /// The same for facts that nobody asked for. If they cannot be stored, the party decides anew
    /// after [`RETRY`]. Returns whether they are stored.
    pub(super) async fn commit_or_retry(&mut self, decided: PartyDecided) -> bool {
        let committed = self.commit(decided).await.is_ok();
        if !committed {
            self.retry_at = Some(Instant::now() + RETRY);
        }
        committed
    }

    /// Applies stored facts and tells them to everybody.
    fn apply(&mut self, committed: Committed<PartyDecided>) {
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
                PartyEvent::Left { entrant, removed: true, .. } => self.expel(*entrant),
                PartyEvent::Decided { pairing, .. } => drop(self.tables.remove(pairing)),
                PartyEvent::Again { .. } => self.tables.clear(),
                PartyEvent::Started => tracing::info!(party = %self.code(), "party started"),
                PartyEvent::Ended { places } => {
                    let entrants = places.len();
                    tracing::info!(party = %self.code(), entrants, "party over");
                }
                _ => {}
            }
        }
        self.handle.publish(self.rules.state());
    }
}
