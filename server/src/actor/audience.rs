//! The connections in a room or a party, and what they are sent: encoded once, the same bytes for all.

use std::collections::BTreeMap;
use std::ops::Bound;

use noughts_protocol::{CloseCode, PlayerId, ServerMessage};

use super::{Client, MembershipId};
use crate::outbox::{ConnectionId, Delivery, Frame, Outbox, encode};

/// The connections in a room or a party; bounded by the server's connections. `R` is their role
/// there.
#[derive(Debug)]
pub(crate) struct Audience<R> {
    members: BTreeMap<ConnectionId, Member<R>>,
    /// The number of the last membership.
    last_number: u64,
}

/// A connection in a room or a party.
#[derive(Debug)]
pub(crate) struct Member<R> {
    pub(crate) player: PlayerId,
    pub(crate) outbox: Outbox,
    pub(crate) role: R,
    id: MembershipId,
}

impl<R> Audience<R> {
    /// An audience without connections.
    pub(crate) const fn new() -> Self {
        Self { members: BTreeMap::new(), last_number: 0 }
    }

    /// Adds a client. If it is a member already, only the new membership counts.
    pub(crate) fn admit(&mut self, Client { player, outbox, .. }: Client, role: R) -> MembershipId {
        self.last_number += 1;
        let connection = outbox.connection();
        let id = MembershipId { connection, number: self.last_number };
        self.members.insert(connection, Member { player, outbox, role, id });
        id
    }

    /// Removes a connection when its membership ends; `None` if it was removed before or has a newer
    /// membership.
    pub(crate) fn remove(&mut self, id: MembershipId) -> Option<Member<R>> {
        self.member(id.connection).filter(|member| member.id == id)?;
        self.remove_connection(id.connection)
    }

    /// Removes a connection.
    pub(crate) fn remove_connection(&mut self, connection: ConnectionId) -> Option<Member<R>> {
        self.members.remove(&connection)
    }

    /// Removes every connection of a player.
    pub(crate) fn remove_player(&mut self, player: PlayerId) -> Vec<Member<R>> {
        let theirs = self.members.extract_if(.., |_, member| member.player == player);
        theirs.map(|(_, member)| member).collect()
    }

    /// A connection that is here.
    pub(crate) fn member(&self, connection: ConnectionId) -> Option<&Member<R>> {
        self.members.get(&connection)
    }

    /// The player of a connection; `None` if it is not here.
    pub(crate) fn player(&self, connection: ConnectionId) -> Option<PlayerId> {
        self.member(connection).map(|member| member.player)
    }

    /// All connections, by their numbers.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Member<R>> {
        self.members.values()
    }

    /// Whether nobody is here.
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Closes all connections: their clients come back, to another server or later.
    pub(crate) fn close(&self, code: CloseCode) {
        for member in self.members() {
            member.outbox.close(code);
        }
    }

    /// Sends a message to everybody.
    pub(crate) fn broadcast(&self, delivery: Delivery, message: &ServerMessage) {
        self.broadcast_to(|_| true, delivery, message);
    }

    /// Sends a message to the members that `meant` selects.
    pub(crate) fn broadcast_to(
        &self,
        meant: impl Fn(&Member<R>) -> bool,
        delivery: Delivery,
        message: &ServerMessage,
    ) {
        let mut members = self.members().filter(|member| meant(member)).peekable();
        if members.peek().is_none() {
            return;
        }
        let frame = encode(message);
        for member in members {
            member.outbox.deliver(frame.clone(), delivery);
        }
    }

    /// Offers some connections, from the one after `after`, the frame that their player gets, if any.
    /// A slow reader misses it. Returns the last connection, or `None` if no more are left.
    pub(crate) fn offer(
        &self,
        after: Option<ConnectionId>,
        count: usize,
        mut frame_for: impl FnMut(PlayerId) -> Option<Frame>,
    ) -> Option<ConnectionId> {
        let first = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = self.members.range((first, Bound::Unbounded));
        let mut last = None;
        for (connection, member) in rest.by_ref().take(count) {
            if let Some(frame) = frame_for(member.player) {
                member.outbox.offer(frame);
            }
            last = Some(*connection);
        }
        last.filter(|_| rest.next().is_some())
    }
}
