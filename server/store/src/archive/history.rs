//! A player's own games, a page at a time, and which of them a filter lets through.

use noughts_protocol::{
    ArchivedGame, BoardSpec, GameId, GameSummary, HISTORY_PAGE, OpponentFilter, Outcome, PlayerId,
    Variant,
};
use rusqlite::{Connection, named_params};

use super::{ArchiveError, ArchiveReader};
use crate::error::{DiskError, ReadError};
use crate::game::{self, outcome_number};
use crate::player::number;
use crate::row::limit;

/// The games of a page end when they reach this many bytes, so that a page always fits into a frame
/// of [`MAX_SERVER_FRAME`](noughts_protocol::MAX_SERVER_FRAME) bytes. A game has at most 3,000: a
/// move may complete four lines of 19 cells.
const MAX_BYTES: usize = 48 * 1024;

/// The games that a history shows; no filter shows all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistoryFilter {
    /// Only games against these opponents.
    pub opponent: Option<OpponentFilter>,
    /// Only games on this board.
    pub board: Option<BoardSpec>,
    /// Only games of this variant.
    pub variant: Option<Variant>,
    /// Only games with this outcome for the player.
    pub outcome: Option<Outcome>,
}

/// A page of a history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryPage {
    /// The games, the newest first; at most [`HISTORY_PAGE`].
    pub games: Vec<GameSummary>,
    /// Whether there are older ones.
    pub more: bool,
}

/// The person's seats lie together in the order of the games: a filter reads them until it has a page. A game
/// that one person played on both sides has two of them, and is shown once.
const PAGE: &str = "
    SELECT game FROM seat
    WHERE player = :player AND game < :before AND game >= :first
        AND (mark = 0 OR outcome IS NOT NULL)
        AND CASE :against
            WHEN 'computer' THEN versus IS NOT NULL
            WHEN 'human' THEN opponent IS NOT NULL
            ELSE TRUE END
        AND (:opponent IS NULL OR opponent = :opponent)
        AND (:board IS NULL OR board = :board)
        AND (:variant IS NULL OR variant = :variant)
        AND (:outcome IS NULL OR outcome = :outcome)
    ORDER BY game DESC LIMIT :most
";

impl ArchiveReader {
    /// A page of a player's own games, the newest first.
    ///
    /// # Errors
    /// If there is no game `before`, or the archive cannot be read.
    pub fn history(
        &self,
        player: PlayerId,
        filter: &HistoryFilter,
        before: Option<GameId>,
    ) -> Result<HistoryPage, ArchiveError> {
        let before = end(&self.connection, before)?;
        let mut page = HistoryPage::default();
        let Some(player) = number(&self.connection, player)? else { return Ok(page) };
        let (against, opponent) = match filter.opponent {
            None => (None, None),
            Some(OpponentFilter::Computer) => (Some("computer"), None),
            Some(OpponentFilter::Human) => (Some("human"), None),
            Some(OpponentFilter::Player(opponent)) => match number(&self.connection, opponent)? {
                None => return Ok(page),
                known => (None, known),
            },
        };
        let mut select = self.connection.prepare_cached(PAGE)?;
        let mut rows = select.query(named_params! {
            ":player": player,
            ":before": before,
            ":first": game::first_kept(&self.connection)?,
            ":against": against,
            ":opponent": opponent,
            ":board": filter.board.map(|board| board.to_string()),
            ":variant": filter.variant.map(Variant::name),
            ":outcome": filter.outcome.map(outcome_number),
            ":most": limit(HISTORY_PAGE + 1),
        })?;
        let mut bytes = 0;
        while let Some(row) = rows.next()? {
            let game = game::by_number(&self.connection, row.get(0)?)?;
            let game = game.ok_or_else(|| DiskError::Damaged("a seat has no game".to_owned()))?;
            let summary = game.game.summary;
            bytes += serde_json::to_string(&summary).map_or(0, |text| text.len());
            if page.games.len() == HISTORY_PAGE || bytes > MAX_BYTES {
                page.more = true;
                break;
            }
            page.games.push(summary);
        }
        Ok(page)
    }
}

/// A page of the games of a player that everybody may see.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PublicGames {
    /// The games, the newest first; at most [`HISTORY_PAGE`].
    pub games: Vec<ArchivedGame>,
    /// Where the next page begins; `None` if there are no older games.
    pub next: Option<GameId>,
}

impl ArchiveReader {
    /// A page of the games of a player that everybody may see, the newest first.
    ///
    /// # Errors
    /// If there is no game `before` or no such player, or the archive cannot be read.
    pub fn public_games(
        &self,
        player: PlayerId,
        before: Option<GameId>,
    ) -> Result<PublicGames, ArchiveError> {
        let before = end(&self.connection, before)?;
        let player = number(&self.connection, player)?.ok_or(ArchiveError::NoSuchPlayer)?;
        let is_public = |is_public, _| is_public;
        let (games, last) = newest(&self.connection, player, before, is_public, HISTORY_PAGE)?;
        let next = last.map(|last| game::id(&self.connection, last)).transpose()?;
        Ok(PublicGames { games, next })
    }
}

/// The games that are looked at, so that it takes the same time however many nobody else may see.
const LOOKED_AT: usize = 500;

/// The newest games of a person that ended before another one, `most` at most of those that `may_see` admits:
/// it is told whether a game was public, and the opponent's number. Then the last game that was looked at, if
/// there may be older ones.
pub(super) fn newest(
    connection: &Connection,
    player: i64,
    before: i64,
    may_see: impl Fn(bool, Option<i64>) -> bool,
    most: usize,
) -> Result<(Vec<ArchivedGame>, Option<i64>), ReadError> {
    let sql = "SELECT s.game, g.public, s.opponent FROM seat s JOIN game g ON g.n = s.game \
               WHERE s.player = ?1 AND s.game < ?2 AND s.game >= ?3 \
               AND (s.mark = 0 OR s.outcome IS NOT NULL) ORDER BY s.game DESC";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([player, before, game::first_kept(connection)?])?;
    let mut games = Vec::new();
    let mut looked_at = 0;
    while let Some(row) = rows.next()? {
        let n = row.get(0)?;
        looked_at += 1;
        if may_see(row.get(1)?, row.get(2)?) {
            let game = game::by_number(connection, n)?;
            games.extend(game.map(|game| game.game));
        }
        if games.len() == most || looked_at == LOOKED_AT {
            return Ok((games, Some(n)));
        }
    }
    Ok((games, None))
}

/// The number of a game in the order of their ends; a number after all games for `None`.
pub(super) fn end(connection: &Connection, game: Option<GameId>) -> Result<i64, ArchiveError> {
    let Some(game) = game else { return Ok(i64::MAX) };
    game::number_of(connection, game)?.ok_or(ArchiveError::NoSuchGame)
}
