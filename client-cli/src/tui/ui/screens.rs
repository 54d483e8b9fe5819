//! Draws the screens before a game, see [`App::page`].

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::{HighlightSpacing, List, Paragraph, StatefulWidget, Widget};

use super::theme::Theme;
use crate::tui::app::{App, POINTER, Page, scroll};

pub(super) fn render(app: &mut App, theme: Theme, buffer: &mut Buffer) {
    let mut list = app.list;
    let Some(page) = app.page() else { return };
    lines(&page.title).style(Theme::strong()).render(page.title_area, buffer);
    lines(&page.note).style(theme.dim()).render(page.note_area, buffer);
    // A field has the caret.
    let selected = if page.fields.is_empty() { Theme::selected() } else { Style::new() };
    let items = List::new(page.items.iter().map(|item| lines(item)))
        .highlight_symbol(POINTER)
        .highlight_spacing(HighlightSpacing::Always)
        .highlight_style(selected);
    StatefulWidget::render(items, page.list_area, buffer, &mut list);
    hidden(&page, list.offset(), theme, buffer);
    for (place, field) in page.fields.iter().enumerate() {
        let (input, area) = (field.shown(), page.field_area(place));
        let hidden = u16::try_from(scroll(&input, area.width)).unwrap_or(u16::MAX);
        Paragraph::new(input.value()).scroll((0, hidden)).render(area, buffer);
    }
    app.list = list;
}

/// Draws a sign beside the list's first and last row, if there are items above and below.
fn hidden(page: &Page<'_>, first: usize, theme: Theme, buffer: &mut Buffer) {
    let area = page.list_area;
    let rows: usize = page.items.iter().skip(first).map(Vec::len).sum();
    let (up, down) = theme.more();
    let mut sign = |y, sign| buffer.set_string(area.right(), y, sign, Theme::strong());
    if area.height > 0 && first > 0 {
        sign(area.y, up);
    }
    if area.height > 0 && rows > usize::from(area.height) {
        sign(area.bottom() - 1, down);
    }
}

fn lines(lines: &[String]) -> Text<'_> {
    lines.iter().map(|line| Line::raw(line.as_str())).collect()
}
