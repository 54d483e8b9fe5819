//! What is counted while it is measured.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

/// The longest time that a histogram tells apart.
const LONGEST: Duration = Duration::from_secs(60);

/// Counts and times since the measurement began.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) since: Instant,
    /// Moves that both players have been told of.
    pub(crate) moves: u64,
    /// Intents that were answered with `ok`.
    pub(crate) granted: u64,
    /// Moves told to somebody: players and spectators.
    pub(crate) deliveries: u64,
    /// From the time a move was due until the opponent had it.
    pub(crate) delivery: Times,
    /// From the time a move was due until the last spectator had it.
    pub(crate) last_spectator: Times,
    /// Connections opened, greeted and in a room, by the storm.
    pub(crate) opens: u64,
    /// How long each took.
    pub(crate) opening: Times,
    /// Moves of computers, and how long each took.
    pub(crate) computers: Times,
    /// Connections that broke, and why the first one did.
    pub(crate) lost: u64,
    pub(crate) first_loss: Option<String>,
}

/// Times, to three digits.
#[derive(Debug)]
pub(crate) struct Times(Histogram<u64>);

impl Times {
    fn new() -> Self {
        let longest = LONGEST.as_nanos() as u64;
        let empty = Histogram::new_with_bounds(100, longest, 3);
        Self(empty.unwrap_or_else(|_| unreachable!("the bounds are legal")))
    }

    /// Counts a time.
    pub(crate) fn record(&mut self, time: Duration) {
        self.0.saturating_record(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time that a share of them does not exceed, in milliseconds; `None` without any.
    pub(crate) fn ms_at(&self, share: f64) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.value_at_quantile(share) as f64 / 1e6)
    }
}

impl Tally {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            since: Instant::now(),
            moves: 0,
            granted: 0,
            deliveries: 0,
            delivery: Times::new(),
            last_spectator: Times::new(),
            opens: 0,
            opening: Times::new(),
            computers: Times::new(),
            lost: 0,
            first_loss: None,
        }
    }
}
