//! Talk in a room: what may be said, who hears it, who is muted. It passes: it has no version, it is
//! never stored, and it ends with the room's task. When lines are told is the actor's.
//!
//! Everybody hears a player. Spectators hear spectators at once; the players hear them when no game
//! runs. Each line has a number, so a client keeps it once and in order, however often it is told.

mod lines;
mod people;

use std::time::Duration;

use noughts_protocol::{
    CHAT_LINES, ChatLine, ChatMode, IntentId, Mark, PlayerId, PlayerName, Refusal, RefusalCode,
    Said, Seat,
};

use crate::limits::token_bucket::TokenBucket;
use crate::room::rules::RoomRules;
use lines::Lines;
use people::{Attempt, People};

/// Lines that all spectators of a room may say together at once. They fit the lines that are kept.
const SPECTATORS_BURST: u32 = 30;

const _: () = assert!(SPECTATORS_BURST as usize <= CHAT_LINES);

/// The time in which they may say as many again: ten lines a second are more than anybody reads.
const SPECTATORS_TIME: Duration = Duration::from_secs(3);

/// The talk of a room. A room in which nobody has talked has none.
#[derive(Debug)]
pub(crate) struct Chat {
    /// The number of the last line.
    last: u64,
    /// When it was said.
    said_at: Duration,
    players: Lines,
    spectators: Lines,
    people: People,
    /// Limits all spectators together, so that a crowd cannot drown the room.
    crowd: TokenBucket,
}

/// The outcome of saying something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// It was said before, with the same intent.
    Before,
    /// A player's line, which is told at once.
    Player,
    /// A spectator's line, which is told with those of the other spectators.
    Spectator,
}

impl Chat {
    fn new(first: u64) -> Self {
        Self {
            last: first,
            said_at: Duration::ZERO,
            players: Lines::default(),
            spectators: Lines::default(),
            people: People::default(),
            crowd: TokenBucket::refilled_in(SPECTATORS_BURST, SPECTATORS_TIME),
        }
    }
}

impl RoomRules {
    /// Numbers the lines from here, above those that the room had before its last activation.
    pub(crate) const fn number_lines_from(&mut self, first: u64) {
        self.first_line = first;
    }

    /// Whether this may be said in the room.
    ///
    /// # Errors
    /// If nobody may talk here, or by emotes alone.
    pub(crate) fn check_said(&self, said: &Said) -> Result<(), Refusal> {
        match (self.state.settings.chat, said) {
            (ChatMode::Text, _) | (ChatMode::Emotes, Said::Emote(_)) => Ok(()),
            (ChatMode::Emotes, Said::Text(_)) => Err(chat_off("only emotes can be sent here")),
            (ChatMode::Off, _) => Err(chat_off("nobody can talk in this room")),
        }
    }

    /// Takes what somebody says. `name` is a spectator's; a player has the name of the seat.
    ///
    /// # Errors
    /// If it may not be said here, or the player or the spectators together say too much.
    pub(crate) fn say(
        &mut self,
        now: Duration,
        (player, name): (PlayerId, &PlayerName),
        id: IntentId,
        said: Said,
    ) -> Result<Heard, Refusal> {
        self.check_said(&said)?;
        let seat: Option<Mark> = self.state.marks_of(player).next();
        let name = match seat.map(|mark| &self.state.seats[mark]) {
            Some(Seat::Human { name, .. }) => name.clone(),
            _ => name.clone(),
        };
        let is_here = self.present.contains_key(&player);
        let chat = self.chat();
        let attempt = match chat.people.try_say(now, player, id, &said) {
            Attempt::Repeated => return Ok(Heard::Before),
            Attempt::TooSoon(wait) => return Err(too_much("you say a lot", wait)),
            Attempt::New(attempt) => attempt,
        };
        if seat.is_none() && !chat.crowd.try_take(now) {
            return Err(too_much("many people talk at once", chat.crowd.wait(now)));
        }
        chat.people.note_said(now, player, attempt);
        chat.people.note_presence(player, is_here);
        (chat.last, chat.said_at) = (chat.last + 1, now);
        let line = ChatLine { n: chat.last, player, name, seat, said };
        Ok(if seat.is_some() {
            chat.players.push(line);
            Heard::Player
        } else {
            chat.spectators.push(line);
            Heard::Spectator
        })
    }

    /// Hides what `other` says from `player`, or shows it again. Returns the kept lines that the player
    /// sees again.
    ///
    /// # Errors
    /// If nobody may talk here, or the player has muted as many people as possible.
    pub(crate) fn mute(
        &mut self,
        player: PlayerId,
        other: PlayerId,
        mute: bool,
    ) -> Result<Vec<ChatLine>, Refusal> {
        if self.state.settings.chat == ChatMode::Off {
            return Err(chat_off("nobody can talk in this room"));
        }
        if player == other {
            return Err(Refusal::new(RefusalCode::NotNow, "you cannot mute yourself"));
        }
        let is_here = self.present.contains_key(&player);
        let chat = self.chat();
        let changed = chat.people.mute(player, other, mute)?;
        chat.people.note_presence(player, is_here);
        let shown = if changed && !mute { self.lines_for(player) } else { Vec::new() };
        Ok(shown.into_iter().filter(|line| line.player == other).collect())
    }

    /// The last lines that a player may see, without those of people whom they have muted.
    pub(crate) fn lines_for(&self, player: PlayerId) -> Vec<ChatLine> {
        let Some(chat) = &self.chat else { return Vec::new() };
        let hears_spectators = self.is_spectator(player) || !self.state.is_running();
        let heard = if hears_spectators { u64::MAX } else { chat.spectators.players_heard };
        let lines =
            chat.players.kept().chain(chat.spectators.kept().filter(|line| line.n <= heard));
        in_order(lines.filter(|line| !chat.people.has_muted(player, line.player)))
    }

    /// Everybody whom a player has muted.
    pub(crate) fn muted_by(&self, player: PlayerId) -> &[PlayerId] {
        self.chat.as_ref().map_or(&[], |chat| chat.people.muted_by(player))
    }

    /// Takes the lines that the players may hear and were not told yet.
    pub(crate) fn take_for_players(&mut self) -> Vec<ChatLine> {
        let is_running = self.state.is_running();
        let Some(chat) = &mut self.chat else { return Vec::new() };
        let said = chat.players.take_for_players();
        let heard = if is_running { Vec::new() } else { chat.spectators.take_for_players() };
        in_order(said.iter().chain(&heard))
    }

    /// Takes the lines that the spectators were not told yet.
    pub(crate) fn take_for_spectators(&mut self) -> Vec<ChatLine> {
        let Some(chat) = &mut self.chat else { return Vec::new() };
        let said = chat.players.take_for_spectators();
        let heard = chat.spectators.take_for_spectators();
        in_order(said.iter().chain(&heard))
    }

    /// Whether there are lines that the spectators were not told yet.
    pub(crate) fn has_untold(&self) -> bool {
        let chat = self.chat.as_ref();
        chat.is_some_and(|chat| chat.players.has_untold() || chat.spectators.has_untold())
    }

    /// The lines that a player hears of those that are told.
    pub(crate) fn heard_by<'a>(
        &self,
        player: PlayerId,
        told: &'a [ChatLine],
    ) -> impl Iterator<Item = &'a ChatLine> {
        let muted = self.muted_by(player);
        told.iter().filter(move |line| !muted.contains(&line.player))
    }

    /// When something was said last; [`Duration::ZERO`] if nothing was.
    pub(crate) fn said_at(&self) -> Duration {
        self.chat.as_ref().map_or(Duration::ZERO, |chat| chat.said_at)
    }

    /// Whether a player has no seat.
    pub(crate) fn is_spectator(&self, player: PlayerId) -> bool {
        self.state.marks_of(player).next().is_none()
    }

    /// Notes the first arrival or the last departure of a player.
    pub(super) fn note_presence(&mut self, player: PlayerId, is_here: bool) {
        if let Some(chat) = &mut self.chat {
            chat.people.note_presence(player, is_here);
        }
    }

    fn chat(&mut self) -> &mut Chat {
        let first = self.first_line;
        self.chat.get_or_insert_with(|| Chat::new(first))
    }
}

/// Copies of lines, by their numbers.
fn in_order<'a>(lines: impl Iterator<Item = &'a ChatLine>) -> Vec<ChatLine> {
    let mut lines: Vec<ChatLine> = lines.cloned().collect();
    lines.sort_unstable_by_key(|line| line.n);
    lines
}

fn chat_off(message: &str) -> Refusal {
    Refusal::new(RefusalCode::ChatOff, message)
}

fn too_much(why: &str, wait: Duration) -> Refusal {
    let seconds = wait.as_millis().div_ceil(1000).max(1);
    let plural = if seconds == 1 { "" } else { "s" };
    let message = format!("{why}: wait {seconds} second{plural}");
    Refusal::new(RefusalCode::RateLimited, message)
}
