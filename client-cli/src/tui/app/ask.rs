//! Sends what the player wants, or says why not.

use noughts_protocol::RoomIntent;

use super::{App, Effect};
use crate::session::{Input, Intent, Output};

/// The answer to a question to the server during a break.
pub(super) const OFFLINE: &str = "the connection is lost: ask again when the server is back";

impl App {
    /// Sends an intent, or says why not.
    pub(super) fn ask(&mut self, intent: impl Into<Intent>) {
        self.message = None;
        let intent = intent.into();
        let is_hint = matches!(intent, Intent::Room(RoomIntent::Hint { .. }));
        let is_question = is_hint || matches!(intent, Intent::Room(RoomIntent::Review { .. }));
        if is_question && self.session.lost().is_some() {
            return self.error(OFFLINE);
        }
        for output in self.session.update(Input::Asked(intent), self.now) {
            match output {
                Output::Send(message) => self.effects.push(Effect::Send(message)),
                Output::Happened(happening) => self.happened(happening),
                // Only time can tell that the server does not answer, and only an answer forgets.
                Output::Reconnect | Output::Forget => {}
            }
        }
        self.awaits_hint |= is_hint && self.message.is_none();
    }
}
