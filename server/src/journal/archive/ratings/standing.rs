//! What a room asks about the ratings of its players.

use noughts_protocol::{BoardClass, ByMark, GameId, PlayerId, Rating};
use rusqlite::{Connection, OptionalExtension};

use super::{rounded, stored};
use crate::journal::archive::columns::RoomRow;
use crate::journal::archive::forget::is_forgotten;

/// The game that a room asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedGame {
    /// It runs.
    Running,
    /// It is over, and has this id if it is kept.
    Over(Option<GameId>),
}

/// A room's question.
#[derive(Debug, Clone, Copy)]
pub(in crate::journal) struct Question {
    /// The room's number.
    pub(in crate::journal) room: i64,
    pub(in crate::journal) class: BoardClass,
    pub(in crate::journal) game: AskedGame,
    /// The people on the seats.
    pub(in crate::journal) seats: ByMark<Option<PlayerId>>,
    /// In milliseconds since 1970.
    pub(in crate::journal) now: i64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Whether the game will be rated, or was.
    pub(crate) rated: bool,
    /// The rating of each person on a seat; `None` before a rated game.
    pub(crate) players: Vec<(PlayerId, Option<Rating>)>,
}

/// Answers a room; `None` if it is no quick match of two people.
///
/// # Errors
/// If the journal cannot be read.
pub(in crate::journal) fn answer(
    connection: &Connection,
    Question { room, class, game, seats, now }: Question,
) -> rusqlite::Result<Option<Standing>> {
    let row = RoomRow::of(connection, room).optional()?;
    let Some(row) = row.filter(RoomRow::is_quick_match) else { return Ok(None) };
    let rated = match game {
        AskedGame::Running => {
            let forgotten = [seats.x, seats.o].into_iter().flatten();
            let forgotten = forgotten.map(|player| is_forgotten(connection, player));
            let forgotten = forgotten.collect::<rusqlite::Result<Vec<bool>>>()?;
            row.is_between_makers(seats) && !forgotten.contains(&true)
        }
        AskedGame::Over(None) => false,
        AskedGame::Over(Some(id)) => {
            let mut select = connection.prepare_cached("SELECT rated FROM game WHERE id = ?1")?;
            let rated = select.query_row([id.0.cast_signed()], |row| row.get(0)).optional()?;
            rated.unwrap_or(false)
        }
    };
    let mut players = Vec::new();
    for player in [seats.x, seats.o].into_iter().flatten() {
        let sql = "SELECT n FROM player WHERE id = ?1";
        let mut select = connection.prepare_cached(sql)?;
        let n = select.query_row([player.0.cast_signed()], |row| row.get(0)).optional()?;
        let strength = n.map(|n| stored(connection, n, class)).transpose()?.flatten();
        players.push((player, strength.map(|strength| rounded(strength.at(now), class))));
    }
    Ok(Some(Standing { rated, players }))
}
