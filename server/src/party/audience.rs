//! The connections that follow a party, and what they are sent: encoded once, the same bytes for all.

use std::collections::BTreeMap;
use std::sync::Arc;

use noughts_protocol::{CloseCode, PartyRole, PlayerId, RoomCode, ServerMessage};

use super::membership::Lead;
use crate::outbox::{ConnectionId, Outbox, encode};
use crate::room::{Client, MembershipId};

/// The connections that follow a party; bounded by the server's connections.
#[derive(Debug, Default)]
pub(super) struct Audience {
    members: BTreeMap<ConnectionId, Member>,
    /// The number of the last membership.
    last_number: u64,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) player: PlayerId,
    pub(super) role: PartyRole,
    outbox: Outbox,
    lead: Arc<Lead>,
    id: MembershipId,
}

impl Audience {
    /// Adds a client that is no member, and gives the number of its stay.
    pub(super) fn admit(
        &mut self,
        Client { player, outbox, .. }: Client,
        role: PartyRole,
        lead: Arc<Lead>,
    ) -> MembershipId {
        self.last_number += 1;
        let connection = outbox.connection();
        let id = MembershipId { connection, number: self.last_number };
        self.members.insert(connection, Member { player, role, outbox, lead, id });
        id
    }

    /// Removes a connection when its stay ends; `None` if it was removed before or has a newer one.
    pub(super) fn remove(&mut self, stay: MembershipId) -> Option<Member> {
        self.members.get(&stay.connection).filter(|member| member.id == stay)?;
        self.members.remove(&stay.connection)
    }

    /// Removes a connection.
    pub(super) fn remove_connection(&mut self, connection: ConnectionId) -> Option<Member> {
        self.members.remove(&connection)
    }

    /// Closes all connections: their clients come back, to another server or later.
    pub(super) fn close(&self, code: CloseCode) {
        for member in self.members.values() {
            member.outbox.close(code);
        }
    }

    /// Removes every connection of a player, and calls `each` with it.
    pub(super) fn remove_player(
        &mut self,
        player: PlayerId,
        mut each: impl FnMut(&Outbox, PartyRole),
    ) {
        for (_, member) in self.members.extract_if(.., |_, member| member.player == player) {
            each(&member.outbox, member.role);
        }
    }

    /// The player of a connection; `None` if it does not follow the party.
    pub(super) fn player(&self, connection: ConnectionId) -> Option<PlayerId> {
        self.members.get(&connection).map(|member| member.player)
    }

    /// Whether nobody follows the party.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Sends a fact to everybody.
    pub(super) fn tell(&self, fact: &ServerMessage) {
        if self.members.is_empty() {
            return;
        }
        let frame = encode(fact);
        for member in self.members.values() {
            member.outbox.push_shared(frame.clone());
        }
    }

    /// Offers what passes to everybody. A slow reader misses it.
    pub(super) fn offer(&self, message: &ServerMessage) {
        self.offer_to(|_| true, message);
    }

    /// Offers boards to the big screens. A slow reader misses them.
    pub(super) fn offer_boards(&self, boards: &ServerMessage) {
        self.offer_to(|role| role == PartyRole::Screen, boards);
    }

    fn offer_to(&self, meant: impl Fn(PartyRole) -> bool, message: &ServerMessage) {
        let mut members = self.members.values().filter(|member| meant(member.role)).peekable();
        if members.peek().is_none() {
            return;
        }
        let frame = encode(message);
        for member in members {
            member.outbox.offer(frame.clone());
        }
    }

    /// Leads the connections of a player into a room. A big screen stays where it is.
    pub(super) fn lead(&self, player: PlayerId, room: RoomCode) {
        let theirs = |member: &&Member| member.player == player && member.role != PartyRole::Screen;
        for member in self.members.values().filter(theirs) {
            member.lead.lead_into(room);
        }
    }
}
