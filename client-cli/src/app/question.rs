//! Questions over a screen, and the actions that their answers lead to.

use crossterm::event::KeyCode;
use noughts_protocol::{Role, RoomCode};

use super::App;
use crate::goal::Goal;
use crate::start::Exit;

/// Something to be confirmed with y or n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Give the game up.
    Resign,
    /// Leave a running game.
    Leave,
    /// End the program during a game.
    Quit,
    /// Watch a room whose seats are taken.
    Watch(RoomCode),
}

impl Question {
    /// The title and the text.
    pub(crate) fn words(self) -> (&'static str, String) {
        match self {
            Self::Resign => ("Resign", "Give this game up?".to_owned()),
            Self::Leave => ("Leave", "Leave? You lose the running game.".to_owned()),
            Self::Quit => {
                let text = "Go? Your seat is kept; Ctrl-C again also goes.";
                ("A game is running", text.to_owned())
            }
            Self::Watch(room) => {
                ("Both seats are taken", format!("Watch the game in {room} instead?"))
            }
        }
    }
}

impl App {
    pub(super) fn answer(&mut self, question: Question, key: KeyCode) {
        match key {
            KeyCode::Char('y' | 'Y') => {}
            KeyCode::Char('n' | 'N') | KeyCode::Esc => {
                self.overlay = None;
                return;
            }
            _ => return,
        }
        self.overlay = None;
        match question {
            Question::Resign => {
                if let Some(intent) = self.session.resign() {
                    self.send(intent);
                }
            }
            Question::Leave => self.leave(),
            Question::Quit => self.quit(Exit::Done),
            Question::Watch(room) => self.begin(Goal::Join { room, role: Role::Spectator }),
        }
    }
}
