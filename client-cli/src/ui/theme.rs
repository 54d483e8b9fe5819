//! Colours and characters. Whatever a colour says, a character, a modifier or a word says too.

use noughts_protocol::Mark;
use ratatui::style::{Color, Modifier, Style};

use crate::app::App;

/// The middle grey of the 256 colours. No theme changes it, and it is readable on black and on
/// white.
const GREY: Color = Color::Indexed(244);

/// The colours and characters in use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    color: bool,
    pub(super) ascii: bool,
}

impl Theme {
    pub(super) const fn of(app: &App) -> Self {
        Self { color: app.client.options.color, ascii: app.client.options.ascii }
    }

    fn colored(self, color: Color) -> Style {
        if self.color { Style::new().fg(color) } else { Style::new() }
    }

    pub(super) fn title() -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    pub(super) fn strong() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(super) fn dim(self) -> Style {
        // Not the DIM modifier: many terminals make it unreadable. Not bright black: themes set the
        // first sixteen colours, and in some this one is the background (Solarized).
        self.colored(GREY)
    }

    /// A warning that time is running out.
    pub(super) fn warning(self) -> Style {
        self.colored(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub(super) fn error(self) -> Style {
        self.colored(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub(super) fn selected() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub(super) fn mark(self, mark: Mark) -> Style {
        let color = match mark {
            Mark::X => Color::Cyan,
            Mark::O => Color::Yellow,
        };
        self.colored(color).add_modifier(Modifier::BOLD)
    }

    pub(super) fn won(self) -> Style {
        self.colored(Color::Green).add_modifier(Modifier::BOLD)
    }

    pub(super) const fn dot(self) -> &'static str {
        if self.ascii { "-" } else { "·" }
    }

    pub(super) const fn ellipsis(self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// An empty cell without a number.
    pub(super) const fn empty(self) -> char {
        if self.ascii { '.' } else { '·' }
    }

    /// The grid's characters: across, down, crossing.
    pub(super) const fn grid(self) -> (char, char, char) {
        if self.ascii { ('-', '|', '+') } else { ('─', '│', '┼') }
    }

    /// A mark, three rows high and three columns wide.
    pub(super) const fn large_mark(self, mark: Mark) -> [&'static str; 3] {
        match (mark, self.ascii) {
            (Mark::X, false) => ["╲ ╱", " ╳ ", "╱ ╲"],
            (Mark::O, false) => ["╭─╮", "│ │", "╰─╯"],
            (Mark::X, true) => ["   ", " X ", "   "],
            (Mark::O, true) => ["   ", " O ", "   "],
        }
    }
}
