//! Looks for contradictions in the archive: between its rows and the facts of the rooms, between what
//! is counted and what is kept, and in the checksums.
//!
//! A deleted game cannot be compared. A game that is not there may have been deleted if a later end
//! was; a person's results may be more than those of the kept games once any game was deleted.

use std::collections::HashMap;

use noughts_protocol::{ByMark, Participant, PlayerId};
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::{COLUMNS, GameColumns, RoomRow, Side};
use super::ended_game::{ToldGame, ended_games};
use crate::journal::error::DiskError;
use crate::journal::recent::reader::RecentReader;
use crate::journal::stored_room;

/// Compares the games that a room's facts tell with the kept ones. The room's facts are sound. Each
/// contradiction is a sentence.
///
/// # Errors
/// If the file cannot be read.
pub(in crate::journal) fn contradictions_of_room(
    connection: &Connection,
    recent: &RecentReader,
    room: i64,
) -> Result<Vec<String>, DiskError> {
    // A server may write meanwhile: the facts and the games are of one moment.
    let moment = connection.unchecked_transaction()?;
    let Some(stored) = stored_room::load(&moment, recent, room)? else { return Ok(Vec::new()) };
    let Ok(told) = ended_games(&stored) else { return Ok(Vec::new()) };
    let sql = "SELECT game, ended FROM pruned";
    let pruned: (i64, i64) = moment.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut contradictions = Vec::new();
    let mut kept = kept_games(&moment, room)?;
    for game in told {
        let number = game.game.number;
        let what = format!("game {number} of room {} (number {room})", stored.code);
        match kept.remove(&i64::from(number)) {
            Some(columns) => {
                let row = RoomRow::of(&moment, room)?;
                if !agrees(&moment, &columns, (room, row), &game)? {
                    contradictions.push(format!("{what} is kept otherwise than it was played"));
                }
            }
            None if pruned.0 > 0 && game.times.ended <= pruned.1 => {}
            None => contradictions.push(format!("{what} is not kept")),
        }
    }
    contradictions.extend(kept.keys().map(|number| {
        format!("game {number} of room {} (number {room}) is kept and was not played", stored.code)
    }));
    Ok(contradictions)
}

/// The kept games of a room by their numbers.
fn kept_games(connection: &Connection, room: i64) -> Result<HashMap<i64, GameColumns>, DiskError> {
    let sql = format!("SELECT {COLUMNS} FROM game WHERE room = ?1");
    let mut select = connection.prepare_cached(&sql)?;
    let mut kept = HashMap::new();
    for row in select.query_map([room], GameColumns::from_row)? {
        let (columns, _) = row?;
        kept.insert(columns.number, columns);
    }
    Ok(kept)
}

/// Whether a kept game is the game that the facts tell.
fn agrees(
    connection: &Connection,
    kept: &GameColumns,
    room: (i64, RoomRow),
    ToldGame { game, times, has_id }: &ToldGame,
) -> rusqlite::Result<bool> {
    let told = GameColumns::of(game, times, kept.ended_age, room, kept.sides.clone());
    let id = if *has_id { told.id } else { kept.id };
    // Whether it was rated is not in the facts: the host may have switched ratings off.
    let told = GameColumns { id, rated: kept.rated, ..told };
    let ByMark { x, o } = &kept.sides;
    let sides =
        is_side(connection, x, &game.players.x)? && is_side(connection, o, &game.players.o)?;
    Ok(sides && told == *kept)
}

/// Whether a side is the one that the facts tell. A forgotten person may have lost the name in one of
/// them, and in the other not yet.
fn is_side(connection: &Connection, side: &Side, told: &Participant) -> rusqlite::Result<bool> {
    let (player, name) = match told {
        Participant::Computer(_) => return Ok(*side == Side::of(told, None)),
        Participant::Somebody => return Ok(side.computer.is_none()),
        Participant::Human { player, name } => (player, name),
    };
    let Some(n) = side.player else { return Ok(false) };
    let sql = "SELECT id FROM player WHERE n = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let id: Option<Option<i64>> = select.query_row([n], |row| row.get(0)).optional()?;
    Ok(match id {
        // No such person was ever known.
        None => false,
        // Forgotten.
        Some(None) => true,
        Some(Some(id)) => {
            *player != PlayerId::NOBODY
                && id == player.0.cast_signed()
                && side.name.as_deref() == Some(name.as_str())
        }
    })
}

/// The errors in the archive itself, and how many games it keeps. Calls `tell` with each
/// contradiction, a sentence.
///
/// # Errors
/// If the file cannot be read.
pub(in crate::journal) fn check(
    connection: &Connection,
    mut tell: impl FnMut(&str),
) -> Result<u64, DiskError> {
    let moment = connection.unchecked_transaction()?;
    let mut games = 0;
    let sql = format!("SELECT {COLUMNS} FROM game ORDER BY n");
    let mut select = moment.prepare(&sql)?;
    for row in select.query_map([], GameColumns::from_row)? {
        let (columns, crc) = row?;
        games += 1;
        if columns.checksum() != crc {
            let GameColumns { room, number, .. } = columns;
            tell(&format!("kept game {number} of room number {room}: its checksum is wrong"));
        }
    }
    let sql = "SELECT count(*) FROM played p LEFT JOIN game g ON g.n = p.game \
               WHERE (g.x IS NOT p.player AND g.o IS NOT p.player)";
    if moment.query_row(sql, [], |row| row.get::<_, i64>(0))? > 0 {
        tell("a person's list of games has one that is not kept, or that somebody else played");
    }
    let sql = "SELECT count(*) FROM game g JOIN player p ON p.n IN (g.x, g.o) \
               LEFT JOIN played q ON q.player = p.n AND q.game = g.n \
               WHERE p.id IS NOT NULL AND q.game IS NULL";
    if moment.query_row(sql, [], |row| row.get::<_, i64>(0))? > 0 {
        tell("a kept game is not in the list of games of a person who played it");
    }
    check_people(&moment, &mut tell)?;
    Ok(games)
}

/// The counts of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Counts([i64; 3]);

fn check_people(connection: &Connection, tell: &mut impl FnMut(&str)) -> Result<(), DiskError> {
    let pruned: i64 = connection.query_row("SELECT game FROM pruned", [], |row| row.get(0))?;
    let all = pruned == 0;
    let mut people = connection.prepare("SELECT n, id, streak, best FROM player WHERE n > 0")?;
    let mut people = people.query([])?;
    while let Some(row) = people.next()? {
        let (n, id): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
        let Some(id) = id else {
            if ["tally_board", "tally_opponent", "tally_computer", "rating"]
                .into_iter()
                .map(|table| rows(connection, table, n))
                .try_fold(0, |sum, rows| rows.map(|rows| sum + rows))?
                > 0
            {
                tell(&format!("forgotten person number {n} still has results"));
            }
            continue;
        };
        let (streak, best): (i64, i64) = (row.get(2)?, row.get(3)?);
        let who = format!("player {:016x}", id.cast_unsigned());
        let kept = Streak::of(connection, n)?;
        let streak_fits =
            if all || kept.has_other { streak == kept.now } else { streak >= kept.now };
        let best_fits = if all { best == kept.best } else { best >= kept.best };
        if !streak_fits || !best_fits || streak > best {
            tell(&format!("{who}: the games won in a row are not those of the kept games"));
        }
        let [boards, opponents, computers] = ["tally_board", "tally_opponent", "tally_computer"]
            .map(|table| total(connection, table, n));
        let (Counts(boards), Counts(opponents), Counts(computers)) =
            (boards?, opponents?, computers?);
        let sides = [0, 1, 2].map(|outcome| opponents[outcome] + computers[outcome]);
        let Counts(played) = played(connection, n)?;
        let fits = |counted: i64, kept: i64| if all { counted == kept } else { counted >= kept };
        let fit = boards.iter().zip(played).all(|(counted, kept)| fits(*counted, kept));
        if !fit || boards != sides {
            tell(&format!("{who}: the results are not those of the kept games"));
        }
    }
    Ok(())
}

/// Games won in a row, as the kept games of a person tell it.
#[derive(Debug, Default)]
struct Streak {
    now: i64,
    best: i64,
    /// Whether a kept game was not won.
    has_other: bool,
}

impl Streak {
    fn of(connection: &Connection, player: i64) -> rusqlite::Result<Self> {
        let sql = "SELECT outcome FROM played WHERE player = ?1 AND outcome IS NOT NULL \
                   ORDER BY game";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([player])?;
        let mut streak = Self::default();
        while let Some(row) = rows.next()? {
            let won = row.get::<_, i64>(0)? == 2;
            streak.now = if won { streak.now + 1 } else { 0 };
            streak.best = streak.best.max(streak.now);
            streak.has_other |= !won;
        }
        Ok(streak)
    }
}

/// Lost, drawn and won games in a table of tallies.
fn total(connection: &Connection, table: &str, player: i64) -> rusqlite::Result<Counts> {
    let sql = format!(
        "SELECT coalesce(sum(losses), 0), coalesce(sum(draws), 0), coalesce(sum(wins), 0) \
         FROM {table} WHERE player = ?1"
    );
    let mut select = connection.prepare_cached(&sql)?;
    select.query_row([player], |row| Ok(Counts([row.get(0)?, row.get(1)?, row.get(2)?])))
}

/// Lost, drawn and won games that are kept.
fn played(connection: &Connection, player: i64) -> rusqlite::Result<Counts> {
    let sql = "SELECT outcome, count(*) FROM played \
               WHERE player = ?1 AND outcome BETWEEN 0 AND 2 GROUP BY outcome";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([player])?;
    let mut counts = Counts::default();
    while let Some(row) = rows.next()? {
        let outcome: u8 = row.get(0)?;
        counts.0[usize::from(outcome)] = row.get(1)?;
    }
    Ok(counts)
}

fn rows(connection: &Connection, table: &str, player: i64) -> rusqlite::Result<i64> {
    let sql = format!("SELECT count(*) FROM {table} WHERE player = ?1");
    connection.prepare_cached(&sql)?.query_row(params![player], |row| row.get(0))
}
