//! The connections in a room, and what they are sent: encoded once, the same bytes for all. Seats
//! are in [`crate::room::rules`].

use noughts_protocol::{CloseCode, PlayerId, ServerMessage};

use super::Client;
use super::membership::MembershipId;
use crate::outbox::{ConnectionId, Frame, Outbox, encode};

/// The connections in a room; bounded by the server's connections.
#[derive(Debug)]
pub(crate) struct Audience {
    /// By the number of the connection. Most rooms have two, for which a tree would take 450 bytes.
    members: Vec<Member>,
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
    pub(crate) const fn new() -> Self {
        Self { members: Vec::new(), last_number: 0 }
    }

    /// The place of a connection, or else the place where it would be.
    fn place(&self, connection: ConnectionId) -> Result<usize, usize> {
        self.members.binary_search_by_key(&connection, |member| member.id.connection)
    }

    fn member(&self, connection: ConnectionId) -> Option<&Member> {
        self.place(connection).ok().map(|place| &self.members[place])
    }

    /// Adds a client. If it is a member already, only the new membership counts.
    pub(crate) fn admit(&mut self, Client { player, outbox, .. }: Client) -> MembershipId {
        self.last_number += 1;
        let connection = outbox.connection();
        let membership_id = MembershipId { connection, number: self.last_number };
        let member = Member { player, outbox, id: membership_id };
        match self.place(connection) {
            Ok(place) => self.members[place] = member,
            Err(place) => self.members.insert(place, member),
        }
        membership_id
    }

    /// Removes a connection when its membership ends. Returns its player, or `None` if the connection
    /// was removed before or has a newer membership.
    pub(crate) fn remove(&mut self, membership_id: MembershipId) -> Option<PlayerId> {
        let member = self.member(membership_id.connection)?;
        if member.id != membership_id {
            return None;
        }
        self.remove_connection(membership_id.connection)
    }

    /// Removes a connection and returns its player.
    pub(crate) fn remove_connection(&mut self, connection: ConnectionId) -> Option<PlayerId> {
        self.place(connection).ok().map(|place| self.members.remove(place).player)
    }

    /// Removes every connection of a player and returns their outboxes.
    pub(crate) fn remove_player(&mut self, player: PlayerId) -> Vec<Outbox> {
        let theirs = self.members.extract_if(.., |member| member.player == player);
        theirs.map(|member| member.outbox).collect()
    }

    /// The player of a connection; `None` if it is not in the room.
    pub(crate) fn player(&self, connection: ConnectionId) -> Option<PlayerId> {
        self.member(connection).map(|member| member.player)
    }

    /// The outbox of a connection; `None` if it is not in the room.
    pub(crate) fn outbox(&self, connection: ConnectionId) -> Option<&Outbox> {
        self.member(connection).map(|member| &member.outbox)
    }

    /// Closes all connections: their clients come back, to another server or later.
    pub(crate) fn close(&self, code: CloseCode) {
        for member in &self.members {
            member.outbox.close(code);
        }
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
        for member in self.members.iter().filter(|member| meant(member.player)) {
            member.outbox.push(frame.clone());
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
        let place = |last| self.place(last).map_or_else(|next| next, |place| place + 1);
        let mut rest = self.members[after.map_or(0, place)..].iter();
        let mut last = None;
        for member in rest.by_ref().take(count) {
            if let Some(frame) = frame_for(member.player) {
                member.outbox.offer(frame);
            }
            last = Some(member.id.connection);
        }
        last.filter(|_| rest.next().is_some())
    }
}
