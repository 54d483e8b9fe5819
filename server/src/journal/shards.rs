//! What the file of a node has besides rooms: how far the log is done, and each shard's owner, runs and
//! numbers. A file belongs to a node or to a single server, and stays so: their rooms are numbered in
//! other ways.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::{DiskError, OpenError};
use super::party;
use super::party::LiveParty;
use super::startup::{LiveRoom, live_rooms, runs};
use super::uptime::{MAX_RUNS, Uptime};
use super::write::Write;
use crate::shard::Shard;

/// Makes the tables. It is part of a released migration, so it never changes.
pub(super) const TABLES: &str = "
    -- The shard of a run, on a node of a cluster; NULL on a single server.
    ALTER TABLE run ADD COLUMN shard INTEGER;
    CREATE INDEX run_shard ON run (shard, id);

    -- The journal of a node has one row, that of a single server none: how often it was opened, and the
    -- last record of the log that is done in this file.
    CREATE TABLE node (opened INTEGER NOT NULL, applied INTEGER NOT NULL) STRICT;

    -- For each shard the node that owns it, the record that says so, and the highest number of a room or
    -- party so far.
    CREATE TABLE shard (
        id INTEGER PRIMARY KEY, node TEXT, claim INTEGER NOT NULL, number INTEGER NOT NULL
    ) STRICT;
";

/// What a shard holds, as it is read from the file.
#[derive(Debug)]
pub(super) struct StoredShard {
    pub(super) rooms: Vec<LiveRoom>,
    pub(super) parties: Vec<LiveParty>,
    pub(super) uptime: Uptime,
    /// The highest number so far.
    pub(super) number: i64,
}

/// Refuses the file of a node: it is opened by a single server.
pub(super) fn refuse_node(connection: &Connection, folder: &Path) -> Result<(), OpenError> {
    match how_far(connection)? {
        Some(_) => Err(OpenError::OfNode(folder.to_owned())),
        None => Ok(()),
    }
}

/// Refuses the file of a single server: it is opened by a node. A new file is nobody's yet.
pub(super) fn refuse_server(connection: &Connection, folder: &Path) -> Result<(), OpenError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM run)";
    if how_far(connection)?.is_none() && connection.query_row(sql, [], |row| row.get(0))? {
        return Err(OpenError::OfServer(folder.to_owned()));
    }
    Ok(())
}

/// Opens the file of a node, or makes a new file one. Returns how often it was opened, and the last
/// record that is done.
pub(super) fn open_node(
    connection: &mut Connection,
    folder: &Path,
) -> Result<(i64, u64), OpenError> {
    let transaction = connection.transaction()?;
    refuse_server(&transaction, folder)?;
    if how_far(&transaction)?.is_none() {
        make_node(&transaction, 0, |_| 0)?;
    }
    transaction.execute("UPDATE node SET opened = opened + 1", [])?;
    let sql = "SELECT opened, applied FROM node";
    let (opened, applied) =
        transaction.query_row(sql, [], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
    transaction.commit()?;
    Ok((opened, applied.cast_unsigned()))
}

/// Makes a file that of a node, which was `opened` so often, and whose shards have used the numbers up to
/// that which `last` tells.
pub(super) fn make_node(
    connection: &Connection,
    opened: i64,
    last: impl Fn(Shard) -> i64,
) -> rusqlite::Result<()> {
    connection.execute("INSERT INTO node VALUES (?1, 0)", [opened])?;
    for shard in Shard::all() {
        let sql = "INSERT INTO shard (id, claim, number) VALUES (?1, 0, ?2)";
        connection.execute(sql, params![u8::from(shard), last(shard)])?;
    }
    Ok(())
}

/// Whether a file is that of a node.
pub(super) fn is_node(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(how_far(connection)?.is_some())
}

/// Makes the file of a node one that begins a new cluster: no record is done, and nobody owns a shard. A run
/// of no length and no shard, before all others, tells so.
pub(super) fn begin_again(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("UPDATE node SET applied = 0", [])?;
    connection.execute("UPDATE shard SET node = NULL, claim = 0", [])?;
    let sql = "INSERT INTO run (id, started, alive, age) \
               SELECT coalesce(min(id), 0) - 1, 0, 0, coalesce(max(age), 0) FROM run";
    connection.execute(sql, []).map(|_| ())
}

fn how_far(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    connection.query_row("SELECT applied FROM node", [], |row| row.get(0)).optional()
}

/// Notes the owner of a shard.
pub(super) fn set_owner(
    connection: &Connection,
    shard: Shard,
    node: Option<&str>,
    claim: u64,
) -> rusqlite::Result<()> {
    let sql = "UPDATE shard SET node = ?2, claim = ?3 WHERE id = ?1";
    let row = params![u8::from(shard), node, claim.cast_signed()];
    connection.prepare_cached(sql)?.execute(row).map(|_| ())
}

/// Notes the number of a room or party that a write makes: no number of a shard is used again.
pub(super) fn note_number_of(connection: &Connection, write: &Write) -> rusqlite::Result<()> {
    let (Some(number), Some(shard)) = (write.new_number(), write.shard()) else { return Ok(()) };
    let sql = "UPDATE shard SET number = max(number, ?2) WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![u8::from(shard), number]).map(|_| ())
}

/// Begins a run of a shard.
pub(super) fn begin_run(
    connection: &Connection,
    shard: Shard,
    (id, at, age): (i64, i64, i64),
) -> rusqlite::Result<()> {
    let shard = u8::from(shard);
    let sql = "INSERT INTO run (id, shard, started, alive, age) VALUES (?1, ?2, ?3, ?3, ?4)";
    connection.prepare_cached(sql)?.execute(params![id, shard, at, age])?;
    let sql = "DELETE FROM run WHERE shard = ?1 AND id <= \
               (SELECT id FROM run WHERE shard = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)";
    connection.prepare_cached(sql)?.execute(params![shard, MAX_RUNS]).map(|_| ())
}

/// Reads all that a shard holds.
pub(super) fn load(connection: &Connection, shard: Shard) -> Result<StoredShard, DiskError> {
    let moment = connection.unchecked_transaction()?;
    let sql = "SELECT number FROM shard WHERE id = ?1";
    Ok(StoredShard {
        rooms: live_rooms(&moment, Some(shard))?,
        parties: party::store::live_parties(&moment, Some(shard))?,
        uptime: Uptime::new(runs(&moment, Some(shard))?),
        number: moment.query_row(sql, [u8::from(shard)], |row| row.get(0))?,
    })
}
