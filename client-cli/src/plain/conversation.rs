//! The conversation about one action: which lines may run now, and what to print. It is
//! synchronous; the loop fetches the messages and the text.

use std::time::Instant;

use noughts_protocol::{ClientMessage, PartyCode};

use crate::address::ServerAddress;
use crate::client::Exit;
use crate::core::{Action, Happening, Input, Intent, Output, Session};
use crate::talk::MutedNames;

mod commands;
mod output;
mod party;

/// The conversation about one action.
pub(super) struct Conversation {
    pub(super) session: Session,
    /// The time of the last event.
    pub(super) now: Instant,
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
    /// Whether the player was told that the connection broke.
    lost: bool,
    /// The numbers of the last lines of talk that were printed.
    heard: Vec<u64>,
    /// Whether a spectator was told when the players hear what they say.
    told_later: bool,
    /// The names of muted people.
    muted: MutedNames,
    /// The party that was printed, and the pairing for which the player was asked to be ready.
    known_party: Option<PartyCode>,
    asked_ready: Option<u32>,
    /// Whether the player quits and the answers are still awaited.
    leaving: bool,
    exit: Option<Exit>,
    text: String,
    messages: Vec<ClientMessage>,
}

impl Conversation {
    pub(super) fn new(
        action: Action,
        server: ServerAddress,
        first_id: u64,
        scripted: bool,
    ) -> Self {
        Self {
            session: Session::new(first_id),
            now: Instant::now(),
            action,
            share_address: server.clone(),
            server,
            scripted,
            held: None,
            ended: false,
            interrupted: false,
            lost: false,
            heard: Vec::new(),
            told_later: false,
            muted: MutedNames::default(),
            known_party: None,
            asked_ready: None,
            leaving: false,
            exit: None,
            text: String::new(),
            messages: Vec::new(),
        }
    }

    pub(super) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    pub(super) fn take_messages(&mut self) -> Vec<ClientMessage> {
        std::mem::take(&mut self.messages)
    }

    /// Whether to read another line. Input before the welcome may be the password.
    pub(super) const fn wants_line(&self) -> bool {
        self.session.is_welcome() && self.held.is_none() && !self.ended && !self.leaving
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
            && (self.leaving || (self.ended && self.held.is_none() && !self.awaits_output()));
        done.then_some(Exit::Done)
    }

    /// Whether something is still to be printed after the end of input: the rest of a watched game,
    /// the room that was asked for, or a hint or a review.
    fn awaits_output(&self) -> bool {
        match self.session.room() {
            _ if self.session.awaits_analysis() || self.awaits_party() => true,
            _ if self.session.party().is_some() => false,
            Some(view) => view.is_watching(),
            None => self.session.lobby().is_none() && !self.action.is_quick_match(),
        }
    }

    fn print(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Sends an intent, or prints why not.
    fn ask(&mut self, intent: impl Into<Intent>) {
        for output in self.session.update(Input::Asked(intent.into()), self.now) {
            match output {
                Output::Send(message) => self.messages.push(message),
                Output::Happened(happening) => self.show(happening),
                // Only time can tell that the server does not answer, and only an answer forgets.
                Output::Reconnect | Output::Forget => {}
            }
        }
    }

    /// Shows what happened in the session. Then the line that waits may be possible.
    pub(super) fn happened(&mut self, happenings: Vec<Happening>) {
        happenings.into_iter().for_each(|happening| self.show(happening));
        self.use_held();
    }
}

#[cfg(test)]
mod tests;
