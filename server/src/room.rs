//! A room as the rest of the server sees it: [`channel`] makes its inbox, [`run`] is its task, and a
//! [`RoomHandle`] reaches it.
//!
//! One task owns one room ([`actor`]). Its [`rules`] are pure. The [`Audience`](crate::actor::Audience) holds its
//! connections. A room's inbox holds [`handle::INBOX`] commands. A connection that finds it full waits,
//! which slows down that connection alone. A room never waits for a connection. It waits for the
//! store, and its inbox fills meanwhile.
//!
//! A stored room hibernates when nobody is connected: its task ends, and the lobby keeps its code.
//! The next join activates it, or the lobby does when the room's time
//! is over. A computer's move and the end of a move clock wait until then.

mod actor;
mod analysis;
mod analysis_pool;
mod chat_broadcast;
mod clock;
mod command;
mod computer_turn;
mod engine_pool;
mod handle;
mod kept_reviews;
mod membership;
mod presence;
mod recent;
mod registration;
pub(crate) mod rules;
pub(crate) mod search_deadline;
pub(crate) mod table;

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{ByMark, Refusal, RefusalCode, RoomCode, RoomSettings, Seat};
use noughts_store::Origin;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::config::rooms::RoomTimes;
use crate::metrics::Metrics;
use crate::storage::{Storage, Switches};
pub(crate) use actor::run;
pub(crate) use analysis_pool::AnalysisPool;
pub(crate) use clock::Clock;
pub(crate) use engine_pool::EnginePool;
pub(crate) use handle::{RoomHandle, RoomInbox, RoomStatus, channel};
pub(crate) use kept_reviews::KeptReviews;
pub(crate) use membership::Membership;
pub(crate) use recent::Recent;
pub(crate) use registration::{Hibernated, Registration};
use rules::Timestamp;

/// How a room's task starts.
#[derive(Debug)]
pub(crate) enum RoomStart {
    New {
        settings: RoomSettings,
        /// The first players.
        seats: ByMark<Seat>,
        /// The intents that led to the room.
        origins: Vec<Origin>,
    },
    Restore(Hibernated),
}

/// The state that all rooms of a server share.
#[derive(Debug)]
pub(crate) struct RoomContext {
    /// Cancelled when the rooms end: the server stops.
    pub(crate) stop: CancellationToken,
    pub(crate) engine_pool: EnginePool,
    pub(crate) analysis_pool: AnalysisPool,
    /// Notified when the lobby's list is out of date.
    pub(crate) lobby_changed: Arc<Notify>,
    /// `None` if rooms are not kept.
    pub(crate) storage: Option<Storage>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    pub(crate) times: RoomTimes,
    pub(crate) computer_delay: Duration,
    /// The features, which a host may switch.
    pub(crate) switches: Switches,
}

impl RoomContext {
    /// Now, by both clocks. Without a store nobody needs the time of day.
    pub(crate) fn timestamp(&self) -> Timestamp {
        let unix_ms = self.storage.as_ref().map_or(0, Storage::unix_ms);
        Timestamp { age: self.clock.now(), unix_ms }
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
