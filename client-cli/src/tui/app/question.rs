//! Questions in a window over the screen, and what their answers do.

use std::time::{Duration, Instant};

use crossterm::event::KeyEvent;
use noughts_protocol::{LobbyIntent, PartyIntent, Role, RoomCode, RoomIntent};

use super::{App, AppEvent, KeyAction, Overlay};
use crate::client::Exit;
use crate::session::Action;
use crate::strings::people;

/// For how long a window that closed by itself still takes the keys: they were meant for it.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// The keys that may answer a window, or do something after it.
#[derive(Debug, Default)]
pub(super) struct Care {
    /// Whether the key came with others in one read.
    in_a_row: bool,
    /// When a window closed by itself.
    closed: Option<Instant>,
}

impl AppEvent {
    /// Whether the player causes it on purpose.
    pub(super) const fn is_players(&self) -> bool {
        matches!(
            self,
            Self::Key(_) | Self::Keys(_) | Self::Paste(_) | Self::Click(_) | Self::Wheel { .. }
        )
    }
}

/// A question that a key answers, yes or no for most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Resign the game?
    Resign,
    /// Leave the room during a game?
    Leave,
    /// End the program during a game?
    Quit,
    /// How long is the new series?
    Series,
    /// Have the server forget the player?
    Forget,
    /// Watch a room whose seats are taken?
    Watch(RoomCode),
    /// Start the party?
    StartParty,
    /// End the party?
    EndParty,
    /// Play no more in the party?
    Withdraw,
    /// Follow the party no more, though the player plays in it?
    LeaveParty,
    /// The host chooses a result for this pairing.
    Decide(u32),
}

impl Question {
    /// The keys that answer it, for a sentence.
    pub(super) const fn keys(self) -> &'static str {
        match self {
            Self::Series => "o, 3, 5 or n",
            Self::Decide(_) => "1, 2, d or n",
            _ => "y or n",
        }
    }

    /// The window's title and text.
    pub(crate) fn title_and_text(self) -> (&'static str, String) {
        match self {
            Self::Resign => ("Resign", "Resign this game?".to_owned()),
            Self::Leave => ("Leave", "Leave? You lose the running game.".to_owned()),
            Self::Quit => {
                let key = KeyAction::Interrupt.key();
                let text = format!("Leave? Your seat is kept. Press {key} again to leave.");
                ("A game is running", text)
            }
            Self::Series => {
                ("A new series", "The score begins at zero with the next game.".to_owned())
            }
            Self::Forget => ("Forget me", format!("{} Go on?", people::FORGET)),
            Self::Watch(room) => {
                ("Both seats are taken", format!("Watch the game in {room} instead?"))
            }
            Self::StartParty => {
                ("Start", "Start the party now? People may still come later.".to_owned())
            }
            Self::EndParty => ("End", "End the party? The places are those of now.".to_owned()),
            Self::Withdraw => {
                ("Drop out", "Play no more? A running game is lost. You may come back.".to_owned())
            }
            Self::LeaveParty => (
                "Leave",
                "Leave the party's screen? You stay in it, and lose games for which you are not \
                 there."
                    .to_owned(),
            ),
            // The window names the players.
            Self::Decide(_) => ("The result", String::new()),
        }
    }
}

impl App {
    /// Whether keys belong to a window, or to something that is typed in a room.
    pub(super) const fn takes_keys(&self) -> bool {
        self.overlay.is_some() || self.talk.field.is_some() || self.typed.is_some()
    }

    /// Something that took the keys has closed, and the player did not do it.
    pub(super) const fn window_closed(&mut self) {
        self.care.closed = Some(self.now);
    }

    pub(super) fn window_just_closed(&self) -> bool {
        let since = |closed| self.now.saturating_duration_since(closed);
        self.care.closed.is_some_and(|closed| since(closed) < AFTERWARDS)
    }

    /// Handles keys that came in one read. They are typed and play as ever, but none of them answers a
    /// question: a text that the terminal pastes as keys may hold a "y".
    pub(super) fn keys(&mut self, keys: Vec<KeyEvent>) {
        self.care.in_a_row = true;
        keys.into_iter().for_each(|key| self.key(key));
        self.care.in_a_row = false;
    }

    /// Whether a key came with others in one read.
    pub(super) const fn is_in_a_row(&self) -> bool {
        self.care.in_a_row
    }

    /// Whether a key does nothing: it was meant for a window that closed by itself, or is one of
    /// several that came at once while a question is open.
    pub(super) fn drops(&mut self, action: Option<KeyAction>) -> bool {
        let always = [KeyAction::Interrupt, KeyAction::Redraw, KeyAction::Suspend];
        if action.is_some_and(|action| always.contains(&action)) {
            return false;
        }
        match self.overlay {
            Some(Overlay::Question(question)) if self.care.in_a_row => {
                self.info(format!(
                    "Several keys at once answer nothing: press {}.",
                    question.keys()
                ));
                true
            }
            _ => self.window_just_closed(),
        }
    }

    /// Does what the question is about.
    pub(super) fn confirm(&mut self) {
        let Some(Overlay::Question(question)) = self.overlay.take() else { return };
        match question {
            Question::Resign => {
                self.ask(RoomIntent::Resign { game: self.session.game() });
            }
            // Other keys answer it.
            Question::Series | Question::Decide(_) => {}
            Question::StartParty => self.ask(PartyIntent::StartParty),
            Question::EndParty => self.ask(PartyIntent::EndParty),
            Question::Withdraw => self.ask(PartyIntent::Withdraw),
            Question::LeaveParty => self.leave_party(),
            Question::Leave => self.leave(),
            Question::Quit => self.quit(Exit::Done),
            Question::Forget => self.ask(LobbyIntent::Forget),
            Question::Watch(room) => self.begin(Action::join(room, Role::Spectator)),
        }
    }
}
