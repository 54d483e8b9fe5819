//! Draws what people say: in the panel where there is space, else above the line that is typed.

use noughts_protocol::{ChatLine, Mark, Said};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Widget};

use super::theme::Theme;
use crate::session::RoomView;
use crate::strings::talk;
use crate::tui::app::App;
use crate::tui::layout::Chrome;

/// The most rows above the line that is typed.
const MOST_ROWS: u16 = 8;

/// The columns by which the second row of a line stands in.
const INDENT: u16 = 2;

/// Draws the last lines in the panel.
pub(super) fn in_panel(app: &App, view: &RoomView, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let rows = rows(app, view, theme, area.width, usize::from(area.height.saturating_sub(1)));
    if !rows.is_empty() {
        let head = Line::styled("Talk", theme.dim());
        let lines = std::iter::once(head).chain(rows).take(area.height.into());
        Paragraph::new(lines.collect::<Vec<_>>()).render(area, buffer);
    }
}

/// Draws the last lines above the line that is typed, if the panel does not show them. A message covers
/// some rows.
pub(super) fn above_prompt(
    app: &App,
    view: &RoomView,
    theme: Theme,
    chrome: &Chrome,
    covered: u16,
    buffer: &mut Buffer,
) {
    if !app.talk_covers() {
        return;
    }
    let most = MOST_ROWS.min(chrome.body.height / 2);
    let width = chrome.body.width.saturating_sub(2);
    let mut lines = rows(app, view, theme, width, usize::from(most));
    if lines.is_empty() {
        lines.push(Line::styled("Nobody has said anything yet.", theme.dim()));
    }
    let height = u16::try_from(lines.len()).unwrap_or(most).min(most);
    let area = Rect { y: chrome.message.y.saturating_sub(height + covered), height, ..chrome.body };
    Clear.render(area, buffer);
    Paragraph::new(lines).render(Rect { x: 1, width, ..area }, buffer);
}

/// The last rows of what people said, as many as fit.
fn rows(app: &App, view: &RoomView, theme: Theme, width: u16, most: usize) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    for line in view.chat.lines.iter().rev() {
        if rows.len() >= most {
            break;
        }
        rows.splice(0..0, wrapped(app, view, line, theme, width));
    }
    rows.split_off(rows.len().saturating_sub(most))
}

/// A line with its speaker in the ink of the seat; spectators have none.
fn wrapped(
    app: &App,
    view: &RoomView,
    line: &ChatLine,
    theme: Theme,
    width: u16,
) -> Vec<Line<'static>> {
    let speaker = format!("{}:", talk::speaker(view, line, app.session.host_here()));
    let style = line.seat.map_or(theme.dim(), |mark| theme.mark(mark));
    let sign = match &line.said {
        Said::Emote(emote) => format!("{} ", talk::sign(*emote)),
        Said::Text(_) => String::new(),
    };
    let text = format!("{speaker} {sign}{}", talk::said(&line.said));
    let mut parts = crate::strings::wrap(&text, width);
    if parts.len() > 1 {
        // The first row keeps its words; the others stand in.
        let rest = text[parts[0].len()..].trim_start().to_owned();
        parts.truncate(1);
        parts.extend(crate::strings::wrap(&rest, width.saturating_sub(INDENT)));
    }
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_default();
    let after = first.strip_prefix(&speaker).map(str::to_owned);
    let mut lines = vec![match after {
        Some(after) => {
            let mut spans = vec![Span::styled(speaker, style)];
            match after.strip_prefix(' ').and_then(|after| after.strip_prefix(&sign)) {
                Some(words) if !sign.is_empty() => {
                    spans.push(Span::raw(" "));
                    spans.extend(inked(&sign, theme));
                    spans.push(Span::raw(words.to_owned()));
                }
                _ => spans.push(Span::raw(after)),
            }
            Line::from(spans)
        }
        // The name itself was broken.
        None => Line::styled(first, style),
    }];
    let indent = " ".repeat(INDENT.into());
    lines.extend(parts.map(|part| Line::raw(format!("{indent}{part}"))));
    lines
}

/// The characters of an emote: x and o have the inks of the marks.
fn inked(sign: &str, theme: Theme) -> Vec<Span<'static>> {
    let ink = |letter: char| match letter {
        'x' => theme.mark(Mark::X),
        'o' => theme.mark(Mark::O),
        _ => Style::new(),
    };
    sign.chars().map(|letter| Span::styled(letter.to_string(), ink(letter))).collect()
}
