//! Qubic: a row of cells through a cube, along its edges, its faces or its space. The cube is drawn as
//! its layers, one below another: 4 × 4 × 4 is the board 4x16x4.

use super::{LineKind, Placement, VariantRules, WinningLine};
use crate::board::{Board, Cell};

/// The directions in a cube, without their opposites: column, row, layer.
const DIRECTIONS: [[i16; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
];

/// A line through the cube wins: 76 of them in 4 × 4 × 4, 49 in 3 × 3 × 3. The first player wins both
/// (Oren Patashnik, 1980).
pub(super) struct Qubic;

impl VariantRules for Qubic {
    fn boards(&self) -> &'static [&'static str] {
        &["4x16x4", "3x9x3"]
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn lines(&self, board: &Board, placed: Placement) -> Vec<WinningLine> {
        DIRECTIONS.into_iter().filter_map(|step| line_through(board, placed, step)).collect()
    }
}

/// The line that a mark completes in a direction.
fn line_through(board: &Board, placed: Placement, step: [i16; 3]) -> Option<WinningLine> {
    let spec = board.spec();
    let side = i16::from(spec.width());
    let (column, row) = spec.position(placed.cell);
    let start = [i16::from(column), i16::from(row) % side, i16::from(row) / side];
    let at = |steps: i16| {
        let [column, row, layer] = [0, 1, 2].map(|axis| start[axis] + steps * step[axis]);
        let is_inside = [column, row, layer].iter().all(|place| (0..side).contains(place));
        is_inside.then(|| spec.cell_at(column, layer * side + row)).flatten()
    };
    let cells: Vec<Cell> = (1 - side..side).filter_map(at).collect();
    let has_mark = |cell: &Cell| *cell == placed.cell || board.get(*cell) == Some(placed.mark);
    let is_complete = cells.len() == usize::from(spec.line()) && cells.iter().all(has_mark);
    let kind = LineKind::Cube { from: *cells.first()?, to: *cells.last()? };
    is_complete.then_some(WinningLine { kind, cells })
}
