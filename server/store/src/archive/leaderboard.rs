//! Leaderboards: the strongest players of a class of boards, tonight, this week and ever.
//!
//! The players are ordered by their rating minus two deviations: the strength that they have with near
//! certainty. Ordered by the rating alone, three lucky games would lead, because the rating of a new
//! player changes by more than a hundred with each game. For the same reason a player needs some
//! games in the period: [`least_games`].
//!
//! [`Leaderboards`] keeps each answer for [`FRESH_FOR`], so that a thousand people who look at once
//! cost one query. When somebody is forgotten, no answer from before is given again.

use std::time::Duration;

use noughts_protocol::{BoardClass, Leader, Leaderboard, MAX_LEADERS, Participant, Period};
use rusqlite::{Connection, params};

use crate::player;
use crate::rating::glicko::Strength;
use crate::rating::{number_of, rounded, strength_of};

/// How long an answer is given again, in milliseconds.
pub(crate) const FRESH_FOR: i64 = 5_000;

/// The rated games that a player must have played in a period.
pub(crate) const fn least_games(period: Period) -> u32 {
    match period {
        Period::Tonight => 3,
        Period::Week => 5,
        Period::Ever => 10,
    }
}

/// The length of a period; `None` if it has no beginning.
pub(crate) const fn length(period: Period) -> Option<Duration> {
    match period {
        Period::Tonight => Some(Duration::from_secs(12 * 3_600)),
        Period::Week => Some(Duration::from_secs(7 * 24 * 3_600)),
        Period::Ever => None,
    }
}

/// The latest answers: at most one for each class and period.
#[derive(Debug, Default)]
pub(crate) struct Leaderboards {
    /// Each with the time at which it was made.
    latest: Vec<(i64, Leaderboard)>,
    /// The number of the last person who had asked to be forgotten.
    forgotten: i64,
}

impl Leaderboards {
    /// The leaderboard at `now`, in milliseconds since 1970, or one that is a few seconds old.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn get(
        &mut self,
        connection: &Connection,
        class: BoardClass,
        period: Period,
        now: i64,
    ) -> rusqlite::Result<Leaderboard> {
        let sql = "SELECT coalesce(max(n), 0) FROM player WHERE forgotten IS NOT NULL";
        let forgotten = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        if self.forgotten != forgotten {
            self.latest.clear();
            self.forgotten = forgotten;
        }
        // A clock that was set back makes nothing fresh.
        self.latest.retain(|(made, _)| (*made..made.saturating_add(FRESH_FOR)).contains(&now));
        let is_wanted = |board: &Leaderboard| board.class == class && board.period == period;
        if let Some((_, board)) = self.latest.iter().find(|(_, board)| is_wanted(board)) {
            return Ok(board.clone());
        }
        let board = leaderboard(connection, class, period, now)?;
        self.latest.push((now, board.clone()));
        Ok(board)
    }
}

/// Reads the leaderboard at `now`, in milliseconds since 1970. Forgotten players are not on it.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn leaderboard(
    connection: &Connection,
    class: BoardClass,
    period: Period,
    now: i64,
) -> rusqlite::Result<Leaderboard> {
    let least = least_games(period);
    let mut candidates = match length(period) {
        None => of_all_time(connection, class, least)?,
        Some(length) => {
            let length = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
            since(connection, class, least, now.saturating_sub(length))?
        }
    };
    for candidate in &mut candidates {
        candidate.strength = candidate.strength.at(now);
    }
    candidates.sort_by(|a, b| {
        let strongest = b.strength.lower_bound().total_cmp(&a.strength.lower_bound());
        strongest.then(b.in_period.cmp(&a.in_period)).then(a.player.cmp(&b.player))
    });
    let mut rows = Vec::new();
    for Candidate { player, strength, in_period } in candidates {
        if rows.len() == MAX_LEADERS {
            break;
        }
        let Participant::Human { player, name } = player::of_number(connection, player)? else {
            continue;
        };
        let rating = rounded(strength, class);
        rows.push(Leader { player, name, rating, games_in_period: in_period });
    }
    Ok(Leaderboard { class, period, least_games: least, rows })
}

/// A player with enough games.
struct Candidate {
    /// The player's number.
    player: i64,
    strength: Strength,
    /// Rated games in the period.
    in_period: u32,
}

/// The players with enough games of all time.
fn of_all_time(
    connection: &Connection,
    class: BoardClass,
    least: u32,
) -> rusqlite::Result<Vec<Candidate>> {
    let sql = "SELECT player, rating, deviation, volatility, games, last FROM rating \
               WHERE class = ?1 AND games >= ?2";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map(params![number_of(class), least], |row| {
        let strength = strength_of(row, 1)?;
        Ok(Candidate { player: row.get(0)?, strength, in_period: strength.games })
    })?;
    rows.collect()
}

/// The players with enough games that ended at `since` or later.
fn since(
    connection: &Connection,
    class: BoardClass,
    least: u32,
    since: i64,
) -> rusqlite::Result<Vec<Candidate>> {
    let sql = "WITH busy AS (SELECT player, count(*) AS games FROM seat \
                             WHERE rated = 1 AND class = ?1 AND ended >= ?2 \
                             GROUP BY player HAVING count(*) >= ?3) \
               SELECT player, busy.games, rating, deviation, volatility, rating.games, last \
               FROM busy JOIN rating USING (player) WHERE class = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map(params![number_of(class), since, least], |row| {
        Ok(Candidate {
            player: row.get(0)?,
            strength: strength_of(row, 2)?,
            in_period: row.get(1)?,
        })
    })?;
    rows.collect()
}
