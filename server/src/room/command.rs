//! The commands in a room's inbox.

use noughts_protocol::{
    ChatLine, IntentId, Mark, PartyTable, PlayerId, PlayerName, Refusal, Role, RoomCode,
    RoomIntent, ServerMessage, Snapshot,
};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::Membership;
use super::table::{Ruling, TableReporter};
use crate::actor::Client;
use crate::outbox::{ConnectionId, Outbox};
use crate::room::rules::move_clock::ClockChange;

/// A request to a room.
#[derive(Debug)]
pub(crate) enum RoomCommand {
    /// The answer goes to the outbox if there is an `id`.
    Join {
        client: Client,
        role: Role,
        id: Option<IntentId>,
        /// Gets the membership, or `None` after a refusal. If it is dropped, the room has ended or
        /// hibernates, and nothing was answered.
        reply: oneshot::Sender<Option<Membership>>,
    },
    /// An intent as it came. The answer goes to the sender's outbox.
    Intent {
        sender: Outbox,
        id: IntentId,
        intent: RoomIntent,
        /// The sender's own name, if the intent says something.
        name: Option<PlayerName>,
        /// The moment at which the intent was read.
        read_at: Instant,
    },
    /// The answer is the version and the presence.
    Ping {
        sender: Outbox,
        id: IntentId,
        /// The version of the party that the sender follows.
        party_v: Option<u64>,
    },
    /// Ends the room for another one, unless somebody is connected.
    EndIfUnattended,
    /// Ends the room, because the host of the server wants it.
    EndByHost {
        reply: oneshot::Sender<Result<(), Refusal>>,
    },
    /// Takes a player out of the room, because the host of the server wants it: they leave, and their
    /// connections end.
    Remove {
        player: PlayerId,
        /// Whether they were here.
        reply: oneshot::Sender<Result<bool, Refusal>>,
    },
    /// Tells the room and its talk to somebody who is not in it.
    Look {
        reply: oneshot::Sender<(Snapshot, Vec<ChatLine>)>,
    },
    HasSeat {
        player: PlayerId,
        reply: oneshot::Sender<bool>,
    },
    /// Ends the game, because its party has decided it otherwise.
    Dismiss(Ruling),
    /// Gives the seat of a party's entrant to the player who has the entrant's place now.
    Seat {
        /// The mark with which the entrant began.
        began_with: Mark,
        player: PlayerId,
        name: PlayerName,
    },
    /// Has a player leave whom the host of the party has removed.
    Unseat {
        player: PlayerId,
    },
    /// Stops the clock, lets it run on, or gives more time.
    Clock {
        change: ClockChange,
        /// Whether there is a clock, or why the change is not stored.
        reply: oneshot::Sender<Result<bool, Refusal>>,
    },
    /// Tells a party from now on what goes on here.
    Attach {
        table: TableReporter,
        /// Gets the table that the room was made for.
        reply: oneshot::Sender<Option<PartyTable>>,
    },
    /// Takes a forgotten player out of the room, with all their devices.
    Forget {
        player: PlayerId,
        /// The connection that asked for it, which stays open.
        asker: ConnectionId,
        /// Whether that is stored.
        reply: oneshot::Sender<bool>,
    },
}

impl RoomCommand {
    /// Answers a command that the room cannot decide on, since its sender is not in the room, or
    /// the room has ended. The reply channel of a command is dropped.
    pub(super) fn reject(self, room: RoomCode, why: fn(RoomCode) -> Refusal) {
        match self {
            Self::Join { .. }
            | Self::EndIfUnattended
            | Self::EndByHost { .. }
            | Self::Remove { .. }
            | Self::Look { .. }
            | Self::Dismiss(_)
            | Self::Seat { .. }
            | Self::Unseat { .. }
            | Self::Clock { .. }
            | Self::HasSeat { .. }
            | Self::Attach { .. }
            | Self::Forget { .. } => {}
            Self::Intent { sender, id, intent: RoomIntent::Leave, .. } => {
                sender.ack(id, Some(room));
            }
            Self::Intent { sender, id, .. } => sender.reject(Some(id), why(room)),
            Self::Ping { sender, id, party_v } => {
                sender.send(&ServerMessage::Pong {
                    id,
                    room: None,
                    v: None,
                    party_v,
                    presence: None,
                });
            }
        }
    }
}
