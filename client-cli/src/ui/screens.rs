//! Draws the screens before a game. [`Listing`] has their rows.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::theme::Theme;
use crate::app::{Listing, RowKind};

pub(super) fn render(listing: &Listing, theme: Theme, buffer: &mut Buffer) {
    for (place, kind, text) in listing.shown() {
        let style = match kind {
            RowKind::Title => Theme::strong(),
            RowKind::Aside => theme.dim(),
            RowKind::Item(_, true) => Theme::selected(),
            RowKind::Plain | RowKind::Item(_, false) => Style::new(),
        };
        Line::styled(text, style).render(place, buffer);
    }
}
