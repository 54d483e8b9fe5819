//! The table `meta`: values that are there once.

use rusqlite::{Connection, OptionalExtension, params};

/// A number; 0 if there is none.
pub(crate) fn number(connection: &Connection, key: &str) -> rusqlite::Result<i64> {
    let mut select = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    Ok(select.query_row([key], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Sets a number.
pub(crate) fn set(connection: &Connection, key: &str, value: i64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value";
    connection.prepare_cached(sql)?.execute(params![key, value]).map(|_| ())
}

/// The cluster whose stream is copied, and the number of the last record that is copied.
pub(crate) fn replica(connection: &Connection) -> rusqlite::Result<Option<(String, u64)>> {
    let sql = "SELECT value FROM meta WHERE key = 'cluster'";
    let cluster = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    let position = number(connection, "position")?.cast_unsigned();
    Ok(cluster.map(|cluster| (cluster, position)))
}

/// Sets what [`replica`] returns.
pub(crate) fn set_replica(
    connection: &Connection,
    cluster: &str,
    position: u64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO meta VALUES ('cluster', ?1) \
               ON CONFLICT DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value";
    connection.prepare_cached(sql)?.execute([cluster])?;
    set(connection, "position", position.cast_signed())
}

/// The secret with which the server signs tokens.
pub(crate) fn secret(connection: &Connection) -> rusqlite::Result<[u8; 32]> {
    connection.query_row("SELECT value FROM meta WHERE key = 'secret'", [], |row| row.get(0))
}
