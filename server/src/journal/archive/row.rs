//! Reads a row of the table `game` as the protocol tells it.

use std::fmt::Display;

use noughts_protocol::{
    ArchivedGame, ByMark, Cell, Computer, GameId, GameSummary, Mark, Participant, PlayerId,
    PlayerName,
};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};

/// The bytes of a move: its cell, and the milliseconds since the game began.
const MOVE: usize = 6;

/// The columns of [`summary`], of the game `g` with its [`PLAYERS`].
pub(super) const SUMMARY: &str = "g.id, g.ended, g.board, g.result, length(g.moves), g.rated, \
     g.public, px.id, g.x_name, g.x_computer, po.id, g.o_name, g.o_computer";

/// Joins the players of the game `g`, as far as they are known.
pub(super) const PLAYERS: &str =
    "LEFT JOIN player px ON px.n = g.x LEFT JOIN player po ON po.n = g.o";

/// A kept game, and the number of marks that its opening placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptGame {
    /// The game as everybody is told it.
    pub game: ArchivedGame,
    /// The marks of the opening. A review does not judge them.
    pub opening: u16,
}

/// Reads the columns [`SUMMARY`].
pub(super) fn summary(row: &Row<'_>) -> rusqlite::Result<GameSummary> {
    let bytes: u32 = row.get(4)?;
    Ok(GameSummary {
        id: GameId(row.get::<_, i64>(0)?.cast_unsigned()),
        ended_at: time(row, 1)?,
        players: ByMark { x: participant(row, 7)?, o: participant(row, 10)? },
        board: parsed(row, 2)?,
        result: from_json(row, 3)?,
        plies: u16::try_from(bytes / MOVE as u32).unwrap_or(u16::MAX),
        rated: row.get(5)?,
        public: row.get(6)?,
    })
}

/// Reads a kept game by a condition on the table `game g` with one parameter.
pub(super) fn kept_game(
    connection: &Connection,
    condition: &str,
    value: i64,
) -> rusqlite::Result<Option<KeptGame>> {
    let sql = format!(
        "SELECT {SUMMARY}, g.settings, g.first, g.started, g.moves, g.opening FROM game g {PLAYERS} \
         WHERE {condition}"
    );
    connection.prepare_cached(&sql)?.query_row([value], whole).optional()
}

fn whole(row: &Row<'_>) -> rusqlite::Result<KeptGame> {
    let first = match row.get(14)? {
        0 => Mark::X,
        1 => Mark::O,
        other => return Err(damaged(14, Type::Integer, format!("there is no mark {other}"))),
    };
    let (moves, rest) = row.get_ref(16)?.as_blob()?.as_chunks::<MOVE>();
    if !rest.is_empty() {
        return Err(damaged(16, Type::Blob, "the moves end in the middle of a move"));
    }
    let game = ArchivedGame {
        summary: summary(row)?,
        settings: from_json(row, 13)?,
        first,
        started_at: time(row, 15)?,
        moves: moves.iter().map(|[a, b, ..]| Cell(u16::from_le_bytes([*a, *b]))).collect(),
        times_ms: moves
            .iter()
            .map(|[_, _, a, b, c, d]| u32::from_le_bytes([*a, *b, *c, *d]))
            .collect(),
    };
    Ok(KeptGame { game, opening: row.get(17)? })
}

/// Reads a side from three columns: the id of a person who is not forgotten, the name of that time,
/// and the computer. A name without an id is one that housekeeping has not removed yet.
fn participant(row: &Row<'_>, column: usize) -> rusqlite::Result<Participant> {
    if row.get_ref(column + 2)? != rusqlite::types::ValueRef::Null {
        return Ok(Participant::Computer(computer(row, column + 2)?));
    }
    person(row, column)
}

/// Reads a person from two columns: the id, which is NULL once the person is forgotten, and a name.
pub(super) fn person(row: &Row<'_>, column: usize) -> rusqlite::Result<Participant> {
    let Some(player) = row.get::<_, Option<i64>>(column)? else { return Ok(Participant::Somebody) };
    let name = name(row, column + 1)?;
    Ok(Participant::Human { player: PlayerId(player.cast_unsigned()), name })
}

/// Reads a computer player.
pub(super) fn computer(row: &Row<'_>, column: usize) -> rusqlite::Result<Computer> {
    from_json(row, column)
}

/// Reads a time in milliseconds since 1970.
pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

/// Reads a name, also one that older rules allowed.
pub(super) fn name(row: &Row<'_>, column: usize) -> rusqlite::Result<PlayerName> {
    let text = row.get_ref(column)?.as_str()?;
    PlayerName::known(text).map_err(|error| damaged(column, Type::Text, error))
}

/// Reads a text of which a type is made.
pub(super) fn parsed<T>(row: &Row<'_>, column: usize) -> rusqlite::Result<T>
where
    T: std::str::FromStr,
    T::Err: Display,
{
    let text = row.get_ref(column)?.as_str()?;
    text.parse().map_err(|error| damaged(column, Type::Text, error))
}

/// A limit for `SQLite`, whose numbers have a sign.
pub(super) fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

fn from_json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| damaged(column, Type::Text, error))
}

/// The error for a value that the server cannot have written.
fn damaged(column: usize, kind: Type, why: impl Display) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, why.to_string().into())
}
