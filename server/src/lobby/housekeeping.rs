//! What a lobby with a journal does every few seconds: it activates the rooms whose time is over,
//! lets the journal forget old games and empty its log, and records that the server runs.

use std::time::Duration;

use super::Lobby;

/// The interval. A killed server may have run for this much longer than the journal knows, and a
/// journal that fails while nobody plays is noticed after this at the latest.
const EVERY: Duration = Duration::from_secs(5);

/// Rooms activated at once at most: each is read from the disk, and most end at once.
const ACTIVATED: usize = 256;

impl Lobby {
    /// Runs for ever. Ended games are kept for `keep_games`; `journal_fails` is called when the
    /// journal begins to fail (`true`) and when it works again (`false`).
    pub(crate) async fn run_housekeeping(
        &self,
        keep_games: Duration,
        journal_fails: impl Fn(bool),
    ) {
        let Some(journal) = &self.context.journal else { return };
        let mut failed = false;
        loop {
            tokio::time::sleep(EVERY).await;
            let fails = journal.is_failing();
            if fails != failed {
                journal_fails(fails);
                failed = fails;
            }
            journal.maintain(keep_games);
            for code in self.registry.overdue(self.context.clock.now(), ACTIVATED) {
                // The activated room sees for itself that its time is over.
                drop(self.find(code));
            }
        }
    }
}
