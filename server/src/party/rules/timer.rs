//! The effects of time on a party: ready checks run out, rounds end and begin, and an abandoned party ends.

use std::time::Duration;

use noughts_protocol::party::PartyPhase;
use noughts_protocol::{DecidedBy, PairingOutcome, PartyEvent};

use crate::party::pairing::{self, Coins, NextRound};
use crate::party::rules::joining::leave;
use crate::party::rules::tables::TableStage;
use crate::party::rules::{Draft, IDLE, MAX_FACTS, MAX_NO_SHOWS, PartyDecided, PartyRules, READY};

impl PartyRules {
    /// When [`PartyRules::tick`] and [`PartyRules::take_openings`] are to be called next; `None` only
    /// when the party is over, and its host does not come back.
    pub(crate) fn due(&self) -> Option<Duration> {
        if self.state.phase == PartyPhase::Over {
            return self.succession_due();
        }
        let at_once = (self.is_round_played() || self.is_full()).then_some(self.last_change);
        let next = self.next_at.filter(|_| !self.state.paused);
        let idle = Some(self.last_change + IDLE);
        let tables = self.tables.values().filter_map(|table| match table.stage {
            TableStage::Check { until, .. } => Some(until),
            TableStage::Wanted { at, .. } => Some(at).filter(|_| !self.state.clocks_stopped),
            TableStage::Held | TableStage::Opening | TableStage::Playing | TableStage::Ended => {
                None
            }
        });
        [at_once, next, idle, self.succession_due()].into_iter().flatten().chain(tables).min()
    }

    /// The facts of the first thing that is due by `now`. More may be due after it.
    pub(crate) fn tick(&mut self, now: Duration, lot: u64) -> PartyDecided {
        let led = self.succeed(now);
        if led != PartyDecided::default() || self.state.phase == PartyPhase::Over {
            return led;
        }
        if self.is_full() || self.last_change + IDLE <= now {
            return self.end();
        }
        self.call_again(now);
        let late = self.no_shows(now);
        if late != PartyDecided::default() {
            return late;
        }
        let mut coins = Coins::new(lot);
        if self.is_round_played() {
            return self.end_round(&mut coins);
        }
        if self.state.paused || self.next_at.is_none_or(|at| at > now) {
            return PartyDecided::default();
        }
        match pairing::next(&self.state, &mut coins) {
            NextRound::Pair(pairings) => {
                let round = if self.winner_stays() { 1 } else { self.state.round + 1 };
                PartyDecided(vec![PartyEvent::Paired { round, pairings }])
            }
            NextRound::Over => self.end(),
            NextRound::Wait => {
                self.next_at = None;
                PartyDecided::default()
            }
        }
    }

    /// Whether the party has had as many facts as it may have.
    pub(super) const fn is_full(&self) -> bool {
        self.state.v >= MAX_FACTS
    }

    /// Whether a round has been played and is not ranked yet.
    fn is_round_played(&self) -> bool {
        self.state.phase == PartyPhase::Playing
            && self.state.round > 0
            && !self.winner_stays()
            && !self.is_ranked
            && pairing::is_round_over(&self.state)
    }

    /// The byes of the round, and the ranking, or the end if it was the last round.
    fn end_round(&self, coins: &mut Coins) -> PartyDecided {
        let mut draft = Draft::of(&self.state);
        for bye in self.state.pairings.iter().filter(|pairing| pairing.outcome.is_none()) {
            let outcome = pairing::bye_outcome(&self.state, bye);
            draft.push(PartyEvent::Decided { pairing: bye.number, outcome });
        }
        let places = pairing::places(&draft.state);
        let is_over = pairing::next(&draft.state, coins) == NextRound::Over;
        draft.push(if is_over {
            PartyEvent::Ended { places }
        } else {
            PartyEvent::Ranked { places }
        });
        draft.decided()
    }

    /// Begins the ready checks once more that both entrants have missed.
    fn call_again(&mut self, now: Duration) {
        let next = now + READY;
        for table in self.tables.values_mut().filter(|table| table.ready.is_empty()) {
            if let TableStage::Check { until, again: false } = table.stage
                && until <= now
            {
                table.stage = TableStage::Check { until: next, again: true };
            }
        }
    }

    /// The pairings whose ready check has run out: a ready entrant wins. An entrant who does not
    /// come twice in a row has left.
    fn no_shows(&self, now: Duration) -> PartyDecided {
        let is_due = |stage| matches!(stage, TableStage::Check { until, .. } if until <= now);
        let mut draft = Draft::of(&self.state);
        for (number, table) in self.tables.iter().filter(|(_, table)| is_due(table.stage)) {
            let winner = table.ready.first().copied();
            let outcome = PairingOutcome { winner, how: DecidedBy::Forfeit, note: None };
            draft.push(PartyEvent::Decided { pairing: *number, outcome });
            let entrants = self.state.pairing(*number).map(|pairing| pairing.entrants());
            let absent = entrants.into_iter().flatten().filter(|one| Some(*one) != winner);
            for entrant in absent {
                if self.conduct_of(entrant).no_shows + 1 >= MAX_NO_SHOWS {
                    leave(&mut draft, entrant, false);
                }
            }
        }
        draft.decided()
    }
}
