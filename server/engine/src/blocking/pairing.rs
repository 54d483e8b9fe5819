//! Pairing strategies: a side cannot win if each of its lines has two empty cells of its own. The
//! opponent answers a mark on one cell of a pair with the other.

use crate::board::{Position, Side};

/// Whether there are pairs for all lines that `side` can still win, so that it cannot win with
/// either side to move. `false` proves nothing.
pub(crate) fn exists(position: &Position<'_>, side: Side) -> bool {
    if 2 * usize::from(position.open[side]) > position.empty {
        return false;
    }
    let mut pairing = Pairing {
        position,
        owner: vec![None; position.geometry.cells],
        tried: vec![false; position.geometry.cells],
    };
    position.open_lines(side).all(|line| (0..2).all(|_| pairing.add_cell(line)))
}

/// A matching of cells to lines, which grows by augmenting paths.
struct Pairing<'a> {
    position: &'a Position<'a>,
    /// Per cell: the line to which it belongs.
    owner: Vec<Option<u16>>,
    /// Per cell: whether the current search for a path has tried it.
    tried: Vec<bool>,
}

impl Pairing<'_> {
    /// Finds one more cell for a line, where needed by moving other lines to other cells.
    fn add_cell(&mut self, line: u16) -> bool {
        self.tried.fill(false);
        self.find_cell(line)
    }

    fn find_cell(&mut self, line: u16) -> bool {
        let geometry = self.position.geometry;
        for &cell in geometry.cells_of(line) {
            let place = usize::from(cell);
            if !self.position.is_empty(cell) || self.owner[place] == Some(line) || self.tried[place]
            {
                continue;
            }
            self.tried[place] = true;
            if self.owner[place].is_none_or(|owner| self.find_cell(owner)) {
                self.owner[place] = Some(line);
                return true;
            }
        }
        false
    }
}
