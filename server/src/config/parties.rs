//! How long a party waits for its people. The rules of a party apply it.

use std::time::Duration;

use noughts_protocol::party::READY_MS;

/// The times of a party. All are measured by the server's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartyTimes {
    /// Both entrants of a pairing must be ready within this time.
    pub(crate) ready: Duration,
    /// The pause before a round, in which everybody sees the standings.
    pub(crate) pause: Duration,
    /// The pause before a drawn game is played again, in which both see the end of it.
    pub(crate) replay: Duration,
    /// The pause before a room is made again, after it was lost or could not be made.
    pub(crate) retry: Duration,
    /// Somebody else leads the party when its leader has been away for this long.
    pub(crate) succession: Duration,
    /// A party in which nothing happens ends after this.
    pub(crate) idle: Duration,
}

impl PartyTimes {
    /// The times of every server.
    pub(crate) const DEFAULT: Self = Self {
        ready: Duration::from_millis(READY_MS as u64),
        pause: Duration::from_secs(5),
        replay: Duration::from_secs(4),
        retry: Duration::from_secs(5),
        succession: Duration::from_mins(2),
        idle: Duration::from_hours(24),
    };
}
