//! Access to the client's view in lines of text, for the fuzz target `client`. It is compiled
//! as `noughts_cli::plain::fuzzing`, with the feature `fuzzing` alone: a view is private
//! there.

use std::time::Instant;

use futures::FutureExt;
use noughts_protocol::Role;

use super::input::LineReader;
use super::view::PlainView;
use crate::net::address::ServerAddress;
use crate::session::{Action, ConnectionEvent, Input};

/// A client in lines of text that joins the room `KQRZX`, without input, output and connection.
pub struct LineClient {
    view: PlainView,
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
        Self { view: PlainView::new(action, ServerAddress::default(), 0, false) }
    }

    /// Receives an event of the connection.
    pub fn receive(&mut self, event: ConnectionEvent, now: Instant) {
        self.view.console.now = now;
        let happenings = self.view.console.update(Input::Connection(event));
        self.view.happened(happenings);
    }

    /// Types a line, if the client reads input now.
    pub fn type_line(&mut self, line: &str) {
        if self.view.wants_line() {
            self.view.line(line.to_owned());
        }
    }

    /// Ends the input.
    pub fn end_input(&mut self) {
        self.view.end_of_input();
    }

    /// The text to print. Whether the program ends is computed too.
    pub fn take_text(&mut self) -> String {
        self.view.console.take_messages();
        let text = self.view.console.take_text();
        self.view.exit();
        text
    }
}

/// The lines in bytes, as the client reads its input.
#[must_use]
pub fn read_lines(input: &[u8]) -> Vec<String> {
    let mut reader = LineReader::new(input);
    std::iter::from_fn(|| reader.next().now_or_never().flatten()).collect()
}
