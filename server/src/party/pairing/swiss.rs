//! Swiss: a fixed number of rounds in which entrants with about the same points meet.
//!
//! A pairing has a cost. In this order it counts: whether the two have met; whether both must begin
//! (or both must not), because one of them would begin three times in a row; how far apart their points
//! are; whether both began more often than their opponents, or less often. Up to 16 entrants are split
//! exactly. More are paired from the top and then improved by exchanges between two pairs: with 18 or
//! more, an exchange always ends a second meeting, because nobody has met more than eight others.
//!
//! A bye goes to the one with the fewest byes, and among those to the one with the fewest points.
//! Up to twelve entrants could come to a round in which two must meet again, though other pairs before
//! would have avoided it. So a round of theirs is one after which the rounds that remain can be paired
//! without that, if there is one ([`lookahead`]).

use noughts_protocol::party::PartyState;

use super::coins::Coins;
use super::history::History;
use super::lookahead::{self, Open};
use super::matching::{MOST, NEVER, cheapest};
use super::{Meeting, active};

/// The cost of having met once.
const MET: u32 = 1_000_000_000;

/// The cost if both must begin, or both must not. More than all differences of points of a round.
const BOTH_MUST: u32 = 10_000_000;

/// The cost of a difference of one half point; it grows with the square.
const POINTS: u32 = 100;

/// The cost if both began more often, or both less often.
const SAME_BALANCE: u32 = 60;

/// The most rounds of improvements. Each ends cheaper, and a few are enough.
const IMPROVEMENTS: u32 = 32;

/// An entrant who is paired.
#[derive(Debug, Clone, Copy)]
struct Player {
    number: u16,
    points: u16,
}

/// The next round; `None` if it was the last, or if everybody has met everybody.
pub(super) fn next(state: &PartyState, coins: &mut Coins) -> Option<Vec<Meeting>> {
    if state.round >= u16::from(state.settings.rounds) {
        return None;
    }
    let history = History::of(state);
    let mut players: Vec<Player> = active(state)
        .map(|entrant| Player { number: entrant.number, points: entrant.points })
        .collect();
    let have_met = |one: &Player, other: &Player| {
        one.number == other.number || history.met(one.number, other.number) > 0
    };
    if players.iter().all(|one| players.iter().all(|other| have_met(one, other))) {
        return None;
    }
    coins.shuffle(&mut players);
    players.sort_by_key(|player| std::cmp::Reverse(player.points));
    let (pairs, bye) =
        with_lookahead(state, &history, &players).unwrap_or_else(|| split(&history, &players));
    let games = pairs.into_iter().map(|[one, other]| {
        let begins = history.begins(one, other).unwrap_or_else(|| coins.flip());
        if begins { Meeting::game(one, other) } else { Meeting::game(other, one) }
    });
    Some(games.chain(bye.map(Meeting::bye)).collect())
}

/// Pairs, and who has the bye.
type Split = (Vec<[u16; 2]>, Option<u16>);

/// The fewest byes of anybody: only those have the next one.
fn fewest_byes(history: &History, players: &[Player]) -> u16 {
    players.iter().map(|player| history.record(player.number).byes).min().unwrap_or(0)
}

/// The best round after which the rounds that remain can be paired without a second meeting, for a few
/// players. `None` for more, or if two must meet again now.
fn with_lookahead(state: &PartyState, history: &History, players: &[Player]) -> Option<Split> {
    let rounds = u16::from(state.settings.rounds).saturating_sub(state.round);
    let fewest = fewest_byes(history, players);
    let may_rest = |player: &&Player| history.record(player.number).byes == fewest;
    // If the number is odd, the one with the last place meets nobody: a bye.
    let count = players.len().next_multiple_of(2);
    let all_rest = usize::from(rounds) > players.iter().filter(may_rest).count();
    let open = Open::new(count, |one, other| match (players.get(one), players.get(other)) {
        (Some(one), Some(other)) => history.met(one.number, other.number) == 0,
        (Some(one), None) => all_rest || may_rest(&one),
        (None, _) => false,
    })?;
    let costs = Costs::of(history, players);
    // As in [`split`], the last of those who may rest do, whatever the pairs cost.
    let cost = |pairs: &[[usize; 2]]| {
        let bye = pairs.iter().find(|[_, other]| *other == players.len()).map(|[one, _]| *one);
        let is_allowed = bye.is_none_or(|bye| may_rest(&&players[bye]));
        let games = pairs.iter().filter(|[_, other]| *other < players.len());
        let cost: u64 = games.map(|pair| costs.at(*pair)).sum();
        is_allowed.then_some((std::cmp::Reverse(bye), cost))
    };
    let mut split: Split = (Vec::new(), None);
    for [one, other] in lookahead::round(&open, u32::from(rounds), cost)? {
        let number = players[one].number;
        match players.get(other) {
            Some(other) => split.0.push([number, other.number]),
            None => split.1 = Some(number),
        }
    }
    Some(split)
}

/// Splits the players, the best first, into pairs and a bye.
fn split(history: &History, players: &[Player]) -> Split {
    if players.len().is_multiple_of(2) {
        return (pairs_of(history, players).0, None);
    }
    let fewest = fewest_byes(history, players);
    let may_rest = |place: &usize| history.record(players[*place].number).byes == fewest;
    let mut best: Option<(u64, Split)> = None;
    for bye in (0..players.len()).rev().filter(may_rest) {
        let others: Vec<Player> = [&players[..bye], &players[bye + 1..]].concat();
        let (pairs, cost) = pairs_of(history, &others);
        if best.as_ref().is_none_or(|(lowest, _)| cost < *lowest) {
            best = Some((cost, (pairs, Some(players[bye].number))));
        }
        // Somebody else rests only if a second meeting is avoided by that.
        if cost < u64::from(MET) || players.len() > MOST + 1 {
            break;
        }
    }
    best.map_or_else(|| (Vec::new(), None), |(_, split)| split)
}

fn pair_cost(history: &History, one: Player, other: Player) -> u32 {
    let own = history.record(one.number);
    let theirs = history.record(other.number);
    let met = u32::from(history.met(one.number, other.number).min(3));
    let apart = u32::from(one.points.abs_diff(other.points)).min(200);
    let mut cost = met * MET + apart * apart * POINTS;
    if own.must() * theirs.must() > 0 {
        cost += BOTH_MUST;
    }
    if own.balance * theirs.balance > 0 {
        cost += SAME_BALANCE;
    }
    cost
}

/// The costs of all pairs.
struct Costs {
    count: usize,
    costs: Vec<u32>,
}

impl Costs {
    fn of(history: &History, players: &[Player]) -> Self {
        let count = players.len();
        let mut costs = vec![0; count * count];
        for (i, one) in players.iter().enumerate() {
            for (j, other) in players.iter().enumerate().skip(i + 1) {
                let cost = pair_cost(history, *one, *other);
                (costs[i * count + j], costs[j * count + i]) = (cost, cost);
            }
        }
        Self { count, costs }
    }

    fn at(&self, [one, other]: [usize; 2]) -> u64 {
        u64::from(self.costs[one * self.count + other])
    }
}

/// The pairs of an even number of players, and their cost.
fn pairs_of(history: &History, players: &[Player]) -> (Vec<[u16; 2]>, u64) {
    let costs = Costs::of(history, players);
    let exact = cheapest(players.len(), |one, other| costs.at([one, other]), |_| NEVER);
    let pairs: Vec<[usize; 2]> = if let Some(split) = exact {
        split.into_iter().filter_map(|(one, other)| Some([one, other?])).collect()
    } else {
        let mut pairs = from_the_top(&costs);
        improve(&costs, &mut pairs);
        pairs
    };
    let cost = pairs.iter().map(|pair| costs.at(*pair)).sum();
    (pairs.into_iter().map(|pair| pair.map(|place| players[place].number)).collect(), cost)
}

/// Each gets the cheapest opponent of those who are left, the best first.
fn from_the_top(costs: &Costs) -> Vec<[usize; 2]> {
    let mut left: Vec<usize> = (0..costs.count).collect();
    let mut pairs = Vec::with_capacity(costs.count / 2);
    while left.len() > 1 {
        let one = left.remove(0);
        let cheapest =
            (0..left.len()).min_by_key(|place| costs.at([one, left[*place]])).unwrap_or(0);
        pairs.push([one, left.remove(cheapest)]);
    }
    pairs
}

/// Exchanges opponents between two pairs as long as that is cheaper.
fn improve(costs: &Costs, pairs: &mut [[usize; 2]]) {
    for _ in 0..IMPROVEMENTS {
        let mut is_better = false;
        for i in 0..pairs.len() {
            for j in 0..pairs.len() {
                let [a, b] = pairs[i];
                let [c, d] = pairs[j];
                if costs.at([a, b]) == 0 {
                    break;
                }
                if i == j {
                    continue;
                }
                let now = costs.at([a, b]) + costs.at([c, d]);
                let ways = [[[a, c], [b, d]], [[a, d], [b, c]]];
                let cost = |way: &[[usize; 2]; 2]| costs.at(way[0]) + costs.at(way[1]);
                if let Some(way) = ways.into_iter().find(|way| cost(way) < now) {
                    [pairs[i], pairs[j]] = way;
                    is_better = true;
                }
            }
        }
        if !is_better {
            return;
        }
    }
}
