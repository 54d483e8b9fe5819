//! The picture of a kept game for link previews: the final board with its winning lines, in the two
//! inks on squared paper, as on the page. Pure: a game becomes the bytes of a PNG.

use noughts_protocol::{ArchivedGame, BoardSpec, Cell, GameResult, Mark};
use tiny_skia::{
    Color, FillRule, LineCap, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use super::preview::SIZE;

mod pen;

/// The colours of the light theme, as in `web/css/base.css`; a test compares them.
const PAPER: [u8; 3] = [0xf8, 0xf3, 0xe8];
const SQUARES: [u8; 3] = [0xeb, 0xe3, 0xd0];
const BOARD_LINE: [u8; 3] = [0x8b, 0x84, 0x74];
const CONTROL: [u8; 3] = [0x85, 0x7d, 0x6c];
const X_INK: [u8; 3] = [0x24, 0x38, 0x7a];
const O_INK: [u8; 3] = [0xb8, 0x39, 0x0e];

/// The side of a square of the paper in pixels. The board is 13 of the 15 squares high.
const SQUARE: f32 = 42.0;
/// The largest cell in pixels.
const MAX_CELL: f32 = 4.0 * SQUARE;

/// Boards up to this side have no frame, as on paper.
const OPEN_SIDE: u8 = 5;
/// Boards up to this side have lines drawn by a pen.
const PEN_SIDE: u8 = 9;
/// The part of a cell that a mark fills, with room around it.
const MARK_PART: f32 = 0.92;
/// The strokes of a mark, in the unit of [`pen::MARK_SIDE`].
const MARK_STROKE: f32 = 2.6;

/// A winning line: its width, how far it reaches beyond the centres of its end cells, and its opacity.
/// The wide one lies under the marks.
const UNDER: (f32, f64, f32) = (0.5, 0.18, 0.17);
const OVER: (f32, f64, f32) = (0.05, 0.38, 1.0);

/// Draws the end of a game as a PNG of [`SIZE`]; `None` if the picture cannot be made.
pub(crate) fn draw(game: &ArchivedGame) -> Option<Vec<u8>> {
    let board = game.summary.board;
    let width = f32::from(board.width());
    let height = f32::from(board.height());
    let whole_width = SIZE.0 as f32;
    let whole_height = SIZE.1 as f32;
    let margin = 2.0 * SQUARE;
    let cell = ((whole_width - margin) / width).min((whole_height - margin) / height).min(MAX_CELL);
    let left = (whole_width - cell * width) / 2.0;
    let top = (whole_height - cell * height) / 2.0;
    let to_cells = Transform::from_row(cell, 0.0, 0.0, cell, left, top);
    // The page's seed of a kept game, which it shows like the first game of a room with this code.
    let seed = format!("{} 1", game.summary.id);
    let mut picture = Picture { pixmap: Pixmap::new(SIZE.0, SIZE.1)?, to_cells, cell };
    picture.paper();
    picture.grid(board, &seed);
    picture.winning_lines(game, &seed, UNDER);
    picture.marks(game, &seed);
    picture.winning_lines(game, &seed, OVER);
    picture.pixmap.encode_png().ok()
}

/// A picture in progress.
struct Picture {
    pixmap: Pixmap,
    /// From cells to pixels.
    to_cells: Transform,
    /// The side of a cell in pixels.
    cell: f32,
}

impl Picture {
    fn paper(&mut self) {
        self.pixmap.fill(color(PAPER, 1.0));
        let width = SIZE.0 as f32;
        let height = SIZE.1 as f32;
        let mut squares = PathBuilder::new();
        let every = |length: f32| {
            (1_u8..).map(|n| f32::from(n) * SQUARE).take_while(move |at| *at < length)
        };
        for rect in every(width).filter_map(|x| Rect::from_xywh(x - 1.0, 0.0, 2.0, height)) {
            squares.push_rect(rect);
        }
        for rect in every(height).filter_map(|y| Rect::from_xywh(0.0, y - 1.0, width, 2.0)) {
            squares.push_rect(rect);
        }
        if let Some(squares) = squares.finish() {
            let paint = paint(SQUARES, 1.0);
            let fill = FillRule::Winding;
            self.pixmap.fill_path(&squares, &paint, fill, Transform::identity(), None);
        }
    }

    fn grid(&mut self, board: BoardSpec, seed: &str) {
        let width = f32::from(board.width());
        let height = f32::from(board.height());
        let side = board.width().max(board.height());
        let is_open = side <= OPEN_SIDE;
        let mut path = PathBuilder::new();
        if side <= PEN_SIDE {
            pen::grid(&mut path, board, if is_open { 0.08 } else { 0.0 }, seed);
        } else {
            for x in 1..board.width() {
                path.move_to(x.into(), 0.0);
                path.line_to(x.into(), height);
            }
            for y in 1..board.height() {
                path.move_to(0.0, y.into());
                path.line_to(width, y.into());
            }
        }
        if !is_open && let Some(frame) = Rect::from_xywh(0.0, 0.0, width, height) {
            // The squares of the paper would be a second grid.
            self.pixmap.fill_rect(frame, &paint(PAPER, 1.0), self.to_cells, None);
            path.push_rect(frame);
        }
        let (ink, pixels) = if is_open { (BOARD_LINE, 6.0) } else { (CONTROL, 2.0) };
        self.stroke(path.finish(), pixels / self.cell, &paint(ink, 1.0), self.to_cells);
    }

    fn marks(&mut self, game: &ArchivedGame, seed: &str) {
        let scale = MARK_PART / pen::MARK_SIDE;
        let margin = (1.0 - MARK_PART) / 2.0;
        let marks = [game.first, game.first.other()].into_iter().cycle();
        for (cell, mark) in game.moves.iter().zip(marks) {
            let mut path = PathBuilder::new();
            pen::mark(&mut path, mark, &format!("{seed} {}", cell.0));
            let (column, row) = place(game.summary.board, *cell);
            let in_cell = Transform::from_row(
                scale,
                0.0,
                0.0,
                scale,
                f32::from(column) + margin,
                f32::from(row) + margin,
            );
            let to_pixels = in_cell.post_concat(self.to_cells);
            self.stroke(path.finish(), MARK_STROKE, &paint(ink(mark), 1.0), to_pixels);
        }
    }

    /// Draws all lines as one path, so that a crossing is no darker.
    fn winning_lines(
        &mut self,
        game: &ArchivedGame,
        seed: &str,
        (width, beyond, opacity): (f32, f64, f32),
    ) {
        let GameResult::Line { winner, lines } = &game.summary.result else { return };
        let board = game.summary.board;
        let mut path = PathBuilder::new();
        for line in lines {
            let (Some(first), Some(last)) = (line.cells.first(), line.cells.last()) else {
                continue;
            };
            let [first, last] = [first, last].map(|cell| {
                let (column, row) = place(board, *cell);
                (f64::from(column) + 0.5, f64::from(row) + 0.5)
            });
            let reach = |from: f64, to: f64| (to - from).clamp(-1.0, 1.0) * beyond;
            let dx = reach(first.0, last.0);
            let dy = reach(first.1, last.1);
            let from = (first.0 - dx, first.1 - dy);
            let to = (last.0 + dx, last.1 + dy);
            let cells: Vec<String> = line.cells.iter().map(|cell| cell.0.to_string()).collect();
            pen::line(&mut path, from, to, &format!("{seed} {}", cells.join(",")));
        }
        self.stroke(path.finish(), width, &paint(ink(*winner), opacity), self.to_cells);
    }

    fn stroke(&mut self, path: Option<Path>, width: f32, paint: &Paint<'_>, transform: Transform) {
        // Nothing was drawn.
        let Some(path) = path else { return };
        let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
        self.pixmap.stroke_path(&path, paint, &stroke, transform, None);
    }
}

/// The column and the row of a cell.
fn place(board: BoardSpec, cell: Cell) -> (u16, u16) {
    let width = u16::from(board.width()).max(1);
    (cell.0 % width, cell.0 / width)
}

const fn ink(mark: Mark) -> [u8; 3] {
    match mark {
        Mark::X => X_INK,
        Mark::O => O_INK,
    }
}

fn color([red, green, blue]: [u8; 3], opacity: f32) -> Color {
    let mut color = Color::from_rgba8(red, green, blue, u8::MAX);
    color.apply_opacity(opacity);
    color
}

fn paint(ink: [u8; 3], opacity: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color(ink, opacity));
    paint
}

#[cfg(test)]
mod tests;
