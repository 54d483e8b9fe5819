//! The start of a room's task: the room is made and stored, or rebuilt from its facts.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{ByMark, PlayerId, RoomCode, RoomSettings, Seat};
use tokio::sync::mpsc;

use super::Actor;
use super::ratings::AskedRatings;
use crate::actor::{Audience, Departures, Inbox, NotCommitted, not_stored};
use crate::journal::RoomJournal;
use crate::journal::entry::{NewRoom, Origin};
use crate::journal::error::DiskError;
use crate::journal::room_log::{AnyRoomLog, RoomLog};
use crate::room::analysis::Analyses;
use crate::room::command::Command;
use crate::room::presence::ToldPresence;
use crate::room::recovery::recover;
use crate::room::rules::{RoomRules, Timestamp};
use crate::room::told_chat::ToldChat;
use crate::room::{Hibernated, Registration, RoomContext, RoomInbox, Start};

/// Lines of a restored room have larger numbers. With it they have sixteen digits on every clock, also
/// on a simulated one, whose worlds repeat to the byte.
const FIRST_LINE: u64 = 1_000_000_000_000_000;

/// The lobby activates a damaged room again after this, unless somebody joins it before.
const RETRY_DAMAGED: Duration = Duration::from_secs(24 * 3600);

/// A room's task, from its start until it ends or hibernates. `registration` is dropped with the
/// task, also if it panics, and removes the room from the lobby unless it hibernates.
pub(crate) async fn run<R: Registration>(
    start: Start,
    inbox: RoomInbox,
    registration: R,
    context: Arc<RoomContext>,
) {
    if let Some((actor, registration)) = start_actor(start, inbox, registration, context).await {
        actor.run(registration).await;
    }
}

async fn start_actor<R: Registration>(
    start: Start,
    Inbox { handle, mut commands }: RoomInbox,
    mut registration: R,
    context: Arc<RoomContext>,
) -> Option<(Actor, R)> {
    let activated = matches!(start, Start::Restore(_));
    let loaded = match start {
        Start::New { settings, seats, origins } => {
            create(handle.code(), settings, &seats, origins, &context).await
        }
        Start::Restore(hibernated) => restore(hibernated, &context).await,
    };
    let (rules, log) = match loaded {
        Ok(loaded) => loaded,
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
    let mut actor = Actor {
        audience: Audience::new(),
        log,
        unvisited: activated,
        retry_at: None,
        handle,
        commands,
        departures: Departures::new(),
        computer_turn: None,
        steps: Vec::new(),
        analyses: Analyses::default(),
        asked_ratings: AskedRatings::default(),
        told_presence: ToldPresence::default(),
        told_chat: ToldChat::default(),
        table: None,
        context,
        rules,
    };
    actor.ask_ratings();
    actor.summary_changed();
    Some((actor, registration))
}

/// A room that could not be made or read.
struct StartError {
    /// `None` if there is no such room; a room that could not be read hibernates again.
    hibernated: Option<Hibernated>,
    why: NotCommitted,
}

impl StartError {
    const fn no_room(why: NotCommitted) -> Self {
        Self { hibernated: None, why }
    }
}

async fn create(
    code: RoomCode,
    settings: RoomSettings,
    seats: &ByMark<Seat>,
    origins: Vec<Origin>,
    context: &RoomContext,
) -> Result<(RoomRules, AnyRoomLog), StartError> {
    let now = context.clock.now();
    let new = NewRoom { code, settings, origins };
    let rules = RoomRules::new(code, settings, context.times, now);
    let makers: Vec<PlayerId> = new.origins.iter().map(|origin| origin.player).collect();
    let mut rules = rules.made_by(&makers);
    let decided = rules.fill_seats(seats, rand::random());
    let log = AnyRoomLog::new_room(context.journal.as_ref());
    let committed = log.create(new, decided).await.map_err(|error| {
        tracing::debug!(%error, "room could not be stored");
        StartError::no_room(error.into())
    })?;
    // Nobody is in the room yet who could be told.
    let unix_ms = log.kept().map_or(0, RoomJournal::now);
    drop(rules.apply(Timestamp { age: now, unix_ms }, committed));
    tracing::info!(%code, board = %settings.board, "room made");
    Ok((rules, log))
}

async fn restore(
    hibernated: Hibernated,
    context: &RoomContext,
) -> Result<(RoomRules, AnyRoomLog), StartError> {
    let journal = context.journal.as_ref().map(|journal| journal.room(hibernated.id));
    let journal = journal.ok_or_else(|| StartError::no_room(not_stored().into()))?;
    let mut rules = load(&journal, &hibernated, context).await.map_err(|error| {
        tracing::error!("room number {} cannot be read: {error}", hibernated.id);
        let until = context.clock.now() + RETRY_DAMAGED;
        let hibernated = Some(Hibernated { until, ..hibernated });
        StartError { hibernated, why: not_stored().into() }
    })?;
    // A client may have lines of the time before, and drops a line whose number it has. Nobody says
    // a million lines a second, so microseconds are above all earlier numbers.
    let micros = u64::try_from(journal.now()).unwrap_or_default().saturating_mul(1000);
    rules.number_lines_from(FIRST_LINE.saturating_add(micros));
    Ok((rules, AnyRoomLog::Kept(journal)))
}

async fn load(
    journal: &RoomJournal,
    hibernated: &Hibernated,
    context: &RoomContext,
) -> Result<RoomRules, DiskError> {
    let stored = journal.load().await?;
    recover(&stored, hibernated, journal.uptime(), context.times, context.clock.now())
}

/// Answers the joins in the inbox of a room that did not start. No other command can be there,
/// because nobody is in the room.
fn refuse_all(commands: &mut mpsc::Receiver<Command>, why: &NotCommitted) {
    commands.close();
    while let Ok(command) = commands.try_recv() {
        if let Command::Join { client, id, admitted, .. } = command {
            why.answer(&client.outbox, id);
            drop(admitted.send(None));
        }
    }
}
