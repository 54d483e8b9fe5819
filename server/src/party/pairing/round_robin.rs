//! Round robin: everybody plays everybody once, at most twelve. As long as nobody comes or leaves, the
//! rounds are those of the circle: one stays, the others move round. After that, each round has as many
//! of the missing pairs as possible, of those who miss the most. A bye gives no points.

use noughts_protocol::party::PartyState;

use super::history::History;
use super::matching::{NEVER, cheapest};
use super::{Meeting, active};

/// The next round; `None` if everybody has met everybody.
pub(super) fn next(state: &PartyState) -> Option<Vec<Meeting>> {
    let history = History::of(state);
    let players: Vec<u16> = active(state).map(|entrant| entrant.number).collect();
    let misses = |one: u16| {
        players.iter().filter(|other| **other != one && history.met(one, **other) == 0).count()
    };
    if players.iter().all(|one| misses(*one) == 0) {
        return None;
    }
    let pairs = circle_round(state, &history, &players)
        .unwrap_or_else(|| most_pairs(&history, &players, misses));
    let rests = |one: &&u16| {
        let plays = pairs.iter().any(|[first, second]| first == *one || second == *one);
        !plays && misses(**one) > 0
    };
    let byes = players.iter().filter(rests).map(|one| Meeting::bye(*one));
    let games = pairs.iter().map(|&[one, other]| in_turn(one, other));
    Some(games.chain(byes).collect())
}

/// A round of the circle in which nobody has met, of as many pairs as possible. Those who have left
/// keep their place in the circle, so that the others' rounds stay as they are.
fn circle_round(state: &PartyState, history: &History, players: &[u16]) -> Option<Vec<[u16; 2]>> {
    let is_in = |number: u16| history.record(number).pairings > 0 || players.contains(&number);
    let numbers = state.entrants.iter().map(|entrant| entrant.number);
    let circle: Vec<u16> = numbers.filter(|number| is_in(*number)).collect();
    let plays = |pair: &[u16; 2]| pair.iter().all(|one| players.contains(one));
    circle_rounds(&circle).map(|round| round.into_iter().filter(plays).collect::<Vec<_>>()).find(
        |round| {
            let is_new = round.iter().all(|[one, other]| history.met(*one, *other) == 0);
            is_new && round.len() == players.len() / 2
        },
    )
}

/// The rounds of the circle: in them everybody meets everybody once. If the number is odd, each has
/// one round of rest.
pub(super) fn circle_rounds(entrants: &[u16]) -> impl Iterator<Item = Vec<[u16; 2]>> {
    let even = entrants.len().next_multiple_of(2);
    let moving = even.saturating_sub(1);
    (0..moving).map(move |round| {
        let across = (1..even / 2).map(|i| ((round + i) % moving, (round + moving - i) % moving));
        let places = std::iter::once((round, moving)).chain(across);
        let pairs =
            places.filter_map(|(one, other)| Some([*entrants.get(one)?, *entrants.get(other)?]));
        pairs.collect()
    })
}

/// As many pairs as possible that have not met.
fn most_pairs(history: &History, players: &[u16], misses: impl Fn(u16) -> usize) -> Vec<[u16; 2]> {
    // Alone costs more than all that is finer: who misses many, or had a bye, is alone last.
    let alone = |place: usize| {
        let player = players[place];
        let finer = misses(player) + 16 * usize::from(history.record(player).byes);
        10_000 + u64::try_from(finer).unwrap_or(0)
    };
    let pair = |one: usize, other: usize| {
        if history.met(players[one], players[other]) == 0 { 0 } else { NEVER }
    };
    let split = cheapest(players.len(), pair, alone).unwrap_or_default();
    split.into_iter().filter_map(|(one, other)| Some([players[one], players[other?]])).collect()
}

/// Begins by the numbers, so that nobody of a whole round robin begins twice more than the others.
pub(super) const fn in_turn(one: u16, other: u16) -> Meeting {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    if (high - low) % 2 == 1 { Meeting::game(low, high) } else { Meeting::game(high, low) }
}
