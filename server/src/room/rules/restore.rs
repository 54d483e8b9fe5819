//! The rules of a room after hibernation or a restart: its facts are replayed, and its times go on
//! from its [`ResumePoint`].

use std::time::Duration;

use noughts_protocol::{ByMark, Event, Mark, Presence, Seat};

use crate::room::rules::{RoomRules, millis};

/// What a hibernated room keeps besides its facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResumePoint {
    /// Nobody has seen a later version.
    pub(crate) v: u64,
    /// The time of the last departure.
    pub(crate) since: Duration,
    /// The time at which the side to move loses.
    pub(crate) move_deadline: Option<Duration>,
}

impl RoomRules {
    /// Applies a fact that was stored with version `v`.
    pub(crate) fn replay(&mut self, v: u64, event: &Event) {
        // The versions between two facts belong to events that are not stored.
        self.state.v = v.saturating_sub(1);
        self.apply_event(self.last_change, event);
    }

    /// Goes on after the last fact. Nobody is connected: absences count from the last departure, and
    /// rematch offers are gone.
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

    /// What to keep of a room that hibernates; `None` while somebody is connected.
    pub(crate) fn resume_point(&self) -> Option<ResumePoint> {
        let since = self.empty_since?;
        Some(ResumePoint { v: self.state.v, since, move_deadline: self.move_deadline })
    }
}
