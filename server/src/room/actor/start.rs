//! The start of a room's task: the room is made and stored, or read back from its row.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{
    ByMark, CloseCode, PlayerId, Refusal, RoomCode, RoomSettings, RoomState, Seat,
};
use noughts_store::{Change, Origin, SaveError, commit};
use tokio::sync::mpsc;

use super::RoomActor;
use super::ratings::AskedRatings;
use crate::actor::{Audience, Departures, Fence, Inbox, answer, not_stored};
use crate::limits::token_bucket::TokenBucket;
use crate::room::analysis::Analyses;
use crate::room::chat_broadcast::ChatBroadcast;
use crate::room::command::RoomCommand;
use crate::room::presence::PresenceBroadcast;
use crate::room::rules::RoomRules;
use crate::room::{Hibernated, Registration, RoomContext, RoomInbox, RoomStart, no_such_room};

/// Lines of a restored room have larger numbers. With it they have sixteen digits on every clock, also
/// on a simulated one, whose worlds repeat to the byte.
const FIRST_LINE: u64 = 1_000_000_000_000_000;

/// The results of games that a room may write into the log at once, and again after [`LOGGED_AGAIN_AFTER`]: two
/// programs that play as fast as they can do not fill it.
const LOGGED_RESULTS: u32 = 32;

const LOGGED_AGAIN_AFTER: Duration = Duration::from_secs(160);

/// The lobby activates a damaged room again after this, unless somebody joins it before.
const RETRY_DAMAGED: Duration = Duration::from_secs(24 * 3600);

/// A room's task, from its start until it ends or hibernates. `registration` is dropped with the
/// task, also if it panics, and removes the room from the lobby unless it hibernates.
pub(crate) async fn run<R: Registration>(
    start: RoomStart,
    inbox: RoomInbox,
    registration: R,
    context: Arc<RoomContext>,
) {
    let started = start_actor(start, inbox, registration, context).await;
    let Some((mut actor, registration)) = started else { return };
    let fence = actor.fence.clone();
    if !fence.run(actor.run(registration)).await {
        actor.audience.close(CloseCode::Restart);
    }
}

async fn start_actor<R: Registration>(
    start: RoomStart,
    Inbox { handle, mut commands }: RoomInbox,
    mut registration: R,
    context: Arc<RoomContext>,
) -> Option<(RoomActor, R)> {
    let activated = matches!(start, RoomStart::Restore(_));
    let loaded = match start {
        RoomStart::New { settings, seats, origins } => {
            create(handle.code(), settings, &seats, origins, &context).await
        }
        RoomStart::Restore(hibernated) => restore(handle.code(), hibernated, &context).await,
    };
    let (rules, origins) = match loaded {
        Ok(loaded) => loaded,
        // Those who come to the code find that there is no room, and may draw another one.
        Err(RoomStartError::Taken) => return None,
        Err(RoomStartError::Unread(hibernated)) => {
            registration.hibernate(hibernated);
            reject_all(&mut commands, &not_stored());
            return None;
        }
        Err(RoomStartError::None(why)) => {
            drop(registration);
            reject_all(&mut commands, &why);
            return None;
        }
    };
    if rules.state().seats.has_open() {
        registration.set_waiting(true);
    }
    let mut actor = RoomActor {
        audience: Audience::new(),
        logged_results: TokenBucket::refilled_in(LOGGED_RESULTS, LOGGED_AGAIN_AFTER),
        origins,
        unvisited: activated,
        retry_at: None,
        handle,
        commands,
        departures: Departures::new(),
        computer_turn: None,
        steps: Vec::new(),
        analyses: Analyses::default(),
        asked_ratings: AskedRatings::default(),
        presence_broadcast: PresenceBroadcast::default(),
        chat_broadcast: ChatBroadcast::default(),
        table: None,
        fence: Fence::default(),
        context,
        rules,
    };
    actor.ask_ratings();
    actor.summary_changed();
    Some((actor, registration))
}

/// A room that could not be made or read.
enum RoomStartError {
    /// There is no such room.
    None(Refusal),
    /// Another node has made a room or a party with this code.
    Taken,
    /// The room hibernates again.
    Unread(Hibernated),
}

impl From<SaveError> for RoomStartError {
    fn from(error: SaveError) -> Self {
        match error {
            SaveError::Stale => Self::Taken,
            SaveError::Refused(_) => Self::None(not_stored()),
        }
    }
}

/// The rules of a room, and the intents that made it.
type LoadedRoom = Result<(RoomRules, Vec<Origin>), RoomStartError>;

async fn create(
    code: RoomCode,
    settings: RoomSettings,
    seats: &ByMark<Seat>,
    origins: Vec<Origin>,
    context: &RoomContext,
) -> LoadedRoom {
    let at = context.timestamp();
    let makers: Vec<PlayerId> = origins.iter().map(|origin| origin.player).collect();
    let mut rules =
        RoomRules::new(RoomState::new(code, settings), context.times, at.age).made_by(&makers);
    let decided = rules.fill_seats(seats, rand::random());
    let row = rules.stored_first(at, &decided, &origins);
    let new = row.map(|row| Change::Live { code, expected: None, row: Some(row) });
    let store = context.storage.as_ref().map(|storage| &*storage.store);
    let committed = commit(store, new.into_iter().collect(), decided).await?;
    // Nobody is in the room yet who could be told.
    drop(rules.apply(context.timestamp(), committed));
    tracing::info!(room = %code, board = %settings.board, variant = settings.variant.name(), "room made");
    Ok((rules, origins))
}

async fn restore(code: RoomCode, hibernated: Hibernated, context: &RoomContext) -> LoadedRoom {
    let storage = context.storage.as_ref().ok_or_else(|| RoomStartError::None(not_stored()))?;
    let row = storage.store.load(code).await.map_err(|error| error.to_string());
    let row = row.transpose().ok_or_else(|| RoomStartError::None(no_such_room(code)))?;
    let now = context.clock.now();
    let read = row.and_then(|row| {
        // The clock of this server went on while the room was asleep here.
        let saved_at = row.saved_at.filter(|_| hibernated.is_restored);
        let rules = RoomRules::from_json(&row.state, context.times, now, saved_at)?;
        let is_whole = rules.state().code == code && rules.state().v == row.v;
        if is_whole { Ok((rules, row.origins)) } else { Err("it is another room".to_owned()) }
    });
    let (mut rules, origins) = read.map_err(|error| {
        tracing::error!("room {code} cannot be read: {error}");
        let until = now + RETRY_DAMAGED;
        RoomStartError::Unread(Hibernated { until, ..hibernated })
    })?;
    if hibernated.is_restored {
        rules.extend_move_time(now);
    }
    // A client may have lines of the time before, and drops a line whose number it has. Nobody says
    // a million lines a second, so microseconds are above all earlier numbers.
    let micros = u64::try_from(storage.unix_ms()).unwrap_or_default().saturating_mul(1000);
    rules.number_lines_from(FIRST_LINE.saturating_add(micros));
    Ok((rules, origins))
}

/// Answers the joins in the inbox of a room that did not start. Who asked something else is told that the task has
/// ended.
fn reject_all(commands: &mut mpsc::Receiver<RoomCommand>, why: &Refusal) {
    commands.close();
    while let Ok(command) = commands.try_recv() {
        if let RoomCommand::Join { client, id, reply, .. } = command {
            client.outbox.reject(id, why.clone());
            answer(reply, None);
        }
    }
}
