//! The leader of a party whose host is away: after a while the present entrant who came in first. A
//! host who comes back leads again at once.

use std::time::Duration;

use noughts_protocol::PartyEvent;
use noughts_protocol::party::PartyPhase;

use crate::party::rules::{PartyDecided, PartyRules, SUCCESSION};

impl PartyRules {
    /// Notes whether the leader is there, after connections or the leader have changed.
    pub(super) fn watch_leader(&mut self, now: Duration) {
        self.succeeded_at = match self.state.leading_player() {
            Some(leader) if self.present.contains_key(&leader) => None,
            Some(_) => Some(self.succeeded_at.unwrap_or(now + SUCCESSION)),
            None => Some(now),
        };
    }

    /// The party's next leader, and from when on: an entrant, or the host with `None`.
    fn succession(&self) -> Option<(Duration, Option<u16>)> {
        if self.is_full() {
            return None;
        }
        if self.state.leader.is_some() && self.present.contains_key(&self.state.host) {
            return Some((self.last_change, None));
        }
        let at = self.succeeded_at.filter(|_| self.state.phase != PartyPhase::Over)?;
        Some((at, Some(self.next_leader()?)))
    }

    /// The entrant who came in first of those who are there, without the leader of now.
    pub(super) fn next_leader(&self) -> Option<u16> {
        let leader = self.state.leading_player();
        let is_there = |player| Some(player) != leader && self.present.contains_key(&player);
        let entrants = self.state.entrants.iter().filter(|entrant| !entrant.left);
        entrants.filter(|entrant| entrant.player.is_some_and(is_there)).map(|one| one.number).next()
    }

    /// When somebody else leads the party, or its host again.
    pub(super) fn succession_due(&self) -> Option<Duration> {
        self.succession().map(|(at, _)| at)
    }

    /// The fact that somebody else leads the party by now, or its host again.
    pub(super) fn succeed(&self, now: Duration) -> PartyDecided {
        let due = self.succession().filter(|(at, _)| *at <= now);
        let led = due.map(|(_, entrant)| PartyEvent::Led { entrant, forgotten: false });
        PartyDecided(led.into_iter().collect())
    }
}
