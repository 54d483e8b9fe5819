//! Talk in a [`World`]: its own account of what was said and who was told, and the checks that follow
//! from it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use noughts_protocol::{
    CHAT_BURST, CHAT_LINES, CHAT_WINDOW_MS, ChatLine, ChatMode, IntentId, MAX_MUTED, PlayerId,
    Refusal, Said,
};

use super::story::name_of;
use super::told;
use super::world::World;
use crate::room::rules::chat::Heard;

/// The lines said and heard since the room was made or activated.
#[derive(Debug, Default)]
pub(super) struct Hearing {
    /// The words that were told in this step.
    pub(super) told: Vec<String>,
    /// The next intent has the id of the last one.
    pub(super) repeats: bool,
    /// Spectators' lines wait for the next telling.
    pub(super) gathers: bool,
    ids: u64,
    said: Vec<Line>,
    to_players: BTreeSet<u64>,
    to_spectators: BTreeSet<u64>,
    muted: BTreeMap<PlayerId, BTreeSet<PlayerId>>,
}

#[derive(Debug)]
struct Line {
    line: ChatLine,
    at: Duration,
    /// The number of the game that ran.
    during: Option<u32>,
}

impl Hearing {
    /// After the end of the room's task all is forgotten.
    pub(super) fn forget(&mut self) {
        *self = Self { gathers: self.gathers, ids: self.ids, ..Self::default() };
    }
}

impl World {
    /// Says something as the room's task does.
    pub(super) fn say(&mut self, player: PlayerId, said: &Said) -> Result<(), Refusal> {
        self.hearing.ids += u64::from(!std::mem::take(&mut self.hearing.repeats));
        let id = IntentId::try_from(self.hearing.ids).unwrap();
        let name = name_of(player).unwrap_or_else(|| "Player".parse().unwrap());
        let before = self.rules.lines_for(player);
        let heard = self.rules.say(self.now, (player, &name), id, said.clone());
        if !matches!(heard, Ok(Heard::Player | Heard::Spectator)) {
            assert_eq!(before, self.rules.lines_for(player));
        }
        match heard? {
            Heard::Before => {}
            Heard::Player => {
                self.note(player, said);
                self.tell();
            }
            Heard::Spectator => {
                self.note(player, said);
                if !self.hearing.gathers {
                    self.tell();
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, player: PlayerId, said: &Said) {
        let seat = self.state().marks_of(player).next();
        // Everybody sees their own last line.
        let line = self.rules.lines_for(player).pop().unwrap();
        assert_eq!((line.player, line.seat, &line.said), (player, seat, said));
        let last = self.hearing.said.last();
        assert!(last.is_none_or(|last| last.line.n < line.n), "numbers grow");
        let during = self.state().running().map(|running| running.number);
        self.hearing.said.push(Line { line, at: self.now, during });
    }

    /// Tells what was not told, as the room's task does.
    pub(super) fn tell(&mut self) {
        let players = self.rules.take_for_players();
        let spectators = self.rules.take_for_spectators();
        assert!(!self.rules.has_untold());
        let running = self.state().is_running();
        for line in &players {
            assert!(self.hearing.to_players.insert(line.n), "told twice: {line:?}");
            assert!(line.seat.is_some() || !running, "a player hears a spectator: {line:?}");
        }
        for line in &spectators {
            assert!(self.hearing.to_spectators.insert(line.n), "told twice: {line:?}");
        }
        for player in self.connections.keys() {
            for line in self.rules.heard_by(*player, &spectators) {
                assert!(!self.has_muted(*player, line.player), "{player:?} hears {line:?}");
            }
        }
        let mut told = |to: &str, lines: &[ChatLine]| {
            if !lines.is_empty() {
                self.hearing.told.push(format!("{to} hear {}", told::heard(lines)));
            }
        };
        if players == spectators {
            told("all", &players);
        } else {
            told("players", &players);
            told("spectators", &spectators);
        }
    }

    pub(super) fn tell_between_games(&mut self) {
        if !self.state().is_running() {
            self.tell();
        }
    }

    /// Mutes somebody, or no more.
    pub(super) fn mute(
        &mut self,
        player: PlayerId,
        other: PlayerId,
        mute: bool,
    ) -> Result<(), Refusal> {
        let shown = self.rules.mute(player, other, mute)?;
        let muted = self.hearing.muted.entry(player).or_default();
        if mute {
            muted.insert(other)
        } else {
            muted.remove(&other)
        };
        assert!(shown.iter().all(|line| !mute && line.player == other), "{shown:?}");
        if !shown.is_empty() {
            self.hearing.told.push(format!("sees {}", told::heard(&shown)));
        }
        Ok(())
    }

    fn has_muted(&self, player: PlayerId, other: PlayerId) -> bool {
        self.hearing.muted.get(&player).is_some_and(|muted| muted.contains(&other))
    }

    /// Nobody hears, sees or says what they must not.
    pub(super) fn check_hearing(&self) {
        let mode = self.state().settings.chat;
        let said = &self.hearing.said;
        let allowed = said.iter().all(|said| match said.line.said {
            Said::Text(_) => mode == ChatMode::Text,
            Said::Emote(_) => mode != ChatMode::Off,
        });
        assert!(allowed, "{mode:?}: {said:?}");
        let running = self.state().running().map(|running| running.number);
        for player in self.connections.keys() {
            let seen = self.rules.lines_for(*player);
            assert!(seen.is_sorted_by_key(|line| line.n), "{seen:?}");
            assert!(seen.len() <= 2 * CHAT_LINES);
            for seated in [true, false] {
                self.check_seen(*player, &seen, seated, running);
            }
            let muted: BTreeSet<PlayerId> = self.rules.muted_by(*player).iter().copied().collect();
            assert_eq!(muted, self.hearing.muted.get(player).cloned().unwrap_or_default());
            assert!(muted.len() <= MAX_MUTED);
            self.check_pace(*player);
        }
    }

    /// Somebody who comes in now sees the last lines of the players and of the spectators, but a player in
    /// a game none that a spectator has said during it.
    fn check_seen(&self, player: PlayerId, seen: &[ChatLine], seated: bool, running: Option<u32>) {
        let said = self.hearing.said.iter().rev();
        let last = said.filter(|said| said.line.seat.is_some() == seated).take(CHAT_LINES);
        let spectates = self.rules.is_spectator(player);
        for said in last {
            let is_seen = seen.iter().any(|line| line.n == said.line.n);
            let secret = !seated && !spectates && running.is_some() && said.during == running;
            let wanted = !secret && !self.has_muted(player, said.line.player);
            assert_eq!(is_seen, wanted, "{player:?} and {said:?}");
        }
    }

    /// Nobody says more in any ten seconds than is allowed.
    fn check_pace(&self, player: PlayerId) {
        let times: Vec<Duration> =
            self.hearing.said.iter().filter(|s| s.line.player == player).map(|s| s.at).collect();
        let burst = CHAT_BURST as usize;
        for window in times.windows(burst + 1) {
            assert!(window[burst] - window[0] >= Duration::from_millis(CHAT_WINDOW_MS.into()));
        }
    }
}
