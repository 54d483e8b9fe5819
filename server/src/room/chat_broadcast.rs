//! When a room tells what is said to those who watch. A crowd that talks must slow no move, so what
//! spectators say is gathered, and many spectators are told a few at a time. Pure.

use std::collections::HashMap;
use std::time::Duration;

use noughts_protocol::ChatLine;
use tokio::time::Instant;

use crate::outbox::{ConnectionId, Frame};

/// The shortest time from one telling of spectators' lines to the next.
const SPECTATORS_EVERY: Duration = Duration::from_millis(500);

/// Connections that are told at once. A write takes about 7 µs, so a move waits for no more than a
/// third of a millisecond.
pub(super) const TOLD_AT_ONCE: usize = 50;

/// The time until the next ones are told: a thousand in 0.2 s.
const NEXT_TOLD_AFTER: Duration = Duration::from_millis(10);

/// When lines are to be told next, and the telling that goes on.
#[derive(Debug, Default)]
pub(super) struct ChatBroadcast {
    began: Option<Instant>,
    due: Option<Instant>,
    telling: Option<Box<Telling>>,
}

/// Lines that are being told to one connection after the other.
#[derive(Debug, Default)]
pub(super) struct Telling {
    pub(super) lines: Vec<ChatLine>,
    /// The messages so far, by the numbers of their lines: one for everybody who has muted nobody.
    pub(super) frames: HashMap<Vec<u64>, Frame>,
    /// The last connection that was told.
    pub(super) after: Option<ConnectionId>,
}

impl ChatBroadcast {
    /// When [`ChatBroadcast::next`] is to be called; `None` if nothing waits.
    pub(super) const fn due_at(&self) -> Option<Instant> {
        self.due
    }

    /// Notes a line. A player's line is told at once, unless others are being told.
    pub(super) fn note_line(&mut self, now: Instant, at_once: bool) {
        if self.telling.is_none() {
            let next = if at_once { now } else { self.next_at(now) };
            self.due = Some(self.due.map_or(next, |due| due.min(next)));
        }
    }

    /// The telling that goes on, or a new one with these lines.
    pub(super) fn next(
        &mut self,
        now: Instant,
        lines: impl FnOnce() -> Vec<ChatLine>,
    ) -> Box<Telling> {
        self.due = None;
        self.telling.take().unwrap_or_else(|| {
            self.began = Some(now);
            Box::new(Telling { lines: lines(), ..Telling::default() })
        })
    }

    /// Notes that there are more connections to tell.
    pub(super) fn go_on(&mut self, now: Instant, telling: Box<Telling>) {
        (self.telling, self.due) = (Some(telling), Some(now + NEXT_TOLD_AFTER));
    }

    /// Notes that everybody was told, and whether more was said meanwhile.
    pub(super) fn end(&mut self, now: Instant, has_untold: bool) {
        self.due = has_untold.then(|| self.next_at(now));
    }

    fn next_at(&self, now: Instant) -> Instant {
        self.began.map_or(now, |began| now.max(began + SPECTATORS_EVERY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_at_once_and_the_next_ones_together() {
        let mut told = ChatBroadcast::default();
        let start = Instant::now();
        told.note_line(start, false);
        assert_eq!(told.due_at(), Some(start));
        drop(told.next(start, Vec::new));
        told.end(start, false);
        assert_eq!(told.due_at(), None);
        for later in 1..5 {
            told.note_line(start + SPECTATORS_EVERY / 5 * later, false);
            assert_eq!(told.due_at(), Some(start + SPECTATORS_EVERY));
        }
        let now = start + SPECTATORS_EVERY / 2;
        told.note_line(now, true);
        assert_eq!(told.due_at(), Some(now), "a player does not wait");
        drop(told.next(now, Vec::new));
        told.end(now, true);
        assert_eq!(told.due_at(), Some(now + SPECTATORS_EVERY));
        told.note_line(start + 4 * SPECTATORS_EVERY, false);
        assert_eq!(told.due_at(), Some(now + SPECTATORS_EVERY));
    }

    #[test]
    fn a_telling_goes_on_before_the_next_one() {
        let mut told = ChatBroadcast::default();
        let now = Instant::now();
        let mut telling = told.next(now, Vec::new);
        telling.after = Some(ConnectionId(7));
        told.go_on(now, telling);
        assert_eq!(told.due_at(), Some(now + NEXT_TOLD_AFTER));
        told.note_line(now, true);
        assert_eq!(told.due_at(), Some(now + NEXT_TOLD_AFTER), "those before are told first");
        let telling = told.next(now + NEXT_TOLD_AFTER, || unreachable!("it goes on"));
        assert_eq!(telling.after, Some(ConnectionId(7)));
    }
}
