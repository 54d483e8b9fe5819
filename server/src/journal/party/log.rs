//! The log of one party, in the shape of a room's [`RoomLog`](crate::journal::room_log::RoomLog): it takes
//! facts as the successors of the version that the party knows, and only it makes their
//! [`Committed`].

use std::collections::HashMap;

use noughts_protocol::{PartyEvent, RoomCode};
use parking_lot::Mutex;

use super::store::PartyWrite;
use super::{NewParty, PartyEntry, StoredParty, seal};
use crate::journal::Journal;
use crate::journal::committed::Committed;
use crate::journal::entry::EndTime;
use crate::journal::error::DiskError;
use crate::journal::reader::ReaderCommand;
use crate::journal::store::Write;
use crate::journal::stored_room::StoredRoom;

/// The numbers in the journal of the rooms that facts name.
pub type RoomNumbers = HashMap<RoomCode, i64>;

/// The log of one party's facts.
pub trait PartyLog: Send + Sync {
    /// Stores the new party with its first facts.
    ///
    /// # Errors
    /// If that could not be stored. Nothing is stored then, except after [`DiskError::Unknown`].
    fn create<E: AsRef<[PartyEvent]> + Send>(
        &self,
        new: NewParty,
        facts: E,
    ) -> impl Future<Output = Result<Committed<E>, DiskError>> + Send;

    /// Stores facts as the successors of version `expected_v`. Returns at once if there are none.
    ///
    /// # Errors
    /// If `expected_v` is not the last stored version, or if the facts could not be stored. None of
    /// them is stored then, except after [`DiskError::Unknown`].
    fn append<E: AsRef<[PartyEvent]> + Send>(
        &self,
        expected_v: u64,
        facts: E,
        rooms: &RoomNumbers,
    ) -> impl Future<Output = Result<Committed<E>, DiskError>> + Send;
}

/// The journal of one party.
#[derive(Debug)]
pub(crate) struct PartyJournal {
    journal: Journal,
    party: i64,
    /// The version and the checksum of the party's last fact, known once the party is created or
    /// loaded.
    last: Mutex<(u64, u32)>,
}

impl PartyLog for PartyJournal {
    async fn create<E: AsRef<[PartyEvent]> + Send>(
        &self,
        new: NewParty,
        facts: E,
    ) -> Result<Committed<E>, DiskError> {
        let made = self.now();
        let before = (0, new.checksum(self.party, made));
        let (entries, last) = self.entries(before, facts.as_ref(), &RoomNumbers::new());
        self.write(PartyWrite::Create { new, made, entries }).await?;
        *self.last.lock() = last;
        Ok(Committed::new(facts))
    }

    async fn append<E: AsRef<[PartyEvent]> + Send>(
        &self,
        expected_v: u64,
        facts: E,
        rooms: &RoomNumbers,
    ) -> Result<Committed<E>, DiskError> {
        if facts.as_ref().is_empty() {
            return Ok(Committed::new(facts));
        }
        let before = *self.last.lock();
        // A log that is behind the file is refused there: the file has that version already.
        if before.0 != expected_v {
            let error = format!("it follows version {expected_v}, and the last is {}", before.0);
            return Err(DiskError::Refused(error));
        }
        let (entries, last) = self.entries(before, facts.as_ref(), rooms);
        self.write(PartyWrite::Append { entries }).await?;
        *self.last.lock() = last;
        Ok(Committed::new(facts))
    }
}

impl PartyJournal {
    /// The journal of a party with this number.
    pub(crate) const fn new(journal: Journal, party: i64) -> Self {
        Self { journal, party, last: Mutex::new((0, 0)) }
    }

    /// Reads all that is stored of the party.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) async fn load(&self) -> Result<StoredParty, DiskError> {
        let stored = self.journal.read(|reply| ReaderCommand::LoadParty(self.party, reply)).await?;
        *self.last.lock() = (stored.entries.last().map_or(0, |entry| entry.v), stored.crc());
        Ok(stored)
    }

    /// Reads the room of a game that was opened.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) async fn load_room(&self, room: i64) -> Result<StoredRoom, DiskError> {
        self.journal.read(|reply| ReaderCommand::Load(room, reply)).await
    }

    /// Stores that the party has ended.
    ///
    /// # Errors
    /// If that could not be stored.
    pub(crate) async fn end(&self) -> Result<(), DiskError> {
        let end = EndTime { at: self.now(), age: self.journal.age() };
        self.write(PartyWrite::End(end)).await
    }

    async fn write(&self, write: PartyWrite) -> Result<(), DiskError> {
        self.journal.write(Write::Party { party: self.party, write }).await
    }

    fn now(&self) -> i64 {
        (self.journal.environment.wall_clock)()
    }

    /// The entries of facts that follow the version and the checksum `before`, and the version and
    /// the checksum of the last one.
    fn entries(
        &self,
        before: (u64, u32),
        facts: &[PartyEvent],
        rooms: &RoomNumbers,
    ) -> (Vec<PartyEntry>, (u64, u32)) {
        let (v, crc) = before;
        let (run, now) = (self.journal.uptime.current(), self.now());
        let entry = |(fact, v): (&PartyEvent, u64)| {
            let room = match fact {
                PartyEvent::Opened { room, .. } => rooms.get(room).copied(),
                _ => None,
            };
            PartyEntry::of(fact, v, run, now, room)
        };
        let mut entries: Vec<_> = facts.iter().zip(v + 1..).map(entry).collect();
        let crc = seal(crc, &mut entries);
        let last = (entries.last().map_or(v, |entry| entry.v), crc);
        (entries, last)
    }
}

/// The log of one party of this server. A party that is not kept ends with the server.
#[derive(Debug)]
pub(crate) enum AnyPartyLog {
    /// The party outlives the server.
    Kept(PartyJournal),
    /// The party ends with the server.
    NotKept,
}

impl AnyPartyLog {
    /// The journal of a party that outlives the server.
    pub(crate) const fn kept(&self) -> Option<&PartyJournal> {
        match self {
            Self::Kept(journal) => Some(journal),
            Self::NotKept => None,
        }
    }
}

impl PartyLog for AnyPartyLog {
    async fn create<E: AsRef<[PartyEvent]> + Send>(
        &self,
        new: NewParty,
        facts: E,
    ) -> Result<Committed<E>, DiskError> {
        match self {
            Self::Kept(journal) => journal.create(new, facts).await,
            Self::NotKept => Ok(Committed::new(facts)),
        }
    }

    async fn append<E: AsRef<[PartyEvent]> + Send>(
        &self,
        expected_v: u64,
        facts: E,
        rooms: &RoomNumbers,
    ) -> Result<Committed<E>, DiskError> {
        match self {
            Self::Kept(journal) => journal.append(expected_v, facts, rooms).await,
            Self::NotKept => Ok(Committed::new(facts)),
        }
    }
}
