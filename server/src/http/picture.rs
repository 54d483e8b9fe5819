//! The picture of a kept game for link previews: the final board with its winning lines, in the two
//! inks on squared paper, as on the page. Pure: a game becomes the bytes of a PNG.

use noughts_protocol::{ArchivedGame, Board, BoardSpec, Cell, GameResult, LineKind, Mark, Variant};
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
/// The opacity of marks on a small board that is decided.
const PALE: f32 = 0.3;

/// A winning line: its width, how far it reaches beyond the centres of its end cells, and its opacity.
/// The wide one lies under the marks.
const UNDER: (f32, f64, f32) = (0.5, 0.18, 0.17);
const OVER: (f32, f64, f32) = (0.05, 0.38, 1.0);

/// Draws the end of a game as a PNG of [`SIZE`]; `None` if the picture cannot be made.
pub(crate) fn draw(game: &ArchivedGame) -> Option<Vec<u8>> {
    let layout = Layout::of(game.summary.variant, game.summary.board);
    let (width, height) = layout.size();
    let whole_width = SIZE.0 as f32;
    let whole_height = SIZE.1 as f32;
    let margin = 2.0 * SQUARE;
    let cell = ((whole_width - margin) / width).min((whole_height - margin) / height).min(MAX_CELL);
    let left = (whole_width - cell * width) / 2.0;
    let top = (whole_height - cell * height) / 2.0;
    let to_cells = Transform::from_row(cell, 0.0, 0.0, cell, left, top);
    // The page's seed of a kept game, which it shows like the first game of a room with this code.
    let seed = format!("{} 1", game.summary.id);
    let board = final_board(game);
    let mut picture = Picture { pixmap: Pixmap::new(SIZE.0, SIZE.1)?, to_cells, cell, layout };
    picture.paper();
    picture.grid(&seed);
    picture.winning_lines(game, &board, &seed, UNDER);
    picture.marks(game, &board, &seed);
    picture.winning_lines(game, &board, &seed, OVER);
    picture.pixmap.encode_png().ok()
}

/// The board at the end, from what is told of each move.
fn final_board(game: &ArchivedGame) -> Board {
    let mut board = Board::empty(game.summary.board);
    let sides = [game.first, game.first.other()].into_iter().cycle();
    let mut effects = game.effects.iter().peekable();
    for ((ply, cell), side) in (0..).zip(&game.moves).zip(sides) {
        let effect = effects.next_if(|effect| effect.ply == ply);
        if let Some(removed) = effect.and_then(|effect| effect.effect.removed) {
            board.set(removed, None);
        }
        let mark = game.placed.get(usize::from(ply)).copied().unwrap_or(side);
        board.set(*cell, Some(mark));
    }
    board
}

/// Where the cells of a board are drawn: as they are, or as several small boards with gaps between them.
struct Layout {
    board: BoardSpec,
    /// The columns and rows of a small board, or of the whole one.
    part: (u8, u8),
    /// The small boards beside one another.
    across: u8,
    /// The number of small boards.
    parts: u8,
    /// The gap, in cells.
    gap: f32,
    /// Whether there are lines in the gaps.
    ruled: bool,
}

impl Layout {
    fn of(variant: Variant, board: BoardSpec) -> Self {
        let width = board.width();
        let whole = (width, board.height());
        let (part, across, gap) = match variant {
            Variant::Ultimate => ((3, 3), width / 3, 0.5),
            Variant::Notakto => ((3, 3), width / 3, 1.0),
            // The layers of a cube lie beside one another.
            Variant::Qubic => ((width, width), board.height() / width, 1.0),
            _ => (whole, 1, 0.0),
        };
        let parts = (whole.0 / part.0) * (whole.1 / part.1);
        Self { board, part, across, parts, gap, ruled: variant == Variant::Ultimate }
    }

    /// The column and row of a small board among the others, as they are drawn.
    fn corner(&self, part: u8) -> (f32, f32) {
        let at = |place: u8, side: u8| f32::from(place) * (f32::from(side) + self.gap);
        (at(part % self.across, self.part.0), at(part / self.across, self.part.1))
    }

    /// Width and height in cells.
    fn size(&self) -> (f32, f32) {
        // The rows of small boards are full.
        let (left, top) = self.corner(self.parts - 1);
        (left + f32::from(self.part.0), top + f32::from(self.part.1))
    }

    /// The small board of a cell.
    fn part_of(&self, cell: Cell) -> u8 {
        let (column, row) = self.board.position(cell);
        row / self.part.1 * (self.board.width() / self.part.0) + column / self.part.0
    }

    /// Where the upper left corner of a cell is drawn.
    fn place(&self, cell: Cell) -> (f32, f32) {
        let (column, row) = self.board.position(cell);
        let (left, top) = self.corner(self.part_of(cell));
        (left + f32::from(column % self.part.0), top + f32::from(row % self.part.1))
    }

    fn centre(&self, cell: Cell) -> pen::Point {
        let (left, top) = self.place(cell);
        (f64::from(left) + 0.5, f64::from(top) + 0.5)
    }

    fn centre_of(&self, part: u8) -> pen::Point {
        let (left, top) = self.corner(part);
        let half = |side: u8| f64::from(side) / 2.0;
        (f64::from(left) + half(self.part.0), f64::from(top) + half(self.part.1))
    }
}

/// A picture in progress.
struct Picture {
    pixmap: Pixmap,
    /// From cells to pixels.
    to_cells: Transform,
    /// The side of a cell in pixels.
    cell: f32,
    layout: Layout,
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

    fn grid(&mut self, seed: &str) {
        let (columns, rows) = self.layout.part;
        let width = f32::from(columns);
        let height = f32::from(rows);
        let side = columns.max(rows);
        let is_open = side <= OPEN_SIDE;
        let (ink, pixels) = if is_open { (BOARD_LINE, 6.0) } else { (CONTROL, 2.0) };
        // Small boards have lines that fit their cells.
        let pixels = f32::min(pixels, self.cell / 12.0);
        for part in 0..self.layout.parts {
            let mut path = PathBuilder::new();
            if side <= PEN_SIDE {
                let seed = if part == 0 { seed.to_owned() } else { format!("{seed} {part}") };
                pen::grid(&mut path, (columns, rows), if is_open { 0.08 } else { 0.0 }, &seed);
            } else {
                for x in 1..columns {
                    path.move_to(x.into(), 0.0);
                    path.line_to(x.into(), height);
                }
                for y in 1..rows {
                    path.move_to(0.0, y.into());
                    path.line_to(width, y.into());
                }
            }
            let (left, top) = self.layout.corner(part);
            let to_part = Transform::from_translate(left, top).post_concat(self.to_cells);
            if !is_open && let Some(frame) = Rect::from_xywh(0.0, 0.0, width, height) {
                // The squares of the paper would be a second grid.
                self.pixmap.fill_rect(frame, &paint(PAPER, 1.0), to_part, None);
                path.push_rect(frame);
            }
            self.stroke(path.finish(), pixels / self.cell, &paint(ink, 1.0), to_part);
        }
        if self.layout.ruled {
            // A grid of small boards: its unit is a small board with its gap.
            let unit = width + self.layout.gap;
            let corner = -self.layout.gap / 2.0;
            let to_board = Transform::from_row(unit, 0.0, 0.0, unit, corner, corner)
                .post_concat(self.to_cells);
            let mut path = PathBuilder::new();
            pen::grid(&mut path, (self.layout.across, self.layout.across), 0.08, seed);
            self.stroke(path.finish(), 6.0 / unit / self.cell, &paint(CONTROL, 1.0), to_board);
        }
    }

    fn marks(&mut self, game: &ArchivedGame, board: &Board, seed: &str) {
        let decided: Vec<_> =
            game.effects.iter().filter_map(|effect| effect.effect.decided.as_ref()).collect();
        for cell in board.spec().all_cells() {
            let Some(mark) = board.get(cell) else { continue };
            let part = self.layout.part_of(cell);
            let is_decided = decided.iter().any(|decided| decided.board == part);
            let opacity = if is_decided { PALE } else { 1.0 };
            self.mark(mark, self.layout.place(cell), 1.0, opacity, &format!("{seed} {}", cell.0));
        }
        for decided in decided {
            let corner = self.layout.corner(decided.board);
            let seed = format!("{seed} board {}", decided.board);
            if let Some(winner) = decided.winner {
                self.mark(winner, corner, f32::from(self.layout.part.0), 1.0, &seed);
            } else if let Some((first, last)) = ends(&decided.cells) {
                let mut path = PathBuilder::new();
                straight(
                    &mut path,
                    [first, last].map(|cell| self.layout.centre(cell)),
                    OVER.1,
                    &seed,
                );
                self.stroke(path.finish(), 2.0 * OVER.0, &paint(CONTROL, 1.0), self.to_cells);
            }
        }
    }

    /// Draws a mark into a square with this corner and side, in cells.
    fn mark(&mut self, mark: Mark, (left, top): (f32, f32), side: f32, opacity: f32, seed: &str) {
        let mut path = PathBuilder::new();
        pen::mark(&mut path, mark, seed);
        let scale = side * MARK_PART / pen::MARK_SIDE;
        let margin = side * (1.0 - MARK_PART) / 2.0;
        let in_cell = Transform::from_row(scale, 0.0, 0.0, scale, left + margin, top + margin);
        let to_pixels = in_cell.post_concat(self.to_cells);
        self.stroke(path.finish(), MARK_STROKE, &paint(ink(mark), opacity), to_pixels);
    }

    /// Draws all lines as one path, so that a crossing is no darker.
    fn winning_lines(
        &mut self,
        game: &ArchivedGame,
        board: &Board,
        seed: &str,
        (width, beyond, opacity): (f32, f64, f32),
    ) {
        let GameResult::Line { winner, lines } = &game.summary.result else { return };
        let mut path = PathBuilder::new();
        // Some variants are lost by a line, and in some both marks are everybody's.
        let mut mark = *winner;
        for line in lines {
            let Some((first, last)) = ends(&line.cells) else { continue };
            let cells: Vec<String> = line.cells.iter().map(|cell| cell.0.to_string()).collect();
            let seed = format!("{seed} {}", cells.join(","));
            if let LineKind::Boards { boards: [first, _, last] } = line.kind {
                let ends = [first, last].map(|part| self.layout.centre_of(part));
                straight(&mut path, ends, beyond, &seed);
                continue;
            }
            mark = board.get(first).unwrap_or(mark);
            let is_in_one = self.layout.part_of(first) == self.layout.part_of(last);
            if is_in_one {
                let ends = [first, last].map(|cell| self.layout.centre(cell));
                straight(&mut path, ends, beyond, &seed);
                continue;
            }
            // From layer to layer of a cube.
            for pair in line.cells.windows(2) {
                let ends = [pair[0], pair[1]].map(|cell| self.layout.centre(cell));
                straight(&mut path, ends, 0.0, &seed);
            }
        }
        self.stroke(path.finish(), width, &paint(ink(mark), opacity), self.to_cells);
    }

    fn stroke(&mut self, path: Option<Path>, width: f32, paint: &Paint<'_>, transform: Transform) {
        // Nothing was drawn.
        let Some(path) = path else { return };
        let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
        self.pixmap.stroke_path(&path, paint, &stroke, transform, None);
    }
}

/// A stroke that goes beyond its ends, in both directions.
fn straight(path: &mut PathBuilder, [first, last]: [pen::Point; 2], beyond: f64, seed: &str) {
    let reach = |from: f64, to: f64| (to - from).clamp(-1.0, 1.0) * beyond;
    let dx = reach(first.0, last.0);
    let dy = reach(first.1, last.1);
    pen::line(path, (first.0 - dx, first.1 - dy), (last.0 + dx, last.1 + dy), seed);
}

/// The first and the last cell of a line.
fn ends(cells: &[Cell]) -> Option<(Cell, Cell)> {
    cells.first().copied().zip(cells.last().copied())
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
