//! Numbers for intents, drawn so that a player never uses one twice: a random start, then up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_protocol::IntentId;

/// A source of intent ids. Its clones draw from the same numbers: the session numbers what the
/// player wants, the connection numbers its pings.
#[derive(Debug, Clone)]
pub struct IntentIds(Arc<AtomicU64>);

impl IntentIds {
    /// A source that starts at a random number.
    #[must_use]
    pub fn random() -> Self {
        Self::starting_at(rand::random())
    }

    /// A source that starts at a number, or at what is left of it within the range of ids.
    #[must_use]
    pub fn starting_at(number: u64) -> Self {
        Self(Arc::new(AtomicU64::new(number)))
    }

    /// The next id.
    #[must_use]
    pub fn next(&self) -> IntentId {
        // Masking is the remainder, as ids end at 2^53 - 1; the counter itself wraps at 2^64.
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
