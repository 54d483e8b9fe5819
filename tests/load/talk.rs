//! Spectators who talk, in every second stretch of time: so moves beside talk and moves without are
//! measured in one run, and what else the machine does slows both.

use std::time::{Duration, Instant};

use crate::socket::Id;

/// How long they are silent, and then talk.
const STRETCH: Duration = Duration::from_secs(3);

/// Earlier lines are still being told for this long.
const ECHO: Duration = Duration::from_millis(800);

/// Whether people talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Phase {
    /// Nobody does.
    #[default]
    Quiet,
    /// Nobody does, but the last lines are still told. Nothing is measured.
    Echo,
    /// The spectators do.
    Talk,
}

/// The spectators who talk, in turn.
#[derive(Debug)]
pub(crate) struct Talk {
    start: Instant,
    interval: Duration,
    next_at: Instant,
    speakers: Vec<Id>,
    said: usize,
}

impl Talk {
    /// These speakers, with so many lines a second together.
    pub(crate) fn new(start: Instant, rate: f64, speakers: Vec<Id>) -> Self {
        let interval = Duration::from_secs_f64(1.0 / rate);
        Self { start, interval, next_at: start, speakers, said: 0 }
    }

    /// The current phase.
    pub(crate) fn phase(&self, now: Instant) -> Phase {
        let passed = now.saturating_duration_since(self.start).as_nanos();
        let stretch = STRETCH.as_nanos();
        match passed % (2 * stretch) {
            talk if talk >= stretch => Phase::Talk,
            echo if echo < ECHO.as_nanos() && passed > stretch => Phase::Echo,
            _ => Phase::Quiet,
        }
    }

    /// The next speaker and the number of the line, if one is due.
    pub(crate) fn next_due(&mut self, now: Instant) -> Option<(Id, usize)> {
        if self.phase(now) != Phase::Talk {
            self.next_at = now;
            return None;
        }
        if self.next_at > now || self.speakers.is_empty() {
            return None;
        }
        self.next_at += self.interval;
        self.said += 1;
        Some((self.speakers[self.said % self.speakers.len()], self.said))
    }

    /// How long the loop may wait for sockets.
    pub(crate) fn wait(&self, now: Instant) -> Duration {
        self.next_at.max(now + self.interval).saturating_duration_since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn talk_and_silence_take_turns() {
        let start = Instant::now();
        let mut talk = Talk::new(start, 100.0, vec![3, 4]);
        let at = |ms| start + Duration::from_millis(ms);
        let phases =
            [0, 2_999, 3_000, 5_999, 6_000, 6_799, 6_800, 9_000].map(|ms| talk.phase(at(ms)));
        use Phase::{Echo, Quiet, Talk as Talking};
        assert_eq!(phases, [Quiet, Quiet, Talking, Talking, Echo, Echo, Quiet, Talking]);
        assert_eq!(talk.next_due(at(2_990)), None);
        assert_eq!(talk.next_due(at(3_000)), Some((4, 1)));
        assert_eq!(talk.next_due(at(3_000)), Some((3, 2)), "the line of 10 ms earlier");
        assert_eq!(talk.next_due(at(3_005)), None);
        assert_eq!(talk.next_due(at(3_010)), Some((4, 3)));
    }
}
