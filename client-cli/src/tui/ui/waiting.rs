//! Draws a room without a game: its code in large letters, and how a friend joins.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::font;
use super::theme::Theme;
use crate::session::RoomView;
use crate::tui::app::App;

/// The width of five large letters with gaps.
const LARGE_WIDTH: u16 = 29;

pub(super) fn render(app: &App, view: &RoomView, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let code = view.state.code.to_string();
    let large = area.width >= LARGE_WIDTH && area.height >= 13;
    // The way in matters more than empty rows.
    let tight = area.height < 10;
    let title = if view.is_watching() { "Waiting for the players" } else { "Waiting for a friend" };
    let mut text = Text::default();
    text.push_line(Line::styled(title, Theme::strong()).centered());
    text.push_line(Line::default());
    let [head, code_area, rest] = Layout::vertical([
        Constraint::Length(if tight { 1 } else { 2 }),
        Constraint::Length(if large { 6 } else { 2 - u16::from(tight) }),
        Constraint::Fill(1),
    ])
    .areas(area);
    Paragraph::new(text).render(head, buffer);
    let code_text = if large { large_code(&code, theme) } else { spaced_code(&code) };
    Paragraph::new(code_text).render(code_area, buffer);
    Paragraph::new(invitation(app, view)).wrap(Wrap { trim: true }).render(rest, buffer);
}

fn large_code(code: &str, theme: Theme) -> Text<'static> {
    let ink = if theme.ascii { "#" } else { "█" };
    let row = |row: usize| {
        let letters: Vec<&str> = code.chars().map(|letter| font::glyph(letter)[row]).collect();
        Line::styled(letters.join(" ").replace('#', ink), Theme::strong()).centered()
    };
    Text::from_iter((0..5).map(row))
}

fn spaced_code(code: &str) -> Text<'static> {
    let letters: Vec<String> = code.chars().map(String::from).collect();
    Text::from(Line::styled(letters.join(" "), Theme::strong()).centered())
}

/// How others join.
fn invitation(app: &App, view: &RoomView) -> Text<'static> {
    let code = view.state.code;
    let who = if view.is_watching() { "A player types:" } else { "Your friend types:" };
    let mut lines = vec![
        Line::raw(format!("Room code {code}. {who}")).centered(),
        Line::raw(format!("noughts play {code} --server {}", app.share_address)).centered(),
        Line::raw("or opens").centered(),
        Line::raw(app.share_address.room_link(code)).centered(),
    ];
    if app.share_address.is_local() {
        lines.push(Line::raw("On another machine, use this machine's address.").centered());
    }
    if view.mine.len() == 1 {
        lines.push(Line::default());
        lines.push(Line::raw(format!("You play {}.", view.mine[0])).centered());
    }
    Text::from(lines)
}
