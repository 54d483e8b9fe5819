//! Draws the panel beside or under the board: players, score, turn, clock, and what to do about an
//! opponent who is away.

use noughts_protocol::{ClaimedResult, Mark, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Widget, Wrap};

use super::theme::Theme;
use crate::app::{App, KeyAction, Screen};
use crate::core::RoomView;
use crate::layout::{self, Chrome, columns};
use crate::strings;

pub(super) fn render(app: &App, view: &RoomView, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let beside = area.height > 6;
    let mut lines = Vec::new();
    let space = |lines: &mut Vec<Line<'static>>| {
        if beside {
            lines.push(Line::default());
        }
    };
    space(&mut lines);
    lines.extend(Mark::BOTH.map(|mark| player(app, view, theme, mark, area.width)));
    // The clock comes right after the players, so that it is always visible.
    if let Some((left, style)) = clock(app, view, theme).filter(|_| !shows_clock_in_title(area)) {
        lines.push(Line::from(vec![Span::raw("Time for the move: "), Span::styled(left, style)]));
    }
    space(&mut lines);
    let waits = app.session.lost_since().is_some() && app.session.sent_move().is_some();
    let status = if waits { strings::WAITING_MOVE.to_owned() } else { strings::status(view) };
    let mut status = Line::styled(status, Theme::strong());
    let evaluation = view.evaluation().map(strings::analysis::evaluation);
    if !beside {
        status.extend(evaluation.map(|text| Span::raw(format!(" {text}"))));
    }
    let urgent = urgent(app, view);
    // A low panel may cut the status; the sign before a name also shows the turn.
    if area.height < 6 && view.state.is_running() {
        lines.extend(urgent);
        lines.push(status);
    } else {
        lines.push(status);
        lines.extend(urgent);
    }
    lines.extend(evaluation.filter(|_| beside).map(Line::raw));
    space(&mut lines);
    lines.push(Line::styled(history(view, theme), theme.dim()));
    Paragraph::new(lines).wrap(Wrap { trim: false }).render(area, buffer);
}

/// Whether the panel is so low that the clock stands in the first row, where no message covers it.
const fn shows_clock_in_title(panel: Rect) -> bool {
    panel.height < 12
}

/// Draws the clock at the end of the first row, if the panel is low.
pub(super) fn clock_in_title(app: &App, theme: Theme, chrome: &Chrome, buffer: &mut Buffer) {
    let view = app.session.room().filter(|_| matches!(app.screen, Screen::Room));
    let Some((view, (left, style))) = view.and_then(|view| Some((view, clock(app, view, theme)?)))
    else {
        return;
    };
    let panel = layout::game(chrome.body, view.state.settings.board, app.cursor).panel;
    if !shows_clock_in_title(panel) {
        return;
    }
    let text = format!(" {left} ");
    let width = u16::try_from(text.len()).unwrap_or(u16::MAX).min(chrome.title.width);
    let place = Rect { x: chrome.title.right() - width, width, ..chrome.title };
    Clear.render(place, buffer);
    Line::styled(text, style).render(place, buffer);
}

/// The rest of the time for the move and its style, with a warning if it is low.
fn clock(app: &App, view: &RoomView, theme: Theme) -> Option<(String, Style)> {
    let ends = view.move_ends.filter(|_| view.state.is_running())?;
    let left = ends.saturating_duration_since(app.now);
    let shown = strings::clock(left);
    Some(match strings::is_low(left, view.state.settings.move_time_ms) {
        true => (format!("{shown}!"), theme.warning()),
        false => (shown, Theme::strong()),
    })
}

/// The line of a player: turn, mark, name, presence and score.
fn player(app: &App, view: &RoomView, theme: Theme, mark: Mark, width: u16) -> Line<'static> {
    let seat = &view.state.seats[mark];
    let turn = if view.state.turn() == Some(mark) { ">" } else { " " };
    let wins = match mark {
        Mark::X => view.state.score.x,
        Mark::O => view.state.score.o,
    };
    let mut note = String::new();
    if view.mine.contains(&mark) && matches!(seat, Seat::Human { .. }) {
        note.push_str(" (you)");
    } else if let Some(from) = view.claim_from(mark) {
        note = if from > app.now { " (away)".to_owned() } else { " (gone)".to_owned() };
    }
    // The name is cut if the line is too long, the score and the note are not.
    let score = format!("  {wins}");
    let rest = usize::from(width).saturating_sub(4 + note.chars().count() + score.len());
    let short = match seat {
        Seat::Computer(computer) if columns(&seat.label()) > rest => computer.to_string(),
        _ => seat.label(),
    };
    let name = truncate(&short, rest, theme);
    Line::from(vec![
        Span::styled(turn, Theme::strong()),
        Span::styled(format!("{mark} "), theme.mark(mark)),
        Span::raw(name),
        Span::styled(note, theme.dim()),
        Span::styled(score, Theme::strong()),
    ])
}

/// Cuts a text to `width` columns.
fn truncate(text: &str, width: usize, theme: Theme) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for character in text.chars() {
        let longer = format!("{short}{character}{}", theme.ellipsis());
        if columns(&longer) > width {
            break;
        }
        short.push(character);
    }
    short + theme.ellipsis()
}

/// What changes with time or waits for the player.
fn urgent(app: &App, view: &RoomView) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some((mark, from)) = view.away_opponent()
        && view.is_playing()
    {
        let name = view.state.seats[mark].label();
        if from > app.now {
            let left = strings::countdown(from, app.now);
            lines.push(format!("{name} is away: you may claim the win in {left}"));
        } else {
            lines.push(format!("{name} has been away for too long:"));
            let [win, draw] =
                [ClaimedResult::Win, ClaimedResult::Draw].map(|r| KeyAction::Claim(r).key());
            lines.push(format!("press {win} to claim the win,"));
            lines.push(format!("{draw} for a draw"));
        }
    }
    if view.may_rematch() {
        let key = KeyAction::Rematch.key();
        lines.push(match view.offered_by_opponent() {
            _ if view.offered_by_me() => format!("You offer a rematch: {key} withdraws it"),
            Some(mark) => {
                format!("{} offers a rematch: {key} accepts", view.state.seats[mark].label())
            }
            None => format!("{key} plays again"),
        });
    }
    lines.into_iter().map(Line::raw).collect()
}

/// The number of the game, the draws and the last move.
fn history(view: &RoomView, theme: Theme) -> String {
    let Some(numbered) = &view.state.game else { return String::new() };
    let dot = theme.dot();
    let mut text = format!("Game {} {dot} draws {}", numbered.number, view.state.score.draws);
    if let Some(last) = numbered.game.moves().last() {
        text.push_str(&format!(" {dot} last {}", view.state.settings.board.label(*last)));
    }
    text
}
