//! The counters and latencies of a measurement.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

use crate::talk::Phase;

/// Longer latencies count as this one.
const LONGEST: Duration = Duration::from_secs(60);

/// All counts and latencies since the measurement began.
#[derive(Debug)]
pub(crate) struct Stats {
    pub(crate) since: Instant,
    /// Moves that both players received.
    pub(crate) moves: u64,
    /// Intents that were answered with `ok`.
    pub(crate) granted: u64,
    /// Moves received by players and spectators together.
    pub(crate) deliveries: u64,
    /// From when a move was due until the opponent received it.
    pub(crate) delivery: Latencies,
    /// From when a move was due until the last viewer received it.
    pub(crate) last_spectator: Latencies,
    /// The same two for moves beside talk.
    pub(crate) delivery_in_talk: Latencies,
    pub(crate) last_spectator_in_talk: Latencies,
    /// Whether spectators talk now.
    pub(crate) phase: Phase,
    /// Lines that were heard, lines that were too much, and messages with lines.
    pub(crate) said: u64,
    pub(crate) unsaid: u64,
    pub(crate) told: u64,
    /// Visitors that entered a room.
    pub(crate) opens: u64,
    /// From connecting until in a room.
    pub(crate) opening: Latencies,
    /// From a player's move until the computer's.
    pub(crate) computers: Latencies,
    /// Connections that broke, and why the first did.
    pub(crate) lost: u64,
    pub(crate) first_loss: Option<String>,
}

/// A histogram of latencies, to three digits.
#[derive(Debug)]
pub(crate) struct Latencies(Histogram<u64>);

impl Latencies {
    fn new() -> Self {
        let longest = LONGEST.as_nanos() as u64;
        let empty = Histogram::new_with_bounds(100, longest, 3);
        Self(empty.unwrap_or_else(|_| unreachable!("the bounds are legal")))
    }

    /// Adds a latency.
    pub(crate) fn record(&mut self, time: Duration) {
        self.0.saturating_record(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// The number of latencies.
    pub(crate) fn count(&self) -> u64 {
        self.0.len()
    }

    /// A quantile in milliseconds; `None` if there are no latencies.
    pub(crate) fn ms_at(&self, quantile: f64) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.value_at_quantile(quantile) as f64 / 1e6)
    }
}

impl Stats {
    /// Where the times of moves go now: until the opponent has one, and until the last viewer has it.
    /// `None` while nothing is measured.
    pub(crate) const fn move_times(&mut self) -> Option<(&mut Latencies, &mut Latencies)> {
        match self.phase {
            Phase::Quiet => Some((&mut self.delivery, &mut self.last_spectator)),
            Phase::Talk => Some((&mut self.delivery_in_talk, &mut self.last_spectator_in_talk)),
            Phase::Echo => None,
        }
    }

    /// Starts a measurement.
    pub(crate) fn new() -> Self {
        Self {
            since: Instant::now(),
            moves: 0,
            granted: 0,
            deliveries: 0,
            delivery: Latencies::new(),
            last_spectator: Latencies::new(),
            delivery_in_talk: Latencies::new(),
            last_spectator_in_talk: Latencies::new(),
            phase: Phase::Quiet,
            said: 0,
            unsaid: 0,
            told: 0,
            opens: 0,
            opening: Latencies::new(),
            computers: Latencies::new(),
            lost: 0,
            first_loss: None,
        }
    }
}
