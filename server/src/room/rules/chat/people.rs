//! The people who talk in a room or mute somebody: what each said lately, and whom each has muted.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use noughts_protocol::{
    CHAT_BURST, CHAT_WINDOW_MS, IntentId, MAX_MUTED, PlayerId, Refusal, RefusalCode, Said,
};

/// The lines that a player may say in [`WINDOW`].
const BURST: usize = CHAT_BURST as usize;

const WINDOW: Duration = Duration::from_millis(CHAT_WINDOW_MS as u64);

/// Intents of a player that are recognised when they come again: more than a player can say before
/// their client notices that the connection is dead.
const REMEMBERED: usize = 2 * BURST;

/// People who have left and are remembered. The one who left first is forgotten first; their client
/// sends its mutes again.
const MAX_ABSENT: usize = 100;

/// Bounded by the people in the room and [`MAX_ABSENT`].
#[derive(Debug, Default)]
pub(crate) struct People {
    people: HashMap<PlayerId, Person>,
    departures: u64,
}

#[derive(Debug, Default)]
struct Person {
    /// The last [`REMEMBERED`] attempts that were heard, and when.
    said: VecDeque<(Duration, SayAttempt)>,
    /// At most [`MAX_MUTED`].
    muted: Vec<PlayerId>,
    /// The number of the departure; `None` while the player is connected.
    left: Option<u64>,
}

/// An intent to say something. Two devices of a player may use the same id for different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SayAttempt {
    id: IntentId,
    /// A hash of what is said.
    said: u64,
}

/// The answer of the player's last lines to another one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    New(SayAttempt),
    /// The same was heard before.
    Repeated,
    /// It may be said after this time.
    TooSoon(Duration),
}

impl People {
    /// Whether a player may say something now. Changes nothing.
    pub(crate) fn try_say(
        &self,
        now: Duration,
        player: PlayerId,
        id: IntentId,
        said: &Said,
    ) -> Attempt {
        let mut hasher = DefaultHasher::new();
        said.hash(&mut hasher);
        let attempt = SayAttempt { id, said: hasher.finish() };
        let Some(person) = self.people.get(&player) else { return Attempt::New(attempt) };
        if person.said.iter().any(|(_, known)| *known == attempt) {
            return Attempt::Repeated;
        }
        let first = person.said.len().checked_sub(BURST).map(|first| person.said[first].0);
        match first.map(|at| (at + WINDOW).saturating_sub(now)) {
            None | Some(Duration::ZERO) => Attempt::New(attempt),
            Some(wait) => Attempt::TooSoon(wait),
        }
    }

    /// Notes that a player was heard.
    pub(crate) fn note_said(&mut self, now: Duration, player: PlayerId, attempt: SayAttempt) {
        let person = self.people.entry(player).or_default();
        if person.said.len() == REMEMBERED {
            person.said.pop_front();
        }
        person.said.push_back((now, attempt));
    }

    /// Mutes somebody for a player, or no more. Returns whether that changes anything.
    ///
    /// # Errors
    /// If the player has muted as many people as possible.
    pub(crate) fn mute(
        &mut self,
        player: PlayerId,
        other: PlayerId,
        mute: bool,
    ) -> Result<bool, Refusal> {
        if mute == self.has_muted(player, other) {
            return Ok(false);
        }
        let muted = &mut self.people.entry(player).or_default().muted;
        if !mute {
            muted.retain(|known| *known != other);
        } else if muted.len() < MAX_MUTED {
            muted.push(other);
        } else {
            let message = format!("you have muted {MAX_MUTED} people here: that is the most");
            return Err(Refusal::new(RefusalCode::Full, message));
        }
        Ok(true)
    }

    /// Everybody whom a player has muted.
    pub(crate) fn muted_by(&self, player: PlayerId) -> &[PlayerId] {
        self.people.get(&player).map_or(&[], |person| &person.muted)
    }

    /// Whether a player has muted somebody.
    pub(crate) fn has_muted(&self, player: PlayerId, other: PlayerId) -> bool {
        self.muted_by(player).contains(&other)
    }

    /// Notes whether a player is connected. Forgets the one who left first, if too many have.
    pub(crate) fn note_presence(&mut self, player: PlayerId, is_here: bool) {
        let Some(person) = self.people.get_mut(&player) else { return };
        if is_here || person.left.is_some() {
            person.left = person.left.filter(|_| !is_here);
            return;
        }
        self.departures += 1;
        person.left = Some(self.departures);
        let absent =
            self.people.iter().filter_map(|(player, person)| Some((person.left?, *player)));
        if absent.clone().count() > MAX_ABSENT
            && let Some((_, first)) = absent.min()
        {
            self.people.remove(&first);
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{MAX_MUTED, PlayerId, RefusalCode};

    use super::{MAX_ABSENT, People};

    #[test]
    fn who_left_first_is_forgotten_first() {
        let mut people = People::default();
        let ids = || (0..=MAX_ABSENT as u64 + 1).map(PlayerId);
        for player in ids() {
            people.mute(player, PlayerId(7777), true).unwrap();
        }
        // The first one stays, the others go, and the second one comes back and goes again.
        for player in ids().skip(1) {
            people.note_presence(player, false);
        }
        people.note_presence(PlayerId(1), true);
        people.note_presence(PlayerId(1), false);
        let remembered = |player| !people.muted_by(player).is_empty();
        let forgotten: Vec<PlayerId> = ids().filter(|player| !remembered(*player)).collect();
        assert_eq!(forgotten, [PlayerId(1)], "it was forgotten at its first departure");
        assert_eq!(people.people.len(), MAX_ABSENT + 1);
    }

    #[test]
    fn the_muted_are_bounded() {
        let mut people = People::default();
        let ada = PlayerId(1);
        for other in 0..MAX_MUTED as u64 {
            assert_eq!(people.mute(ada, PlayerId(100 + other), true), Ok(true));
        }
        let one_more = people.mute(ada, PlayerId(99), true).unwrap_err();
        assert_eq!(one_more.code, RefusalCode::Full);
        assert_eq!(people.mute(ada, PlayerId(100), true), Ok(false));
        assert_eq!(people.mute(ada, PlayerId(100), false), Ok(true));
        assert_eq!(people.mute(ada, PlayerId(99), true), Ok(true));
    }
}
