//! The invariants of a party, checked after each fact and counted apart from the rules.

use std::collections::{BTreeMap, BTreeSet};

use noughts_protocol::party::{PartyFormat, PartyPhase, PartyState, Stage};
use noughts_protocol::{DecidedBy, Pairing, PartyEvent};

/// From this number of players on, nobody ever meets twice in a Swiss.
const NEVER_TWICE: usize = 18;

pub(super) struct Checks {
    pub(super) state: PartyState,
    met: BTreeSet<(u16, u16)>,
    byes: BTreeMap<u16, u32>,
    /// By entrant: whether they began, for each pairing.
    begun: BTreeMap<u16, Vec<bool>>,
    lost: BTreeSet<u16>,
    decided: BTreeSet<u32>,
    /// Whether nobody has come late or left.
    is_calm: bool,
}

impl Checks {
    pub(super) const fn new(state: PartyState) -> Self {
        Self {
            state,
            met: BTreeSet::new(),
            byes: BTreeMap::new(),
            begun: BTreeMap::new(),
            lost: BTreeSet::new(),
            decided: BTreeSet::new(),
            is_calm: true,
        }
    }

    pub(super) fn take(&mut self, v: u64, event: &PartyEvent) {
        match event {
            PartyEvent::Paired { round, pairings } => self.paired(*round, pairings),
            PartyEvent::Decided { pairing, outcome } => {
                let is_new = self.decided.insert(*pairing);
                assert!(
                    is_new || outcome.how == DecidedBy::Host,
                    "pairing {pairing} is decided twice"
                );
                let (first, second, _) = self.state.decided(*pairing).unwrap();
                for entrant in [Some(first), second].into_iter().flatten() {
                    if outcome.winner == Some(entrant) {
                        self.lost.remove(&entrant);
                    } else {
                        self.lost.insert(entrant);
                    }
                }
            }
            PartyEvent::Again { .. } => {
                let decided = std::mem::take(&mut self.decided);
                *self = Self { decided, ..Self::new(self.state.clone()) };
            }
            PartyEvent::Joined { .. } | PartyEvent::Left { .. } | PartyEvent::Returned { .. } => {
                self.is_calm &= self.state.phase == PartyPhase::Gathering;
            }
            _ => {}
        }
        self.state.apply(v, event).unwrap();
        if let PartyEvent::Ranked { places } | PartyEvent::Ended { places } = event
            && self.state.round > 0
        {
            let ranked: BTreeSet<u16> = places.iter().map(|place| place.entrant).collect();
            let has_points = self.state.entrants.iter().any(|entrant| entrant.points > 0);
            let all = if has_points { self.state.entrants.len() } else { 0 };
            assert_eq!(ranked.len(), all, "everybody has a place as soon as somebody has a point");
            assert_eq!(places.len(), ranked.len(), "and one only");
            assert_eq!(places.first().map(|place| place.place), has_points.then_some(1));
        }
        self.points();
    }

    fn paired(&mut self, round: u16, pairings: &[Pairing]) {
        let format = self.state.settings.format;
        let is_new_round = round != self.state.round;
        if is_new_round {
            let open = self.state.pairings.iter().filter(|pairing| pairing.outcome.is_none());
            assert_eq!(open.count(), 0, "the round before is over");
        }
        let mut tables = BTreeSet::new();
        for pairing in pairings {
            assert_eq!(pairing.table == 0, pairing.second.is_none(), "a bye has no table");
            assert!(pairing.table == 0 || tables.insert(pairing.table), "one pairing a table");
            for entrant in pairing.entrants() {
                assert!(!self.state.entrant(entrant).unwrap().left, "{entrant} has left");
                let open = self.state.open_pairing_of(entrant);
                assert!(open.is_none_or(|open| open.number == pairing.number), "{entrant} plays");
            }
        }
        let all: Vec<u16> = pairings.iter().flat_map(Pairing::entrants).collect();
        assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "nobody is paired twice");
        match format {
            PartyFormat::Swiss => self.swiss(pairings),
            PartyFormat::RoundRobin => self.round_robin(pairings),
            PartyFormat::Knockout => self.knockout(pairings),
            PartyFormat::WinnerStays => {}
        }
        for pairing in pairings {
            self.note(pairing);
        }
    }

    fn note(&mut self, pairing: &Pairing) {
        let Some(second) = pairing.second else {
            *self.byes.entry(pairing.first).or_default() += 1;
            return;
        };
        if self.state.pairing(pairing.number).is_some() {
            // A late comer took the place of a bye.
            let had = self.state.pairing(pairing.number).map(|bye| bye.first).unwrap();
            *self.byes.get_mut(&had).unwrap() -= 1;
        }
        self.met.insert((pairing.first.min(second), pairing.first.max(second)));
        self.begun.entry(pairing.first).or_default().push(true);
        self.begun.entry(second).or_default().push(false);
    }

    fn have_met(&self, one: u16, other: u16) -> bool {
        self.met.contains(&(one.min(other), one.max(other)))
    }

    fn active(&self) -> Vec<u16> {
        let active = self.state.entrants.iter().filter(|entrant| !entrant.left);
        active.map(|entrant| entrant.number).collect()
    }

    fn byes_of(&self, entrant: u16) -> u32 {
        self.byes.get(&entrant).copied().unwrap_or(0)
    }

    fn swiss(&self, pairings: &[Pairing]) {
        let active = self.active();
        let paired: usize = pairings.iter().map(|pairing| pairing.entrants().count()).sum();
        assert_eq!(paired, active.len(), "everybody plays or has a bye");
        let byes: Vec<u16> =
            pairings.iter().filter(|p| p.second.is_none()).map(|p| p.first).collect();
        assert_eq!(byes.len(), active.len() % 2, "one has a bye if the number is odd");
        let fewest = active.iter().map(|one| self.byes_of(*one)).min().unwrap_or(0);
        for bye in byes {
            assert_eq!(self.byes_of(bye), fewest, "nobody has a second bye before all had one");
        }
        let again = pairings.iter().filter(|p| p.second.is_some_and(|s| self.have_met(p.first, s)));
        if let Some(again) = again.into_iter().next() {
            assert!(active.len() < NEVER_TWICE, "they meet again: {again:?}");
            let may_rest =
                |one: &u16| active.len().is_multiple_of(2) || self.byes_of(*one) == fewest;
            assert!(!self.can_split(&active, &may_rest), "they meet again without need: {again:?}");
        }
        for pairing in pairings.iter().filter(|_| active.len() >= NEVER_TWICE) {
            for (entrant, begins) in pairing.entrants().zip([true, false]) {
                let begun = self.begun.get(&entrant).map_or(&[][..], Vec::as_slice);
                let third = begun.len() >= 2 && begun[begun.len() - 2..] == [begins, begins];
                assert!(!third || pairing.second.is_none(), "{entrant} three times in a row");
                let times = |side| begun.iter().filter(|one| **one == side).count();
                let more = (times(begins) + 1).abs_diff(times(!begins));
                assert!(more <= 2 || pairing.second.is_none(), "{entrant} is out of balance");
            }
        }
    }

    /// Whether all can be split into pairs who have not met, one of them resting if the number is odd.
    fn can_split(&self, left: &[u16], may_rest: &dyn Fn(&u16) -> bool) -> bool {
        if left.len() % 2 == 1 {
            return (0..left.len()).filter(|i| may_rest(&left[*i])).any(|i| {
                let others = [&left[..i], &left[i + 1..]].concat();
                self.can_split(&others, may_rest)
            });
        }
        let Some((one, others)) = left.split_first() else { return true };
        (0..others.len()).filter(|i| !self.have_met(*one, others[*i])).any(|i| {
            let rest = [&others[..i], &others[i + 1..]].concat();
            self.can_split(&rest, may_rest)
        })
    }

    fn round_robin(&self, pairings: &[Pairing]) {
        for pairing in pairings {
            let again = pairing.second.is_some_and(|second| self.have_met(pairing.first, second));
            assert!(!again, "nobody meets twice: {pairing:?}");
            if self.is_calm && pairing.second.is_none() {
                assert_eq!(self.byes_of(pairing.first), 0, "one bye each");
            }
        }
    }

    fn knockout(&self, pairings: &[Pairing]) {
        let late = pairings.iter().any(|pairing| self.state.pairing(pairing.number).is_some());
        for pairing in pairings {
            let is_third = pairing.stage == Some(Stage::Third);
            for entrant in pairing.entrants() {
                assert_eq!(self.lost.contains(&entrant), is_third, "{entrant} in {pairing:?}");
                let is_new = self.begun.contains_key(&entrant) || self.byes.contains_key(&entrant);
                assert!(late || self.state.round == 0 || is_new, "{entrant} comes too late");
            }
        }
        let games = pairings.iter().filter(|pairing| pairing.second.is_some()).count();
        if self.state.round == 0 {
            let places = pairings.len() * 2;
            assert!(places.is_power_of_two() && games > 0, "byes fill the bracket: {pairings:?}");
        } else if !late {
            let byes = |one: &Pairing| self.byes_of(one.first);
            let resting = pairings.iter().filter(|pairing| pairing.second.is_none());
            let all = pairings.iter().flat_map(Pairing::entrants);
            let fewest = all.map(|one| self.byes_of(one)).min();
            assert!(resting.clone().count() <= 1, "one bye at most");
            assert!(resting.map(byes).all(|byes| Some(byes) == fewest), "byes are fair");
        }
    }

    /// The points of everybody, counted anew.
    fn points(&self) {
        if self.state.settings.format == PartyFormat::WinnerStays {
            return;
        }
        let mut points = vec![0; self.state.entrants.len() + 1];
        for past in self.state.past.iter().flatten() {
            points[usize::from(past.0)] += past.2;
            points[usize::from(past.1)] += past.3;
        }
        for pairing in &self.state.pairings {
            let Some(outcome) = &pairing.outcome else { continue };
            let [own, other] = outcome.points(pairing.first);
            points[usize::from(pairing.first)] += own;
            points[usize::from(pairing.second.unwrap_or(0))] += other;
        }
        for entrant in &self.state.entrants {
            let counted = points[usize::from(entrant.number)];
            assert_eq!(entrant.points, counted, "the points of {entrant:?}");
        }
    }
}
