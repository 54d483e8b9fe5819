//! The results of a run, as JSON or as a table.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::args::Load;
use crate::disk::Disk;
use crate::stats::{Latencies, Stats};
use crate::usage::Usage;

/// The results: rates per second, times in milliseconds, memory in KiB. What was not measured is `null`.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// `noughts` or `relay`.
    pub(crate) target: &'static str,
    pub(crate) load: Load,
    pub(crate) seconds: f64,
    /// Moves that both players received.
    pub(crate) moves_per_second: f64,
    /// Moves received by players and spectators together.
    pub(crate) deliveries_per_second: f64,
    /// Intents answered with `ok`: moves and rematches.
    pub(crate) granted_per_second: f64,
    /// From a move (at a set rate: from when it was due) until the opponent has it.
    pub(crate) delivery_ms: Option<Distribution>,
    /// From a move until the last viewer of a watched room has it.
    pub(crate) last_spectator_ms: Option<Distribution>,
    /// The same two for moves beside talk, and its p99 by the p99 of moves without.
    pub(crate) delivery_in_talk_ms: Option<Distribution>,
    pub(crate) last_spectator_in_talk_ms: Option<Distribution>,
    pub(crate) talk_p99_ratio: Option<f64>,
    /// Lines that were heard, lines that were too much, and messages with lines, a second.
    pub(crate) said_per_second: f64,
    pub(crate) unsaid_per_second: f64,
    pub(crate) told_per_second: f64,
    pub(crate) opens_per_second: f64,
    /// From connecting until in a room.
    pub(crate) open_ms: Option<Distribution>,
    pub(crate) computer_moves_per_second: f64,
    /// From a player's move until the computer's.
    pub(crate) computer_ms: Option<Distribution>,
    pub(crate) memory: Option<Memory>,
    /// Cores that the server kept busy, and its processor time for each move.
    pub(crate) server_cores: Option<f64>,
    pub(crate) server_us_per_move: Option<f64>,
    /// How often the server's threads gave up their core, or lost it, for each move.
    pub(crate) server_switches_per_move: Option<f64>,
    /// The writes of a server with `--data-dir`.
    pub(crate) disk: Option<Disk>,
    /// Cores that this program kept busy. If that is near 1 and the server's is not, this program was
    /// the limit.
    pub(crate) load_cores: Option<f64>,
    /// Connections that broke, and why the first did.
    pub(crate) lost: u64,
    pub(crate) first_loss: Option<String>,
    /// Rooms without a move after the measurement.
    pub(crate) stalled_rooms: usize,
}

/// The distribution of latencies.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Distribution {
    pub(crate) count: u64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    pub(crate) worst: f64,
}

impl Distribution {
    fn of(latencies: &Latencies) -> Option<Self> {
        Some(Self {
            count: latencies.count(),
            p50: latencies.ms_at(0.5)?,
            p99: latencies.ms_at(0.99)?,
            p999: latencies.ms_at(0.999)?,
            worst: latencies.ms_at(1.0)?,
        })
    }
}

/// The server's memory at five moments, and the shares that follow from it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Memory {
    /// Before any connection.
    pub(crate) empty: u64,
    /// With the first half of the absent rooms, if any.
    pub(crate) rested: u64,
    /// With the second half.
    pub(crate) absent: u64,
    /// With all connections open, before they play.
    pub(crate) open: u64,
    pub(crate) end: u64,
    pub(crate) per_absent_room: Option<f64>,
    /// All that was added, divided by connections and by rooms.
    pub(crate) per_connection: Option<f64>,
    pub(crate) per_room: Option<f64>,
}

impl Memory {
    pub(crate) fn finish(&mut self, load: &Load) {
        let per = |more: u64, less: u64, count: usize| {
            (count > 0).then(|| more.saturating_sub(less) as f64 / count as f64)
        };
        self.per_absent_room = per(self.absent, self.rested, load.absent);
        self.per_connection = per(self.open, self.absent, load.connections());
        self.per_room = per(self.open, self.absent, load.rooms + load.computers);
    }
}

impl Report {
    /// The results of a measurement of `time`, with the processor times and switches of the server and of this
    /// program.
    pub(crate) fn new(
        target: &'static str,
        load: Load,
        stats: Stats,
        time: Duration,
        usage: Usage,
    ) -> Self {
        let seconds = time.as_secs_f64();
        let per_second = |count: u64| count as f64 / seconds;
        let cores = |cpu: Duration| cpu.as_secs_f64() / seconds;
        let us_per_move = |cpu: Duration| 1e6 * cpu.as_secs_f64() / stats.moves as f64;
        Self {
            target,
            load,
            seconds,
            moves_per_second: per_second(stats.moves),
            deliveries_per_second: per_second(stats.deliveries),
            granted_per_second: per_second(stats.granted),
            delivery_ms: Distribution::of(&stats.delivery),
            last_spectator_ms: Distribution::of(&stats.last_spectator),
            delivery_in_talk_ms: Distribution::of(&stats.delivery_in_talk),
            last_spectator_in_talk_ms: Distribution::of(&stats.last_spectator_in_talk),
            talk_p99_ratio: ratio(
                Distribution::of(&stats.delivery_in_talk),
                Distribution::of(&stats.delivery),
            ),
            said_per_second: per_second(stats.said),
            unsaid_per_second: per_second(stats.unsaid),
            told_per_second: per_second(stats.told),
            opens_per_second: per_second(stats.opens),
            open_ms: Distribution::of(&stats.opening),
            computer_moves_per_second: per_second(stats.computers.count()),
            computer_ms: Distribution::of(&stats.computers),
            memory: None,
            server_cores: usage.server.map(cores),
            server_us_per_move: usage.server.filter(|_| stats.moves > 0).map(us_per_move),
            server_switches_per_move: usage
                .switches
                .filter(|_| stats.moves > 0)
                .map(|switches| switches as f64 / stats.moves as f64),
            disk: None,
            load_cores: usage.own.map(cores),
            lost: stats.lost,
            first_loss: stats.first_loss,
            stalled_rooms: 0,
        }
    }

    /// Whether no connection broke and every room still moves.
    pub(crate) const fn is_sound(&self) -> bool {
        self.lost == 0 && self.stalled_rooms == 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Load { rooms, spectators, idle, computers, absent, storm, .. } = &self.load;
        writeln!(
            f,
            "{}: {rooms} rooms, {spectators} spectators, {idle} idle, {computers} computers, \
             {absent} absent rooms, storm of {storm}; {:.1} s",
            self.target, self.seconds
        )?;
        let rates = [
            ("moves a second that were due", self.load.rate.unwrap_or_default()),
            ("moves a second, told to both", self.moves_per_second),
            ("deliveries a second", self.deliveries_per_second),
            ("lines a second that were heard", self.said_per_second),
            ("lines a second that were too much", self.unsaid_per_second),
            ("messages with lines a second", self.told_per_second),
            ("opens a second", self.opens_per_second),
            ("computers' moves a second", self.computer_moves_per_second),
        ];
        for (name, rate) in rates.into_iter().filter(|(_, rate)| *rate > 0.0) {
            writeln!(f, "  {name:<36}{rate:>12.0}")?;
        }
        let times = [
            ("until the opponent has a move", self.delivery_ms),
            ("until the last viewer has it", self.last_spectator_ms),
            ("the opponent, beside talk", self.delivery_in_talk_ms),
            ("the last viewer, beside talk", self.last_spectator_in_talk_ms),
            ("until a visitor is in a room", self.open_ms),
            ("until a computer has moved", self.computer_ms),
        ];
        for (name, distribution) in times {
            let Some(Distribution { p50, p99, p999, worst, .. }) = distribution else { continue };
            writeln!(
                f,
                "  {name:<36}{p50:>12.3} ms p50 {p99:>9.3} p99 {p999:>9.3} p99.9 {worst:>9.3} worst"
            )?;
        }
        if let Some(ratio) = self.talk_p99_ratio {
            writeln!(f, "  {:<36}{ratio:>12.2}", "p99 beside talk by p99 without")?;
        }
        self.write_costs(f)
    }
}

/// The p99 of one by the p99 of the other.
fn ratio(one: Option<Distribution>, other: Option<Distribution>) -> Option<f64> {
    Some(one?.p99 / other?.p99)
}

impl Report {
    fn write_costs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Memory { empty, open, end, .. }) = self.memory {
            let name = "memory: empty, all there, at the end";
            writeln!(f, "  {name:<36}{empty:>12} KiB {open:>9} KiB {end:>9} KiB")?;
        }
        let memory = self.memory.unwrap_or_default();
        let costs = [
            ("memory of a connection, all in", memory.per_connection, "KiB"),
            ("memory of a room with its people", memory.per_room, "KiB"),
            ("memory of a room with nobody there", memory.per_absent_room, "KiB"),
            ("cores that the server kept busy", self.server_cores, ""),
            ("cores that the load kept busy", self.load_cores, ""),
            ("the server's time for a move", self.server_us_per_move, "us"),
            ("its context switches for a move", self.server_switches_per_move, ""),
        ];
        for (name, cost, unit) in costs {
            if let Some(cost) = cost {
                writeln!(f, "  {name:<36}{cost:>12.2} {unit}")?;
            }
        }
        if let Some(disk) = &self.disk {
            write!(f, "{disk}")?;
        }
        if self.lost > 0 {
            let why = self.first_loss.as_deref().unwrap_or_default();
            writeln!(f, "  connections that broke: {}, the first because {why}", self.lost)?;
        }
        if self.stalled_rooms > 0 {
            writeln!(f, "  rooms that stood still: {}", self.stalled_rooms)?;
        }
        if self.load_cores.is_some_and(|cores| cores > 0.9)
            && self.server_cores.is_some_and(|cores| cores < 0.9)
            && self.load.rate.is_none()
        {
            writeln!(f, "  the load was the limit here, not the server")?;
        }
        Ok(())
    }
}
