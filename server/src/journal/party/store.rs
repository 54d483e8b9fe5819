//! The tables of parties, and the work of their writes in a transaction.

use noughts_protocol::{PartyEvent, PlayerId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{LiveParty, NewParty, PartyEntry, StoredParty, forget};
use crate::journal::entry::EndTime;
use crate::journal::error::DiskError;

/// Makes the tables. It is part of a released migration, so it never changes.
pub(in crate::journal) const TABLES: &str = "
    CREATE TABLE party (
        id INTEGER PRIMARY KEY,
        code TEXT NOT NULL,
        name TEXT NOT NULL,
        settings TEXT NOT NULL,
        made INTEGER NOT NULL,
        -- The player who made the party (as a signed number), and the intent.
        host INTEGER NOT NULL, host_intent INTEGER NOT NULL,
        -- When its code became free, and how long the server had run by then.
        ended INTEGER, ended_age INTEGER
    ) STRICT;
    CREATE INDEX party_live ON party (id) WHERE ended IS NULL;
    CREATE INDEX party_ended ON party (ended_age) WHERE ended IS NOT NULL;

    CREATE TABLE party_event (
        party INTEGER NOT NULL,
        v INTEGER NOT NULL,
        run INTEGER NOT NULL,
        at INTEGER NOT NULL,
        fact TEXT NOT NULL,
        -- The room of a game that is opened.
        room INTEGER,
        crc INTEGER NOT NULL,
        PRIMARY KEY (party, v)
    ) STRICT, WITHOUT ROWID;

    -- The people whom a party names, so that it is found when one of them is forgotten.
    CREATE TABLE party_person (
        player INTEGER NOT NULL, party INTEGER NOT NULL,
        PRIMARY KEY (player, party)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX party_people ON party_person (party);

    -- The highest number of a party so far: no number is used again.
    CREATE TABLE party_number (last INTEGER NOT NULL) STRICT;
    INSERT INTO party_number VALUES (0);
";

/// A write of a party.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartyWrite {
    /// A new party and its first facts.
    Create {
        /// The part of the party that is no fact.
        new: NewParty,
        /// When it was made, in milliseconds since 1970.
        made: i64,
        /// The first facts.
        entries: Vec<PartyEntry>,
    },
    /// Further facts.
    Append {
        /// The facts.
        entries: Vec<PartyEntry>,
    },
    /// The party has ended, and its code is free.
    End(EndTime),
}

/// Does a write in the transaction of the caller.
pub(in crate::journal) fn apply(
    connection: &Connection,
    party: i64,
    write: &PartyWrite,
) -> rusqlite::Result<()> {
    match write {
        PartyWrite::Create { new, made, entries } => {
            create(connection, party, new, *made)?;
            append(connection, party, entries)
        }
        PartyWrite::Append { entries } => append(connection, party, entries),
        PartyWrite::End(EndTime { at, age }) => {
            // Otherwise making parties would be enough to fill the disk.
            if !has_pairings(connection, party)? {
                return delete(connection, party);
            }
            let sql = "UPDATE party SET ended = ?2, ended_age = ?3 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![party, at, age])?;
            forget::party_ended(connection, party)
        }
    }
}

fn create(connection: &Connection, party: i64, new: &NewParty, made: i64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO party (id, code, name, settings, made, host, host_intent) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let host = new.host.0.cast_signed();
    connection.prepare_cached(sql)?.execute(params![
        party,
        new.code.as_str(),
        new.name.as_str(),
        new.settings_json(),
        made,
        host,
        u64::from(new.intent).cast_signed(),
    ])?;
    connection.prepare_cached("UPDATE party_number SET last = max(last, ?1)")?.execute([party])?;
    note_person(connection, party, new.host)
}

fn append(connection: &Connection, party: i64, entries: &[PartyEntry]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO party_event (party, v, run, at, fact, room, crc) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = connection.prepare_cached(sql)?;
    for entry in entries {
        let PartyEntry { v, run, at, fact, room, crc } = entry;
        insert.execute(params![party, v.cast_signed(), run, at, fact, room, crc])?;
        if let Ok(PartyEvent::Joined { entrant }) = entry.event()
            && let Some(player) = entrant.player
        {
            note_person(connection, party, player)?;
        }
    }
    Ok(())
}

fn note_person(connection: &Connection, party: i64, player: PlayerId) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO party_person (player, party) VALUES (?1, ?2)";
    connection.prepare_cached(sql)?.execute([player.0.cast_signed(), party]).map(|_| ())
}

fn has_pairings(connection: &Connection, party: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM party_event \
               WHERE party = ?1 AND fact LIKE '{\"kind\":\"paired\"%')";
    connection.prepare_cached(sql)?.query_row([party], |row| row.get(0))
}

/// Deletes at most `most` of the parties that ended before the server had reached the age `before`.
pub(in crate::journal) fn prune(
    connection: &Connection,
    before: i64,
    most: u32,
) -> rusqlite::Result<()> {
    let sql = "SELECT id FROM party WHERE ended IS NOT NULL AND ended_age < ?1 \
               ORDER BY ended_age LIMIT ?2";
    let mut select = connection.prepare_cached(sql)?;
    let old = select.query_map(params![before, most], |row| row.get(0))?;
    for party in old.collect::<rusqlite::Result<Vec<i64>>>()? {
        delete(connection, party)?;
    }
    Ok(())
}

fn delete(connection: &Connection, party: i64) -> rusqlite::Result<()> {
    for sql in [
        "DELETE FROM party_event WHERE party = ?1",
        "DELETE FROM party_person WHERE party = ?1",
        "DELETE FROM party WHERE id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([party])?;
    }
    Ok(())
}

/// The parties that have not ended.
pub(in crate::journal) fn live_parties(
    connection: &Connection,
) -> rusqlite::Result<Vec<LiveParty>> {
    let sql = "SELECT id, code, host, host_intent FROM party INDEXED BY party_live \
               WHERE ended IS NULL ORDER BY id";
    let mut select = connection.prepare(sql)?;
    let parties = select.query_map([], |row| {
        let (host, intent): (i64, i64) = (row.get(2)?, row.get(3)?);
        let intent = intent.cast_unsigned().try_into().ok();
        let host = PlayerId(host.cast_unsigned());
        Ok(LiveParty { id: row.get(0)?, code: row.get(1)?, host, intent })
    })?;
    parties.collect()
}

/// The number of the next party.
pub(in crate::journal) fn next_party(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT last + 1 FROM party_number", [], |row| row.get(0))
}

/// The numbers of all parties, the oldest first.
pub(in crate::journal) fn all(connection: &Connection) -> Result<Vec<i64>, DiskError> {
    let mut select = connection.prepare("SELECT id FROM party ORDER BY id")?;
    let parties = select.query_map([], |row| row.get(0))?;
    Ok(parties.collect::<rusqlite::Result<_>>()?)
}

/// Reads one party; `None` if there is no such party. A wrong checksum is no error here: the party
/// tells it.
///
/// # Errors
/// If the party cannot be read, or if a column is invalid.
pub(in crate::journal) fn load(
    connection: &Connection,
    id: i64,
) -> Result<Option<StoredParty>, DiskError> {
    let sql =
        "SELECT code, name, settings, made, host, host_intent, ended FROM party WHERE id = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let Some(found) = select.query_row([id], |row| Ok(columns(id, row))).optional()? else {
        return Ok(None);
    };
    let mut party = found?;
    let sql = "SELECT v, run, at, fact, room, crc FROM party_event WHERE party = ?1 ORDER BY v";
    let mut select = connection.prepare_cached(sql)?;
    let entries = select.query_map([id], |row| {
        let v: i64 = row.get(0)?;
        let (run, at, fact) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let (room, crc) = (row.get(4)?, row.get(5)?);
        Ok(PartyEntry { v: v.cast_unsigned(), run, at, fact, room, crc })
    })?;
    for entry in entries {
        party.push(entry?);
    }
    Ok(Some(party))
}

fn columns(id: i64, row: &Row<'_>) -> Result<StoredParty, DiskError> {
    let damaged = |error: String| DiskError::Damaged(format!("party number {id}: {error}"));
    let (code, name, settings): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (host, intent): (i64, i64) = (row.get(4)?, row.get(5)?);
    let new = NewParty {
        code: code.parse().map_err(|error| damaged(format!("{error}")))?,
        name: name.parse().map_err(|error| damaged(format!("{error}")))?,
        settings: serde_json::from_str(&settings).map_err(|error| damaged(error.to_string()))?,
        host: PlayerId(host.cast_unsigned()),
        intent: intent.cast_unsigned().try_into().map_err(|error| damaged(format!("{error}")))?,
    };
    let (made, ended) = (row.get(3)?, row.get(6)?);
    Ok(StoredParty { id, new, made, ended, entries: Vec::new(), broken: None })
}
