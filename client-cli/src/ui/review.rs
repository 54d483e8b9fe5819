//! Draws a review: the board after one of its moves, and all moves with their verdicts.

use noughts_protocol::{Cell, ReviewedMove, Verdict};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::board;
use super::theme::Theme;
use crate::app::{App, ReviewView};
use crate::core::RoomView;
use crate::layout;
use crate::strings::analysis;

pub(super) fn render(app: &App, view: &RoomView, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let Some(review_view) = &app.review else { return };
    let Some(game) = review_view.game(&view.state.settings) else { return };
    // A board that does not fit scrolls to the move.
    let last = game.moves().last().copied().unwrap_or(Cell(0));
    let layout = layout::game(area, game.spec(), last);
    board::position(theme, &game, (None, &[]), &layout, buffer);
    panel(review_view, view, theme, layout.panel, buffer);
}

fn panel(review_view: &ReviewView, view: &RoomView, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let ReviewView { review, ply } = review_view;
    let title = format!("Review: move {ply} of {}", review.moves.len());
    let mut lines = vec![Line::styled(title, Theme::strong())];
    let rows = usize::from(area.height).saturating_sub(lines.len()).max(1);
    let shown = ply.saturating_sub(1);
    // The shown move stays in the middle of the list, except near its ends.
    let first = shown.saturating_sub(rows / 2).min(review.moves.len().saturating_sub(rows));
    for (place, made) in review.moves.iter().enumerate().skip(first).take(rows) {
        lines.push(line(review_view, view, theme, (place, made)));
    }
    Paragraph::new(lines).render(area, buffer);
}

/// A move with its verdict. The shown move has a sign and is reversed.
fn line(
    review_view: &ReviewView,
    view: &RoomView,
    theme: Theme,
    (place, made): (usize, &ReviewedMove),
) -> Line<'static> {
    let shown = place + 1 == review_view.ply;
    let mark = analysis::player_at(&review_view.review, made.ply);
    let (pointer, style) = if shown { (">", Theme::selected()) } else { (" ", Style::new()) };
    let label = view.state.settings.board.label(made.cell);
    let verdict = if made.verdict == Verdict::Mistake { theme.error() } else { Style::new() };
    let sign = analysis::sign(made.verdict);
    Line::from(vec![
        Span::styled(format!("{pointer}{:>3} ", place + 1), style),
        Span::styled(format!("{mark} "), theme.mark(mark)),
        Span::raw(format!("{label:<4}{sign} ")),
        Span::styled(analysis::verdict(made), verdict),
    ])
}
