//! Draws the board. Signs mark special cells, so that none needs a colour: brackets for the last
//! move, asterisks for a winning line, angle brackets for the cursor, parentheses for a hint, dots
//! for a move on its way to the server. A hinted cell without a number also shows a question mark.

use noughts_protocol::{Cell, Game, GameResult, Mark, RoomIntent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::theme::Theme;
use crate::app::App;
use crate::core::RoomView;
use crate::layout::GameLayout;

pub(super) fn render(
    app: &App,
    view: &RoomView,
    theme: Theme,
    layout: &GameLayout,
    buffer: &mut Buffer,
) {
    let Some(numbered) = &view.state.game else { return };
    let shows_cursor = view.is_playing() || layout.scrolls();
    let cursor = shows_cursor.then_some(app.cursor);
    let hinted = view.hint().map_or(&[][..], |hint| &hint.cells);
    let sent = match app.session.sent_move() {
        Some(RoomIntent::Play { cell, .. }) => Some(cell),
        _ => None,
    };
    position(theme, &numbered.game, &Shown { cursor, sent, hinted }, layout, buffer);
}

/// The signs beside the marks of a game.
#[derive(Debug, Default)]
pub(super) struct Shown<'a> {
    cursor: Option<Cell>,
    /// The cell of a move on its way to the server.
    sent: Option<Cell>,
    /// The cells of a hint.
    hinted: &'a [Cell],
}

/// Draws a position.
pub(super) fn position(
    theme: Theme,
    game: &Game,
    shown: &Shown<'_>,
    layout: &GameLayout,
    buffer: &mut Buffer,
) {
    grid(theme, layout, buffer);
    labels(theme, game, layout, buffer);
    for cell in game.spec().all_cells() {
        if let Some(rect) = layout.rect(cell) {
            let state = CellState::of(game, cell, shown);
            draw(theme, game, (cell, state), rect, layout.cells.right(), buffer);
        }
    }
}

/// What is special about a cell.
#[derive(Debug, Clone, Copy)]
struct CellState {
    mark: Option<Mark>,
    won: bool,
    last: bool,
    cursor: bool,
    sent: bool,
    hinted: bool,
}

impl CellState {
    fn of(game: &Game, cell: Cell, shown: &Shown<'_>) -> Self {
        let won = match game.result() {
            Some(GameResult::Line { lines, .. }) => lines.iter().any(|l| l.cells.contains(&cell)),
            _ => false,
        };
        let last = game.moves().last() == Some(&cell);
        let sent = shown.sent == Some(cell);
        let mark = game.board().get(cell).or_else(|| sent.then(|| game.to_move()));
        let hinted = mark.is_none() && shown.hinted.contains(&cell);
        Self { mark, won, last, cursor: shown.cursor == Some(cell), sent, hinted }
    }

    /// The signs at both sides of the mark.
    const fn sides(self) -> (char, char) {
        if self.won {
            ('*', '*')
        } else if self.sent {
            ('.', '.')
        } else if self.cursor {
            ('>', '<')
        } else if self.hinted {
            ('(', ')')
        } else if self.last {
            ('[', ']')
        } else {
            (' ', ' ')
        }
    }

    fn style(self, theme: Theme) -> Style {
        let mut style = match self.mark {
            _ if self.won => theme.won(),
            _ if self.sent => theme.dim(),
            Some(mark) => theme.mark(mark),
            None if self.hinted => theme.won(),
            None => theme.dim(),
        };
        if self.last || self.won {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        if self.cursor { style.add_modifier(Modifier::REVERSED) } else { style }
    }
}

/// Draws a cell. `edge` is the first column after the board.
fn draw(
    theme: Theme,
    game: &Game,
    (cell, state): (Cell, CellState),
    rect: Rect,
    edge: u16,
    buffer: &mut Buffer,
) {
    let style = state.style(theme);
    let middle = rect.y + rect.height / 2;
    let center = rect.x + rect.width / 2;
    if state.cursor {
        buffer.set_style(rect, Style::new().add_modifier(Modifier::REVERSED));
    }
    match state.mark {
        Some(mark) if rect.height >= 3 => {
            for (row, text) in (middle - 1..).zip(theme.large_mark(mark)) {
                buffer.set_string(
                    center - 1,
                    row,
                    text,
                    style.remove_modifier(Modifier::UNDERLINED),
                );
            }
        }
        Some(mark) => put(buffer, center, middle, if mark == Mark::X { 'X' } else { 'O' }, style),
        None if game.spec().cells() <= 9 => {
            let label = game.spec().label(cell).chars().next().unwrap_or(theme.empty());
            put(buffer, center, middle, label, style);
        }
        None if state.hinted => put(buffer, center, middle, '?', style),
        None => put(buffer, center, middle, theme.empty(), style),
    }
    // In a large cell the signs stand apart from the mark. In a cell of two columns the second sign
    // takes the free column of the next cell, and is left out at the board's edge. A cell of one
    // column has no signs; it is underlined or reversed.
    let away = if rect.height >= 3 { 3 } else { 1 };
    let (left, right) = state.sides();
    let style = style.remove_modifier(Modifier::UNDERLINED);
    if left != ' ' && rect.width > 1 {
        put(buffer, center - away, middle, left, style);
        if center + away < edge {
            put(buffer, center + away, middle, right, style);
        }
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
    let (width, height) = (layout.shape.width + 1, layout.shape.height + 1);
    if layout.shape.gap == 0 {
        return;
    }
    let (across, down, crossing) = theme.grid();
    for y in 0..area.height {
        for x in 0..area.width {
            let (on_down, on_across) = (x % width == width - 1, y % height == height - 1);
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

/// Draws the labels of the visible columns and rows.
fn labels(theme: Theme, game: &Game, layout: &GameLayout, buffer: &mut Buffer) {
    if !layout.labelled {
        return;
    }
    let spec = game.spec();
    let (first_column, first_row) = layout.first;
    for column in first_column..first_column + layout.shown.0 {
        let cell = spec.cell_at(i16::from(column), i16::from(first_row));
        if let Some(rect) = cell.and_then(|cell| layout.rect(cell)) {
            let letter = char::from(b'a' + column);
            put(buffer, rect.x + rect.width / 2, layout.cells.y - 1, letter, theme.dim());
        }
    }
    for row in first_row..first_row + layout.shown.1 {
        let cell = spec.cell_at(i16::from(first_column), i16::from(row));
        if let Some(rect) = cell.and_then(|cell| layout.rect(cell)) {
            let number = format!("{:>2}", row + 1);
            buffer.set_string(layout.cells.x - 3, rect.y + rect.height / 2, number, theme.dim());
        }
    }
}
