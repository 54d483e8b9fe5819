//! The commands in a party's inbox.

use noughts_protocol::{
    IntentId, PartyCode, PartyIntent, PartyRole, PartySnapshot, PlayerId, Refusal,
};
use tokio::sync::oneshot;

use super::PartyMembership;
use crate::actor::Client;
use crate::outbox::{ConnectionId, Outbox};

/// A request to a party.
#[derive(Debug)]
pub(super) enum PartyCommand {
    /// The answer goes to the client's outbox.
    Join {
        client: Client,
        role: PartyRole,
        id: IntentId,
        /// Gets the membership, or `None` after a refusal. If it is dropped, the party has ended, and
        /// nothing was answered.
        reply: oneshot::Sender<Option<PartyMembership>>,
    },
    /// An intent as it came. The answer goes to the sender's outbox.
    Intent { sender: Outbox, id: IntentId, intent: PartyIntent },
    /// Takes a forgotten player out of the party, with all their devices.
    Forget {
        player: PlayerId,
        /// The connection that asked for it, which stays open.
        asker: ConnectionId,
        /// Whether that is stored.
        reply: oneshot::Sender<bool>,
    },
    /// Does what the host of the server wants.
    ByHost { act: ByHost, reply: oneshot::Sender<Result<(), Refusal>> },
    /// Tells the state to somebody who does not follow the party.
    Look { reply: oneshot::Sender<PartySnapshot> },
    /// Ends the party if nobody follows it: the server is full, and somebody makes a new one.
    GiveWay,
}

/// An act of the server's host in a party.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ByHost {
    /// Ends it, as its own host would.
    End,
    /// Removes somebody, as its own host would, and ends their connections.
    Remove(PlayerId),
}

impl PartyCommand {
    /// Answers a command that the party cannot decide on, since its sender does not follow it, or the
    /// party has ended.
    pub(super) fn reject(self, party: PartyCode, why: fn(PartyCode) -> Refusal) {
        match self {
            Self::Join { .. }
            | Self::Forget { .. }
            | Self::ByHost { .. }
            | Self::Look { .. }
            | Self::GiveWay => {}
            Self::Intent { sender, id, intent: PartyIntent::LeaveParty } => {
                sender.ack_party(id, party);
            }
            Self::Intent { sender, id, .. } => sender.reject(Some(id), why(party)),
        }
    }
}
