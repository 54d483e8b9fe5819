//! A room's handle of the journal: it turns the room's events into entries with versions, times and
//! checksums. Storing them is [`super::writer`]'s.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use noughts_protocol::Event;
use tokio::sync::oneshot;

use super::committed::Committed;
use super::entry::{Entry, NewRoom, RoomEnd};
use super::error::DiskError;
use super::reader::{ReaderCommand, StoredRoom};
use super::store::Write;
use super::uptime::Uptime;
use super::writer::WriterCommand;
use super::{Journal, checksum, closed};

/// The journal of one room.
#[derive(Debug)]
pub(crate) struct RoomJournal {
    journal: Journal,
    room: i64,
    /// The checksum of the room's last fact, known once the room is created or loaded.
    crc: AtomicU32,
}

impl RoomJournal {
    pub(super) const fn new(journal: Journal, room: i64) -> Self {
        Self { journal, room, crc: AtomicU32::new(0) }
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

    /// Stores the new room with its first events.
    ///
    /// # Errors
    /// If that could not be stored.
    pub(crate) async fn make<E: AsRef<[Event]>>(
        &self,
        new: NewRoom,
        events: E,
    ) -> Result<Committed<E>, DiskError> {
        let (entries, crc) = self.entries(0, events.as_ref(), new.made, new.checksum(self.room));
        self.journal.write(Write::Create { room: self.room, new, entries }).await?;
        self.crc.store(crc, Ordering::Relaxed);
        Ok(Committed::new(events))
    }

    /// Stores the facts among the events after version `v`. Returns at once if there are none.
    ///
    /// # Errors
    /// If they could not be stored. None of them is stored then, except after
    /// [`DiskError::Unknown`].
    pub(crate) async fn append<E: AsRef<[Event]>>(
        &self,
        v: u64,
        events: E,
    ) -> Result<Committed<E>, DiskError> {
        let now = self.now();
        let (entries, crc) =
            self.entries(v, events.as_ref(), now, self.crc.load(Ordering::Relaxed));
        if entries.is_empty() {
            return Ok(Committed::new(events));
        }
        let is_closed = matches!(events.as_ref().last(), Some(Event::Closed { .. }));
        let ended = is_closed.then(|| RoomEnd { at: now, age: self.journal.age() });
        self.journal.write(Write::Append { room: self.room, entries, ended }).await?;
        self.crc.store(crc, Ordering::Relaxed);
        Ok(Committed::new(events))
    }

    /// Reads all that is stored of the room.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) async fn load(&self) -> Result<StoredRoom, DiskError> {
        let (reply, loaded) = oneshot::channel();
        let command = ReaderCommand::Load(self.room, reply);
        self.journal.reader.send(command).await.map_err(|_| closed())?;
        let stored = loaded.await.map_err(|_| closed())??;
        self.crc.store(stored.crc, Ordering::Relaxed);
        Ok(stored)
    }

    /// Stores that the room has been empty for some time, or with `None` that somebody is in it.
    /// Nobody waits for this: if the queue is full, the room is kept for longer after a restart.
    pub(crate) fn note_vacant(&self, for_time: Option<Duration>) {
        let since = for_time.map(|time| {
            self.now().saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
        });
        let write = Write::Vacant { room: self.room, since };
        drop(self.journal.writer.try_send(WriterCommand::Store(write, None)));
    }

    /// The entries of the facts among the events after version `v`, and the checksum of the last
    /// entry. `before` is the checksum that the first entry follows.
    fn entries(&self, v: u64, events: &[Event], now: i64, before: u32) -> (Vec<Entry>, u32) {
        let run = self.journal.uptime.current();
        let events = events.iter().zip(v + 1..);
        let mut entries: Vec<_> =
            events.filter_map(|(event, v)| Entry::of(event, v, run, now)).collect();
        let crc = checksum::seal(before, &mut entries);
        (entries, crc)
    }
}
