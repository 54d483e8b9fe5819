//! When a room tells what spectators say: the first line at once, the next ones together a little
//! later, so that a crowd that talks costs no more than two messages a second. Pure.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest time between two messages with spectators' lines.
const SPECTATORS_EVERY: Duration = Duration::from_millis(500);

/// When lines were told, and are to be told next.
#[derive(Debug, Default)]
pub(super) struct ToldChat {
    told_at: Option<Instant>,
    due: Option<Instant>,
}

impl ToldChat {
    /// When the lines that wait are to be told; `None` if none waits.
    pub(super) const fn due_at(&self) -> Option<Instant> {
        self.due
    }

    /// Notes a spectator's line. Returns whether it is to be told now.
    pub(super) fn note_line(&mut self, now: Instant) -> bool {
        match self.told_at.map(|told_at| told_at + SPECTATORS_EVERY) {
            Some(next) if next > now => {
                self.due = Some(next);
                false
            }
            _ => true,
        }
    }

    /// Notes that every line is told that may be told.
    pub(super) const fn tell(&mut self, now: Instant) {
        self.told_at = Some(now);
        self.due = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_at_once_and_the_next_ones_together() {
        let (mut told, start) = (ToldChat::default(), Instant::now());
        assert!(told.note_line(start));
        told.tell(start);
        assert_eq!(told.due_at(), None);
        for later in 1..5 {
            assert!(!told.note_line(start + SPECTATORS_EVERY / 5 * later));
            assert_eq!(told.due_at(), Some(start + SPECTATORS_EVERY));
        }
        told.tell(start + SPECTATORS_EVERY);
        assert_eq!(told.due_at(), None);
        assert!(told.note_line(start + 2 * SPECTATORS_EVERY));
    }
}
