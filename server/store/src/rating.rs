//! The table `rating`, and the fold over the rated games that gives the same ([`glicko`] has the formulas).
//! The ratings after the last game are stored, so that a profile and a leaderboard need no fold.
//! `noughts-server ratings` and `verify` fold all games again and compare.
//!
//! The seats of rated games stay when the games themselves are deleted, and when a player is forgotten:
//! such a player has neither id nor name any more, is shown nowhere and is not compared.

use std::collections::HashMap;

use noughts_protocol::{BoardClass, Outcome, Participant, PlayerId, PlayerName, Rating};
use rusqlite::{Connection, Row, params};

use crate::error::ReadError;
use crate::{game, player};
use glicko::Strength;

pub(crate) mod glicko;
pub(crate) mod standing;

/// The number of a class in the tables: of those with a line the marks in a row.
pub(crate) const fn number_of(class: BoardClass) -> i64 {
    match class {
        BoardClass::Three => 3,
        BoardClass::Four => 4,
        BoardClass::Five => 5,
        BoardClass::Ultimate => 6,
        BoardClass::Gravity => 7,
        BoardClass::Other => 8,
    }
}

/// The class with a number of [`number_of`].
fn class_of(number: i64) -> Option<BoardClass> {
    BoardClass::ALL.into_iter().find(|class| number_of(*class) == number)
}

/// A rated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RatedGame {
    pub(crate) class: BoardClass,
    /// The players' numbers.
    pub(crate) x: i64,
    pub(crate) o: i64,
    /// The outcome for X.
    pub(crate) of_x: Outcome,
    /// When it ended, in milliseconds since 1970.
    pub(crate) at: i64,
}

/// Stores the ratings after a game.
pub(crate) fn record(connection: &Connection, rated: RatedGame) -> rusqlite::Result<()> {
    let RatedGame { class, x, o, of_x, at } = rated;
    let before = |player| stored(connection, player, class).map(|s| s.unwrap_or(Strength::NEW));
    let (after_x, after_o) = Strength::after_game(before(x)?, before(o)?, of_x, at);
    let sql = "INSERT OR REPLACE INTO rating \
               (player, class, rating, deviation, volatility, games, last) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut replace = connection.prepare_cached(sql)?;
    for (player, after) in [(x, after_x), (o, after_o)] {
        let Strength { rating, deviation, volatility, games, last } = after;
        let class = number_of(class);
        replace.execute(params![player, class, rating, deviation, volatility, games, last])?;
    }
    Ok(())
}

/// The ratings of a player, as certain as they are at `now`, in milliseconds since 1970.
pub(crate) fn of_player(
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
pub(crate) fn rounded(strength: Strength, class: BoardClass) -> Rating {
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
pub(crate) fn strength_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Strength> {
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

/// Folds all rated games again and compares the result with the stored ratings.
pub(crate) fn recompute(connection: &Connection) -> Result<Recomputation, ReadError> {
    let mut contradictions = Vec::new();
    let (folded, games) = fold_all(connection, &mut contradictions)?;
    let mut stored = all_stored(connection, &mut contradictions)?;
    let mut ratings = Vec::new();
    for ((player, class), strength) in folded {
        let kept = stored.remove(&(player, class));
        let Participant::Human { player: id, name } = player::of_number(connection, player)? else {
            continue;
        };
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
        let who = match player::of_number(connection, player)? {
            Participant::Human { player, .. } => format!("player {player}"),
            _ => format!("forgotten person number {player}"),
        };
        let label = class.label();
        contradictions.push(format!("{who} has a rating in {label} without a rated game"));
    }
    contradictions.sort_unstable();
    ratings.sort_by(|a, b| {
        let classes = number_of(a.class).cmp(&number_of(b.class));
        let strongest = b.strength.rating.total_cmp(&a.strength.rating);
        classes.then(strongest).then(a.player.cmp(&b.player))
    });
    Ok(Recomputation { ratings, games, contradictions })
}

type Ratings = HashMap<(i64, BoardClass), Strength>;

/// The ratings after all rated games, and the number of games.
fn fold_all(
    connection: &Connection,
    contradictions: &mut Vec<String>,
) -> Result<(Ratings, u64), ReadError> {
    let mut ratings = Ratings::new();
    let mut games = 0;
    let sql = "SELECT x.game, x.class, x.player, o.player, x.outcome, o.outcome, x.ended FROM seat x \
               LEFT JOIN seat o ON o.player = x.opponent AND o.game = x.game AND o.mark = 1 \
               WHERE x.rated = 1 AND x.mark = 0 ORDER BY x.game";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (n, x, at): (i64, i64, i64) = (row.get(0)?, row.get(2)?, row.get(6)?);
        let (o, of_x, of_o): (Option<i64>, Option<i64>, Option<i64>) =
            (row.get(3)?, row.get(4)?, row.get(5)?);
        let of_x = of_x.filter(|of_x| of_o.is_some_and(|of_o| of_x + of_o == 2));
        let of_x = of_x.and_then(game::outcome_of);
        let (Some(class), Some(of_x), Some(o)) = (class_of(row.get(1)?), of_x, o) else {
            contradictions.push(format!("rated game number {n} makes no sense"));
            continue;
        };
        let before = |player| ratings.get(&(player, class)).copied().unwrap_or(Strength::NEW);
        let (after_x, after_o) = Strength::after_game(before(x), before(o), of_x, at);
        ratings.insert((x, class), after_x);
        ratings.insert((o, class), after_o);
        games += 1;
    }
    Ok((ratings, games))
}

fn all_stored(
    connection: &Connection,
    contradictions: &mut Vec<String>,
) -> Result<Ratings, ReadError> {
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
