//! The seam for storage, which is one room's: [`RoomLog`]. `SQLite`'s log is
//! [`super::room_journal`]; [`NotKept`] is the log of a server that keeps nothing. [`AnyRoomLog`] is
//! whichever of them this server has.
//!
//! A log takes a room's facts as the successor of the version that the room knows. It refuses them
//! if another version is the last: two tasks never both continue a room.
//!
//! Only a log makes [`Committed`], and a room applies and shows only what is committed:
//!
//! ```
//! # use noughts_protocol::Event;
//! # use noughts_server::journal::{committed::Committed, room_log::RoomLog};
//! async fn keep(log: impl RoomLog, facts: Vec<Event>) -> Committed<Vec<Event>> {
//!     log.append(7, facts, None).await.unwrap()
//! }
//! ```
//!
//! Nobody else makes it:
//!
//! ```compile_fail
//! # use noughts_protocol::Event;
//! # use noughts_server::journal::{committed::Committed, room_log::RoomLog};
//! async fn keep(log: impl RoomLog, facts: Vec<Event>) -> Committed<Vec<Event>> {
//!     Committed(facts)
//! }
//! ```
//!
//! Events that are not stored are no [`Committed`]:
//!
//! ```compile_fail
//! # use noughts_protocol::Event;
//! # use noughts_server::journal::{committed::Committed, room_log::RoomLog};
//! async fn keep(log: impl RoomLog, facts: Vec<Event>) -> Committed<Vec<Event>> {
//!     facts.into()
//! }
//! ```
//!
//! A log takes facts:
//!
//! ```
//! # use noughts_protocol::Event;
//! # use noughts_server::journal::room_log::RoomLog;
//! async fn keep(log: impl RoomLog, passes: Event) -> bool {
//!     log.append(7, [passes], None).await.is_ok()
//! }
//! ```
//!
//! It does not take what passes:
//!
//! ```compile_fail
//! # use noughts_protocol::Presence;
//! # use noughts_server::journal::room_log::RoomLog;
//! async fn keep(log: impl RoomLog, passes: Presence) -> bool {
//!     log.append(7, [passes], None).await.is_ok()
//! }
//! ```

use noughts_protocol::Event;

use super::archive::ended_game::EndedGame;
use super::committed::Committed;
use super::entry::NewRoom;
use super::error::DiskError;
use super::stored_room::StoredRoom;
use super::{Journal, RoomJournal};

/// The log of one room's facts.
pub trait RoomLog: Send + Sync {
    /// Stores the new room with its first facts.
    ///
    /// # Errors
    /// If that could not be stored. Nothing is stored then, except after [`DiskError::Unknown`].
    fn create<E: AsRef<[Event]> + Send>(
        &self,
        new: NewRoom,
        facts: E,
    ) -> impl Future<Output = Result<Committed<E>, DiskError>> + Send;

    /// Stores facts as the successors of version `expected_v`. Returns at once if there are none.
    /// The game that ends with them, if one does, gets into the archive with them.
    ///
    /// # Errors
    /// If `expected_v` is not the last stored version, or if the facts could not be stored. None of
    /// them is stored then, except after [`DiskError::Unknown`].
    fn append<E: AsRef<[Event]> + Send>(
        &self,
        expected_v: u64,
        facts: E,
        kept: Option<Box<EndedGame>>,
    ) -> impl Future<Output = Result<Committed<E>, DiskError>> + Send;

    /// Reads all that is stored of the room.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self) -> impl Future<Output = Result<StoredRoom, DiskError>> + Send;
}

/// The log of a room that ends with the server: it keeps nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NotKept;

impl RoomLog for NotKept {
    async fn create<E: AsRef<[Event]> + Send>(
        &self,
        _: NewRoom,
        facts: E,
    ) -> Result<Committed<E>, DiskError> {
        Ok(Committed::new(facts))
    }

    async fn append<E: AsRef<[Event]> + Send>(
        &self,
        _: u64,
        facts: E,
        _: Option<Box<EndedGame>>,
    ) -> Result<Committed<E>, DiskError> {
        Ok(Committed::new(facts))
    }

    async fn load(&self) -> Result<StoredRoom, DiskError> {
        Err(DiskError::Damaged("nothing is kept".to_owned()))
    }
}

/// The log of one room of this server.
#[derive(Debug)]
pub(crate) enum AnyRoomLog {
    /// The room outlives the server.
    Kept(RoomJournal),
    /// The room ends with the server.
    NotKept(NotKept),
}

impl AnyRoomLog {
    /// The log of a new room.
    pub(crate) fn new_room(journal: Option<&Journal>) -> Self {
        journal.map_or(Self::NotKept(NotKept), |journal| Self::Kept(journal.new_room()))
    }

    /// The journal of a room that outlives the server; only this room can hibernate.
    pub(crate) const fn kept(&self) -> Option<&RoomJournal> {
        match self {
            Self::Kept(journal) => Some(journal),
            Self::NotKept(_) => None,
        }
    }
}

impl RoomLog for AnyRoomLog {
    async fn create<E: AsRef<[Event]> + Send>(
        &self,
        new: NewRoom,
        facts: E,
    ) -> Result<Committed<E>, DiskError> {
        match self {
            Self::Kept(journal) => Box::pin(journal.create(new, facts)).await,
            Self::NotKept(log) => log.create(new, facts).await,
        }
    }

    async fn append<E: AsRef<[Event]> + Send>(
        &self,
        expected_v: u64,
        facts: E,
        kept: Option<Box<EndedGame>>,
    ) -> Result<Committed<E>, DiskError> {
        match self {
            // In a box, so that rooms that are not kept are no larger for it.
            Self::Kept(journal) => Box::pin(journal.append(expected_v, facts, kept)).await,
            Self::NotKept(log) => log.append(expected_v, facts, kept).await,
        }
    }

    async fn load(&self) -> Result<StoredRoom, DiskError> {
        match self {
            Self::Kept(journal) => journal.load().await,
            Self::NotKept(log) => log.load().await,
        }
    }
}
