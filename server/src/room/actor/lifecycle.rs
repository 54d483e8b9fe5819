//! Hibernation: a room without a connection ends its task and stays in the store. The commands
//! that come too late are answered here too.

use std::time::Duration;

use tokio::time::Instant;

use super::RoomActor;
use crate::actor::RETRY;
use crate::room::table::TableReporter;
use crate::room::{Hibernated, Registration, no_such_room};

/// A room without a connection hibernates after this: longer than a reload takes.
const HIBERNATE_AFTER: Duration = Duration::from_secs(5);

impl RoomActor {
    /// When the room hibernates. `None` without a store, with a connection, while a computer is
    /// about to move, or while a party waits for the game's end.
    pub(super) fn hibernate_at(&self) -> Option<Instant> {
        let since = self.rules.empty_since().filter(|_| self.context.storage.is_some())?;
        // Due work comes first, unless it cannot be stored now.
        let due = self.rules.due().is_some_and(|due| due <= self.now()) && self.retry_at.is_none();
        let held = self.table.as_ref().is_some_and(TableReporter::is_held);
        let busy = due || held || self.computer_turn.is_some();
        (!busy).then(|| self.not_before_retry(self.context.clock.moment(since + HIBERNATE_AFTER)))
    }

    /// Tells the party of the room, if it has one, what goes on.
    pub(super) fn report_table(&self) {
        // A room without a party, as most are, makes no report.
        let Some(table) = &self.table else { return };
        if let Some(report) = self.rules.table_report() {
            table.report(report);
        }
    }

    /// Saves that somebody is in the room, at the first visit since it was activated. Nobody waits for it:
    /// without it the room may end earlier after a restart.
    pub(super) fn note_visit(&mut self) {
        if std::mem::take(&mut self.unvisited) {
            drop(self.save());
        }
    }

    /// Saves since when nobody is in the room, and ends the task. The room stays active if that cannot be
    /// stored, until the next try.
    pub(super) async fn hibernate<R: Registration>(&mut self, registration: R) -> Result<(), R> {
        if self.save().await.is_err() {
            self.retry_at = Some(Instant::now() + RETRY);
            return Err(registration);
        }
        tracing::debug!(v = self.rules.state().v, "room hibernates");
        registration.hibernate(Hibernated { is_restored: false, until: self.rules.end_due() });
        if self.rules.state().settings.listed {
            self.context.lobby_changed.notify_one();
        }
        self.reject_pending();
        Ok(())
    }

    /// Answers the commands that came too late, so that each has an answer. A client that wants to
    /// join looks the room up again.
    pub(super) fn reject_pending(&mut self) {
        self.commands.close();
        for (sender, id) in std::mem::take(&mut self.steps) {
            sender.reject(Some(id), no_such_room(self.rules.state().code));
        }
        while let Ok(command) = self.commands.try_recv() {
            command.reject(self.rules.state().code, no_such_room);
        }
    }
}
