//! How a room is kept: what it decided is stored before anybody is shown it, it falls asleep when
//! nobody is there, and it is rebuilt from its facts when it wakes. Whoever asks when its task has
//! ended is answered here too.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{CloseCode, Event, IntentId, Refusal, RoomCode, RoomSettings};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Actor, RETRY};
use crate::journal::entry::NewRoom;
use crate::journal::error::DiskError;
use crate::journal::{Journal, RoomJournal};
use crate::lobby::registry::{Asleep, Registration};
use crate::outbox::Outbox;
use crate::room::analysis::Lessons;
use crate::room::audience::Audience;
use crate::room::recovery::recover;
use crate::room::rules::Table;
use crate::room::{Birth, Command, Inbox, Surroundings, no_such_room, not_stored};
use crate::timer::Alarm;

/// A room that nobody is in falls asleep after this: longer than a reload takes.
const AWAKE: Duration = Duration::from_secs(5);

/// A damaged room is looked at again after this, should nobody come for it sooner.
const DAMAGED: Duration = Duration::from_secs(24 * 3600);

/// A room's task, from its birth until it ends or falls asleep. `registration` is dropped with the
/// task, however that ends, and takes the room out of the registry unless it sleeps.
pub(crate) fn run(
    birth: Birth,
    registration: Registration,
    inbox: Inbox,
    around: Surroundings,
) -> impl Future<Output = ()> {
    // In a box, like the actor, so that the task is no larger than the room's life needs.
    let start = Box::pin(start(birth, registration, inbox, around));
    async {
        if let Some((actor, registration)) = start.await {
            actor.live(registration).await;
        }
    }
}

async fn start(
    birth: Birth,
    mut registration: Registration,
    Inbox(mut commands): Inbox,
    around: Surroundings,
) -> Option<(Box<Actor>, Registration)> {
    let (table, journal, woken) = match begin(birth, &registration, &around).await {
        Ok(begun) => begun,
        Err(NotBegun { asleep, why }) => {
            match asleep {
                Some(asleep) => registration.sleep(asleep),
                None => drop(registration),
            }
            refuse_all(&mut commands, &why);
            return None;
        }
    };
    if table.state().is_waiting() {
        registration.is_waiting_still();
    }
    let actor = Box::new(Actor {
        audience: Audience::new(table.state().code),
        journal,
        unvisited: woken,
        retry_at: None,
        commands,
        departures: Arc::default(),
        thought: None,
        lessons: Lessons::default(),
        told_spectators: 0,
        tell_spectators_at: None,
        alarm: Alarm::new(),
        summary: Arc::clone(&registration.handle().summary),
        around,
        table,
    });
    actor.summary_changed();
    Some((actor, registration))
}

/// A room that cannot be made or read.
struct NotBegun {
    /// How it sleeps on, if it is to.
    asleep: Option<Asleep>,
    why: NotTrue,
}

impl NotBegun {
    /// There is no such room.
    const fn gone(why: NotTrue) -> Self {
        Self { asleep: None, why }
    }
}

/// The room's table and journal, and whether it slept.
async fn begin(
    birth: Birth,
    registration: &Registration,
    around: &Surroundings,
) -> Result<(Table, Option<RoomJournal>, bool), NotBegun> {
    let journal = around.journal.as_ref();
    match birth {
        Birth::New { settings, seats } => {
            let (code, now) = (registration.handle().code(), around.clock.now());
            let mut table = Table::new(code, settings, around.times, now);
            let events = table.furnish(now, &seats, rand::random());
            let journal = journal.map(Journal::new_room);
            let made = make(journal.as_ref(), code, settings, registration, &events).await;
            made.map_err(|error| {
                tracing::debug!(%error, "room could not be stored");
                NotBegun::gone(error.into())
            })?;
            tracing::info!(board = %settings.board, "room made");
            Ok((table, journal, false))
        }
        Birth::Woken(asleep) => {
            let journal = journal.map(|journal| journal.room(asleep.id));
            let journal = journal.ok_or_else(|| NotBegun::gone(not_stored().into()))?;
            let table = wake(&journal, &asleep, around).await.map_err(|error| {
                tracing::error!("room number {} cannot be read: {error}", asleep.id);
                let until = around.clock.now() + DAMAGED;
                NotBegun { asleep: Some(Asleep { until, ..asleep }), why: not_stored().into() }
            })?;
            Ok((table, Some(journal), true))
        }
    }
}

async fn make(
    journal: Option<&RoomJournal>,
    code: RoomCode,
    settings: RoomSettings,
    registration: &Registration,
    events: &[Event],
) -> Result<(), DiskError> {
    let Some(journal) = journal else { return Ok(()) };
    let origins = registration.origins().to_vec();
    let new = NewRoom { code, settings, made: journal.now(), origins };
    journal.make(new, events).await
}

/// Rebuilds a room from its facts.
async fn wake(
    journal: &RoomJournal,
    asleep: &Asleep,
    around: &Surroundings,
) -> Result<Table, DiskError> {
    let stored = journal.load().await?;
    recover(&stored, asleep, journal.runs(), around.times, around.clock.now())
}

/// Says to everybody in the inbox that the room cannot be had now.
fn refuse_all(commands: &mut mpsc::Receiver<Command>, why: &NotTrue) {
    commands.close();
    while let Ok(command) = commands.try_recv() {
        // Nobody has been let in, so that nobody can have asked for anything else.
        if let Command::Join { visitor, id, admitted, .. } = command {
            why.tell(&visitor.outbox, id);
            drop(admitted.send(None));
        }
    }
}

/// Why what was asked or decided is not true.
#[derive(Debug)]
pub(super) enum NotTrue {
    /// The rules or the journal say no, and nothing has changed.
    Refused(Refusal),
    /// Nobody knows whether it is stored. The room stays as everybody sees it.
    Unknown,
}

impl From<Refusal> for NotTrue {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<DiskError> for NotTrue {
    fn from(error: DiskError) -> Self {
        match error {
            DiskError::Unknown(_) => Self::Unknown,
            _ => Self::Refused(not_stored()),
        }
    }
}

impl NotTrue {
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
    ) -> impl Future<Output = Result<(), NotTrue>> + Send + 'a {
        let (journal, v) = (self.journal.as_ref(), self.table.state().v);
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
    pub(super) async fn make_true_if(
        &mut self,
        decided: Result<Vec<Event>, Refusal>,
    ) -> Result<(), NotTrue> {
        let events = decided?;
        self.store(&events).await?;
        self.apply(events);
        Ok(())
    }

    /// The same for what nobody asked for: where it cannot be stored, or that is not known, it is
    /// decided and tried again later. Nobody was shown it, so that another outcome contradicts
    /// nobody.
    pub(super) async fn make_true_or_retry(&mut self, events: Vec<Event>) {
        if self.make_true_if(Ok(events)).await.is_err() {
            self.retry_at = Some(Instant::now() + RETRY);
        }
    }

    /// A moment, or that of the next try where it is later.
    pub(super) fn not_before_retry(&self, moment: Instant) -> Instant {
        self.retry_at.map_or(moment, |retry_at| moment.max(retry_at))
    }

    /// When the room falls asleep: only one that is kept, with nobody in it and no computer about
    /// to move.
    pub(super) fn tired_at(&self) -> Option<Instant> {
        let rest = self.table.rest().filter(|_| self.journal.is_some())?;
        // What is due comes first, unless it cannot be stored now.
        let due = self.table.due().is_some_and(|due| due <= self.now()) && self.retry_at.is_none();
        let busy = due || self.thought.is_some();
        (!busy).then(|| self.around.clock.moment(rest.since + AWAKE))
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
    pub(super) fn fall_asleep(&mut self, registration: Registration) {
        let (Some(journal), Some(rest)) = (&self.journal, self.table.rest()) else { return };
        if !self.unvisited {
            journal.note_vacant(Some(self.now().saturating_sub(rest.since)));
        }
        let (id, since, until) = (journal.id(), rest.since, self.table.end_due());
        tracing::debug!(v = rest.v, "room sleeps");
        registration.sleep(Asleep { id, rest: Some(rest), since, until });
        if self.table.state().settings.listed {
            self.around.lobby_changed.notify_one();
        }
        self.turn_away();
    }

    /// Answers the commands that came too late, so that none stays without an answer. Who wants
    /// to come in looks for the room again.
    pub(super) fn turn_away(&mut self) {
        self.commands.close();
        while let Ok(command) = self.commands.try_recv() {
            let outsider = command.connection().and_then(|asks| self.audience.outsider(asks));
            if let Some(outbox) = outsider {
                command.answer_outsider(outbox, self.table.state().code);
                continue;
            }
            let refusal = no_such_room(self.table.state().code);
            match command {
                Command::Join { .. } | Command::End | Command::HasSeat { .. } => {}
                Command::Leave { membership, id, .. } => {
                    let connection = membership.ticket.connection;
                    if let Some((_, outbox)) = self.audience.member(connection) {
                        outbox.grant(id, Some(membership.code()));
                    }
                }
                Command::Act { connection, id, .. }
                | Command::Learn { connection, id, .. }
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
