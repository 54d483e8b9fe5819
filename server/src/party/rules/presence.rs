//! The presence of a party: connections, who is ready, how long ready checks run. It is no fact, so it
//! changes at once and is not stored. When it is told is the actor's.

use std::time::Duration;

use noughts_protocol::party::{PartyPhase, PartyRole, ReadyCheck};
use noughts_protocol::{PartyPresence, PlayerId};

use crate::party::rules::PartyRules;
use crate::party::rules::tables::TableStage;
use crate::room::rules::millis;

impl PartyRules {
    /// Counts a connection of `player` in. A reader of events is nobody, and a big screen is no person: neither
    /// is counted.
    pub(crate) fn connect(&mut self, now: Duration, player: PlayerId, role: PartyRole) {
        if role != PartyRole::Screen && player != PlayerId::NOBODY {
            *self.present.entry(player).or_default() += 1;
            self.watch_leader(now);
        }
    }

    /// Counts a connection of `player` out.
    pub(crate) fn disconnect(&mut self, now: Duration, player: PlayerId, role: PartyRole) {
        if role != PartyRole::Screen
            && let Some(count) = self.present.get_mut(&player)
        {
            *count -= 1;
            if *count == 0 {
                self.present.remove(&player);
                self.watch_leader(now);
            }
        }
    }

    /// The presence, with times counted down to `now`.
    pub(crate) fn presence(&self, now: Duration) -> PartyPresence {
        let left = |at: Duration| millis(at.saturating_sub(now));
        let is_here = |player: &PlayerId| self.present.contains_key(player);
        let people = self.state.entrants.iter().filter(|entrant| entrant.computer.is_none());
        let away = people.filter(|entrant| !entrant.player.as_ref().is_some_and(is_here));
        let unopened = || {
            let is_open =
                |number: &u32| self.state.pairing(*number).is_some_and(|pairing| pairing.game == 0);
            self.tables.iter().filter(move |(number, _)| is_open(number))
        };
        let checks = unopened().filter_map(|(pairing, table)| match table.stage {
            TableStage::Check { until, .. } => {
                Some(ReadyCheck { pairing: *pairing, ms_left: left(until) })
            }
            _ => None,
        });
        let waits = self.state.phase == PartyPhase::Playing && !self.state.paused;
        let plays = |player: &PlayerId| self.state.entrant_of(*player).is_some();
        let spectators = self.present.iter().filter(|(player, _)| !plays(player));
        PartyPresence {
            away: away.map(|entrant| entrant.number).collect(),
            ready: unopened().flat_map(|(_, table)| table.ready.iter().copied()).collect(),
            checks: checks.collect(),
            next_ms: self.next_at.filter(|at| waits && *at > now).map(left),
            spectators: spectators.map(|(_, count)| count).sum(),
        }
    }
}
