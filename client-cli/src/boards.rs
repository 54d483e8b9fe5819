//! The boards that a rectangle of cells is made of: the nine of `ultimate`, those of `notakto`, the
//! layers of a cube. Their rules are the protocol's, and their places on the screen are the
//! layout's.

use noughts_client::session::RoomView;
use noughts_protocol::{BoardSpec, Cell, Variant};

/// How the boards of a rectangle belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// There is one board: the rectangle.
    One,
    /// Boards of 3 × 3 that are the cells of a larger one.
    Nested,
    /// Boards of 3 × 3 beside each other.
    Apart,
    /// The layers of a cube, one below the other.
    Layers,
}

/// A rectangle of cells and the boards in it, which are numbered from 0, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Boards {
    pub(crate) spec: BoardSpec,
    pub(crate) parts: Parts,
    /// Columns and rows of one board.
    pub(crate) size: (u8, u8),
}

impl Boards {
    /// The boards of a variant.
    pub(crate) const fn of(variant: Variant, spec: BoardSpec) -> Self {
        Self::new(parts(variant), spec)
    }

    /// The boards of a room.
    pub(crate) const fn of_room(view: &RoomView) -> Self {
        Self::of(view.state.settings.variant, view.state.settings.board)
    }

    /// A rectangle that no such boards fill is one board.
    const fn new(parts: Parts, spec: BoardSpec) -> Self {
        let size = match parts {
            Parts::One => (spec.width(), spec.height()),
            Parts::Nested | Parts::Apart => (3, 3),
            Parts::Layers => (spec.width(), spec.width()),
        };
        let fills = spec.width().is_multiple_of(size.0) && spec.height().is_multiple_of(size.1);
        if fills {
            Self { spec, parts, size }
        } else {
            Self { spec, parts: Parts::One, size: (spec.width(), spec.height()) }
        }
    }

    /// The boards in a row of the rectangle.
    pub(crate) const fn across(self) -> u8 {
        self.spec.width() / self.size.0
    }

    /// The number of boards.
    pub(crate) const fn count(self) -> u8 {
        self.across() * (self.spec.height() / self.size.1)
    }

    /// The numbers of boards that may stand in a row on a screen, the best one first.
    pub(crate) fn rows(self) -> impl Iterator<Item = u8> {
        let count = self.count();
        let all = match self.parts {
            Parts::One | Parts::Nested => [self.across(), 0, 0],
            Parts::Apart | Parts::Layers => [count, count.div_ceil(2), 1],
        };
        all.into_iter().filter(|row| *row > 0)
    }

    /// The board of a cell, and the column and the row on it.
    pub(crate) const fn place(self, cell: Cell) -> (u8, (u8, u8)) {
        let (column, row) = self.spec.position(cell);
        let board = row / self.size.1 * self.across() + column / self.size.0;
        (board, (column % self.size.0, row % self.size.1))
    }

    /// The cell in a column and a row of a board.
    pub(crate) fn cell(self, board: u8, (column, row): (u8, u8)) -> Option<Cell> {
        let column = i16::from(board % self.across() * self.size.0 + column);
        let row = i16::from(board / self.across() * self.size.1 + row);
        self.spec.cell_at(column, row)
    }

    /// The cells of a board, row by row.
    pub(crate) fn cells(self, board: u8) -> impl Iterator<Item = Cell> {
        self.spec.all_cells().filter(move |cell| self.place(*cell).0 == board)
    }
}

/// The parts of a variant's rectangle.
const fn parts(variant: Variant) -> Parts {
    match variant {
        Variant::Ultimate => Parts::Nested,
        Variant::Notakto => Parts::Apart,
        Variant::Qubic => Parts::Layers,
        _ => Parts::One,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn boards(parts: Parts, board: &str) -> Boards {
        Boards::new(parts, board.parse().unwrap())
    }

    #[test]
    fn each_cell_is_on_one_board() {
        let check = |parts, board: &str, cell: &str, expected| {
            let boards = boards(parts, board);
            let cell = boards.spec.parse_cell(cell).unwrap();
            let (number, place) = boards.place(cell);
            assert_eq!((number, place), expected, "{board}");
            assert_eq!(boards.cell(number, place), Some(cell), "{board}");
        };
        check(Parts::Nested, "9x9x3", "e5", (4, (1, 1)));
        check(Parts::Nested, "9x9x3", "i1", (2, (2, 0)));
        check(Parts::Apart, "15x3x3", "d3", (1, (0, 2)));
        check(Parts::Layers, "4x16x4", "b7", (1, (1, 2)));
        check(Parts::One, "7x6x4", "g6", (0, (6, 5)));
        // No cube has these sides.
        check(Parts::Layers, "4x15x4", "b7", (0, (1, 6)));
    }
}
