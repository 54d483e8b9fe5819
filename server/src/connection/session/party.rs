//! A connection and its party: it follows one at most, beside the room that it is in. The party
//! leads an entrant's connections into the rooms of their games.

use noughts_protocol::{
    ClientMessage, IntentId, LobbyIntent, PartyCode, PartyIntent, PartyRole, Refusal, RefusalCode,
    Role, RoomCode,
};

use super::{CODES, LOOKUPS, Session};
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
                let role = if plays { PartyRole::Player } else { PartyRole::Spectator };
                for _ in 0..CODES {
                    let name = name.clone();
                    let party = self.shared.parties.create(&requester, name, settings, plays)?;
                    match self.enter_party(party.code(), role, id).await {
                        // Another node has something with its code.
                        Err(refusal)
                            if refusal.code == RefusalCode::NoSuchParty
                                && !self.shared.lobby.is_stopping() => {}
                        entered => return entered,
                    }
                }
                Err(not_stored())
            }
            LobbyIntent::JoinParty { party, role } => self.join_party(party, role, id).await,
            _ => Ok(()),
        }
    }

    async fn join_party(
        &mut self,
        party: PartyCode,
        role: PartyRole,
        id: IntentId,
    ) -> Result<(), Refusal> {
        for _ in 0..LOOKUPS {
            if self.is_entrant(party) {
                return self.enter_party(party, role, id).await;
            }
            if let Some(peer) = self.check_party(party).await? {
                if self.pass_on(&peer, LobbyIntent::JoinParty { party, role }, id).await {
                    return Ok(());
                }
                continue;
            }
            if role != PartyRole::Player && !self.shared.config.features.spectators {
                return Err(switched_off("can watch", "join the party as a player"));
            }
            return self.enter_party(party, role, id).await;
        }
        Err(self.nowhere_to_go())
    }

    fn is_entrant(&self, party: PartyCode) -> bool {
        self.shared.parties.find(party).is_ok_and(|party| party.has_entrant(self.player))
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
            _ => match self.pipe_of_party(party) {
                Some(pipe) => {
                    return self.forward(pipe, &ClientMessage::Party { intent, id, party }).await;
                }
                None => match self.check_party(party).await {
                    Ok(_) => Err(not_in_party(party)),
                    Err(refusal) => Err(refusal),
                },
            },
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

    /// The version of the party that the connection follows at this node.
    pub(super) fn party_v_here(&self) -> Option<u64> {
        self.party.as_ref().and_then(PartyMembership::version).map(|version| version.now())
    }
}
