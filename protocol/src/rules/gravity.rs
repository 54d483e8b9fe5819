//! Gravity: a mark falls to the lowest free cell of its column. The lines are [`super::line`]'s.

use super::VariantRules;
use crate::board::{BoardSpec, Cell};
use crate::game::{Game, IllegalMove, NotPlayable};

/// The sides of a board.
const SIDES: std::ops::RangeInclusive<u8> = 4..=10;

/// Four (or five) in a row with gravity; 7 × 6 with four was solved by James Allen and Victor Allis
/// in 1988.
pub(super) struct Gravity;

impl VariantRules for Gravity {
    fn boards(&self) -> &'static [&'static str] {
        &["7x6x4", "4x4x4", "5x5x4", "6x6x4", "8x7x4", "9x7x5", "10x10x5"]
    }

    fn admits(&self, board: BoardSpec) -> bool {
        let sides_fit = SIDES.contains(&board.width()) && SIDES.contains(&board.height());
        sides_fit && (4..=5).contains(&board.line())
    }

    fn check(&self, game: &Game, cell: Cell) -> Result<(), IllegalMove> {
        let lands = lowest_below(game, cell);
        if lands == cell {
            return Ok(());
        }
        let spec = game.spec();
        Err(IllegalMove::NotPlayable { cell, spec, why: NotPlayable::Falls(lands) })
    }
}

/// Where a mark lands that falls from an empty cell.
fn lowest_below(game: &Game, cell: Cell) -> Cell {
    let width = u16::from(game.spec().width());
    let below = (1..).map(|rows| Cell(cell.0 + rows * width));
    below.take_while(|cell| game.board().is_empty(*cell)).last().unwrap_or(cell)
}
