//! A room's questions about the ratings of its players.

use noughts_protocol::{BoardClass, ByMark, GameId, PlayerId, Rating};
use rusqlite::{Connection, OptionalExtension};

use super::{rounded, stored};
use crate::change::Origin;
use crate::player;

/// The game that a room asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedGame {
    /// It runs.
    Running,
    /// It is over, and has this id if it is kept.
    Over(Option<GameId>),
}

/// A room's question.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) class: BoardClass,
    pub(crate) game: AskedGame,
    /// The people on the seats.
    pub(crate) seats: ByMark<Option<PlayerId>>,
    /// The two intents that made the room.
    pub(crate) makers: [Origin; 2],
    /// In milliseconds since 1970.
    pub(crate) now: i64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Whether the game will be rated, or was.
    pub rated: bool,
    /// The rating of each person on a seat; `None` before a rated game.
    pub players: Vec<(PlayerId, Option<Rating>)>,
}

/// Answers the room of a quick match.
pub(crate) fn answer(
    connection: &Connection,
    Question { class, game, seats, makers, now }: &Question,
) -> rusqlite::Result<Standing> {
    let people = || [seats.x, seats.o].into_iter().flatten();
    let rated = match game {
        AskedGame::Running => {
            let makers = makers.map(|maker| Some(maker.player));
            let are_makers = makers == [seats.x, seats.o] || makers == [seats.o, seats.x];
            let mut is_anybody_forgotten = false;
            for player in people() {
                is_anybody_forgotten |= player::is_forgotten(connection, player)?;
            }
            are_makers && seats.x != seats.o && !is_anybody_forgotten
        }
        AskedGame::Over(None) => false,
        AskedGame::Over(Some(id)) => {
            let mut select = connection.prepare_cached("SELECT rated FROM game WHERE id = ?1")?;
            let rated = select.query_row([id.0.cast_signed()], |row| row.get(0)).optional()?;
            rated.unwrap_or(false)
        }
    };
    let mut players = Vec::new();
    for player in people() {
        let n = player::number(connection, player)?;
        let strength = n.map(|n| stored(connection, n, *class)).transpose()?.flatten();
        players.push((player, strength.map(|strength| rounded(strength.at(*now), *class))));
    }
    Ok(Standing { rated, players })
}
