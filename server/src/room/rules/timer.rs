//! The effects of time on a room: moves run out, exhibitions go on, unused rooms end. Absences are
//! [`super::presence`]'s.

use std::time::Duration;

use noughts_protocol::game::GameResult;
use noughts_protocol::{CloseReason, Event, Mark, PartyRuling, PlayerId, PlayerName, Seat};

use crate::room::rules::{RoomDecided, RoomRules};
use crate::room::table::Ruling;

/// A table whose clock stands still waits this long at least: a party in which nothing happens ends then.
const PAUSE: Duration = Duration::from_hours(24);

impl RoomRules {
    /// When [`RoomRules::announce_absences`] and [`RoomRules::tick`] are to be called next; `None` only
    /// when the room has ended.
    pub(crate) fn due(&self) -> Option<Duration> {
        if self.state.closed {
            return None;
        }
        let absences = Mark::BOTH.into_iter().filter_map(|mark| self.absence_due(mark));
        let timers = [self.move_deadline, self.exhibition_due(), Some(self.end_due())];
        timers.into_iter().flatten().chain(absences).min()
    }

    /// The facts of the first thing that is due by `now`. More may be due after it.
    pub(crate) fn tick(&self, now: Duration, coin: bool) -> RoomDecided {
        RoomDecided(self.due_events(now, coin))
    }

    /// The end of a room for another one; `None` while somebody is connected.
    pub(crate) fn end_unattended(&self) -> Option<RoomDecided> {
        self.empty_since?;
        Some(RoomDecided(vec![Event::Closed { reason: CloseReason::Idle }]))
    }

    /// The end that the host of the server wants. A running game has no result.
    pub(crate) fn end_by_host() -> RoomDecided {
        RoomDecided(vec![Event::Closed { reason: CloseReason::Host }])
    }

    /// The end of the game of a party's table, which its party has decided; none for another room. The
    /// room stays, so that both see the result, and ends as after any other game.
    pub(crate) fn end_dismissed(&self, ruling: Ruling) -> RoomDecided {
        if self.state.settings.party.is_none() || self.state.closed {
            return RoomDecided::default();
        }
        // An opening may have exchanged the sides.
        let has_sides = self.x_sits_at() == Mark::X;
        let side = |mark: Mark| if has_sides { mark } else { mark.other() };
        let absence = |winner, ruling| GameResult::Absence { winner, party: Some(ruling) };
        let result = match ruling {
            Ruling::Forfeit(winner) => GameResult::Resignation { winner: side(winner) },
            Ruling::Decided(winner) => absence(winner.map(side), PartyRuling::Decided),
            Ruling::Unfinished => absence(None, PartyRuling::Ended),
        };
        let running = self.state.running();
        let over = running.map(|running| self.game_over(running.number, result));
        RoomDecided(over.into_iter().collect())
    }

    /// The facts of a party's room that gives a seat to another player, or another name to its player.
    /// `began_with` is the mark with which the seat began. None if the game does not run any more.
    pub(crate) fn hand_over(
        &self,
        began_with: Mark,
        player: PlayerId,
        name: PlayerName,
    ) -> RoomDecided {
        let has_sides = self.x_sits_at() == Mark::X;
        let mark = if has_sides { began_with } else { began_with.other() };
        let seat = Seat::Human { player, name };
        let now = &self.state.seats[mark];
        let is_table = self.state.settings.party.is_some() && self.state.is_running();
        if !is_table || now.player().is_none() || *now == seat {
            return RoomDecided::default();
        }
        RoomDecided(vec![Event::Seated { mark, seat }])
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
            return vec![self.game_over(running.number, GameResult::Time { winner })];
        }
        if is_due(Some(self.end_due())) {
            return vec![Event::Closed { reason: CloseReason::Idle }];
        }
        if is_due(self.exhibition_due()) {
            return vec![self.next_game(None, coin)];
        }
        Vec::new()
    }

    /// Two computers play on while somebody watches.
    fn exhibition_due(&self) -> Option<Duration> {
        let waits = self.plays_on() && !self.state.is_running() && self.empty_since.is_none();
        Some(self.last_change + self.exhibition_pause().filter(|_| waits)?)
    }

    /// Whether two computers play game after game.
    fn plays_on(&self) -> bool {
        self.state.is_exhibition() && self.state.settings.party.is_none()
    }

    /// When the room ends if nothing happens until then.
    ///
    /// Without a connection, a running game of two people waits as if they were connected, because
    /// phones sleep while their owners think. Another room with a seated person ends earlier, but not
    /// before a running move clock: players leave games against computers unfinished by the thousand.
    /// A room without a seated person waits as long as an absence may last. A party's table is played
    /// to its end with nobody there, and then waits as long.
    pub(crate) fn end_due(&self) -> Duration {
        let patience = if self.state.clock_stopped { PAUSE } else { Duration::ZERO };
        let idle = self.last_change.max(self.said_at()) + self.times.idle.max(patience);
        let idle = self.move_deadline.map_or(idle, |at| idle.max(at));
        let Some(empty_since) = self.empty_since else { return idle };
        let is_table = self.state.settings.party.is_some();
        let patience = match self.people() {
            _ if is_table && self.state.is_running() => return idle,
            2 if self.state.is_running() => return idle,
            _ if is_table => self.times.absence_grace.min(self.times.unattended),
            0 => self.times.absence_grace.min(self.times.unattended),
            _ => self.times.unattended,
        };
        let unattended = empty_since + patience;
        self.move_deadline.map_or(unattended, |at| unattended.max(at)).min(idle)
    }
}
