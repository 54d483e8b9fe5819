//! The presence in a room: who is connected, how many watch, who offers a rematch. It has no version: it
//! changes at once and is not stored. The actor decides when it is sent.

use std::time::Duration;

use noughts_protocol::{ByMark, LONG_MOVE_MS, Mark, PlayerId, Presence, SeatPresence, Series};

use crate::room::rules::{RoomRules, millis};

/// Shorter absences are not announced: a reload takes about one second.
pub(super) const UNANNOUNCED: Duration = Duration::from_secs(3);

/// The absence of a seated player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Absence {
    /// The time at which the last connection was lost.
    pub(crate) since: Duration,
    /// How far it is announced.
    pub(crate) announced: Announced,
}

/// How far an absence is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Announced {
    /// The absence is short: the player still counts as connected.
    NotYet,
    /// The player counts as away.
    Away,
    /// The opponent may claim the game.
    Gone,
}

/// A rematch that a player offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RematchOffer {
    /// The player's mark.
    pub(crate) by: Mark,
    /// The new series that they ask for; `None` to go on with the series.
    pub(crate) series: Option<Series>,
}

impl Absence {
    /// An absence that begins.
    pub(crate) const fn begun(since: Duration) -> Self {
        Self { since, announced: Announced::NotYet }
    }
}

impl RoomRules {
    /// The presence, with times counted down to `now`.
    pub(crate) fn presence(&self, now: Duration) -> Presence {
        let seats =
            ByMark { x: self.seat_presence(Mark::X, now), o: self.seat_presence(Mark::O, now) };
        Presence {
            seats,
            spectators: self.spectators(),
            rematch: self.rematch.map(|offer| offer.by),
            series: self.rematch.and_then(|offer| offer.series),
            ratings: self.told_ratings(),
            take_back: self.take_back,
            hints: self.hints,
        }
    }

    /// Whether a seated player is connected; `None` without a person on the seat.
    pub(crate) fn seat_presence(&self, mark: Mark, now: Duration) -> Option<SeatPresence> {
        self.state.seats[mark].player()?;
        let absence = self.absences[mark];
        Some(match absence.map(|absence| (absence.announced, absence.since)) {
            None | Some((Announced::NotYet, _)) => SeatPresence::Connected,
            Some((Announced::Away, since)) => {
                let claim_at = self.claimable_at(since);
                SeatPresence::Away { claim_in_ms: millis(claim_at.saturating_sub(now)) }
            }
            Some((Announced::Gone, _)) => SeatPresence::Gone,
        })
    }

    /// The number of connections whose player has no seat. Readers of events are not counted: a program, or
    /// a glance at the start page, would look like a person. Before the first game there is none: a visitor
    /// may still take the open seat. In a room that admits nobody else, another device of a player who has
    /// left is on its way out.
    pub(crate) fn spectators(&self) -> u32 {
        if self.state.game.is_none() || !self.state.settings.spectators {
            return 0;
        }
        let watches = |player: PlayerId| player != PlayerId::NOBODY && self.is_spectator(player);
        self.present.iter().filter(|(player, _)| watches(**player)).map(|(_, count)| count).sum()
    }

    /// Counts a connection of `player` in. It may end an absence.
    pub(crate) fn connect(&mut self, now: Duration, player: PlayerId) {
        *self.present.entry(player).or_default() += 1;
        self.note_presence(player, true);
        self.last_change = now;
        self.empty_since = None;
        for mark in Mark::BOTH {
            if self.state.seats[mark].player() == Some(player) {
                self.absences[mark] = None;
            }
        }
    }

    /// Counts a connection of `player` out. [`RoomRules::announce_absences`] tells it later.
    pub(crate) fn disconnect(&mut self, now: Duration, player: PlayerId) {
        let Some(count) = self.present.get_mut(&player) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.present.remove(&player);
        self.note_presence(player, false);
        self.last_change = now;
        if self.present.is_empty() {
            self.empty_since = Some(now);
        }
        for mark in Mark::BOTH {
            if self.state.seats[mark].player() == Some(player) {
                self.absences[mark] = Some(Absence::begun(now));
            }
        }
    }

    /// Sets or withdraws a rematch offer that the rules have allowed.
    pub(crate) fn set_rematch(&mut self, offer: Option<RematchOffer>) {
        self.rematch = offer;
    }

    /// Sets or ends a request to take back a move that the rules have allowed.
    pub(crate) const fn set_take_back(&mut self, by: Option<Mark>) {
        self.take_back = by;
    }

    /// Announces what is due by `now` of the absences. A player who is away offers no rematch and takes
    /// nothing back.
    pub(crate) fn announce_absences(&mut self, now: Duration) {
        for mark in Mark::BOTH {
            while self.absence_due(mark).is_some_and(|due| due <= now) {
                let Some(since) = self.absences[mark].map(|absence| absence.since) else { break };
                let gone = self.claimable_at(since) <= now;
                let Some(absence) = &mut self.absences[mark] else { break };
                absence.announced = if gone { Announced::Gone } else { Announced::Away };
                self.rematch = self.rematch.filter(|offer| offer.by != mark);
                self.take_back = self.take_back.filter(|by| *by != mark);
            }
        }
    }

    /// When a seat's absence is announced, and then when it becomes claimable.
    pub(crate) fn absence_due(&self, mark: Mark) -> Option<Duration> {
        let Absence { since, announced } = self.absences[mark]?;
        match announced {
            Announced::NotYet => Some(since + UNANNOUNCED.min(self.times.absence_grace)),
            Announced::Away => Some(self.claimable_at(since)),
            Announced::Gone => None,
        }
    }

    /// When the opponent of a player who has been away since then may claim the running game. Where a move may take
    /// long, that is never before the clock has ended it.
    fn claimable_at(&self, since: Duration) -> Duration {
        let move_time = self.state.settings.move_time_ms.filter(|ms| *ms >= LONG_MOVE_MS);
        let at = since + self.times.absence_grace;
        match move_time.map(|ms| Duration::from_millis(ms.into())) {
            Some(time) => at.max(since + time).max(self.move_deadline.unwrap_or_default()),
            None => at,
        }
    }

    /// How many people have a seat. A player on both seats is one.
    pub(crate) fn people(&self) -> usize {
        let ByMark { x, o } = &self.state.seats;
        match (x.player(), o.player()) {
            (Some(x), Some(o)) if x != o => 2,
            (None, None) => 0,
            _ => 1,
        }
    }
}
