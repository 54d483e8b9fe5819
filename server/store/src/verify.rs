//! Reads all that is stored, also while a server runs on it: for `export`, `ratings` and `verify`, which
//! looks for damage and contradictions.

use std::path::Path;

use noughts_protocol::{ArchivedGame, BoardClass, Game, Mark, Outcome, RoomCode};
use rusqlite::Connection;

use crate::archive::connect;
use crate::change::LiveRow;
use crate::error::{DiskError, OpenError, ReadError};
use crate::game::{self, StoredGame};
use crate::rating::{self, Recomputation};
use crate::{kept_party, live};

/// A read-only connection to the file.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
}

/// The numbers of sound rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Rooms that have not ended.
    pub rooms: u64,
    /// Parties that have not ended.
    pub parties: u64,
    /// Kept games.
    pub games: u64,
    /// Seats of all games, also of deleted ones.
    pub seats: u64,
    /// Games that are rated.
    pub rated: u64,
}

impl Reader {
    /// Opens what is stored in a folder, or a backup's file.
    ///
    /// # Errors
    /// If there is nothing, or if it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Ok(Self { connection: connect(folder)? })
    }

    /// Calls `each` with the code of every room and every party that has not ended and its row.
    ///
    /// # Errors
    /// If the file cannot be read. A row that is damaged is `each`'s to tell.
    pub fn live(
        &self,
        each: impl FnMut(RoomCode, Result<LiveRow, ReadError>),
    ) -> Result<(), ReadError> {
        live::each(&self.connection, each)
    }

    /// Calls `each` with every kept game, in the order of their ends.
    ///
    /// # Errors
    /// As [`Reader::live`].
    pub fn games(
        &self,
        mut each: impl FnMut(Result<StoredGame, ReadError>),
    ) -> Result<(), ReadError> {
        game::each(&self.connection, |_, game| each(game))
    }

    /// All ratings, computed again from the rated games. All is read as it is at one moment.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn ratings(&self) -> Result<Recomputation, ReadError> {
        let _moment = self.connection.unchecked_transaction()?;
        rating::recompute(&self.connection)
    }

    /// Looks for damage: the check of `SQLite`, all checksums, the state of each room and party by `check`, each game
    /// by the rules, each seat against its game and the one opposite, and the ratings. Calls `tell` with
    /// all that is wrong, a sentence each, and returns what is sound.
    ///
    /// # Errors
    /// If the file cannot be read at all.
    pub fn verify(
        &self,
        check: impl Fn(&LiveRow) -> Result<(), String>,
        mut tell: impl FnMut(&str),
    ) -> Result<Counts, ReadError> {
        let mut counts = Counts::default();
        let errors = self.integrity_errors()?;
        if !errors.is_empty() {
            errors.iter().for_each(|error| tell(&format!("the file is damaged: {error}")));
            return Ok(counts);
        }
        let _moment = self.connection.unchecked_transaction()?;
        self.live(|code, row| match row {
            Err(error) => tell(&of_row(error)),
            Ok(row) => match check(&row) {
                Err(why) => tell(&format!("room or party {code}: {why}")),
                Ok(()) if row.is_party() => counts.parties += 1,
                Ok(()) => counts.rooms += 1,
            },
        })?;
        kept_party::each(&self.connection, |party| {
            if let Err(error) = party {
                tell(&of_row(error));
            }
        })?;
        game::each(&self.connection, |n, game| {
            match game.map_err(of_row).and_then(|game| contradiction(&game)) {
                Ok(()) => counts.games += 1,
                Err(why) => tell(&format!("game number {n}: {why}")),
            }
        })?;
        counts.seats = self.check_seats(&mut tell)?;
        let ratings = rating::recompute(&self.connection)?;
        ratings.contradictions.iter().for_each(|why| tell(why));
        counts.rated = ratings.games;
        Ok(counts)
    }

    /// The errors that `SQLite`'s own check finds in the file.
    fn integrity_errors(&self) -> Result<Vec<String>, ReadError> {
        let mut check = self.connection.prepare("PRAGMA integrity_check(10)")?;
        let mut errors: Vec<String> = Vec::new();
        for line in check.query_map([], |row| row.get(0))? {
            match line {
                Ok(line) => errors.push(line),
                // The check itself ends at some damage, after it has told where that is.
                Err(_) if !errors.is_empty() => break,
                Err(error) => return Err(error.into()),
            }
        }
        errors.retain(|line| line != "ok");
        Ok(errors)
    }

    /// Checks the seats of all games, and returns how many can be read.
    fn check_seats(&self, tell: &mut impl FnMut(&str)) -> Result<u64, ReadError> {
        let mut read = 0;
        game::each_seat(&self.connection, |seat| match seat {
            Ok(()) => read += 1,
            Err(error) => tell(&of_row(error)),
        })?;
        let mut select = self.connection.prepare(MISFITS)?;
        let mut rows = select.query([game::first_kept(&self.connection)?])?;
        while let Some(row) = rows.next()? {
            let game: i64 = row.get(0)?;
            tell(&format!("game number {game}: its seats do not fit each other"));
        }
        Ok(read)
    }
}

/// The games with a seat that does not fit the one opposite, or its kept game.
const MISFITS: &str = "
    WITH side AS (
        SELECT *, coalesce(opponent, iif(versus IS NULL, player, 0)) AS opposite FROM seat
    )
    SELECT DISTINCT a.game FROM side a
    LEFT JOIN side b ON b.player = a.opposite AND b.game = a.game AND b.mark = 1 - a.mark
    LEFT JOIN game ON n = a.game
    WHERE NOT coalesce(
        b.opposite = a.player
        AND b.computer IS a.versus
        AND a.outcome + b.outcome IS iif(a.outcome IS NULL, NULL, 2)
        AND (b.board, b.variant, b.class, b.rated, b.ended)
            = (a.board, a.variant, a.class, a.rated, a.ended)
        AND (a.game < ?1 OR iif(a.mark = 0, x, o) = a.player),
        FALSE
    )
";

/// The error of a row, without advice to the host: the caller adds that.
fn of_row(error: ReadError) -> String {
    match error {
        DiskError::Damaged(why) => why,
        other => other.to_string(),
    }
}

/// Replays a game by the rules, and compares it with its seats.
fn contradiction(stored: &StoredGame) -> Result<(), String> {
    let game = &stored.game;
    replay(game)?;
    for mark in Mark::BOTH {
        let seat = &stored.seats[mark];
        let outcome = game::outcome_number(Outcome::of(&game.summary.result, mark));
        let fits = seat.outcome.is_none_or(|told| told == outcome)
            && seat.rated == game.summary.rated
            && u64::try_from(seat.ended).unwrap_or(0) == game.summary.ended_at
            && seat.board == game.settings.board
            && seat.variant == game.settings.variant
            && seat.class == rating::number_of(BoardClass::of(&game.settings));
        if !fits {
            return Err(format!("its seat {mark} says otherwise"));
        }
    }
    Ok(())
}

/// Checks the moves and the result.
fn replay(game: &ArchivedGame) -> Result<(), String> {
    let rules = noughts_protocol::rules::Rules::of(&game.settings);
    let replayed = Game::replay(rules, game.first, &game.moves, &game.placed)
        .map_err(|error| error.to_string())?;
    let told = &game.summary.result;
    let agrees = match replayed.result() {
        Some(result) => result == told,
        None => !told.is_by_move(),
    };
    if game.moves.len() != game.times_ms.len() || game.moves.is_empty() {
        return Err("it has no moves".to_owned());
    }
    if agrees { Ok(()) } else { Err("its result is not that of its moves".to_owned()) }
}
