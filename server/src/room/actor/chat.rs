//! How lines reach the people in a room: encoded once for everybody who hears the same lines.

use std::collections::HashMap;

use noughts_protocol::{ChatLine, IntentId, PlayerId, PlayerName, RoomCode, Said, ServerMessage};
use tokio::time::Instant;

use super::RoomActor;
use crate::actor::audience::Member;
use crate::outbox::{Delivery, Frame, Outbox, encode};
use crate::room::chat_broadcast::{TOLD_AT_ONCE, Telling};
use crate::room::rules::RoomRules;
use crate::room::rules::chat::Heard;

impl RoomActor {
    /// Lets somebody say something. A player's line is told before the answer, as a move is.
    pub(super) fn say(
        &mut self,
        player: PlayerId,
        name: Option<PlayerName>,
        sender: &Outbox,
        id: IntentId,
        said: Said,
    ) {
        // A connection sends its name along with every intent that says something.
        let Some(name) = name else { return };
        match self.rules.say(self.now(), (player, &name), id, said) {
            Ok(heard) => {
                if heard != Heard::Before {
                    self.context.metrics.said();
                    self.tell_players();
                    let now = Instant::now();
                    self.chat_broadcast.note_line(now, heard == Heard::Player);
                    if self.chat_broadcast.due_at() == Some(now) {
                        self.tell_spectators();
                    }
                }
                sender.ack(id, Some(self.rules.state().code));
            }
            Err(refusal) => sender.reject(Some(id), refusal),
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
                let theirs = |member: &Member<()>| member.player == player;
                self.audience.broadcast_to(theirs, Delivery::Required, &message);
                sender.ack(id, Some(room));
            }
            Err(refusal) => sender.reject(Some(id), refusal),
        }
    }

    /// Sends the last lines and the muted people to a connection that comes in, if there are any.
    pub(super) fn send_chat(&self, player: PlayerId, outbox: &Outbox) {
        let lines = self.rules.lines_for(player);
        let muted = self.rules.muted_by(player);
        if !lines.is_empty() || !muted.is_empty() {
            let room = self.rules.state().code;
            let muted = Some(muted.to_vec());
            outbox.send(&ServerMessage::Chat { room, lines, muted });
        }
    }

    /// Tells the people on the seats what they may hear and were not told yet.
    pub(super) fn tell_players(&mut self) {
        let lines = self.rules.take_for_players();
        if lines.is_empty() {
            return;
        }
        let Self { rules, audience, .. } = self;
        let room = rules.state().code;
        let mut frames = HashMap::new();
        audience.offer(None, usize::MAX, |player| {
            let hears = !rules.is_spectator(player);
            hears.then(|| frame(rules, room, player, &lines, &mut frames)).flatten()
        });
    }

    /// Tells the next ones of those who watch. More are due a little later.
    pub(super) fn tell_spectators(&mut self) {
        let Self { rules, audience, chat_broadcast, .. } = self;
        let now = Instant::now();
        let mut telling = chat_broadcast.next(now, || rules.take_for_spectators());
        let room = rules.state().code;
        let rules = &*rules;
        let Telling { lines, frames, after } = &mut *telling;
        *after = audience.offer(*after, TOLD_AT_ONCE, |player| {
            let hears = rules.is_spectator(player);
            hears.then(|| frame(rules, room, player, lines, frames)).flatten()
        });
        match telling.after {
            Some(_) => chat_broadcast.go_on(now, telling),
            None => chat_broadcast.end(now, rules.has_untold()),
        }
    }
}

/// The lines that a player hears, as a message; `None` if that is nothing.
fn frame(
    rules: &RoomRules,
    room: RoomCode,
    player: PlayerId,
    lines: &[ChatLine],
    frames: &mut HashMap<Vec<u64>, Frame>,
) -> Option<Frame> {
    let numbers: Vec<u64> = rules.heard_by(player, lines).map(|line| line.n).collect();
    let encoded = || {
        let lines = rules.heard_by(player, lines).cloned().collect();
        encode(&ServerMessage::Chat { room, lines, muted: None })
    };
    let any = !numbers.is_empty();
    any.then(|| frames.entry(numbers).or_insert_with(encoded).clone())
}
