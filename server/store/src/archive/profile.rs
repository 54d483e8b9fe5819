//! A profile, as the player sees it and as others do: tallies and ratings are everybody's, opponents
//! the player's own, and others see only the recent games that were public or that they played.

use std::collections::HashMap;

use noughts_protocol::{
    BoardTally, Computer, GameSummary, MAX_RECENT, MAX_TALLIES, OpponentTally, Outcome,
    Participant, PlayerId, PlayerName, Profile, Tally,
};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::history::newest;
use crate::error::{DiskError, ReadError};
use crate::game::outcome_number;
use crate::player::{self, number};
use crate::row;

/// The profile of a player for the one who asks, without ratings; `None` if the archive does not
/// know the player.
pub(super) fn profile(
    connection: &Connection,
    player: PlayerId,
    asker: PlayerId,
) -> Result<Option<(i64, Profile)>, ReadError> {
    let Some(n) = number(connection, player)? else { return Ok(None) };
    let Participant::Human { name, .. } = player::of_number(connection, n)? else {
        return Ok(None);
    };
    let results = Results::of(connection, n)?;
    let mut profile = Profile {
        first_at: ended(connection, n, "ASC")?,
        last_at: ended(connection, n, "DESC")?,
        streak: results.streak,
        best_streak: results.best,
        tally: results.all,
        boards: results.boards()?,
        computers: results.computers()?,
        ..empty(player, name)
    };
    if player == asker {
        profile.opponents = results.opponents(connection)?;
        profile.recent = recent(connection, n, |_, _| true)?;
    } else {
        let asker = number(connection, asker)?;
        let met = asker.and_then(|asker| results.people.get(&asker));
        // The results of the one who asks.
        profile.you = met.map(|met| Tally { wins: met.losses, losses: met.wins, draws: met.draws });
        let may_see =
            |is_public, opponent: Option<i64>| is_public || (asker.is_some() && opponent == asker);
        profile.recent = recent(connection, n, may_see)?;
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

/// The results of a person's seats. They lie together, and are read once: a hundred thousand in a
/// few milliseconds.
#[derive(Debug, Default)]
struct Results {
    all: Tally,
    /// Games won in a row: now, and the most.
    streak: u32,
    best: u32,
    /// By board and variant.
    boards: Vec<([String; 2], Tally)>,
    /// By the computers' JSON.
    computers: Vec<([String; 1], Tally)>,
    /// By the people's numbers.
    people: HashMap<i64, Tally>,
}

impl Results {
    fn of(connection: &Connection, player: i64) -> Result<Self, ReadError> {
        // As few columns as possible: each costs as much as a row.
        let sql = "SELECT outcome, coalesce(opponent, versus), board, variant FROM seat \
                   WHERE player = ?1 AND outcome IS NOT NULL ORDER BY game, mark";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([player])?;
        let mut results = Self::default();
        while let Some(row) = rows.next()? {
            let outcome: i64 = row.get(0)?;
            let won = outcome == outcome_number(Outcome::Won);
            results.streak = if won { results.streak + 1 } else { 0 };
            results.best = results.best.max(results.streak);
            count(&mut results.all, outcome);
            let board = [row.get_ref(2)?, row.get_ref(3)?];
            count(find(&mut results.boards, board)?, outcome);
            match row.get_ref(1)? {
                ValueRef::Integer(person) => {
                    count(results.people.entry(person).or_default(), outcome);
                }
                computer => count(find(&mut results.computers, [computer])?, outcome),
            }
        }
        results.boards.sort_by(most_played);
        results.computers.sort_by(most_played);
        Ok(results)
    }

    fn boards(&self) -> Result<Vec<BoardTally>, ReadError> {
        let boards = self.boards.iter().take(MAX_TALLIES).map(|([board, variant], tally)| {
            let board = board.parse().map_err(|_| DiskError::Damaged(format!("board {board}")))?;
            let variant =
                variant.parse().map_err(|_| DiskError::Damaged(format!("variant {variant}")))?;
            Ok(BoardTally { board, variant, tally: *tally })
        });
        boards.collect()
    }

    /// There are as many as strategies and strengths.
    fn computers(&self) -> Result<Vec<OpponentTally>, ReadError> {
        let computers = self.computers.iter().map(|([json], tally)| {
            let computer: Computer = serde_json::from_str(json)
                .map_err(|error| DiskError::Damaged(error.to_string()))?;
            Ok(OpponentTally { opponent: Participant::Computer(computer), tally: *tally })
        });
        computers.collect()
    }

    fn opponents(&self, connection: &Connection) -> Result<Vec<OpponentTally>, ReadError> {
        let mut people: Vec<_> = self.people.iter().map(|(n, tally)| (*n, *tally)).collect();
        people.sort_by(most_played);
        let opponents = people.into_iter().take(MAX_TALLIES).map(|(n, tally)| {
            Ok(OpponentTally { opponent: player::of_number(connection, n)?, tally })
        });
        opponents.collect()
    }
}

fn count(tally: &mut Tally, outcome: i64) {
    let counted = match outcome {
        0 => &mut tally.losses,
        1 => &mut tally.draws,
        _ => &mut tally.wins,
    };
    *counted = counted.saturating_add(1);
}

/// The tally under some texts. There are few of them.
fn find<'a, const TEXTS: usize>(
    tallies: &'a mut Vec<([String; TEXTS], Tally)>,
    key: [ValueRef<'_>; TEXTS],
) -> Result<&'a mut Tally, ReadError> {
    let is_key = |known: &[String; TEXTS]| {
        known.iter().zip(key).all(|(known, text)| ValueRef::from(known.as_str()) == text)
    };
    if let Some(at) = tallies.iter().position(|(known, _)| is_key(known)) {
        return Ok(&mut tallies[at].1);
    }
    let mut texts = [const { String::new() }; TEXTS];
    for (text, value) in texts.iter_mut().zip(key) {
        let read =
            value.as_str().map_err(|_| DiskError::Damaged("a seat without a text".into()))?;
        read.clone_into(text);
    }
    tallies.push((texts, Tally::default()));
    let at = tallies.len() - 1;
    Ok(&mut tallies[at].1)
}

fn most_played<K: Ord>((a, of_a): &(K, Tally), (b, of_b): &(K, Tally)) -> std::cmp::Ordering {
    of_b.games().cmp(&of_a.games()).then_with(|| a.cmp(b))
}

/// When the first or the last game of a person ended.
fn ended(connection: &Connection, player: i64, order: &str) -> rusqlite::Result<Option<u64>> {
    let sql = format!("SELECT ended FROM seat WHERE player = ?1 ORDER BY game {order} LIMIT 1");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([player])?;
    rows.next()?.map(|row| row::time(row, 0)).transpose()
}

/// The last games of a person that the one who asks may see.
fn recent(
    connection: &Connection,
    player: i64,
    may_see: impl Fn(bool, Option<i64>) -> bool,
) -> Result<Vec<GameSummary>, ReadError> {
    let (games, _) = newest(connection, player, i64::MAX, may_see, MAX_RECENT)?;
    Ok(games.into_iter().map(|game| game.summary).collect())
}
