//! A room that slept, or whose server was away, as it was: its facts are replayed, and its times
//! go on from what it [rested](ResumePoint) with.

use std::time::Duration;

use noughts_protocol::{ByMark, Event, Mark, Presence, Seat};

use crate::room::rules::{RoomRules, millis};

/// What a room knows besides its facts when it goes to sleep, and is given when it wakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResumePoint {
    /// The last version that anybody can have seen, or a later one.
    pub(crate) v: u64,
    /// Since when nobody has been there.
    pub(crate) since: Duration,
    /// When the side to move loses on time.
    pub(crate) move_deadline: Option<Duration>,
}

impl RoomRules {
    /// Takes in a fact that was stored with version `v`.
    pub(crate) fn replay(&mut self, v: u64, event: &Event) {
        // Versions between are those of what is not stored.
        self.state.v = v.saturating_sub(1);
        self.apply_event(self.last_change, event);
    }

    /// Goes on after the last fact. Nobody is there: absences count from when the last one went,
    /// offers of a rematch went with those who made them.
    pub(crate) fn resume(&mut self, now: Duration, point: ResumePoint) {
        self.state.v = self.state.v.max(point.v);
        self.state.offers = ByMark::default();
        self.last_change = point.since;
        self.empty_since = Some(point.since);
        self.move_deadline = point.move_deadline.filter(|_| self.state.is_running());
        let away = now.saturating_sub(point.since);
        let left = self.times.absence_grace.saturating_sub(away);
        for mark in Mark::BOTH {
            let human = matches!(self.state.seats[mark], Seat::Human { .. });
            self.absent_since[mark] = human.then_some(point.since);
            if let Seat::Human { presence, .. } = &mut self.state.seats[mark] {
                *presence = match () {
                    () if left.is_zero() => Presence::Gone,
                    () if away < self.times.absence_unannounced => Presence::Connected,
                    () => Presence::Away { claim_in_ms: millis(left) },
                };
            }
        }
    }

    /// What to keep of a room that goes to sleep; `None` while somebody is there.
    pub(crate) fn resume_point(&self) -> Option<ResumePoint> {
        let since = self.empty_since?;
        Some(ResumePoint { v: self.state.v, since, move_deadline: self.move_deadline })
    }
}
