//! In a Swiss of a few nobody meets twice while it can be avoided, also after somebody has left.

use std::collections::BTreeSet;

use noughts_protocol::PartyIntent;
use noughts_protocol::party::{PartyFormat, PartySettings};
use proptest::prelude::*;

use super::world::{World, settings};
use crate::party::pairing::Coins;
use crate::party::rules::PAUSE;

/// Hopeless positions after which the search gives up: a few searches among a million would take hours.
const MOST_HOPELESS: usize = 20_000;

/// The pairs that have met, and the rests of each entrant, among those who still play.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    met: BTreeSet<[u16; 2]>,
    byes: Vec<(u16, u8)>,
}

impl Position {
    fn of(world: &World, games: &[[u16; 2]], rests: &[u16]) -> Self {
        let active = world.state().entrants.iter().filter(|entrant| !entrant.left);
        let count = |one: u16| rests.iter().filter(|rest| **rest == one).count();
        let byes = active.map(|one| (one.number, u8::try_from(count(one.number)).unwrap()));
        let byes: Vec<_> = byes.collect();
        let plays = |number: &u16| byes.iter().any(|(one, _)| one == number);
        let met = games.iter().filter(|game| game.iter().all(plays)).copied().collect();
        Self { met, byes }
    }

    /// Whether so many rounds can be played without a second meeting: tries all of them. `hopeless`
    /// has positions from which it could not be done. False too after [`MOST_HOPELESS`] of them.
    fn lasts(&self, rounds: usize, hopeless: &mut BTreeSet<(usize, Self)>) -> bool {
        if rounds == 0 {
            return true;
        }
        if hopeless.len() >= MOST_HOPELESS || hopeless.contains(&(rounds, self.clone())) {
            return false;
        }
        let all: Vec<u16> = self.byes.iter().map(|(number, _)| *number).collect();
        let fewest = self.byes.iter().map(|(_, byes)| *byes).min().unwrap();
        let lasts = if all.len().is_multiple_of(2) {
            self.pair_up(&all, rounds, hopeless)
        } else {
            (0..all.len()).filter(|i| self.byes[*i].1 == fewest).any(|i| {
                let mut after = self.clone();
                after.byes[i].1 += 1;
                after.pair_up(&[&all[..i], &all[i + 1..]].concat(), rounds, hopeless)
            })
        };
        if !lasts {
            hopeless.insert((rounds, self.clone()));
        }
        lasts
    }

    fn pair_up(&self, left: &[u16], rounds: usize, hopeless: &mut BTreeSet<(usize, Self)>) -> bool {
        let Some((one, others)) = left.split_first() else {
            return self.lasts(rounds - 1, hopeless);
        };
        (0..others.len()).any(|i| {
            let mut after = self.clone();
            let rest = [&others[..i], &others[i + 1..]].concat();
            after.met.insert([*one, others[i]]) && after.pair_up(&rest, rounds, hopeless)
        })
    }
}

/// Plays a Swiss in which somebody leaves after a round, and checks the rounds that follow.
fn check(people: u64, rounds: u8, leaves_after: u16, seed: u64) {
    let swiss = PartySettings { rounds, ..settings(PartyFormat::Swiss) };
    let mut world = World::gather(swiss, people).with_lots(seed);
    let mut coins = Coins::new(seed);
    world.host(PartyIntent::StartParty);
    world.wait(PAUSE);
    let mut games = Vec::new();
    let mut rests = Vec::new();
    let mut start = (0, Position::of(&world, &games, &rests));
    let mut clean = 0;
    while !world.is_over() {
        let round = usize::from(world.state().round);
        for pairing in world.state().pairings.clone() {
            let Some(second) = pairing.second else {
                rests.push(pairing.first);
                continue;
            };
            let pair = [pairing.first.min(second), pairing.first.max(second)];
            if games.contains(&pair) {
                let (before, position) = start;
                let can = position.lasts(clean + 1 - before, &mut BTreeSet::new());
                assert!(!can, "{pair:?} meet again in round {round} without need");
                return;
            }
            games.push(pair);
        }
        clean = round;
        world.all_ready();
        for (_, opening) in world.rooms.clone() {
            let winner = if coins.draw().is_multiple_of(2) { opening.x } else { opening.o };
            world.win(winner);
        }
        if world.state().round == leaves_after {
            // The host stays.
            world.ask(2 + coins.draw() % (people - 1), PartyIntent::Withdraw).unwrap();
            start = (clean, Position::of(&world, &games, &rests));
        }
        world.wait(PAUSE);
    }
}

#[test]
fn the_parties_in_which_people_met_twice_without_need() {
    for (people, rounds, leaves_after) in
        [(8, 7, 2), (6, 5, 1), (6, 5, 2), (7, 6, 2), (8, 6, 2), (10, 8, 2)]
    {
        for seed in 0..20 {
            check(people, rounds, leaves_after, seed);
        }
    }
    check(10, 9, 2, 3_876_628_259_785_011_767);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nobody_meets_twice_while_an_exhaustive_search_avoids_it(
        people in 3..=10_u64, rounds in 3..=9_u8, leaves_after in 0..=6_u16, seed in any::<u64>(),
    ) {
        check(people, rounds, leaves_after, seed);
    }
}
