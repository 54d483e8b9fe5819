//! When a room tells its presence: at once if a seat or the rematch offer changes, a little later
//! if only the number of spectators does. The presence itself is [`super::rules`]'s. Pure.

use std::time::Duration;

use noughts_protocol::{ByMark, Mark, Presence, SeatPresence};
use tokio::time::Instant;

/// The shortest time between two messages that tell another number of spectators only.
const SPECTATORS_EVERY: Duration = Duration::from_millis(500);

/// The presence that everybody in a room was told.
#[derive(Debug, Default)]
pub(super) struct PresenceBroadcast {
    told: Presence,
    /// When another number of spectators is told.
    due: Option<Instant>,
}

impl PresenceBroadcast {
    /// When [`Self::tell`] is to be called; `None` while everything is told.
    pub(super) const fn due_at(&self) -> Option<Instant> {
        self.due
    }

    /// The number of spectators that was told.
    pub(super) const fn spectators(&self) -> u32 {
        self.told.spectators
    }

    /// Whether the presence is to be told now. Otherwise a change of the spectators is due later.
    pub(super) fn update(&mut self, presence: Presence, now: Instant) -> bool {
        if at_once(presence) != at_once(self.told) {
            self.tell(presence);
            return true;
        }
        if presence.spectators != self.told.spectators && self.due.is_none() {
            self.due = Some(now + SPECTATORS_EVERY);
        }
        false
    }

    /// Notes that the presence is told.
    pub(super) const fn tell(&mut self, presence: Presence) {
        self.told = presence;
        self.due = None;
    }
}

/// The part that is told at once. Seats are without their countdowns: a countdown runs in every client by
/// itself.
fn at_once(presence: Presence) -> Presence {
    let state = |mark: Mark| {
        presence.seats[mark].map(|seat| match seat {
            SeatPresence::Away { .. } => SeatPresence::Away { claim_in_ms: 0 },
            seat => seat,
        })
    };
    Presence { seats: ByMark { x: state(Mark::X), o: state(Mark::O) }, spectators: 0, ..presence }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A presence with `away` seconds left until X may be claimed, if X is away.
    fn presence(away: Option<u32>, spectators: u32, rematch: Option<Mark>) -> Presence {
        let x = away.map_or(SeatPresence::Connected, |seconds| SeatPresence::Away {
            claim_in_ms: seconds * 1000,
        });
        let seats = ByMark { x: Some(x), o: Some(SeatPresence::Connected) };
        Presence { seats, spectators, rematch, ..Presence::default() }
    }

    /// Checks whether the change from `before` is told at once, or else whether it is told later.
    #[track_caller]
    fn check(before: Presence, now: Presence, at_once: bool, later: bool) {
        let mut told = PresenceBroadcast::default();
        let moment = Instant::now();
        told.tell(before);
        assert_eq!(told.update(now, moment), at_once);
        assert_eq!(told.due_at(), later.then(|| moment + SPECTATORS_EVERY));
        assert_eq!(told.spectators(), if at_once { now } else { before }.spectators);
    }

    #[test]
    fn a_seat_and_an_offer_are_told_at_once_and_spectators_a_little_later() {
        let usual = presence(None, 0, None);
        check(usual, usual, false, false);
        check(usual, presence(Some(57), 0, None), true, false);
        check(presence(Some(57), 0, None), usual, true, false);
        check(usual, presence(None, 0, Some(Mark::O)), true, false);
        check(presence(None, 0, Some(Mark::O)), presence(None, 0, Some(Mark::X)), true, false);
        check(presence(Some(57), 0, None), presence(Some(56), 0, None), false, false);
        check(usual, presence(None, 1, None), false, true);
        check(usual, presence(Some(57), 1, None), true, false);
    }

    #[test]
    fn many_spectators_are_told_in_one_message() {
        let mut told = PresenceBroadcast::default();
        let moment = Instant::now();
        told.tell(presence(None, 0, None));
        for spectators in 1..9 {
            let later = moment + SPECTATORS_EVERY / 9 * (spectators - 1);
            assert!(!told.update(presence(None, spectators, None), later));
            assert_eq!(told.due_at(), Some(moment + SPECTATORS_EVERY));
        }
        told.tell(presence(None, 8, None));
        assert_eq!((told.due_at(), told.spectators()), (None, 8));
    }
}
