//! The conversation about one action: which lines may run now, and what to print. It is
//! synchronous; the loop fetches the intents and the text.

use std::time::Instant;

use noughts_protocol::ClientMessage;

use crate::address::ServerAddress;
use crate::client::Exit;
use crate::core::Action;
use crate::core::ConnectionEvent;
use crate::core::{Lobby, Session};
use crate::ids::IntentIds;

mod commands;
mod output;

/// The conversation about one action.
pub(super) struct Conversation {
    session: Session,
    action: Action,
    server: ServerAddress,
    /// The server's address for friends.
    share_address: ServerAddress,
    /// Whether the input is a script: each line waits until it can be used.
    scripted: bool,
    /// The line that waits. The next line is read after it was used.
    held: Option<String>,
    /// Whether the input has ended.
    ended: bool,
    /// Whether Ctrl-C was pressed and nothing was typed since.
    interrupted: bool,
    /// Whether the player quits and the answers are still awaited.
    leaving: bool,
    /// Whether the player asked to end the game and its end is still awaited.
    ending: bool,
    /// Whether a hint or a review is awaited.
    analysis_pending: bool,
    /// The game after which the player asked for a rematch.
    rematch_after: Option<u32>,
    lobby: Option<Lobby>,
    exit: Option<Exit>,
    text: String,
    intents: Vec<ClientMessage>,
}

impl Conversation {
    pub(super) fn new(
        action: Action,
        server: ServerAddress,
        ids: IntentIds,
        scripted: bool,
    ) -> Self {
        Self {
            session: Session::new(ids),
            action,
            share_address: server.clone(),
            server,
            scripted,
            held: None,
            ended: false,
            interrupted: false,
            leaving: false,
            ending: false,
            analysis_pending: false,
            rematch_after: None,
            lobby: None,
            exit: None,
            text: String::new(),
            intents: Vec::new(),
        }
    }

    pub(super) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    pub(super) fn take_intents(&mut self) -> Vec<ClientMessage> {
        std::mem::take(&mut self.intents)
    }

    /// Whether to read another line.
    pub(super) const fn wants_line(&self) -> bool {
        self.held.is_none() && !self.ended && !self.leaving
    }

    /// The source of intent ids.
    pub(super) fn ids(&self) -> IntentIds {
        self.session.ids().clone()
    }

    pub(super) const fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// The exit, if the conversation is over.
    pub(super) fn exit(&self) -> Option<Exit> {
        if self.exit.is_some() {
            return self.exit.clone();
        }
        let done = self.session.is_settled()
            && self.intents.is_empty()
            && (self.leaving || (self.ended && self.held.is_none() && !self.awaits_output()));
        done.then_some(Exit::Done)
    }

    /// Whether something is still to be printed after the end of input: the rest of a watched game,
    /// the room that was asked for, or the effect of the last line.
    fn awaits_output(&self) -> bool {
        if self.analysis_pending {
            return true;
        }
        let Some(view) = self.session.room() else {
            return self.lobby.is_none() && !self.action.is_quick_match();
        };
        view.is_watching() || self.ending || self.session.has_unconfirmed_move()
    }

    fn print(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn not_sent(&mut self, intent: &ClientMessage, why: &str) {
        self.session.not_sent(intent);
        if let ClientMessage::Room { intent, .. } = intent {
            self.expect(*intent, false);
        }
        self.print(why);
    }

    /// Handles an event of the connection.
    pub(super) fn receive(&mut self, incoming: ConnectionEvent, now: Instant) {
        let (session_event, intent) = self.session.receive(incoming, now);
        self.intents.extend(intent);
        if let Some(session_event) = session_event {
            self.on_session_event(session_event);
        }
        self.use_held();
    }
}

#[cfg(test)]
mod tests;
