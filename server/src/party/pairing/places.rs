//! The places of all entrants. Those who cannot be told apart share one.
//!
//! | format | counts, in this order |
//! | --- | --- |
//! | knockout | the round that was reached, the game for the third place |
//! | round robin, Swiss | points, the points of the opponents (Buchholz), the games among those who are equal, wins |
//! | winner stays on | wins, then fewer losses |

use std::cmp::Reverse;

use noughts_protocol::Place;
use noughts_protocol::party::{PartyFormat, PartyState};

use super::history::played;
use super::knockout::reached;

/// The places of all entrants, from the first; none before anybody has a point: else all would be the first.
#[must_use]
pub(crate) fn places(state: &PartyState) -> Vec<Place> {
    if played(state).all(|pairing| pairing.points.is_none_or(|points| points == [0, 0])) {
        return Vec::new();
    }
    match state.settings.format {
        PartyFormat::Knockout => ranked(reached(state), |_| 0),
        PartyFormat::WinnerStays => {
            let keyed = state
                .entrants
                .iter()
                .map(|entrant| ((Reverse(entrant.wins), entrant.losses), entrant.number));
            ranked(keyed.collect(), |_| 0)
        }
        PartyFormat::RoundRobin | PartyFormat::Swiss => by_points(state),
    }
}

/// The places by key, the smallest first. Equal keys share the place, and the next one is left out.
fn ranked<K: Ord>(mut keyed: Vec<(K, u16)>, tiebreak: impl Fn(u16) -> u16) -> Vec<Place> {
    keyed.sort();
    let mut places: Vec<Place> = Vec::with_capacity(keyed.len());
    for ((place, (key, entrant)), before) in
        (1..).zip(&keyed).zip(std::iter::once(None).chain(keyed.iter().map(Some)))
    {
        let shared = before.filter(|(other, _)| other == key).and_then(|_| places.last());
        let place = shared.map_or(place, |shared| shared.place);
        places.push(Place { place, entrant: *entrant, tiebreak: tiebreak(*entrant) });
    }
    places
}

fn by_points(state: &PartyState) -> Vec<Place> {
    let points = |number: u16| state.entrant(number).map_or(0, |entrant| entrant.points);
    let index = usize::from;
    let mut opponents = vec![0_u16; state.entrants.len() + 1];
    for game in played(state) {
        let (Some(second), Some(_)) = (game.second, game.points) else { continue };
        for (one, other) in [(game.first, second), (second, game.first)] {
            opponents[index(one)] = opponents[index(one)].saturating_add(points(other));
        }
    }
    // The games among those who are equal so far count, if all of them have met.
    let equal = |one: u16, other: u16| {
        points(one) == points(other) && opponents[index(one)] == opponents[index(other)]
    };
    let mut direct = vec![0_u16; state.entrants.len() + 1];
    let mut met = vec![0_usize; state.entrants.len() + 1];
    for game in played(state) {
        let (Some(second), Some(points)) = (game.second, game.points) else { continue };
        if equal(game.first, second) {
            for (entrant, points) in [game.first, second].into_iter().zip(points) {
                direct[index(entrant)] = direct[index(entrant)].saturating_add(points);
                met[index(entrant)] += 1;
            }
        }
    }
    let numbers = || state.entrants.iter().map(|entrant| entrant.number);
    let have_all_met = |one: u16| {
        let group: Vec<u16> = numbers().filter(|other| equal(one, *other)).collect();
        group.iter().all(|member| met[index(*member)] + 1 == group.len())
    };
    let keyed = state.entrants.iter().map(|entrant| {
        let number = entrant.number;
        let direct = if have_all_met(number) { direct[index(number)] } else { 0 };
        let own = (entrant.points, opponents[index(number)], direct, entrant.wins);
        (Reverse(own), number)
    });
    ranked(keyed.collect(), |entrant| opponents[index(entrant)])
}
