//! The conversation about one goal: which line may be used when, and what is said. Synchronous;
//! what it has to send and to say is fetched by the loop.

use std::time::Instant;

use noughts_protocol::ClientMessage;

use super::command::Command;
use crate::address::ServerAddress;
use crate::connection::Incoming;
use crate::goal::Goal;
use crate::ids::IntentIds;
use crate::session::{Lobby, Session};
use crate::start::Exit;

mod commands;
mod telling;

/// The conversation about one goal.
pub(super) struct Game {
    session: Session,
    goal: Goal,
    server: ServerAddress,
    /// Where friends reach it.
    friends: ServerAddress,
    /// Whether a line waits until it can be used, as those of a script do.
    patient: bool,
    /// The line that waits; the next one is not read before it is used.
    held: Option<Command>,
    /// Whether there are no more lines.
    ended: bool,
    /// Whether Ctrl-C was pressed, and nothing was typed since.
    interrupted: bool,
    /// Whether the player quit; the answers are still awaited.
    leaving: bool,
    /// Whether we asked for the game's end, which is not told yet.
    ending: bool,
    /// Whether we asked for a hint or a review that has not come yet.
    lesson_due: bool,
    /// The game after which we asked for another.
    rematch_after: Option<u32>,
    lobby: Option<Lobby>,
    exit: Option<Exit>,
    text: String,
    intents: Vec<ClientMessage>,
}

impl Game {
    pub(super) fn new(goal: Goal, server: ServerAddress, ids: IntentIds, patient: bool) -> Self {
        Self {
            session: Session::new(ids),
            goal,
            friends: server.clone(),
            server,
            patient,
            held: None,
            ended: false,
            interrupted: false,
            leaving: false,
            ending: false,
            lesson_due: false,
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

    /// Whether another line shall be read.
    pub(super) const fn wants_line(&self) -> bool {
        self.held.is_none() && !self.ended && !self.leaving
    }

    /// The source of ids.
    pub(super) fn ids(&self) -> IntentIds {
        self.session.ids().clone()
    }

    pub(super) const fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// How it ended, if it has.
    pub(super) fn exit(&self) -> Option<Exit> {
        if self.exit.is_some() {
            return self.exit.clone();
        }
        let done = self.session.is_settled()
            && self.intents.is_empty()
            && (self.leaving || (self.ended && self.held.is_none() && !self.has_more_to_say()));
        done.then_some(Exit::Done)
    }

    /// Whether, at the end of input, something is still to be shown: all of a game that is
    /// watched, the room that was asked for, or the effect of the last line.
    fn has_more_to_say(&self) -> bool {
        if self.lesson_due {
            return true;
        }
        let Some(view) = self.session.room() else {
            return self.lobby.is_none() && !matches!(self.goal, Goal::Quick { .. });
        };
        let over = view.state.game.as_ref().filter(|numbered| numbered.game.result().is_some());
        let announced = over.is_none_or(|numbered| view.ended == Some(numbered.number));
        view.is_watching() || self.ending || self.session.move_on_its_way() || !announced
    }

    fn say(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn not_sent(&mut self, intent: &ClientMessage, why: &str) {
        self.session.not_sent(intent);
        self.say(why);
    }

    /// Takes in what came from the server.
    pub(super) fn receive(&mut self, incoming: Incoming, now: Instant) {
        let (notice, intent) = self.session.receive(incoming, now);
        self.intents.extend(intent);
        if let Some(notice) = notice {
            self.notice(notice);
        }
        self.use_held();
    }
}

#[cfg(test)]
mod tests;
