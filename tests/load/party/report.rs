//! The results of a party, as JSON or as a table.

use std::fmt;
use std::time::{Duration, Instant};

use noughts_protocol::PartyRole;
use serde::Serialize;

use super::people::Person;
use crate::args::PartyLoad;

/// Time on the clock, the server's processor time, and moves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) time: Duration,
    pub(super) cpu: Option<Duration>,
    pub(super) moves: u64,
}

impl Cost {
    pub(super) fn add(&mut self, time: Duration, cpu: Option<Duration>) {
        self.time += time;
        self.cpu = cpu.map(|cpu| self.cpu.unwrap_or_default() + cpu);
    }

    fn us_per_move(self) -> Option<f64> {
        Some(1e6 * self.cpu?.as_secs_f64() / self.moves.max(1) as f64)
    }

    fn moves_per_second(self) -> f64 {
        self.moves as f64 / self.time.as_secs_f64().max(f64::EPSILON)
    }
}

/// The pairings of a party.
#[derive(Debug, Default)]
pub(super) struct Pairings {
    /// Rounds that are over.
    pub(super) rounds: u64,
    /// Pairings with a game.
    pub(super) games: u64,
    /// From the end of a round's last game until the last person had the next pairing.
    waits: Vec<Duration>,
    /// The server's time for a pairing and for telling it to everybody.
    costs: Vec<Duration>,
}

impl Pairings {
    pub(super) fn pairing(&mut self, since: Option<Instant>, cost: Option<Duration>) {
        // The first pairing follows the host's start, and no round.
        if self.rounds > 0 {
            self.waits.extend(since.map(|since| since.elapsed()));
        }
        self.costs.extend(cost);
    }
}

/// The results: times in milliseconds, costs in microseconds. What was not measured is `null`.
#[derive(Debug, Serialize)]
pub(crate) struct PartyReport {
    pub(crate) load: PartyLoad,
    pub(crate) rounds: u64,
    pub(crate) games: u64,
    pub(crate) seconds: f64,
    /// From the end of a round's last game until the last person has the next pairing.
    pub(crate) longest_wait_ms: Option<f64>,
    /// The server's time for a pairing, told to everybody: the median and the most.
    pub(crate) pairing_us: Option<f64>,
    pub(crate) longest_pairing_us: Option<f64>,
    /// The server's time for a move while a round is played, everything that the party does
    /// included; and for a move of the same games without a party, the making of rooms included.
    pub(crate) us_per_move: Option<f64>,
    pub(crate) us_per_move_alone: Option<f64>,
    /// Moves a second while a round is played, and without a party.
    pub(crate) moves_per_second: f64,
    pub(crate) moves_per_second_alone: f64,
    /// The server's time for the whole party.
    pub(crate) server_ms: Option<f64>,
    pub(crate) server_cores: Option<f64>,
    pub(crate) load_cores: Option<f64>,
    /// KiB that one connection was told of the party, from the start to the podium.
    pub(crate) screen_kib: f64,
    pub(crate) onlooker_kib: f64,
    /// A player's, with their own games.
    pub(crate) player_kib: f64,
}

impl PartyReport {
    pub(super) fn new(
        load: PartyLoad,
        people: &[Person],
        mut pairings: Pairings,
        played: Cost,
        (time, cpu): (Duration, Option<Duration>),
        own: Option<Duration>,
        alone: Cost,
    ) -> Self {
        let us = |time: &Duration| 1e6 * time.as_secs_f64();
        let cores = |cpu: Duration| cpu.as_secs_f64() / time.as_secs_f64();
        pairings.costs.sort_unstable();
        Self {
            load,
            rounds: pairings.rounds,
            games: pairings.games,
            seconds: time.as_secs_f64(),
            longest_wait_ms: pairings.waits.iter().max().map(|wait| us(wait) / 1e3),
            pairing_us: pairings.costs.get(pairings.costs.len() / 2).map(us),
            longest_pairing_us: pairings.costs.last().map(us),
            us_per_move: played.us_per_move(),
            us_per_move_alone: alone.us_per_move(),
            moves_per_second: played.moves_per_second(),
            moves_per_second_alone: alone.moves_per_second(),
            server_ms: cpu.as_ref().map(|cpu| us(cpu) / 1e3),
            server_cores: cpu.map(cores),
            load_cores: own.map(cores),
            screen_kib: kib(people, PartyRole::Screen),
            onlooker_kib: kib(people, PartyRole::Spectator),
            player_kib: kib(people, PartyRole::Player),
        }
    }
}

/// The mean of what the connections of a role were told.
fn kib(people: &[Person], role: PartyRole) -> f64 {
    let told = people.iter().filter(|one| one.role == role).map(|one| one.bytes);
    let (count, bytes) = told.fold((0_usize, 0), |(count, sum), bytes| (count + 1, sum + bytes));
    bytes as f64 / 1024.0 / count.max(1) as f64
}

impl fmt::Display for PartyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartyLoad { party, format, screens, onlookers, plies, .. } = &self.load;
        writeln!(
            f,
            "a party of {}, {format}: {} rounds, {} games of {plies} moves, {screens} screens, \
             {onlookers} onlookers; {:.1} s",
            party.unwrap_or_default(),
            self.rounds,
            self.games,
            self.seconds
        )?;
        let rows = [
            ("the longest wait for a pairing", self.longest_wait_ms, "ms, the pause included"),
            ("the server's time for a pairing", self.pairing_us, "us, told to everybody"),
            ("the longest of them", self.longest_pairing_us, "us"),
            ("the server's time for a move", self.us_per_move, "us"),
            ("the same without a party", self.us_per_move_alone, "us"),
            ("moves a second in a round", Some(self.moves_per_second), ""),
            ("the same without a party", Some(self.moves_per_second_alone), ""),
            ("the server's time for the party", self.server_ms, "ms"),
            ("cores that the load kept busy", self.load_cores, ""),
            ("a big screen was told", Some(self.screen_kib), "KiB"),
            ("an onlooker was told", Some(self.onlooker_kib), "KiB"),
            ("a player was told", Some(self.player_kib), "KiB, with the games"),
        ];
        for (name, figure, unit) in rows {
            if let Some(figure) = figure {
                writeln!(f, "  {name:<36}{figure:>12.2} {unit}")?;
            }
        }
        Ok(())
    }
}
