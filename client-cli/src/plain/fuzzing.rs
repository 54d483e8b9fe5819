//! The conversation in lines as [`crate::fuzzing`] feeds it. Nothing else uses it.

use std::time::Instant;

use futures::FutureExt;
use noughts_protocol::text::is_unsafe;
use noughts_protocol::{Role, ServerMessage};

use super::conversation::Conversation;
use super::input;
use crate::address::ServerAddress;
use crate::core::Action;
use crate::fuzzing::{Unanswered, welcome};
use crate::ids::IntentIds;

/// The client in lines of text with a server.
pub(crate) struct Lines {
    conversation: Conversation,
    now: Instant,
    unanswered: Unanswered,
}

impl Lines {
    pub(crate) fn new(ids: IntentIds) -> Self {
        let room = "KQRZX".parse().expect("a code");
        let action = Action::Join { room, role: Role::Player };
        let conversation = Conversation::new(action, ServerAddress::default(), ids, false);
        let mut lines =
            Self { conversation, now: Instant::now(), unanswered: Unanswered::default() };
        lines.conversation.receive(welcome(), lines.now);
        lines.flush();
        lines
    }

    pub(crate) fn hear(&mut self, message: ServerMessage) {
        if let Some(incoming) = self.unanswered.incoming(message) {
            self.conversation.receive(incoming, self.now);
        }
        self.flush();
    }

    pub(crate) fn typed(&mut self, line: &str) {
        if self.conversation.wants_line() {
            self.conversation.line(line.to_owned());
        }
        self.flush();
    }

    /// The same bytes through the reader of lines, and its end.
    pub(crate) fn all_typed(&mut self, input: &[u8]) {
        let mut lines = input::LineReader::new(input);
        while let Some(Some(line)) = lines.next().now_or_never() {
            self.typed(&line);
        }
        self.conversation.end_of_input();
        self.flush();
    }

    fn flush(&mut self) {
        for intent in self.conversation.take_intents() {
            if let Err(intent) = self.unanswered.sent(intent) {
                self.conversation.not_sent(&intent, "busy");
            }
        }
        let text = self.conversation.take_text();
        let shown = text.chars().find(|c| is_unsafe(*c) && *c != '\n');
        assert_eq!(shown, None, "it reached the output: {text:?}");
        self.conversation.exit();
    }
}
