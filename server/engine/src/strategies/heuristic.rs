//! The strategy `heuristic`: scores each empty cell by the lines through it, without looking
//! ahead. The numbers are those of a tic-tac-toe table, read for lines of any length: its number
//! for two marks is for lines that lack one mark, its number for one mark for lines with fewer.

use noughts_protocol::{Cell, Game, Strength};

use crate::board::Geometry;

/// The score of every empty cell, row by row. Scores below the strength's threshold are 0.
pub(super) fn scores(game: &Game, strength: Strength) -> Vec<(Cell, i32)> {
    let geometry = Geometry::of(*game.rules());
    let threshold = threshold(strength);
    let score = |cell: Cell| {
        let lines = geometry.lines_of(cell.0).iter();
        lines.map(|line| line_value(game, geometry.cells_of(*line), geometry.ends_of(*line))).sum()
    };
    game.board()
        .empty_cells()
        .map(|cell| (cell, score(cell)))
        .map(|(cell, score)| (cell, if score < threshold { 0 } else { score }))
        .collect()
}

/// The least score that a strength sees: the strengths see nothing, a win, a block too, all but the
/// smallest advantages, everything.
pub(crate) const fn threshold(strength: Strength) -> i32 {
    match strength {
        Strength::VeryWeak | Strength::Level2 => 100,
        Strength::Weak | Strength::Level4 => 20,
        Strength::Average | Strength::Level6 => 10,
        Strength::Strong | Strength::Level8 => 3,
        Strength::VeryStrong => 0,
    }
}

/// A line's part of the scores of its empty cells, for the player to move. A mark on one of its
/// `ends` would make it too long.
fn line_value(game: &Game, line: &[u16], ends: &[u16]) -> i32 {
    let count = |mark| line.iter().filter(|c| game.board().get(Cell(**c)) == Some(mark)).count();
    let own = count(game.to_move());
    let opponent = count(game.to_move().other());
    let almost = line.len() - 1;
    let too_long = |mark| ends.iter().any(|cell| game.board().get(Cell(*cell)) == Some(mark));
    match (own, opponent) {
        (0, 0) => 1,
        (1.., 0) if too_long(game.to_move()) => 0,
        (0, 1..) if too_long(game.to_move().other()) => 0,
        (own, 0) if own == almost => 20,
        (_, 0) => 2,
        (0, opponent) if opponent == almost => 10,
        (0, _) => 1,
        _ => 0,
    }
}
