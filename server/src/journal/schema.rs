//! The tables of the journal, and how an older file is brought up to date.

use rusqlite::Connection;

use super::OpenError;

/// Steps from each version of the schema to the next; the first makes an empty file version 1.
/// A step that was released is never changed: a new one is added.
const STEPS: &[&str] = &["
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
"];

/// Brings the schema up to date.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    migrate_by(connection, STEPS)
}

fn migrate_by(connection: &mut Connection, steps: &[&str]) -> Result<(), OpenError> {
    let known = steps.len();
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let done = usize::try_from(found).ok().filter(|done| *done <= known);
    let Some(done) = done else { return Err(OpenError::Newer { found, known }) };
    for (step, version) in steps.iter().zip(1_i64..).skip(done) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Whether a file that is only read has a schema that this version knows.
pub(super) fn check(connection: &Connection) -> Result<(), OpenError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = STEPS.len();
    match usize::try_from(found) {
        Ok(found) if found == known => Ok(()),
        Ok(found) if found < known => Err(OpenError::Older),
        _ => Err(OpenError::Newer { found, known }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &[&str] = &["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y"];

    #[test]
    fn an_older_file_is_brought_forward_and_keeps_what_it_has() {
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
    fn a_step_that_fails_leaves_the_version_before_it() {
        let mut file = Connection::open_in_memory().unwrap();
        migrate_by(&mut file, &["CREATE TABLE a (x)", "CREATE TABLE b (x); nonsense"]).unwrap_err();
        migrate_by(&mut file, &["CREATE TABLE a (x)", "CREATE TABLE b (x)"]).unwrap();
    }
}
