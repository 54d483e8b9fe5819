//! How long a program may take for a move: what it is told, and when it is stopped.

use std::time::{Duration, Instant};

/// A program that is this much late is stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a program may take to get ready, or to say its name.
pub(super) const READY_TIME: Duration = Duration::from_secs(10);
/// The part of the time on the room's clock that a program may take, new starts included. The rest is
/// for the way to the server, so that a resignation still arrives.
const WHOLE: f64 = 0.9;
/// The part of that time that a program is told. The rest is for its start.
const TOLD: f64 = 0.75;
/// The least time that a program is told: zero would mean "as fast as possible".
const LEAST: Duration = Duration::from_millis(1);

/// The time for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveTime {
    /// How long the program thinks, if the room's clock leaves so much time.
    pub(crate) usual: Duration,
    /// When the room's clock ends.
    pub(crate) ends: Option<Instant>,
}

/// The limits for a program that is asked for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveLimits {
    /// How long it thinks, if there is so much time.
    usual: Duration,
    /// When it is stopped, whatever it does.
    until: Option<Instant>,
    /// The lines that it gets.
    pub(super) told: Duration,
}

impl MoveTime {
    /// The limits for a program that is asked now for the first time.
    pub(super) fn limits(&self, now: Instant) -> MoveLimits {
        let left = self.ends.map(|ends| ends.saturating_duration_since(now));
        let until = left.map(|left| now + left.mul_f64(WHOLE));
        MoveLimits { usual: self.usual, until, told: self.usual }.again(now)
    }
}

impl MoveLimits {
    /// The limits for a program that is asked now for the same move.
    pub(super) fn again(self, now: Instant) -> Self {
        let left = self.until.map(|until| until.saturating_duration_since(now));
        let told = left.map_or(self.usual, |left| self.usual.min(left.mul_f64(TOLD)).max(LEAST));
        Self { told, ..self }
    }

    /// Whether no time is left to ask again.
    pub(super) fn are_over(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| now >= until)
    }

    /// When a cell is due from a program that thinks from now on.
    pub(super) fn cell_due(&self, now: Instant) -> Instant {
        self.earlier(now + self.told + PATIENCE)
    }

    /// When a program has to be ready that prepares from now on.
    pub(super) fn ready_due(&self, now: Instant) -> Instant {
        self.earlier(now + READY_TIME)
    }

    fn earlier(&self, due: Instant) -> Instant {
        self.until.map_or(due, |until| until.min(due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limits of a program: the ones that it is told, and the ones after which it is stopped.
    fn limits(usual: u64, clock: Option<u64>) -> [u128; 3] {
        let now = Instant::now();
        let ms = Duration::from_millis;
        let ends = clock.map(|left| now + ms(left));
        let limits = MoveTime { usual: ms(usual), ends }.limits(now);
        let due = [limits.ready_due(now), limits.cell_due(now)].map(|due| due - now);
        [limits.told, due[0], due[1]].map(|time| time.as_millis())
    }

    #[test]
    fn a_program_is_stopped_before_the_clock_is() {
        assert_eq!(limits(5_000, None), [5_000, 10_000, 7_000]);
        assert_eq!(limits(5_000, Some(600_000)), [5_000, 10_000, 7_000]);
        assert_eq!(limits(5_000, Some(10_000)), [5_000, 9_000, 7_000]);
        assert_eq!(limits(5_000, Some(5_000)), [3_375, 4_500, 4_500]);
        assert_eq!(limits(5_000, Some(0)), [1, 0, 0]);
    }

    #[test]
    fn new_starts_take_no_time_from_the_resignation() {
        let now = Instant::now();
        let after = |ms| now + Duration::from_millis(ms);
        let time = MoveTime { usual: Duration::from_secs(1), ends: Some(after(4_000)) };
        let first = time.limits(now);
        assert_eq!(first.cell_due(now), after(3_000));
        let second = first.again(after(3_000));
        assert_eq!(second.told.as_millis(), 450);
        assert_eq!(second.cell_due(after(3_000)), after(3_600));
        assert!(!second.are_over(after(3_599)) && second.are_over(after(3_600)));
        let endless = MoveTime { ends: None, ..time }.limits(now);
        assert!(!endless.again(after(9_999)).are_over(after(99_999)));
    }
}
