//! Hibernation: a room without a connection ends its task and stays in the journal. The commands
//! that come too late are answered here too.

use std::time::Duration;

use tokio::time::Instant;

use super::Actor;
use crate::room::table::TableReporter;
use crate::room::{Hibernated, Registration, no_such_room};

/// A room without a connection hibernates after this: longer than a reload takes.
const HIBERNATE_AFTER: Duration = Duration::from_secs(5);

impl Actor {
    /// When the room hibernates. `None` without a journal, with a connection, while a computer is
    /// about to move, or while a party waits for the game's end.
    pub(super) fn hibernate_at(&self) -> Option<Instant> {
        let resume = self.rules.resume_point().filter(|_| self.log.kept().is_some())?;
        // What is due comes first, unless it cannot be stored now.
        let due = self.rules.due().is_some_and(|due| due <= self.now()) && self.retry_at.is_none();
        let held = self.table.as_ref().is_some_and(TableReporter::is_held);
        let busy = due || held || self.computer_turn.is_some();
        (!busy).then(|| self.context.clock.moment(resume.since + HIBERNATE_AFTER))
    }

    /// Tells the party of the room, if it has one, what goes on.
    pub(super) fn report_table(&self) {
        // A room without a party, as most are, makes no report.
        let Some(table) = &self.table else { return };
        if let Some(report) = self.rules.table_report() {
            table.report(report);
        }
    }

    /// Records the first visit since the room was activated.
    pub(super) fn note_visit(&mut self) {
        if std::mem::take(&mut self.unvisited)
            && let Some(journal) = self.log.kept()
        {
            journal.note_vacant(None);
        }
    }

    /// Ends the task and leaves the room in the journal.
    pub(super) fn hibernate(&mut self, registration: impl Registration) {
        let (Some(journal), Some(resume)) = (self.log.kept(), self.rules.resume_point()) else {
            return;
        };
        if !self.unvisited {
            journal.note_vacant(Some(self.now().saturating_sub(resume.since)));
        }
        let (id, since, until) = (journal.id(), resume.since, self.rules.end_due());
        tracing::debug!(v = self.rules.state().v, "room hibernates");
        registration.hibernate(Hibernated { id, resume: Some(resume), since, until });
        if self.rules.state().settings.listed {
            self.context.lobby_changed.notify_one();
        }
        self.reject_pending();
    }

    /// Answers the commands that came too late, so that each has an answer. A client that wants to
    /// join looks the room up again.
    pub(super) fn reject_pending(&mut self) {
        self.commands.close();
        for (sender, id) in std::mem::take(&mut self.steps) {
            sender.refuse(Some(id), no_such_room(self.rules.state().code));
        }
        while let Ok(command) = self.commands.try_recv() {
            command.reject(self.rules.state().code, no_such_room);
        }
    }
}
