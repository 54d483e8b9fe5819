//! A player's own games as the text of a file, piece by piece, the newest game first.

use noughts_protocol::{ArchivedGame, BoardSpec, ExportFormat, GameId, PlayerId, Variant};
use rusqlite::params;

use super::history::end;
use super::{ArchiveError, ArchiveReader, sgf};
use crate::player::number;
use crate::{game, row};

/// A piece ends before the game with which it would have more bytes than this in a message, so that
/// it always fits into a frame of [`MAX_SERVER_FRAME`](noughts_protocol::MAX_SERVER_FRAME) bytes.
/// One game has at most 24 KiB.
const MAX_BYTES: usize = 40 * 1024;
/// The games that are looked at for one piece, so that somebody with one game of five in a row among
/// many others waits no longer than others do.
const MAX_LOOKED_AT: usize = 2_000;

/// A piece of a file of games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExportPiece {
    /// The text. It may be empty though further pieces are not.
    pub text: String,
    /// The last game that was looked at; `None` if there is no older one.
    pub next: Option<GameId>,
}

impl ArchiveReader {
    /// A piece of the file of a player's own games.
    ///
    /// # Errors
    /// If there is no game `before`, or the archive cannot be read.
    pub fn export(
        &self,
        player: PlayerId,
        format: ExportFormat,
        before: Option<GameId>,
    ) -> Result<ExportPiece, ArchiveError> {
        let before = end(&self.connection, before)?;
        let mut piece = ExportPiece::default();
        let Some(player) = number(&self.connection, player)? else { return Ok(piece) };
        let sql = "SELECT game, board, variant FROM seat WHERE player = ?1 AND game < ?2 AND game >= ?3 \
                   AND (mark = 0 OR outcome IS NOT NULL) ORDER BY game DESC LIMIT ?4";
        let mut select = self.connection.prepare_cached(sql)?;
        let first = game::first_kept(&self.connection)?;
        let most = row::limit(MAX_LOOKED_AT + 1);
        let mut rows = select.query(params![player, before, first, most])?;
        let mut bytes = 0;
        let mut looked_at = 0;
        let mut last = None;
        while let Some(found) = rows.next()? {
            let n = found.get(0)?;
            let board = row::parsed(found, 1)?;
            let variant = row::parsed(found, 2)?;
            if looked_at == MAX_LOOKED_AT {
                piece.next = last.map(|last| game::id(&self.connection, last)).transpose()?;
                break;
            }
            if belongs(format, board, variant)
                && let Some(kept) = game::by_number(&self.connection, n)?
            {
                let text = written(format, &kept.game);
                bytes += serde_json::to_string(&text).map_or(0, |text| text.len());
                if bytes > MAX_BYTES && last.is_some() {
                    piece.next = last.map(|last| game::id(&self.connection, last)).transpose()?;
                    break;
                }
                piece.text.push_str(&text);
            }
            (looked_at, last) = (looked_at + 1, Some(n));
        }
        Ok(piece)
    }
}

/// Whether the file holds games of this variant on this board. SGF has a number for gomoku and none for the
/// others: a viewer would show them as gomoku, or not at all.
fn belongs(format: ExportFormat, board: BoardSpec, variant: Variant) -> bool {
    match format {
        ExportFormat::JsonLines => true,
        ExportFormat::Sgf => variant.is_gomoku_like() && board.line() >= 5,
    }
}

/// A game in the file, with the end of its line.
fn written(format: ExportFormat, game: &ArchivedGame) -> String {
    // Serialization cannot fail: a game holds no map whose keys are not strings.
    let text = match format {
        ExportFormat::JsonLines => serde_json::to_string(game).unwrap_or_default(),
        ExportFormat::Sgf => sgf::write(game),
    };
    text + "\n"
}
