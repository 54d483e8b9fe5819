//! When a search must end, and the memory that it may use. The engine reads no clock: the caller
//! brings a [`TimeLimit`].

mod budget;

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

pub(crate) use budget::Budget;

/// The time limit is asked once in this many questions. An answer read from a clock then costs a
/// hundredth of the search between two of them.
const QUESTIONS_PER_READING: u32 = 16;

/// How long a search may go on, by a clock of the caller.
pub trait TimeLimit: Debug + Send + Sync {
    /// The time left; zero when the search must end. Between two calls it may change by more than
    /// the time that has passed.
    fn time_left(&self) -> Duration;
}

/// When a search must end: when its time is over, or when its result is not wanted any more.
#[derive(Debug)]
pub struct Deadline {
    limit: Option<Arc<dyn TimeLimit>>,
    /// Set when a [`CancelGuard`] is dropped, and by [`Deadline::is_over`] when the time is over.
    over: Arc<AtomicBool>,
    questions: AtomicU32,
    /// The bytes that the search may use for what it remembers.
    memory: Option<usize>,
    /// The positions that the search may look at.
    positions: Option<u64>,
}

/// A search ended without a result: its time is over, or its bound on positions or its budget is reached.
#[derive(Debug)]
pub(crate) struct Interrupted;

/// Cancels a search: when this is dropped, on any thread, the search returns within a few
/// milliseconds.
#[derive(Debug)]
#[must_use = "dropping it ends the search"]
pub struct CancelGuard {
    over: Arc<AtomicBool>,
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

impl Deadline {
    /// No time limit. A search then ends by its own bound on positions.
    #[must_use]
    pub fn none() -> Self {
        Self {
            limit: None,
            over: Arc::default(),
            questions: AtomicU32::new(0),
            memory: None,
            positions: None,
        }
    }

    /// The search ends when `limit` says so.
    #[must_use]
    pub fn new(limit: impl TimeLimit + 'static) -> Self {
        Self::none().limited(limit)
    }

    /// The same deadline with this time limit: the guards of `self` cancel it too.
    #[must_use]
    pub fn limited(self, limit: impl TimeLimit + 'static) -> Self {
        Self { limit: Some(Arc::new(limit)), ..self }
    }

    /// The same deadline for a search that remembers at most so many bytes; `None` is the search's
    /// own bound.
    #[must_use]
    pub fn with_memory(self, memory: Option<usize>) -> Self {
        Self { memory, ..self }
    }

    /// The bytes that the search may use for what it remembers; `None` is its own bound.
    pub(crate) const fn memory(&self) -> Option<usize> {
        self.memory
    }

    /// The same deadline for a search that looks at so many positions at most, and then finds the same on every
    /// machine; `None` is the search's own bound.
    #[must_use]
    pub fn with_positions(self, positions: Option<u64>) -> Self {
        Self { positions, ..self }
    }

    /// A deadline that ends with this one, for a search of so many positions at most.
    pub(crate) fn within_positions(&self, positions: u64) -> Self {
        let limit = self.limit.clone();
        Self { limit, over: Arc::clone(&self.over), memory: self.memory, ..Self::none() }
            .with_positions(Some(positions))
    }

    /// The positions that the search may look at; `None` is its own bound.
    pub(crate) const fn positions(&self) -> Option<u64> {
        self.positions
    }

    /// Cancels the search when it is dropped.
    pub fn cancel_guard(&self) -> CancelGuard {
        CancelGuard { over: Arc::clone(&self.over) }
    }

    /// Whether there is a time limit.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Whether the time is over or the search cancelled. Cheap enough to ask at every node: reads
    /// the flag each time, and the time limit at the first question and every 16th after it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if self.over.load(Ordering::Relaxed) {
            return true;
        }
        let Some(limit) = &self.limit else { return false };
        let question = self.questions.load(Ordering::Relaxed);
        self.questions.store(question.wrapping_add(1), Ordering::Relaxed);
        if !question.is_multiple_of(QUESTIONS_PER_READING) || !limit.time_left().is_zero() {
            return false;
        }
        self.over.store(true, Ordering::Relaxed);
        true
    }

    /// The time left; `None` where there is no limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.limit.as_ref().map(|limit| limit.time_left())
    }
}

#[cfg(test)]
mod tests;
