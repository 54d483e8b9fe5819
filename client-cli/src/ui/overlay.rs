//! Draws the windows over a screen: help and questions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Widget};

use super::theme::Theme;
use crate::app::{App, Overlay, Screen};
use crate::{help, layout};

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

pub(super) fn render(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    match app.overlay {
        None => {}
        Some(Overlay::Help { page }) => {
            let in_room = matches!(app.screen, Screen::Room);
            let Some((lines, _)) = help::page(in_room, app.size, page) else { return };
            let window = layout::centred(area, help::WIDTH, lines.len());
            draw_window("Help (Esc closes)", &lines, window, theme, buffer);
        }
        Some(Overlay::Question(question)) => {
            let (title, text) = question.title_and_text();
            let parts = layout::question(area, &text);
            draw_window(title, &parts.lines, parts.window, theme, buffer);
            Line::styled(layout::ANSWERS, Theme::strong()).render(parts.answers, buffer);
        }
    }
}

/// Draws a window with a border and a title.
fn draw_window(
    title: &'static str,
    lines: &[String],
    window: Rect,
    theme: Theme,
    buffer: &mut Buffer,
) {
    let borders = if theme.ascii { ASCII_BORDER } else { border::ROUNDED };
    Clear.render(window, buffer);
    let text: Text<'_> = lines.iter().map(|line| Line::raw(line.as_str())).collect();
    let block = Block::bordered().border_set(borders).title(title);
    Paragraph::new(text).block(block).render(window, buffer);
}
