//! The move clock of a party's table, which the host of the party stops, lets run on, or gives more
//! time. Its end is [`super::timer`]'s.

use std::time::Duration;

use noughts_protocol::{Event, MAX_MOVE_TIME_MS, Refusal, RefusalCode};

use crate::room::rules::{RoomDecided, RoomRules};

/// An order of a party's host for the clock of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClockChange {
    /// It stands still.
    Stop,
    /// It runs on with what was left.
    Run,
    /// So many milliseconds more for the move, up to the longest time that a move may have.
    Add(u32),
}

impl RoomRules {
    /// The fact of a change of the clock; `None` if no clock runs here. No fact if it is so already.
    pub(crate) fn change_clock(&self, now: Duration, change: ClockChange) -> Option<RoomDecided> {
        self.state.settings.party?;
        let game = self.state.running()?.number;
        let left = self.move_ms_left(now)?;
        let was_stopped = self.state.clock_stopped;
        let (move_ms_left, stopped) = match change {
            ClockChange::Stop => (left, true),
            ClockChange::Run => (left, false),
            ClockChange::Add(ms) => (left.saturating_add(ms).min(MAX_MOVE_TIME_MS), was_stopped),
        };
        let is_change = (move_ms_left, stopped) != (left, was_stopped);
        let event = Event::Clock { game, move_ms_left, stopped };
        Some(RoomDecided(is_change.then_some(event).into_iter().collect()))
    }

    /// Sets the clock after a fact.
    pub(super) fn set_clock(&mut self, now: Duration, left: u32) {
        let stopped = self.state.clock_stopped;
        self.stopped_ms = stopped.then_some(left);
        self.move_deadline = (!stopped).then(|| now + Duration::from_millis(left.into()));
    }

    /// Whether the game goes on.
    ///
    /// # Errors
    /// If the host of the party has stopped its clock.
    pub(super) fn check_clock(&self) -> Result<(), Refusal> {
        if !self.state.clock_stopped {
            return Ok(());
        }
        let message = "the host of the party has paused the game: your clock stands still too";
        Err(Refusal::new(RefusalCode::NotNow, message))
    }
}
