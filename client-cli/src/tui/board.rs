//! Draws the board of every variant. Signs mark special cells, so that none needs a colour: brackets for
//! the last move, asterisks for a winning line, angle brackets for the cursor, parentheses for a hint or
//! a better move, dots for a move on its way to the server, tildes for the mark that goes next, equals
//! signs for the line that ended a board. A hinted cell without a number also shows a question mark; the
//! mark of a better move is a small letter. Where not every empty cell may be played, those that may be
//! have a dot or their number, and the others nothing.

use noughts_protocol::{Cell, DecidedBoard, Game, GameResult, Mark, ReviewedMove, Verdict};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use ratatui::text::{Line, Span};

use super::layout::{GameLayout, Lane};
use super::motion::Stroke;
use super::theme::Theme;
use crate::boards::{Boards, Parts};
use crate::strings::analysis;

/// The signs beside the marks of a game.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) cursor: Option<Cell>,
    /// The mark that the cursor places, where there is a choice.
    pub(super) ink: Option<Mark>,
    /// The cell of a move on its way to the server, and its mark.
    pub(super) sent: Option<(Cell, Mark)>,
    /// The cell of a hint, and its mark if that is not the own one.
    pub(super) hinted: Option<(Cell, Option<Mark>)>,
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

/// A position: what the rules say of it, once for all its cells.
struct PositionView<'a> {
    game: &'a Game,
    boards: Boards,
    /// The cells that may be played; `None` for every empty one.
    open: Option<Vec<Cell>>,
    /// The cell whose mark goes with the next move.
    leaving: Option<Cell>,
    decided: Vec<&'a DecidedBoard>,
    /// The cells of winning lines, as far as they are drawn.
    won: Vec<Cell>,
    shown: &'a Shown,
}

impl<'a> PositionView<'a> {
    fn new(game: &'a Game, boards: Boards, shown: &'a Shown) -> Self {
        let playable = game.playable().unwrap_or_default();
        let drawn = shown.stroke.map_or(usize::MAX, |stroke| stroke.lit);
        let won = match game.result() {
            Some(GameResult::Line { lines, .. }) => {
                lines.iter().flat_map(|line| line.cells.iter().take(drawn)).copied().collect()
            }
            _ => Vec::new(),
        };
        let decided = game.effects().iter().filter_map(|made| made.effect.decided.as_ref());
        Self {
            game,
            boards,
            open: playable.cells,
            leaving: playable.leaving,
            decided: decided.collect(),
            won,
            shown,
        }
    }

    /// How the board of a cell was decided, if it was.
    fn decided(&self, cell: Cell) -> Option<&DecidedBoard> {
        let (board, _) = self.boards.place(cell);
        self.decided.iter().find(|decided| decided.board == board).copied()
    }

    /// Whether the boards are named of which one is to be played in.
    fn is_lit(&self, board: u8) -> bool {
        let open = self.open.as_ref().filter(|_| self.boards.parts == Parts::Nested);
        open.is_some_and(|open| open.iter().any(|cell| self.boards.place(*cell).0 == board))
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
    let view = PositionView::new(game, layout.boards(), shown);
    grid(theme, &view, layout, buffer);
    labels(theme, shown.cursor, layout, buffer);
    for cell in game.spec().all_cells() {
        if let Some(rect) = layout.rect(cell) {
            let state = CellState::of(&view, cell);
            draw(theme, &view, (cell, state), rect, layout, buffer);
        }
    }
    for decided in &view.decided {
        if let Some(winner) = decided.winner {
            won_board(theme, &view, (decided.board, winner), layout, buffer);
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
    /// Whether it is empty, may be played, and others may not.
    open: bool,
    /// Whether it is empty and may not be played.
    closed: bool,
    leaving: bool,
    /// Whether nothing is played on its board any more.
    off: bool,
    /// Whether it is in the line that ended its board for both.
    struck: bool,
}

impl CellState {
    fn of(view: &PositionView<'_>, cell: Cell) -> Self {
        let PositionView { game, shown, .. } = view;
        let won = view.won.contains(&cell);
        let sent = shown.sent.filter(|(sent, _)| *sent == cell);
        let mark = game.board().get(cell).or_else(|| sent.map(|(_, mark)| mark));
        let empty = |at: Cell| mark.is_none() && at == cell;
        let hinted = shown.hinted.filter(|(hinted, _)| empty(*hinted));
        let better = shown.better.filter(|(better, _)| empty(*better)).map(|(_, mark)| mark);
        let ink = shown.ink.filter(|_| shown.cursor.is_some_and(empty));
        let may = view.open.as_ref().map(|open| open.contains(&cell));
        let decided = view.decided(cell);
        Self {
            mark,
            won,
            pulses: won && shown.stroke.is_some_and(|stroke| stroke.pulses),
            last: game.moves().last() == Some(&cell),
            cursor: shown.cursor == Some(cell),
            sent: sent.is_some(),
            hinted: hinted.is_some(),
            better: better.or(hinted.and_then(|(_, mark)| mark)).or(ink),
            open: mark.is_none() && may == Some(true),
            closed: mark.is_none() && may == Some(false),
            leaving: view.leaving == Some(cell),
            off: decided.is_some(),
            struck: decided
                .is_some_and(|board| board.winner.is_none() && board.cells.contains(&cell)),
        }
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
        } else if self.struck {
            ('=', '=')
        } else if self.leaving {
            ('~', '~')
        } else {
            (' ', ' ')
        }
    }

    fn style(self, theme: Theme) -> Style {
        let mut style = match self.mark {
            _ if self.sent || self.leaving || (self.off && !self.won) => theme.dim(),
            Some(mark) => theme.mark(mark),
            None if self.hinted => theme.hint(),
            None if self.open => Theme::strong(),
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
/// sides of less than nine have none, nor have boards that are made of others.
fn is_star(boards: Boards, cell: Cell) -> bool {
    let is_on_line = |at: u8, side: u8| {
        let edge = if side < 13 { 2 } else { 3 };
        side >= 9 && (at == edge || at + 1 + edge == side || (side % 2 == 1 && at == side / 2))
    };
    let (column, row) = boards.spec.position(cell);
    boards.parts == Parts::One
        && is_on_line(column, boards.spec.width())
        && is_on_line(row, boards.spec.height())
}

/// Draws a cell.
fn draw(
    theme: Theme,
    view: &PositionView<'_>,
    (cell, state): (Cell, CellState),
    rect: Rect,
    layout: &GameLayout,
    buffer: &mut Buffer,
) {
    let spec = view.boards.spec;
    let edge = layout.cells.right();
    let gridded = layout.shape.gap > 0;
    let style = state.style(theme);
    let plain = style.remove_modifier(Modifier::UNDERLINED);
    let middle = rect.y + rect.height / 2;
    let center = rect.x + rect.width / 2;
    if state.is_reversed() {
        buffer.set_style(rect, plain);
    }
    match (state.mark, state.better) {
        (Some(mark), _) => match theme.large_mark(mark, rect.height) {
            Some(rows) => large(rows, (center, middle), plain, buffer),
            None => put(buffer, center, middle, mark.letter(), style),
        },
        (None, Some(mark)) => {
            put(buffer, center, middle, mark.letter().to_ascii_lowercase(), theme.mark(mark));
        }
        (None, None) if state.closed => put(buffer, center, middle, ' ', style),
        (None, None) if spec.cells() <= 9 => {
            let label = spec.label(cell).chars().next().unwrap_or(theme.empty());
            put(buffer, center, middle, label, style);
        }
        (None, None) if state.hinted => put(buffer, center, middle, '?', style),
        (None, None) => {
            let sign = match (is_star(view.boards, cell) && !state.open, gridded) {
                (false, true) if !state.open => ' ',
                (true, false) => '+',
                _ => theme.empty(),
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

/// Draws the mark of the winner over a board that is won. The cursor stays visible on it.
fn won_board(
    theme: Theme,
    view: &PositionView<'_>,
    (board, winner): (u8, Mark),
    layout: &GameLayout,
    buffer: &mut Buffer,
) {
    let Some(area) = layout.board(board) else { return };
    let won = view.boards.cells(board).all(|cell| view.won.contains(&cell));
    let pulses = view.shown.stroke.is_some_and(|stroke| stroke.pulses);
    let style = theme.mark(winner);
    let style = if won && !pulses { style.add_modifier(Modifier::REVERSED) } else { style };
    for position in area.positions() {
        put(buffer, position.x, position.y, ' ', style);
    }
    let center = (area.x + area.width / 2, area.y + area.height / 2);
    // The mark fills the board: it needs no space around it, as it does in a cell.
    match theme.large_mark(winner, area.height + 2).filter(|_| area.height >= 3 && area.width >= 3)
    {
        Some(rows) => large(rows, center, style, buffer),
        None => put(buffer, center.0, center.1, winner.letter(), style),
    }
    let cursor = view.shown.cursor.filter(|cell| view.boards.place(*cell).0 == board);
    if let Some((cell, rect)) = cursor.and_then(|cell| Some((cell, layout.rect(cell)?))) {
        draw(theme, view, (cell, CellState::of(view, cell)), rect, layout, buffer);
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

/// Draws the lines between the cells, and heavier ones between boards that are the cells of a larger one.
/// Those around a board that is to be played in stand out.
fn grid(theme: Theme, view: &PositionView<'_>, layout: &GameLayout, buffer: &mut Buffer) {
    let nested = view.boards.parts == Parts::Nested;
    let lit: Vec<Rect> = (0..view.boards.count())
        .filter(|board| view.is_lit(*board))
        .filter_map(|board| layout.board(board))
        .map(|Rect { x, y, width, height }| Rect::new(x - 1, y - 1, width + 2, height + 2))
        .collect();
    let line = |lane| match lane {
        Lane::Cells => None,
        Lane::Gap => Some(false),
        Lane::Between => Some(true),
    };
    for position in layout.cells.positions() {
        let Some((column, row)) = layout.lanes(position) else { continue };
        // A line down is where a column lies between cells.
        let down = line(column);
        let across = line(row);
        let heavy = down == Some(true) || across == Some(true);
        if (down, across) == (None, None) || (heavy && !nested) {
            continue;
        }
        let stands_out = heavy && lit.iter().any(|lit| lit.contains(position));
        let style = if stands_out { Theme::strong() } else { theme.dim() };
        put(buffer, position.x, position.y, theme.grid(across, down), style);
    }
}

/// Draws the labels of the visible columns and rows. Signs in the corner say where there are more. Boards
/// that stand otherwise than in the rectangle have labels of their own, and a layer has its number.
fn labels(theme: Theme, cursor: Option<Cell>, layout: &GameLayout, buffer: &mut Buffer) {
    if !layout.labelled {
        return;
    }
    let boards = layout.boards();
    let spec = boards.spec;
    // The labels of the cursor's column and row stand out, so that its name can be read.
    let cursor = cursor.map(|cell| spec.position(cell));
    let style = |here: bool| if here { Theme::strong() } else { theme.dim() };
    let (across, down) = layout.hidden();
    let signs = theme.hidden(across, down);
    buffer.set_string(layout.cells.x - 3, layout.cells.y - 1, signs, Theme::strong());
    let folded = layout.is_folded();
    let is_first = |cell, step| {
        let before = layout.beside(cell, step).filter(|before| layout.rect(*before).is_some());
        let same = |before: &Cell| boards.place(*before).0 == boards.place(cell).0;
        before.is_none_or(|before| folded && !same(&before))
    };
    for (cell, rect) in spec.all_cells().filter_map(|cell| Some((cell, layout.rect(cell)?))) {
        let (column, row) = spec.position(cell);
        if is_first(cell, (0, -1)) {
            let letter = char::from(b'a' + column);
            let style = style(cursor.is_some_and(|at| at.0 == column));
            let y = if folded { rect.y } else { layout.cells.y } - 1;
            put(buffer, rect.x + rect.width / 2, y, letter, style);
        }
        if is_first(cell, (-1, 0)) {
            let number = format!("{:>2}", row + 1);
            let style = style(cursor.is_some_and(|at| at.1 == row));
            let x = if folded { rect.x } else { layout.cells.x } - 3;
            buffer.set_string(x, rect.y + rect.height / 2, number, style);
        }
        let (board, place) = boards.place(cell);
        if boards.parts == Parts::Layers && place == (0, 0) && !layout.scrolls() {
            let number = format!("L{}", board + 1);
            buffer.set_string(rect.x - 3, rect.y - 1, number, theme.dim());
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
    use crate::boards::tests::boards;

    #[test]
    fn large_boards_have_star_points() {
        let stars = |board: &str| {
            let boards = boards(Parts::One, board);
            let stars = boards.spec.all_cells().filter(|cell| is_star(boards, *cell));
            stars.map(|cell| boards.spec.label(cell)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(stars("15x15x5"), "d4 h4 l4 d8 h8 l8 d12 h12 l12");
        assert_eq!(stars("9x9x5"), "c3 e3 g3 c5 e5 g5 c7 e7 g7");
        assert_eq!(stars("10x10x5"), "c3 h3 c8 h8");
        assert_eq!(stars("7x6x4"), "");
    }
}
