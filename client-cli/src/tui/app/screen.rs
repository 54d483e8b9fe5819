//! The parts of the full screen: a screen, a window over it, and the message line.

use std::time::Instant;

use super::{Form, Question, TextField};
use crate::choices::Choices;
use crate::choices::party::PartyChoices;

/// The current screen.
#[derive(Debug)]
pub enum Screen {
    /// The form for server and name.
    Form(Form),
    /// The list of servers. The item after the last one is for another address.
    Servers,
    /// The question for the server's password.
    Password(TextField),
    /// Waiting for the server's first answer.
    Connecting,
    /// The main menu, see [`App::menu`](super::App::menu).
    Menu,
    /// Name, server and how the full screen looks and rings.
    Settings,
    /// The settings of a new game.
    Setup(Choices),
    /// The question for a room code.
    Code(TextField),
    /// The list of public rooms.
    Lobby,
    /// Waiting for a room.
    Entering,
    /// Waiting for a stranger in a quick match.
    Quick {
        /// When the wait began.
        since: Instant,
    },
    /// The player's own kept games.
    Games,
    /// Profiles, or the strongest players.
    People,
    /// The question for a file for the player's identity.
    SaveIdentity(TextField),
    /// A kept game.
    Replay,
    /// The question for the name of a new party.
    PartyName(TextField),
    /// The settings of a new party.
    PartySetup(PartyChoices),
    /// A party.
    Party,
    /// The question for the note of a result in a party.
    PartyNote(TextField),
    /// A room.
    Room,
}

/// A window over the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// The list of keys.
    Help {
        /// The page, from 0.
        page: usize,
    },
    /// A question to confirm.
    Question(Question),
    /// The emotes to say.
    Emotes,
}

/// The message line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Whether it is about an error.
    pub error: bool,
}
