//! A connection and its party: it follows one at most, beside the room that it is in. The party
//! leads an entrant's connections into the rooms of their games.

use noughts_protocol::{
    ClientMessage, IntentId, LobbyIntent, PartyCode, PartyIntent, PartyRole, PartySettings,
    PlayerName, Refusal, RefusalCode, Role, RoomCode, ServerMessage,
};

use super::remote::Located;
use super::{CODES, Session};
use crate::actor::{LOOKUPS, TaskEnded, not_stored};
use crate::lobby::switched_off;
use crate::party::{no_such_party, not_in_party};
use crate::pipe::{Door, text};

impl Session {
    /// Makes a party and follows it.
    pub(super) async fn create_party(
        &mut self,
        id: IntentId,
        name: PlayerName,
        settings: PartySettings,
        plays: bool,
    ) -> Result<(), Refusal> {
        self.kept = None;
        let requester = self.requester(id);
        let role = if plays { PartyRole::Player } else { PartyRole::Spectator };
        let name = self.shared.config.name_of(self.player, name);
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

    /// Follows a party.
    pub(super) async fn join_party(
        &mut self,
        id: IntentId,
        party: PartyCode,
        role: PartyRole,
    ) -> Result<(), Refusal> {
        self.kept = None;
        let message = ClientMessage::Lobby { intent: LobbyIntent::JoinParty { party, role }, id };
        if let Some(Located::There(place)) = &self.party
            && place.code() == Some(party.0)
        {
            place.send(&message);
            return Ok(());
        }
        for _ in 0..LOOKUPS {
            if self.is_entrant(party) {
                return self.enter_party(party, role, id).await;
            }
            let checked = match self.check_party(party).await {
                Err(refusal) if refusal.code == RefusalCode::NoSuchParty => {
                    return self.show_kept(party, id).await.ok_or(refusal);
                }
                checked => checked?,
            };
            if let Some(peer) = checked {
                if self.go(&peer, Door::Message(text(&message))).await {
                    return Ok(());
                }
                continue;
            }
            if role != PartyRole::Player && !self.shared.lobby.features().spectators {
                return Err(switched_off("can watch", "join the party as a player"));
            }
            return self.enter_party(party, role, id).await;
        }
        Err(self.nowhere_to_go())
    }

    /// Shows a party that has ended; `None` if none is kept under this code. Nothing happens there any more, so
    /// the connection is in no party.
    async fn show_kept(&mut self, code: PartyCode, id: IntentId) -> Option<()> {
        let party = self.shared.kept_party(code).await.ok().flatten()?;
        self.party = None;
        self.kept = Some((code, party.state.v));
        self.outbox.ack_party(id, code);
        self.outbox.send(&ServerMessage::Party(party));
        Some(())
    }

    /// Answers an intent for the party that has ended and is looked at.
    async fn kept_intent(&mut self, id: IntentId, party: PartyCode, intent: PartyIntent) {
        match intent {
            PartyIntent::LeaveParty => {
                self.kept = None;
                self.outbox.ack_party(id, party);
            }
            PartyIntent::SyncParty if self.show_kept(party, id).await.is_some() => {}
            _ => {
                let refusal = Refusal::new(RefusalCode::NotNow, "this party ended a while ago");
                self.outbox.reject(Some(id), refusal);
            }
        }
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
            match party.join(self.client(), role, id).await {
                Ok(Some(membership)) => {
                    self.party = Some(Located::Here(code.0, membership));
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
        if self.kept.is_some_and(|(kept, _)| kept == party) {
            return self.kept_intent(id, party, intent).await;
        }
        let leaves = intent == PartyIntent::LeaveParty;
        let sent = match self.party.as_ref().filter(|membership| membership.is(party.0)) {
            Some(Located::Here(_, membership)) => {
                if leaves {
                    membership.leave();
                }
                membership.send(id, intent).await
            }
            Some(Located::There(place)) => {
                return place.send(&ClientMessage::Party { intent, id, party });
            }
            None => match self.check_party(party).await {
                Ok(_) => Err(not_in_party(party)),
                Err(refusal) => Err(refusal),
            },
        };
        let Err(refusal) = sent else { return };
        self.party.take_if(|membership| membership.is(party.0));
        if leaves && refusal.code == RefusalCode::NotInParty {
            self.outbox.ack_party(id, party);
        } else {
            self.reject(Some(id), refusal);
        }
    }

    /// Enters the room of the player's game. The party has seated them there.
    pub(super) async fn enter_led(&mut self, room: RoomCode) {
        if let Err(refusal) = self.enter_as(room, Role::Player, None).await {
            tracing::debug!(%room, code = ?refusal.code, "led into a room that is gone");
        }
    }

    /// The version of the party that the connection follows at this node.
    pub(super) fn party_version(&self) -> Option<u64> {
        match &self.party {
            Some(Located::Here(_, membership)) => membership.version(),
            Some(Located::There(_)) => None,
            None => self.kept.map(|(_, v)| v),
        }
    }
}
