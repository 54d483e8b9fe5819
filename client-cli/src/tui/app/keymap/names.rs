//! The names of keys in the table, and where a key moves.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Whether a key has a name, or belongs to the keys of a name.
pub(super) fn is_named(name: &str, key: KeyEvent) -> bool {
    let (control, name) = match name.strip_prefix("Ctrl-") {
        Some(letter) => (true, letter.to_lowercase()),
        None => (false, name.to_owned()),
    };
    control == key.modifiers.contains(KeyModifiers::CONTROL)
        && match (&*name, key.code) {
            ("arrows", KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down)
            | ("Tab", KeyCode::Tab | KeyCode::BackTab)
            // The zero is answered too: there is no such cell.
            | ("1-9", KeyCode::Char('0'..='9'))
            | ("1-8", KeyCode::Char('1'..='8'))
            | ("a-g", KeyCode::Char('a'..='g'))
            | ("space", KeyCode::Char(' '))
            | ("Enter", KeyCode::Enter)
            | ("Esc", KeyCode::Esc)
            | ("Up", KeyCode::Up)
            | ("Down", KeyCode::Down)
            | ("PageUp", KeyCode::PageUp)
            | ("PageDown", KeyCode::PageDown)
            | ("Home", KeyCode::Home)
            | ("End", KeyCode::End) => true,
            ("hjkl", KeyCode::Char(letter)) => "hjkl".contains(letter),
            (name, KeyCode::Char(letter)) => name.chars().eq([letter]),
            _ => false,
        }
}

/// The columns and rows by which a key moves. A click moves on.
pub(in crate::tui::app) const fn direction(key: KeyCode) -> (i16, i16) {
    match key {
        KeyCode::Left | KeyCode::Char('h') => (-1, 0),
        KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab | KeyCode::PageUp => (0, -1),
        KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab | KeyCode::PageDown => (0, 1),
        _ => (1, 0),
    }
}
