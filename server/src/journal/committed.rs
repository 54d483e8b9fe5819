//! The proof that facts are stored. A room and a party change by nothing else.

/// Facts that may be applied and shown: the log of the room or the party has them. Only the logs of
/// this folder make it.
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
