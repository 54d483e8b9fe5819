//! Draws the live screen. Each colour stands beside a word that says the same.

use std::time::Duration;

use humantime::format_duration;
use noughts_protocol::Mark;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Row, Table, Widget};

use super::list::{MOST, Tab};
use super::screen::Screen;
use super::switched_off;

/// The lines around a list: the head, the tabs, the titles of the columns, the message, the keys.
const AROUND: u16 = HEAD + 4;
const HEAD: u16 = 2;

/// The keys, as `?` shows them.
const HELP: &str = "\
1-6, Tab   rooms, parties, people, limits, bans, log
arrows     choose; PgUp, PgDn, Home, End go far
Enter      look into the room: board and talk as they happen; Esc back
/  s       filter the list; sort the rooms

e          end the room or the party
r          remove a person from the room or the party
d          disconnect a person
b  B       ban a person; ban the address
u          lift the ban
n          rename a person
f          forget a person: take the names out of all games
m  M       say something to everybody; in this room or party
c          refuse new rooms and parties, or allow them again
w          switch talk, public list, quick matches, ratings
q          quit; the server goes on";

/// The colours, if there are any.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colors(bool);

impl Colors {
    /// Colours, unless the environment wants none (<https://no-color.org>).
    pub(super) fn from_env() -> Self {
        Self(std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    }

    const fn colored(self, color: Color) -> Style {
        if self.0 { Style::new().fg(color) } else { Style::new() }
    }

    pub(super) const fn mark(self, mark: Mark) -> Style {
        match mark {
            Mark::X => self.colored(Color::LightBlue),
            Mark::O => self.colored(Color::LightRed),
        }
    }

    pub(super) const fn warning(self) -> Style {
        self.colored(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub(super) const fn strong() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(super) const fn selected() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}

/// The rows of a list in a window of so many lines: at least one.
pub(super) fn rows(height: u16) -> usize {
    usize::from(height.saturating_sub(AROUND)).max(1)
}

/// Draws all of it.
pub(super) fn draw(screen: &Screen, colors: Colors, frame: &mut Frame<'_>) {
    let lines = [HEAD, 1].map(Constraint::Length);
    let [top, tabs, middle, message, keys] =
        Layout::vertical([lines[0], lines[1], Constraint::Min(1), lines[1], lines[1]])
            .areas(frame.area());
    let buffer = frame.buffer_mut();
    for (line, row) in head(screen, colors).into_iter().zip(top.rows()) {
        line.render(row, buffer);
    }
    tab_line(screen).render(tabs, buffer);
    match &screen.room {
        _ if screen.shows_help => {
            for (line, row) in HELP.lines().zip(middle.rows()) {
                Line::raw(line).render(row, buffer);
            }
        }
        Some(room) => room.draw(colors, middle, buffer),
        None => table(screen, middle, buffer),
    }
    Line::styled(fitting(&key_line(screen), keys.width), Colors::selected()).render(keys, buffer);
    let line = message_line(screen, colors);
    let is_typed = screen.prompt.as_ref().is_some_and(|prompt| prompt.is_typed());
    if !is_typed {
        return line.render(message, buffer);
    }
    // The end of what is typed stays in sight.
    let width = usize::from(message.width.saturating_sub(1));
    let hidden = line.width().saturating_sub(width);
    let hidden = u16::try_from(hidden).unwrap_or(u16::MAX);
    let end = message.x + u16::try_from(line.width()).unwrap_or(u16::MAX).saturating_sub(hidden);
    ratatui::widgets::Paragraph::new(line).scroll((0, hidden)).render(message, buffer);
    frame.set_cursor_position((end, message.y));
}

fn head(screen: &Screen, colors: Colors) -> Vec<Line<'static>> {
    let Some(status) = &screen.status else { return vec![Line::raw("noughts-server")] };
    let exact = if status.up_s < 60 { status.up_s } else { status.up_s / 60 * 60 };
    let up = format_duration(Duration::from_secs(exact));
    let mut first =
        vec![Span::styled(format!("noughts-server {}", status.version), Colors::strong())];
    if let Some(why) = &screen.lost {
        first.push(Span::styled(format!("  NO ANSWER, trying again: {why}"), colors.warning()));
    } else {
        first.push(Span::raw(format!("  up {up}")));
        let sizes = [("memory", status.memory_bytes), ("store", status.store_bytes)];
        for (name, bytes) in sizes.into_iter().filter(|(_, bytes)| *bytes > 0) {
            first.push(Span::raw(format!("  {name} {} MB", bytes.div_ceil(1_000_000))));
        }
        for (is_so, warning) in [
            (status.store_fails, "  THE STORE CANNOT BE WRITTEN"),
            (status.closed, "  NEW ROOMS ARE REFUSED"),
        ] {
            if is_so {
                first.push(Span::styled(warning, colors.warning()));
            }
        }
    }
    let second = format!(
        "people {}  rooms {}, playing {}  parties {}  waiting {}  bans {}",
        status.connections,
        status.rooms,
        status.playing,
        status.parties,
        status.waiting,
        status.bans
    );
    let off = switched_off(status.features);
    let off = if off.is_empty() { off } else { format!("  OFF: {off}") };
    let off = Span::styled(off, colors.warning());
    vec![Line::from(first), Line::from(vec![Span::raw(second), off])]
}

fn tab_line(screen: &Screen) -> Line<'static> {
    let spans = (1..).zip(Tab::ALL).flat_map(|(number, tab)| {
        let style = if tab == screen.tab { Colors::selected() } else { Style::new() };
        [Span::styled(format!(" {number} {} ", tab.title()), style), Span::raw(" ")]
    });
    let mut spans: Vec<_> = spans.collect();
    let view = screen.view();
    if !view.filter.is_empty() {
        spans.push(Span::raw(format!(" /{}", view.filter)));
    }
    Line::from(spans)
}

fn table(screen: &Screen, area: Rect, buffer: &mut Buffer) {
    let view = screen.view();
    let fits = |column: &(&str, Constraint, u16)| column.2 <= area.width;
    let all = screen.tab.columns();
    let columns: Vec<_> = all.iter().filter(|column| fits(column)).collect();
    let titles = Row::new(columns.iter().map(|(title, ..)| *title)).style(Colors::strong());
    let shown = view.entries.iter().enumerate().skip(view.first).take(area.height.into());
    let rows = shown.map(|(at, entry)| {
        let cells = entry.cells.iter().zip(all).filter(|(_, column)| fits(column));
        let row = Row::new(cells.map(|(cell, _)| cell.as_str()));
        if at == view.selected { row.style(Colors::selected()) } else { row }
    });
    let table = Table::new(rows, columns.iter().map(|(_, width, _)| *width)).header(titles);
    Widget::render(table, area, buffer);
    if view.entries.is_empty() && area.height > 1 {
        let nothing = match view.filter.is_empty() {
            true => screen.tab.nothing(),
            false => "nothing here matches the filter",
        };
        Line::raw(nothing).render(Rect { y: area.y + 1, height: 1, ..area }, buffer);
    }
}

fn message_line(screen: &Screen, colors: Colors) -> Line<'static> {
    if let Some(prompt) = &screen.prompt {
        let question = Span::styled(prompt.question(), Colors::strong());
        let wrong = prompt.wrong.as_ref().map(|wrong| format!("({wrong}) "));
        let wrong = Span::styled(wrong.unwrap_or_default(), colors.warning());
        return Line::from(vec![wrong, question, Span::raw(prompt.text.clone())]);
    }
    if let Some(notice) = &screen.notice {
        let style = if notice.is_error { colors.warning() } else { Style::new() };
        return Line::styled(notice.text.clone(), style);
    }
    if screen.room.is_some() || screen.shows_help {
        return Line::default();
    }
    let view = screen.view();
    let mut parts = Vec::new();
    if view.total > 0 {
        parts.push(format!("{} of {}", view.selected + 1, view.total));
    }
    if view.total > MOST {
        parts.push(format!("the first {MOST} are shown: filter or sort for others"));
    }
    if screen.tab == Tab::Rooms && screen.asleep > 0 {
        parts.push(format!("{} more rooms wait until somebody comes", screen.asleep));
    }
    Line::raw(parts.join("; "))
}

/// As many of the keys as have room, always with the last two: help, and the way out.
fn fitting(line: &str, width: u16) -> String {
    let mut keys: Vec<&str> = line.split("  ").collect();
    while keys.len() > 2 && keys.join("  ").len() > usize::from(width) {
        keys.remove(keys.len() - 3);
    }
    keys.join("  ")
}

/// The keys that matter most here.
fn key_line(screen: &Screen) -> String {
    if let Some(prompt) = &screen.prompt {
        return if prompt.is_typed() { "Enter take  Esc drop" } else { "" }.to_owned();
    }
    if screen.shows_help {
        return "any key: back".to_owned();
    }
    if screen.room.is_some() {
        return "Esc back  e end  r remove  b ban  n rename  M say here  ? keys  q quit".to_owned();
    }
    match screen.tab {
        Tab::Rooms => {
            let sort = screen.sort();
            format!("Enter look  e end  M say here  / filter  s sort: {sort}  ? keys  q quit")
        }
        Tab::Parties => "e end  M say there  m say to all  / filter  ? keys  q quit".to_owned(),
        Tab::People => {
            "r remove  d disconnect  b ban  B address  n rename  / filter  ? keys  q quit"
                .to_owned()
        }
        Tab::Limits => "b ban  / filter  ? keys  q quit".to_owned(),
        Tab::Bans => "u lift  / filter  ? keys  q quit".to_owned(),
        Tab::Log => {
            "/ filter  c close or open  w switches  m say to all  ? keys  q quit".to_owned()
        }
    }
}
