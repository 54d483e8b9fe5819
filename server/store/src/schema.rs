//! All tables. One number says which format they have: a file of another one is refused.

use std::path::Path;

use rusqlite::Connection;

use crate::error::OpenError;
use crate::meta;

/// The format of the tables below.
pub(crate) const FORMAT: i64 = 7;

/// Small pages, in bytes: a move writes the page of its room, and a row that fits into less needs no more.
const PAGE: i64 = 2048;

/// Ids are stored as signed numbers, the codes of rooms and parties as their numbers. Times without
/// another word are in milliseconds since 1970; running times are those of the server over all its
/// runs, in milliseconds. A `crc` is the checksum of the columns before it. Marks: 0 is X, 1 is O.
const TABLES: &str = "
    -- format, secret, age (the running time so far), pruned (the last game that was deleted).
    CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

    -- The rooms and the parties that have not ended.
    CREATE TABLE live (
        code INTEGER PRIMARY KEY,
        v INTEGER NOT NULL,
        -- The running time at which a room is due if nobody is there; NULL for a party.
        until INTEGER,
        -- The intents that made it: 8 bytes of the player and 8 of the id each.
        origins BLOB NOT NULL,
        -- The party of which a room is a table.
        party INTEGER,
        state TEXT NOT NULL,
        crc INTEGER NOT NULL
    ) STRICT;

    -- The parties that have ended, as everybody saw them last.
    CREATE TABLE kept_party (
        code INTEGER PRIMARY KEY,
        -- The running time at its end, to a few seconds.
        age INTEGER NOT NULL,
        state TEXT NOT NULL,
        crc INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX kept_party_age ON kept_party (age);

    -- The people who ended a game. Somebody who was forgotten has no id, no name and no face there any more,
    -- and a row of its own that nothing names: the id, and when. Number 0 is anybody who was forgotten before
    -- a game ended. `hidden` is 1 for somebody who does not want to be shown as connected.
    CREATE TABLE player (
        n INTEGER PRIMARY KEY, id INTEGER UNIQUE, name TEXT, forgotten INTEGER, face TEXT, hidden INTEGER
    ) STRICT;
    CREATE INDEX player_forgotten ON player (n) WHERE forgotten IS NOT NULL;
    INSERT INTO player (n) VALUES (0);

    -- The games that can be looked at, in the order of their ends.
    CREATE TABLE game (
        n INTEGER PRIMARY KEY,
        id INTEGER NOT NULL UNIQUE,
        room TEXT NOT NULL,
        number INTEGER NOT NULL,
        -- The people's numbers; 0 for a computer.
        x INTEGER NOT NULL, o INTEGER NOT NULL,
        settings TEXT NOT NULL,
        first INTEGER NOT NULL,
        -- The number of marks that the opening placed.
        opening INTEGER NOT NULL,
        started INTEGER NOT NULL,
        ended INTEGER NOT NULL,
        -- The running time at its end, to a few seconds.
        age INTEGER NOT NULL,
        -- For each move the cell (2 bytes) and the milliseconds since the start (4 bytes).
        moves BLOB NOT NULL,
        result TEXT NOT NULL,
        rated INTEGER NOT NULL,
        public INTEGER NOT NULL,
        -- The party of which its room was a table.
        party INTEGER,
        crc INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX game_party ON game (party, n) WHERE party IS NOT NULL;

    -- The two sides of each game, together by person and never deleted: tallies, leaderboards and the fold
    -- of the ratings are queries over it. A computer is player 0 and has its JSON.
    CREATE TABLE seat (
        player INTEGER NOT NULL,
        game INTEGER NOT NULL,
        mark INTEGER NOT NULL,
        -- 0 lost, 1 drawn, 2 won; NULL if one person played both sides.
        outcome INTEGER,
        -- The person on the other side; NULL for a computer, and if one person played both sides.
        opponent INTEGER,
        board TEXT NOT NULL,
        -- As on the wire.
        variant TEXT NOT NULL,
        -- The computer on the other side.
        versus TEXT,
        name TEXT,
        computer TEXT,
        -- The class of its ratings: from 3 to 5 the marks in a row, then 6 ultimate, 7 gravity, 8 others.
        class INTEGER NOT NULL,
        rated INTEGER NOT NULL,
        ended INTEGER NOT NULL,
        crc INTEGER NOT NULL,
        PRIMARY KEY (player, game, mark)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX seat_rated ON seat (class, ended, outcome) WHERE rated = 1;

    -- The ratings after the last game.
    CREATE TABLE rating (
        player INTEGER NOT NULL,
        class INTEGER NOT NULL,
        rating REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        games INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (player, class)
    ) STRICT, WITHOUT ROWID;

    -- What hosts have done.
    CREATE TABLE act (
        n INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        -- The door through which it came.
        by TEXT NOT NULL,
        -- When it holds no more; 0 for what does not go on.
        until INTEGER NOT NULL,
        -- What a later act takes the place of: closing, the name of a person, a feature.
        about TEXT,
        -- As JSON.
        deed TEXT NOT NULL
    ) STRICT;
";

/// Makes the tables in an empty file. The file of a start that is cut off is thrown away, so that
/// nothing waits for the disk.
pub(crate) fn make(file: &Path) -> Result<(), OpenError> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "page_size", PAGE)?;
    connection.pragma_update_and_check(None, "journal_mode", "off", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "off")?;
    Ok(make_in(&mut connection)?)
}

/// Makes the tables.
pub(crate) fn make_in(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.execute("INSERT INTO meta VALUES ('secret', randomblob(32))", [])?;
    for (key, value) in [("format", FORMAT), ("age", 0), ("pruned", 0)] {
        meta::set(&transaction, key, value)?;
    }
    transaction.commit()
}

/// Refuses a file without tables, and one of another format.
pub(crate) fn check(connection: &Connection, folder: &Path) -> Result<(), OpenError> {
    let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    if count("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Err(OpenError::Empty(folder.to_owned()));
    }
    if count("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'")? == 0 {
        return Err(OpenError::Damaged("it has other tables".to_owned()));
    }
    let found = meta::number(connection, "format")?;
    if found == FORMAT { Ok(()) } else { Err(OpenError::OtherFormat { found, known: FORMAT }) }
}
