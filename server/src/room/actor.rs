//! The task that owns one room. `next_wake` is the only place where it waits; everything it then
//! does is synchronous: ask the [`Table`] for events, make them true, tell the [`Audience`].

mod teaching;

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_protocol::{Event, IntentId, PlayerId, Role, RoomCode, RoomSummary, ServerMessage};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::audience::Audience;
use super::lessons::{Lessons, Taught};
use super::membership::{Departures, Membership, Ticket};
use super::outbox::Outbox;
use super::table::Table;
use super::thought::{Chosen, Thought};
use super::{Command, ConnectionId, Intent, Plan, RoomHandle, Surroundings, Visitor, no_such_room};
use crate::computer::opening::Decision;
use crate::lobby::registry::Registration;

/// A room's task, ready to be spawned.
pub(crate) type Running = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Spectator counts are told at most this often.
const SPECTATORS_EVERY: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Actor {
    table: Table,
    audience: Audience,
    /// Since when the room's time is counted.
    epoch: Instant,
    commands: mpsc::Receiver<Command>,
    departures: Arc<Departures>,
    thought: Option<Thought>,
    lessons: Lessons,
    computer_delay: Duration,
    /// The spectators last told of, and when the next count may be told.
    told_spectators: u32,
    tell_spectators_at: Option<Instant>,
    summary: Arc<Mutex<RoomSummary>>,
    around: Surroundings,
}

/// What a room wakes up for.
enum Wake {
    Command(Command),
    Departed(Vec<Ticket>),
    Chosen(Chosen),
    Taught(Taught),
    TableDue,
    SpectatorsDue,
    Stop,
}

impl Actor {
    pub(super) fn new(
        code: RoomCode,
        plan: Plan,
        around: Surroundings,
        commands: mpsc::Receiver<Command>,
    ) -> Self {
        let Plan { settings, seats, times, computer_delay } = plan;
        let table = Table::new(code, settings, &seats, times, rand::random());
        let summary = Arc::new(Mutex::new(summarise(&table, 0)));
        Self {
            audience: Audience::new(code),
            epoch: Instant::now(),
            commands,
            departures: Arc::default(),
            thought: None,
            lessons: Lessons::default(),
            computer_delay,
            told_spectators: 0,
            tell_spectators_at: None,
            summary,
            around,
            table,
        }
    }

    pub(super) fn summary(&self) -> Arc<Mutex<RoomSummary>> {
        Arc::clone(&self.summary)
    }

    /// The room's life; `registration` goes with it.
    pub(super) fn run(mut self, mut registration: Registration) -> Running {
        Box::pin(async move {
            let handle = registration.handle().clone();
            self.think();
            while !self.table.state().closed {
                match self.next_wake().await {
                    Wake::Command(command) => self.command(command, &handle),
                    Wake::Departed(gone) => self.departed(gone),
                    Wake::Chosen(chosen) => self.chosen(chosen),
                    Wake::Taught(taught) => self.taught(taught),
                    Wake::TableDue => self.table_due(),
                    Wake::SpectatorsDue => self.tell_spectators(),
                    Wake::Stop => break,
                }
                if !self.table.state().is_waiting() {
                    registration.no_longer_waiting();
                }
            }
            self.turn_away();
            tracing::info!(v = self.table.state().v, "room ended");
        })
    }

    /// Answers the commands that came too late, so that none stays without an answer.
    fn turn_away(&mut self) {
        self.commands.close();
        while let Ok(command) = self.commands.try_recv() {
            let refusal = no_such_room(self.table.state().code);
            match command {
                Command::Join { visitor, id, .. } => visitor.outbox.refuse(id, refusal),
                Command::Leave { membership, id } => {
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

    async fn next_wake(&mut self) -> Wake {
        let due = self.table.due().map(|at| self.epoch + at);
        tokio::select! {
            () = self.around.stop.cancelled() => Wake::Stop,
            // The registration holds a handle, so that the inbox never closes under the actor.
            Some(command) = self.commands.recv() => Wake::Command(command),
            gone = self.departures.next() => Wake::Departed(gone),
            chosen = maybe(&mut self.thought) => Wake::Chosen(chosen),
            taught = self.lessons.next() => Wake::Taught(taught),
            () = at(due) => Wake::TableDue,
            () = at(self.tell_spectators_at) => Wake::SpectatorsDue,
        }
    }

    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    fn command(&mut self, command: Command, handle: &RoomHandle) {
        match command {
            Command::Join { visitor, role, id, admitted } => {
                self.join(visitor, role, id, admitted, handle);
            }
            Command::Act { connection, id, intent } => self.act(connection, id, intent),
            Command::Learn { connection, id, wanted } => self.learn(connection, id, wanted),
            Command::Leave { membership, id } => self.leave(membership.ticket.connection, id),
            Command::Sync { connection, id } => self.sync(connection, id),
            Command::Ping { connection, id } => {
                if let Some((_, outbox)) = self.audience.member(connection) {
                    let state = self.table.state();
                    let (room, v) = (Some(state.code), Some(state.v));
                    outbox.send(&ServerMessage::Pong { id, room, v });
                }
            }
        }
    }

    fn join(
        &mut self,
        visitor: Visitor,
        role: Role,
        id: Option<IntentId>,
        admitted: oneshot::Sender<Membership>,
        handle: &RoomHandle,
    ) {
        let Visitor { connection, player, ref name, ref outbox } = visitor;
        let events = match self.table.join(player, name, role, rand::random()) {
            Ok(events) => events,
            Err(refusal) => return outbox.refuse(id, refusal),
        };
        // Whoever was here before hears of it by events, the visitor by the snapshot.
        self.make_true(events);
        let arrived = self.audience.member(connection).is_none();
        if arrived {
            let events = self.table.connect(self.now(), player);
            self.make_true(events);
        }
        if let Some(id) = id {
            outbox.grant(id, Some(self.table.state().code));
        }
        self.send_snapshot(player, outbox);
        let ticket = self.audience.admit(visitor);
        let (room, departures) = (handle.clone(), Arc::clone(&self.departures));
        // Should the connection be gone, the membership comes back and is dropped here: a
        // departure like any other.
        drop(admitted.send(Membership { ticket, room, departures }));
        self.update_lessons();
        self.tell_evaluation(connection);
        self.spectators_may_have_changed();
    }

    fn act(&mut self, connection: ConnectionId, id: IntentId, intent: Intent) {
        let Some((player, outbox)) = self.audience.member(connection) else { return };
        let outbox = outbox.clone();
        match self.table.decide(self.now(), player, intent, rand::random()) {
            Ok(events) => {
                outbox.grant(id, Some(self.table.state().code));
                self.make_true(events);
            }
            Err(refusal) => outbox.refuse(Some(id), refusal),
        }
    }

    fn leave(&mut self, connection: ConnectionId, id: IntentId) {
        // Whoever leaves hears no more of the room, not even of that.
        let Some((player, outbox)) = self.audience.dismiss_connection(connection) else { return };
        outbox.grant(id, Some(self.table.state().code));
        self.lessons.forget(connection);
        let events = self.table.leave(player);
        self.table.disconnect(self.now(), player);
        self.make_true(events);
        self.spectators_may_have_changed();
    }

    fn sync(&self, connection: ConnectionId, id: IntentId) {
        let Some((player, outbox)) = self.audience.member(connection) else { return };
        outbox.grant(id, Some(self.table.state().code));
        self.send_snapshot(player, outbox);
    }

    fn send_snapshot(&self, player: PlayerId, outbox: &Outbox) {
        let snapshot = self.table.snapshot_for(player, self.now());
        outbox.send(&ServerMessage::Snapshot(snapshot));
    }

    fn departed(&mut self, gone: Vec<Ticket>) {
        for ticket in gone {
            if let Some(player) = self.audience.dismiss(ticket) {
                self.lessons.forget(ticket.connection);
                self.table.disconnect(self.now(), player);
                self.spectators_may_have_changed();
            }
        }
    }

    fn chosen(&mut self, Chosen { game, ply, decision }: Chosen) {
        self.thought = None;
        let events = match decision {
            Decision::Place(cell) => self.table.computer_move(game, ply, cell),
            Decision::Choose(choice) => self.table.computer_choice(game, ply, choice),
        };
        self.make_true(events);
    }

    /// Does the earliest thing that is due; what else is wakes the room again at once.
    fn table_due(&mut self) {
        let events = self.table.tick(self.now(), rand::random());
        self.make_true(events);
    }

    /// Makes decided events true, in order, and tells everybody.
    fn make_true(&mut self, events: Vec<Event>) {
        if events.is_empty() {
            return;
        }
        let moved_only = events.iter().all(|event| matches!(event, Event::Moved { .. }));
        let (now, room) = (self.now(), self.table.state().code);
        for event in events {
            tracing::debug!(?event, "event");
            self.table.apply(now, &event);
            let v = self.table.state().v;
            self.audience.broadcast(&ServerMessage::Event { room, v, event });
        }
        if !moved_only {
            self.summary_changed();
            self.spectators_may_have_changed();
        }
        self.think();
        self.update_lessons();
    }

    /// Lets the computer whose turn it is think, and stops it where the turn has passed.
    fn think(&mut self) {
        let state = self.table.state();
        let due = state
            .running()
            .and_then(|running| Some((running, state.seats[running.turn()?].computer()?)));
        let Some((running, computer)) = due else {
            self.thought = None;
            return;
        };
        if !self.thought.as_ref().is_some_and(|thought| thought.is_for(running)) {
            let thinkers = self.around.thinkers.clone();
            self.thought = Some(Thought::begin(thinkers, running, computer, self.computer_delay));
        }
    }

    fn spectators_may_have_changed(&mut self) {
        if self.table.spectators() != self.told_spectators && self.tell_spectators_at.is_none() {
            self.tell_spectators_at = Some(Instant::now() + SPECTATORS_EVERY);
        }
    }

    fn tell_spectators(&mut self) {
        self.tell_spectators_at = None;
        self.told_spectators = self.table.spectators();
        self.audience.broadcast_spectators(self.told_spectators);
        self.summary_changed();
    }

    fn summary_changed(&self) {
        let summary = summarise(&self.table, self.told_spectators);
        let listed = summary.settings.listed;
        *self.summary.lock().unwrap_or_else(PoisonError::into_inner) = summary;
        if listed {
            self.around.lobby_changed.notify_one();
        }
    }
}

fn summarise(table: &Table, spectators: u32) -> RoomSummary {
    let state = table.state();
    RoomSummary {
        room: state.code,
        settings: state.settings,
        seats: state.seats.clone(),
        score: state.score,
        game: state.running().map(|running| running.number),
        spectators,
    }
}

/// Waits until a moment, or for ever where there is none.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

async fn maybe(thought: &mut Option<Thought>) -> Chosen {
    match thought {
        Some(thought) => thought.chosen().await,
        None => std::future::pending().await,
    }
}
