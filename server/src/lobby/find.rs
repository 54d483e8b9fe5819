//! The rooms of this server: found by their code, restored from the store, taken over from another node,
//! started.

use std::time::Duration;

use noughts_cluster::{Cluster, Location, Peer};
use noughts_protocol::{Refusal, RefusalCode, RoomCode};
use noughts_store::Live;
use tokio::time::sleep;
use tracing::Instrument;

use super::Lobby;
use super::registry::{Lookup, RegistryEntry};
use crate::actor::RETRY;
use crate::room::{self, Hibernated, RoomHandle, RoomInbox, RoomStart};

/// The place of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Nothing,
    /// A room of this node.
    Room,
    /// A party of this node.
    Party,
    /// Another node knows.
    At(Peer),
}

impl Lobby {
    /// Adds the rooms that the store holds, all of them hibernated.
    pub(super) fn restore(&self, live: &[Live]) {
        for Live { code, until, origins, party } in live {
            let Some(until) = *until else { continue };
            let hibernated = Hibernated { is_restored: true, until };
            self.registry.restore(*code, hibernated, origins.clone(), *party);
        }
    }

    /// The room with a code. A hibernated room becomes active.
    ///
    /// # Errors
    /// If there is no such room.
    pub(crate) fn find(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        match self.registry.find(code) {
            Some(Lookup::Active(handle)) => Ok(handle),
            Some(Lookup::Activated(inbox, entry, hibernated)) => {
                let handle = inbox.handle.clone();
                self.start(RoomStart::Restore(hibernated), inbox, entry);
                Ok(handle)
            }
            None => Err(room::no_such_room(code)),
        }
    }

    /// Whether a room or a party of this node has a code.
    pub(crate) fn known(&self, code: RoomCode) -> Place {
        match (self.registry.has(code), self.registry.is_reserved(code)) {
            (true, _) => Place::Room,
            (_, true) => Place::Party,
            _ => Place::Nothing,
        }
    }

    /// The cluster that the server is a node of.
    pub(crate) fn cluster(&self) -> Option<&Cluster> {
        self.lease.cluster()
    }

    /// Finds a code that nothing here has. A room whose owner is dead is one of this node from now on; a party is
    /// the caller's to start.
    ///
    /// # Errors
    /// If nobody can say that at present.
    pub(crate) async fn locate(&self, code: RoomCode) -> Result<Location, Refusal> {
        let Some(cluster) = self.cluster() else { return Ok(Location::Nowhere) };
        let location = cluster.locate(code).await.map_err(|error| {
            tracing::debug!(%code, %error, "not located");
            unavailable()
        })?;
        if let Location::Here(live) = &location
            && !live.is_party()
            && !self.registry.has(code)
        {
            let hibernated = Hibernated { is_restored: true, until: self.now() };
            self.registry.restore(code, hibernated, live.origins.clone(), live.party);
        }
        Ok(location)
    }

    /// A room of this node, or of a dead one.
    ///
    /// # Errors
    /// If there is no such room, or another node has it.
    pub(crate) async fn find_or_take(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        while self.known(code) == Place::Nothing && self.locate(code).await.is_err() {
            if self.is_stopping() {
                break;
            }
            sleep(RETRY).await;
        }
        self.find(code)
    }

    /// Forgets the rooms without a task.
    pub(crate) fn forget_hibernated(&self) {
        for code in self.registry.overdue(Duration::MAX, usize::MAX) {
            // The entry of an activated room removes it when it is dropped.
            drop(self.registry.find(code));
        }
    }

    /// Starts the task of a room.
    pub(super) fn start(&self, start: RoomStart, inbox: RoomInbox, entry: RegistryEntry) {
        // Not at the level of the usual log: to enter a span and leave it at every step of a task takes
        // 2,000 instructions a move (by callgrind), 7 of 100.
        let span = tracing::debug_span!(target: "noughts_server::room", "room", code = %inbox.handle.code());
        let running = room::run(start, inbox, entry, self.context.clone());
        self.spawn(running.instrument(span));
    }
}

/// The refusal for a room or a party whose node cannot be asked.
pub(crate) fn unavailable() -> Refusal {
    let message = "the servers cannot say at present where that is: try again in a moment";
    Refusal::new(RefusalCode::NotStored, message)
}
