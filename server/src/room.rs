//! The door of a room: [`spawn`] starts its task, a [`RoomHandle`] reaches it.
//!
//! One task owns one room ([`actor`]); the rules are a pure [`table`]; who listens is the
//! [`audience`]. A room's inbox holds [`INBOX`] commands; a connection that finds it full waits,
//! which slows that connection down and nobody else. A room never waits for a connection.

mod actor;
pub(crate) mod audience;
mod lessons;
mod membership;
pub(crate) mod outbox;
pub(crate) mod table;
mod thought;
mod tutors;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_protocol::{
    ByMark, IntentId, PlayerId, PlayerName, Refusal, RefusalCode, Role, RoomCode, RoomSettings,
    RoomSummary, Seat,
};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::lobby::registry::Registration;
pub(crate) use membership::Membership;
use outbox::Outbox;
pub(crate) use table::Times;
pub(crate) use table::intent::Intent;
pub(crate) use thought::Thinkers;
pub(crate) use tutors::Tutors;

/// Commands that may wait in a room's inbox.
const INBOX: usize = 64;

/// A connection's number, unique in one run of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ConnectionId(pub(crate) u64);

/// Somebody at the door: everything a room needs to know of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    pub(crate) connection: ConnectionId,
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    pub(crate) outbox: Outbox,
}

/// What a connection asks of a room.
#[derive(Debug)]
enum Command {
    /// Come in. Answered in the outbox (where there is an `id`) and by a membership.
    Join {
        visitor: Visitor,
        role: Role,
        id: Option<IntentId>,
        admitted: oneshot::Sender<Membership>,
    },
    /// Do something a player does.
    Act { connection: ConnectionId, id: IntentId, intent: Intent },
    /// Learn something; the lesson comes when it is worked out.
    Learn { connection: ConnectionId, id: IntentId, wanted: Wanted },
    /// Give up the seat, or stop watching. Carries the membership, so that the departure cannot
    /// overtake it.
    Leave { membership: Membership, id: IntentId },
    /// Send the snapshot again.
    Sync { connection: ConnectionId, id: IntentId },
    /// Answer with the version.
    Ping { connection: ConnectionId, id: IntentId },
}

/// What a connection wants to learn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The best moves, now.
    Hint { game: u32 },
    /// How good each move of a game was.
    Review { game: u32 },
}

/// Reaches a room. Cheap to clone; outlives the room harmlessly.
#[derive(Debug, Clone)]
pub(crate) struct RoomHandle {
    code: RoomCode,
    inbox: mpsc::Sender<Command>,
    /// Written by the room when a seat, a game or the score changes; read by the lobby.
    summary: Arc<Mutex<RoomSummary>>,
}

/// What a room is made of, apart from its code.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) settings: RoomSettings,
    pub(crate) seats: ByMark<Seat>,
    pub(crate) times: Times,
    pub(crate) computer_delay: Duration,
}

/// What the server lends to every room.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    /// Where computers think.
    pub(crate) thinkers: Thinkers,
    /// Where teachers do.
    pub(crate) tutors: Tutors,
    /// Tells the lobby that its lists are out of date.
    pub(crate) lobby_changed: Arc<Notify>,
}

impl RoomHandle {
    /// The room's code.
    pub(crate) const fn code(&self) -> RoomCode {
        self.code
    }

    /// The room as the lobby shows it.
    pub(crate) fn summary(&self) -> RoomSummary {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the lobby shows the room.
    pub(crate) fn is_listed(&self) -> bool {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner).settings.listed
    }

    /// Brings a visitor in. The answer to intent `id`, if there is one, and the snapshot go to
    /// the visitor's outbox; `None` means that the room has said no there.
    ///
    /// # Errors
    /// Where the room has ended; nothing was answered then.
    pub(crate) async fn join(
        &self,
        visitor: Visitor,
        role: Role,
        id: Option<IntentId>,
    ) -> Result<Option<Membership>, Refusal> {
        let (admitted, admission) = oneshot::channel();
        self.send(Command::Join { visitor, role, id, admitted }).await?;
        Ok(admission.await.ok())
    }

    async fn send(&self, command: Command) -> Result<(), Refusal> {
        self.inbox.send(command).await.map_err(|_| no_such_room(self.code))
    }
}

/// The refusal for a code without a room.
pub(crate) fn no_such_room(code: RoomCode) -> Refusal {
    let message = format!("there is no room {code}: check the code, or ask for a new one");
    Refusal::new(RefusalCode::NoSuchRoom, message)
}

/// Makes a room: its handle, and the task that is to be run until the room ends. `registration`
/// is dropped with the task, however that ends, and takes the room out of the registry.
pub(crate) fn spawn(
    code: RoomCode,
    plan: Plan,
    surroundings: Surroundings,
) -> (RoomHandle, impl FnOnce(Registration) -> actor::Running) {
    let (inbox, commands) = mpsc::channel(INBOX);
    let actor = actor::Actor::new(code, plan, surroundings, commands);
    let handle = RoomHandle { code, inbox, summary: actor.summary() };
    (handle, move |registration| actor.run(registration))
}
