//! The counts that no other part of the server keeps. Their names for the host are elsewhere, with
//! the address at which they are read.
//!
//! Counting takes a few relaxed atomic additions, and a histogram a short lock: no map, no allocation.
//!
//! Also here: whether an event of somebody may be a line of the log. Arrivals, departures and
//! refusals are in the log too, but a flood is not.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_protocol::{CloseCode, RefusalCode};
use noughts_store::TIME_BUCKETS;
use prometheus_client::metrics::histogram::Histogram;
use tokio::time::Instant;

use crate::limits::failed_attempts::FailedAttempts;

/// The lines of the log that one address may cause at once, and again in ten minutes: a class whose games
/// are over every two minutes needs half of them.
const LOG_LINES: usize = 1024;

/// The counts of connections and rooms.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub(crate) moves: AtomicU64,
    /// The lines that people have said in rooms.
    pub(crate) chat_lines: AtomicU64,
    /// From reading a player's move until it is in every outbox.
    pub(crate) move_time: Histogram,
    /// A computer's turns, with their wait for a thread.
    pub(crate) thinking: Histogram,
    pub(crate) overflows: AtomicU64,
    /// By the code's index in [`RefusalCode::ALL`], which is also its discriminant.
    pub(crate) refusals: [AtomicU64; RefusalCode::ALL.len()],
    /// By the code's index in [`CloseCode::ALL`]. The last is for peers that closed themselves.
    pub(crate) closes: [AtomicU64; CloseCode::ALL.len() + 1],
    log_lines: FailedAttempts,
}

impl Metrics {
    /// Counts of zero.
    pub(crate) fn new() -> Self {
        Self {
            moves: AtomicU64::new(0),
            chat_lines: AtomicU64::new(0),
            move_time: Histogram::new(TIME_BUCKETS),
            thinking: Histogram::new(TIME_BUCKETS),
            overflows: AtomicU64::new(0),
            refusals: [const { AtomicU64::new(0) }; RefusalCode::ALL.len()],
            closes: [const { AtomicU64::new(0) }; CloseCode::ALL.len() + 1],
            log_lines: FailedAttempts::new("lines of the log", LOG_LINES),
        }
    }

    /// Counts moves.
    pub(crate) fn moved(&self, moves: usize) {
        self.moves.fetch_add(moves as u64, Ordering::Relaxed);
    }

    /// Counts something that was said.
    pub(crate) fn said(&self) {
        self.chat_lines.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a full outbox.
    pub(crate) fn overflowed(&self) {
        self.overflows.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of full outboxes.
    pub(crate) fn overflows(&self) -> u64 {
        self.overflows.load(Ordering::Relaxed)
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, code: RefusalCode) {
        if let Some(count) = self.refusals.get(code as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether an event that an address has caused may be a line of the log.
    pub(crate) fn may_log(&self, address: IpAddr) -> bool {
        !self.log_lines.record(address, Instant::now())
    }

    /// Counts a closed connection. The code is `None` if the peer closed it.
    pub(crate) fn closed(&self, code: Option<CloseCode>) {
        let place = code.and_then(|code| CloseCode::ALL.iter().position(|known| *known == code));
        self.closes[place.unwrap_or(CloseCode::ALL.len())].fetch_add(1, Ordering::Relaxed);
    }
}

/// A refusal's code, as clients read it.
pub(crate) fn name_of(code: RefusalCode) -> String {
    let name = serde_json::to_value(code).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

/// The memory of this process that is in use; `None` where the system does not say.
pub(crate) fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim();
    Some(kib.strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_left_out_of_the_log_and_keeps_nobody_elses_lines_out() {
        let metrics = Metrics::new();
        let [flood, other] = ["192.0.2.1", "192.0.2.2"].map(|address| address.parse().unwrap());
        let lines = (0..10 * LOG_LINES).filter(|_| metrics.may_log(flood)).count();
        assert!((LOG_LINES..LOG_LINES + 100).contains(&lines), "{lines}");
        assert!(metrics.may_log(other));
    }
}
