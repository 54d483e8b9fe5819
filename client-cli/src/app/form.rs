//! Text fields, and the form for server and name.

use crossterm::event::KeyCode;
use noughts_protocol::{PlayerName, text::is_unsafe};

use crate::address::{Link, ServerAddress};

/// The longest text that can be typed, in characters. Addresses are shorter.
const MAX_TYPED: usize = 200;

/// A text field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextField {
    /// The text so far.
    pub text: String,
    /// Whether the text is still the default. The first typed character replaces it.
    pub untouched: bool,
}

impl TextField {
    /// A field with a default text.
    #[must_use]
    pub const fn filled(text: String) -> Self {
        Self { text, untouched: true }
    }

    /// Handles a key that types or deletes.
    pub(super) fn key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char(c) if !is_unsafe(c) => {
                if std::mem::take(&mut self.untouched) {
                    self.text.clear();
                }
                if self.text.chars().count() < MAX_TYPED {
                    self.text.push(c);
                }
            }
            KeyCode::Backspace => {
                self.untouched = false;
                self.text.pop();
            }
            KeyCode::Left | KeyCode::Right | KeyCode::End | KeyCode::Home => self.untouched = false,
            _ => {}
        }
    }
}

/// The form for server and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The server's address.
    pub server: TextField,
    /// The player's name.
    pub name: TextField,
    /// Whether the name has the focus, else the address has it.
    pub at_name: bool,
}

impl Form {
    /// The form with its default texts.
    #[must_use]
    pub fn new(server: &ServerAddress, name: &PlayerName) -> Self {
        Self {
            server: TextField::filled(server.to_string()),
            name: TextField::filled(name.to_string()),
            at_name: false,
        }
    }

    pub(super) fn key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Up | KeyCode::Down | KeyCode::Tab | KeyCode::BackTab => {
                self.at_name = !self.at_name;
            }
            key if self.at_name => self.name.key(key),
            key => self.server.key(key),
        }
    }

    /// Parses the form; the error says what is wrong.
    pub(super) fn parse(&self) -> Result<(Link, PlayerName), String> {
        let link = self.server.text.parse::<Link>().map_err(|e| e.to_string())?;
        let name = self.name.text.trim().parse().map_err(|e| format!("{e}"))?;
        Ok((link, name))
    }
}
