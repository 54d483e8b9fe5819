//! Proof that a side cannot win: when each of its lines has two empty cells that no other line
//! needs, the opponent answers every mark on one of the two with the other.

use super::position::{Position, Side};

/// Whether such pairs exist for all lines that `side` can still win, whoever is to move. A `false`
/// proves nothing.
pub(super) fn holds(position: &Position<'_>, side: Side) -> bool {
    if 2 * usize::from(position.open[side]) > position.empty {
        return false;
    }
    let mut pairing = Pairing {
        position,
        owner: vec![None; position.geometry.cells],
        tried: vec![false; position.geometry.cells],
    };
    position.open_lines(side).all(|line| (0..2).all(|_| pairing.take(line)))
}

/// A matching of cells to lines that grows by augmenting paths.
struct Pairing<'a> {
    position: &'a Position<'a>,
    /// The line that each cell is kept for.
    owner: Vec<Option<u16>>,
    /// The cells looked at for the line at hand.
    tried: Vec<bool>,
}

impl Pairing<'_> {
    /// Finds one more cell for a line, moving other lines to other cells if need be.
    fn take(&mut self, line: u16) -> bool {
        self.tried.fill(false);
        self.find(line)
    }

    fn find(&mut self, line: u16) -> bool {
        let geometry = self.position.geometry;
        for &cell in geometry.cells_of(line) {
            let place = usize::from(cell);
            if !self.position.is_empty(cell) || self.owner[place] == Some(line) || self.tried[place]
            {
                continue;
            }
            self.tried[place] = true;
            if self.owner[place].is_none_or(|owner| self.find(owner)) {
                self.owner[place] = Some(line);
                return true;
            }
        }
        false
    }
}
