//! Draws the windows over a screen: help and questions.

use ratatui::buffer::Buffer;
use ratatui::symbols::border;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Widget};

use super::theme::Theme;
use crate::tui::app::{App, Overlay};

/// Borders for `--ascii`.
const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

pub(super) fn render(app: &App, theme: Theme, buffer: &mut Buffer) {
    let Some(window) = app.window() else { return };
    let borders = if theme.ascii { ASCII_BORDER } else { border::ROUNDED };
    Clear.render(window.area, buffer);
    let text: Text<'_> = window.lines.iter().map(|line| Line::raw(line.as_str())).collect();
    let block = Block::bordered().border_set(borders).title(window.title.as_str());
    Paragraph::new(text).block(block).render(window.area, buffer);
    if matches!(app.overlay, Some(Overlay::Question(_))) {
        buffer.set_style(window.last_row(), Theme::strong());
    }
}
