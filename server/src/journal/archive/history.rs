//! A player's own games, a page at a time, and which of them a filter lets through.

use noughts_protocol::{
    BoardSpec, GameId, GameSummary, HISTORY_PAGE, OpponentFilter, Outcome, PlayerId,
};
use rusqlite::{Connection, OptionalExtension, named_params};

use super::reader::ArchiveError;
use super::row::{PLAYERS, SUMMARY, limit, summary};

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

/// The games of a player that ended before another one, the newest first.
pub(super) fn page(
    connection: &Connection,
    player: PlayerId,
    filter: &HistoryFilter,
    before: Option<GameId>,
) -> Result<HistoryPage, ArchiveError> {
    let before = end(connection, before)?;
    let mut page = HistoryPage::default();
    let Some(player) = number(connection, player)? else { return Ok(page) };
    let opponent = match filter.opponent {
        Some(OpponentFilter::Player(opponent)) => match number(connection, opponent)? {
            None => return Ok(page),
            known => known,
        },
        Some(OpponentFilter::Computer | OpponentFilter::Human) | None => None,
    };
    let board = filter.board.map(|board| board.to_string());
    let outcome = filter.outcome.map(stored_outcome);
    // Each filter has an index. Several at once scan one of them: a few milliseconds for somebody with
    // 100,000 games.
    let opponents = match filter.opponent {
        None => "(:opponent IS NULL)",
        Some(OpponentFilter::Computer) => {
            "(:opponent IS NULL AND p.opponent IS NULL AND p.outcome IS NOT NULL)"
        }
        Some(OpponentFilter::Human) => {
            "(:opponent IS NULL AND p.opponent IS NOT NULL AND p.outcome IS NOT NULL)"
        }
        Some(OpponentFilter::Player(_)) => "(p.opponent = :opponent)",
    };
    let boards = if board.is_some() { "(p.board = :board)" } else { "(:board IS NULL)" };
    let outcomes = if outcome.is_some() { "(p.outcome = :outcome)" } else { "(:outcome IS NULL)" };
    let sql = format!(
        "SELECT {SUMMARY} FROM \
         (SELECT game FROM played p WHERE p.player = :player AND p.game < :before \
         AND {opponents} AND {boards} AND {outcomes} ORDER BY p.game DESC LIMIT :most) mine \
         CROSS JOIN game g ON g.n = mine.game {PLAYERS} ORDER BY mine.game DESC"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query(named_params! {
        ":player": player,
        ":before": before,
        ":opponent": opponent,
        ":board": board,
        ":outcome": outcome,
        ":most": limit(HISTORY_PAGE + 1),
    })?;
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let game = summary(row)?;
        bytes += serde_json::to_string(&game).map_or(0, |text| text.len());
        if page.games.len() == HISTORY_PAGE || bytes > MAX_BYTES {
            page.more = true;
            break;
        }
        page.games.push(game);
    }
    Ok(page)
}

/// The number under which the archive keeps a player, if it knows them.
pub(super) fn number(connection: &Connection, player: PlayerId) -> rusqlite::Result<Option<i64>> {
    let mut select = connection.prepare_cached("SELECT n FROM player WHERE id = ?1")?;
    select.query_row([player.0.cast_signed()], |row| row.get(0)).optional()
}

/// The number of a game in the order of their ends; a number after all games for `None`.
pub(super) fn end(connection: &Connection, game: Option<GameId>) -> Result<i64, ArchiveError> {
    let Some(game) = game else { return Ok(i64::MAX) };
    let mut select = connection.prepare_cached("SELECT n FROM game WHERE id = ?1")?;
    let found = select.query_row([game.0.cast_signed()], |row| row.get(0)).optional()?;
    found.ok_or(ArchiveError::NoSuchGame)
}

/// An outcome as it is stored.
const fn stored_outcome(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Lost => 0,
        Outcome::Drawn => 1,
        Outcome::Won => 2,
    }
}
