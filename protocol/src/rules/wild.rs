//! Wild: each move is an X or an O, and a line of either wins for the player who completes it. In
//! the misère form that player loses. The lines are [`super::line`]'s.

use super::{Placement, VariantRules, line};
use crate::board::{BoardSpec, Mark};
use crate::game::{Game, GameResult};

/// The longest side: both inks in each cell make the game long.
const MAX_SIDE: u8 = 6;

/// The player who completes a line wins; with `misere` that player loses.
pub(super) struct Wild {
    /// Whether the line loses.
    pub(super) misere: bool,
}

impl VariantRules for Wild {
    fn boards(&self) -> &'static [&'static str] {
        &["3x3x3", "4x4x4", "5x5x4", "6x6x5"]
    }

    fn admits(&self, board: BoardSpec) -> bool {
        board.width().max(board.height()) <= MAX_SIDE
    }

    fn marks(&self, _: Mark) -> &'static [Mark] {
        &Mark::BOTH
    }

    fn outcome(&self, game: &Game, placed: Placement) -> Option<GameResult> {
        let mover = game.to_move();
        let winner = if self.misere { mover.other() } else { mover };
        line::result(game, placed, winner)
    }
}
