//! Draws a kept game: the position that is shown, who played, and the moves with their times or their
//! verdicts.

use noughts_protocol::{ArchivedGame, Cell, Mark, Verdict};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::board;
use super::theme::Theme;
use crate::strings::{analysis, archive};
use crate::tui::app::{App, Replay};
use crate::tui::layout;

/// Up to this height the panel shows no more than the players, the move and the list.
const LOW: u16 = 9;

pub(super) fn render(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let Some(replay) = app.replay() else { return };
    let (Some(kept), Some(game)) = (&replay.game, replay.position()) else {
        return Line::styled("  Loading the game.", Theme::strong()).render(area, buffer);
    };
    // A board that does not fit scrolls to the move.
    let last = game.moves().last().copied().unwrap_or(Cell(0));
    let layout = layout::game(area, game.spec(), last);
    let made = replay.ply.checked_sub(1);
    let judged = replay.review.as_ref().zip(made).and_then(|((moves, _), at)| moves.get(at));
    let better = judged.and_then(|made| made.best).zip(made);
    let better = better.map(|(cell, at)| (cell, archive::mark_at(kept, at)));
    board::position(theme, &game, &board::Shown::better(better), &layout, buffer);
    panel(app, (replay, kept), theme, layout.panel, buffer);
}

fn panel(
    app: &App,
    (replay, kept): (&Replay, &ArchivedGame),
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let me = app.session.player();
    let player = |mark: Mark| {
        let participant = &kept.summary.players[mark];
        let you = if participant.player().is_some() && participant.player() == me {
            " (you)"
        } else {
            ""
        };
        Line::from(vec![
            Span::styled(format!("{mark} "), theme.mark(mark)),
            Span::raw(format!("{}{you}", archive::name(participant))),
        ])
    };
    let (ply, count) = (replay.ply, kept.moves.len());
    let time = ply.checked_sub(1).and_then(|at| archive::time_at(kept, at));
    let time = time.map(|time| format!(", after {time}")).unwrap_or_default();
    let mut lines = Mark::BOTH.map(player).to_vec();
    if area.height > LOW {
        let rated = if kept.summary.rated { ", rated" } else { "" };
        let when = format!("{}{rated}", archive::date(kept.summary.ended_at));
        lines.push(Line::styled(when, theme.dim()));
        let wrapped = crate::strings::wrap(&archive::result(&kept.summary), area.width);
        let style =
            kept.summary.result.winner().map_or(Theme::strong(), |winner| theme.mark(winner));
        lines.extend(wrapped.into_iter().map(|line| Line::styled(line, style)));
        lines.push(Line::default());
    }
    lines.push(Line::styled(format!("Move {ply} of {count}{time}"), Theme::strong()));
    let rows = usize::from(area.height).saturating_sub(lines.len()).max(1);
    let shown = ply.saturating_sub(1);
    // The shown move stays in the middle of the list, except near its ends.
    let first = shown.saturating_sub(rows / 2).min(count.saturating_sub(rows));
    for place in (first..count).take(rows) {
        lines.push(line((replay, kept), place, place + 1 == ply, theme, area.width));
    }
    Paragraph::new(lines).render(area, buffer);
}

/// A move with its time or its verdict. The shown move has a sign and is reversed.
fn line(
    (replay, kept): (&Replay, &ArchivedGame),
    place: usize,
    shown: bool,
    theme: Theme,
    width: u16,
) -> Line<'static> {
    let (pointer, style) = if shown { (">", Theme::selected()) } else { (" ", Style::new()) };
    let mark = archive::mark_at(kept, place);
    let label = kept.summary.board.label(kept.moves[place]);
    let mut spans = vec![
        Span::styled(format!("{pointer}{:>3} ", place + 1), style),
        Span::styled(format!("{mark} "), theme.mark(mark)),
    ];
    if let Some(made) = replay.review.as_ref().and_then(|(moves, _)| moves.get(place)) {
        let wrong = made.verdict == Verdict::Mistake;
        let verdict = if wrong { theme.error() } else { Style::new() };
        let text = analysis::verdict_within(made, usize::from(width.saturating_sub(13)));
        spans.push(Span::raw(format!("{label:<4}{} ", analysis::sign(made.verdict))));
        spans.push(Span::styled(text, verdict));
    } else {
        let time = archive::time_at(kept, place).unwrap_or_default();
        spans.push(Span::raw(format!("{label:<4}")));
        spans.push(Span::styled(format!(" {time:>7}"), theme.dim()));
    }
    Line::from(spans)
}
