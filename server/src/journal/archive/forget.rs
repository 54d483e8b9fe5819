//! Forgets a person. At once their id gets into the list of forgotten people, and what is known of
//! them goes: profile, tallies, ratings. From then on everybody is told "Somebody".
//!
//! Housekeeping then removes the name from the kept games, a few at a time ([`scrub`]), and from the
//! facts of rooms that have ended ([`super::sweep`]). Rooms that have not ended go on with the name
//! that everybody there sees, and lose it with their end.

use noughts_protocol::PlayerId;
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::{COLUMNS, GameColumns};
use super::sweep;

/// People whose token is refused because they asked to be forgotten. Whoever was forgotten longest ago
/// gives way: that token would prove the old id again, of which nothing is known any more.
pub const MAX_FORGOTTEN: i64 = 1_000_000;

/// Forgets a person at the time `at`, in milliseconds since 1970. A repeat changes nothing.
pub(in crate::journal) fn forget(
    connection: &Connection,
    player: PlayerId,
    at: i64,
) -> rusqlite::Result<()> {
    let id = player.0.cast_signed();
    let sql = "INSERT INTO forgotten_player (id, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    if connection.prepare_cached(sql)?.execute([id, at])? == 0 {
        return Ok(());
    }
    let sql = "DELETE FROM forgotten_player \
               WHERE n <= (SELECT max(n) FROM forgotten_player) - ?1";
    connection.prepare_cached(sql)?.execute([MAX_FORGOTTEN])?;
    sweep::begin(connection)?;
    let sql = "UPDATE player SET id = NULL, name = NULL, first = NULL, last = NULL, streak = 0, \
               best = 0, scrub = 0 WHERE id = ?1 RETURNING n";
    let mut update = connection.prepare_cached(sql)?;
    let n: Option<i64> = update.query_row([id], |row| row.get(0)).optional()?;
    for table in ["tally_board", "tally_opponent", "tally_computer", "rating"] {
        let sql = format!("DELETE FROM {table} WHERE player = ?1");
        connection.prepare_cached(&sql)?.execute([n])?;
    }
    Ok(())
}

/// The people who asked to be forgotten, in that order.
pub(in crate::journal) fn forgotten(connection: &Connection) -> rusqlite::Result<Vec<PlayerId>> {
    let mut select = connection.prepare("SELECT id FROM forgotten_player ORDER BY n")?;
    let ids = select.query_map([], |row| Ok(PlayerId(row.get::<_, i64>(0)?.cast_unsigned())))?;
    ids.collect()
}

/// Whether a person asked to be forgotten.
pub(super) fn is_forgotten(connection: &Connection, player: PlayerId) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM forgotten_player WHERE id = ?1)";
    connection.prepare_cached(sql)?.query_row([player.0.cast_signed()], |row| row.get(0))
}

/// Removes the name of a forgotten person from at most `most` kept games.
pub(in crate::journal) fn scrub(connection: &Connection, most: u32) -> rusqlite::Result<()> {
    let sql = "SELECT n, scrub FROM player INDEXED BY player_scrub WHERE scrub IS NOT NULL LIMIT 1";
    let mut select = connection.prepare_cached(sql)?;
    let next = select.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((player, after)): Option<(i64, i64)> = next else { return Ok(()) };
    let sql = "SELECT game FROM played WHERE player = ?1 AND game > ?2 ORDER BY game LIMIT ?3";
    let mut select = connection.prepare_cached(sql)?;
    let games = select.query_map(params![player, after, most], |row| row.get(0))?;
    let games: Vec<i64> = games.collect::<rusqlite::Result<_>>()?;
    for game in &games {
        remove_name(connection, *game, player)?;
        let delete = "DELETE FROM played WHERE player = ?1 AND game = ?2";
        connection.prepare_cached(delete)?.execute([player, *game])?;
    }
    let last = games.last().filter(|_| games.len() == most as usize);
    let note = "UPDATE player SET scrub = ?2 WHERE n = ?1";
    connection.prepare_cached(note)?.execute(params![player, last])?;
    Ok(())
}

fn remove_name(connection: &Connection, game: i64, player: i64) -> rusqlite::Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM game WHERE n = ?1");
    let mut select = connection.prepare_cached(&sql)?;
    let (mut columns, crc) = select.query_row([game], GameColumns::from_row)?;
    // A damaged row stays one that `verify` tells.
    let damage = crc ^ columns.checksum();
    for side in [&mut columns.sides.x, &mut columns.sides.o] {
        side.name = side.name.take().filter(|_| side.player != Some(player));
    }
    let names =
        params![game, columns.sides.x.name, columns.sides.o.name, columns.checksum() ^ damage];
    let sql = "UPDATE game SET x_name = ?2, o_name = ?3, crc = ?4 WHERE n = ?1";
    connection.prepare_cached(sql)?.execute(names)?;
    Ok(())
}
