//! Ids for intents. They start at a random number and count up, so that a player uses none twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_protocol::IntentId;

/// A source of intent ids. Clones share the counter: the session numbers the intents, the
/// connection the pings.
#[derive(Debug, Clone)]
pub struct IntentIds(Arc<AtomicU64>);

impl IntentIds {
    /// A source that starts at a random id.
    #[must_use]
    pub fn random() -> Self {
        Self::starting_at(rand::random())
    }

    /// A source that starts at this number, modulo the range of ids.
    #[must_use]
    pub fn starting_at(number: u64) -> Self {
        Self(Arc::new(AtomicU64::new(number)))
    }

    /// The next id.
    #[must_use]
    pub fn next(&self) -> IntentId {
        // The mask is the remainder, since ids end at 2^53 - 1. The counter wraps at 2^64.
        let number = self.0.fetch_add(1, Ordering::Relaxed) & IntentId::MAX;
        IntentId::try_from(number).expect("a masked number is in range")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_count_up_and_wrap() {
        let ids = IntentIds::starting_at(u64::MAX);
        let drawn = [ids.next(), ids.next()].map(u64::from);
        assert_eq!(drawn, [IntentId::MAX, 0]);
    }
}
