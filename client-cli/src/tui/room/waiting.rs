//! Draws a room without a game: its code in large letters, and how a friend joins.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::strings::variant;
use crate::tui::party::spaced;
use crate::tui::shell::Shell;
use crate::tui::theme::Theme;
use noughts_client::session::RoomView;

/// The width of five large letters with gaps.
const LARGE_WIDTH: u16 = 29;

pub(super) fn render(shell: &Shell, view: &RoomView, area: Rect, buffer: &mut Buffer) {
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
    let code_text = if large {
        large_code(&code, shell.client.options.ascii)
    } else {
        Text::from(Line::styled(spaced(&code), Theme::strong()).centered())
    };
    Paragraph::new(code_text).render(code_area, buffer);
    Paragraph::new(invitation(shell, view)).wrap(Wrap { trim: true }).render(rest, buffer);
}

fn large_code(code: &str, ascii: bool) -> Text<'static> {
    let ink = if ascii { "#" } else { "█" };
    let row = |row: usize| {
        let letters: Vec<&str> = code.chars().map(|letter| glyph(letter)[row]).collect();
        Line::styled(letters.join(" ").replace('#', ink), Theme::strong()).centered()
    };
    Text::from_iter((0..5).map(row))
}

/// How others join.
fn invitation(shell: &Shell, view: &RoomView) -> Text<'static> {
    let code = view.state.code;
    let way_in = &shell.client.options.way_in;
    let who = if view.is_watching() { "A player types:" } else { "Your friend types:" };
    let mut lines = vec![
        Line::raw(format!("Room code {code}. {who}")).centered(),
        Line::raw(way_in.join_line("play", code, &shell.share_address)).centered(),
        Line::raw("or opens").centered(),
        Line::raw(shell.share_address.room_link(code)).centered(),
    ];
    if shell.share_address.is_local() {
        lines.push(Line::raw("On another machine, use this machine's address.").centered());
    }
    if let [mark] = view.mine[..] {
        lines.push(Line::default());
        lines.push(Line::raw(format!("You play {}.", variant::role(view, mark))).centered());
    }
    Text::from(lines)
}

/// The rows of a large letter, five columns wide: `#` is ink. Only the letters of room codes have a glyph.
const fn glyph(letter: char) -> [&'static str; 5] {
    match letter {
        'B' => ["#### ", "#   #", "#### ", "#   #", "#### "],
        'C' => [" ####", "#    ", "#    ", "#    ", " ####"],
        'D' => ["#### ", "#   #", "#   #", "#   #", "#### "],
        'F' => ["#####", "#    ", "#### ", "#    ", "#    "],
        'G' => [" ####", "#    ", "#  ##", "#   #", " ####"],
        'H' => ["#   #", "#   #", "#####", "#   #", "#   #"],
        'J' => ["  ###", "    #", "    #", "#   #", " ### "],
        'K' => ["#   #", "#  # ", "###  ", "#  # ", "#   #"],
        'L' => ["#    ", "#    ", "#    ", "#    ", "#####"],
        'M' => ["#   #", "## ##", "# # #", "#   #", "#   #"],
        'N' => ["#   #", "##  #", "# # #", "#  ##", "#   #"],
        'P' => ["#### ", "#   #", "#### ", "#    ", "#    "],
        'Q' => [" ### ", "#   #", "# # #", "#  # ", " ## #"],
        'R' => ["#### ", "#   #", "#### ", "#  # ", "#   #"],
        'S' => [" ####", "#    ", " ### ", "    #", "#### "],
        'T' => ["#####", "  #  ", "  #  ", "  #  ", "  #  "],
        'V' => ["#   #", "#   #", "#   #", " # # ", "  #  "],
        'W' => ["#   #", "#   #", "# # #", "## ##", "#   #"],
        'X' => ["#   #", " # # ", "  #  ", " # # ", "#   #"],
        'Z' => ["#####", "   # ", "  #  ", " #   ", "#####"],
        _ => [""; 5],
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::RoomCode;

    use super::*;

    #[test]
    fn every_letter_of_codes_has_its_own_shape() {
        let mut shapes: Vec<_> =
            RoomCode::ALPHABET.iter().map(|letter| glyph(char::from(*letter))).collect();
        assert!(shapes.iter().flatten().all(|row| row.len() == 5));
        shapes.sort_unstable();
        shapes.dedup();
        assert_eq!(shapes.len(), RoomCode::ALPHABET.len());
    }
}
