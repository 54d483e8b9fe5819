//! Knockout: the bracket is drawn by lot at the start. Byes fill it up to the next power of two and
//! are spread over it; only those who do not come leave further places empty. The losers of the
//! semi-finals play for the third place.

use std::cmp::Reverse;

use noughts_protocol::Pairing;
use noughts_protocol::party::{PartyState, Stage};

use super::coins::Coins;
use super::history::History;
use super::{Meeting, active};

/// The next round in the order of the bracket; `None` if it is over.
pub(super) fn next(state: &PartyState, coins: &mut Coins) -> Option<Vec<Meeting>> {
    let history = History::of(state);
    let mut game = |one, other| {
        let begins = history.begins(one, other).unwrap_or_else(|| coins.flip());
        if begins { Meeting::game(one, other) } else { Meeting::game(other, one) }
    };
    if state.round > 0 {
        let slots = winners(state);
        let alive: Vec<u16> = slots.iter().copied().flatten().collect();
        return match alive[..] {
            [] | [_] => None,
            [one, other] => {
                let last = Meeting { stage: Some(Stage::Final), ..game(one, other) };
                let third = semi_finalists(state)
                    .map(|[one, other]| Meeting { stage: Some(Stage::Third), ..game(one, other) });
                Some([Some(last), third].into_iter().flatten().collect())
            }
            _ => Some(later_round(&slots, &history, game)),
        };
    }
    let mut entrants: Vec<u16> = active(state).map(|entrant| entrant.number).collect();
    coins.shuffle(&mut entrants);
    let mut game = |one, other| {
        if coins.flip() { Meeting::game(one, other) } else { Meeting::game(other, one) }
    };
    match entrants[..] {
        [] | [_] => None,
        [one, other] => Some(vec![Meeting { stage: Some(Stage::Final), ..game(one, other) }]),
        _ => Some(first_round(&entrants, game)),
    }
}

/// The first round: the places of the bracket in their order, those without an entrant are byes.
fn first_round(entrants: &[u16], mut game: impl FnMut(u16, u16) -> Meeting) -> Vec<Meeting> {
    // The usual order of seeds: each half, quarter and so on has its share of the byes.
    let mut bracket = vec![0];
    while bracket.len() < entrants.len() {
        let last = 2 * bracket.len() - 1;
        bracket = bracket.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    let pairs = bracket.as_chunks::<2>().0;
    let meetings = pairs.iter().filter_map(|seeds| {
        let [one, other] = seeds.map(|seed| entrants.get(seed).copied());
        Some(match (one, other) {
            (Some(one), Some(other)) => game(one, other),
            (one, other) => Meeting::bye(one.or(other)?),
        })
    });
    meetings.collect()
}

/// The winners of the round, by place in the bracket; `None` where nobody goes on.
fn winners(state: &PartyState) -> Vec<Option<u16>> {
    let bracket = state.pairings.iter().filter(|pairing| pairing.stage != Some(Stage::Third));
    let winner = |pairing: &Pairing| {
        let winner = pairing.outcome.as_ref()?.winner?;
        state.entrant(winner).filter(|entrant| !entrant.left).map(|entrant| entrant.number)
    };
    bracket.map(winner).collect()
}

/// Neighbours of the bracket meet. If their number is odd, one of those with the fewest byes has a
/// bye, nearest to the place where nobody went on.
fn later_round(
    slots: &[Option<u16>],
    history: &History,
    mut game: impl FnMut(u16, u16) -> Meeting,
) -> Vec<Meeting> {
    let places = || slots.iter().enumerate();
    let from_gap = |place: usize| {
        let gaps = places().filter(|(_, slot)| slot.is_none());
        gaps.map(|(gap, _)| gap.abs_diff(place)).min().unwrap_or(0)
    };
    let alive = places().filter_map(|(place, slot)| Some((place, (*slot)?)));
    let bye = alive
        .clone()
        .min_by_key(|&(place, entrant)| (history.record(entrant).byes, from_gap(place)))
        .map(|(_, entrant)| entrant)
        .filter(|_| alive.clone().count() % 2 == 1);
    let mut meetings = Vec::new();
    let mut waiting = None;
    for (_, entrant) in alive {
        if bye == Some(entrant) {
            meetings.push(Meeting::bye(entrant));
        } else if let Some(one) = waiting.take() {
            meetings.push(game(one, entrant));
        } else {
            waiting = Some(entrant);
        }
    }
    meetings
}

/// The losers of the semi-finals, if both can play for the third place.
fn semi_finalists(state: &PartyState) -> Option<[u16; 2]> {
    let losers = state.pairings.iter().filter_map(|pairing| {
        let loser = pairing.opponent_of(pairing.outcome.as_ref()?.winner?)?;
        state.entrant(loser).filter(|entrant| !entrant.left).map(|entrant| entrant.number)
    });
    let losers: Vec<u16> = losers.collect();
    <[u16; 2]>::try_from(losers).ok()
}

/// A bye of the first round whose place somebody may take.
pub(super) fn free_bye(state: &PartyState) -> Option<&Pairing> {
    let is_free = |pairing: &&Pairing| {
        pairing.second.is_none()
            && pairing.outcome.is_none()
            && state.entrant(pairing.first).is_some_and(|entrant| !entrant.left)
    };
    state.pairings.iter().filter(|_| state.round == 1).find(is_free)
}

/// How far an entrant came: the last round, whether it was won, and whether the game for the third
/// place was.
type Reached = (usize, bool, bool);

/// How far everybody came, the farthest first. Those who came as far as each other share a place.
pub(super) fn reached(state: &PartyState) -> Vec<(Reverse<Reached>, u16)> {
    let mut reached = vec![(0, false, false); state.entrants.len() + 1];
    let mut note = |entrant: u16, key| reached[usize::from(entrant)] = key;
    for (round, pairings) in (1..).zip(&state.past) {
        for past in pairings {
            note(past.0, (round, past.2 > past.3, false));
            note(past.1, (round, past.3 > past.2, false));
        }
    }
    let round = state.past.len() + 1;
    for pairing in &state.pairings {
        let winner = pairing.outcome.as_ref().and_then(|outcome| outcome.winner);
        for entrant in pairing.entrants() {
            let won = winner == Some(entrant);
            let is_third = pairing.stage == Some(Stage::Third);
            note(entrant, if is_third { (round - 1, false, won) } else { (round, won, false) });
        }
    }
    let numbered = state
        .entrants
        .iter()
        .map(|entrant| (Reverse(reached[usize::from(entrant.number)]), entrant.number));
    numbered.collect()
}
