//! A connection and its party: it follows one at most, beside the room that it is in. The party
//! leads an entrant's connections into the rooms of their games.

use noughts_protocol::{
    IntentId, LobbyIntent, PartyCode, PartyIntent, PartyRole, Refusal, RefusalCode, Role, RoomCode,
};

use super::{LOOKUPS, Session};
use crate::actor::{Client, TaskEnded, not_stored};
use crate::lobby::switched_off;
use crate::party::{PartyMembership, no_such_party, not_in_party};

impl Session {
    /// Makes a party, or follows one.
    pub(super) async fn follow_party(
        &mut self,
        id: IntentId,
        intent: LobbyIntent,
    ) -> Result<(), Refusal> {
        match intent {
            LobbyIntent::CreateParty { name, settings, plays } => {
                let requester = self.requester(id);
                let party = self.shared.parties.create(&requester, name, settings, plays)?.code();
                let role = if plays { PartyRole::Player } else { PartyRole::Spectator };
                self.enter_new_party(party, role, id).await
            }
            LobbyIntent::JoinParty { party, role } => self.join_party(party, role, id).await,
            _ => Ok(()),
        }
    }

    /// Follows a party that the player has just made.
    async fn enter_new_party(
        &mut self,
        party: PartyCode,
        role: PartyRole,
        id: IntentId,
    ) -> Result<(), Refusal> {
        let entered = self.enter_party(party, role, id).await;
        if self.shared.lobby.is_stopping() {
            return entered;
        }
        // The party could not be stored.
        entered.map_err(|_| not_stored())
    }

    async fn join_party(
        &mut self,
        party: PartyCode,
        role: PartyRole,
        id: IntentId,
    ) -> Result<(), Refusal> {
        let found = self.shared.parties.find(party);
        if !found.is_ok_and(|party| party.has_entrant(self.player)) {
            self.check_party(party)?;
            if role != PartyRole::Player && !self.shared.config.features.spectators {
                return Err(switched_off("can watch", "join the party as a player"));
            }
        }
        self.enter_party(party, role, id).await
    }

    async fn enter_party(
        &mut self,
        code: PartyCode,
        role: PartyRole,
        id: IntentId,
    ) -> Result<(), Refusal> {
        for _ in 0..LOOKUPS {
            let party = self.shared.parties.find(code)?;
            let client = Client {
                player: self.player,
                name: self.name.clone(),
                outbox: self.outbox.clone(),
            };
            match party.join(client, role, id).await {
                Ok(Some(membership)) => {
                    self.party = Some(membership);
                    return Ok(());
                }
                Ok(None) => return Ok(()),
                Err(TaskEnded) => {}
            }
        }
        Err(no_such_party(code))
    }

    /// Passes an intent on to the party, which decides and answers.
    pub(super) async fn party_intent(
        &mut self,
        id: IntentId,
        party: PartyCode,
        intent: PartyIntent,
    ) {
        let leaves = intent == PartyIntent::LeaveParty;
        let sent = match self.party.as_mut() {
            Some(membership) if membership.code() == party => {
                if leaves {
                    membership.leave();
                }
                membership.send(id, intent.clone()).await
            }
            _ => Err(self.check_party(party).err().unwrap_or_else(|| not_in_party(party))),
        };
        let Err(refusal) = sent else { return };
        self.party.take_if(|membership| membership.code() == party);
        if leaves && refusal.code == RefusalCode::NotInParty {
            self.outbox.ack_party(id, party);
        } else {
            self.reject(Some(id), refusal);
        }
    }

    /// Enters the room of the player's game. The party has seated them there.
    pub(super) async fn enter_led(&mut self, room: RoomCode) {
        if self.membership.as_ref().is_some_and(|membership| membership.code() == room) {
            return;
        }
        if let Err(refusal) = self.enter_as(room, Role::Player, None).await {
            tracing::debug!(%room, code = ?refusal.code, "led into a room that is gone");
        }
    }

    /// The version of the party that the connection follows.
    pub(super) fn party_v(&self) -> Option<u64> {
        self.party.as_ref().and_then(PartyMembership::version).map(|version| version.now())
    }
}
