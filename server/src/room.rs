//! A room as the rest of the server sees it: [`channel`] makes its inbox, [`run`] is its task, and a
//! [`RoomHandle`] reaches it.
//!
//! One task owns one room ([`actor`]). Its [`rules`] are pure. The [`audience`] holds its
//! connections. A room's inbox holds [`INBOX`] commands. A connection that finds it full waits,
//! which slows down that connection alone. A room never waits for a connection. It waits for the
//! journal, and its inbox fills meanwhile.
//!
//! A room with a journal hibernates when nobody is connected: its task ends, and the lobby keeps
//! its number in the journal. The next join activates it, or the lobby does when the room's time
//! is over. A computer's move and the end of a move clock wait until then.

mod actor;
mod analysis;
mod analysis_pool;
pub(crate) mod audience;
mod clock;
mod computer_turn;
mod engine_pool;
mod membership;
pub(crate) mod recovery;
mod registration;
pub(crate) mod rules;
pub(crate) mod wall_clock;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use noughts_protocol::{
    ByMark, IntentId, PlayerId, PlayerName, Refusal, RefusalCode, Role, RoomCode, RoomSettings,
    RoomSummary, Seat, ServerMessage,
};
use parking_lot::Mutex;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::config::rooms::RoomTimes;
use crate::journal::Journal;
use crate::journal::entry::Origin;
use crate::metrics::Metrics;
use crate::outbox::Outbox;
pub(crate) use actor::run;
pub(crate) use analysis_pool::AnalysisPool;
pub(crate) use clock::Clock;
pub(crate) use engine_pool::EnginePool;
pub(crate) use membership::Membership;
pub(crate) use registration::{Hibernated, Registration};
pub(crate) use rules::ResumePoint;
pub(crate) use rules::intent::Intent;

/// Commands that may wait in a room's inbox.
const INBOX: usize = 64;

/// A connection's number, unique in one run of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ConnectionId(pub(crate) u64);

/// Somebody at the door: everything a room needs to know of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) connection: ConnectionId,
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    pub(crate) outbox: Outbox,
}

/// What a connection asks of a room. Small, because an inbox has room for 32 from the first one on.
#[derive(Debug)]
enum Command {
    /// Come in. Answered in the outbox (where there is an `id`) and by a membership.
    Join {
        client: Box<Client>,
        role: Role,
        id: Option<IntentId>,
        /// A membership, or nothing for a no that was answered. Dropped, the room was left or fell
        /// asleep, and nothing was answered.
        admitted: oneshot::Sender<Option<Membership>>,
    },
    /// Do something a player does, who asked for it at that moment.
    Act { connection: ConnectionId, id: IntentId, intent: Intent, asked: Instant },
    /// Analyse a position or a game; the answer comes when the analysis has finished.
    Analyze { connection: ConnectionId, id: IntentId, request: AnalysisRequest },
    /// Give up the seat, or stop watching. Carries the membership, so that the departure cannot
    /// overtake it; it comes back where the room says no.
    Leave { membership: Box<Membership>, id: IntentId, refused: oneshot::Sender<Membership> },
    /// End for another room, unless somebody is here.
    EndIfUnattended,
    /// Say whether a player has a seat.
    HasSeat { player: PlayerId, answer: oneshot::Sender<bool> },
    /// Send the snapshot again.
    Sync { connection: ConnectionId, id: IntentId },
    /// Answer with the version.
    Ping { connection: ConnectionId, id: IntentId },
}

impl Command {
    /// Whose command it is; none for those who come in or are in no room.
    fn connection(&self) -> Option<ConnectionId> {
        match self {
            Self::Join { .. } | Self::EndIfUnattended | Self::HasSeat { .. } => None,
            Self::Leave { membership, .. } => Some(membership.id.connection),
            Self::Act { connection, .. }
            | Self::Analyze { connection, .. }
            | Self::Sync { connection, .. }
            | Self::Ping { connection, .. } => Some(*connection),
        }
    }

    /// Answers a connection that is outside `room`, unless nobody asked.
    fn answer_removed(self, outbox: &Outbox, room: RoomCode) {
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

/// What a connection wants to be analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnalysisRequest {
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
    /// Written by the room when a seat, a game or the score changes; read by the lobby. Nothing
    /// until the room is there.
    summary: Arc<Mutex<Option<RoomSummary>>>,
    /// When the room ends if nobody comes, in milliseconds by its clock; 0 while somebody is there.
    unattended_until: Arc<AtomicU64>,
}

/// How a room's task starts.
#[derive(Debug)]
pub(crate) enum Start {
    New {
        settings: RoomSettings,
        /// The first players.
        seats: ByMark<Seat>,
        /// The intents that led to the room, for the journal.
        origins: Vec<Origin>,
    },
    Restore(Hibernated),
}

/// What all rooms of a server share.
#[derive(Debug, Clone)]
pub(crate) struct RoomContext {
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    pub(crate) engine_pool: EnginePool,
    pub(crate) analysis_pool: AnalysisPool,
    /// Notified when the lobby's list is out of date.
    pub(crate) lobby_changed: Arc<Notify>,
    /// `None` if rooms are not kept.
    pub(crate) journal: Option<Journal>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    pub(crate) times: RoomTimes,
    pub(crate) computer_delay: Duration,
}

/// What goes on in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoomStatus {
    /// The task is starting.
    Starting,
    /// A game runs.
    Playing,
    /// A seat is open.
    Waiting,
    /// Both seats are taken, and no game runs.
    BetweenGames,
}

/// The room's task has ended, and nothing was answered: the room is asleep, or no more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskEnded;

impl RoomHandle {
    /// The room's code.
    pub(crate) const fn code(&self) -> RoomCode {
        self.code
    }

    /// The room as the lobby shows it; nothing while it wakes up.
    pub(crate) fn summary(&self) -> Option<RoomSummary> {
        self.summary.lock().clone()
    }

    /// What is going on in the room.
    pub(crate) fn status(&self) -> RoomStatus {
        let summary = self.summary.lock();
        match summary.as_ref() {
            None => RoomStatus::Starting,
            Some(room) if room.game.is_some() => RoomStatus::Playing,
            Some(room) if room.seats.has_open() => RoomStatus::Waiting,
            Some(_) => RoomStatus::BetweenGames,
        }
    }

    /// When the room ends if nobody comes; `None` while somebody is there.
    pub(crate) fn unattended_until(&self) -> Option<Duration> {
        let until = self.unattended_until.load(Ordering::Relaxed);
        (until > 0).then(|| Duration::from_millis(until))
    }

    fn set_unattended(&self, until_ms: u128) {
        let until = u64::try_from(until_ms).unwrap_or(u64::MAX);
        self.unattended_until.store(until, Ordering::Relaxed);
    }

    fn set_summary(&self, summary: RoomSummary) {
        *self.summary.lock() = Some(summary);
    }

    /// Has the room end, unless somebody is there or about to be. Where its inbox is full somebody
    /// is.
    pub(crate) fn end_if_unattended(&self) {
        drop(self.inbox.try_send(Command::EndIfUnattended));
    }

    /// Whether the lobby shows the room.
    pub(crate) fn is_listed(&self) -> bool {
        let summary = self.summary.lock();
        summary.as_ref().is_some_and(|summary| summary.settings.listed)
    }

    /// Brings a client in. The answer to intent `id`, if there is one, and the snapshot go to
    /// the client's outbox; `None` means that the room has said no there.
    pub(crate) async fn join(
        &self,
        client: Client,
        role: Role,
        id: Option<IntentId>,
    ) -> Result<Option<Membership>, TaskEnded> {
        let (admitted, admission) = oneshot::channel();
        let join = Command::Join { client: Box::new(client), role, id, admitted };
        self.inbox.send(join).await.map_err(|_| TaskEnded)?;
        admission.await.map_err(|_| TaskEnded)
    }

    /// Whether a player has a seat here.
    pub(crate) async fn has_seat(&self, player: PlayerId) -> Result<bool, TaskEnded> {
        let (answer, told) = oneshot::channel();
        self.inbox.send(Command::HasSeat { player, answer }).await.map_err(|_| TaskEnded)?;
        told.await.map_err(|_| TaskEnded)
    }

    /// Sends a command at once, unless the inbox is full.
    fn send(&self, command: Command) -> impl Future<Output = Result<(), Refusal>> {
        let full = match self.inbox.try_send(command) {
            Ok(()) => Ok(None),
            Err(TrySendError::Closed(_)) => Err(()),
            // In a box, because it is rare and would make every connection larger.
            Err(TrySendError::Full(command)) => Ok(Some(Box::pin(self.inbox.send(command)))),
        };
        async move {
            let sent = match full {
                Ok(None) => return Ok(()),
                Ok(Some(sending)) => sending.await.map_err(drop),
                Err(()) => Err(()),
            };
            sent.map_err(|()| no_such_room(self.code))
        }
    }
}

/// The refusal for a code without a room.
pub(crate) fn no_such_room(code: RoomCode) -> Refusal {
    let message = format!("there is no room {code}: check the code, or ask for a new one");
    Refusal::new(RefusalCode::NoSuchRoom, message)
}

/// The refusal for a connection that is outside a room.
pub(crate) fn not_in_room(code: RoomCode) -> Refusal {
    Refusal::new(RefusalCode::NotInRoom, format!("you are not in room {code}: join it first"))
}

/// The refusal for what the journal could not store.
pub(crate) fn not_stored() -> Refusal {
    let message = "the server cannot store that at present, so nothing has changed: try again in \
                   a moment";
    Refusal::new(RefusalCode::NotStored, message)
}

/// The receiving end of a room's inbox, for [`run`].
#[derive(Debug)]
pub(crate) struct Inbox {
    handle: RoomHandle,
    commands: mpsc::Receiver<Command>,
}

impl Inbox {
    /// The room that the commands are for.
    pub(crate) const fn handle(&self) -> &RoomHandle {
        &self.handle
    }
}

/// Both ends of a new room's inbox.
pub(crate) fn channel(code: RoomCode) -> (RoomHandle, Inbox) {
    let (inbox, commands) = mpsc::channel(INBOX);
    let (summary, unattended_until) = (Arc::default(), Arc::default());
    let handle = RoomHandle { code, inbox, summary, unattended_until };
    (handle.clone(), Inbox { handle, commands })
}
