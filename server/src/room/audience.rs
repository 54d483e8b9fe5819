//! The connections in a room, and what they are sent: encoded once, the same bytes for all. Seats
//! are in [`crate::room::rules`].

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
    /// Connections of players who have left on another device, in a room that nobody may watch. They
    /// hear nothing more, but may still send commands; bounded by the server's connections.
    removed: BTreeMap<ConnectionId, Member>,
    /// The number of the last membership.
    last_number: u64,
}

#[derive(Debug)]
struct Member {
    player: PlayerId,
    outbox: Outbox,
    id: MembershipId,
}

impl Audience {
    /// An audience without connections.
    pub(crate) fn new(room: RoomCode) -> Self {
        Self { room, members: BTreeMap::new(), removed: BTreeMap::new(), last_number: 0 }
    }

    /// Adds a client. If it is a member already, only the new membership counts.
    pub(crate) fn admit(
        &mut self,
        Client { connection, player, outbox, .. }: Client,
    ) -> MembershipId {
        self.last_number += 1;
        let membership_id = MembershipId { connection, number: self.last_number };
        self.removed.remove(&connection);
        self.members.insert(connection, Member { player, outbox, id: membership_id });
        membership_id
    }

    /// Removes a connection when its membership ends. Returns its player, or `None` if the connection
    /// has a newer membership.
    pub(crate) fn remove(&mut self, membership_id: MembershipId) -> Option<PlayerId> {
        if self
            .removed
            .get(&membership_id.connection)
            .is_some_and(|member| member.id == membership_id)
        {
            self.removed.remove(&membership_id.connection);
        }
        let member = self.members.get(&membership_id.connection)?;
        if member.id != membership_id {
            return None;
        }
        self.remove_connection(membership_id.connection).map(|(player, _)| player)
    }

    /// Removes a connection and returns its player and outbox.
    pub(crate) fn remove_connection(
        &mut self,
        connection: ConnectionId,
    ) -> Option<(PlayerId, Outbox)> {
        self.members.remove(&connection).map(|member| (member.player, member.outbox))
    }

    /// Removes every connection of a player, and remembers each until its membership ends.
    pub(crate) fn remove_player(&mut self, player: PlayerId) -> Vec<(ConnectionId, Outbox)> {
        let theirs = self.members.extract_if(.., |_, member| member.player == player);
        let theirs: Vec<(ConnectionId, Member)> = theirs.collect();
        let outboxes =
            theirs.iter().map(|(connection, member)| (*connection, member.outbox.clone()));
        let outboxes = outboxes.collect();
        self.removed.extend(theirs);
        outboxes
    }

    /// The outbox of a connection that [`Self::remove_player`] removed.
    pub(crate) fn removed(&self, connection: ConnectionId) -> Option<&Outbox> {
        self.removed.get(&connection).map(|member| &member.outbox)
    }

    /// The player and the outbox of a connection.
    pub(crate) fn member(&self, connection: ConnectionId) -> Option<(PlayerId, &Outbox)> {
        self.members.get(&connection).map(|member| (member.player, &member.outbox))
    }

    /// Sends a message to everybody.
    pub(crate) fn broadcast(&self, message: &ServerMessage) {
        self.broadcast_to(|_| true, message);
    }

    /// Sends a message to every connection of the players that `meant` selects.
    pub(crate) fn broadcast_to(&self, meant: impl Fn(PlayerId) -> bool, message: &ServerMessage) {
        if self.members.is_empty() {
            return;
        }
        let frame = encode(message);
        for member in self.members.values().filter(|member| meant(member.player)) {
            member.outbox.push(frame.clone());
        }
    }

    /// Sends the number of spectators to everybody.
    pub(crate) fn broadcast_spectators(&self, count: u32) {
        self.broadcast(&ServerMessage::Spectators { room: self.room, count });
    }
}
