//! Draws a review: the board after one of its moves, and all moves with their verdicts.

use noughts_protocol::{Cell, Game, Mark, Review, ReviewedMove, Rules, Verdict};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::board;
use super::theme::Theme;
use crate::session::RoomView;
use crate::strings::analysis;
use crate::tui::app::App;
use crate::tui::layout;

/// Up to this height the panel has no row for the better move.
const LOW: u16 = 6;

/// The columns of a row before the verdict: pointer, number, mark, cell and sign.
const BEFORE_VERDICT: u16 = 13;

pub(super) fn render(app: &App, view: &RoomView, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let Some((review, ply)) = app.shown_review() else { return };
    let moves: Vec<Cell> = review.moves.iter().take(ply).map(|made| made.cell).collect();
    let rules = Rules::of(&view.state.settings);
    // Moves that break the rules are not shown.
    let Ok(game) = Game::replay(rules, review.first, &moves) else { return };
    // A board that does not fit scrolls to the move.
    let last = game.moves().last().copied().unwrap_or(Cell(0));
    let layout = layout::game(area, game.spec(), last);
    let better = better(review, ply);
    board::position(theme, &game, &board::Shown::better(better), &layout, buffer);
    panel((review, ply), view, theme, layout.panel, buffer);
}

/// The move that was better than the shown one, if that was a mistake.
fn better(review: &Review, ply: usize) -> Option<(Cell, Mark)> {
    let made = review.moves.get(ply.checked_sub(1)?)?;
    Some((made.best?, analysis::player_at(review, made.ply)))
}

fn panel(
    (review, ply): (&Review, usize),
    view: &RoomView,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let title = format!("Review: move {ply} of {}", review.moves.len());
    let mut lines = vec![Line::styled(title, Theme::strong())];
    if area.height > LOW {
        let made = ply.checked_sub(1).and_then(|place| review.moves.get(place));
        let better = made.and_then(|made| made.best);
        let better = better.map(|cell| view.state.settings.board.label(cell));
        let text = better.map(|cell| format!("{cell} was better.")).unwrap_or_default();
        // Also an empty line: the list below does not move.
        lines.push(Line::raw(text));
    }
    let end = analysis::end_without_a_move(view, review);
    let used = lines.len() + usize::from(end.is_some());
    let rows = usize::from(area.height).saturating_sub(used).max(1);
    let shown = ply.saturating_sub(1);
    // The shown move stays in the middle of the list, except near its ends.
    let first = shown.saturating_sub(rows / 2).min(review.moves.len().saturating_sub(rows));
    for (place, made) in review.moves.iter().enumerate().skip(first).take(rows) {
        let mark = analysis::player_at(review, made.ply);
        let numbered = (place + 1, mark, made);
        lines.push(line(numbered, place + 1 == ply, view, theme, area.width));
    }
    lines.extend(end.map(|end| Line::raw(format!("     {end}"))));
    Paragraph::new(lines).render(area, buffer);
}

/// A move with its verdict. The shown move has a sign and is reversed.
fn line(
    (number, mark, made): (usize, Mark, &ReviewedMove),
    shown: bool,
    view: &RoomView,
    theme: Theme,
    width: u16,
) -> Line<'static> {
    let (pointer, style) = if shown { (">", Theme::selected()) } else { (" ", Style::new()) };
    let label = view.state.settings.board.label(made.cell);
    let verdict = if made.verdict == Verdict::Mistake { theme.error() } else { Style::new() };
    let sign = analysis::sign(made.verdict);
    let text = analysis::verdict_within(made, usize::from(width.saturating_sub(BEFORE_VERDICT)));
    Line::from(vec![
        Span::styled(format!("{pointer}{number:>3} "), style),
        Span::styled(format!("{mark} "), theme.mark(mark)),
        Span::raw(format!("{label:<4}{sign} ")),
        Span::styled(text, verdict),
    ])
}
