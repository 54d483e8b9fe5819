//! A room as it is stored, and how it is read.

use noughts_protocol::{PlayerId, RoomCode, RoomSettings};
use rusqlite::Connection;

use super::checksum::{self, RoomColumns};
use super::entry::Entry;
use super::error::DiskError;
use super::recent::reader::RecentReader;

/// A room as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRoom {
    /// The room's number.
    pub id: i64,
    /// The room's code, which an earlier room may have had too.
    pub code: RoomCode,
    /// The room's settings.
    pub settings: RoomSettings,
    /// The player who made the room; `None` for a quick match of two players.
    pub maker: Option<PlayerId>,
    /// When the room ended, in milliseconds since 1970, if it has ended.
    pub ended: Option<i64>,
    /// The room's facts in order, up to the first one with a wrong checksum.
    pub entries: Vec<Entry>,
    /// The checksum of the last entry, or of the room if there is none.
    pub crc: u32,
    /// The version of the first fact with a wrong checksum.
    pub broken: Option<u64>,
}

impl StoredRoom {
    /// The room as its own columns describe it, without facts.
    ///
    /// # Errors
    /// If a column is invalid.
    pub(crate) fn of(
        id: i64,
        code: &str,
        settings: &str,
        ended: Option<i64>,
    ) -> Result<Self, DiskError> {
        let damaged = |error: String| DiskError::Damaged(format!("room number {id}: {error}"));
        let code = code.parse().map_err(|error| damaged(format!("{error}")))?;
        let settings: RoomSettings =
            serde_json::from_str(settings).map_err(|e| damaged(e.to_string()))?;
        if !settings.opening_is_legal() {
            return Err(damaged("no board of this size opens like that".to_owned()));
        }
        Ok(Self {
            id,
            code,
            settings,
            maker: None,
            ended,
            entries: Vec::new(),
            crc: 0,
            broken: None,
        })
    }

    /// The wrong checksum as a sentence, if there is one.
    #[must_use]
    pub fn checksum_error(&self) -> Option<String> {
        let v = self.broken?;
        Some(format!(
            "at version {v}: the checksum does not follow from the facts before it, so that one of \
             them is missing or not what was stored"
        ))
    }

    /// Adds the next entry, unless it or one before it has a wrong checksum.
    fn push(&mut self, entry: Entry) {
        if self.broken.is_some() {
            return;
        }
        if checksum::of_fact(self.crc, &entry) == entry.crc {
            self.crc = entry.crc;
            self.entries.push(entry);
        } else {
            self.broken = Some(entry.v);
        }
    }
}

/// The player who made a room, of its columns as in
/// [`NewRoom::origin_columns`](super::entry::NewRoom::origin_columns).
const fn maker([maker, _, guest, _]: [Option<i64>; 4]) -> Option<PlayerId> {
    match (maker, guest) {
        (Some(maker), None) => Some(PlayerId(maker.cast_unsigned())),
        _ => None,
    }
}

/// Reads one room; `None` if there is no such room. A wrong checksum is no error here: the room tells
/// it.
///
/// # Errors
/// If the room cannot be read, or if a column is invalid.
pub(super) fn load(
    connection: &Connection,
    recent: &RecentReader,
    id: i64,
) -> Result<Option<StoredRoom>, DiskError> {
    // Comes first: a fact that is sorted in between is read twice, and none is missed.
    let recent = recent.of_room(connection, id)?;
    let Some((mut room, last)) = load_sorted(connection, id)? else { return Ok(None) };
    for entry in recent.into_iter().filter(|entry| entry.v > last) {
        room.push(entry);
    }
    Ok(Some(room))
}

/// Reads one room as [`load`] does, without recent facts: a room that has ended has none. Returns the
/// version of its last fact too.
///
/// # Errors
/// If the room cannot be read, or if a column is invalid.
pub(super) fn load_sorted(
    connection: &Connection,
    id: i64,
) -> Result<Option<(StoredRoom, u64)>, DiskError> {
    let Some(mut room) = without_facts(connection, id)? else { return Ok(None) };
    let sql = "SELECT v, run, at, cell, fact, crc FROM event WHERE room = ?1 ORDER BY v";
    let mut select = connection.prepare_cached(sql)?;
    let mut last = 0;
    for row in select.query_map([id], Entry::from_row)? {
        let entry = row?;
        last = entry.v;
        room.push(entry);
    }
    Ok(Some((room, last)))
}

fn without_facts(connection: &Connection, id: i64) -> Result<Option<StoredRoom>, DiskError> {
    let sql = "SELECT code, settings, ended, made, maker, maker_intent, guest, guest_intent \
               FROM room WHERE id = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (code, settings): (String, String) = (row.get(0)?, row.get(1)?);
    let origins = [row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?];
    let maker = maker(origins);
    let columns = RoomColumns { id, code: &code, settings: &settings, made: row.get(3)?, origins };
    let room = StoredRoom::of(id, &code, &settings, row.get(2)?)?;
    let maker = maker.filter(|_| room.settings.party.is_none());
    Ok(Some(StoredRoom { maker, crc: checksum::of_room(columns), ..room }))
}
