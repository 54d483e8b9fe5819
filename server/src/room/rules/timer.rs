//! What time does to a room: moves run out, absences are announced and become claimable,
//! exhibitions go on, unused rooms end.

use std::time::Duration;

use noughts_protocol::game::GameResult;
use noughts_protocol::{CloseReason, Event, Mark, Presence, Seat};

use crate::room::rules::{Decided, RoomRules, millis};

impl RoomRules {
    /// When [`RoomRules::tick`] is to be called next; `None` only when the room has ended.
    pub(crate) fn due(&self) -> Option<Duration> {
        if self.state.closed {
            return None;
        }
        let absences = Mark::BOTH.into_iter().filter_map(|mark| self.absence_due(mark));
        let timers = [self.move_deadline, self.exhibition_due(), Some(self.end_due())];
        timers.into_iter().flatten().chain(absences).min()
    }

    /// The events of the first thing that is due by `now`. More may be due after it.
    pub(crate) fn tick(&self, now: Duration, coin: bool) -> Decided {
        Decided(self.due_events(now, coin))
    }

    /// The end of a room for another one; `None` while somebody is connected.
    pub(crate) fn end_unattended(&self) -> Option<Decided> {
        self.empty_since?;
        Some(Decided(vec![Event::Closed { reason: CloseReason::Idle }]))
    }

    fn due_events(&self, now: Duration, coin: bool) -> Vec<Event> {
        if self.state.closed {
            return Vec::new();
        }
        let is_due = |at: Option<Duration>| at.is_some_and(|at| at <= now);
        if is_due(self.move_deadline)
            && let Some(running) = self.state.running()
            && let Some(turn) = running.turn()
        {
            let winner = turn.other();
            return vec![self.over(running.number, GameResult::Time { winner })];
        }
        if let Some(mark) = Mark::BOTH.into_iter().find(|mark| is_due(self.absence_due(*mark))) {
            return self.announce_absence(mark, now);
        }
        if is_due(Some(self.end_due())) {
            return vec![Event::Closed { reason: CloseReason::Idle }];
        }
        if is_due(self.exhibition_due()) {
            return self.next_game(self.state.score, coin);
        }
        Vec::new()
    }

    /// When a seat's absence is announced, and then when it becomes claimable.
    fn absence_due(&self, mark: Mark) -> Option<Duration> {
        let since = self.absent_since[mark]?;
        let grace = self.times.absence_grace;
        match self.presence(mark)? {
            Presence::Connected => Some(since + self.times.absence_unannounced.min(grace)),
            Presence::Away { .. } => Some(since + grace),
            Presence::Gone => None,
        }
    }

    fn announce_absence(&self, mark: Mark, now: Duration) -> Vec<Event> {
        let claim_in = self.absent_since[mark].map(|since| since + self.times.absence_grace);
        let presence = match claim_in.map(|at| at.saturating_sub(now)) {
            Some(left) if !left.is_zero() => Presence::Away { claim_in_ms: millis(left) },
            _ => Presence::Gone,
        };
        let mut events = vec![Event::Presence { mark, presence }];
        if self.state.offers[mark] {
            events.push(Event::Rematch { mark, offered: false });
        }
        events
    }

    /// Two computers play on while somebody watches.
    fn exhibition_due(&self) -> Option<Duration> {
        let computers =
            Mark::BOTH.into_iter().all(|mark| self.state.seats[mark].computer().is_some());
        let waits = computers && !self.state.is_running() && self.empty_since.is_none();
        waits.then(|| self.last_change + self.times.exhibition_pause)
    }

    /// When the room ends if nothing happens until then.
    ///
    /// Without a connection, a running game of two people waits as if they were connected, because
    /// phones sleep while their owners think. Another room with a seated person ends earlier, but not
    /// before a running move clock: players leave games against computers unfinished by the thousand.
    /// A room without a seated person waits as long as an absence may last.
    pub(crate) fn end_due(&self) -> Duration {
        let idle = self.last_change + self.times.idle;
        let idle = self.move_deadline.map_or(idle, |at| idle.max(at));
        let Some(empty_since) = self.empty_since else { return idle };
        let somebody = |mark| matches!(self.state.seats[mark], Seat::Human { .. });
        let patience = match Mark::BOTH.into_iter().filter(|mark| somebody(*mark)).count() {
            2 if self.state.is_running() => return idle,
            0 => self.times.absence_grace.min(self.times.unattended),
            _ => self.times.unattended,
        };
        let unattended = empty_since + patience;
        self.move_deadline.map_or(unattended, |at| unattended.max(at)).min(idle)
    }
}
