//! A profile, as the player sees it and as others do: tallies and ratings are everybody's, opponents
//! the player's own, and others see only the recent games that were public or that they played.

use noughts_protocol::{
    BoardTally, GameSummary, MAX_RECENT, MAX_TALLIES, OpponentTally, Participant, PlayerId,
    PlayerName, Profile, Tally,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::history::number;
use super::row::{self, PLAYERS, SUMMARY};

/// The last games of a player among which somebody else's recent games are looked for, so that a
/// profile takes the same time however many private games the player has.
const LAST_GAMES: u32 = 500;

/// The profile of a player for the one who asks, without ratings; `None` if the archive does not
/// know the player.
pub(super) fn profile(
    connection: &Connection,
    player: PlayerId,
    asker: PlayerId,
) -> rusqlite::Result<Option<(i64, Profile)>> {
    let sql = "SELECT n, name, first, last, streak, best FROM player WHERE id = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let known = select.query_row([player.0.cast_signed()], |row| {
        let name = row::name(row, 1)?;
        let (first_at, last_at) = (Some(row::time(row, 2)?), Some(row::time(row, 3)?));
        let (streak, best_streak) = (row.get(4)?, row.get(5)?);
        Ok((row.get(0)?, Profile { first_at, last_at, streak, best_streak, ..empty(player, name) }))
    });
    let Some((n, mut profile)) = known.optional()? else { return Ok(None) };
    profile.boards = boards(connection, n)?;
    profile.tally = sum(connection, n)?;
    profile.computers = computers(connection, n)?;
    if player == asker {
        profile.opponents = opponents(connection, n)?;
        profile.recent = recent(connection, n)?;
    } else {
        let asker = number(connection, asker)?;
        profile.you = asker.map(|asker| between(connection, asker, n)).transpose()?.flatten();
        profile.recent = recent_for(connection, n, asker)?;
    }
    Ok(Some((n, profile)))
}

/// The profile of somebody who has finished no game.
pub(super) const fn empty(player: PlayerId, name: PlayerName) -> Profile {
    Profile {
        player,
        name,
        first_at: None,
        last_at: None,
        tally: Tally { wins: 0, losses: 0, draws: 0 },
        streak: 0,
        best_streak: 0,
        boards: Vec::new(),
        computers: Vec::new(),
        opponents: Vec::new(),
        you: None,
        ratings: Vec::new(),
        recent: Vec::new(),
    }
}

/// Reads the columns `wins, losses, draws` from `column` on.
fn tally(row: &Row<'_>, column: usize) -> rusqlite::Result<Tally> {
    let (wins, losses) = (row.get(column)?, row.get(column + 1)?);
    Ok(Tally { wins, losses, draws: row.get(column + 2)? })
}

fn sum(connection: &Connection, player: i64) -> rusqlite::Result<Tally> {
    let sql = "SELECT ifnull(sum(wins), 0), ifnull(sum(losses), 0), ifnull(sum(draws), 0) \
               FROM tally_board WHERE player = ?1";
    connection.prepare_cached(sql)?.query_row([player], |row| tally(row, 0))
}

fn boards(connection: &Connection, player: i64) -> rusqlite::Result<Vec<BoardTally>> {
    let sql = "SELECT board, wins, losses, draws FROM tally_board WHERE player = ?1 \
               ORDER BY wins + losses + draws DESC, board LIMIT ?2";
    let mut select = connection.prepare_cached(sql)?;
    let boards = select.query_map(params![player, row::limit(MAX_TALLIES)], |row| {
        Ok(BoardTally { board: row::parsed(row, 0)?, tally: tally(row, 1)? })
    })?;
    boards.collect()
}

/// The results by computer player. There are as many as strategies and strengths.
fn computers(connection: &Connection, player: i64) -> rusqlite::Result<Vec<OpponentTally>> {
    let sql = "SELECT computer, wins, losses, draws FROM tally_computer WHERE player = ?1 \
               ORDER BY wins + losses + draws DESC, computer";
    let mut select = connection.prepare_cached(sql)?;
    let computers = select.query_map([player], |row| {
        let opponent = Participant::Computer(row::computer(row, 0)?);
        Ok(OpponentTally { opponent, tally: tally(row, 1)? })
    })?;
    computers.collect()
}

fn opponents(connection: &Connection, player: i64) -> rusqlite::Result<Vec<OpponentTally>> {
    let sql = "SELECT o.id, o.name, t.wins, t.losses, t.draws FROM tally_opponent t \
               JOIN player o ON o.n = t.opponent WHERE t.player = ?1 \
               ORDER BY t.wins + t.losses + t.draws DESC, t.opponent LIMIT ?2";
    let mut select = connection.prepare_cached(sql)?;
    let opponents = select.query_map(params![player, row::limit(MAX_TALLIES)], |row| {
        Ok(OpponentTally { opponent: row::person(row, 0)?, tally: tally(row, 2)? })
    })?;
    opponents.collect()
}

/// The results of a player against another; `None` if they never met.
fn between(connection: &Connection, player: i64, other: i64) -> rusqlite::Result<Option<Tally>> {
    let sql = "SELECT wins, losses, draws FROM tally_opponent WHERE player = ?1 AND opponent = ?2";
    connection.prepare_cached(sql)?.query_row([player, other], |row| tally(row, 0)).optional()
}

fn recent(connection: &Connection, player: i64) -> rusqlite::Result<Vec<GameSummary>> {
    let sql = format!(
        "SELECT {SUMMARY} FROM \
         (SELECT game FROM played WHERE player = ?1 ORDER BY game DESC LIMIT ?2) p \
         CROSS JOIN game g ON g.n = p.game {PLAYERS} ORDER BY p.game DESC"
    );
    let mut select = connection.prepare_cached(&sql)?;
    select.query_map(params![player, row::limit(MAX_RECENT)], row::summary)?.collect()
}

/// The recent games that `asker` may see.
fn recent_for(
    connection: &Connection,
    player: i64,
    asker: Option<i64>,
) -> rusqlite::Result<Vec<GameSummary>> {
    let sql = format!(
        "SELECT {SUMMARY} FROM \
         (SELECT game, opponent FROM played WHERE player = ?1 ORDER BY game DESC LIMIT ?2) p \
         CROSS JOIN game g ON g.n = p.game {PLAYERS} \
         WHERE g.public OR p.opponent = ?3 ORDER BY p.game DESC LIMIT ?4"
    );
    let mut select = connection.prepare_cached(&sql)?;
    select
        .query_map(params![player, LAST_GAMES, asker, row::limit(MAX_RECENT)], row::summary)?
        .collect()
}
