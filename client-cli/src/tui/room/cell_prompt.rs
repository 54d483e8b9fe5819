//! A cell's name that is typed: `b2`, then Enter. Only boards whose cells have a letter and a number have
//! it. A column's letter begins a name, unless it is a key that means something at the moment; `g` begins
//! one too, and the next letter takes its place. After a key that was refused, Enter asks once before it
//! plays the cell of the cursor: the key may have been meant as a cell.

use crossterm::event::KeyCode;
use noughts_protocol::{BoardSpec, Cell};

use crate::strings::columns;

/// The key that begins a name.
pub(super) const KEY: &str = "g";

/// The text before the name.
const LABEL: &str = " Cell: ";

/// A cell's name that is typed.
#[derive(Debug, Default)]
pub(in crate::tui) struct CellPrompt {
    /// The typed part, while the player types one.
    pub(in crate::tui) typed: Option<String>,
    /// The cell of the cursor before the name was typed.
    pub(super) from: Option<Cell>,
    /// Whether the last key was refused, so that Enter asks before it plays.
    pub(in crate::tui) doubtful: bool,
}

/// The typed part of a name after one more letter or digit. A letter replaces the column, and a
/// digit needs one. A key that no name can have changes nothing.
fn typed_after(typed: &str, spec: BoardSpec, key: char) -> String {
    let letter = key.to_ascii_lowercase();
    let is_column = ('a'..).zip(0..spec.width()).any(|(column, _)| column == letter);
    let digits = typed.len().saturating_sub(1);
    match key {
        _ if is_column => letter.to_string(),
        '1'..='9' if typed.len() == 1 => format!("{typed}{key}"),
        '0'..='9' if digits == 1 => format!("{typed}{key}"),
        _ => typed.to_owned(),
    }
}

/// Whether a letter begins a name: it is a column.
pub(super) fn begins(spec: BoardSpec, letter: char) -> bool {
    !typed_after("", spec, letter).is_empty()
}

impl CellPrompt {
    /// Begins a name with a letter, if it is a column.
    pub(super) fn begin(&mut self, spec: BoardSpec, letter: char, cursor: Cell) {
        self.from = Some(cursor);
        self.doubtful = false;
        self.typed = Some(typed_after("", spec, letter));
    }

    /// Takes a key while a name is typed. Returns the cell of the cursor: it shows on the board what is
    /// typed.
    pub(super) fn take(&mut self, spec: BoardSpec, key: KeyCode, cursor: Cell) -> Cell {
        let Some(typed) = &self.typed else { return cursor };
        let typed = match key {
            KeyCode::Char(key) => typed_after(typed, spec, key),
            KeyCode::Backspace if typed.len() < 2 => return self.clear(cursor),
            KeyCode::Backspace => typed[..typed.len() - 1].to_owned(),
            _ => return cursor,
        };
        let cell = spec.parse_cell(&typed).unwrap_or(self.from.unwrap_or(cursor));
        self.typed = Some(typed);
        cell
    }

    /// Clears what is typed. The cursor goes back to where it was before.
    pub(super) fn clear(&mut self, cursor: Cell) -> Cell {
        self.typed.take().and(self.from).unwrap_or(cursor)
    }

    /// The line that shows what is typed, and the column of the caret.
    pub(super) fn prompt(&self, width: u16) -> Option<(String, u16)> {
        let before = format!("{LABEL}{}", self.typed.as_ref()?);
        let caret = u16::try_from(columns(&before)).unwrap_or(u16::MAX);
        // The last row names the keys too, where this has no room for them.
        let full = format!("{before}_  Enter plays, Esc clears");
        let fits = columns(&full) <= usize::from(width);
        Some((if fits { full } else { before + "_" }, caret))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(board: &str, keys: &str) -> String {
        let spec = board.parse().unwrap();
        keys.chars().fold(String::new(), |typed, key| typed_after(&typed, spec, key))
    }

    #[test]
    fn a_name_is_a_column_and_a_row() {
        assert_eq!(typed("15x15x5", "b2"), "b2");
        assert_eq!(typed("15x15x5", "H12"), "h12");
        assert_eq!(typed("15x15x5", "gh8"), "h8", "the second letter takes the place of the first");
        assert_eq!(typed("15x15x5", "b2c"), "c");
        assert_eq!(typed("15x15x5", "2b"), "b", "a row needs a column");
        assert_eq!(typed("15x15x5", "b0"), "b");
        assert_eq!(typed("15x15x5", "b1234"), "b12");
        assert_eq!(typed("4x4x4", "gz"), "", "there is no such column");
    }
}
