//! The commands in a room's inbox.

use noughts_protocol::{IntentId, PlayerId, Role, RoomCode, ServerMessage};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{AnalysisRequest, Client, ConnectionId, Intent, Membership, not_in_room};
use crate::outbox::Outbox;

/// A request to a room. It is small, because an inbox allocates room for 32 of them.
#[derive(Debug)]
pub(super) enum Command {
    /// The answer goes to the outbox if there is an `id`.
    Join {
        client: Box<Client>,
        role: Role,
        id: Option<IntentId>,
        /// Gets the membership, or `None` after a refusal. If it is dropped, the room has ended or
        /// hibernates, and nothing was answered.
        admitted: oneshot::Sender<Option<Membership>>,
    },
    /// `asked` is the moment at which the intent was read.
    Act {
        connection: ConnectionId,
        id: IntentId,
        intent: Intent,
        asked: Instant,
    },
    /// The result follows the answer when the analysis has finished.
    Analyze {
        connection: ConnectionId,
        id: IntentId,
        request: AnalysisRequest,
    },
    /// Gives up the seat, or stops watching. It carries the membership, so that the departure
    /// cannot overtake it. After a refusal the membership goes back.
    Leave {
        membership: Box<Membership>,
        id: IntentId,
        refused: oneshot::Sender<Membership>,
    },
    /// Ends the room for another one, unless somebody is connected.
    EndIfUnattended,
    HasSeat {
        player: PlayerId,
        answer: oneshot::Sender<bool>,
    },
    /// The answer is the snapshot.
    Sync {
        connection: ConnectionId,
        id: IntentId,
    },
    /// The answer is the version.
    Ping {
        connection: ConnectionId,
        id: IntentId,
    },
}

impl Command {
    /// The sender; `None` for a command that needs no membership.
    pub(super) fn connection(&self) -> Option<ConnectionId> {
        match self {
            Self::Join { .. } | Self::EndIfUnattended | Self::HasSeat { .. } => None,
            Self::Leave { membership, .. } => Some(membership.id.connection),
            Self::Act { connection, .. }
            | Self::Analyze { connection, .. }
            | Self::Sync { connection, .. }
            | Self::Ping { connection, .. } => Some(*connection),
        }
    }

    /// Answers a connection that is no longer in `room`.
    pub(super) fn answer_removed(self, outbox: &Outbox, room: RoomCode) {
        match self {
            Self::Join { .. } | Self::EndIfUnattended | Self::HasSeat { .. } => {}
            Self::Leave { id, .. } => outbox.grant(id, Some(room)),
            Self::Ping { id, .. } => {
                outbox.send(&ServerMessage::Pong { id, room: None, v: None });
            }
            Self::Act { id, .. } | Self::Analyze { id, .. } | Self::Sync { id, .. } => {
                outbox.refuse(Some(id), not_in_room(room));
            }
        }
    }
}
