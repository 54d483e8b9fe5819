//! The rules of a room after hibernation or a restart: its facts are replayed, and its times go on
//! from its [`ResumePoint`].

use std::time::Duration;

use noughts_protocol::{Event, Mark, Seat};

use crate::room::rules::presence::Absence;
use crate::room::rules::{RoomRules, Timestamp};

/// What a hibernated room keeps besides its facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResumePoint {
    /// The time of the last departure.
    pub(crate) since: Duration,
    /// The time at which the side to move loses.
    pub(crate) move_deadline: Option<Duration>,
}

impl RoomRules {
    /// Applies the next stored fact, which happened at `unix_ms` by the wall clock.
    pub(crate) fn replay(&mut self, event: &Event, unix_ms: i64) {
        self.apply_event(Timestamp { age: self.last_change, unix_ms }, event);
    }

    /// Goes on after the last fact. Nobody is connected: absences count from the last departure, and
    /// what passes has passed.
    pub(crate) fn resume(&mut self, now: Duration, point: ResumePoint) {
        self.last_change = point.since;
        self.empty_since = Some(point.since);
        self.move_deadline = point.move_deadline.filter(|_| self.state.move_limit().is_some());
        for mark in Mark::BOTH {
            let human = matches!(self.state.seats[mark], Seat::Human { .. });
            self.absences[mark] = human.then_some(Absence::begun(point.since));
        }
        self.announce_absences(now);
    }

    /// What to keep of a room that hibernates; `None` while somebody is connected.
    pub(crate) fn resume_point(&self) -> Option<ResumePoint> {
        let since = self.empty_since?;
        Some(ResumePoint { since, move_deadline: self.move_deadline })
    }
}
