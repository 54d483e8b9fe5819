//! The table `party`.

use noughts_protocol::{IntentId, PartyCode, PlayerId, RoomCode};
use rusqlite::{Connection, Row, params};

use crate::change::PartyRow;
use crate::crc;
use crate::error::ReadError;
use crate::row::damaged;

/// What the server must know of a party before somebody comes to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveParty {
    /// The code.
    pub code: PartyCode,
    /// The player who made it.
    pub host: PlayerId,
    /// The intent that made it.
    pub intent: IntentId,
}

const COLUMNS: &str = "code, v, host, intent, state, crc";

/// As [`room::save`](crate::room::save).
pub(crate) fn save(
    connection: &Connection,
    code: PartyCode,
    expected: Option<u64>,
    row: &PartyRow,
) -> rusqlite::Result<bool> {
    let v = row.v.cast_signed();
    let host = row.host.0.cast_signed();
    let intent = u64::from(row.intent).cast_signed();
    let values = params![code.0.number(), v, host, intent, row.state];
    let changed = match expected {
        None => {
            // The code of a kept party stays its own: people have its address.
            let sql = "INSERT INTO party SELECT ?1, ?2, ?3, ?4, ?5, ?6 \
                       WHERE NOT EXISTS (SELECT 1 FROM kept_party WHERE code = ?1) \
                       ON CONFLICT DO NOTHING";
            crc::execute(connection, sql, values, &[])?
        }
        Some(expected) => {
            let sql = "UPDATE party SET v = ?2, host = ?3, intent = ?4, state = ?5, crc = ?6 \
                       WHERE code = ?1 AND v = ?7";
            crc::execute(connection, sql, values, params![expected.cast_signed()])?
        }
    };
    Ok(changed > 0)
}

/// As [`room::end`](crate::room::end).
pub(crate) fn end(
    connection: &Connection,
    code: PartyCode,
    expected: u64,
) -> rusqlite::Result<bool> {
    let mut delete = connection.prepare_cached("DELETE FROM party WHERE code = ?1 AND v = ?2")?;
    Ok(delete.execute(params![code.0.number(), expected.cast_signed()])? > 0)
}

/// Reads a party.
pub(crate) fn load(
    connection: &Connection,
    code: PartyCode,
) -> Result<Option<PartyRow>, ReadError> {
    let sql = format!("SELECT {COLUMNS} FROM party WHERE code = ?1");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([code.0.number()])?;
    rows.next()?.map(|row| from_row(row, code)).transpose()
}

/// Calls `each` with every party, as it is stored.
pub(crate) fn each(
    connection: &Connection,
    mut each: impl FnMut(PartyCode, Result<PartyRow, ReadError>),
) -> Result<(), ReadError> {
    let mut select = connection.prepare(&format!("SELECT {COLUMNS} FROM party ORDER BY code"))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let code = code(row, 0)?;
        each(code, from_row(row, code));
    }
    Ok(())
}

fn from_row(row: &Row<'_>, code: PartyCode) -> Result<PartyRow, ReadError> {
    crc::check(row, 5, &format!("party {code}"))?;
    Ok(PartyRow {
        v: row.get::<_, i64>(1)?.cast_unsigned(),
        host: PlayerId(row.get::<_, i64>(2)?.cast_unsigned()),
        intent: intent(row, 3)?,
        state: row.get(4)?,
    })
}

fn code(row: &Row<'_>, column: usize) -> rusqlite::Result<PartyCode> {
    Ok(PartyCode(RoomCode::from_number(row.get(column)?)))
}

fn intent(row: &Row<'_>, column: usize) -> rusqlite::Result<IntentId> {
    let id = row.get::<_, i64>(column)?.cast_unsigned();
    id.try_into().map_err(|error| damaged(column, error))
}

/// The parties at the start of the server. One that makes no sense here is left out: `verify` tells it.
pub(crate) fn live(connection: &Connection) -> rusqlite::Result<Vec<LiveParty>> {
    let mut select = connection.prepare("SELECT code, host, intent FROM party")?;
    let mut rows = select.query([])?;
    let mut live = Vec::new();
    while let Some(row) = rows.next()? {
        let party = || -> rusqlite::Result<LiveParty> {
            let host = PlayerId(row.get::<_, i64>(1)?.cast_unsigned());
            Ok(LiveParty { code: code(row, 0)?, host, intent: intent(row, 2)? })
        };
        match party() {
            Ok(party) => live.push(party),
            Err(error) => tracing::error!("a party of noughts.db is damaged: {error}"),
        }
    }
    Ok(live)
}
