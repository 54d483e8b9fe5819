//! What a lobby whose rooms are kept does now and then, a little at a time: it wakes the rooms
//! whose time is over, has the journal forget old games and empty its log, and notes that the
//! server runs.

use std::time::Duration;

use super::Lobby;
use crate::cli::systemd;

/// How often; by how much a server that was killed may have run longer than it is known to; and how
/// long it takes at most until a journal that fails is noticed where nobody plays.
const EVERY: Duration = Duration::from_secs(5);

/// Rooms woken at once at most: each is read from the disk, and most end there and then.
const WOKEN: usize = 256;

impl Lobby {
    /// Keeps house for ever; ended games are kept for `keep_games`.
    pub(crate) async fn run_housekeeping(&self, keep_games: Duration) {
        let Some(journal) = &self.context.journal else { return };
        let mut failed = false;
        loop {
            tokio::time::sleep(EVERY).await;
            let fails = journal.is_failing();
            if fails != failed {
                systemd::journal_fails(fails);
                failed = fails;
            }
            journal.keep_house(keep_games);
            for code in self.registry.overdue(self.context.clock.now(), WOKEN) {
                // The room sees for itself that its time is over.
                drop(self.find(code));
            }
        }
    }
}
