//! Text that is typed on the screen, and the form that asks for server and name.

use crossterm::event::KeyCode;
use noughts_protocol::{PlayerName, text::is_unsafe};

use crate::address::{Link, ServerAddress};

/// The longest text that can be typed, in characters; a longer address is not typed by hand.
const MAX_TYPED: usize = 200;

/// A line of text that is being typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextField {
    /// The text so far.
    pub text: String,
    /// Whether it is as it was filled in: the first letter typed replaces it.
    pub untouched: bool,
}

impl TextField {
    /// A line that is filled in.
    #[must_use]
    pub const fn filled(text: String) -> Self {
        Self { text, untouched: true }
    }

    /// Takes a key that types or deletes.
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

/// The form that asks for server and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The server's address.
    pub server: TextField,
    /// The player's name.
    pub name: TextField,
    /// Whether the name is being typed, else the address.
    pub at_name: bool,
}

impl Form {
    /// The form, filled in.
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

    /// What was typed, once it is right; else what is wrong.
    pub(super) fn read(&self) -> Result<(Link, PlayerName), String> {
        let link = self.server.text.parse::<Link>().map_err(|e| e.to_string())?;
        let name = self.name.text.trim().parse().map_err(|e| format!("{e}"))?;
        Ok((link, name))
    }
}
