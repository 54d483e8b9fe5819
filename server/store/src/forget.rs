//! Forgets a person in all tables of ended games. Live rooms and parties are the caller's to change.

use noughts_protocol::PlayerId;
use rusqlite::{Connection, params};

use crate::game;
use crate::player::{MAX_FORGOTTEN, is_forgotten, number};

/// Forgets a person at the time `at`, in milliseconds since 1970. A repeat changes nothing.
pub(crate) fn forget(connection: &Connection, player: PlayerId, at: i64) -> rusqlite::Result<()> {
    if is_forgotten(connection, player)? {
        return Ok(());
    }
    if let Some(n) = number(connection, player)? {
        connection.execute("UPDATE player SET id = NULL, name = NULL WHERE n = ?1", [n])?;
        connection.execute("DELETE FROM rating WHERE player = ?1", [n])?;
        game::remove_name(connection, n)?;
    }
    let sql = "INSERT INTO player (id, forgotten) VALUES (?1, ?2)";
    connection.execute(sql, params![player.0.cast_signed(), at])?;
    let sql = "DELETE FROM player WHERE n = (SELECT min(n) FROM player WHERE forgotten IS NOT NULL) \
               AND (SELECT count(*) FROM player WHERE forgotten IS NOT NULL) > ?1";
    connection.execute(sql, [MAX_FORGOTTEN])?;
    Ok(())
}
