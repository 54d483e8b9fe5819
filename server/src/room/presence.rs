//! When a room tells its presence: at once if a seat or the rematch offer changes, a little later if
//! only the number of spectators does. What the presence is, [`super::rules`] know. Pure.

use std::time::Duration;

use noughts_protocol::{ByMark, Mark, Presence, SeatPresence};
use tokio::time::Instant;

/// The shortest time between two messages that tell another number of spectators only.
const SPECTATORS_EVERY: Duration = Duration::from_millis(500);

/// The presence that everybody in a room was told.
#[derive(Debug, Default)]
pub(super) struct ToldPresence {
    told: Presence,
    /// When another number of spectators is told.
    due: Option<Instant>,
}

impl ToldPresence {
    /// When [`Self::due`] is to be called; `None` while everything is told.
    pub(super) const fn due_at(&self) -> Option<Instant> {
        self.due
    }

    /// The number of spectators that was told.
    pub(super) const fn spectators(&self) -> u32 {
        self.told.spectators
    }

    /// Whether the presence is to be told now. Otherwise a change of the spectators is due later.
    pub(super) fn update(&mut self, presence: Presence, now: Instant) -> bool {
        if states(presence) != states(self.told) || presence.rematch != self.told.rematch {
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

/// The seats without their countdowns: a countdown runs in every client by itself.
fn states(presence: Presence) -> ByMark<Option<SeatPresence>> {
    let state = |mark: Mark| {
        presence.seats[mark].map(|seat| match seat {
            SeatPresence::Away { .. } => SeatPresence::Away { claim_in_ms: 0 },
            seat => seat,
        })
    };
    ByMark { x: state(Mark::X), o: state(Mark::O) }
}
