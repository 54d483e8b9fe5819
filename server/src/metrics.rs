//! The counts that no other part of the server keeps. Their names for the host are elsewhere, with
//! the address at which they are read.
//!
//! Counting takes a few relaxed atomic additions, and a histogram a short lock: no map, no allocation.

pub(crate) mod histogram;

use std::sync::atomic::{AtomicU64, Ordering};

use noughts_protocol::{CloseCode, RefusalCode};

use prometheus_client::metrics::histogram::Histogram;

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
}

impl Metrics {
    /// Counts of zero.
    pub(crate) fn new() -> Self {
        Self {
            moves: AtomicU64::new(0),
            chat_lines: AtomicU64::new(0),
            move_time: histogram::of_times(),
            thinking: histogram::of_times(),
            overflows: AtomicU64::new(0),
            refusals: [const { AtomicU64::new(0) }; RefusalCode::ALL.len()],
            closes: [const { AtomicU64::new(0) }; CloseCode::ALL.len() + 1],
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

    /// Counts a closed connection. The code is `None` if the peer closed it.
    pub(crate) fn closed(&self, code: Option<CloseCode>) {
        let place = code.and_then(|code| CloseCode::ALL.iter().position(|known| *known == code));
        self.closes[place.unwrap_or(CloseCode::ALL.len())].fetch_add(1, Ordering::Relaxed);
    }
}
