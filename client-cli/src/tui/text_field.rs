//! A text field with a caret.

use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_protocol::text::{BYTES_PER_CHAR, is_unsafe, length};
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};

/// The longest text that can be typed, in characters. Addresses are shorter.
const MAX_TYPED: usize = 200;

/// A text field with a caret.
#[derive(Debug, Default)]
pub(crate) struct TextField {
    input: Input,
    /// Whether the text is still the default. The first typed character replaces it.
    pub(super) untouched: bool,
    /// Whether stars stand for the text.
    secret: bool,
}

impl TextField {
    /// A field with a default text.
    pub(crate) fn filled(text: String) -> Self {
        Self { input: Input::new(text), untouched: true, secret: false }
    }

    /// A field with a text that somebody typed before.
    pub(super) fn typed(text: String) -> Self {
        Self { input: Input::new(text), ..Self::default() }
    }

    /// A field for a secret.
    pub(crate) fn secret() -> Self {
        Self { secret: true, ..Self::default() }
    }

    /// The text so far.
    pub(crate) fn text(&self) -> &str {
        self.input.value()
    }

    /// The visible part of it: text and caret.
    pub(crate) fn shown(&self) -> Input {
        if !self.secret {
            return self.input.clone();
        }
        let stars = "*".repeat(self.text().chars().count());
        Input::new(stars).with_cursor(self.input.cursor())
    }

    /// Types a pasted text in one line, as much as fits.
    pub(super) fn paste(&mut self, text: &str) {
        let ends = ['\n', '\r', '\t', '\u{2028}', '\u{2029}'];
        let parts: Vec<&str> = text.split(ends).filter(|part| !part.is_empty()).collect();
        let line = parts.join(" ");
        let letters = line.chars().filter(|letter| !is_unsafe(*letter));
        for letter in letters.take(MAX_TYPED * BYTES_PER_CHAR) {
            self.key(KeyEvent::from(KeyCode::Char(letter)));
        }
    }

    /// Handles a key that types, deletes or moves the caret.
    pub(super) fn key(&mut self, key: KeyEvent) {
        let Some(request) = to_input_request(&Event::Key(key)) else { return };
        let was_untouched = std::mem::take(&mut self.untouched);
        let mut changed = self.input.clone();
        if let InputRequest::InsertChar(typed) = request {
            if is_unsafe(typed) {
                return;
            }
            if was_untouched {
                changed.reset();
            }
        }
        changed.handle(request);
        if length(changed.value()) <= MAX_TYPED {
            self.input = changed;
        }
    }
}

#[cfg(test)]
mod tests;
