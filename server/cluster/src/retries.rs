//! Calls that are repeated until they succeed, and what the host is told if that takes long.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// Calls that fail for longer are a problem. As long as a lease.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time between two warnings.
const WARN_AGAIN: Duration = Duration::from_secs(60);

/// All calls of one kind.
#[derive(Debug)]
pub(crate) struct Retries {
    /// The consequence of their failures, in words.
    what: &'static str,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How many fail for longer than [`PATIENCE`].
    late: usize,
    /// The last reason.
    why: String,
    warned: Option<Instant>,
}

/// One call that is repeated.
#[derive(Debug)]
pub(crate) struct Retry<'a> {
    of: &'a Retries,
    /// The first failure since the last success.
    begun: Option<Instant>,
    is_late: bool,
}

impl Retries {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, state: Mutex::default() }
    }

    pub(crate) const fn begin(&self) -> Retry<'_> {
        Retry { of: self, begun: None, is_late: false }
    }

    /// The consequence at present and the reason; `None` if all is well.
    pub(crate) fn problem(&self) -> Option<String> {
        let state = self.state.lock();
        (state.late > 0).then(|| format!("{}: {}", self.what, state.why))
    }
}

impl Retry<'_> {
    pub(crate) fn failed(&mut self, why: &str) {
        tracing::debug!(why, "{}", self.of.what);
        if self.begun.get_or_insert_with(Instant::now).elapsed() < PATIENCE {
            return;
        }
        let mut state = self.of.state.lock();
        state.late += usize::from(!self.is_late);
        self.is_late = true;
        why.clone_into(&mut state.why);
        if state.warned.is_none_or(|at| at.elapsed() >= WARN_AGAIN) {
            state.warned = Some(Instant::now());
            tracing::warn!("{}: {why}", self.of.what);
        }
    }

    pub(crate) fn succeeded(&mut self) {
        self.begun = None;
        if std::mem::take(&mut self.is_late) {
            self.of.state.lock().late -= 1;
        }
    }
}

impl Drop for Retry<'_> {
    fn drop(&mut self) {
        self.succeeded();
    }
}
