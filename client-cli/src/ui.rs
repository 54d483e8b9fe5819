//! The full screen, drawn from the [`App`]. Nothing here changes it.

use noughts_protocol::DisplayText;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Widget, Wrap};

use crate::app::{App, Screen};
use crate::layout::{self, Chrome, SMALLEST};
use theme::Theme;

mod board;
mod letters;
mod overlay;
mod panel;
mod review;
mod screens;
mod theme;
mod waiting;

impl Widget for &App {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let theme = Theme::of(self);
        let Some(chrome) = layout::chrome(area.as_size()) else {
            return too_small(area, buffer);
        };
        title(self, theme).render(chrome.title, buffer);
        body(self, theme, &chrome, buffer);
        render_message(message(self, theme), chrome.message, buffer);
        let hints = fitting(hints(self), usize::from(chrome.hints.width));
        Line::styled(hints, theme.dim()).render(chrome.hints, buffer);
        overlay::render(self, theme, chrome.body, buffer);
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let text = format!(
        "The terminal is too small: it has {}x{}, at least {}x{} are needed.",
        area.width, area.height, SMALLEST.width, SMALLEST.height
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

fn title(app: &App, theme: Theme) -> Line<'static> {
    let mut parts = vec![Span::styled(" Noughts ", Theme::title())];
    if let (Screen::Room, Some(view)) = (&app.screen, app.session.room()) {
        let dot = theme.dot();
        parts.push(Span::styled(format!(" {}", view.state.code), Theme::strong()));
        if view.is_watching() {
            parts.push(Span::raw(format!(" {dot} watching")));
        }
        if view.spectators > 0 {
            let people = if view.spectators == 1 { "spectator" } else { "spectators" };
            parts.push(Span::raw(format!(" {dot} {} {people}", view.spectators)));
        }
        let rules = crate::words::settings(&view.state.settings);
        parts.push(Span::styled(format!(" {dot} {rules}"), theme.dim()));
    } else if !matches!(app.screen, Screen::Form(_) | Screen::Servers { .. }) {
        parts.push(Span::styled(format!(" {} on {}", app.name, app.server), theme.dim()));
    }
    Line::from(parts)
}

/// A message that is longer than its row takes rows above it, so that none of it is lost.
fn render_message(message: Line<'static>, row: Rect, buffer: &mut Buffer) {
    let width = usize::from(row.width);
    // Lines are broken between words, which may take a row more than the width says.
    let rows = if message.width() <= width { 1 } else { message.width() / (width - 8) + 1 };
    let more = u16::try_from(rows - 1).unwrap_or(u16::MAX).min(row.y.saturating_sub(1));
    let area = Rect { y: row.y - more, height: row.height + more, ..row };
    if more > 0 {
        Clear.render(area, buffer);
    }
    Paragraph::new(message).wrap(Wrap { trim: false }).render(area, buffer);
}

/// The broken connection goes before whatever happened last.
fn message(app: &App, theme: Theme) -> Line<'static> {
    if let Some(since) = app.session.lost_since() {
        let seconds = app.now.saturating_duration_since(since).as_secs();
        let text = format!(" Connection lost: reconnecting{} {seconds} s", theme.ellipsis());
        return Line::styled(text, theme.error());
    }
    match &app.message {
        Some(message) if message.error => Line::styled(format!(" {}", message.text), theme.error()),
        Some(message) => Line::raw(format!(" {}", message.text)),
        None => Line::default(),
    }
}

fn body(app: &App, theme: Theme, chrome: &Chrome, buffer: &mut Buffer) {
    let area = chrome.body;
    match &app.screen {
        Screen::Room => match app.session.room() {
            Some(view) if view.state.game.is_none() => {
                waiting::render(app, view, theme, area, buffer);
            }
            Some(view) if app.review.is_some() => review::render(app, view, theme, area, buffer),
            Some(view) => {
                let layout = layout::game(area, view.state.settings.board, app.cursor);
                board::render(app, view, theme, &layout, buffer);
                panel::render(app, view, theme, layout.panel, buffer);
            }
            None => {}
        },
        _ => screens::render(app, theme, area, buffer),
    }
}

/// The keys of the screen, the most important first.
fn hints(app: &App) -> &'static str {
    let room = app.session.room();
    match &app.screen {
        Screen::Form(_) => "Enter next | Tab other field | Esc quit",
        Screen::Servers { .. } => "Enter choose | arrows | q quit",
        Screen::Password(_) => "Enter go on | Esc quit",
        Screen::Connecting | Screen::Entering => "q quit",
        Screen::Menu { .. } => "Enter choose | number | arrows | q quit | ? help",
        Screen::Setup(_) => "Enter start | arrows change | Esc back | ? help",
        Screen::Code(_) => "Enter join | Esc back",
        Screen::Lobby { .. } => "Enter watch | p play | arrows | Esc back",
        Screen::Quick { .. } => "Esc stop looking",
        Screen::Room => match room {
            Some(_) if app.review.is_some() => "arrows, Home, End step | Esc back | ? help",
            Some(view) if view.my_choice() == Some(true) => {
                "x play X | o play O | a add two marks | R resign | ? help"
            }
            Some(view) if view.my_choice().is_some() => "x play X | o play O | R resign | ? help",
            Some(view) if view.is_playing() => {
                let claimable = view.away().is_some_and(|(_, from)| from <= app.now);
                if claimable {
                    "c claim the win | ? help"
                } else if !view.state.settings.hints {
                    "Enter play | R resign | q leave | ? help"
                } else {
                    "Enter play | R resign | i hint | q leave | ? help"
                }
            }
            Some(view) if view.may_rematch() && view.i_offer() => {
                "r take the offer back | v review | q leave | ? help"
            }
            Some(view) if view.may_rematch() && view.they_offer() => {
                "r accept the rematch | v review | q leave | ? help"
            }
            Some(view) if view.may_rematch() => "r rematch | v review | q leave | ? help",
            Some(view) if view.is_watching() && view.last_over().is_some() => {
                "q stop watching | v review | ? help"
            }
            Some(view) if view.is_watching() => "q stop watching | ? help",
            _ => "q leave | ? help",
        },
    }
}

/// As many of the keys as a row of `width` has place for: the last, which leads to all of them,
/// and then from the first.
fn fitting(keys: &str, width: usize) -> String {
    let mut parts: Vec<&str> = keys.split(" | ").collect();
    while parts.len() > 1 && parts.join(" | ").len() + 1 > width {
        parts.remove(parts.len() - 2);
    }
    format!(" {}", parts.join(" | "))
}

/// Text that somebody typed, made as safe to show as what comes from others.
fn shown(text: &str) -> String {
    DisplayText::from(text).to_string()
}

#[cfg(test)]
mod tests;
