//! Everything before a game: form, menu, choices, code, lobby and the waits between.

use noughts_protocol::RoomSummary;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Paragraph, Widget};

use super::{shown, theme::Theme};
use crate::app::{App, Form, Screen, Setup, TextField};
use crate::lan::Known;
use crate::session::Lobby;
use crate::words;

pub(super) fn render(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let (lines, selected) = match &app.screen {
        Screen::Form(form) => form_lines(form, theme),
        Screen::Servers { selected } => servers_lines(&app.servers, *selected),
        Screen::Connecting => {
            (vec![Line::raw(format!("Connecting to {}{}", app.server, theme.ellipsis()))], 0)
        }
        Screen::Password(field) => password_lines(app, field, theme),
        Screen::Menu { selected } => menu_lines(app, *selected),
        Screen::Setup(setup) => setup_lines(setup),
        Screen::Code(field) => code_lines(field),
        Screen::Lobby { lobby, selected } => lobby_lines(lobby.as_ref(), *selected, theme),
        Screen::Entering => {
            (vec![Line::raw(format!("Asking the server for the room{}", theme.ellipsis()))], 0)
        }
        Screen::Quick { since } => {
            let seconds = app.now.saturating_duration_since(*since).as_secs();
            let text = format!("Looking for somebody to play with{} {seconds} s", theme.ellipsis());
            (vec![Line::raw(text)], 0)
        }
        Screen::Room => return,
    };
    let inner = Rect {
        x: area.x + 2,
        width: area.width.saturating_sub(3),
        y: area.y + 1,
        height: area.height.saturating_sub(1),
    };
    // The selected line stays in view when there are more lines than rows.
    let over = (selected as u16 + 1).saturating_sub(inner.height);
    Paragraph::new(Text::from(lines)).scroll((over, 0)).render(inner, buffer);
}

/// A line that can be chosen: the chosen one has a sign and is reversed.
fn choice(text: &str, selected: bool) -> Line<'static> {
    let (sign, style) = if selected { (">", Theme::selected()) } else { (" ", Style::new()) };
    Line::styled(format!("{sign} {text} "), style)
}

fn typed(field: &TextField, active: bool) -> String {
    let cursor = if active { "_" } else { "" };
    format!("{}{cursor}", shown(&field.text))
}

fn form_lines(form: &Form, theme: Theme) -> (Vec<Line<'static>>, usize) {
    let lines = vec![
        Line::styled("Noughts and crosses, together", Theme::strong()),
        Line::default(),
        choice(&format!("Server: {}", typed(&form.server, !form.at_name)), !form.at_name),
        choice(&format!("Name:   {}", typed(&form.name, form.at_name)), form.at_name),
        Line::default(),
        Line::styled("Type, or press Enter to keep it.", theme.dim()),
    ];
    (lines, 3)
}

fn servers_lines(servers: &[Known], selected: usize) -> (Vec<Line<'static>>, usize) {
    let mut lines = vec![Line::styled("Which server?", Theme::strong()), Line::default()];
    let known = servers.iter().map(ToString::to_string);
    let all = known.chain(["Type an address".to_owned()]).enumerate();
    lines.extend(
        all.map(|(place, text)| choice(&format!("{} {text}", place + 1), place == selected)),
    );
    (lines, selected + 2)
}

/// What was typed is not shown, only how much.
fn password_lines(app: &App, field: &TextField, theme: Theme) -> (Vec<Line<'static>>, usize) {
    let stars = "*".repeat(field.text.chars().count());
    let lines = vec![
        Line::styled(format!("{} asks for a password", app.server), Theme::strong()),
        Line::default(),
        choice(&format!("Password: {stars}_"), true),
        Line::default(),
        Line::styled("Its host knows it. Esc quits.", theme.dim()),
    ];
    (lines, 2)
}

fn menu_lines(app: &App, selected: usize) -> (Vec<Line<'static>>, usize) {
    let mut lines = vec![Line::styled("What would you like to do?", Theme::strong())];
    lines.extend(
        app.menu()
            .iter()
            .enumerate()
            .map(|(place, (_, text))| choice(&format!("{} {text}", place + 1), place == selected)),
    );
    (lines, selected + 1)
}

fn setup_lines(setup: &Setup) -> (Vec<Line<'static>>, usize) {
    let mut lines = vec![Line::styled(setup.title(), Theme::strong()), Line::default()];
    lines.extend(setup.fields.iter().enumerate().map(|(place, field)| {
        let text = format!("{:<19} < {} >", field.label(), field.value());
        choice(&text, place == setup.selected)
    }));
    (lines, setup.selected + 2)
}

fn code_lines(field: &TextField) -> (Vec<Line<'static>>, usize) {
    let lines = vec![
        Line::styled("Which room? Its code has five letters.", Theme::strong()),
        Line::default(),
        choice(&format!("Code: {}", typed(field, true)), true),
    ];
    (lines, 2)
}

fn lobby_lines(
    lobby: Option<&Lobby>,
    selected: usize,
    theme: Theme,
) -> (Vec<Line<'static>>, usize) {
    let Some(lobby) = lobby else {
        return (vec![Line::raw(format!("Asking for the rooms{}", theme.ellipsis()))], 0);
    };
    let mut lines = Vec::new();
    let mut at = 0;
    let mut add =
        |lines: &mut Vec<Line<'static>>, title: &str, rooms: &[RoomSummary], from: usize| {
            if rooms.is_empty() {
                return;
            }
            lines.push(Line::styled(title.to_owned(), Theme::strong()));
            for (place, room) in rooms.iter().enumerate() {
                if from + place == selected {
                    at = lines.len();
                }
                lines.push(choice(&words::summary(room), from + place == selected));
            }
        };
    add(&mut lines, "Rooms with a free seat", &lobby.waiting, 0);
    add(&mut lines, "Games to watch", &lobby.playing, lobby.waiting.len());
    if lines.is_empty() {
        lines.push(Line::raw("No public rooms at the moment."));
    }
    if lobby.more > 0 {
        lines.push(Line::styled(format!("and {} more", lobby.more), theme.dim()));
    }
    (lines, at)
}
