//! Draws the board. Signs mark special cells, so that none needs a colour: brackets for the last
//! move, asterisks for a winning line, angle brackets for the cursor, parentheses for a hint or a
//! better move, dots for a move on its way to the server. A hinted cell without a number also shows
//! a question mark; the mark of a better move is a small letter.

use noughts_protocol::{BoardSpec, Cell, Game, GameResult, Mark, ReviewedMove, Verdict};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use ratatui::text::{Line, Span};

use super::layout::GameLayout;
use super::motion::Stroke;
use super::theme::Theme;
use crate::strings::analysis;

/// The signs beside the marks of a game.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) cursor: Option<Cell>,
    /// The cell of a move on its way to the server.
    pub(super) sent: Option<Cell>,
    /// The cell of a hint.
    pub(super) hinted: Option<Cell>,
    /// A move that was better than the last one.
    pub(super) better: Option<(Cell, Mark)>,
    /// How much of a winning line is drawn; `None` for all of it.
    pub(super) stroke: Option<Stroke>,
}

impl Shown {
    /// A move that was better than the last one.
    pub(super) fn better(better: Option<(Cell, Mark)>) -> Self {
        Self { better, ..Self::default() }
    }
}

/// Draws a position.
pub(super) fn position(
    theme: Theme,
    game: &Game,
    shown: &Shown,
    layout: &GameLayout,
    buffer: &mut Buffer,
) {
    grid(theme, layout, buffer);
    labels(theme, game, shown.cursor, layout, buffer);
    for cell in game.spec().all_cells() {
        if let Some(rect) = layout.rect(cell) {
            let state = CellState::of(game, cell, shown);
            draw(theme, game, (cell, state), rect, layout, buffer);
        }
    }
}

/// How a cell stands out.
#[derive(Debug, Clone, Copy)]
struct CellState {
    mark: Option<Mark>,
    /// Whether it is in a winning line, as far as the line is drawn.
    won: bool,
    pulses: bool,
    last: bool,
    cursor: bool,
    sent: bool,
    hinted: bool,
    better: Option<Mark>,
}

impl CellState {
    fn of(game: &Game, cell: Cell, shown: &Shown) -> Self {
        let drawn = shown.stroke.map_or(usize::MAX, |stroke| stroke.lit);
        let won = match game.result() {
            Some(GameResult::Line { lines, .. }) => {
                lines.iter().any(|line| line.cells.iter().take(drawn).any(|lit| *lit == cell))
            }
            _ => false,
        };
        let pulses = won && shown.stroke.is_some_and(|stroke| stroke.pulses);
        let last = game.moves().last() == Some(&cell);
        let sent = shown.sent == Some(cell);
        let mark = game.board().get(cell).or_else(|| sent.then(|| game.to_move()));
        let hinted = mark.is_none() && shown.hinted == Some(cell);
        let better = shown.better.filter(|(better, _)| mark.is_none() && *better == cell);
        let cursor = shown.cursor == Some(cell);
        Self { mark, won, pulses, last, cursor, sent, hinted, better: better.map(|(_, mark)| mark) }
    }

    /// The signs at both sides of the mark.
    const fn sides(self) -> (char, char) {
        if self.won {
            ('*', '*')
        } else if self.sent {
            ('.', '.')
        } else if self.cursor {
            ('>', '<')
        } else if self.hinted || self.better.is_some() {
            ('(', ')')
        } else if self.last {
            ('[', ']')
        } else {
            (' ', ' ')
        }
    }

    fn style(self, theme: Theme) -> Style {
        let mut style = match self.mark {
            _ if self.sent => theme.dim(),
            Some(mark) => theme.mark(mark),
            None if self.hinted => theme.hint(),
            None => theme.dim(),
        };
        if self.last {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        if self.is_reversed() { style.add_modifier(Modifier::REVERSED) } else { style }
    }

    /// Whether the whole cell is filled: the cursor, and the stroke of a win in the winner's ink.
    const fn is_reversed(self) -> bool {
        self.cursor || (self.won && !self.pulses)
    }
}

/// Whether a cell has a star point, as on the boards of go: eyes find their way by them. Boards with
/// sides of less than nine have none.
fn is_star(spec: BoardSpec, cell: Cell) -> bool {
    let is_on_line = |at: u8, side: u8| {
        let edge = if side < 13 { 2 } else { 3 };
        side >= 9 && (at == edge || at + 1 + edge == side || (side % 2 == 1 && at == side / 2))
    };
    let (column, row) = spec.position(cell);
    is_on_line(column, spec.width()) && is_on_line(row, spec.height())
}

/// Draws a cell.
fn draw(
    theme: Theme,
    game: &Game,
    (cell, state): (Cell, CellState),
    rect: Rect,
    layout: &GameLayout,
    buffer: &mut Buffer,
) {
    let edge = layout.cells.right();
    let gridded = layout.shape.gap > 0;
    let style = state.style(theme);
    let plain = style.remove_modifier(Modifier::UNDERLINED);
    let middle = rect.y + rect.height / 2;
    let center = rect.x + rect.width / 2;
    if state.is_reversed() {
        buffer.set_style(rect, plain);
    }
    let small = |mark| if mark == Mark::X { 'X' } else { 'O' };
    match (state.mark, state.better) {
        (Some(mark), _) => match theme.large_mark(mark, rect.height) {
            Some(rows) => large(rows, (center, middle), plain, buffer),
            None => put(buffer, center, middle, small(mark), style),
        },
        (None, Some(mark)) => {
            put(buffer, center, middle, small(mark).to_ascii_lowercase(), theme.mark(mark));
        }
        (None, None) if game.spec().cells() <= 9 => {
            let label = game.spec().label(cell).chars().next().unwrap_or(theme.empty());
            put(buffer, center, middle, label, style);
        }
        (None, None) if state.hinted => put(buffer, center, middle, '?', style),
        (None, None) => {
            let sign = match (is_star(game.spec(), cell), gridded) {
                (false, true) => ' ',
                (true, false) => '+',
                (true, true) | (false, false) => theme.empty(),
            };
            put(buffer, center, middle, sign, style);
        }
    }
    // In a large cell the signs stand apart from the mark. In a cell of two columns the second sign
    // takes the free column of the next cell, and is left out at the board's edge. A cell of one
    // column has no signs; it is underlined or reversed.
    let away = match rect.height {
        7.. => 5,
        3.. => 3,
        _ => 1,
    };
    let (left, right) = state.sides();
    if left != ' ' && rect.width > 1 {
        put(buffer, center - away, middle, left, plain);
        if center + away < edge {
            put(buffer, center + away, middle, right, plain);
        }
    }
}

/// Draws a mark of several rows around a point.
fn large(rows: &[&str], (x, y): (u16, u16), style: Style, buffer: &mut Buffer) {
    let half = |length: usize| u16::try_from(length / 2).unwrap_or_default();
    for (row, text) in (y - half(rows.len())..).zip(rows) {
        buffer.set_string(x - half(text.chars().count()), row, text, style);
    }
}

fn put(buffer: &mut Buffer, x: u16, y: u16, character: char, style: Style) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.set_char(character).set_style(style);
    }
}

/// Draws the lines between the cells.
fn grid(theme: Theme, layout: &GameLayout, buffer: &mut Buffer) {
    let area = layout.cells;
    let width = layout.shape.width + 1;
    let height = layout.shape.height + 1;
    if layout.shape.gap == 0 {
        return;
    }
    let (across, down, crossing) = theme.grid();
    for y in 0..area.height {
        for x in 0..area.width {
            let on_down = x % width == width - 1;
            let on_across = y % height == height - 1;
            let character = match (on_down, on_across) {
                (true, true) => crossing,
                (true, false) => down,
                (false, true) => across,
                (false, false) => continue,
            };
            put(buffer, area.x + x, area.y + y, character, theme.dim());
        }
    }
}

/// Draws the labels of the visible columns and rows. Signs in the corner say where there are more.
fn labels(
    theme: Theme,
    game: &Game,
    cursor: Option<Cell>,
    layout: &GameLayout,
    buffer: &mut Buffer,
) {
    if !layout.labelled {
        return;
    }
    let spec = game.spec();
    // The labels of the cursor's column and row stand out, so that its name can be read.
    let cursor = cursor.map(|cell| spec.position(cell));
    let style = |here: bool| if here { Theme::strong() } else { theme.dim() };
    let (first_column, first_row) = layout.first;
    let hidden = |first: u8, shown: u8, side: u8| (first > 0, first + shown < side);
    let across = hidden(first_column, layout.shown.0, spec.width());
    let down = hidden(first_row, layout.shown.1, spec.height());
    let signs = theme.hidden(across, down);
    buffer.set_string(layout.cells.x - 3, layout.cells.y - 1, signs, Theme::strong());
    for column in first_column..first_column + layout.shown.0 {
        let cell = spec.cell_at(i16::from(column), i16::from(first_row));
        if let Some(rect) = cell.and_then(|cell| layout.rect(cell)) {
            let letter = char::from(b'a' + column);
            let style = style(cursor.is_some_and(|at| at.0 == column));
            put(buffer, rect.x + rect.width / 2, layout.cells.y - 1, letter, style);
        }
    }
    for row in first_row..first_row + layout.shown.1 {
        let cell = spec.cell_at(i16::from(first_column), i16::from(row));
        if let Some(rect) = cell.and_then(|cell| layout.rect(cell)) {
            let number = format!("{:>2}", row + 1);
            let style = style(cursor.is_some_and(|at| at.1 == row));
            buffer.set_string(layout.cells.x - 3, rect.y + rect.height / 2, number, style);
        }
    }
}

/// The columns of a listed move before its verdict: pointer, number, mark, cell and sign.
const BEFORE_VERDICT: u16 = 13;

/// The moves that are listed in some rows. The shown one stays in the middle, except near the ends.
pub(super) fn listed(ply: usize, count: usize, rows: usize) -> std::ops::Range<usize> {
    let first = ply.saturating_sub(1).saturating_sub(rows / 2).min(count.saturating_sub(rows));
    first..count.min(first + rows)
}

/// The sign before a listed move, and its style. The shown move is reversed.
pub(super) fn pointer(shown: bool) -> (&'static str, Style) {
    if shown { (">", Theme::selected()) } else { (" ", Style::new()) }
}

/// A listed move with its verdict: its number, its mark and its cell.
pub(super) fn judged_line(
    (number, mark, label): (usize, Mark, &str),
    made: &ReviewedMove,
    shown: bool,
    theme: Theme,
    width: u16,
) -> Line<'static> {
    let (pointer, style) = pointer(shown);
    let verdict = if made.verdict == Verdict::Mistake { theme.error() } else { Style::new() };
    let text = analysis::verdict_within(made, usize::from(width.saturating_sub(BEFORE_VERDICT)));
    Line::from(vec![
        Span::styled(format!("{pointer}{number:>3} "), style),
        Span::styled(format!("{mark} "), theme.mark(mark)),
        Span::raw(format!("{label:<4}{} ", analysis::sign(made.verdict))),
        Span::styled(text, verdict),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_boards_have_star_points() {
        let stars = |board: &str| {
            let spec: BoardSpec = board.parse().unwrap();
            let stars = spec.all_cells().filter(|cell| is_star(spec, *cell));
            stars.map(|cell| spec.label(cell)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(stars("15x15x5"), "d4 h4 l4 d8 h8 l8 d12 h12 l12");
        assert_eq!(stars("9x9x5"), "c3 e3 g3 c5 e5 g5 c7 e7 g7");
        assert_eq!(stars("10x10x5"), "c3 h3 c8 h8");
        assert_eq!(stars("7x6x4"), "");
    }
}
