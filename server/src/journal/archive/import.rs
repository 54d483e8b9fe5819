//! The games of a file that becomes a node's get the new numbers of their rooms.

use rusqlite::{Connection, params};

use super::columns::{COLUMNS, GameColumns};

/// Gives every game the number that `new` tells for its room.
pub(in crate::journal) fn renumber(
    connection: &Connection,
    mut new: impl FnMut(i64) -> i64,
) -> rusqlite::Result<()> {
    let mut select = connection.prepare("SELECT n FROM game ORDER BY n")?;
    let games: Vec<i64> =
        select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut select = connection.prepare(&format!("SELECT {COLUMNS} FROM game WHERE n = ?1"))?;
    let mut update = connection.prepare("UPDATE game SET room = ?2, crc = ?3 WHERE n = ?1")?;
    for n in games {
        let (mut columns, crc) = select.query_row([n], GameColumns::from_row)?;
        // A damaged row stays one that `verify` tells.
        let damage = crc ^ columns.checksum();
        columns.room = new(columns.room);
        update.execute(params![n, columns.room, columns.checksum() ^ damage])?;
    }
    Ok(())
}
