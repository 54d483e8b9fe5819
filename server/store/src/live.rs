//! The table `live`: the rooms and the parties that have not ended. A code is that of one of them at most.

use std::time::Duration;

use noughts_protocol::{IntentId, PartyCode, PlayerId, RoomCode};
use rusqlite::{Connection, Row, params};

use crate::change::{LiveRow, Origin};
use crate::crc;
use crate::error::ReadError;
use crate::row::{damaged, milliseconds};

/// A room or a party, as the server must know it before somebody comes to it. The fields are those
/// of [`LiveRow`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The code.
    pub code: RoomCode,
    /// When a room is due; `None` for a party.
    pub until: Option<Duration>,
    /// The intents that made it.
    pub origins: Vec<Origin>,
    /// The party of which a room is a table.
    pub party: Option<PartyCode>,
}

impl Live {
    /// Whether it is a party.
    #[must_use]
    pub const fn is_party(&self) -> bool {
        self.until.is_none()
    }
}

/// Stores the row of a code, if the version `expected` is stored, or none; without a `row` the code is free
/// again. Returns whether that is done.
pub(crate) fn save(
    connection: &Connection,
    code: RoomCode,
    expected: Option<u64>,
    row: Option<&LiveRow>,
) -> rusqlite::Result<bool> {
    let number = code.number();
    let expected = expected.map(u64::cast_signed);
    let Some(row) = row else {
        let mut delete =
            connection.prepare_cached("DELETE FROM live WHERE code = ?1 AND v = ?2")?;
        return Ok(delete.execute(params![number, expected])? > 0);
    };
    let until = row.until.map(milliseconds);
    let origins: Vec<u8> = row.origins.iter().flat_map(encoded).collect();
    let party = row.party.map(|party| party.0.number());
    let values = params![number, row.v.cast_signed(), until, origins, party, row.state];
    let changed = if expected.is_some() {
        let sql = "UPDATE live SET v = ?2, until = ?3, origins = ?4, party = ?5, state = ?6, \
                   crc = ?7 WHERE code = ?1 AND v = ?8";
        crc::execute(connection, sql, values, params![expected])?
    } else {
        // The code of a kept party stays its own: people have its address.
        let sql = "INSERT INTO live SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 \
                   WHERE ?3 IS NOT NULL OR NOT EXISTS (SELECT 1 FROM kept_party WHERE code = ?1) \
                   ON CONFLICT DO NOTHING";
        crc::execute(connection, sql, values, &[])?
    };
    Ok(changed > 0)
}

/// A player and the id of an intent.
fn encoded(Origin { player, id }: &Origin) -> impl Iterator<Item = u8> + use<> {
    player.0.to_be_bytes().into_iter().chain(u64::from(*id).to_be_bytes())
}

/// Reads the row of a code.
pub(crate) fn load(connection: &Connection, code: RoomCode) -> Result<Option<LiveRow>, ReadError> {
    let mut select = connection.prepare_cached("SELECT * FROM live WHERE code = ?1")?;
    let mut rows = select.query([code.number()])?;
    rows.next()?.map(|row| from_row(row, code)).transpose()
}

/// Calls `each` with every code and its row, as it is stored.
pub(crate) fn each(
    connection: &Connection,
    mut each: impl FnMut(RoomCode, Result<LiveRow, ReadError>),
) -> Result<(), ReadError> {
    let mut select = connection.prepare("SELECT * FROM live ORDER BY code")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let code = RoomCode::from_number(row.get(0)?);
        each(code, from_row(row, code));
    }
    Ok(())
}

fn from_row(row: &Row<'_>, code: RoomCode) -> Result<LiveRow, ReadError> {
    crc::check(row, &format!("room or party {code}"))?;
    Ok(LiveRow {
        v: row.get::<_, i64>(1)?.cast_unsigned(),
        until: until(row, 2)?,
        origins: origins(row, 3)?,
        party: party(row, 4)?,
        saved_at: None,
        state: row.get(5)?,
    })
}

fn until(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Duration>> {
    let until: Option<i64> = row.get(column)?;
    Ok(until.map(|until| Duration::from_millis(until.cast_unsigned())))
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

/// The rooms and parties at the start of the server. A damaged row is logged and left out.
pub(crate) fn all(connection: &Connection) -> rusqlite::Result<Vec<Live>> {
    let mut select = connection.prepare("SELECT code, until, origins, party FROM live")?;
    let mut rows = select.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let live = || -> rusqlite::Result<Live> {
            let code = RoomCode::from_number(row.get(0)?);
            Ok(Live {
                code,
                until: until(row, 1)?,
                origins: origins(row, 2)?,
                party: party(row, 3)?,
            })
        };
        match live() {
            Ok(live) => all.push(live),
            Err(error) => tracing::error!("a room or a party of noughts.db is damaged: {error}"),
        }
    }
    Ok(all)
}

/// The codes whose state or origins hold the id of a person.
pub(crate) fn naming(
    connection: &Connection,
    player: PlayerId,
) -> Result<Vec<RoomCode>, ReadError> {
    let sql = "SELECT code FROM live WHERE instr(origins, ?1) OR instr(state, ?2)";
    let mut select = connection.prepare(sql)?;
    let id = params![player.0.to_be_bytes(), player.to_string()];
    let rows = select.query_map(id, |row| Ok(RoomCode::from_number(row.get(0)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
