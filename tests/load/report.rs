//! What came of it: one object, as JSON or as a table.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::args::Load;
use crate::tally::{Tally, Times};

/// The results. Rates are a second, times milliseconds, memory KiB; what was not measured is left
/// out.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// `noughts` or `relay`.
    pub(crate) target: &'static str,
    pub(crate) load: Load,
    pub(crate) seconds: f64,
    /// Moves that both players were told of.
    pub(crate) moves_per_second: f64,
    /// Moves told to somebody, players and spectators.
    pub(crate) deliveries_per_second: f64,
    /// Intents answered with `ok`: moves and rematches.
    pub(crate) granted_per_second: f64,
    /// From a move (at a set rate: from when it was due) until the opponent has it.
    pub(crate) delivery_ms: Option<Spread>,
    /// From a move until the last of a watched room has it.
    pub(crate) last_spectator_ms: Option<Spread>,
    pub(crate) opens_per_second: f64,
    /// From connecting until in a room.
    pub(crate) open_ms: Option<Spread>,
    pub(crate) computer_moves_per_second: f64,
    /// From a person's move until the computer's.
    pub(crate) computer_ms: Option<Spread>,
    pub(crate) memory: Option<Memory>,
    /// Cores that the server kept busy, and the time of it for each move.
    pub(crate) server_cores: Option<f64>,
    pub(crate) server_us_per_move: Option<f64>,
    /// Cores that the load kept busy: where that is near 1 and the server's is not, the load was
    /// the limit.
    pub(crate) load_cores: Option<f64>,
    /// Connections that broke, and why the first did.
    pub(crate) lost: u64,
    pub(crate) first_loss: Option<String>,
    /// Rooms in which nothing moved any more after the measurement.
    pub(crate) stalled_rooms: usize,
}

/// How times are spread.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Spread {
    pub(crate) count: u64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    pub(crate) worst: f64,
}

impl Spread {
    fn of(times: &Times) -> Option<Self> {
        Some(Self {
            count: times.count(),
            p50: times.ms_at(0.5)?,
            p99: times.ms_at(0.99)?,
            p999: times.ms_at(0.999)?,
            worst: times.ms_at(1.0)?,
        })
    }
}

/// The server's memory at five times, and what that makes for each.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Memory {
    /// Before anybody came.
    pub(crate) empty: u64,
    /// With the first of the absent rooms, if any.
    pub(crate) rested: u64,
    /// With as many again.
    pub(crate) absent: u64,
    /// With everybody there, before they play.
    pub(crate) open: u64,
    pub(crate) end: u64,
    pub(crate) per_absent_room: Option<f64>,
    /// All that was added, rooms too, by connection and by room.
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
    /// What was counted in `time`, with the processor time of the server and of this program.
    pub(crate) fn new(
        target: &'static str,
        load: Load,
        tally: Tally,
        time: Duration,
        (server, own): (Option<Duration>, Option<Duration>),
    ) -> Self {
        let seconds = time.as_secs_f64();
        let per_second = |count: u64| count as f64 / seconds;
        let cores = |cpu: Duration| cpu.as_secs_f64() / seconds;
        let us_per_move = |cpu: Duration| 1e6 * cpu.as_secs_f64() / tally.moves as f64;
        Self {
            target,
            load,
            seconds,
            moves_per_second: per_second(tally.moves),
            deliveries_per_second: per_second(tally.deliveries),
            granted_per_second: per_second(tally.granted),
            delivery_ms: Spread::of(&tally.delivery),
            last_spectator_ms: Spread::of(&tally.last_spectator),
            opens_per_second: per_second(tally.opens),
            open_ms: Spread::of(&tally.opening),
            computer_moves_per_second: per_second(tally.computers.count()),
            computer_ms: Spread::of(&tally.computers),
            memory: None,
            server_cores: server.map(cores),
            server_us_per_move: server.filter(|_| tally.moves > 0).map(us_per_move),
            load_cores: own.map(cores),
            lost: tally.lost,
            first_loss: tally.first_loss,
            stalled_rooms: 0,
        }
    }

    /// Whether all was as it must be.
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
            ("opens a second", self.opens_per_second),
            ("computers' moves a second", self.computer_moves_per_second),
        ];
        for (name, rate) in rates.into_iter().filter(|(_, rate)| *rate > 0.0) {
            writeln!(f, "  {name:<36}{rate:>12.0}")?;
        }
        let times = [
            ("until the opponent has a move", self.delivery_ms),
            ("until the last viewer has it", self.last_spectator_ms),
            ("until a visitor is in a room", self.open_ms),
            ("until a computer has moved", self.computer_ms),
        ];
        for (name, spread) in times {
            let Some(Spread { p50, p99, p999, worst, .. }) = spread else { continue };
            writeln!(
                f,
                "  {name:<36}{p50:>12.3} ms p50 {p99:>9.3} p99 {p999:>9.3} p99.9 {worst:>9.3} worst"
            )?;
        }
        self.write_costs(f)
    }
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
        ];
        for (name, cost, unit) in costs {
            if let Some(cost) = cost {
                writeln!(f, "  {name:<36}{cost:>12.2} {unit}")?;
            }
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
