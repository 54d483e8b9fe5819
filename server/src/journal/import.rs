//! Makes the file of a single server that of a node of a new cluster (`noughts-server cluster import`).
//! All nodes begin with a copy of it, so that nothing is lost: rooms and parties go on, and history and
//! ratings stay.
//!
//! The rooms and parties get numbers of their shards, and the runs numbers before those of all claims. The
//! checksums follow. All of it is one transaction.
//!
//! The file of a node can be imported too: so a cluster begins again from a copy, if its log was lost.

use std::path::Path;

use rusqlite::{Connection, params};

use super::checksum::{self, RoomColumns};
use super::entry::Entry;
use super::error::{DiskError, OpenError};
use super::numbers::Numbers;
use super::store::{Durability, prepare};
use super::{archive, party, recent, shards, stored_room};

/// What a file holds that was made a node's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// The rooms, also those that have ended.
    pub rooms: usize,
    /// The parties, also those that have ended.
    pub parties: usize,
}

/// Makes the file in a folder that of a node. No server may run on it.
///
/// # Errors
/// If there is no journal in the folder, or if the disk fails. Then nothing has changed.
pub fn import(folder: &Path) -> Result<Imported, OpenError> {
    if !folder.join(super::files::FILE).exists() {
        return Err(OpenError::Missing(folder.to_owned()));
    }
    let (_files, mut connection) = prepare(folder, Durability::Power)?;
    recent::startup::sort_all(&mut connection)?;
    let transaction = connection.transaction()?;
    let is_node = shards::is_node(&transaction)?;
    let mut numbers = if is_node { Numbers::kept() } else { Numbers::above_all(&transaction)? };
    let runs = renumber_runs(&transaction)?;
    let rooms = renumber_rooms(&transaction, &mut numbers, runs)?;
    archive::import::renumber(&transaction, |room| numbers.of_room(room))?;
    let parties = party::import::renumber(&transaction, &mut numbers, runs)?;
    let sql =
        "UPDATE sweep SET next = 1, last = (SELECT coalesce(max(id), 0) FROM room), again = 0";
    transaction.execute(sql, [])?;
    if is_node {
        shards::begin_again(&transaction)?;
    } else {
        shards::make_node(&transaction, runs, |shard| numbers.last(shard))?;
    }
    transaction.commit()?;
    Ok(Imported { rooms, parties })
}

/// Gives all runs numbers below 0, in their order, and returns by how much they are less.
fn renumber_runs(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT coalesce(max(id), 0) + 1 FROM run";
    let less: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    connection.execute("UPDATE run SET id = id - ?1", [less])?;
    connection.execute("UPDATE room SET vacant_run = vacant_run - ?1", [less])?;
    Ok(less)
}

/// Gives all rooms numbers of their shards, and returns how many there are.
fn renumber_rooms(
    connection: &Connection,
    numbers: &mut Numbers,
    runs: i64,
) -> Result<usize, OpenError> {
    let mut select = connection.prepare("SELECT id, code FROM room ORDER BY id")?;
    let rooms = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rooms: Vec<(i64, String)> = rooms.collect::<rusqlite::Result<_>>()?;
    for (old, code) in &rooms {
        let new = numbers.of_code(*old, code);
        numbers.set_room(*old, new);
        renumber_room(connection, *old, new, runs)?;
    }
    Ok(rooms.len())
}

fn renumber_room(connection: &Connection, old: i64, new: i64, runs: i64) -> Result<(), OpenError> {
    let entries = match stored_room::load_sorted(connection, old) {
        Ok(Some((stored, _))) if stored.broken.is_none() => stored.entries,
        // New checksums would hide the damage.
        Ok(_) | Err(DiskError::Damaged(_)) => {
            tracing::error!("room number {old} is damaged and stays so; it is number {new} now");
            Vec::new()
        }
        Err(error) => return Err(error.into()),
    };
    connection.prepare_cached("UPDATE room SET id = ?2 WHERE id = ?1")?.execute([old, new])?;
    let sql = "UPDATE event SET room = ?2, run = run - ?3 WHERE room = ?1";
    connection.prepare_cached(sql)?.execute([old, new, runs])?;
    if entries.is_empty() {
        return Ok(());
    }
    let mut entries: Vec<Entry> =
        entries.into_iter().map(|entry| Entry { run: entry.run - runs, ..entry }).collect();
    checksum::seal(room_checksum(connection, new)?, &mut entries);
    let sql = "UPDATE event SET crc = ?3 WHERE room = ?1 AND v = ?2";
    let mut update = connection.prepare_cached(sql)?;
    for Entry { v, crc, .. } in entries {
        update.execute(params![new, v.cast_signed(), crc])?;
    }
    Ok(())
}

/// The checksum that the first fact of a room follows.
fn room_checksum(connection: &Connection, id: i64) -> rusqlite::Result<u32> {
    let sql = "SELECT code, settings, made, maker, maker_intent, guest, guest_intent FROM room \
               WHERE id = ?1";
    connection.prepare_cached(sql)?.query_row([id], |row| {
        let (code, settings): (String, String) = (row.get(0)?, row.get(1)?);
        let origins = [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?];
        let (code, settings, made) = (&*code, &*settings, row.get(2)?);
        Ok(checksum::of_room(RoomColumns { id, code, settings, made, origins }))
    })
}
