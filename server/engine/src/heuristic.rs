//! The strategy `heuristic`: scores each empty cell by the lines through it, without looking
//! ahead. The numbers read a tic-tac-toe table so that it fits any line: what the table says of
//! two marks holds for a line that lacks one, and what it says of one mark for a line begun.

use noughts_protocol::{Cell, Game, Strength};

use super::geometry::Geometry;

/// The score of every empty cell, row by row; what lies below the strength's threshold is 0.
pub(super) fn scores(game: &Game, strength: Strength) -> Vec<(Cell, i32)> {
    let geometry = Geometry::new(game.spec());
    let threshold = threshold(strength);
    let score = |cell: Cell| {
        let lines = geometry.lines_of(cell.0).iter();
        lines.map(|line| worth(game, geometry.cells_of(*line))).sum()
    };
    game.board()
        .empty_cells()
        .map(|cell| (cell, score(cell)))
        .map(|(cell, score)| (cell, if score < threshold { 0 } else { score }))
        .collect()
}

/// Below which a cell's score is not seen: nothing but a win, a block too, all but a bare
/// advantage, everything.
const fn threshold(strength: Strength) -> i32 {
    match strength {
        Strength::VeryWeak => 100,
        Strength::Weak => 20,
        Strength::Average => 10,
        Strength::Strong => 3,
        Strength::VeryStrong => 0,
    }
}

/// What a line adds to its empty cells, for the player to move.
fn worth(game: &Game, line: &[u16]) -> i32 {
    let count = |mark| line.iter().filter(|c| game.board().get(Cell(**c)) == Some(mark)).count();
    let (own, opponent) = (count(game.to_move()), count(game.to_move().other()));
    let almost = line.len() - 1;
    match (own, opponent) {
        (0, 0) => 1,
        (own, 0) if own == almost => 20,
        (_, 0) => 2,
        (0, opponent) if opponent == almost => 10,
        (0, _) => 1,
        _ => 0,
    }
}
