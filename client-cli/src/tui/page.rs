//! A screen before a game as a page: a title, a list of items to choose or of fields to type in, and a
//! note. Drawing and clicking read the same page.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::{HighlightSpacing, List, ListState, Paragraph, StatefulWidget, Widget};

use super::layout;
use super::screen::Component;
use super::shell::Shell;
use super::text_field::TextField;
use super::theme::Theme;
use crate::strings::{columns, wrap};

/// From this height on, a page has empty rows.
const SPACIOUS: u16 = 12;

/// The sign of the selected item, and its columns.
const POINTER: &str = "> ";
const INDENT: u16 = 2;

/// A screen before a game, in lines that fit the terminal.
#[derive(Debug, Default)]
pub(crate) struct Page<'a> {
    pub(crate) title: Vec<String>,
    /// The lines of each item.
    pub(crate) items: Vec<Vec<String>>,
    /// The fields after the items, if they are for typing.
    fields: Vec<&'a TextField>,
    pub(crate) note: Vec<String>,
    title_area: Rect,
    pub(crate) list_area: Rect,
    note_area: Rect,
    /// The columns of an item.
    pub(super) width: u16,
}

impl<'a> Page<'a> {
    /// The page of a screen. There is none if the terminal is too small.
    pub(super) fn of(screen: &'a dyn Component, shell: &'a Shell) -> Option<Self> {
        let body = layout::chrome(shell.size)?.body;
        let above = u16::from(body.height >= SPACIOUS);
        let width = shell.size.width - 3 - screen.margin(shell);
        let area = Rect::new(2, body.y + above, width, body.height - above);
        let mut page = Self { width: area.width - INDENT, ..Self::default() };
        screen.fill(shell, &mut page);
        page.arrange(area);
        Some(page)
    }

    /// Adds to the title.
    pub(super) fn heading(&mut self, text: &str) {
        self.title.extend(wrap(text, self.width + INDENT));
    }

    pub(super) fn note(&mut self, text: &str) {
        self.note = wrap(text, self.width + INDENT);
    }

    pub(super) fn items<T: std::fmt::Display>(&mut self, texts: impl IntoIterator<Item = T>) {
        self.items = texts.into_iter().map(|text| wrap(&text.to_string(), self.width)).collect();
    }

    /// Items with the keys that choose them.
    pub(super) fn keyed<T: std::fmt::Display>(
        &mut self,
        keys: &[char],
        texts: impl IntoIterator<Item = T>,
    ) {
        let keys = keys.iter().chain(std::iter::repeat(&' '));
        self.items(texts.into_iter().zip(keys).map(|(text, key)| format!("{key} {text}")));
    }

    pub(super) fn field(&mut self, label: &str, field: &'a TextField) {
        self.items.push(vec![label.to_owned()]);
        self.fields.push(field);
    }

    /// Adds a name and its value: in one line if they fit, else in two.
    pub(super) fn value(&mut self, label: &str, value: &str) {
        let wide = format!("{label:<19} < {value} >");
        let narrow = format!("{label}: {value}");
        let fits = |line: &String| columns(line) <= usize::from(self.width);
        let fits = [wide, narrow].into_iter().find(fits);
        let two = || vec![label.to_owned(), format!("  {value}")];
        self.items.push(fits.map_or_else(two, |one| vec![one]));
    }

    /// Finds the place of each part in an area. The note goes first if there is no space.
    fn arrange(&mut self, area: Rect) {
        self.title.truncate(usize::from(area.height / 2));
        let rows = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
        let title = rows(self.title.len());
        let note = rows(self.note.len());
        // The list draws no item that is higher than its area.
        let height = area.height - title;
        self.items.iter_mut().for_each(|item| item.truncate(height.into()));
        let list = rows(self.items.iter().map(Vec::len).sum());
        let gap = u16::from(title.saturating_add(list).saturating_add(note + 2) <= area.height);
        let note =
            if title.saturating_add(list).saturating_add(note) <= area.height { note } else { 0 };
        let parts = [title, gap, list.min(height), gap, note].map(Constraint::Length);
        [self.title_area, _, self.list_area, _, self.note_area] =
            Layout::vertical(parts).areas(area);
    }

    /// The place of the text of a field.
    fn field_area(&self, field: usize) -> Rect {
        let label = u16::try_from(columns(&self.items[field][0])).unwrap_or(u16::MAX);
        let indent = (INDENT + label + 1).min(self.list_area.width);
        let row = self.list_area.rows().nth(field).unwrap_or_default();
        Rect { x: row.x + indent, width: row.width.saturating_sub(indent), ..row }
    }

    /// The place of the caret of the field that is typed in.
    pub(super) fn caret(&self, selected: usize) -> Option<Position> {
        let input = self.fields.get(selected)?.shown();
        let area = self.field_area(selected);
        let column = input.visual_cursor() - scroll(&input, area.width);
        Some(Position::new(area.x + u16::try_from(column).ok()?, area.y))
    }

    /// The item at a position of the screen, while the list shows its items from `first` on.
    pub(super) fn item_at(&self, position: Position, first: usize) -> Option<usize> {
        if !self.list_area.contains(position) {
            return None;
        }
        let mut below = usize::from(position.y - self.list_area.y);
        for (item, lines) in self.items.iter().enumerate().skip(first) {
            if below < lines.len() {
                return Some(item);
            }
            below -= lines.len();
        }
        None
    }

    /// The item after the selected one, or before it. After the last one comes the first.
    pub(super) fn next(&self, selected: usize, forward: bool) -> usize {
        let count = self.items.len().max(1);
        let step = if forward { 1 } else { count - 1 };
        self.with_text((selected + step) % count, forward)
    }

    /// The item so many further on. It stops at the ends.
    pub(super) fn further(&self, selected: usize, count: usize, forward: bool) -> usize {
        let last = self.items.len().saturating_sub(1);
        let to =
            if forward { selected.saturating_add(count) } else { selected.saturating_sub(count) };
        self.with_text(to.min(last), forward)
    }

    /// The item about a page further on, or the last one on the way.
    pub(super) fn page_further(&self, selected: usize, forward: bool) -> usize {
        let rows = usize::from(self.list_area.height).saturating_sub(1).max(1);
        self.further(selected, rows, forward)
    }

    /// The first item from here on that is no empty line.
    fn with_text(&self, selected: usize, forward: bool) -> usize {
        let is_blank = |item: &usize| {
            self.items.get(*item).is_none_or(|lines| lines.iter().all(String::is_empty))
        };
        let count = self.items.len();
        let next = if forward {
            (selected..count).chain(0..selected).find(|item| !is_blank(item))
        } else {
            (0..=selected).rev().chain((selected..count).rev()).find(|item| !is_blank(item))
        };
        next.unwrap_or(selected)
    }

    /// Draws the page. The list scrolls to the selected item.
    pub(super) fn draw(&self, list: &mut ListState, theme: Theme, buffer: &mut Buffer) {
        text(&self.title).style(Theme::strong()).render(self.title_area, buffer);
        text(&self.note).style(theme.dim()).render(self.note_area, buffer);
        // A field has the caret.
        let selected = if self.fields.is_empty() { Theme::selected() } else { Style::new() };
        let items = List::new(self.items.iter().map(|item| text(item)))
            .highlight_symbol(POINTER)
            .highlight_spacing(HighlightSpacing::Always)
            .highlight_style(selected);
        StatefulWidget::render(items, self.list_area, buffer, list);
        self.draw_hidden(list.offset(), theme, buffer);
        for (place, field) in self.fields.iter().enumerate() {
            let input = field.shown();
            let area = self.field_area(place);
            let hidden = u16::try_from(scroll(&input, area.width)).unwrap_or(u16::MAX);
            Paragraph::new(input.value()).scroll((0, hidden)).render(area, buffer);
        }
    }

    /// Draws a sign beside the list's first and last row, if there are items above and below.
    fn draw_hidden(&self, first: usize, theme: Theme, buffer: &mut Buffer) {
        let area = self.list_area;
        let rows: usize = self.items.iter().skip(first).map(Vec::len).sum();
        let (up, down) = theme.more();
        let mut sign = |y, sign| buffer.set_string(area.right(), y, sign, Theme::strong());
        if area.height > 0 && first > 0 {
            sign(area.y, up);
        }
        if area.height > 0 && rows > usize::from(area.height) {
            sign(area.bottom() - 1, down);
        }
    }
}

pub(super) fn text(lines: &[String]) -> Text<'_> {
    lines.iter().map(|line| Line::raw(line.as_str())).collect()
}

/// A game in one line, or in two: the board, the moves and whether it was rated stay together.
pub(super) fn game(line: &str, width: u16) -> Vec<String> {
    let fits = |text: &str| columns(text) <= usize::from(width);
    match line.rsplit_once("  ").map(|(game, rest)| [game.to_owned(), format!("    {rest}")]) {
        Some(two) if !fits(line) && two.iter().all(|line| fits(line)) => two.to_vec(),
        _ => wrap(line, width),
    }
}

/// The columns of a field's text that are out of view. The caret keeps a column after the text.
pub(super) fn scroll(input: &tui_input::Input, width: u16) -> usize {
    input.visual_scroll(width.saturating_sub(1).into())
}
