//! The players' settings for more than a game: the next game, the series, and how two computers play.

use super::*;

impl Server {
    /// A player offers another game, accepts it, or takes the offer back.
    pub(super) fn rematch(&mut self, mark: Mark, offer: bool, series: Option<Series>, now: u64) {
        let accepts = self.presence.rematch == Some(mark.other())
            && [None, self.presence.series].contains(&series);
        if !offer {
            self.passes(|presence| {
                if presence.rematch == Some(mark) {
                    (presence.rematch, presence.series) = (None, None);
                }
            });
        } else if accepts {
            let last = self.room.game.as_ref().map_or(0, |last| last.number);
            let first = if last.is_multiple_of(2) { Mark::X } else { Mark::O };
            self.start(first, self.presence.series, now);
        } else {
            self.passes(|presence| (presence.rematch, presence.series) = (Some(mark), series));
        }
    }

    /// A paused computer makes a move, or the next game begins. A step that was made is nothing.
    pub(super) fn step(&mut self, game: u32, ply: u16, now: u64) -> Result<(), Refusal> {
        let last = self.room.game.as_ref().expect("computers begin at once");
        match (last.number, last.game.ply()) {
            at if (game, ply) < at => Ok(()),
            at if (game, ply) > at => Err(refusal(RefusalCode::Stale)),
            _ if self.room.pace != Pace::Paused => Err(refusal(RefusalCode::NotNow)),
            _ if !self.room.is_running() => {
                self.start(last.game.first().other(), None, now);
                Ok(())
            }
            _ => {
                let cell = last.game.board().empty_cells().next().expect("an empty cell");
                self.place(cell, now)
            }
        }
    }
}
