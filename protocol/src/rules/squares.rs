//! A board that is made of 3 × 3 boards, as in [`super::ultimate`] and [`super::notakto`]: which cell
//! is in which of them, and which of them are open. They are numbered from 0, row by row. A broken
//! peer may name a board of any size: that must not panic.

use super::{DecidedBoard, Placement, WinningLine, line};
use crate::board::{Board, BoardSpec, Cell};
use crate::game::{Game, IllegalMove, NotPlayable};

/// The cells of a side.
const SIDE: u8 = 3;

/// The small board of a cell.
pub(super) fn of(spec: BoardSpec, cell: Cell) -> u8 {
    let (column, row) = spec.position(cell);
    row / SIDE * (spec.width() / SIDE) + column / SIDE
}

/// The place of a cell in its small board, 0 to 8.
pub(super) fn place(spec: BoardSpec, cell: Cell) -> u8 {
    let (column, row) = spec.position(cell);
    row % SIDE * SIDE + column % SIDE
}

/// The cells of a small board, row by row.
pub(super) fn cells(spec: BoardSpec, square: u8) -> impl Iterator<Item = Cell> {
    spec.all_cells().filter(move |cell| of(spec, *cell) == square)
}

/// The lines of its small board that a mark completes.
pub(super) fn lines(board: &Board, placed: Placement) -> Vec<WinningLine> {
    let spec = board.spec();
    let square = of(spec, placed.cell);
    line::lines_within(board, placed, |cell| of(spec, cell) == square)
}

/// The small boards that are decided: won, full or dead.
pub(super) fn decided(game: &Game) -> impl Iterator<Item = &DecidedBoard> {
    game.effects().iter().filter_map(|told| told.effect.decided.as_ref())
}

/// How many small boards are not decided.
pub(super) fn open(game: &Game) -> usize {
    let boards = usize::from(game.spec().cells() / u16::from(SIDE * SIDE));
    boards.saturating_sub(decided(game).count())
}

/// Whether a small board is not decided.
pub(super) fn is_open(game: &Game, square: u8) -> bool {
    decided(game).all(|decided| decided.board != square)
}

/// Checks that the small board of a cell is not decided.
pub(super) fn check_open(game: &Game, cell: Cell) -> Result<(), IllegalMove> {
    let spec = game.spec();
    if is_open(game, of(spec, cell)) {
        return Ok(());
    }
    Err(IllegalMove::NotPlayable { cell, spec, why: NotPlayable::Decided })
}
