//! The tables of the journal, and the migration of older files.

mod protocol1;

use std::path::Path;

use rusqlite::{Connection, Row, Transaction, params};

use super::archive;
use super::checksum::{self, RoomColumns};
use super::entry::{Entry, Payload};
use super::error::OpenError;
use super::party;
use protocol1::Rewritten;

/// The migrations from each version of the schema to the next; the first one makes an empty file
/// version 1. A released migration never changes: a new one is added.
const MIGRATIONS: &[Migration] = &[
    Migration::sql(
        "
    CREATE TABLE secret (token BLOB NOT NULL) STRICT;
    INSERT INTO secret VALUES (randomblob(32));

    -- When the server ran; milliseconds since 1970, as all times here.
    CREATE TABLE run (
        id INTEGER PRIMARY KEY, started INTEGER NOT NULL, alive INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE room (
        id INTEGER PRIMARY KEY,
        code TEXT NOT NULL,
        settings TEXT NOT NULL,
        made INTEGER NOT NULL,
        ended INTEGER,
        -- Since when nobody is there, and in which run; NULL while somebody is.
        vacant INTEGER,
        vacant_run INTEGER,
        -- The intents that made the room: player id (as a signed number) and intent id.
        maker INTEGER, maker_intent INTEGER,
        guest INTEGER, guest_intent INTEGER
    ) STRICT;
    -- By number, so that the rooms themselves are read in the order in which they lie.
    CREATE INDEX room_live ON room (id) WHERE ended IS NULL;
    CREATE INDEX room_ended ON room (ended) WHERE ended IS NOT NULL;

    -- A room's facts lie together: a room is read in one go, and rooms that are busy at once were
    -- mostly made at about the same time, so that a commit touches few pages.
    CREATE TABLE event (
        room INTEGER NOT NULL,
        v INTEGER NOT NULL,
        run INTEGER NOT NULL,
        at INTEGER NOT NULL,
        -- Where a mark was placed, or any other fact as JSON.
        cell INTEGER,
        fact TEXT,
        PRIMARY KEY (room, v)
    ) STRICT, WITHOUT ROWID;
",
    ),
    Migration {
        fill: seal_all,
        sql: "
    -- How often a commit of unknown outcome was overwritten by one that changes nothing else.
    CREATE TABLE settled (times INTEGER NOT NULL) STRICT;
    INSERT INTO settled VALUES (0);

    -- The highest number of a room that was forgotten: no number is used again.
    CREATE TABLE forgotten (room INTEGER NOT NULL) STRICT;
    INSERT INTO forgotten VALUES (0);

    -- How long the server had run by `alive`, over all its runs, and when a room ended; in
    -- milliseconds. No clock that is set forward or back changes it. For what is there already it
    -- begins anew.
    ALTER TABLE run ADD COLUMN age INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE room ADD COLUMN ended_age INTEGER;
    UPDATE room SET ended_age = 0 WHERE ended IS NOT NULL;
    DROP INDEX room_ended;
    CREATE INDEX room_ended ON room (ended_age) WHERE ended IS NOT NULL;

    -- The checksum of the room up to this fact.
    ALTER TABLE event ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
",
    },
    Migration { fill: rewrite_all, sql: "" },
    Migration { fill: archive::fill::fill, sql: archive::schema::TABLES },
    Migration::sql(party::store::TABLES),
    Migration::sql(
        "
    -- The facts of one commit that are not in `event` yet; see the module `recent`. The number is
    -- the run's, times 4294967296, and the commit's in the run.
    CREATE TABLE batch (id INTEGER PRIMARY KEY, facts BLOB NOT NULL) STRICT;
",
    ),
    Migration::sql(
        "
    -- Unused now: the shard of a run, and two tables of the nodes of a cluster.
    ALTER TABLE run ADD COLUMN shard INTEGER;
    CREATE INDEX run_shard ON run (shard, id);
    CREATE TABLE node (opened INTEGER NOT NULL, applied INTEGER NOT NULL) STRICT;
    CREATE TABLE shard (
        id INTEGER PRIMARY KEY, node TEXT, claim INTEGER NOT NULL, number INTEGER NOT NULL
    ) STRICT;
",
    ),
];

/// A migration from one version of the schema to the next.
struct Migration {
    sql: &'static str,
    /// Runs after the SQL, for what SQL cannot do.
    fill: fn(&Connection) -> rusqlite::Result<()>,
}

impl Migration {
    const fn sql(sql: &'static str) -> Self {
        Self { sql, fill: |_| Ok(()) }
    }

    /// Makes the schema this version.
    fn run(&self, transaction: &Transaction<'_>, version: i64) -> rusqlite::Result<()> {
        transaction.execute_batch(self.sql)?;
        (self.fill)(transaction)?;
        transaction.pragma_update(None, "user_version", version)
    }
}

/// Sets the checksum of every fact in an older file; its facts are taken to be right.
fn seal_all(connection: &Connection) -> rusqlite::Result<()> {
    let mut update = connection.prepare("UPDATE event SET crc = ?3 WHERE room = ?1 AND v = ?2")?;
    each_room(connection, |id, crc, mut entries| {
        checksum::seal(crc, &mut entries);
        for Entry { v, crc, .. } in entries {
            update.execute(params![id, v.cast_signed(), crc])?;
        }
        Ok(())
    })
}

/// Rewrites the facts of protocol 1. A damaged room stays damaged, and `verify` tells it.
fn rewrite_all(connection: &Connection) -> rusqlite::Result<()> {
    let mut delete = connection.prepare("DELETE FROM event WHERE room = ?1 AND v <= ?2")?;
    let sql = "INSERT INTO event (room, v, run, at, cell, fact, crc) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = connection.prepare(sql)?;
    each_room(connection, |id, crc, old| {
        let Rewritten { entries, replaced, damage } = protocol1::rewrite(crc, &old);
        if let Some(damage) = damage {
            tracing::error!("room number {id} is damaged and stays so: {damage}");
        }
        if let Some(last) = old[..replaced].last() {
            delete.execute(params![id, last.v.cast_signed()])?;
        }
        for Entry { v, run, at, payload, crc } in entries {
            let (cell, fact) = match payload {
                Payload::Move(cell) => (Some(cell), None),
                Payload::Fact(json) => (None, Some(json)),
            };
            insert.execute(params![id, v.cast_signed(), run, at, cell, fact, crc])?;
        }
        Ok(())
    })
}

/// Calls `each` with every room's number, the checksum that its first fact follows, and its facts up
/// to the first unreadable one. One room at a time is in memory. A room that is unreadable itself is
/// left out: it stays as it is.
fn each_room(
    connection: &Connection,
    mut each: impl FnMut(i64, u32, Vec<Entry>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql = "SELECT id, code, settings, made, maker, maker_intent, guest, guest_intent FROM room";
    let mut rooms = connection.prepare(sql)?;
    let sql = "SELECT v, run, at, cell, fact, crc FROM event WHERE room = ?1 ORDER BY v";
    let mut facts = connection.prepare(sql)?;
    let mut rooms = rooms.query([])?;
    while let Some(row) = rooms.next()? {
        let Some((id, crc)) = readable(room_checksum(row))? else { continue };
        // A room has few facts: all are read before the first is changed.
        let mut entries = Vec::new();
        for entry in facts.query_map([id], Entry::from_row)? {
            let Some(entry) = readable(entry)? else { break };
            entries.push(entry);
        }
        each(id, crc, entries)?;
    }
    Ok(())
}

/// A room's number, and the checksum that its first fact follows.
fn room_checksum(row: &Row<'_>) -> rusqlite::Result<(i64, u32)> {
    let (id, code, settings): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let origins = [row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?];
    let columns = RoomColumns { id, code: &code, settings: &settings, made: row.get(3)?, origins };
    Ok((id, checksum::of_room(columns)))
}

/// What was read; `None` if a value in the row cannot be what the server wrote.
fn readable<T>(read: rusqlite::Result<T>) -> rusqlite::Result<Option<T>> {
    match read {
        // An error without a code is none of `SQLite`'s: the file itself is sound.
        Err(error) if error.sqlite_error_code().is_none() => {
            tracing::error!("a damaged entry stays as it is: {error}");
            Ok(None)
        }
        read => read.map(Some),
    }
}

/// Makes a new journal in an empty file. What a start that is cut off leaves is thrown away, so that nothing
/// waits for the disk.
pub(super) fn make(file: &Path) -> Result<(), OpenError> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update_and_check(None, "journal_mode", "off", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "off")?;
    migrate(&mut connection)
}

/// Refuses a file without tables: no journal is like that.
pub(super) fn refuse_empty(connection: &Connection, folder: &Path) -> Result<(), OpenError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
    if connection.query_row(sql, [], |row| row.get(0))? {
        Ok(())
    } else {
        Err(OpenError::Empty(folder.to_owned()))
    }
}

/// Migrates the file to the newest schema.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    migrate_by(connection, MIGRATIONS)
}

fn migrate_by(connection: &mut Connection, migrations: &[Migration]) -> Result<(), OpenError> {
    let known = migrations.len();
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let done = usize::try_from(found).ok().filter(|done| *done <= known);
    let Some(done) = done else { return Err(OpenError::Newer { found, known }) };
    let versions = migrations.iter().zip(1_i64..);
    if done == 0 {
        // A new file waits for the disk once.
        let transaction = connection.transaction()?;
        for (migration, version) in versions {
            migration.run(&transaction, version)?;
        }
        transaction.commit()?;
        // The tables were made in 40 pages of the cache, which nothing else needs.
        return Ok(connection.execute_batch("PRAGMA shrink_memory")?);
    }
    for (migration, version) in versions.skip(done) {
        let transaction = connection.transaction()?;
        migration.run(&transaction, version)?;
        transaction.commit()?;
        tracing::info!("the journal is brought up to date: schema {version} of {known}");
    }
    Ok(())
}

/// Checks that a file which is only read has the newest schema.
pub(super) fn check(connection: &Connection) -> Result<(), OpenError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = MIGRATIONS.len();
    match usize::try_from(found) {
        Ok(found) if found == known => Ok(()),
        Ok(found) if found < known => Err(OpenError::Older),
        _ => Err(OpenError::Newer { found, known }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &[Migration] =
        &[Migration::sql("CREATE TABLE a (x)"), Migration::sql("ALTER TABLE a ADD COLUMN y")];

    #[test]
    fn an_older_file_is_migrated_and_keeps_its_data() {
        let mut file = Connection::open_in_memory().unwrap();
        migrate_by(&mut file, &TWO[..1]).unwrap();
        file.execute("INSERT INTO a VALUES (7)", []).unwrap();
        migrate_by(&mut file, TWO).unwrap();
        migrate_by(&mut file, TWO).unwrap();
        let kept: (i64, Option<i64>) =
            file.query_row("SELECT x, y FROM a", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(kept, (7, None));
    }

    #[test]
    fn a_newer_file_is_refused_untouched() {
        let mut file = Connection::open_in_memory().unwrap();
        migrate_by(&mut file, TWO).unwrap();
        let refused = migrate_by(&mut file, &TWO[..1]).unwrap_err().to_string();
        assert!(refused.contains("newer"), "{refused}");
        migrate_by(&mut file, TWO).unwrap();
    }

    #[test]
    fn a_migration_that_fails_leaves_the_previous_version() {
        let mut file = Connection::open_in_memory().unwrap();
        let mut migrations =
            ["CREATE TABLE a (x)", "CREATE TABLE b (x); nonsense"].map(Migration::sql);
        migrate_by(&mut file, &migrations).unwrap_err();
        assert!(!file.table_exists(None, "a").unwrap(), "a new file has all of it or nothing");
        migrate_by(&mut file, &migrations[..1]).unwrap();
        migrate_by(&mut file, &migrations).unwrap_err();
        migrations[1] = Migration::sql("CREATE TABLE b (x)");
        migrate_by(&mut file, &migrations).unwrap();
    }

    #[test]
    fn facts_without_checksums_get_them() {
        let mut file = Connection::open_in_memory().unwrap();
        migrate_by(&mut file, &MIGRATIONS[..1]).unwrap();
        file.execute_batch(
            "INSERT INTO room (id, code, settings, made, ended) VALUES (1, 'BCDFG', '{}', 5, 6);
             INSERT INTO event VALUES (1, 1, 1, 7, NULL, '{}'), (1, 2, 1, 8, 4, NULL);",
        )
        .unwrap();
        migrate_by(&mut file, &MIGRATIONS[..2]).unwrap();
        let sql = "SELECT v, run, at, cell, fact, crc FROM event ORDER BY v";
        let mut select = file.prepare(sql).unwrap();
        let entries: Vec<_> =
            select.query_map([], Entry::from_row).unwrap().map(Result::unwrap).collect();
        let (code, settings, origins) = ("BCDFG", "{}", [None; 4]);
        let before = checksum::of_room(RoomColumns { id: 1, code, settings, made: 5, origins });
        let mut sealed = entries.clone();
        checksum::seal(before, &mut sealed);
        assert_eq!(entries, sealed);
        assert_eq!(entries.len(), 2);
        let age = file.query_row("SELECT ended_age FROM room", [], |row| row.get(0));
        assert_eq!(age, Ok(0));
    }
}
