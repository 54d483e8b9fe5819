//! The proof that events are stored. A room changes by nothing else.

use noughts_protocol::Event;

/// Events that a room may apply: they are committed, or there is nothing to commit. Only the
/// journal makes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Committed<E>(E);

impl<E: AsRef<[Event]>> Committed<E> {
    pub(super) const fn new(events: E) -> Self {
        Self(events)
    }

    /// The events of a room that has no journal.
    pub(crate) const fn without_journal(events: E) -> Self {
        Self(events)
    }

    /// The events.
    pub(crate) fn into_events(self) -> E {
        self.0
    }
}
