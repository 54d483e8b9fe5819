//! The times of a room that is read back from its row.

use std::time::Duration;

use noughts_protocol::{Mark, Seat};

use crate::room::rules::RoomRules;
use crate::room::rules::presence::Absence;

/// The time that a move clock gains at a restart: players need a moment to reconnect.
const GRACE: Duration = Duration::from_secs(20);

impl RoomRules {
    /// Goes on after the last event. Nobody is connected since `since`, and ephemeral state is gone.
    pub(super) fn resume(&mut self, now: Duration, since: Duration) {
        self.empty_since = Some(since);
        for mark in Mark::BOTH {
            let human = matches!(self.state.seats[mark], Seat::Human { .. });
            self.absences[mark] = human.then_some(Absence::begun(since));
        }
        self.announce_absences(now);
    }

    /// Gives the side to move some seconds more after a restart of the server. A clock that had run out in
    /// the last seconds before it begins anew with them.
    pub(crate) fn extend_move_time(&mut self, now: Duration) {
        self.move_deadline = self.move_deadline.map(|at| at.max(now) + GRACE);
    }

    /// Since when nobody is connected; `None` while somebody is.
    pub(crate) const fn empty_since(&self) -> Option<Duration> {
        self.empty_since
    }
}
