//! What lies over a screen: help and questions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::border;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};

use super::theme::Theme;
use crate::app::{App, Overlay, Question};

/// Every key of a game.
const HELP: [(&str, &str); 12] = [
    ("arrows, hjkl", "move"),
    ("Enter, space", "place your mark (or click)"),
    ("1-9", "place it at once, on 3x3"),
    ("x, o, a", "choose in a swap2 opening"),
    ("r", "rematch: offer, accept, take back"),
    ("i", "a hint: its cells are (5) or (?)"),
    ("R, x", "resign"),
    ("v", "review the game that is over"),
    ("c, d", "claim the win, a draw"),
    ("q, Esc", "leave (a running game is lost)"),
    ("Ctrl-C twice", "go and keep your seat"),
    ("[X] *X* >X<", "last move, winning line, you"),
];

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
        Some(Overlay::Help) => {
            let lines = HELP.map(|(keys, what)| Line::raw(format!("{keys:<13}{what}")));
            window("Help", Text::from(lines.to_vec()), 47, theme, area, buffer);
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
