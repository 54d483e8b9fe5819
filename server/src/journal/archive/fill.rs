//! Fills the archive with the games of the rooms of an older file. Their facts stay as they are. None
//! of them is rated: nobody was told that it would be.

use noughts_protocol::{GameId, GameResult};
use rusqlite::{Connection, OptionalExtension, params};

use super::add::{count, sides};
use super::columns::{COLUMNS, GameColumns, RoomRow};
use super::ended_game::{ToldGame, ended_games};
use crate::journal::error::DiskError;
use crate::journal::stored_room::{self, StoredRoom};

/// Adds the games of all rooms. One room at a time is in memory. A damaged room stays out, and
/// `verify` tells it.
pub(in crate::journal) fn fill(connection: &Connection) -> rusqlite::Result<()> {
    let age = connection
        .query_row("SELECT coalesce(max(age), 0) FROM run", [], |row| row.get::<_, i64>(0))?;
    let (mut last, mut so_far) = (0, 0);
    while let Some((room, ended_age)) = next_room(connection, last)? {
        last = room;
        let games = match readable(connection, room)? {
            Ok(stored) => ended_games(&stored),
            Err(damage) => Err(damage),
        };
        match games {
            Ok(games) => {
                for game in games {
                    so_far += 1;
                    insert(connection, room, &game, ended_age.unwrap_or(age), -so_far)?;
                }
            }
            Err(damage) => {
                tracing::error!("the games of room number {room} are not kept: {damage}");
            }
        }
    }
    number(connection)
}

/// The first room after room number `last`, and how long the server had run when it ended.
fn next_room(connection: &Connection, last: i64) -> rusqlite::Result<Option<(i64, Option<i64>)>> {
    let sql = "SELECT id, ended_age FROM room WHERE id > ?1 ORDER BY id LIMIT 1";
    let mut select = connection.prepare_cached(sql)?;
    select.query_row([last], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// A room, or what is wrong with it.
fn readable(connection: &Connection, room: i64) -> rusqlite::Result<Result<StoredRoom, String>> {
    match stored_room::load_sorted(connection, room) {
        Ok(Some((stored, _))) => Ok(Ok(stored)),
        Ok(None) => Ok(Err("it has gone".to_owned())),
        Err(DiskError::Damaged(damage)) => Ok(Err(damage)),
        Err(error) => Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error))),
    }
}

/// Inserts a game under a number for the time being, which is below zero.
fn insert(
    connection: &Connection,
    room: i64,
    ToldGame { game, times, .. }: &ToldGame,
    ended_age: i64,
    n: i64,
) -> rusqlite::Result<()> {
    let mut game = game.clone();
    game.id = GameId(rand::random());
    let row = RoomRow::of(connection, room)?;
    let sides = sides(connection, &game.players)?;
    GameColumns::of(&game, times, ended_age, (room, row), sides).insert(connection, n)
}

/// Numbers the games by their ends, and counts them in this order: only then is it known which game
/// was a player's last one.
fn number(connection: &Connection) -> rusqlite::Result<()> {
    let mut select = connection.prepare("SELECT n FROM game ORDER BY ended, room, number")?;
    let order: Vec<i64> = select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut update = connection.prepare("UPDATE game SET n = ?2 WHERE n = ?1")?;
    let mut select = connection.prepare(&format!("SELECT {COLUMNS} FROM game WHERE n = ?1"))?;
    for (old, n) in order.into_iter().zip(1_i64..) {
        update.execute(params![old, n])?;
        let (columns, _) = select.query_row([n], GameColumns::from_row)?;
        // The text was written a moment ago.
        let Ok(result) = serde_json::from_str::<GameResult>(&columns.result) else { continue };
        count(connection, n, &columns, &result)?;
    }
    Ok(())
}
