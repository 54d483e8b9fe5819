//! Text in rows of the terminal, and the window with a question.

use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

/// The answers in a question's window, and the columns of each.
pub(crate) const ANSWERS: &str = "y yes   n no";
const YES: std::ops::Range<u16> = 0..5;
const NO: std::ops::Range<u16> = 8..12;

/// The width of a question's window, if the terminal is wide enough.
const QUESTION_WIDTH: u16 = 44;

/// How many columns a text takes.
#[must_use]
pub(crate) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// Wraps a text into lines of at most `width` columns, between words if possible. Returns at least
/// one line.
#[must_use]
pub(crate) fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width.max(1));
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        let space = if line.is_empty() { "" } else { " " };
        if columns(&line) + space.len() + columns(word) <= width {
            line = line + space + word;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        // A word that is wider than a line continues in the next line.
        for character in word.chars() {
            if columns(&line) + columns(character.encode_utf8(&mut [0; 4])) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    lines
}

/// The parts of a question's window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QuestionLayout {
    /// The window with its border.
    pub(crate) window: Rect,
    /// The question's lines.
    pub(crate) lines: Vec<String>,
    /// The row of [`ANSWERS`].
    pub(crate) answers: Rect,
}

/// The parts of a question's window, in the middle of a body.
#[must_use]
pub(crate) fn question(body: Rect, text: &str) -> QuestionLayout {
    let width = QUESTION_WIDTH.min(body.width);
    let lines = wrap(text, width.saturating_sub(2));
    let window = centred(body, width, lines.len() + 1);
    let row = window.bottom().saturating_sub(2);
    QuestionLayout { window, lines, answers: Rect::new(window.x + 1, row, window.width - 2, 1) }
}

/// A window for this many rows, in the middle of a body.
#[must_use]
pub(crate) fn centred(body: Rect, width: u16, rows: usize) -> Rect {
    let width = width.min(body.width);
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(body.height);
    let x = body.x + (body.width - width) / 2;
    Rect::new(x, body.y + (body.height - height) / 2, width, height)
}

impl QuestionLayout {
    /// The answer at a position of the screen: yes or no.
    #[must_use]
    pub(crate) fn answer_at(&self, position: Position) -> Option<bool> {
        if !self.answers.contains(position) {
            return None;
        }
        let column = position.x - self.answers.x;
        let yes = YES.contains(&column);
        (yes || NO.contains(&column)).then_some(yes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_long_words_anywhere() {
        assert_eq!(wrap("one two three", 20), ["one two three"]);
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("a abcdefghij b", 4), ["a", "abcd", "efgh", "ij b"]);
        assert_eq!(wrap("KQRZX  Ada", 20), ["KQRZX  Ada"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("漢字漢字", 4), ["漢字", "漢字"]);
    }

    #[test]
    fn the_answers_are_where_they_are_drawn() {
        let parts = question(Rect::new(0, 1, 24, 7), "Leave? You lose the running game.");
        assert_eq!((parts.lines.len(), parts.window.height), (2, 5));
        let at = |column| parts.answer_at(Position::new(parts.answers.x + column, parts.answers.y));
        assert_eq!(
            [at(0), at(4), at(5), at(8), at(12)],
            [Some(true), Some(true), None, Some(false), None]
        );
        assert_eq!(&ANSWERS[usize::from(YES.start)..usize::from(YES.end)], "y yes");
        assert_eq!(&ANSWERS[usize::from(NO.start)..usize::from(NO.end)], "n no");
    }
}
