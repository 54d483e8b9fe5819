//! Who is connected to a room, and what they are sent: encoded once, the same bytes for all.
//! Which seat somebody has is the [`crate::room::rules`]'s.

use std::collections::BTreeMap;

use noughts_protocol::{PlayerId, RoomCode, ServerMessage};

use super::membership::MembershipId;
use super::{Client, ConnectionId};
use crate::outbox::{Outbox, encode};

/// The connections in a room; bounded by the server's connections.
#[derive(Debug)]
pub(crate) struct Audience {
    room: RoomCode,
    members: BTreeMap<ConnectionId, Member>,
    /// Connections of a player who has left on another device, where nobody may watch. They hear
    /// nothing more, but each of them may still ask something; bounded by the server's connections.
    outside: BTreeMap<ConnectionId, Member>,
    /// Memberships given out.
    admitted: u64,
}

#[derive(Debug)]
struct Member {
    player: PlayerId,
    outbox: Outbox,
    id: MembershipId,
}

impl Audience {
    /// Nobody yet.
    pub(crate) fn new(room: RoomCode) -> Self {
        Self { room, members: BTreeMap::new(), outside: BTreeMap::new(), admitted: 0 }
    }

    /// Takes a client in, also one that is here already; only the newest membership counts.
    pub(crate) fn admit(
        &mut self,
        Client { connection, player, outbox, .. }: Client,
    ) -> MembershipId {
        self.admitted += 1;
        let membership_id = MembershipId { connection, number: self.admitted };
        self.outside.remove(&connection);
        self.members.insert(connection, Member { player, outbox, id: membership_id });
        membership_id
    }

    /// Sees a connection off at the end of a stay; its player, if that was the last stay.
    pub(crate) fn dismiss(&mut self, membership_id: MembershipId) -> Option<PlayerId> {
        if self
            .outside
            .get(&membership_id.connection)
            .is_some_and(|member| member.id == membership_id)
        {
            self.outside.remove(&membership_id.connection);
        }
        let member = self.members.get(&membership_id.connection)?;
        if member.id != membership_id {
            return None;
        }
        self.dismiss_connection(membership_id.connection).map(|(player, _)| player)
    }

    /// Sees a connection off, whatever its membership; its player and the way to it, if it was here.
    pub(crate) fn dismiss_connection(
        &mut self,
        connection: ConnectionId,
    ) -> Option<(PlayerId, Outbox)> {
        self.members.remove(&connection).map(|member| (member.player, member.outbox))
    }

    /// Sees every connection of a player off; what it asks from now on comes from outside.
    pub(crate) fn remove_player(&mut self, player: PlayerId) -> Vec<(ConnectionId, Outbox)> {
        let theirs = self.members.extract_if(.., |_, member| member.player == player);
        let theirs: Vec<(ConnectionId, Member)> = theirs.collect();
        let ways = theirs.iter().map(|(connection, member)| (*connection, member.outbox.clone()));
        let ways = ways.collect();
        self.outside.extend(theirs);
        ways
    }

    /// The way to a connection that was turned out.
    pub(crate) fn removed(&self, connection: ConnectionId) -> Option<&Outbox> {
        self.outside.get(&connection).map(|member| &member.outbox)
    }

    /// Whose connection this is, and the way to it.
    pub(crate) fn member(&self, connection: ConnectionId) -> Option<(PlayerId, &Outbox)> {
        self.members.get(&connection).map(|member| (member.player, &member.outbox))
    }

    /// Sends the same bytes to everybody.
    pub(crate) fn broadcast(&self, message: &ServerMessage) {
        self.broadcast_to(|_| true, message);
    }

    /// Sends the same bytes to every connection of the players that are meant.
    pub(crate) fn broadcast_to(&self, meant: impl Fn(PlayerId) -> bool, message: &ServerMessage) {
        if self.members.is_empty() {
            return;
        }
        let frame = encode(message);
        for member in self.members.values().filter(|member| meant(member.player)) {
            member.outbox.push(frame.clone());
        }
    }

    /// Sends everybody the number of spectators.
    pub(crate) fn broadcast_spectators(&self, count: u32) {
        self.broadcast(&ServerMessage::Spectators { room: self.room, count });
    }
}
