//! Whole parties of 2 to 200 people, with late comers, leavers, people who do not come, draws, lost
//! rooms, a host who interferes, and restarts of the server. [`super::checks`] holds after each fact,
//! and every party ends with a place for everybody.

use std::time::Duration;

use noughts_protocol::party::{PartyFormat, PartySettings};
use noughts_protocol::{Computer, Mark, PartyIntent};
use proptest::prelude::*;

use super::world::{World, settings};
use crate::party::pairing::Coins;
use crate::party::rules::READY;
use crate::party::rules::tables::TableResult;

/// How often each thing happens, in percent of its occasions.
#[derive(Debug, Clone, Copy)]
struct Weather {
    late: u64,
    leave: u64,
    absent: u64,
    draw: u64,
    lose: u64,
    host: u64,
    restart: u64,
}

const CALM: Weather =
    Weather { late: 0, leave: 0, absent: 0, draw: 20, lose: 0, host: 0, restart: 0 };
const STORM: Weather =
    Weather { late: 30, leave: 6, absent: 10, draw: 30, lose: 5, host: 6, restart: 8 };

struct Evening {
    world: World,
    weather: Weather,
    coins: Coins,
    people: u64,
}

impl Evening {
    fn percent(&mut self, chance: u64) -> bool {
        self.coins.draw() % 100 < chance
    }

    fn anybody(&mut self) -> u16 {
        let count = u64::try_from(self.world.state().entrants.len()).unwrap();
        u16::try_from(self.coins.draw() % count + 1).unwrap()
    }

    /// One thing happens.
    fn step(&mut self) {
        let Weather { late, leave, host, restart, .. } = self.weather;
        if self.percent(late) && self.people < 230 {
            self.people += 1;
            // Refused if the party is full.
            let _ = self.world.join(self.people);
        }
        if self.percent(leave) {
            let entrant = self.anybody();
            let player = self.world.state().entrant(entrant).unwrap().player;
            if let Some(player) = player {
                if self.world.state().entrant(entrant).unwrap().left {
                    self.world.join(player.0).unwrap();
                } else {
                    self.world.ask(player.0, PartyIntent::Withdraw).unwrap();
                }
            }
        }
        if self.percent(host) {
            self.lead();
        }
        if self.percent(leave) {
            self.hand_over();
        }
        if self.percent(restart) {
            self.world.restart();
        }
        if self.percent(host) {
            let player = self.coins.draw() % self.people + 1;
            if self.world.is_there(player) {
                self.world.go(player);
            } else {
                self.world.come(player);
            }
        }
        self.play();
    }

    /// A place goes to somebody new, or to somebody who plays already.
    fn hand_over(&mut self) {
        let entrant = self.anybody();
        self.people += 1;
        let other = self.anybody();
        let other = self.world.state().entrant(other).unwrap().player;
        let player = other.filter(|_| self.percent(50)).map_or(self.people, |other| other.0);
        // Refused for a computer.
        if self.world.lead(PartyIntent::PlacePass { entrant }).is_ok() {
            let pass = self.world.pass.clone().unwrap();
            // Refused if the party is over.
            let _ = self.world.ask(player, PartyIntent::TakePlace { pass });
        }
    }

    fn lead(&mut self) {
        let entrant = self.anybody();
        let state = self.world.state();
        let intent = match self.coins.draw() % 6 {
            5 => PartyIntent::Remove { entrant, remove: self.percent(50) },
            4 => PartyIntent::Rename { entrant, name: "Ada".parse().unwrap() },
            0 => PartyIntent::PauseParty { pause: !state.paused, clocks: self.percent(50) },
            1 => PartyIntent::Skip { entrant, skip: !state.entrant(entrant).unwrap().left },
            _ => {
                let last = state.pairings.iter().map(|pairing| pairing.number).max().unwrap_or(1);
                let pairing = u32::try_from(self.coins.draw() % u64::from(last)).unwrap() + 1;
                let known = state.decided(pairing);
                let winner = known.map(|(first, second, _)| match self.coins.draw() % 3 {
                    0 => None,
                    1 => Some(first),
                    _ => second,
                });
                PartyIntent::Decide { pairing, winner: winner.flatten(), note: None }
            }
        };
        // Refused where the format does not allow it.
        let _ = self.world.lead(intent);
    }

    /// Some say that they are ready, some games end, some time passes.
    fn play(&mut self) {
        let open = self.world.state().pairings.clone();
        for pairing in open.iter().filter(|pairing| pairing.game == 0) {
            for entrant in pairing.entrants() {
                if !self.percent(self.weather.absent) {
                    self.world.ready(entrant);
                }
            }
        }
        for room in self.world.rooms.keys().copied().collect::<Vec<_>>() {
            let result = if self.percent(self.weather.lose) {
                TableResult::Lost
            } else if self.percent(self.weather.draw) {
                TableResult::Drawn
            } else {
                TableResult::Won(if self.percent(60) { Mark::X } else { Mark::O })
            };
            if self.percent(70) {
                self.world.result(room, result);
            }
        }
        let seconds = self.coins.draw() % 12;
        self.world.wait(Duration::from_secs(seconds));
        if self.world.state().paused && self.percent(50) {
            let _ = self.world.lead(PartyIntent::PauseParty { pause: false, clocks: false });
        }
    }
}

/// Plays a party to its end.
fn play(settings: PartySettings, people: u64, seed: u64, weather: Weather) -> World {
    let mut world = World::gather(settings, people).with_lots(seed);
    world.host(PartyIntent::StartParty);
    let mut evening = Evening { world, weather, coins: Coins::new(seed), people };
    for step in 0..4_000 {
        if evening.world.is_over() {
            return evening.world;
        }
        // A storm passes, so that somebody is left.
        if step > 400 {
            evening.weather = Weather { late: 0, leave: 0, host: 0, ..evening.weather };
        }
        if step > 1_000 && settings.format == PartyFormat::WinnerStays {
            let _ = evening.world.lead(PartyIntent::EndParty);
        }
        evening.step();
    }
    panic!("the party does not end: {:?}", evening.world.state().pairings);
}

fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![6 => 2..20_u64, 2 => 20..60_u64, 1 => 60..=200_u64]
}

fn party(format: PartyFormat, seed: u64) -> PartySettings {
    let rounds = 5 + u8::try_from(seed % 5).unwrap();
    let tables = 1 + u8::try_from(seed % 4).unwrap();
    let fill = seed.is_multiple_of(3).then(Computer::default);
    PartySettings { rounds, tables, fill, first_to: Some(7), ..settings(format) }
}

fn formats() -> impl Strategy<Value = PartyFormat> {
    prop::sample::select(&PartyFormat::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_party_ends_with_a_place_for_everybody(
        format in formats(), people in sizes(), seed in any::<u64>(),
    ) {
        let people = people.min(u64::try_from(settings(format).most_entrants()).unwrap());
        play(party(format, seed), people, seed, CALM);
    }

    #[test]
    fn so_does_one_in_which_everything_happens(
        format in formats(), people in sizes(), seed in any::<u64>(),
    ) {
        let people = people.min(u64::try_from(settings(format).most_entrants()).unwrap());
        play(party(format, seed), people, seed, STORM);
    }
}

#[test]
fn a_swiss_of_two_hundred_has_no_second_meetings() {
    for seed in 0..3 {
        let swiss = PartySettings { rounds: 9, ..settings(PartyFormat::Swiss) };
        let world = play(swiss, 200, seed, CALM);
        assert_eq!(world.state().round, 9);
    }
}

#[test]
fn nobody_is_left_and_it_ends_all_the_same() {
    for format in [PartyFormat::Knockout, PartyFormat::RoundRobin, PartyFormat::Swiss] {
        let mut world = World::started(settings(format), 6);
        // Nobody is ready, again and again.
        world.wait(READY * 8);
        assert!(world.is_over(), "{format:?}");
    }
}
