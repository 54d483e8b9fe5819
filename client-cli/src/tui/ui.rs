//! Draws the full screen from the [`App`]. Drawing changes nothing but how far its list is scrolled.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Paragraph, Widget, Wrap};

use super::announcements::Announcements;
use super::app::App;
use super::layout::{self, SMALLEST};
use super::room::panel;
use super::screen::Screen;
use super::theme::Theme;
use crate::strings;
/// A terminal with fewer columns names the table of a party, but not its round.
const NARROW: u16 = 80;

impl Widget for &mut App {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let theme = self.shell.theme();
        let Some(chrome) = layout::chrome(area.as_size()) else {
            return too_small(area, buffer);
        };
        let in_room = matches!(self.screen, Screen::Room);
        let clock = panel::clock_in_title(self.room.cursor, &self.shell, &chrome);
        let clock = clock.filter(|_| in_room);
        let clock_width = clock.as_ref().map_or(0, Line::width);
        let rest =
            chrome.title.width.saturating_sub(u16::try_from(clock_width).unwrap_or(u16::MAX));
        fit(title(self), rest.into(), theme).render(chrome.title, buffer);
        let place =
            Rect { x: chrome.title.x + rest, width: chrome.title.width - rest, ..chrome.title };
        clock.into_iter().for_each(|clock| clock.render(place, buffer));
        let told = message(self);
        let rows = message_rows(&told, chrome.message.width);
        let covered = u16::try_from(rows.len() - 1).unwrap_or(u16::MAX).min(chrome.body.height);
        let free = Rect { height: chrome.body.height - covered, ..chrome.body };
        let said = self.announcements.rows(free.width, free.height);
        let covered = covered.saturating_add(u16::try_from(said.len()).unwrap_or(u16::MAX));
        match &self.screen {
            Screen::Room => self.room.draw(&self.shell, &chrome, covered, buffer),
            Screen::Replay(replay) => replay.draw(&self.shell, chrome.body, buffer),
            Screen::Puzzle(puzzle) => puzzle.draw(&self.shell, chrome.body, buffer),
            _ => {
                let mut list = self.shell.list;
                let page = self.page();
                page.into_iter().for_each(|page| page.draw(&mut list, theme, buffer));
                self.shell.list = list;
            }
        }
        if matches!(self.screen, Screen::Party) {
            self.party.draw_qr(&self.shell, buffer);
        }
        Announcements::draw(&said, free, buffer);
        // A long message also takes rows above, so that all of it is visible.
        let top = free.bottom();
        let area = Rect { y: top, height: chrome.message.bottom() - top, ..chrome.message };
        Clear.render(area, buffer);
        Paragraph::new(rows.join("\n")).style(told.style).render(area, buffer);
        let keys = format!(" {}", self.key_bar().text());
        Line::styled(keys, theme.dim()).render(chrome.key_bar, buffer);
        if let Some(overlay) = self.overlay {
            overlay.draw(&self.shell, self.shown(), buffer);
        }
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let text = format!(
        "The terminal is too small: it has {}x{}, at least {}x{} are needed.",
        area.width, area.height, SMALLEST.width, SMALLEST.height
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

/// The parts of the title, the most important first.
fn title(app: &App) -> Vec<Span<'static>> {
    let theme = app.shell.theme();
    let mut parts = Vec::new();
    if let (Screen::Room, Some(view)) = (&app.screen, app.shell.session.room()) {
        let dot = theme.dot();
        let table = app.shell.party().zip(view.state.settings.party);
        let narrow = app.shell.size.width < NARROW;
        match &table {
            // Nobody comes to a table by its code.
            Some((party, table)) if narrow => {
                parts.push(Span::styled(format!(" {}", party.place(*table)), Theme::strong()));
            }
            _ => parts.push(Span::styled(format!(" {}", view.state.code), Theme::strong())),
        }
        if view.is_watching() {
            parts.push(Span::raw(format!(" {dot} watching")));
        }
        if let Some((party, table)) = table.filter(|_| !narrow) {
            parts.push(Span::raw(format!(" {dot} {}", party.table(table))));
        }
        if app.shell.unread() > 0 {
            parts.push(Span::styled(
                format!(" {dot} {} unread", app.shell.unread()),
                Theme::strong(),
            ));
        }
        let mut before = format!(" {dot} ");
        for rule in strings::rules(&view.state.settings).split(", ") {
            parts.push(Span::styled(before + rule, theme.dim()));
            before = ", ".to_owned();
        }
        match view.presence.spectators {
            0 => {}
            1 => parts.push(Span::raw(format!(" {dot} 1 spectator"))),
            count => parts.push(Span::raw(format!(" {dot} {count} spectators"))),
        }
    } else if !matches!(app.screen, Screen::Form(_) | Screen::Servers(_)) {
        let name = app.shell.session.name().unwrap_or(&app.shell.client.profile.name);
        parts.push(Span::styled(
            format!(" {name} on {}", app.shell.client.choice.server),
            theme.dim(),
        ));
    }
    parts
}

/// The title in so many columns: with the program's name if all fits, else the first parts with a sign. A part is
/// whole or left out, but for the first one.
fn fit(parts: Vec<Span<'static>>, width: usize, theme: Theme) -> Line<'static> {
    let brand = Span::styled(" Noughts ", Theme::title());
    let all: usize = parts.iter().map(Span::width).sum();
    if brand.width() + all <= width {
        return [brand].into_iter().chain(parts).collect();
    }
    if all <= width {
        return parts.into();
    }
    let mut rest = width.saturating_sub(strings::columns(theme.ellipsis()));
    let mut spans: Vec<Span<'static>> = Vec::new();
    for span in parts {
        if span.width() > rest {
            if spans.is_empty() {
                spans.push(Span::styled(prefix(&span.content, rest), span.style));
            }
            break;
        }
        rest -= span.width();
        spans.push(span);
    }
    spans.push(Span::styled(theme.ellipsis(), theme.dim()));
    spans.into()
}

/// Cuts a text to `width` columns, with a sign.
pub(super) fn truncate(text: &str, width: usize, theme: Theme) -> String {
    if strings::columns(text) <= width {
        return text.to_owned();
    }
    let rest = width.saturating_sub(strings::columns(theme.ellipsis()));
    prefix(text, rest) + theme.ellipsis()
}

/// The longest beginning of a text that fits some columns. It ends with a word, unless the first word
/// is too long.
pub(super) fn prefix(text: &str, width: usize) -> String {
    let fits = strings::beginning(text, width);
    let rest = &text[fits.len()..];
    let words = if !rest.starts_with(char::is_alphanumeric) {
        fits
    } else {
        fits.rfind(' ').map_or("", |space| &fits[..space])
    };
    let words = words.trim_end();
    if words.is_empty() { fits.to_owned() } else { words.to_owned() }
}

/// The rows of a message.
fn message_rows(message: &Text<'static>, width: u16) -> Vec<String> {
    let lines = message.lines.iter();
    let rows: Vec<String> =
        lines.flat_map(|line| strings::wrap(&line.to_string(), width)).collect();
    if rows.is_empty() { vec![String::new()] } else { rows }
}

/// A typed cell comes first. A broken connection is told in place of the latest message, but under
/// an error, in a row of its own.
fn message(app: &App) -> Text<'static> {
    let theme = app.shell.theme();
    if let Some((prompt, _, is_talk)) = app.prompt() {
        // Why the line was not said stands above it.
        let error = app.shell.message.as_ref().filter(|message| message.error && is_talk);
        let error = error.map(|message| format!(" {}\n", message.text)).unwrap_or_default();
        return Text::styled(error + &prompt, Theme::strong());
    }
    if let Some((since, reason)) = app.shell.session.lost() {
        let seconds = app.shell.now.saturating_duration_since(since).as_secs();
        let error = app.shell.message.as_ref().filter(|message| message.error);
        // The smallest windows have no rows to spare.
        let is_small = app.shell.size.height < 12;
        let between = if is_small { "." } else { "\n" };
        let error = error.map(|message| format!(" {}{between}", message.text)).unwrap_or_default();
        let reason = if is_small { String::new() } else { strings::break_reason(reason) };
        let ellipsis = theme.ellipsis();
        let text = format!("{error} Connection lost: reconnecting{ellipsis} {seconds} s{reason}");
        return Text::styled(text, theme.error());
    }
    match &app.shell.message {
        Some(message) if message.error => Text::styled(format!(" {}", message.text), theme.error()),
        Some(message) => Text::raw(format!(" {}", message.text)),
        None => Text::default(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
