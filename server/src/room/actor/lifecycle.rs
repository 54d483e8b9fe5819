//! How a room is kept: what it decided is stored before anybody is shown it, it falls asleep when
//! nobody is there, and it is rebuilt from its facts when it wakes. Whoever asks when its task has
//! ended is answered here too.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{CloseCode, Event, IntentId, Refusal, RoomCode, RoomSettings};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Actor, RETRY};
use crate::journal::entry::{NewRoom, Origin};
use crate::journal::error::DiskError;
use crate::journal::{Journal, RoomJournal};
use crate::outbox::Outbox;
use crate::room::analysis::Analyses;
use crate::room::audience::Audience;
use crate::room::recovery::recover;
use crate::room::rules::RoomRules;
use crate::room::{
    Command, Hibernated, Inbox, Registration, RoomContext, Start, no_such_room, not_stored,
};
use crate::timer::Timer;

/// A room that nobody is in falls asleep after this: longer than a reload takes.
const HIBERNATE_AFTER: Duration = Duration::from_secs(5);

/// A damaged room is looked at again after this, should nobody come for it sooner.
const RETRY_DAMAGED: Duration = Duration::from_secs(24 * 3600);

/// A room's task, from its start until it ends or hibernates. `registration` is dropped with the
/// task, also if it panics, and removes the room from the lobby unless it hibernates.
pub(crate) fn run<R: Registration>(
    start: Start,
    inbox: Inbox,
    registration: R,
    context: RoomContext,
) -> impl Future<Output = ()> {
    // In a box, like the actor, so that the task is no larger than its longest part.
    let started = Box::pin(start_actor(start, inbox, registration, context));
    async {
        if let Some((actor, registration)) = started.await {
            actor.run(registration).await;
        }
    }
}

async fn start_actor<R: Registration>(
    start: Start,
    Inbox { handle, mut commands }: Inbox,
    mut registration: R,
    context: RoomContext,
) -> Option<(Box<Actor>, R)> {
    let (rules, journal, activated) = match begin(start, handle.code(), &context).await {
        Ok(begun) => begun,
        Err(StartError { hibernated, why }) => {
            match hibernated {
                Some(hibernated) => registration.hibernate(hibernated),
                None => drop(registration),
            }
            refuse_all(&mut commands, &why);
            return None;
        }
    };
    if rules.state().is_waiting() {
        registration.waits();
    }
    let actor = Box::new(Actor {
        audience: Audience::new(rules.state().code),
        journal,
        unvisited: activated,
        retry_at: None,
        handle,
        commands,
        departures: Arc::default(),
        computer_turn: None,
        analyses: Analyses::default(),
        told_spectators: 0,
        tell_spectators_at: None,
        timer: Timer::new(),
        context,
        rules,
    });
    actor.summary_changed();
    Some((actor, registration))
}

/// A room that cannot be made or read.
struct StartError {
    /// How it sleeps on, if it is to.
    hibernated: Option<Hibernated>,
    why: NotCommitted,
}

impl StartError {
    /// There is no such room.
    const fn gone(why: NotCommitted) -> Self {
        Self { hibernated: None, why }
    }
}

/// The room's table and journal, and whether it slept.
async fn begin(
    start: Start,
    code: RoomCode,
    context: &RoomContext,
) -> Result<(RoomRules, Option<RoomJournal>, bool), StartError> {
    let journal = context.journal.as_ref();
    match start {
        Start::New { settings, seats, origins } => {
            let now = context.clock.now();
            let mut rules = RoomRules::new(code, settings, context.times, now);
            let events = rules.fill_seats(now, &seats, rand::random());
            let journal = journal.map(Journal::new_room);
            let made = make(journal.as_ref(), code, settings, origins, &events).await;
            made.map_err(|error| {
                tracing::debug!(%error, "room could not be stored");
                StartError::gone(error.into())
            })?;
            tracing::info!(board = %settings.board, "room made");
            Ok((rules, journal, false))
        }
        Start::Restore(hibernated) => {
            let journal = journal.map(|journal| journal.room(hibernated.id));
            let journal = journal.ok_or_else(|| StartError::gone(not_stored().into()))?;
            let rules = activate(&journal, &hibernated, context).await.map_err(|error| {
                tracing::error!("room number {} cannot be read: {error}", hibernated.id);
                let until = context.clock.now() + RETRY_DAMAGED;
                StartError {
                    hibernated: Some(Hibernated { until, ..hibernated }),
                    why: not_stored().into(),
                }
            })?;
            Ok((rules, Some(journal), true))
        }
    }
}

async fn make(
    journal: Option<&RoomJournal>,
    code: RoomCode,
    settings: RoomSettings,
    origins: Vec<Origin>,
    events: &[Event],
) -> Result<(), DiskError> {
    let Some(journal) = journal else { return Ok(()) };
    let new = NewRoom { code, settings, made: journal.now(), origins };
    journal.make(new, events).await
}

/// Rebuilds a room from its facts.
async fn activate(
    journal: &RoomJournal,
    hibernated: &Hibernated,
    context: &RoomContext,
) -> Result<RoomRules, DiskError> {
    let stored = journal.load().await?;
    recover(&stored, hibernated, journal.uptime(), context.times, context.clock.now())
}

/// Says to everybody in the inbox that the room cannot be had now.
fn refuse_all(commands: &mut mpsc::Receiver<Command>, why: &NotCommitted) {
    commands.close();
    while let Ok(command) = commands.try_recv() {
        // Nobody has been let in, so that nobody can have asked for anything else.
        if let Command::Join { client, id, admitted, .. } = command {
            why.tell(&client.outbox, id);
            drop(admitted.send(None));
        }
    }
}

/// Why what was asked or decided is not true.
#[derive(Debug)]
pub(super) enum NotCommitted {
    /// The rules or the journal say no, and nothing has changed.
    Refused(Refusal),
    /// Nobody knows whether it is stored. The room stays as everybody sees it.
    Unknown,
}

impl From<Refusal> for NotCommitted {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<DiskError> for NotCommitted {
    fn from(error: DiskError) -> Self {
        match error {
            DiskError::Unknown(_) => Self::Unknown,
            _ => Self::Refused(not_stored()),
        }
    }
}

impl NotCommitted {
    /// Tells whoever asked: what is not known is no answer, so that their connection ends without
    /// one and they ask again.
    pub(super) fn tell(&self, outbox: &Outbox, id: Option<IntentId>) {
        match self {
            Self::Refused(refusal) => outbox.refuse(id, refusal.clone()),
            Self::Unknown => outbox.end(CloseCode::Internal),
        }
    }
}

impl Actor {
    /// Stores what is to be kept of the events; with an error nothing has happened that anybody
    /// may be shown.
    pub(super) fn store<'a>(
        &'a self,
        events: &'a [Event],
    ) -> impl Future<Output = Result<(), NotCommitted>> + Send + 'a {
        let (journal, v) = (self.journal.as_ref(), self.rules.state().v);
        async move {
            let Some(journal) = journal else { return Ok(()) };
            // In a box, so that rooms that are not kept are no larger for it.
            Box::pin(journal.append(v, events)).await.map_err(|error| {
                tracing::debug!(%error, "not stored");
                error.into()
            })
        }
    }

    /// Stores events that were decided, and makes them true.
    pub(super) async fn commit(
        &mut self,
        decided: Result<Vec<Event>, Refusal>,
    ) -> Result<(), NotCommitted> {
        let events = decided?;
        self.store(&events).await?;
        self.apply(events);
        Ok(())
    }

    /// The same for what nobody asked for: where it cannot be stored, or that is not known, it is
    /// decided and tried again later. Nobody was shown it, so that another outcome contradicts
    /// nobody.
    pub(super) async fn commit_or_retry(&mut self, events: Vec<Event>) {
        if self.commit(Ok(events)).await.is_err() {
            self.retry_at = Some(Instant::now() + RETRY);
        }
    }

    /// A moment, or that of the next try where it is later.
    pub(super) fn not_before_retry(&self, moment: Instant) -> Instant {
        self.retry_at.map_or(moment, |retry_at| moment.max(retry_at))
    }

    /// When the room falls asleep: only one that is kept, with nobody in it and no computer about
    /// to move.
    pub(super) fn hibernate_at(&self) -> Option<Instant> {
        let resume = self.rules.resume_point().filter(|_| self.journal.is_some())?;
        // What is due comes first, unless it cannot be stored now.
        let due = self.rules.due().is_some_and(|due| due <= self.now()) && self.retry_at.is_none();
        let busy = due || self.computer_turn.is_some();
        (!busy).then(|| self.context.clock.moment(resume.since + HIBERNATE_AFTER))
    }

    /// Notes the first visit since the room woke.
    pub(super) fn note_visit(&mut self) {
        if std::mem::take(&mut self.unvisited)
            && let Some(journal) = &self.journal
        {
            journal.note_vacant(None);
        }
    }

    /// Ends the task and leaves the room in the journal.
    pub(super) fn hibernate(&mut self, registration: impl Registration) {
        let (Some(journal), Some(resume)) = (&self.journal, self.rules.resume_point()) else {
            return;
        };
        if !self.unvisited {
            journal.note_vacant(Some(self.now().saturating_sub(resume.since)));
        }
        let (id, since, until) = (journal.id(), resume.since, self.rules.end_due());
        tracing::debug!(v = resume.v, "room sleeps");
        registration.hibernate(Hibernated { id, resume: Some(resume), since, until });
        if self.rules.state().settings.listed {
            self.context.lobby_changed.notify_one();
        }
        self.reject_pending();
    }

    /// Answers the commands that came too late, so that none stays without an answer. Who wants
    /// to come in looks for the room again.
    pub(super) fn reject_pending(&mut self) {
        self.commands.close();
        while let Ok(command) = self.commands.try_recv() {
            let removed = command.connection().and_then(|asks| self.audience.removed(asks));
            if let Some(outbox) = removed {
                command.answer_removed(outbox, self.rules.state().code);
                continue;
            }
            let refusal = no_such_room(self.rules.state().code);
            match command {
                Command::Join { .. } | Command::EndIfUnattended | Command::HasSeat { .. } => {}
                Command::Leave { membership, id, .. } => {
                    let connection = membership.id.connection;
                    if let Some((_, outbox)) = self.audience.member(connection) {
                        outbox.grant(id, Some(membership.code()));
                    }
                }
                Command::Act { connection, id, .. }
                | Command::Analyze { connection, id, .. }
                | Command::Sync { connection, id }
                | Command::Ping { connection, id } => {
                    if let Some((_, outbox)) = self.audience.member(connection) {
                        outbox.refuse(Some(id), refusal);
                    }
                }
            }
        }
    }
}
