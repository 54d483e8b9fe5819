//! The public list of rooms: made on request, and anew for all who watch it when it changes, at
//! most once a second.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use noughts_protocol::{MAX_LOBBY_ROOMS, RoomSummary, ServerMessage};
use tokio::sync::{Notify, watch};

use super::registry::Registry;
use crate::room::outbox::encode;

/// Lists are sent at most this often.
const EVERY: Duration = Duration::from_secs(1);

/// The list and those who watch it.
#[derive(Debug)]
pub(crate) struct Listing {
    registry: Arc<Registry>,
    changed: Arc<Notify>,
    watched: watch::Sender<Utf8Bytes>,
}

impl Listing {
    /// The list of a registry's rooms; `changed` is notified when one of them changes.
    pub(crate) fn new(registry: Arc<Registry>, changed: Arc<Notify>) -> Self {
        Self { registry, changed, watched: watch::Sender::new(Utf8Bytes::default()) }
    }

    /// The list now: rooms with an open seat, and rooms to watch. Rooms that sleep, since nobody is
    /// there, are not on it. Where there are more than a
    /// message holds, those with the most spectators come first.
    pub(crate) fn now(&self) -> ServerMessage {
        let rooms = self.registry.listed().into_iter().filter_map(|room| room.summary());
        let (mut waiting, mut playing): (Vec<_>, Vec<_>) =
            rooms.partition(|room| room.seats.has_open());
        playing.retain(|room| room.settings.spectators);
        let by_interest = |room: &RoomSummary| (std::cmp::Reverse(room.spectators), room.room);
        waiting.sort_by_key(by_interest);
        playing.sort_by_key(by_interest);
        let beyond = |list: &[RoomSummary]| list.len().saturating_sub(MAX_LOBBY_ROOMS);
        // There are at most as many rooms as codes, 3.2 million.
        let more = (beyond(&waiting) + beyond(&playing)) as u32;
        waiting.truncate(MAX_LOBBY_ROOMS);
        playing.truncate(MAX_LOBBY_ROOMS);
        ServerMessage::Lobby { waiting, playing, more }
    }

    /// How many listed rooms have an open seat.
    pub(crate) fn waiting(&self) -> usize {
        let rooms = self.registry.listed();
        rooms.iter().filter_map(|room| room.summary()).filter(|room| room.seats.has_open()).count()
    }

    /// The list from now on, whenever it changes.
    pub(crate) fn watch(&self) -> watch::Receiver<Utf8Bytes> {
        self.watched.subscribe()
    }

    /// Sends changed lists to those who watch, for ever.
    pub(crate) async fn run(&self) {
        loop {
            self.changed.notified().await;
            if self.watched.receiver_count() > 0 {
                self.watched.send_replace(encode(&self.now()));
            }
            tokio::time::sleep(EVERY).await;
        }
    }
}
