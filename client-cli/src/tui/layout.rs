//! Where the parts of the screen are, in columns and rows. The same numbers draw the board and find
//! the clicked cell.

use noughts_protocol::Cell;
use ratatui::layout::{Constraint, Position, Rect, Size};

use crate::boards::{Boards, Parts};

/// The smallest terminal in which every screen works.
pub(crate) const SMALLEST: Size = Size { width: 24, height: 10 };

/// The columns between the board and the panel beside it: near enough to be one thing with it.
const GAP: u16 = 4;

/// The columns between them if the larger cells fit only so.
const SMALL_GAP: u16 = 2;

/// The widths of the panel beside the board. In less than the least, names and sentences break too
/// often; more than the most would part the names from the score.
const SIDE_PANEL: (u16, u16) = (24, 36);

/// The rows that the panel beside a low board has, if there are as many.
const PANEL_ROWS: u16 = 12;

/// The least rows for what people say in the panel: a head and some lines.
const TALK_ROWS: u16 = 4;

/// The heights of the panel under the board, the highest first.
const LOW_PANELS: [u16; 3] = [8, 6, 4];

/// The widest panel under the board: lines that are longer are hard to read.
const LOW_PANEL_WIDTH: u16 = 60;

/// The size of a cell of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellShape {
    /// Columns of a cell.
    pub(crate) width: u16,
    /// Rows of a cell.
    pub(crate) height: u16,
    /// Columns and rows between two cells, for the grid.
    pub(crate) gap: u16,
}

/// From the largest to the smallest. A character is about twice as high as wide.
const SHAPES: [CellShape; 7] = [
    CellShape { width: 15, height: 7, gap: 1 },
    CellShape { width: 11, height: 5, gap: 1 },
    CellShape { width: 7, height: 3, gap: 1 },
    CellShape { width: 3, height: 1, gap: 1 },
    CellShape { width: 3, height: 1, gap: 0 },
    CellShape { width: 2, height: 1, gap: 0 },
    CellShape { width: 1, height: 1, gap: 0 },
];

/// The size of cells if only a part of the board fits.
const SCROLLING: CellShape = CellShape { width: 2, height: 1, gap: 0 };

/// The parts of every screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chrome {
    /// The first row.
    pub(crate) title: Rect,
    /// Everything between.
    pub(crate) body: Rect,
    /// The last row but one, for messages.
    pub(crate) message: Rect,
    /// The last row, for the keys.
    pub(crate) key_bar: Rect,
}

/// One direction of the picture of a board: the cells of one or more boards, and what lies between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The number of boards.
    boards: u8,
    /// The number of cells of each.
    cells: u8,
    /// The columns or rows of a cell.
    size: u16,
    /// Those between two cells of a board.
    gap: u16,
    /// Those between two boards.
    between: u16,
}

/// The kind of a column or a row of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Cells.
    Cells,
    /// The space between two cells of a board.
    Gap,
    /// The space between two boards.
    Between,
}

impl Axis {
    const fn board(self) -> u16 {
        let cells = self.cells as u16;
        cells * self.size + (cells - 1) * self.gap
    }

    const fn length(self) -> u16 {
        let boards = self.boards as u16;
        boards * self.board() + (boards - 1) * self.between
    }

    /// Where a cell of a board begins.
    fn start(self, board: u8, cell: u8) -> u16 {
        u16::from(board) * (self.board() + self.between) + u16::from(cell) * (self.size + self.gap)
    }

    /// The kind of a column or row, and the board that it belongs to or comes after.
    const fn lane(self, at: u16) -> (Lane, u16) {
        let period = self.board() + self.between;
        let within = at % period;
        let lane = if within >= self.board() {
            Lane::Between
        } else if within % (self.size + self.gap) >= self.size {
            Lane::Gap
        } else {
            Lane::Cells
        };
        (lane, at / period)
    }
}

/// The picture of all cells, of which the screen may show a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Picture {
    boards: Boards,
    /// The boards in a row.
    row: u8,
    across: Axis,
    down: Axis,
}

impl Picture {
    fn new(boards: Boards, row: u8, shape: CellShape) -> Self {
        let (between_columns, between_rows) = match boards.parts {
            Parts::One => (0, 0),
            // The line around a board.
            Parts::Nested => (1, 1),
            Parts::Apart | Parts::Layers => match row == boards.across() {
                true if shape.width >= 3 => (3, 1),
                true => (1, 1),
                // Each board has its own labels.
                false => (4, 1 + shape.gap),
            },
        };
        let axis = |boards: u8, cells: u8, size: u16, between: u16| Axis {
            boards,
            cells,
            size,
            gap: shape.gap,
            between,
        };
        let down = boards.count().div_ceil(row);
        Self {
            boards,
            row,
            across: axis(row, boards.size.0, shape.width, between_columns),
            down: axis(down, boards.size.1, shape.height, between_rows),
        }
    }

    const fn size(&self) -> Size {
        Size { width: self.across.length(), height: self.down.length() }
    }

    /// Where a cell begins.
    fn start(&self, cell: Cell) -> Position {
        let (board, (column, row)) = self.boards.place(cell);
        let x = self.across.start(board % self.row, column);
        let y = self.down.start(board / self.row, row);
        Position { x, y }
    }
}

/// The parts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameLayout {
    /// Players, score and clock.
    pub(crate) panel: Rect,
    /// The visible cells, without the labels around them.
    pub(crate) cells: Rect,
    /// The size of a cell.
    pub(crate) shape: CellShape,
    /// Whether columns and rows have labels.
    pub(crate) labelled: bool,
    picture: Picture,
    /// The columns and rows of the picture before the visible ones.
    scrolled: Position,
}

/// The parts of a screen, or `None` if the terminal is too small.
pub(crate) fn chrome(size: Size) -> Option<Chrome> {
    if size.width < SMALLEST.width || size.height < SMALLEST.height {
        return None;
    }
    let row = |y| Rect::new(0, y, size.width, 1);
    Some(Chrome {
        title: row(0),
        body: Rect::new(0, 1, size.width, size.height - 3),
        message: row(size.height - 2),
        key_bar: row(size.height - 1),
    })
}

/// The parts of a game in a body that is at least as large as the smallest terminal's. Takes the
/// largest cells with which the whole board fits, and puts the panel beside the board if it fits
/// there, else below; if no cells fit, shows the part of the board around the cursor.
pub(crate) fn game(body: Rect, boards: Boards, cursor: Cell) -> GameLayout {
    let mut pictures = SHAPES
        .into_iter()
        .flat_map(|shape| boards.rows().map(move |row| (shape, Picture::new(boards, row, shape))));
    let whole = pictures.find_map(|(shape, picture)| {
        let (area, panel) = split(body, with_labels(boards, picture.size()))?;
        Some(place(area, panel, (shape, picture), cursor))
    });
    whole.unwrap_or_else(|| {
        let picture = Picture::new(boards, boards.across(), SCROLLING);
        let all = with_labels(boards, picture.size());
        let (area, panel) = split_beside(body, Size { height: body.height, ..all })
            .or_else(|| split_low(body, 3))
            .unwrap_or((body, Rect::default()));
        place(area, panel, (SCROLLING, picture), cursor)
    })
}

/// The part of a panel beside a board for what people say, below the rest, if there is space for it.
pub(crate) fn talk(panel: Rect) -> Option<Rect> {
    let height = panel.height.checked_sub(PANEL_ROWS)?;
    let area = Rect { y: panel.y + PANEL_ROWS, height, ..panel };
    (height >= TALK_ROWS).then_some(area)
}

/// Finds the places of a board of this size, with its labels, and of the panel.
fn split(body: Rect, board: Size) -> Option<(Rect, Rect)> {
    split_beside(body, board).or_else(|| {
        let fits =
            |(area, _): &(Rect, Rect)| board.width <= area.width && board.height <= area.height;
        LOW_PANELS.into_iter().filter_map(|height| split_low(body, height)).find(fits)
    })
}

/// The board and the panel beside it, as one group in the middle of the body.
fn split_beside(body: Rect, board: Size) -> Option<(Rect, Rect)> {
    let fits = |gap: &u16| board.width + gap + SIDE_PANEL.0 <= body.width;
    let gap = [GAP, SMALL_GAP].into_iter().find(fits)?;
    let rest = body.width - board.width - gap;
    if board.height > body.height {
        return None;
    }
    let panel = rest.min(SIDE_PANEL.1);
    let width = board.width + gap + panel;
    let rows = board.height.max(PANEL_ROWS.min(body.height));
    let group = body.centered(Constraint::Length(width), Constraint::Length(rows));
    let board_top = group.y + (rows - board.height) / 2;
    // The panel begins where the board does. It ends with the body: a message may be long.
    let top = board_top.min(body.bottom().saturating_sub(PANEL_ROWS)).max(group.y);
    let panel = Rect::new(group.right() - panel, top, panel, body.bottom() - top);
    Some((Rect::new(group.x, board_top, board.width, board.height), panel))
}

/// The board and the panel under it.
fn split_low(body: Rect, height: u16) -> Option<(Rect, Rect)> {
    let rest = body.height.checked_sub(height)?;
    let width = body.width.min(LOW_PANEL_WIDTH);
    let panel = Rect::new(body.x + (body.width - width) / 2, body.y + rest, width, height);
    Some((Rect { height: rest, ..body }, panel))
}

/// The columns and rows that the labels take.
const fn label_space(boards: Boards) -> (u16, u16) {
    if boards.spec.cells() <= 9 { (0, 0) } else { (3, 1) }
}

const fn with_labels(boards: Boards, size: Size) -> Size {
    let (left, top) = label_space(boards);
    Size { width: size.width + left, height: size.height + top }
}

/// The visible part of one direction and what comes before it: whole cells, of which one that begins at
/// `cursor` is in the middle as far as possible.
fn window(axis: Axis, space: u16, cursor: u16) -> (u16, u16) {
    let all = axis.length();
    if all <= space {
        return (all, 0);
    }
    let step = if axis.boards == 1 { axis.size + axis.gap } else { 1 };
    let shown = (space / step).max(1) * step;
    let before = cursor.saturating_sub(shown / step / 2 * step);
    (shown, before.min(all.saturating_sub(shown)))
}

fn place(
    area: Rect,
    panel: Rect,
    (shape, picture): (CellShape, Picture),
    cursor: Cell,
) -> GameLayout {
    let (left, top) = label_space(picture.boards);
    let at = picture.start(cursor);
    let (width, before) = window(picture.across, area.width.saturating_sub(left), at.x);
    let (height, above) = window(picture.down, area.height.saturating_sub(top), at.y);
    // The board is centred in its area.
    let x = area.x + left + area.width.saturating_sub(width + left) / 2;
    let y = area.y + top + area.height.saturating_sub(height + top) / 2;
    GameLayout {
        panel,
        cells: Rect::new(x, y, width, height),
        shape,
        labelled: left > 0,
        picture,
        scrolled: Position { x: before, y: above },
    }
}

impl GameLayout {
    /// The boards that are drawn.
    pub(crate) const fn boards(&self) -> Boards {
        self.picture.boards
    }

    /// Whether only a part of the board is visible.
    pub(crate) fn scrolls(&self) -> bool {
        self.cells.as_size() != self.picture.size()
    }

    /// Whether there are columns before and after the visible ones, and rows.
    pub(crate) const fn hidden(&self) -> ((bool, bool), (bool, bool)) {
        let Size { width, height } = self.picture.size();
        let across = (self.scrolled.x > 0, self.scrolled.x + self.cells.width < width);
        let down = (self.scrolled.y > 0, self.scrolled.y + self.cells.height < height);
        (across, down)
    }

    /// Whether the boards stand otherwise than in the rectangle, and have labels of their own.
    pub(crate) const fn is_folded(&self) -> bool {
        self.picture.row != self.boards().across()
    }

    /// The place of a cell, or `None` if not all of it is visible.
    pub(crate) fn rect(&self, cell: Cell) -> Option<Rect> {
        let Position { x, y } = self.picture.start(cell);
        let x = x.checked_sub(self.scrolled.x)? + self.cells.x;
        let y = y.checked_sub(self.scrolled.y)? + self.cells.y;
        let rect = Rect::new(x, y, self.shape.width, self.shape.height);
        (rect.right() <= self.cells.right() && rect.bottom() <= self.cells.bottom()).then_some(rect)
    }

    /// The visible part of a board.
    pub(crate) fn board(&self, board: u8) -> Option<Rect> {
        let cells = self.boards().cells(board).filter_map(|cell| self.rect(cell));
        cells.reduce(Rect::union)
    }

    /// The kinds of the column and the row at a position; `None` where no board stands.
    pub(crate) fn lanes(&self, position: Position) -> Option<(Lane, Lane)> {
        let (across, column) =
            self.picture.across.lane(position.x - self.cells.x + self.scrolled.x);
        let (down, row) = self.picture.down.lane(position.y - self.cells.y + self.scrolled.y);
        let board = row * u16::from(self.picture.row) + column;
        (board < u16::from(self.boards().count())).then_some((across, down))
    }

    /// The cell at a position of the screen. Grid lines belong to no cell.
    pub(crate) fn cell_at(&self, position: Position) -> Option<Cell> {
        let mut cells = self.boards().spec.all_cells();
        cells.find(|cell| self.rect(*cell).is_some_and(|r| r.contains(position)))
    }

    /// The cell beside another one on the screen, also if it is not visible.
    pub(crate) fn beside(&self, cell: Cell, (columns, rows): (i16, i16)) -> Option<Cell> {
        let Boards { size, .. } = self.boards();
        let (board, (column, row)) = self.boards().place(cell);
        let in_row = self.picture.row;
        let column = i16::from(board % in_row * size.0 + column) + columns;
        let row = i16::from(board / in_row * size.1 + row) + rows;
        let column = u8::try_from(column).ok().filter(|column| *column < in_row * size.0)?;
        let row = u8::try_from(row).ok()?;
        let board = row / size.1 * in_row + column / size.0;
        let is_there = board < self.boards().count();
        self.boards().cell(board, (column % size.0, row % size.1)).filter(|_| is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::tests::boards;

    fn of(width: u16, height: u16, boards: Boards, cursor: u16) -> GameLayout {
        let body = chrome(Size { width, height }).unwrap().body;
        game(body, boards, Cell(cursor))
    }

    fn at(width: u16, height: u16, board: &str, cursor: u16) -> GameLayout {
        of(width, height, boards(Parts::One, board), cursor)
    }

    #[test]
    fn cells_shrink_with_the_terminal() {
        for (width, height, shape) in
            [(200, 60, 0), (120, 40, 0), (80, 24, 1), (60, 20, 2), (40, 20, 2), (40, 12, 3)]
        {
            let layout = at(width, height, "3x3x3", 0);
            assert_eq!(layout.shape, SHAPES[shape], "{width}x{height}");
        }
        assert_eq!(at(24, 10, "3x3x3", 0).shape, SHAPES[4]);
        assert_eq!(at(80, 24, "19x19x5", 0).shape, SHAPES[5]);
        assert_eq!(at(60, 20, "15x15x5", 0).shape, SHAPES[5]);
        assert_eq!(at(120, 50, "19x19x5", 0).shape, SHAPES[3]);
    }

    #[test]
    fn the_panel_stands_close_to_the_board_and_both_in_the_middle() {
        for (width, height) in [(60, 20), (80, 24), (100, 30), (120, 40), (200, 60)] {
            for board in ["3x3x3", "6x6x4", "3x19x5", "19x3x5"] {
                let GameLayout { panel, cells, labelled, .. } = at(width, height, board, 0);
                if panel.y > cells.y {
                    assert!(cells.width + 28 > width, "{board} in {width}x{height}: {panel}");
                    continue;
                }
                let gap = panel.x - cells.right();
                assert!([GAP, SMALL_GAP].contains(&gap), "{board} in {width}x{height}");
                let left = cells.x - if labelled { 3 } else { 0 };
                assert!(left.abs_diff(width - panel.right()) <= 1, "{board} in {width}x{height}");
            }
        }
    }

    #[test]
    fn a_board_that_does_not_fit_keeps_the_cursor_in_view() {
        for cursor in [0, 9 * 19 + 9, 360] {
            let layout = at(30, 12, "19x19x5", cursor);
            assert!(layout.scrolls());
            assert!(layout.rect(Cell(cursor)).is_some());
        }
    }

    /// Boards of every kind.
    const ALL: [(Parts, &str); 12] = [
        (Parts::One, "3x3x3"),
        (Parts::One, "4x4x4"),
        (Parts::One, "7x6x4"),
        (Parts::One, "3x19x5"),
        (Parts::One, "19x3x5"),
        (Parts::One, "19x19x5"),
        (Parts::Nested, "9x9x3"),
        (Parts::Apart, "3x3x3"),
        (Parts::Apart, "6x3x3"),
        (Parts::Apart, "15x3x3"),
        (Parts::Layers, "3x9x3"),
        (Parts::Layers, "4x16x4"),
    ];

    #[test]
    fn every_cell_lies_on_the_screen_and_is_found_again() {
        for (width, height) in [(24, 10), (40, 12), (40, 24), (80, 24), (200, 60)] {
            for (parts, board) in ALL {
                let layout = of(width, height, boards(parts, board), 0);
                let screen = Rect::new(0, 1, width, height - 3);
                for cell in layout.boards().spec.all_cells() {
                    let Some(rect) = layout.rect(cell) else { continue };
                    assert_eq!(screen.intersection(rect), rect, "{board} in {width}x{height}");
                    assert_eq!(layout.cell_at(rect.as_position()), Some(cell));
                }
                assert!(layout.panel.bottom() <= height - 2 && layout.panel.height >= 3);
            }
        }
    }

    #[test]
    fn every_cell_is_reached_from_every_other_one() {
        for (width, height) in [(24, 10), (40, 24), (80, 24)] {
            for (parts, board) in ALL {
                let layout = of(width, height, boards(parts, board), 0);
                let mut reached = vec![Cell(0)];
                let mut next = 0;
                while let Some(cell) = reached.get(next).copied() {
                    next += 1;
                    for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                        let beside = layout.beside(cell, step);
                        reached.extend(beside.filter(|cell| !reached.contains(cell)));
                    }
                }
                let all = usize::from(layout.boards().spec.cells());
                assert_eq!(reached.len(), all, "{board} in {width}x{height}");
            }
        }
    }

    #[test]
    fn the_layers_of_a_cube_stand_where_there_is_space() {
        let check = |width, height, row, shape: usize| {
            let layout = of(width, height, boards(Parts::Layers, "4x16x4"), 0);
            let picture = layout.picture;
            let expected = (row, SHAPES[shape], false);
            assert_eq!((picture.row, layout.shape, layout.scrolls()), expected, "{width}x{height}");
            layout
        };
        let beside = check(80, 24, 4, 3);
        assert_eq!(beside.beside(Cell(3), (1, 0)), Some(Cell(16)), "to the next layer");
        let two = check(40, 24, 2, 3);
        assert_eq!(two.beside(Cell(12), (0, 1)), Some(Cell(32)), "to the layer below");
        check(40, 12, 4, 6);
        let nine = of(40, 24, boards(Parts::Nested, "9x9x3"), 0);
        assert_eq!((nine.shape, nine.scrolls()), (SHAPES[4], false));
    }
}
