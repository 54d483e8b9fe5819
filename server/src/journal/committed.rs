//! The proof that facts are stored. A room or a party changes by nothing else.

/// Facts that a room (or a party) may apply and show: its [`RoomLog`](super::room_log::RoomLog) has them. Only
/// the logs of this folder make it.
#[derive(Debug, PartialEq, Eq)]
pub struct Committed<E>(E);

impl<E> Committed<E> {
    pub(super) const fn new(facts: E) -> Self {
        Self(facts)
    }

    /// Facts for a test of the rules, which has no log.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(crate) const fn without_journal(facts: E) -> Self {
        Self(facts)
    }

    /// The facts.
    pub(crate) fn into_events(self) -> E {
        self.0
    }
}
