//! The counts that no other part of the server keeps. Their names and how they are read is
//! [`crate::http::metrics`]'s.
//!
//! Counting costs a few relaxed atomic additions: no lock, no map, no allocation.

pub(crate) mod histogram;

use std::sync::atomic::{AtomicU64, Ordering};

use noughts_protocol::{CloseCode, RefusalCode};

use histogram::Histogram;

/// What connections and rooms count.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub(crate) moves: AtomicU64,
    /// From a player's move being read until it is in every outbox.
    pub(crate) move_time: Histogram,
    /// How long computers took for a decision, their wait for a thread included.
    pub(crate) thinking: Histogram,
    pub(crate) overflows: AtomicU64,
    /// By the code's place in [`RefusalCode::ALL`], which is the order of their declaration.
    pub(crate) refusals: [AtomicU64; RefusalCode::ALL.len()],
    /// By the code's place in [`CloseCode::ALL`]; the last is of peers that went by themselves.
    pub(crate) closes: [AtomicU64; CloseCode::ALL.len() + 1],
}

impl Metrics {
    /// Nothing counted yet.
    pub(crate) const fn new() -> Self {
        Self {
            moves: AtomicU64::new(0),
            move_time: Histogram::of_times(),
            thinking: Histogram::of_times(),
            overflows: AtomicU64::new(0),
            refusals: [const { AtomicU64::new(0) }; RefusalCode::ALL.len()],
            closes: [const { AtomicU64::new(0) }; CloseCode::ALL.len() + 1],
        }
    }

    /// Moves were made.
    pub(crate) fn moved(&self, moves: usize) {
        self.moves.fetch_add(moves as u64, Ordering::Relaxed);
    }

    /// An outbox was full: its connection is closed.
    pub(crate) fn overflowed(&self) {
        self.overflows.fetch_add(1, Ordering::Relaxed);
    }

    /// How often that happened.
    pub(crate) fn overflows(&self) -> u64 {
        self.overflows.load(Ordering::Relaxed)
    }

    /// Something was refused.
    pub(crate) fn refused(&self, code: RefusalCode) {
        if let Some(count) = self.refusals.get(code as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A connection was closed; without a code, its peer went by itself.
    pub(crate) fn closed(&self, code: Option<CloseCode>) {
        let place = code.and_then(|code| CloseCode::ALL.iter().position(|known| *known == code));
        self.closes[place.unwrap_or(CloseCode::ALL.len())].fetch_add(1, Ordering::Relaxed);
    }
}
