//! The table `room`.

use std::time::Duration;

use noughts_protocol::{IntentId, PartyCode, PlayerId, RoomCode};
use rusqlite::{Connection, Row, params};

use crate::change::{Origin, RoomRow};
use crate::crc;
use crate::error::ReadError;
use crate::row::{damaged, duration, milliseconds};

/// What the server must know of a room before somebody comes to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRoom {
    /// The code.
    pub code: RoomCode,
    /// The running time of the server at which the room is due if nobody is there.
    pub until: Duration,
    /// The intents that made it.
    pub origins: Vec<Origin>,
    /// The party of which it is a table.
    pub party: Option<PartyCode>,
}

const COLUMNS: &str = "code, v, until, origins, party, state, crc";

/// Stores a room, if the version `expected` is stored, or no room of this code. Returns whether it was.
pub(crate) fn save(
    connection: &Connection,
    code: RoomCode,
    expected: Option<u64>,
    row: &RoomRow,
) -> rusqlite::Result<bool> {
    let v = row.v.cast_signed();
    let until = milliseconds(row.until);
    let origins: Vec<u8> = row.origins.iter().flat_map(encoded).collect();
    let party = row.party.map(|party| party.0.number());
    let values = params![code.number(), v, until, origins, party, row.state];
    let changed = match expected {
        None => {
            let sql = "INSERT INTO room VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";
            crc::execute(connection, sql, values, &[])?
        }
        Some(expected) => {
            let sql = "UPDATE room SET v = ?2, until = ?3, origins = ?4, party = ?5, state = ?6, \
                       crc = ?7 WHERE code = ?1 AND v = ?8";
            crc::execute(connection, sql, values, params![expected.cast_signed()])?
        }
    };
    Ok(changed > 0)
}

/// A player and the id of an intent.
fn encoded(Origin { player, id }: &Origin) -> impl Iterator<Item = u8> + use<> {
    player.0.to_be_bytes().into_iter().chain(u64::from(*id).to_be_bytes())
}

/// Removes a room of which the version `expected` is stored. Returns whether it was.
pub(crate) fn end(
    connection: &Connection,
    code: RoomCode,
    expected: u64,
) -> rusqlite::Result<bool> {
    let mut delete = connection.prepare_cached("DELETE FROM room WHERE code = ?1 AND v = ?2")?;
    Ok(delete.execute(params![code.number(), expected.cast_signed()])? > 0)
}

/// Reads a room.
pub(crate) fn load(connection: &Connection, code: RoomCode) -> Result<Option<RoomRow>, ReadError> {
    let sql = format!("SELECT {COLUMNS} FROM room WHERE code = ?1");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([code.number()])?;
    rows.next()?.map(|row| from_row(row, code)).transpose()
}

/// Calls `each` with every room, as it is stored.
pub(crate) fn each(
    connection: &Connection,
    mut each: impl FnMut(RoomCode, Result<RoomRow, ReadError>),
) -> Result<(), ReadError> {
    let mut select = connection.prepare(&format!("SELECT {COLUMNS} FROM room ORDER BY code"))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let code = RoomCode::from_number(row.get(0)?);
        each(code, from_row(row, code));
    }
    Ok(())
}

fn from_row(row: &Row<'_>, code: RoomCode) -> Result<RoomRow, ReadError> {
    crc::check(row, 6, &format!("room {code}"))?;
    Ok(RoomRow {
        v: row.get::<_, i64>(1)?.cast_unsigned(),
        until: duration(row, 2)?,
        origins: origins(row, 3)?,
        party: party(row, 4)?,
        saved_at: None,
        state: row.get(5)?,
    })
}

fn party(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<PartyCode>> {
    let number: Option<u32> = row.get(column)?;
    Ok(number.map(|number| PartyCode(RoomCode::from_number(number))))
}

fn origins(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<Origin>> {
    let blob = row.get_ref(column)?.as_blob().map_err(|error| damaged(column, error))?;
    let (numbers, rest) = blob.as_chunks::<8>();
    let (pairs, odd) = numbers.as_chunks::<2>();
    if !rest.is_empty() || !odd.is_empty() {
        return Err(damaged(column, "an intent is cut"));
    }
    let origin = |[player, id]: &[[u8; 8]; 2]| {
        let id: IntentId = u64::from_be_bytes(*id).try_into().map_err(|e| damaged(column, e))?;
        Ok(Origin { player: PlayerId(u64::from_be_bytes(*player)), id })
    };
    pairs.iter().map(origin).collect()
}

/// The rooms at the start of the server. One that makes no sense here is left out: `verify` tells it.
pub(crate) fn live(connection: &Connection) -> rusqlite::Result<Vec<LiveRoom>> {
    let sql = "SELECT code, until, origins, party FROM room";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    let mut live = Vec::new();
    while let Some(row) = rows.next()? {
        let room = || -> rusqlite::Result<LiveRoom> {
            let code = RoomCode::from_number(row.get(0)?);
            let until = duration(row, 1)?;
            let origins = origins(row, 2)?;
            Ok(LiveRoom { code, until, origins, party: party(row, 3)? })
        };
        match room() {
            Ok(room) => live.push(room),
            Err(error) => tracing::error!("a room of noughts.db is damaged: {error}"),
        }
    }
    Ok(live)
}

/// The rooms whose state or origins hold the id of a person.
pub(crate) fn naming(
    connection: &Connection,
    player: PlayerId,
) -> Result<Vec<RoomCode>, ReadError> {
    let sql = "SELECT code FROM room WHERE instr(origins, ?1) OR instr(state, ?2)";
    let mut select = connection.prepare(sql)?;
    let id = params![player.0.to_be_bytes(), player.to_string()];
    let rows = select.query_map(id, |row| Ok(RoomCode::from_number(row.get(0)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
