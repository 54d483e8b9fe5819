//! The lines and symmetries of a board, which no move changes.

use noughts_protocol::{BoardSpec, Cell, Direction};

/// The lines and symmetries of a board. Cells have the numbers of [`Cell`].
#[derive(Debug)]
pub(crate) struct Geometry {
    /// The number of cells.
    pub(crate) cells: usize,
    /// The number of marks in a row that win.
    pub(crate) line: usize,
    /// The cells of every line, line after line, `line` cells each.
    line_cells: Vec<u16>,
    /// Per cell: the numbers of the lines through it.
    lines_of: Vec<Vec<u16>>,
    /// Per cell: its image under each symmetry of the board.
    images: Vec<[u16; SYMMETRIES]>,
    /// Per cell: its distance from the centre.
    distance_from_centre: Vec<u16>,
}

/// The ways to turn and mirror a square onto itself. On a board that is not square the last four
/// repeat the first four.
pub(crate) const SYMMETRIES: usize = 8;

/// The symmetry that undoes another one: the same, but for the two quarter turns.
pub(crate) const fn inverse(symmetry: usize) -> usize {
    if symmetry & 4 == 0 { symmetry } else { 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 }
}

impl Geometry {
    /// The geometry of a board: on 15 × 15 with 5 in a row, 572 lines.
    pub(crate) fn new(spec: BoardSpec) -> Self {
        let line_cells = lines(spec);
        let line = usize::from(spec.line());
        let mut lines_of = vec![Vec::new(); usize::from(spec.cells())];
        for (number, cells) in line_cells.chunks_exact(line).enumerate() {
            for &cell in cells {
                lines_of[usize::from(cell)].push(number as u16);
            }
        }
        let images = spec.all_cells().map(|cell| images(spec, cell)).collect();
        let distance_from_centre =
            spec.all_cells().map(|cell| distance_from_centre(spec, cell)).collect();
        Self {
            cells: usize::from(spec.cells()),
            line,
            line_cells,
            lines_of,
            images,
            distance_from_centre,
        }
    }

    /// The number of lines: at most 1,224, on 19 × 19 with 3 in a row.
    pub(crate) fn lines(&self) -> usize {
        self.line_cells.len() / self.line
    }

    /// The cells of a line.
    pub(crate) fn cells_of(&self, line: u16) -> &[u16] {
        let start = usize::from(line) * self.line;
        &self.line_cells[start..start + self.line]
    }

    /// The lines through a cell.
    pub(crate) fn lines_of(&self, cell: u16) -> &[u16] {
        &self.lines_of[usize::from(cell)]
    }

    /// The image of a cell under each symmetry. The first symmetry is the identity.
    pub(crate) fn images(&self, cell: u16) -> &[u16; SYMMETRIES] {
        &self.images[usize::from(cell)]
    }

    /// The distance of a cell from the centre, for comparisons.
    pub(crate) fn distance_from_centre(&self, cell: u16) -> u16 {
        self.distance_from_centre[usize::from(cell)]
    }
}

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

/// The square of the distance between the centres of cell and board, in half cells.
fn distance_from_centre(spec: BoardSpec, cell: Cell) -> u16 {
    let (column, row) = spec.position(cell);
    let distance = |at: u8, side: u8| u16::from((2 * at + 1).abs_diff(side));
    distance(column, spec.width()).pow(2) + distance(row, spec.height()).pow(2)
}
