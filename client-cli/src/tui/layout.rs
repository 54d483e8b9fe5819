//! Where the parts of the screen are, in columns and rows. The same numbers draw the board and find
//! the clicked cell.

use noughts_protocol::{BoardSpec, Cell};
use ratatui::layout::{Constraint, Position, Rect, Size};

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

/// The parts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameLayout {
    /// Players, score and clock.
    pub(crate) panel: Rect,
    /// The visible cells, without the labels around them.
    pub(crate) cells: Rect,
    /// The size of a cell.
    pub(crate) shape: CellShape,
    /// The first visible column and row.
    pub(crate) first: (u8, u8),
    /// How many columns and rows are visible.
    pub(crate) shown: (u8, u8),
    /// Whether columns and rows have labels.
    pub(crate) labelled: bool,
    spec: BoardSpec,
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
pub(crate) fn game(body: Rect, spec: BoardSpec, cursor: Cell) -> GameLayout {
    let whole = SHAPES.into_iter().find_map(|shape| {
        let side = (spec.width(), spec.height());
        let (area, panel) = split(body, board_size(spec, shape, side))?;
        Some(place(area, panel, spec, shape, side, cursor))
    });
    whole.unwrap_or_else(|| {
        let all = board_size(spec, SCROLLING, (spec.width(), spec.height()));
        let (area, panel) = split_beside(body, Size { height: body.height, ..all })
            .or_else(|| split_low(body, 3))
            .unwrap_or((body, Rect::default()));
        let shown = |side: u8, space: u16, label_space: u16, size: u16| {
            u8::try_from(space.saturating_sub(label_space) / size).unwrap_or(side).clamp(1, side)
        };
        let columns = shown(spec.width(), area.width, label_space(spec).0, SCROLLING.width);
        let rows = shown(spec.height(), area.height, label_space(spec).1, SCROLLING.height);
        place(area, panel, spec, SCROLLING, (columns, rows), cursor)
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
const fn label_space(spec: BoardSpec) -> (u16, u16) {
    if spec.cells() <= 9 { (0, 0) } else { (3, 1) }
}

/// The size of some columns and rows of cells, with the labels.
fn board_size(spec: BoardSpec, shape: CellShape, shown: (u8, u8)) -> Size {
    let (left, top) = label_space(spec);
    Size {
        width: span(shown.0, shape.width, shape.gap) + left,
        height: span(shown.1, shape.height, shape.gap) + top,
    }
}

/// The length of `count` cells with the gaps between them.
fn span(count: u8, size: u16, gap: u16) -> u16 {
    let count = u16::from(count);
    count * size + (count - 1) * gap
}

fn place(
    area: Rect,
    panel: Rect,
    spec: BoardSpec,
    shape: CellShape,
    shown: (u8, u8),
    cursor: Cell,
) -> GameLayout {
    let (left, top) = label_space(spec);
    let Size { width, height } = board_size(spec, shape, shown);
    // The board is centred in its area.
    let x = area.x + left + area.width.saturating_sub(width) / 2;
    let y = area.y + top + area.height.saturating_sub(height) / 2;
    let (column, row) = spec.position(cursor);
    let first = |at: u8, shown: u8, side: u8| at.saturating_sub(shown / 2).min(side - shown);
    GameLayout {
        panel,
        cells: Rect::new(x, y, width - left, height - top),
        shape,
        first: (first(column, shown.0, spec.width()), first(row, shown.1, spec.height())),
        shown,
        labelled: left > 0,
        spec,
    }
}

impl GameLayout {
    /// Whether only a part of the board is visible.
    pub(crate) fn scrolls(&self) -> bool {
        self.shown != (self.spec.width(), self.spec.height())
    }

    /// The place of a cell, or `None` if it is not visible.
    pub(crate) fn rect(&self, cell: Cell) -> Option<Rect> {
        let (column, row) = self.spec.position(cell);
        let place = |at: u8, first: u8, shown: u8| at.checked_sub(first).filter(|at| *at < shown);
        let column = u16::from(place(column, self.first.0, self.shown.0)?);
        let row = u16::from(place(row, self.first.1, self.shown.1)?);
        let CellShape { width, height, gap } = self.shape;
        let x = self.cells.x + column * (width + gap);
        let y = self.cells.y + row * (height + gap);
        Some(Rect::new(x, y, width, height))
    }

    /// The cell at a position of the screen. Grid lines belong to no cell.
    pub(crate) fn cell_at(&self, position: Position) -> Option<Cell> {
        self.spec.all_cells().find(|cell| self.rect(*cell).is_some_and(|r| r.contains(position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(width: u16, height: u16, board: &str, cursor: u16) -> GameLayout {
        let body = chrome(Size { width, height }).unwrap().body;
        game(body, board.parse().unwrap(), Cell(cursor))
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

    #[test]
    fn every_cell_lies_on_the_screen_and_is_found_again() {
        for (width, height) in [(24, 10), (40, 20), (80, 24), (200, 60)] {
            for board in ["3x3x3", "4x4x4", "7x6x4", "3x19x5", "19x3x5", "19x19x5"] {
                let layout = at(width, height, board, 0);
                let screen = Rect::new(0, 1, width, height - 3);
                for cell in layout.spec.all_cells() {
                    let Some(rect) = layout.rect(cell) else { continue };
                    assert_eq!(screen.intersection(rect), rect, "{board} in {width}x{height}");
                    assert_eq!(layout.cell_at(rect.as_position()), Some(cell));
                }
                assert!(layout.panel.bottom() <= height - 2 && layout.panel.height >= 3);
            }
        }
    }
}
