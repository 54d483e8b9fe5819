//! The cheapest way to split a few entrants into pairs, found exactly.

/// The most entrants: 2^16 subsets are looked at.
pub(super) const MOST: usize = 16;

/// Stands for a pair, or somebody alone, that is not allowed.
pub(super) const NEVER: u64 = u64::MAX;

/// Splits `count` entrants, numbered from 0, into pairs and singles of the lowest cost. `None` if
/// there is no allowed way, or more than [`MOST`] entrants.
pub(super) fn cheapest(
    count: usize,
    pair: impl Fn(usize, usize) -> u64,
    single: impl Fn(usize) -> u64,
) -> Option<Vec<(usize, Option<usize>)>> {
    if count > MOST {
        return None;
    }
    let all = (1_usize << count) - 1;
    // By the set of those who are placed: the lowest cost, and who was placed last. The lowest number
    // that is left is placed next, so most sets are never reached.
    let mut costs = vec![NEVER; all + 1];
    let mut choices = vec![(0, None); all + 1];
    costs[0] = 0;
    for placed in 0..all {
        if costs[placed] == NEVER {
            continue;
        }
        let one = (0..count).find(|one| placed & (1 << one) == 0)?;
        let alone = std::iter::once((None, single(one)));
        let left = (one + 1..count).filter(|other| placed & (1 << other) == 0);
        let paired = left.map(|other| (Some(other), pair(one, other)));
        for (other, cost) in alone.chain(paired) {
            let total = costs[placed].saturating_add(cost);
            let after = placed | (1 << one) | other.map_or(0, |other| 1 << other);
            if cost != NEVER && total < costs[after] {
                (costs[after], choices[after]) = (total, (one, other));
            }
        }
    }
    let mut split = Vec::new();
    let mut placed = all;
    while placed > 0 {
        if costs[placed] == NEVER {
            return None;
        }
        let (one, other) = choices[placed];
        split.push((one, other));
        placed &= !((1 << one) | other.map_or(0, |other| 1 << other));
    }
    split.reverse();
    Some(split)
}
