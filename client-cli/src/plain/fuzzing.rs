//! The conversation in lines as [`crate::fuzzing`] feeds it. Nothing else uses it.

use std::time::Instant;

use futures::FutureExt;
use noughts_protocol::text::is_unsafe;
use noughts_protocol::{Role, ServerMessage};

use super::game::Game;
use super::input;
use crate::address::ServerAddress;
use crate::fuzzing::{Unanswered, welcome};
use crate::goal::Goal;
use crate::ids::IntentIds;

/// The client in lines of text with a server.
pub(crate) struct Lines {
    game: Game,
    now: Instant,
    unanswered: Unanswered,
}

impl Lines {
    pub(crate) fn new(ids: IntentIds) -> Self {
        let room = "KQRZX".parse().expect("a code");
        let goal = Goal::Join { room, role: Role::Player };
        let game = Game::new(goal, ServerAddress::default(), ids, false);
        let mut lines = Self { game, now: Instant::now(), unanswered: Unanswered::default() };
        lines.game.receive(welcome(), lines.now);
        lines.flush();
        lines
    }

    pub(crate) fn hear(&mut self, message: ServerMessage) {
        if let Some(incoming) = self.unanswered.incoming(message) {
            self.game.receive(incoming, self.now);
        }
        self.flush();
    }

    pub(crate) fn typed(&mut self, line: &str) {
        if self.game.wants_line() {
            self.game.line(line.to_owned());
        }
        self.flush();
    }

    /// The same bytes through the reader of lines, and its end.
    pub(crate) fn all_typed(&mut self, input: &[u8]) {
        let mut lines = input::Lines::new(input);
        while let Some(Some(line)) = lines.next().now_or_never() {
            self.typed(&line);
        }
        self.game.end_of_input();
        self.flush();
    }

    fn flush(&mut self) {
        for intent in self.game.take_intents() {
            if let Err(intent) = self.unanswered.sent(intent) {
                self.game.not_sent(&intent, "busy");
            }
        }
        let text = self.game.take_text();
        let shown = text.chars().find(|c| is_unsafe(*c) && *c != '\n');
        assert_eq!(shown, None, "it reached the output: {text:?}");
        self.game.exit();
    }
}
