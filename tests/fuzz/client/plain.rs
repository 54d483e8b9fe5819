//! Access to the client's conversation in lines of text, for the fuzz target `client`. It is compiled
//! as `noughts_cli::plain::fuzzing`, with the feature `fuzzing` alone: a conversation is private
//! there.

use std::time::Instant;

use futures::FutureExt;
use noughts_protocol::Role;

use super::conversation::Conversation;
use super::input::LineReader;
use crate::address::ServerAddress;
use crate::core::{Action, ConnectionEvent, Input, Output};

/// A client in lines of text that joins the room `KQRZX`, without input, output and connection.
pub struct LineClient {
    conversation: Conversation,
}

impl std::fmt::Debug for LineClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LineClient").finish_non_exhaustive()
    }
}

impl LineClient {
    /// Starts to join the room.
    ///
    /// # Panics
    /// Never: the code is right.
    #[must_use]
    pub fn join() -> Self {
        let room = "KQRZX".parse().expect("a code");
        let action = Action::join(room, Role::Player);
        Self { conversation: Conversation::new(action, ServerAddress::default(), 0, false) }
    }

    /// Receives an event of the connection.
    pub fn receive(&mut self, event: ConnectionEvent, now: Instant) {
        self.conversation.now = now;
        let outputs = self.conversation.session.update(Input::Connection(event), now);
        let happened = |output| match output {
            Output::Happened(happening) => Some(happening),
            Output::Send(_) | Output::Reconnect | Output::Forget => None,
        };
        self.conversation.happened(outputs.into_iter().filter_map(happened).collect());
    }

    /// Types a line, if the client reads input now.
    pub fn type_line(&mut self, line: &str) {
        if self.conversation.wants_line() {
            self.conversation.line(line.to_owned());
        }
    }

    /// Ends the input.
    pub fn end_input(&mut self) {
        self.conversation.end_of_input();
    }

    /// The text to print. Whether the program ends is computed too.
    pub fn take_text(&mut self) -> String {
        self.conversation.take_messages();
        let text = self.conversation.take_text();
        self.conversation.exit();
        text
    }
}

/// The lines in bytes, as the client reads its input.
#[must_use]
pub fn read_lines(input: &[u8]) -> Vec<String> {
    let mut reader = LineReader::new(input);
    std::iter::from_fn(|| reader.next().now_or_never().flatten()).collect()
}
