//! The lines and symmetries of a board, which no move changes.

use noughts_protocol::{BoardSpec, Cell, Direction, Rules, Variant};

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
    /// Per line: the cells before its first and behind its last one. Empty where a longer row of
    /// marks wins too.
    line_ends: Vec<Vec<u16>>,
    /// Per cell: the lines at whose ends it is. Empty as `line_ends`.
    lines_beside: Vec<Vec<u16>>,
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
            line_ends: Vec::new(),
            lines_beside: Vec::new(),
            images,
            distance_from_centre,
        }
    }

    /// The geometry of a game's board, in which the lines are those of `line`.
    pub(crate) fn of(rules: Rules) -> Self {
        let spec = rules.board;
        let mut geometry = Self::new(spec);
        if rules.variant != Variant::Exact {
            return geometry;
        }
        geometry.line_ends = line_ends(spec).collect();
        geometry.lines_beside = vec![Vec::new(); geometry.cells];
        for (number, ends) in geometry.line_ends.iter().enumerate() {
            for cell in ends {
                geometry.lines_beside[usize::from(*cell)].push(number as u16);
            }
        }
        geometry
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

    /// Whether a longer row of marks does not win.
    pub(crate) const fn is_exact(&self) -> bool {
        !self.lines_beside.is_empty()
    }

    /// The cells on which a mark makes a full line too long, if it is of the same side.
    pub(crate) fn ends_of(&self, line: u16) -> &[u16] {
        self.line_ends.get(usize::from(line)).map_or(&[], Vec::as_slice)
    }

    /// The lines that a mark on this cell makes too long, if it is of the same side. Only where
    /// [`Geometry::is_exact`].
    pub(crate) fn lines_beside(&self, cell: u16) -> &[u16] {
        &self.lines_beside[usize::from(cell)]
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
    let cells = |(start, step)| (0..length).filter_map(move |i| beyond(spec, start, step, i));
    starts(spec).flat_map(cells).map(|Cell(number)| number).collect()
}

/// Of each line, in the order of [`lines`]: the cells before its first and behind its last one.
fn line_ends(spec: BoardSpec) -> impl Iterator<Item = Vec<u16>> {
    let length = i16::from(spec.line());
    let ends = move |(start, step)| [-1, length].map(|i| beyond(spec, start, step, i));
    starts(spec).map(move |start| ends(start).into_iter().flatten().map(|cell| cell.0).collect())
}

/// The first cell of every line, and the step to the next one.
fn starts(spec: BoardSpec) -> impl Iterator<Item = (Cell, (i16, i16))> {
    let last = i16::from(spec.line()) - 1;
    let all = spec
        .all_cells()
        .flat_map(|start| Direction::ALL.map(|direction| (start, direction.step())));
    all.filter(move |(start, step)| beyond(spec, *start, *step, last).is_some())
}

/// The cell so many steps from another one.
fn beyond(spec: BoardSpec, start: Cell, step: (i16, i16), steps: i16) -> Option<Cell> {
    let (column, row) = spec.position(start);
    spec.cell_at(i16::from(column) + step.0 * steps, i16::from(row) + step.1 * steps)
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
