//! The rooms that are here: found, started, restored, and on a node taken and left with their shard.

use std::sync::Arc;

use noughts_protocol::{Refusal, RoomCode};
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::Lobby;
use super::nodes::in_between;
use super::registry::{Lookup, RegistryEntry};
use super::shards::{Hold, Tenure};
use crate::cluster::question::Known;
use crate::journal::startup::LiveRoom;
use crate::room::{self, Hibernated, RoomContext, RoomHandle, RoomInbox, Start};
use crate::shard::Shard;

impl Lobby {
    /// Adds the rooms that the journal holds, all of them hibernated.
    pub(crate) fn restore(&self, rooms: Vec<LiveRoom>) {
        self.restore_into(&self.context, rooms);
    }

    /// Adds the rooms of a shard, all of them hibernated. The shard can be entered once the caller
    /// [opens](Self::open_shard) it with what this returns: its parties come first.
    pub(crate) fn restore_shard(&self, rooms: Vec<LiveRoom>) -> Hold {
        let (stop, began) = (self.context.stop.child_token(), self.context.clock.now());
        let context = RoomContext { stop, began, ..self.context.clone() };
        self.restore_into(&context, rooms);
        Hold::new(Arc::new(context), TaskTracker::new())
    }

    /// Lets rooms and parties of a shard start from now on.
    pub(crate) fn open_shard(&self, shard: Shard, hold: Hold) {
        self.shards.take(shard, hold);
    }

    /// Ends the rooms and the parties of a shard here. Nothing of that is written: they go on at another
    /// node. Returns when their tasks have ended.
    pub(crate) async fn leave_shard(&self, shard: Shard) {
        let Some(hold) = self.shards.leave(shard) else { return };
        hold.end().await;
        // Those that hibernated meanwhile too.
        self.registry.forget_hibernated(shard);
    }

    fn restore_into(&self, context: &RoomContext, rooms: Vec<LiveRoom>) {
        let Some(journal) = &context.journal else { return };
        for LiveRoom { id, code, vacant, origins, is_table } in rooms {
            let Ok(code) = code.parse() else {
                tracing::error!(id, code, "a room of the journal has an invalid code");
                continue;
            };
            let unattended = vacant.map(|(run, at)| journal.uptime(id).since(run, at));
            let since = context.began.saturating_sub(unattended.unwrap_or_default());
            let until = since + context.times.unattended;
            let hibernated = Hibernated { id, resume: None, since, until };
            self.registry.restore(code, hibernated, origins, is_table);
        }
    }

    /// The room of this node with a code. A hibernated room becomes active.
    ///
    /// # Errors
    /// If there is no such room here.
    pub(crate) fn find_here(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        match self.registry.find(code) {
            Some(Lookup::Active(handle)) => Ok(handle),
            Some(Lookup::Activated(inbox, entry, hibernated)) => {
                let handle = inbox.handle.clone();
                self.start(Start::Restore(hibernated), inbox, entry)?;
                Ok(handle)
            }
            None => Err(room::no_such_room(code)),
        }
    }

    /// Whether a room or a party of this node has a code; `None` if its shard has left, and with it perhaps
    /// what had the code.
    pub(crate) fn known_here(&self, code: RoomCode) -> Option<Known> {
        match (self.registry.has(code), self.registry.is_reserved(code)) {
            (true, _) => Some(Known::Room),
            (_, true) => Some(Known::Party),
            _ => self.shards.holds(code).then_some(Known::Nothing),
        }
    }

    /// The right to start the party with a code.
    ///
    /// # Errors
    /// If its shard is not here.
    pub(crate) fn enter(&self, code: RoomCode) -> Result<Tenure, Refusal> {
        self.shards.enter(code).ok_or_else(in_between)
    }

    /// Starts the task of a room.
    ///
    /// # Errors
    /// If its shard is not here.
    pub(super) fn start(
        &self,
        start: Start,
        inbox: RoomInbox,
        entry: RegistryEntry,
    ) -> Result<(), Refusal> {
        let tenure = self.enter(inbox.handle.code())?;
        // Not at the level of the usual log: to enter a span and leave it at every step of a task takes
        // 2,000 instructions a move (by callgrind), 7 of 100.
        let span = tracing::debug_span!(target: "noughts_server::room", "room", code = %inbox.handle.code());
        let running = room::run(start, inbox, entry, Arc::clone(tenure.context()));
        tenure.spawn(running.instrument(span));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
