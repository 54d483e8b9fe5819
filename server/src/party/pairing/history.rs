//! The earlier games of a party, as far as the next pairing needs them: who has met whom, who had a bye, who
//! began how often. A pairing that was forfeited counts as a meeting.

use noughts_protocol::party::{PartyState, PastPairing};

/// A pairing of the party so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Played {
    pub(super) first: u16,
    pub(super) second: Option<u16>,
    /// The half points of both, if it is over.
    pub(super) points: Option<[u16; 2]>,
}

/// Every pairing that the state remembers, in order.
pub(super) fn played(state: &PartyState) -> impl Iterator<Item = Played> {
    let past = state.past.iter().flatten().map(|&PastPairing(first, second, own, other)| {
        let second = (second > 0).then_some(second);
        Played { first, second, points: Some([own, other]) }
    });
    let current = state.pairings.iter().map(|pairing| Played {
        first: pairing.first,
        second: pairing.second,
        points: pairing.outcome.as_ref().map(|outcome| outcome.points(pairing.first)),
    });
    past.chain(current)
}

/// The earlier pairings of one entrant.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Record {
    pub(super) pairings: u16,
    pub(super) byes: u16,
    /// How often the entrant began, less how often the opponent did.
    pub(super) balance: i16,
    /// How often in a row the entrant began; negative: how often the opponent did.
    pub(super) streak: i16,
}

impl Record {
    const fn count(&mut self, began: bool) {
        self.pairings += 1;
        let step = if began { 1 } else { -1 };
        self.balance += step;
        self.streak = if self.streak * step > 0 { self.streak + step } else { step };
    }

    /// Whether beginning again (or not beginning again) would be three times in a row or a
    /// difference of three: then the next pairing must be the other way. 1: must begin, -1: must
    /// not, 0: either.
    pub(super) const fn must(self) -> i16 {
        if self.streak >= 2 || self.balance >= 2 {
            -1
        } else if self.streak <= -2 || self.balance <= -2 {
            1
        } else {
            0
        }
    }
}

/// The earlier pairings of a party.
#[derive(Debug)]
pub(super) struct History {
    side: usize,
    met: Vec<u16>,
    records: Vec<Record>,
}

impl History {
    pub(super) fn of(state: &PartyState) -> Self {
        let side = state.entrants.len() + 1;
        let mut history =
            Self { side, met: vec![0; side * side], records: vec![Record::default(); side] };
        for Played { first, second, .. } in played(state) {
            history.count(usize::from(first), second.map(usize::from));
        }
        history
    }

    fn count(&mut self, first: usize, second: Option<usize>) {
        let Some(second) = second else {
            self.records[first].pairings += 1;
            self.records[first].byes += 1;
            return;
        };
        self.records[first].count(true);
        self.records[second].count(false);
        self.met[first * self.side + second] += 1;
        self.met[second * self.side + first] += 1;
    }

    /// How often the two have met.
    pub(super) fn met(&self, one: u16, other: u16) -> u16 {
        self.met[usize::from(one) * self.side + usize::from(other)]
    }

    pub(super) fn record(&self, entrant: u16) -> Record {
        self.records[usize::from(entrant)]
    }

    /// Whether `one` begins against `other`: the one who began less often, then the one who did not
    /// begin last; `None` if both are the same.
    pub(super) fn begins(&self, one: u16, other: u16) -> Option<bool> {
        let key = |entrant: u16| {
            let record = self.record(entrant);
            (-record.must(), record.balance, record.streak)
        };
        let own = key(one);
        let theirs = key(other);
        (own != theirs).then_some(own < theirs)
    }
}
