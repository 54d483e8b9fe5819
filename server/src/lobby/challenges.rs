//! The challenges of players: nobody is pestered. Rooms are made elsewhere, time is an argument.

use std::collections::HashMap;
use std::time::Duration;

use noughts_protocol::{CHALLENGE_MS, IntentId, PlayerId, Refusal, RefusalCode};
use parking_lot::Mutex;
use tokio::time::Instant;

/// How long a challenge stands. The same person is not asked again before.
const LIFE: Duration = Duration::from_millis(CHALLENGE_MS as u64);

/// How long somebody who was told "not now" asks that person no more.
const SILENCE: Duration = Duration::from_mins(3);

/// So many people may have been asked by one player, or have said "not now" to them.
const MOST_OF_ONE: usize = 6;

/// Pairs at once. If the table is full, further challenges are refused.
const MOST: usize = 10_000;

/// The pairs: who asked, and who was asked.
#[derive(Debug, Default)]
pub(crate) struct Challenges(Mutex<HashMap<(PlayerId, PlayerId), Asked>>);

#[derive(Debug)]
struct Asked {
    /// The intent, which may be sent again.
    id: IntentId,
    is_open: bool,
    until: Instant,
}

impl Challenges {
    /// Notes that a player asks another one. Returns whether that is new, and not the same intent again.
    ///
    /// # Errors
    /// If the player has asked too often, or too many others.
    pub(crate) fn ask(
        &self,
        from: PlayerId,
        to: PlayerId,
        id: IntentId,
        now: Instant,
    ) -> Result<bool, Refusal> {
        let mut pairs = self.0.lock();
        if let Some(asked) = pairs.get(&(from, to)).filter(|asked| now < asked.until) {
            if asked.is_open && asked.id == id {
                return Ok(false);
            }
            let message = match asked.is_open {
                true => "you have asked this person a moment ago: ask again in a minute",
                false => "this person has said \"not now\": ask again in three minutes",
            };
            return Err(Refusal::new(RefusalCode::TooEarly, message));
        }
        pairs.retain(|_, asked| now < asked.until);
        let of_one = pairs.keys().filter(|(asker, _)| *asker == from).count();
        if of_one >= MOST_OF_ONE || pairs.len() >= MOST {
            let message = "you have asked many people: wait a minute";
            return Err(Refusal::new(RefusalCode::RateLimited, message));
        }
        pairs.insert((from, to), Asked { id, is_open: true, until: now + LIFE });
        Ok(true)
    }

    /// Takes back what could not be told.
    pub(crate) fn take_back(&self, from: PlayerId, to: PlayerId) {
        self.0.lock().remove(&(from, to));
    }

    /// The one who was asked says "not now". Returns whether there was a challenge.
    pub(crate) fn decline(&self, from: PlayerId, to: PlayerId, now: Instant) -> bool {
        let mut pairs = self.0.lock();
        let asked = pairs.get_mut(&(from, to));
        let Some(asked) = asked.filter(|asked| asked.is_open && now < asked.until) else {
            return false;
        };
        asked.is_open = false;
        asked.until = now + SILENCE;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: PlayerId = PlayerId(1);
    const BEN: PlayerId = PlayerId(2);

    fn id(number: u64) -> IntentId {
        IntentId::try_from(number).unwrap()
    }

    fn ask(challenges: &Challenges, number: u64, now: Instant) -> Result<bool, RefusalCode> {
        challenges.ask(ADA, BEN, id(number), now).map_err(|refusal| refusal.code)
    }

    #[test]
    fn a_pair_has_one_challenge_and_a_no_holds_for_a_while() {
        let challenges = Challenges::default();
        let now = Instant::now();
        assert_eq!(ask(&challenges, 1, now), Ok(true));
        assert_eq!(ask(&challenges, 1, now), Ok(false), "the same intent again");
        assert_eq!(ask(&challenges, 2, now), Err(RefusalCode::TooEarly));
        assert_eq!(ask(&challenges, 2, now + LIFE), Ok(true), "the first one has expired");
        assert!(challenges.decline(ADA, BEN, now + LIFE));
        assert!(!challenges.decline(ADA, BEN, now + LIFE), "once");
        assert_eq!(ask(&challenges, 2, now + LIFE + LIFE), Err(RefusalCode::TooEarly));
        assert_eq!(ask(&challenges, 3, now + LIFE + SILENCE), Ok(true));
        assert!(challenges.ask(BEN, ADA, id(1), now).is_ok(), "the other way is another pair");
    }

    #[test]
    fn nobody_asks_many_people_at_once() {
        let challenges = Challenges::default();
        let now = Instant::now();
        for other in 0..MOST_OF_ONE as u64 {
            assert!(challenges.ask(ADA, PlayerId(10 + other), id(other), now).is_ok());
        }
        assert_eq!(ask(&challenges, 99, now), Err(RefusalCode::RateLimited));
        challenges.take_back(ADA, PlayerId(10));
        assert_eq!(ask(&challenges, 99, now), Ok(true));
    }
}
