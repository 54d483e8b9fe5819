//! How connections come to follow a party and cease to, and what they get when they come.

use std::sync::Arc;

use noughts_protocol::{
    CloseCode, IntentId, PartyRole, PlayerId, Refusal, RefusalCode, RoomCode, ServerMessage,
};

use super::PartyActor;
use super::tables::messages;
use crate::actor::audience::Member;
use crate::actor::{Client, MembershipId};
use crate::outbox::{ConnectionId, Outbox};
use crate::party::membership::{Follower, Lead};
use crate::party::{ByHost, PartyMembership};

impl PartyActor {
    /// Lets a client follow the party; `None` after a refusal.
    pub(super) async fn join(
        &mut self,
        client: Client,
        role: PartyRole,
        id: IntentId,
    ) -> Option<PartyMembership> {
        let Client { player, ref name, ref outbox } = client;
        let decided = match self.rules.join(player, name, role) {
            Ok(decided) => decided,
            Err(refusal) => {
                outbox.reject(Some(id), refusal);
                return None;
            }
        };
        if let Err(why) = self.commit(decided).await
            // An entrant may return, also if that cannot be stored now.
            && self.rules.state().entrant_of(player).is_none()
        {
            outbox.reject(Some(id), why);
            return None;
        }
        self.remove(outbox.connection());
        self.empty_since = None;
        self.handle.stay();
        self.rules.connect(self.now(), player, role);
        outbox.ack_party(id, self.code());
        self.send_snapshot(outbox);
        if role == PartyRole::Screen {
            let boards = self.all_boards();
            messages(self.code(), &boards).for_each(|boards| outbox.send(&boards));
        }
        let outbox = outbox.clone();
        let lead = Arc::new(Lead::default());
        let stay = self.audience.admit(client, Follower { role, lead: Arc::clone(&lead) });
        if let Some(room) = self.room_of(player).filter(|_| role != PartyRole::Screen) {
            self.rules.state().entrant_of(player).into_iter().for_each(|own| self.seat(own));
            lead.lead_into(room);
        }
        let stay = self.departures.stay(stay);
        let party = self.handle.clone();
        Some(PartyMembership { party, outbox, lead, _stay: stay })
    }

    pub(super) fn send_snapshot(&self, outbox: &Outbox) {
        outbox.send(&ServerMessage::Party(self.rules.snapshot(self.now())));
    }

    /// The room of the game that a player plays now.
    pub(super) fn room_of(&self, player: PlayerId) -> Option<RoomCode> {
        let state = self.rules.state();
        let pairing = state.open_pairing_of(state.entrant_of(player)?.number)?;
        self.tables.get(&pairing.number).filter(|table| table.is_played()).map(|table| table.room)
    }

    /// Leads both entrants of a pairing into the room of their game.
    pub(super) fn lead(&self, pairing: u32, room: RoomCode) {
        let state = self.rules.state();
        let Some(pairing) = state.pairing(pairing) else { return };
        for entrant in pairing.entrants().filter_map(|number| state.entrant(number)) {
            if let Some(player) = entrant.player {
                self.lead_player(player, room);
            }
        }
    }

    /// Leads the connections of a player into a room. A big screen stays where it is.
    pub(super) fn lead_player(&self, player: PlayerId, room: RoomCode) {
        for Member { role: Follower { role, lead }, .. } in
            self.audience.members().filter(|member| member.player == player)
        {
            if *role != PartyRole::Screen {
                lead.lead_into(room);
            }
        }
    }

    pub(super) fn departed(&mut self, gone: Vec<MembershipId>) {
        let now = self.now();
        for stay in gone {
            if let Some(member) = self.audience.remove(stay) {
                self.rules.disconnect(now, member.player, member.role.role);
            }
        }
        self.note_empty();
    }

    /// A connection ceases to follow the party. Its player stays an entrant.
    pub(super) fn leave(&mut self, sender: &Outbox, id: IntentId) {
        self.remove(sender.connection());
        sender.ack_party(id, self.code());
        self.note_empty();
    }

    fn remove(&mut self, connection: ConnectionId) {
        if let Some(member) = self.audience.remove_connection(connection) {
            self.rules.disconnect(self.now(), member.player, member.role.role);
        }
    }

    fn note_empty(&mut self) {
        if self.audience.is_empty() && self.empty_since.is_none() {
            self.empty_since = Some(self.now());
        }
    }

    /// Leads those out whom the host has removed from a place: their connections follow the party no more, and
    /// they leave the rooms of this round.
    pub(super) fn expel(&mut self, entrant: u16) {
        let now = self.now();
        let pairings = &self.rules.state().pairings;
        let theirs = pairings.iter().filter(|pairing| pairing.entrants().any(|one| one == entrant));
        let rooms: Vec<RoomCode> = theirs.filter_map(|pairing| pairing.room).collect();
        let players: Vec<PlayerId> = self.rules.kept_out_of(entrant).collect();
        for player in players {
            for room in rooms.iter().filter_map(|room| self.context.lobby.find(*room).ok()) {
                room.unseat(player);
            }
            for member in self.audience.remove_player(player) {
                member.role.lead.end();
                self.rules.disconnect(now, player, member.role.role);
            }
        }
        self.note_empty();
    }

    /// Does what the host of the server wants.
    pub(super) async fn by_host(&mut self, act: ByHost) -> Result<(), Refusal> {
        match act {
            ByHost::End => self.commit(self.rules.end()).await,
            ByHost::Remove(player) => self.remove_player(player).await,
        }
    }

    /// Removes a player: their connections that follow the party end. A spectator may come back.
    async fn remove_player(&mut self, player: PlayerId) -> Result<(), Refusal> {
        let theirs = self.audience.members().filter(|member| member.player == player);
        let outboxes: Vec<Outbox> = theirs.map(|member| member.outbox.clone()).collect();
        match self.rules.state().entrant_of(player).map(|entrant| entrant.number) {
            Some(entrant) => self.commit(self.rules.check_removal(entrant)?).await?,
            None if outboxes.is_empty() => {
                let message = "that player is not in the party";
                return Err(Refusal::new(RefusalCode::NotInParty, message));
            }
            None => {}
        }
        outboxes.iter().for_each(|outbox| outbox.close(CloseCode::Removed));
        Ok(())
    }

    /// Takes a forgotten player out of the party. Every other device of the player connects again, as
    /// somebody new.
    pub(super) async fn forget(
        &mut self,
        player: PlayerId,
        asker: ConnectionId,
    ) -> Result<(), Refusal> {
        let decided = self.rules.forget(player);
        self.commit(decided).await?;
        let now = self.now();
        for member in self.audience.remove_player(player) {
            if member.outbox.connection() != asker {
                member.outbox.close(CloseCode::Restart);
            }
            self.rules.disconnect(now, player, member.role.role);
        }
        self.note_empty();
        Ok(())
    }
}
