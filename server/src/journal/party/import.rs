//! The parties of a file that becomes a node's get numbers of their shards.

use rusqlite::{Connection, params};

use super::{PartyEntry, StoredParty, seal, store};
use crate::journal::error::{DiskError, OpenError};
use crate::journal::numbers::Numbers;

/// Gives all parties new numbers, and their facts the new numbers of their rooms and runs; runs are `runs`
/// less. Returns how many parties there are.
pub(in crate::journal) fn renumber(
    connection: &Connection,
    numbers: &mut Numbers,
    runs: i64,
) -> Result<usize, OpenError> {
    let parties = store::all(connection)?;
    for old in &parties {
        let sql = "SELECT code FROM party WHERE id = ?1";
        let code: String = connection.prepare_cached(sql)?.query_row([old], |row| row.get(0))?;
        let new = numbers.of_code(*old, &code);
        let stored = match store::load(connection, *old) {
            Ok(Some(stored)) if stored.broken.is_none() => Some(stored),
            // New checksums would hide the damage.
            Ok(_) | Err(DiskError::Damaged(_)) => {
                tracing::error!(
                    "party number {old} is damaged and stays so; it is number {new} now"
                );
                None
            }
            Err(error) => return Err(error.into()),
        };
        for sql in [
            "UPDATE party SET id = ?2 WHERE id = ?1",
            "UPDATE party_event SET party = ?2 WHERE party = ?1",
            "UPDATE party_person SET party = ?2 WHERE party = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([*old, new])?;
        }
        if let Some(stored) = stored {
            reseal(connection, new, stored, numbers, runs)?;
        }
    }
    Ok(parties.len())
}

fn reseal(
    connection: &Connection,
    id: i64,
    stored: StoredParty,
    numbers: &mut Numbers,
    runs: i64,
) -> rusqlite::Result<()> {
    let StoredParty { new, mut entries, made, .. } = stored;
    for entry in &mut entries {
        entry.run -= runs;
        entry.room = entry.room.map(|room| numbers.of_room(room));
    }
    seal(new.checksum(id, made), &mut entries);
    let sql = "UPDATE party_event SET run = ?3, room = ?4, crc = ?5 WHERE party = ?1 AND v = ?2";
    let mut update = connection.prepare_cached(sql)?;
    for PartyEntry { v, run, room, crc, .. } in entries {
        update.execute(params![id, v.cast_signed(), run, room, crc])?;
    }
    Ok(())
}
