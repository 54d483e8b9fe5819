//! `SQLite`'s [`RoomLog`]: it turns a room's facts into entries with versions, times and checksums.
//! Storing them is [`super::writer`]'s.

use std::time::Duration;

use noughts_protocol::{BoardClass, ByMark, Event, PlayerId};
use parking_lot::Mutex;

use super::archive::ended_game::EndedGame;
use super::archive::ratings::standing::{AskedGame, Question, Standing};
use super::committed::Committed;
use super::entry::{EndTime, Entry, NewRoom};
use super::error::DiskError;
use super::reader::ReaderCommand;
use super::room_log::RoomLog;
use super::store::Write;
use super::stored_room::StoredRoom;
use super::uptime::Uptime;
use super::{Journal, checksum};

/// The journal of one room.
#[derive(Debug)]
pub(crate) struct RoomJournal {
    journal: Journal,
    room: i64,
    /// The version and the checksum of the room's last fact, known once the room is created or
    /// loaded.
    last: Mutex<(u64, u32)>,
}

impl RoomLog for RoomJournal {
    async fn create<E: AsRef<[Event]> + Send>(
        &self,
        new: NewRoom,
        facts: E,
    ) -> Result<Committed<E>, DiskError> {
        let made = self.now();
        let (entries, last) = self.entries((0, new.checksum(self.room, made)), &facts, made);
        self.journal.write(Write::Create { room: self.room, new, made, entries }).await?;
        *self.last.lock() = last;
        Ok(Committed::new(facts))
    }

    async fn append<E: AsRef<[Event]> + Send>(
        &self,
        expected_v: u64,
        facts: E,
        kept: Option<Box<EndedGame>>,
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
        let now = self.now();
        let (entries, last) = self.entries(before, &facts, now);
        let is_closed = matches!(facts.as_ref().last(), Some(Event::Closed { .. }));
        let ended = is_closed.then(|| EndTime { at: now, age: self.journal.age() });
        let kept = kept.map(|game| Box::new((*game, self.journal.age())));
        self.journal.write(Write::Append { room: self.room, entries, kept, ended }).await?;
        *self.last.lock() = last;
        Ok(Committed::new(facts))
    }

    async fn load(&self) -> Result<StoredRoom, DiskError> {
        let stored = self.journal.read(|reply| ReaderCommand::Load(self.room, reply)).await?;
        *self.last.lock() = (stored.entries.last().map_or(0, |entry| entry.v), stored.crc);
        Ok(stored)
    }
}

impl RoomJournal {
    pub(super) const fn new(journal: Journal, room: i64) -> Self {
        Self { journal, room, last: Mutex::new((0, 0)) }
    }

    /// The room's number.
    pub(crate) const fn id(&self) -> i64 {
        self.room
    }

    /// When the server ran.
    pub(crate) fn uptime(&self) -> &Uptime {
        &self.journal.uptime
    }

    /// Now, in milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        (self.journal.environment.wall_clock)()
    }

    /// The ratings of the people on its seats, if it is a quick match of two, and whether the game is
    /// rated. Nothing waits for it: it may come after other facts.
    pub(crate) fn standing(
        &self,
        class: BoardClass,
        game: AskedGame,
        seats: ByMark<Option<PlayerId>>,
    ) -> impl Future<Output = Option<Standing>> + Send + use<> {
        let question = Question { room: self.room, class, game, seats, now: self.now() };
        let journal = self.journal.clone();
        async move {
            let standing = journal.read(|reply| ReaderCommand::Standing(question, reply)).await;
            standing.inspect_err(|error| tracing::debug!(%error, "no ratings")).ok().flatten()
        }
    }

    /// Stores that the room has been empty for some time, or with `None` that somebody is in it.
    /// Nobody waits for this: if the queue is full, the room is kept for longer after a restart.
    pub(crate) fn note_vacant(&self, for_time: Option<Duration>) {
        let since = for_time.map(|time| {
            self.now().saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
        });
        let run = self.journal.uptime.current();
        let write = Write::Vacant { room: self.room, run, since };
        self.journal.write_if_possible(write);
    }

    /// The entries of facts that follow the version and the checksum `before`, and the version and
    /// the checksum of the last one.
    fn entries<E: AsRef<[Event]>>(
        &self,
        before: (u64, u32),
        facts: &E,
        now: i64,
    ) -> (Vec<Entry>, (u64, u32)) {
        let (v, crc) = before;
        let run = self.journal.uptime.current();
        let facts = facts.as_ref().iter().zip(v + 1..);
        let mut entries: Vec<_> = facts.map(|(fact, v)| Entry::of(fact, v, run, now)).collect();
        let crc = checksum::seal(crc, &mut entries);
        let last = (entries.last().map_or(v, |entry| entry.v), crc);
        (entries, last)
    }
}
