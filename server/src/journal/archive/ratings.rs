//! Ratings: a fold over the rated games, which are never deleted ([`glicko`] has the formulas). The
//! values after the last game are stored too, so that a profile and a leaderboard need no fold.
//! `noughts-server ratings` and `verify` fold all games again and compare.
//!
//! The rated games stay when the games themselves are deleted, and when a player is forgotten: such a
//! player has neither id nor name any more, is shown nowhere and is not compared.

use std::collections::HashMap;

use noughts_protocol::{BoardClass, PlayerId, PlayerName, Rating};
use rusqlite::{Connection, Row, params};

use super::super::error::DiskError;
use glicko::Strength;

pub mod glicko;
pub(crate) mod standing;

pub use glicko::Points;

/// The number of a class in the tables: the marks in a row.
pub(super) const fn number_of(class: BoardClass) -> i64 {
    match class {
        BoardClass::Three => 3,
        BoardClass::Four => 4,
        BoardClass::Five => 5,
    }
}

/// The class with a number of [`number_of`].
fn class_of(number: i64) -> Option<BoardClass> {
    BoardClass::ALL.into_iter().find(|class| number_of(*class) == number)
}

/// A rated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::journal) struct RatedGame {
    /// The game's number.
    pub(in crate::journal) game: i64,
    pub(in crate::journal) class: BoardClass,
    /// The players' numbers.
    pub(in crate::journal) x: i64,
    pub(in crate::journal) o: i64,
    pub(in crate::journal) points: Points,
    /// When it ended, in milliseconds since 1970.
    pub(in crate::journal) at: i64,
}

/// Stores a rated game and the ratings after it, in the caller's transaction.
///
/// # Errors
/// If a statement fails.
pub(in crate::journal) fn record(
    connection: &Connection,
    rated: RatedGame,
) -> rusqlite::Result<()> {
    let RatedGame { game, class, x, o, points, at } = rated;
    let sql = "INSERT INTO rated (game, class, x, o, half_points, at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let number = number_of(class);
    let half_points = points.half_points();
    connection.prepare_cached(sql)?.execute(params![game, number, x, o, half_points, at])?;
    let before = |player| stored(connection, player, class).map(|s| s.unwrap_or(Strength::NEW));
    let (after_x, after_o) = Strength::after_game(before(x)?, before(o)?, points, at);
    let sql = "INSERT OR REPLACE INTO rating \
               (player, class, rating, deviation, volatility, games, last) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut replace = connection.prepare_cached(sql)?;
    for (player, after) in [(x, after_x), (o, after_o)] {
        let Strength { rating, deviation, volatility, games, last } = after;
        replace.execute(params![player, number, rating, deviation, volatility, games, last])?;
    }
    Ok(())
}

/// The ratings of a player, as certain as they are at `now`, in milliseconds since 1970.
///
/// # Errors
/// If they cannot be read.
pub(in crate::journal) fn of_player(
    connection: &Connection,
    player: i64,
    now: i64,
) -> rusqlite::Result<Vec<Rating>> {
    let mut ratings = Vec::new();
    for class in BoardClass::ALL {
        if let Some(strength) = stored(connection, player, class)? {
            ratings.push(rounded(strength.at(now), class));
        }
    }
    Ok(ratings)
}

/// A rating in whole numbers.
pub(super) fn rounded(strength: Strength, class: BoardClass) -> Rating {
    let Strength { rating, deviation, games, .. } = strength;
    // Both are between 0 and 4000, so that the casts cut nothing off.
    Rating { class, rating: rating.round() as i32, deviation: deviation.round() as u32, games }
}

fn stored(
    connection: &Connection,
    player: i64,
    class: BoardClass,
) -> rusqlite::Result<Option<Strength>> {
    let sql = "SELECT rating, deviation, volatility, games, last FROM rating \
               WHERE player = ?1 AND class = ?2";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query(params![player, number_of(class)])?;
    rows.next()?.map(|row| strength_of(row, 0)).transpose()
}

/// The strength in the columns from `first` on: rating, deviation, volatility, games, last.
pub(super) fn strength_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Strength> {
    Ok(Strength {
        rating: row.get(first)?,
        deviation: row.get(first + 1)?,
        volatility: row.get(first + 2)?,
        games: row.get(first + 3)?,
        last: row.get(first + 4)?,
    })
}

/// A player's rating as the fold over all rated games gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recomputed {
    /// The class of boards.
    pub class: BoardClass,
    /// The player.
    pub player: PlayerId,
    /// The player's last name.
    pub name: PlayerName,
    /// The rating of the fold.
    pub strength: Strength,
    /// Whether the stored rating is the same.
    pub agrees: bool,
}

/// All ratings, folded again.
#[derive(Debug, Clone, PartialEq)]
pub struct Recomputation {
    /// The ratings of the players who are not forgotten, by class, the highest first.
    pub ratings: Vec<Recomputed>,
    /// The number of rated games.
    pub games: u64,
    /// The contradictions to the fold, as sentences.
    pub contradictions: Vec<String>,
}

/// Folds all rated games again and compares the result with the stored ratings. A server may write
/// meanwhile: all is read as it was at one moment.
///
/// # Errors
/// If the journal cannot be read.
pub fn recompute(connection: &Connection) -> Result<Recomputation, DiskError> {
    let connection = &connection.unchecked_transaction()?;
    let mut contradictions = Vec::new();
    let (folded, games) = fold_all(connection, &mut contradictions)?;
    let mut stored = all_stored(connection, &mut contradictions)?;
    let names = names(connection)?;
    let mut ratings = Vec::new();
    for ((player, class), strength) in folded {
        let kept = stored.remove(&(player, class));
        let Some((id, name)) = names.get(&player).cloned() else { continue };
        let agrees = kept == Some(strength);
        if !agrees {
            let label = class.label();
            contradictions.push(match kept {
                Some(kept) => format!(
                    "the rating of player {id} in {label} is stored as {:.1}, and the rated games \
                     give {:.1}",
                    kept.rating, strength.rating
                ),
                None => format!("the rating of player {id} in {label} is missing"),
            });
        }
        ratings.push(Recomputed { class, player: id, name, strength, agrees });
    }
    for (player, class) in stored.into_keys() {
        if let Some((id, _)) = names.get(&player) {
            let label = class.label();
            contradictions
                .push(format!("player {id} has a rating in {label} without a rated game"));
        }
    }
    contradictions.sort_unstable();
    ratings.sort_by(|a, b| {
        let (class_a, class_b) = (number_of(a.class), number_of(b.class));
        let strongest = b.strength.rating.total_cmp(&a.strength.rating);
        class_a.cmp(&class_b).then(strongest).then(a.player.cmp(&b.player))
    });
    Ok(Recomputation { ratings, games, contradictions })
}

type Ratings = HashMap<(i64, BoardClass), Strength>;

/// The ratings after all rated games, and the number of games.
fn fold_all(
    connection: &Connection,
    contradictions: &mut Vec<String>,
) -> Result<(Ratings, u64), DiskError> {
    let (mut ratings, mut games) = (Ratings::new(), 0);
    let sql = "SELECT game, class, x, o, half_points, at FROM rated ORDER BY game";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (game, x, o, at): (i64, i64, i64, i64) =
            (row.get(0)?, row.get(2)?, row.get(3)?, row.get(5)?);
        let (class, points) = (class_of(row.get(1)?), Points::of_half_points(row.get(4)?));
        let Some((class, points)) = class.zip(points).filter(|_| x != o) else {
            contradictions.push(format!("rated game number {game} makes no sense"));
            continue;
        };
        let before = |player| ratings.get(&(player, class)).copied().unwrap_or(Strength::NEW);
        let (after_x, after_o) = Strength::after_game(before(x), before(o), points, at);
        ratings.insert((x, class), after_x);
        ratings.insert((o, class), after_o);
        games += 1;
    }
    Ok((ratings, games))
}

fn all_stored(
    connection: &Connection,
    contradictions: &mut Vec<String>,
) -> Result<Ratings, DiskError> {
    let sql = "SELECT player, class, rating, deviation, volatility, games, last FROM rating";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    let mut ratings = Ratings::new();
    while let Some(row) = rows.next()? {
        let (player, class): (i64, i64) = (row.get(0)?, row.get(1)?);
        match class_of(class) {
            Some(class) => drop(ratings.insert((player, class), strength_of(row, 2)?)),
            None => contradictions.push(format!("there is no class of boards {class}")),
        }
    }
    Ok(ratings)
}

/// The ids and names of the players with a rated game, except forgotten ones.
fn names(connection: &Connection) -> Result<HashMap<i64, (PlayerId, PlayerName)>, DiskError> {
    let sql = "SELECT n, id, name FROM player WHERE id IS NOT NULL AND name IS NOT NULL \
               AND n IN (SELECT x FROM rated UNION SELECT o FROM rated \
                         UNION SELECT player FROM rating)";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    let mut names = HashMap::new();
    while let Some(row) = rows.next()? {
        if let Some((id, name)) = player_of(row.get(1)?, &row.get::<_, String>(2)?) {
            names.insert(row.get(0)?, (id, name));
        }
    }
    Ok(names)
}

/// A player from the columns `id` and `name`; `None` if the name is none.
pub(super) fn player_of(id: i64, name: &str) -> Option<(PlayerId, PlayerName)> {
    Some((PlayerId(id.cast_unsigned()), name.parse().ok()?))
}

#[cfg(test)]
pub(super) mod tests;
