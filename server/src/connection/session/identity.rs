//! A connection's intents about its own player: a pass for another device, and to be forgotten.

use noughts_protocol::{CloseCode, IntentId, PASS_MS, Refusal, RefusalCode, ServerMessage};
use tokio::time::Instant;

use super::Session;
use super::questions::keeps_nothing;
use crate::actor::not_stored;
use crate::state::Shared;

impl Session {
    pub(super) fn pass(&self, id: IntentId) -> Result<(), Refusal> {
        let Shared { passes, secret, .. } = &*self.shared;
        let code = passes.issue(secret, self.player, &self.name, &self.outbox, Instant::now())?;
        self.outbox.ack(id, None);
        self.outbox.send(&ServerMessage::Pass { code, expires_in_ms: PASS_MS });
        Ok(())
    }

    /// Forgets the player, who first leaves every party, and every room in which they have a seat and
    /// somebody is. The player's connections there end: their clients come back as somebody new,
    /// whatever token they send.
    pub(super) async fn forget(&mut self, id: IntentId) -> Result<(), Refusal> {
        let Some(storage) = self.shared.storage.clone() else { return Err(keeps_nothing()) };
        let waits = self.waiting.as_ref().map(|waiting| waiting.ticket.requester.id);
        self.end_wait();
        // The rooms there would close this connection.
        self.membership.take_if(|membership| membership.there().is_some());
        self.party.take_if(|party| party.there().is_some());
        if !self.shared.forget(&storage, &self.client(), self.address).await {
            let message = "you may have left some of your rooms, but the server cannot store all of it at \
                           present: try again in a moment";
            if let Some(id) = waits {
                self.outbox.reject(Some(id), not_stored());
            }
            return Err(Refusal::new(RefusalCode::NotStored, message));
        }
        (self.party, self.membership) = (None, None);
        self.outbox.ack(id, None);
        self.outbox.close(CloseCode::Restart);
        Ok(())
    }
}
