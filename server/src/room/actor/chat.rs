//! How lines reach the people in a room: encoded once for everybody who hears the same lines.

use std::collections::HashMap;

use noughts_protocol::{IntentId, PlayerId, PlayerName, Said, ServerMessage};
use tokio::time::Instant;

use super::Actor;
use crate::outbox::{Frame, Outbox, encode};
use crate::room::rules::chat::{Heard, Untold};

impl Actor {
    /// Lets somebody say something. A player's line is told before the answer, as a move is.
    pub(super) fn say(
        &mut self,
        player: PlayerId,
        name: Option<Box<PlayerName>>,
        sender: &Outbox,
        id: IntentId,
        said: Said,
    ) {
        // A connection sends its name along with every intent that says something.
        let Some(name) = name else { return };
        match self.rules.say(self.now(), (player, &name), id, said) {
            Ok(heard) => {
                let now = Instant::now();
                if heard != Heard::Before {
                    self.context.metrics.said();
                }
                if heard == Heard::Player
                    || heard == Heard::Spectator && self.told_chat.note_line(now)
                {
                    self.tell_chat();
                }
                sender.grant(id, Some(self.rules.state().code));
            }
            Err(refusal) => sender.refuse(Some(id), refusal),
        }
    }

    /// Mutes somebody for a player, or no more, and tells all devices of the player.
    pub(super) fn mute(
        &mut self,
        player: PlayerId,
        sender: &Outbox,
        id: IntentId,
        other: PlayerId,
        mute: bool,
    ) {
        match self.rules.mute(player, other, mute) {
            Ok(lines) => {
                let muted = Some(self.rules.muted_by(player).to_vec());
                let room = self.rules.state().code;
                let message = ServerMessage::Chat { room, lines, muted };
                self.audience.broadcast_to(|member| member == player, &message);
                sender.grant(id, Some(room));
            }
            Err(refusal) => sender.refuse(Some(id), refusal),
        }
    }

    /// Sends the last lines and the muted people to a connection that comes in, if there are any.
    pub(super) fn send_chat(&self, player: PlayerId, outbox: &Outbox) {
        let (lines, muted) = (self.rules.lines_for(player), self.rules.muted_by(player));
        if !lines.is_empty() || !muted.is_empty() {
            let (room, muted) = (self.rules.state().code, Some(muted.to_vec()));
            outbox.send(&ServerMessage::Chat { room, lines, muted });
        }
    }

    /// Tells everybody the lines that they may hear and were not told yet.
    pub(super) fn tell_chat(&mut self) {
        self.told_chat.tell(Instant::now());
        let untold = self.rules.take_untold();
        if untold == Untold::default() {
            return;
        }
        let room = self.rules.state().code;
        // Most people have muted nobody and hear the same.
        let mut frames: HashMap<Vec<u64>, Frame> = HashMap::new();
        self.audience.offer(|player| {
            let lines = self.rules.heard_by(player, &untold);
            let numbers: Vec<u64> = lines.iter().map(|line| line.n).collect();
            let encoded = || {
                let lines = lines.into_iter().cloned().collect();
                encode(&ServerMessage::Chat { room, lines, muted: None })
            };
            let any = !numbers.is_empty();
            any.then(|| frames.entry(numbers).or_insert_with(encoded).clone())
        });
    }

    /// The same if no game runs. While one runs, no fact makes the players hear spectators.
    pub(super) fn tell_chat_between_games(&mut self) {
        if self.rules.said_at().is_zero() || self.rules.state().is_running() {
            return;
        }
        self.tell_chat();
    }
}
