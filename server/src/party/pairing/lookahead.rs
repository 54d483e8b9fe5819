//! A round of a few entrants after which the most rounds without a second meeting are left.
//!
//! All rounds of the entrants are tried, the cheapest first. For each, a search looks for so many more
//! rounds in which nobody meets twice. The bounds: at most [`MOST`] entrants, [`STEPS`] steps of the
//! search for one round, and [`ALL_STEPS`] for all.

/// The most entrants. They have 10,395 different rounds.
pub(super) const MOST: usize = 12;

/// The most steps of a search. One that finds nothing by then counts as without success.
const STEPS: u32 = 2_000;

/// The most steps of all searches for a round.
const ALL_STEPS: u32 = 400_000;

/// The opponent of each entrant in a round.
type Round = [u8; MOST];

/// The pairs that may still meet: each entrant's set of opponents. The number of entrants is even.
#[derive(Debug, Clone)]
pub(super) struct Open {
    count: usize,
    opponents: [u16; MOST],
}

impl Open {
    /// `None` for an odd number of entrants, or more than [`MOST`].
    pub(super) fn new(count: usize, may_meet: impl Fn(usize, usize) -> bool) -> Option<Self> {
        if count > MOST || !count.is_multiple_of(2) {
            return None;
        }
        let mut open = Self { count, opponents: [0; MOST] };
        for one in 0..count {
            for other in one + 1..count {
                if may_meet(one, other) {
                    open.toggle(one, other);
                }
            }
        }
        Some(open)
    }

    const fn toggle(&mut self, one: usize, other: usize) {
        self.opponents[one] ^= 1 << other;
        self.opponents[other] ^= 1 << one;
    }

    /// The set of all entrants.
    const fn all(&self) -> u16 {
        (1 << self.count) - 1
    }

    /// The entrant of `among` who has the fewest opponents there.
    fn scarcest(&self, among: u16) -> Option<usize> {
        bits(among).min_by_key(|one| (self.opponents[*one] & among).count_ones())
    }

    /// The rounds that the entrant with the fewest opponents can still play.
    fn most_rounds(&self) -> u32 {
        let counts = self.opponents[..self.count].iter().map(|opponents| opponents.count_ones());
        counts.min().unwrap_or(0)
    }

    /// Adds all rounds in which those who are left can meet.
    fn add_rounds(&self, left: u16, round: &mut Round, rounds: &mut Vec<Round>) {
        let Some(one) = bits(left).next() else { return rounds.push(*round) };
        for other in bits(self.opponents[one] & left) {
            (round[one], round[other]) = (index(other), index(one));
            self.add_rounds(left & !(1 << one) & !(1 << other), round, rounds);
        }
    }

    /// Whether so many rounds can be found.
    fn lasts(mut self, rounds: u32, steps: &mut u32) -> bool {
        let pivot = self.scarcest(self.all()).unwrap_or(0);
        rounds == 0
            || self.most_rounds() >= rounds && self.find(pivot, self.all(), rounds, !0, steps)
    }

    /// Fills the round in which `left` have no opponent yet, and `rounds - 1` more. The pivot meets its
    /// opponents in their order, of `later`, so that the same rounds in another order are not tried.
    fn find(&mut self, pivot: usize, left: u16, rounds: u32, later: u16, steps: &mut u32) -> bool {
        if left == 0 {
            return rounds == 1 || self.find(pivot, self.all(), rounds - 1, later, steps);
        }
        let Some(fewer) = steps.checked_sub(1) else { return false };
        *steps = fewer;
        let begins = left == self.all();
        let next = if begins { Some(pivot) } else { self.scarcest(left) };
        let Some(one) = next else { return false };
        let options = self.opponents[one] & left & if begins { later } else { !0 };
        if begins && options.count_ones() < rounds {
            return false;
        }
        for other in bits(options) {
            let later = if begins { later & (!1 << other) } else { later };
            self.toggle(one, other);
            if self.find(pivot, left & !(1 << one) & !(1 << other), rounds, later, steps) {
                return true;
            }
            self.toggle(one, other);
        }
        false
    }
}

/// The cheapest round after which `rounds - 1` more can be played without a second meeting; if there
/// is none, one after which as many as possible can. `None` if two must meet again at once. A round
/// without a cost is not allowed.
pub(super) fn round<K: Ord>(
    open: &Open,
    rounds: u32,
    cost: impl Fn(&[[usize; 2]]) -> Option<K>,
) -> Option<Vec<[usize; 2]>> {
    let mut all = Vec::new();
    open.add_rounds(open.all(), &mut [0; MOST], &mut all);
    let mut pairs = Vec::new();
    let mut ranked: Vec<(K, Round)> = Vec::with_capacity(all.len());
    for round in all {
        pairs.clear();
        pairs.extend(pairs_of(open, &round));
        ranked.extend(cost(&pairs).map(|cost| (cost, round)));
    }
    ranked.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut all_steps = ALL_STEPS;
    let mut lasts = |round: &Round, more: u32| {
        let mut after = open.clone();
        for [one, other] in pairs_of(open, round) {
            after.toggle(one, other);
        }
        let granted = all_steps.min(STEPS);
        let mut steps = granted;
        let lasts = after.lasts(more, &mut steps);
        all_steps -= granted - steps;
        lasts
    };
    let most = open.most_rounds().min(rounds);
    let best = (0..most).rev().find_map(|more| ranked.iter().find(|(_, round)| lasts(round, more)));
    best.map(|(_, round)| pairs_of(open, round).collect())
}

fn pairs_of(open: &Open, round: &Round) -> impl Iterator<Item = [usize; 2]> {
    let pairs = round.iter().take(open.count).map(|other| usize::from(*other)).enumerate();
    pairs.filter(|(one, other)| one < other).map(|(one, other)| [one, other])
}

/// The members of a set, the lowest first.
fn bits(set: u16) -> impl Iterator<Item = usize> {
    (0..MOST).filter(move |bit| set & (1 << bit) != 0)
}

fn index(entrant: usize) -> u8 {
    u8::try_from(entrant).unwrap_or(u8::MAX)
}
