//! Every few seconds a lobby with a store activates the rooms whose time is over, has the store
//! delete old games and move its log, and records that the server runs.

use std::time::Duration;

use super::Lobby;

/// The interval. A killed server may have run for this much longer than the store knows, and a
/// store that fails while nobody plays is noticed after this at the latest.
const EVERY: Duration = Duration::from_secs(5);

/// Rooms activated at once at most: each is read from the disk, and most end at once.
const ACTIVATED: usize = 256;

impl Lobby {
    /// Runs for ever. Ended games are kept for `keep_games`; `store_fails` is called when the
    /// store begins to fail (`true`) and when it works again (`false`).
    pub(crate) async fn run_housekeeping(&self, keep_games: Duration, store_fails: impl Fn(bool)) {
        let Some(storage) = &self.context.storage else { return };
        let mut failed = false;
        loop {
            tokio::time::sleep(EVERY).await;
            let fails = storage.sqlite.health().is_failing();
            if fails != failed {
                store_fails(fails);
                failed = fails;
            }
            storage.sqlite.maintain(self.context.clock.now(), keep_games);
            for code in self.registry.overdue(self.context.clock.now(), ACTIVATED) {
                // The activated room sees for itself that its time is over.
                drop(self.find(code));
            }
        }
    }
}
