//! What lies over a screen: help and questions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};

use super::theme::Theme;
use crate::app::{App, Overlay, Question, Screen};
use crate::help;

/// Borders for terminals without line characters.
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
            let Some((lines, more)) = help::page(in_room, app.size, page) else { return };
            let lines = lines.iter().map(|(keys, what)| Line::raw(format!("{keys:<13}{what}")));
            let title = if more { "Help (any key: more)" } else { "Help" };
            window(title, lines.collect(), help::WIDTH, theme, area, buffer);
        }
        Some(Overlay::Question(question)) => {
            let (title, text) = words(question);
            let text =
                Text::from(vec![Line::raw(text), Line::styled("y yes   n no", Theme::strong())]);
            window(title, text, 44, theme, area, buffer);
        }
    }
}

fn words(question: Question) -> (&'static str, String) {
    match question {
        Question::Resign => ("Resign", "Give this game up?".to_owned()),
        Question::Leave => ("Leave", "Leave? You lose the running game.".to_owned()),
        Question::Quit => {
            let text = "Go? Your seat is kept; Ctrl-C again also goes.";
            ("A game is running", text.to_owned())
        }
        Question::Watch(room) => {
            ("Both seats are taken", format!("Watch the game in {room} instead?"))
        }
    }
}

fn window(
    title: &'static str,
    text: Text<'static>,
    width: u16,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let width = width.min(area.width);
    // A line that is broken between words may need a row more than its width says.
    let inner = usize::from(width.saturating_sub(2).max(1));
    let rows: usize = text.iter().map(|line| line.width() / inner + 1).sum();
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(area.height);
    let paragraph = Paragraph::new(text).wrap(Wrap { trim: true });
    let window = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let borders = if theme.ascii { ASCII_BORDER } else { border::ROUNDED };
    Clear.render(window, buffer);
    paragraph.block(Block::bordered().border_set(borders).title(title)).render(window, buffer);
}
