//! A cell's name, typed on the full screen: `b2`, then Enter. Only boards whose cells have a letter and
//! a number have it. A column's letter begins a name, unless it is a key that means something at the
//! moment; `g` begins one too, and the next letter takes its place. After a key that was refused, Enter
//! asks once before it plays the cell of the cursor: the key may have been meant as a cell.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_protocol::{BoardSpec, Cell};

use super::{App, KeyAction, Screen};
use crate::strings::columns;

/// The text before the name.
const LABEL: &str = " Cell: ";

/// The typed part of a name after one more letter or digit. A letter replaces the column, and a digit
/// needs one. What no name can have changes nothing.
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

impl App {
    /// Whether cells are typed by their names: there is a game, and its cells have no digits.
    pub(super) fn takes_cell_names(&self) -> bool {
        self.session.room().is_some_and(|view| {
            view.is_playing() && view.my_choice().is_none() && view.state.settings.board.cells() > 9
        })
    }

    fn spec(&self) -> Option<BoardSpec> {
        self.session.room().map(|view| view.state.settings.board)
    }

    /// Begins a name with a letter, if it is a column.
    pub(super) fn begin_cell(&mut self, letter: char) {
        if let Some(spec) = self.spec() {
            self.typed_from = self.cursor;
            self.doubtful = false;
            self.typed = Some(typed_after("", spec, letter));
        }
    }

    /// Whether a letter begins a name although a key has it: the key means nothing now.
    pub(super) fn is_column(&self, key: KeyEvent) -> bool {
        let KeyCode::Char(letter) = key.code else { return false };
        let held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let in_room = matches!(self.screen, Screen::Room) && self.review_ply.is_none();
        in_room
            && !held
            && self.overlay.is_none()
            && self.typed.is_none()
            && self.takes_cell_names()
            && self.spec().is_some_and(|spec| !typed_after("", spec, letter).is_empty())
    }

    /// Takes a key while a name is typed.
    pub(super) fn type_cell(&mut self, key: KeyCode) {
        let (Some(spec), Some(typed)) = (self.spec(), &self.typed) else { return };
        let typed = match key {
            KeyCode::Char(key) => typed_after(typed, spec, key),
            KeyCode::Backspace if typed.len() < 2 => return self.clear_typed(),
            KeyCode::Backspace => typed[..typed.len() - 1].to_owned(),
            _ => return,
        };
        // The cursor shows on the board what is typed.
        self.cursor = spec.parse_cell(&typed).unwrap_or(self.typed_from);
        self.typed = Some(typed);
    }

    /// Clears what is typed. The cursor goes back to where it was before.
    pub(super) fn clear_typed(&mut self) {
        if self.typed.take().is_some() {
            self.cursor = self.typed_from;
        }
    }

    /// Plays the typed cell. If it cannot be, the cursor goes back to where it was.
    pub(super) fn play_typed(&mut self) {
        let (Some(spec), Some(typed)) = (self.spec(), self.typed.take()) else { return };
        if let Ok(cell) = spec.parse_cell(&typed) {
            self.play(cell);
        } else {
            let last = spec.label(Cell(spec.cells() - 1));
            self.error(format!("a cell is a letter and a number, from a1 to {last}"));
        }
        if self.message.as_ref().is_some_and(|message| message.error) {
            self.cursor = self.typed_from;
            self.doubtful = true;
        }
    }

    /// Plays the cell of the cursor. After a refused key it only says which one that is.
    pub(super) fn play_cursor(&mut self) {
        let is_turn = self.session.room().is_some_and(|view| view.my_turn().is_some());
        let doubtful = self.doubtful;
        // Of keys that came in one read none confirms what another one asked.
        self.doubtful &= self.is_in_a_row();
        let asks = doubtful && is_turn && self.takes_cell_names();
        match self.spec().filter(|_| asks) {
            Some(spec) => self.info(format!("Enter again plays {}.", spec.label(self.cursor))),
            None => self.play(self.cursor),
        }
    }

    /// The line that shows what is typed, and the column of the caret.
    pub(crate) fn cell_prompt(&self) -> Option<(String, u16)> {
        let typed = self.typed.as_ref().filter(|_| matches!(self.screen, Screen::Room))?;
        let before = format!("{LABEL}{typed}");
        let caret = u16::try_from(columns(&before)).unwrap_or(u16::MAX);
        // The last row names the keys too, where this has no room for them.
        let full = format!("{before}_  Enter plays, Esc clears");
        let fits = columns(&full) <= usize::from(self.size.width);
        Some((if fits { full } else { before + "_" }, caret))
    }

    /// Says that a key means nothing here, and which ones do; or begins a cell's name with it.
    pub(super) fn meaningless(&mut self, key: KeyEvent) {
        if self.is_column(key)
            && let KeyCode::Char(letter) = key.code
        {
            return self.begin_cell(letter);
        }
        // Somebody who presses Esc once too often stays.
        if key.code == KeyCode::Esc && matches!(self.screen, Screen::Menu) {
            return self.info("Press q to quit.");
        }
        let KeyCode::Char(letter) = key.code else { return };
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return;
        }
        let key = if letter == ' ' { "space".to_owned() } else { letter.to_string() };
        let instead = self.instead();
        self.doubtful = true;
        self.info(format!("{key} means nothing here: {instead}? shows the keys."));
    }

    /// The keys that a player in a room may have wanted.
    fn instead(&self) -> String {
        let in_room = matches!(self.screen, Screen::Room) && self.review_ply.is_none();
        let Some(view) = self.session.room().filter(|_| in_room) else { return String::new() };
        match view.my_choice() {
            Some(true) => "x, o or a chooses, ".to_owned(),
            Some(false) => "x or o chooses, ".to_owned(),
            None if !view.is_playing() || view.my_turn().is_none() => String::new(),
            None if self.takes_cell_names() => {
                format!("{} types a cell, ", KeyAction::TypeCell.key())
            }
            None => "1 to 9 place a mark, ".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{hint, moves, snapshot};
    use crate::tui::app::Effect;
    use crate::tui::app::tests::{AppDriver, cell_of};

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

    fn large() -> AppDriver {
        AppDriver::in_room(snapshot("15x15x5", &[]))
    }

    #[test]
    fn a_typed_cell_is_seen_and_played() {
        for keys in ["b2", "gb2", "gq2\u{8}b2"] {
            let mut driver = large();
            for key in keys.chars() {
                let key = if key == '\u{8}' { KeyCode::Backspace } else { KeyCode::Char(key) };
                assert_eq!(driver.press(key), [], "{keys}");
            }
            let (prompt, caret) = driver.app.cell_prompt().unwrap();
            assert_eq!(prompt, " Cell: b2_  Enter plays, Esc clears");
            assert_eq!(caret, 9);
            assert_eq!(driver.app.cursor, Cell(16));
            assert_eq!(cell_of(&driver.press(KeyCode::Enter)), 16);
            assert_eq!(driver.app.typed, None);
        }
    }

    #[test]
    fn a_key_that_means_something_keeps_its_meaning() {
        let mut driver = large();
        let asked = driver.type_text("i");
        assert!(matches!(&asked[..], [Effect::Send(_)]), "a hint");
        driver.feed(hint(0, &[112], "best"));
        driver.type_text("b");
        driver.press(KeyCode::Left);
        assert_eq!((driver.app.cursor, &driver.app.typed), (Cell(111), &None), "an arrow moves");
        driver.type_text("b2");
        driver.press(KeyCode::Esc);
        assert_eq!((&driver.app.typed, driver.app.overlay), (&None, None), "nothing was left");
        driver.press(KeyCode::Esc);
        assert!(driver.app.overlay.is_some(), "leave?");
    }

    /// The cell that is played by keys and one Enter, on a board of 15 x 15 with the cursor on h8.
    fn played(keys: &str) -> Option<u16> {
        let mut driver = large();
        driver.type_text(keys);
        let effects = driver.press(KeyCode::Enter);
        (!effects.is_empty()).then(|| cell_of(&effects))
    }

    #[test]
    fn enter_plays_no_other_cell_than_the_typed_one() {
        for (keys, cell) in
            [("d4", 48), ("c3", 32), ("l3", 41), ("j10", 144), ("h1", 7), ("D4", 48)]
        {
            assert_eq!(played(keys), Some(cell), "{keys}");
        }
        for keys in ["z3", "e55", "4", "d", "r3", "e0", "v4"] {
            assert_eq!(played(keys), None, "{keys}");
        }
    }

    #[test]
    fn after_a_refused_key_enter_asks_before_it_plays() {
        for keys in ["z", "4", "z3", "r3"] {
            let mut driver = large();
            driver.type_text(keys);
            assert_eq!(driver.press(KeyCode::Enter), [], "{keys}");
            assert_eq!(driver.message(), "Enter again plays h8.");
            assert_eq!(cell_of(&driver.press(KeyCode::Enter)), 112, "{keys}");
        }
        let mut driver = large();
        driver.type_text("z");
        driver.press(KeyCode::Right);
        assert_eq!(driver.app.message, None);
        assert_eq!(cell_of(&driver.press(KeyCode::Enter)), 113, "the cursor was moved since");
    }

    #[test]
    fn the_cursor_goes_back_from_a_name_that_is_not_played() {
        let mut driver = AppDriver::in_room(snapshot("15x15x5", &[0, 1]));
        driver.type_text("b2");
        assert_eq!(driver.app.cursor, Cell(16));
        driver.press(KeyCode::Esc);
        assert_eq!(driver.app.cursor, Cell(112), "cleared");
        driver.type_text("b2c");
        assert_eq!(driver.app.cursor, Cell(112), "another name is begun");
        driver.press(KeyCode::Backspace);
        driver.type_text("b1");
        assert_eq!(driver.press(KeyCode::Enter), [], "taken");
        assert_eq!(driver.app.cursor, Cell(112));
        assert_eq!(driver.press(KeyCode::Enter), []);
        assert_eq!(driver.message(), "Enter again plays h8.");
    }

    #[test]
    fn a_name_that_is_no_cell_is_explained_and_not_sent() {
        let mut driver = large();
        driver.type_text("b19");
        assert_eq!(driver.press(KeyCode::Enter), []);
        assert_eq!(driver.message(), "a cell is a letter and a number, from a1 to o15");
    }

    #[test]
    fn a_key_without_a_meaning_says_so() {
        let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
        driver.type_text("z");
        let expected = "z means nothing here: 1 to 9 place a mark, ? shows the keys.";
        assert_eq!(driver.message(), expected);
        assert!(!driver.app.message.as_ref().unwrap().error, "a warning, not an error");
        let mut driver = large();
        driver.type_text("z");
        let expected = "z means nothing here: g types a cell, ? shows the keys.";
        assert_eq!(driver.message(), expected);
        driver.type_text("7");
        let expected = "a cell is a letter and a number here, such as h8: g types one";
        assert_eq!(driver.message(), expected);
        driver.type_text("~");
        assert!(driver.message().starts_with("~ means nothing"));
        let mut waits = AppDriver::in_room(crate::fixture::waiting());
        for key in ["r", "N", "R"] {
            waits.type_text(key);
            assert_eq!(waits.message(), format!("{key} means nothing here: ? shows the keys."));
        }
    }

    #[test]
    fn the_end_of_the_game_ends_the_name() {
        let start = snapshot("6x6x4", &[0, 6, 1, 7, 2, 8]);
        let mut driver = AppDriver::in_room(start.clone());
        driver.type_text("b2");
        moves(&start, &[3]).into_iter().for_each(|event| drop(driver.feed(event)));
        assert_eq!(driver.app.typed, None);
        let played = driver.type_text("b2");
        assert!(!played.iter().any(|effect| format!("{effect:?}").contains("Play")));
    }
}
