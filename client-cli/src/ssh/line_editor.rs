//! The editing of lines in a remote terminal, which a local one does by itself: echo, Backspace, Ctrl-C
//! and Ctrl-D. It waits for nothing and writes nothing: the session's task brings the bytes and writes
//! the echo.

use std::mem;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_protocol::text::is_unsafe;

use super::keys::KeyParser;
use crate::strings::columns;
use crate::tui::app::AppEvent;

/// The longest line, in bytes. Text beyond it is dropped.
const MAX_LINE: usize = 512;

/// Something that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineEvent {
    /// A line, without its end.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D in an empty line.
    End,
}

/// Reads the keys of a terminal, in parts of any size.
#[derive(Debug)]
pub(crate) struct LineEditor {
    keys: KeyParser,
    /// The line so far: [`MAX_LINE`] bytes at most.
    line: String,
    echoes: bool,
}

impl LineEditor {
    pub(crate) fn new() -> Self {
        Self { keys: KeyParser::default(), line: String::new(), echoes: true }
    }

    /// Shows typed text, or hides it: a password.
    pub(crate) const fn set_echo(&mut self, echoes: bool) {
        self.echoes = echoes;
    }

    /// Takes in bytes. Returns what to write to the terminal, and what was typed.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> (Vec<u8>, Vec<LineEvent>) {
        let mut echo = String::new();
        let mut typed = Vec::new();
        for event in self.keys.feed(bytes) {
            let keys = match event {
                AppEvent::Key(key) => vec![key],
                AppEvent::Keys(keys) => keys,
                _ => continue,
            };
            typed.extend(keys.into_iter().filter_map(|key| self.key(key, &mut echo)));
        }
        (echo.into_bytes(), typed)
    }

    fn key(&mut self, key: KeyEvent, echo: &mut String) -> Option<LineEvent> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => {
                echo.push_str("\r\n");
                return Some(LineEvent::Line(mem::take(&mut self.line)));
            }
            KeyCode::Char('c') if control => {
                echo.push_str("^C\r\n");
                self.line.clear();
                return Some(LineEvent::Interrupt);
            }
            KeyCode::Char('d') if control => {
                return self.line.is_empty().then_some(LineEvent::End);
            }
            KeyCode::Char('u') if control => self.erase(0, echo),
            KeyCode::Char('h') if control => self.erase_last(echo),
            KeyCode::Backspace => self.erase_last(echo),
            KeyCode::Char(letter)
                if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
                    && !is_unsafe(letter)
                    && self.line.len() + letter.len_utf8() <= MAX_LINE =>
            {
                self.line.push(letter);
                if self.echoes {
                    echo.push(letter);
                }
            }
            _ => {}
        }
        None
    }

    fn erase_last(&mut self, echo: &mut String) {
        let last = self.line.char_indices().next_back();
        self.erase(last.map_or(0, |(start, _)| start), echo);
    }

    /// Takes away the end of the line from here on.
    fn erase(&mut self, start: usize, echo: &mut String) {
        if self.echoes {
            echo.push_str(&"\x08 \x08".repeat(columns(&self.line[start..])));
        }
        self.line.truncate(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(editor: &mut LineEditor, bytes: &[u8]) -> (String, Vec<LineEvent>) {
        let (echo, typed) = editor.feed(bytes);
        (String::from_utf8(echo).unwrap(), typed)
    }

    fn line(text: &str) -> LineEvent {
        LineEvent::Line(text.to_owned())
    }

    #[test]
    fn a_line_is_typed_and_mended() {
        let mut editor = LineEditor::new();
        assert_eq!(fed(&mut editor, "5é".as_bytes()), ("5é".into(), vec![]));
        assert_eq!(fed(&mut editor, b"\x7f"), ("\x08 \x08".into(), vec![]));
        assert_eq!(fed(&mut editor, "表\x7f".as_bytes()).0, "表\x08 \x08\x08 \x08");
        assert_eq!(fed(&mut editor, b"\r"), ("\r\n".into(), vec![line("5")]));
        assert_eq!(fed(&mut editor, b"ab\x15\x7fc\r").1, [line("c")]);
        assert_eq!(fed(&mut editor, b"1\n2\n").1, [line("1"), line("2")]);
    }

    #[test]
    fn a_player_interrupts_and_ends() {
        let mut editor = LineEditor::new();
        assert_eq!(fed(&mut editor, b"ab\x04"), ("ab".into(), vec![]));
        assert_eq!(fed(&mut editor, b"\x03"), ("^C\r\n".into(), vec![LineEvent::Interrupt]));
        assert_eq!(fed(&mut editor, b"\x04").1, [LineEvent::End]);
    }

    /// Fails if a password is shown, even by the number of its letters.
    #[test]
    fn a_password_is_not_shown() {
        let mut editor = LineEditor::new();
        editor.set_echo(false);
        assert_eq!(fed(&mut editor, b"sesam\x7fe\r"), ("\r\n".into(), vec![line("sesae")]));
    }

    /// Fails if a key moves the terminal's caret, or the line grows.
    #[test]
    fn the_echo_has_no_escape_codes_and_the_line_an_end() {
        let mut editor = LineEditor::new();
        let (echo, typed) =
            fed(&mut editor, "\x1b[A\x1bx\x01\u{9b}\u{202e}\x1b]2;a\x07\r".as_bytes());
        assert!(echo.trim_end().chars().all(|shown| !is_unsafe(shown)), "{echo:?}");
        assert_eq!(typed, [line("2;a")]);
        fed(&mut editor, &[b'x'; 10_000]);
        assert_eq!(fed(&mut editor, b"\r").1, [line(&"x".repeat(MAX_LINE))]);
    }
}
