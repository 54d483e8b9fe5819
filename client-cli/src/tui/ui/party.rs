//! Draws the QR code of a party beside the people who are in.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};

use crate::tui::app::App;

/// Black and white in the colour cube of the 256-colour palette. The terminal's theme sets the first
/// sixteen colours, so that they may be inverted.
const BLACK: Color = Color::Indexed(16);
const WHITE: Color = Color::Indexed(231);

/// The upper half of a cell has the foreground colour.
const UPPER_HALF: &str = "▀";

pub(super) fn render(app: &App, buffer: &mut Buffer) {
    let Some((qr, area)) = app.party_qr() else { return };
    let colour = |dark| if dark { BLACK } else { WHITE };
    for (row, y) in (area.y..area.bottom()).enumerate() {
        for (column, x) in (area.x..area.right()).enumerate() {
            let at = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
            let (upper, lower) = qr.cell(at(column), at(row));
            let style = Style::new().fg(colour(upper)).bg(colour(lower));
            buffer.set_string(x, y, UPPER_HALF, style);
        }
    }
}
