//! Adds a game to the archive, and counts it for the people who played it.

use noughts_protocol::{BoardClass, ByMark, GameResult, Mark, Participant, PlayerId, PlayerName};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::{GameColumns, RoomRow, Side};
use super::ended_game::{EndedGame, GameTimes, own_name};
use super::forget::is_forgotten;
use super::ratings::{Points, RatedGame, record};
use crate::journal::entry::{Entry, Payload};

/// The number in place of a forgotten person's in games that ended later.
pub(super) const SOMEBODY: i64 = 0;

/// Adds the game of a room whose last facts, with the end of the game, were stored just now. `recent`
/// are the facts of the room that are not in `event` yet. With the game comes how long the server
/// had run by then.
pub(in crate::journal) fn add(
    connection: &Connection,
    room: i64,
    recent: &[Entry],
    (game, age): &(EndedGame, i64),
) -> rusqlite::Result<()> {
    let times = times(connection, room, recent, game.moves.len())?;
    let row = RoomRow::of(connection, room)?;
    let sides = sides(connection, &game.players)?;
    let columns = GameColumns::of(game, &times, *age, (room, row), sides);
    let n = next_number(connection)?;
    columns.insert(connection, n)?;
    count(connection, n, &columns, &game.result)?;
    if columns.rated { rate(connection, n, &columns, game) } else { Ok(()) }
}

fn rate(
    connection: &Connection,
    n: i64,
    columns: &GameColumns,
    game: &EndedGame,
) -> rusqlite::Result<()> {
    let (Some(x), Some(o)) = (columns.sides.x.player, columns.sides.o.player) else {
        return Ok(());
    };
    let points = match game.result.winner() {
        Some(Mark::X) => Points::Full,
        Some(Mark::O) => Points::None,
        None => Points::Half,
    };
    let class = BoardClass::of(game.board);
    record(connection, RatedGame { game: n, class, x, o, points, at: columns.ended })
}

/// The number of the next game: no number is used again.
pub(super) fn next_number(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT max(coalesce((SELECT max(n) FROM game), 0), (SELECT game FROM pruned)) + 1";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// Reads the times of a room's last game, which has this many moves, backwards to its start. They are
/// not in memory: a room may have hibernated in between.
fn times(
    connection: &Connection,
    room: i64,
    recent: &[Entry],
    plies: usize,
) -> rusqlite::Result<GameTimes> {
    let mut times = GameTimes { moves: Vec::with_capacity(plies), ..GameTimes::default() };
    times.ended = recent.last().map_or(0, |entry| entry.at);
    let mut is_whole = false;
    for entry in recent.iter().rev() {
        let fact = match &entry.payload {
            Payload::Move(_) => None,
            Payload::Fact(json) => Some(json.as_bytes()),
        };
        is_whole = is_whole || is_start(&mut times, entry.at, fact);
    }
    if !is_whole {
        let before = recent.first().map_or(i64::MAX, |entry| entry.v.cast_signed());
        let sql = "SELECT at, fact FROM event WHERE room = ?1 AND v < ?2 ORDER BY v DESC";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([room, before])?;
        while let Some(row) = rows.next()?
            && !is_whole
        {
            let fact = match row.get_ref(1)? {
                ValueRef::Text(fact) => Some(fact),
                _ => None,
            };
            is_whole = is_start(&mut times, row.get(0)?, fact);
        }
    }
    times.moves.reverse();
    Ok(times)
}

/// Notes the time of a fact, from the last one backwards; a fact without text is a move. Returns
/// whether it started the game.
fn is_start(times: &mut GameTimes, at: i64, fact: Option<&[u8]>) -> bool {
    // The stored form of facts never changes: it begins with the kind.
    let is = |kind: &[u8]| fact.is_some_and(|fact| fact.starts_with(kind));
    if fact.is_none() || is(br#"{"kind":"moved""#) {
        times.moves.push(at);
    } else if is(br#"{"kind":"game_started""#) {
        times.started = at;
        return true;
    }
    false
}

/// The sides of a game. A person who has none yet gets a number.
pub(super) fn sides(
    connection: &Connection,
    players: &ByMark<Participant>,
) -> rusqlite::Result<ByMark<Side>> {
    let side = |participant: &Participant| {
        let player =
            participant.player().map(|player| number_of(connection, player)).transpose()?;
        Ok::<_, rusqlite::Error>(Side::of(participant, player))
    };
    Ok(ByMark { x: side(&players.x)?, o: side(&players.o)? })
}

/// A person's number, made if need be; [`SOMEBODY`] for one who was forgotten.
fn number_of(connection: &Connection, player: PlayerId) -> rusqlite::Result<i64> {
    let id = player.0.cast_signed();
    let sql = "SELECT n FROM player WHERE id = ?1";
    let known = connection.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?;
    if let Some(n) = known {
        return Ok(n);
    }
    if is_forgotten(connection, player)? {
        return Ok(SOMEBODY);
    }
    connection.prepare_cached("INSERT INTO player (id) VALUES (?1)")?.execute([id])?;
    Ok(connection.last_insert_rowid())
}

/// Counts game number `n` for the people who played it.
pub(super) fn count(
    connection: &Connection,
    n: i64,
    game: &GameColumns,
    result: &GameResult,
) -> rusqlite::Result<()> {
    let winner = result.winner();
    let alone = game.sides.x.player.is_some() && game.sides.x.player == game.sides.o.player;
    for mark in Mark::BOTH {
        let (side, opponent) = (&game.sides[mark], &game.sides[mark.other()]);
        let Some(player) = side.player.filter(|player| *player != SOMEBODY) else { continue };
        if alone {
            if mark == Mark::X {
                note_game(connection, player, game, mark, None)?;
                note_played(connection, player, n, None, game, None)?;
            }
            continue;
        }
        let outcome = match winner {
            None => 1,
            Some(winner) if winner == mark => 2,
            Some(_) => 0,
        };
        note_game(connection, player, game, mark, Some(outcome))?;
        note_played(connection, player, n, opponent.player, game, Some(outcome))?;
        tally(connection, ("tally_board", "board"), player, &game.board, outcome)?;
        match (opponent.player, &opponent.computer) {
            (Some(other), _) => {
                tally(connection, ("tally_opponent", "opponent"), player, other, outcome)?;
            }
            (None, Some(computer)) => {
                tally(connection, ("tally_computer", "computer"), player, computer, outcome)?;
            }
            (None, None) => {}
        }
    }
    Ok(())
}

/// Notes a person's name, the time of the game and the games won in a row. A game that was played on
/// both sides (no outcome) is no game of a row.
fn note_game(
    connection: &Connection,
    player: i64,
    game: &GameColumns,
    mark: Mark,
    outcome: Option<i64>,
) -> rusqlite::Result<()> {
    let name = |mark: Mark| {
        let name = game.sides[mark].name.as_deref();
        name.and_then(|name| name.parse::<PlayerName>().ok())
    };
    let name = name(mark).map(|own| own_name(&own, name(mark.other()).as_ref()).to_string());
    let sql = "UPDATE player SET name = ?2, first = coalesce(first, ?3), last = ?3, \
               best = max(best, CASE WHEN ?4 IS 2 THEN streak + 1 ELSE 0 END), \
               streak = CASE WHEN ?4 IS NULL THEN streak WHEN ?4 = 2 THEN streak + 1 ELSE 0 END \
               WHERE n = ?1";
    connection.prepare_cached(sql)?.execute(params![player, name, game.ended, outcome])?;
    Ok(())
}

fn note_played(
    connection: &Connection,
    player: i64,
    n: i64,
    opponent: Option<i64>,
    game: &GameColumns,
    outcome: Option<i64>,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO played (player, game, opponent, board, outcome) \
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let row = params![player, n, opponent, game.board, outcome];
    connection.prepare_cached(sql)?.execute(row)?;
    Ok(())
}

/// Counts an outcome in a table of tallies, by its key besides the player.
fn tally(
    connection: &Connection,
    (table, key): (&str, &str),
    player: i64,
    value: impl rusqlite::ToSql,
    outcome: i64,
) -> rusqlite::Result<()> {
    let [losses, draws, wins] = [0, 1, 2].map(|other| i64::from(outcome == other));
    let sql = format!(
        "INSERT INTO {table} (player, {key}, wins, losses, draws) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT DO UPDATE SET wins = wins + ?3, losses = losses + ?4, draws = draws + ?5"
    );
    connection.prepare_cached(&sql)?.execute(params![player, value, wins, losses, draws])?;
    Ok(())
}
