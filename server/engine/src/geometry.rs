//! What depends on the board alone: its lines, the lines through each cell, and its symmetries.

use noughts_protocol::{BoardSpec, Cell, Direction};

/// The lines and symmetries of a board. Cells are numbered as [`Cell`] numbers them.
#[derive(Debug)]
pub(super) struct Geometry {
    /// Cells on the board.
    pub(super) cells: usize,
    /// Marks in a row that win.
    pub(super) line: usize,
    /// The cells of every line, one line after the other, `line` of them each.
    line_cells: Vec<u16>,
    /// For each cell, the numbers of the lines through it.
    lines_of: Vec<Vec<u16>>,
    /// For each cell, where it comes to lie under each symmetry of the board.
    images: Vec<[u16; SYMMETRIES]>,
    /// For each cell, how far it is from the middle.
    off_middle: Vec<u16>,
}

/// The ways to turn and mirror a square onto itself. On a board that is not square the second
/// four repeat the first four.
pub(super) const SYMMETRIES: usize = 8;

/// The symmetry that undoes another: itself, but for the two turns by a quarter.
pub(super) const fn inverse(symmetry: usize) -> usize {
    if symmetry & 4 == 0 { symmetry } else { 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 }
}

impl Geometry {
    /// The geometry of a board. On 15 × 15 with 5 in a row there are 572 lines.
    pub(super) fn new(spec: BoardSpec) -> Self {
        let line_cells = lines(spec);
        let line = usize::from(spec.line());
        let mut lines_of = vec![Vec::new(); usize::from(spec.cells())];
        for (number, cells) in line_cells.chunks_exact(line).enumerate() {
            for &cell in cells {
                lines_of[usize::from(cell)].push(number as u16);
            }
        }
        let images = spec.all_cells().map(|cell| images(spec, cell)).collect();
        let off_middle = spec.all_cells().map(|cell| off_middle(spec, cell)).collect();
        Self { cells: usize::from(spec.cells()), line, line_cells, lines_of, images, off_middle }
    }

    /// How many lines there are: at most 1,224, on 19 × 19 with 3 in a row.
    pub(super) fn lines(&self) -> usize {
        self.line_cells.len() / self.line
    }

    /// The cells of a line.
    pub(super) fn cells_of(&self, line: u16) -> &[u16] {
        let start = usize::from(line) * self.line;
        &self.line_cells[start..start + self.line]
    }

    /// The lines through a cell.
    pub(super) fn lines_of(&self, cell: u16) -> &[u16] {
        &self.lines_of[usize::from(cell)]
    }

    /// Where a cell comes to lie under each symmetry; the first leaves it in its place.
    pub(super) fn images(&self, cell: u16) -> &[u16; SYMMETRIES] {
        &self.images[usize::from(cell)]
    }

    /// How far a cell is from the middle of the board: something to prefer one of equals by.
    pub(super) fn off_middle(&self, cell: u16) -> u16 {
        self.off_middle[usize::from(cell)]
    }
}

/// The cells of every run of `line` cells, line after line.
fn lines(spec: BoardSpec) -> Vec<u16> {
    let length = i16::from(spec.line());
    let mut all = Vec::new();
    for start in spec.all_cells() {
        let (column, row) = spec.position(start);
        for direction in Direction::ALL {
            let (columns, rows) = direction.step();
            let cell = |i| spec.cell_at(i16::from(column) + columns * i, i16::from(row) + rows * i);
            if cell(length - 1).is_some() {
                all.extend((0..length).filter_map(cell).map(|Cell(number)| number));
            }
        }
    }
    all
}

fn images(spec: BoardSpec, cell: Cell) -> [u16; SYMMETRIES] {
    let square = spec.width() == spec.height();
    std::array::from_fn(|symmetry| {
        let (column, row) = spec.position(cell);
        let column = if symmetry & 1 == 0 { column } else { spec.width() - 1 - column };
        let row = if symmetry & 2 == 0 { row } else { spec.height() - 1 - row };
        let transposed = square && symmetry & 4 != 0;
        let (column, row) = if transposed { (row, column) } else { (column, row) };
        u16::from(row) * u16::from(spec.width()) + u16::from(column)
    })
}

/// The square of the distance between the middles of cell and board, in half cells.
fn off_middle(spec: BoardSpec, cell: Cell) -> u16 {
    let (column, row) = spec.position(cell);
    let off = |at: u8, side: u8| u16::from((2 * at + 1).abs_diff(side));
    off(column, spec.width()).pow(2) + off(row, spec.height()).pow(2)
}
