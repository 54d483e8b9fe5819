//! A room as the rest of the server sees it: [`channel`] makes its inbox, [`run`] is its task, and a
//! [`RoomHandle`] reaches it.
//!
//! One task owns one room ([`actor`]). Its [`rules`] are pure. The [`audience`] holds its
//! connections. A room's inbox holds [`inbox::INBOX`] commands. A connection that finds it full waits,
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
mod command;
mod computer_turn;
mod engine_pool;
mod handle;
mod inbox;
mod kept_reviews;
mod membership;
mod presence;
pub(crate) mod recovery;
mod registration;
pub(crate) mod rules;
pub(crate) mod table;
mod told_chat;
mod told_snapshot;
pub(crate) mod wall_clock;

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{
    ByMark, PlayerId, PlayerName, Refusal, RefusalCode, RoomCode, RoomSettings, Seat,
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::config::rooms::RoomTimes;
use crate::journal::Journal;
use crate::journal::entry::Origin;
use crate::metrics::Metrics;
use crate::outbox::Outbox;
pub(crate) use actor::run;
pub(crate) use analysis_pool::AnalysisPool;
pub(crate) use clock::Clock;
pub(crate) use command::Command;
pub(crate) use engine_pool::EnginePool;
pub(crate) use handle::{Inbox, RoomHandle, RoomStatus, TaskEnded, channel};
pub(crate) use kept_reviews::KeptReviews;
pub(crate) use membership::{Departures, Membership, MembershipId, Stay};
pub(crate) use registration::{Hibernated, Registration};

/// A connection that joins a room.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    pub(crate) outbox: Outbox,
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

/// What all rooms of a server share, or all rooms of a shard.
#[derive(Debug, Clone)]
pub(crate) struct RoomContext {
    /// Cancelled when the rooms end: the server stops, or another node is to have the shard.
    pub(crate) stop: CancellationToken,
    /// When their run began, by the clock: the start of the server, or when the node took the shard.
    pub(crate) began: Duration,
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
    /// Whether quick matches of two people count for their ratings.
    pub(crate) rates_games: bool,
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
