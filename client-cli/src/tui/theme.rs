//! Colours and characters. Whatever a colour says, a character, a modifier or a word says too.
//!
//! The two inks are those of the page: blue is X, red-orange is O, and nothing else has O's ink. Where
//! the background is unknown, the inks are readable on black and on white.

use noughts_protocol::Mark;
use ratatui::style::{Color, Modifier, Style};

use crate::client::Client;
use crate::preferences::ColorTheme;
use crate::tui::colors::{Background, ColorDepth, TerminalColors};

/// The middle grey of the 256 colours. No theme changes it, and it is readable on black and on
/// white.
const GREY: Color = Color::Indexed(244);

/// The colours and characters in use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    colors: TerminalColors,
    pub(super) ascii: bool,
}

/// The ink of a mark. The full colours are the page's. Of the first sixteen the bright ones are
/// taken: plain blue is not readable on the black of many terminals. The fixed ones for an unknown
/// background are 3.8 to 1 on white and 5.4 to 1 on black: marks are bold.
const fn ink(colors: TerminalColors, mark: Mark) -> Color {
    use Background::{Dark, Light};
    match (colors.depth, colors.background, mark) {
        (ColorDepth::None, ..) => Color::Reset,
        (ColorDepth::Sixteen, Some(Light), Mark::X) => Color::Blue,
        (ColorDepth::Sixteen, _, Mark::X) => Color::LightBlue,
        // Plain red is the errors'.
        (ColorDepth::Sixteen, _, Mark::O) => Color::LightRed,
        (ColorDepth::True, Some(Light), Mark::X) => Color::Rgb(0x24, 0x38, 0x7a),
        (ColorDepth::True, Some(Light), Mark::O) => Color::Rgb(0xb8, 0x39, 0x0e),
        (ColorDepth::True, Some(Dark), Mark::X) => Color::Rgb(0xb4, 0xc8, 0xff),
        (ColorDepth::True, Some(Dark), Mark::O) => Color::Rgb(0xff, 0xab, 0x80),
        (ColorDepth::Indexed, Some(Light), Mark::X) => Color::Indexed(25),
        (ColorDepth::Indexed, Some(Light), Mark::O) => Color::Indexed(130),
        (ColorDepth::Indexed, Some(Dark), Mark::X) => Color::Indexed(153),
        (ColorDepth::Indexed, Some(Dark), Mark::O) => Color::Indexed(216),
        (_, None, Mark::X) => Color::Indexed(32),
        (_, None, Mark::O) => Color::Indexed(166),
    }
}

impl Theme {
    pub(super) fn of(client: &Client) -> Self {
        let mut colors = client.options.colors;
        match client.preferences.theme {
            ColorTheme::Auto => {}
            ColorTheme::Light => colors.background = Some(Background::Light),
            ColorTheme::Dark => colors.background = Some(Background::Dark),
        }
        Self { colors, ascii: client.options.ascii }
    }

    fn colored(self, color: Color) -> Style {
        match self.colors.depth {
            ColorDepth::None => Style::new(),
            _ => Style::new().fg(color),
        }
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

    /// An error, or a time that is running out.
    pub(super) fn error(self) -> Style {
        self.colored(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub(super) fn selected() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub(super) fn mark(self, mark: Mark) -> Style {
        self.colored(ink(self.colors, mark)).add_modifier(Modifier::BOLD)
    }

    /// A hinted cell.
    pub(super) fn hint(self) -> Style {
        self.colored(Color::Green).add_modifier(Modifier::BOLD)
    }

    pub(super) const fn dot(self) -> &'static str {
        if self.ascii { "-" } else { "·" }
    }

    /// A win of a series, and one that is still to come.
    pub(super) const fn dots(self) -> (char, char) {
        if self.ascii { ('*', '.') } else { ('●', '○') }
    }

    pub(super) const fn ellipsis(self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// The signs for more rows above and below.
    pub(super) const fn more(self) -> (&'static str, &'static str) {
        if self.ascii { ("^", "v") } else { ("↑", "↓") }
    }

    /// The signs for columns and rows out of view: before the first and after the last one.
    pub(super) fn hidden(self, across: (bool, bool), down: (bool, bool)) -> String {
        let sign = |hidden, signs: [&'static str; 3]| match hidden {
            (true, false) => signs[0],
            (false, true) => signs[1],
            (true, true) => signs[2],
            (false, false) => "",
        };
        match self.ascii {
            false => sign(across, ["←", "→", "↔"]).to_owned() + sign(down, ["↑", "↓", "↕"]),
            true => sign(across, ["<", ">", "-"]).to_owned() + sign(down, ["^", "v", "|"]),
        }
    }

    /// The sign before the player whose turn it is.
    pub(super) const fn turn(self) -> &'static str {
        if self.ascii { ">" } else { "▸" }
    }

    /// An empty cell without a number.
    pub(super) const fn empty(self) -> char {
        if self.ascii { '.' } else { '·' }
    }

    /// The characters of the grid: of a line across and one down, each light or heavy, or `None` where
    /// there is no such line.
    pub(super) const fn grid(self, across: Option<bool>, down: Option<bool>) -> char {
        match (across, down, self.ascii) {
            (None, None, _) => ' ',
            (Some(false), None, false) => '─',
            (Some(true), None, false) => '━',
            (None, Some(false), false) => '│',
            (None, Some(true), false) => '┃',
            (Some(false), Some(false), false) => '┼',
            (Some(true), Some(false), false) => '┿',
            (Some(false), Some(true), false) => '╂',
            (Some(true), Some(true), false) => '╋',
            (Some(false), None, true) => '-',
            (Some(true), None, true) => '=',
            (None, Some(false), true) => '|',
            (None | Some(true), Some(true), true) => '#',
            (Some(_), Some(_), true) => '+',
        }
    }

    /// A mark for a cell of this height, in rows of the same width; `None` if it is too low.
    pub(super) const fn large_mark(
        self,
        mark: Mark,
        height: u16,
    ) -> Option<&'static [&'static str]> {
        Some(match (mark, self.ascii) {
            _ if height < 3 => return None,
            (Mark::X, false) if height >= 7 => &["╲   ╱", " ╲ ╱ ", "  ╳  ", " ╱ ╲ ", "╱   ╲"],
            (Mark::O, false) if height >= 7 => {
                &["╭─────╮", "│     │", "│     │", "│     │", "╰─────╯"]
            }
            (Mark::X, true) if height >= 7 => &["\\   /", " \\ / ", "  X  ", " / \\ ", "/   \\"],
            (Mark::O, true) if height >= 7 => {
                &[".-----.", "|     |", "|     |", "|     |", "'-----'"]
            }
            (Mark::X, false) => &["╲ ╱", " ╳ ", "╱ ╲"],
            (Mark::O, false) => &["╭─╮", "│ │", "╰─╯"],
            (Mark::X, true) => &["\\ /", " X ", "/ \\"],
            (Mark::O, true) => &[".-.", "| |", "'-'"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour, as WCAG defines it.
    fn luminance(color: Color) -> f64 {
        let (r, g, b) = match color {
            Color::Rgb(r, g, b) => (r, g, b),
            // The cube of the 256 colours.
            Color::Indexed(number) => {
                let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
                let cube = number - 16;
                (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            other => panic!("{other:?} depends on the terminal"),
        };
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let weighted =
            [(0.2126, r), (0.7152, g), (0.0722, b)].map(|(weight, part)| weight * linear(part));
        weighted.into_iter().sum()
    }

    #[test]
    fn the_inks_are_readable_on_their_background_and_on_both_if_it_is_unknown() {
        let white = 1.0;
        let black = 0.0;
        for depth in [ColorDepth::Indexed, ColorDepth::True] {
            for (background, papers, least) in [
                (Some(Background::Light), &[white][..], 4.5),
                (Some(Background::Dark), &[black], 4.5),
                (None, &[white, black], 3.0),
            ] {
                for mark in Mark::BOTH {
                    let ink = luminance(ink(TerminalColors { depth, background }, mark));
                    for paper in papers {
                        let contrast = (ink.max(*paper) + 0.05) / (ink.min(*paper) + 0.05);
                        assert!(contrast >= least, "{mark} {depth:?} {background:?}: {contrast}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_mark_has_an_ink_of_its_own_where_there_are_colours() {
        for depth in [ColorDepth::Sixteen, ColorDepth::Indexed, ColorDepth::True] {
            for background in [None, Some(Background::Light), Some(Background::Dark)] {
                let colors = TerminalColors { depth, background };
                assert_ne!(ink(colors, Mark::X), ink(colors, Mark::O));
            }
        }
    }
}
