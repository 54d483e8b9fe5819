//! Draws a review: the board after one of its moves, and all moves with their verdicts.

use noughts_client::session::RoomView;
use noughts_protocol::{Cell, Game, Mark, Review, ReviewedMove, Rules};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};

use crate::boards::Boards;
use crate::strings::analysis;
use crate::tui::board;
use crate::tui::layout;
use crate::tui::shell::Shell;
use crate::tui::theme::Theme;

/// Up to this height the panel has no row for the better move.
const LOW: u16 = 6;

pub(super) fn render(
    (review, ply): (&Review, usize),
    shell: &Shell,
    view: &RoomView,
    area: Rect,
    buffer: &mut Buffer,
) {
    let theme = shell.theme();
    let moves: Vec<Cell> = review.moves.iter().take(ply).map(|made| made.cell).collect();
    let rules = Rules::of(&view.state.settings);
    let placed = analysis::placed(view, review);
    // Moves that break the rules are not shown.
    let Ok(game) = Game::replay(rules, review.first, &moves, placed) else { return };
    // A board that does not fit scrolls to the move.
    let last = game.moves().last().copied().unwrap_or(Cell(0));
    let layout = layout::game(area, Boards::of_room(view), last);
    let better = better(review, ply);
    board::position(theme, &game, &board::Shown::better(better), &layout, buffer);
    panel((review, ply), view, theme, layout.panel, buffer);
}

/// The move that was better than the shown one, if that was a mistake.
fn better(review: &Review, ply: usize) -> Option<(Cell, Mark)> {
    let made = review.moves.get(ply.checked_sub(1)?)?;
    let own = review.first.after(made.ply.into());
    Some((made.best?, made.best_placed.unwrap_or(own)))
}

fn panel(
    (review, ply): (&Review, usize),
    view: &RoomView,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let placed = analysis::placed(view, review);
    let labels = |made: &ReviewedMove| {
        let mark = review.first.after(made.ply.into());
        analysis::labels(&view.state.settings, made, mark, placed)
    };
    let title = format!("Review: move {ply} of {}", review.moves.len());
    let mut lines = vec![Line::styled(title, Theme::strong())];
    if area.height > LOW {
        let made = ply.checked_sub(1).and_then(|place| review.moves.get(place));
        let better = made.and_then(|made| labels(made).1);
        let text = better.map(|cell| format!("{cell} was better.")).unwrap_or_default();
        // Also an empty line: the list below does not move.
        lines.push(Line::raw(text));
    }
    let end = analysis::end_without_a_move(view, review);
    let used = lines.len() + usize::from(end.is_some());
    let rows = usize::from(area.height).saturating_sub(used).max(1);
    for place in board::listed(ply, review.moves.len(), rows) {
        let made = &review.moves[place];
        let mark = review.first.after(made.ply.into());
        let (label, _) = labels(made);
        let numbered = (place + 1, mark, &*label);
        lines.push(board::judged_line(numbered, made, place + 1 == ply, theme, area.width));
    }
    lines.extend(end.map(|end| Line::raw(format!("     {end}"))));
    Paragraph::new(lines).render(area, buffer);
}
