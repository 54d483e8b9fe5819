//! When a choice must be made. The only clock of the computer players is read here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

/// The clock is read once in this many questions: a reading costs a hundredth of
/// what is searched meanwhile.
const QUESTIONS_PER_READING: u32 = 16;

/// When a choice must be made, and whether anybody still waits for it.
#[derive(Debug)]
pub struct Deadline {
    at: Option<Instant>,
    /// Set by the [`CancelHandle`]s, and by [`Deadline::is_over`] once the time has come.
    over: Arc<AtomicBool>,
    questions: AtomicU32,
}

/// Ends the time of the [`Deadline`] it came from, from any thread.
#[derive(Debug, Clone)]
pub struct CancelHandle {
    over: Arc<AtomicBool>,
}

impl CancelHandle {
    /// Nobody waits for the choice any more: the search returns within a few
    /// milliseconds.
    pub fn cancel(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

impl Deadline {
    /// No time limit. A search then ends by its own bound on positions looked at.
    #[must_use]
    pub fn none() -> Self {
        Self { at: None, over: Arc::default(), questions: AtomicU32::new(0) }
    }

    /// The choice must be made by `instant`.
    #[must_use]
    pub fn at(instant: Instant) -> Self {
        Self { at: Some(instant), ..Self::none() }
    }

    /// The same choice, to be made by `instant`.
    #[must_use]
    pub fn by(self, instant: Instant) -> Self {
        Self { at: Some(instant), ..self }
    }

    /// A handle to cancel the choice with.
    #[must_use]
    pub fn cancel_handle(&self) -> CancelHandle {
        CancelHandle { over: Arc::clone(&self.over) }
    }

    /// Whether there is a time limit at all.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.at.is_some()
    }

    /// Whether the time is over or the choice cancelled. Cheap enough to ask at every node: the
    /// flag is looked at each time, the clock at the first question and every 16th after.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if self.over.load(Ordering::Relaxed) {
            return true;
        }
        let Some(at) = self.at else { return false };
        let question = self.questions.load(Ordering::Relaxed);
        self.questions.store(question.wrapping_add(1), Ordering::Relaxed);
        if !question.is_multiple_of(QUESTIONS_PER_READING) || Instant::now() < at {
            return false;
        }
        self.over.store(true, Ordering::Relaxed);
        true
    }
}
