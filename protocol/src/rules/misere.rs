//! Misère: the player who completes a line loses. The lines are [`super::line`]'s.

use super::{Placement, VariantRules, line};
use crate::board::BoardSpec;
use crate::game::{Game, GameResult};

/// Harary's "animal" avoidance games: on 3 × 3 best play is a draw, and X must begin in the centre.
pub(super) struct Misere;

impl VariantRules for Misere {
    fn boards(&self) -> &'static [&'static str] {
        &["3x3x3", "4x4x4", "5x5x4"]
    }

    fn admits(&self, _: BoardSpec) -> bool {
        true
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn outcome(&self, game: &Game, placed: Placement) -> Option<GameResult> {
        line::result(game, placed, game.to_move().other())
    }
}
