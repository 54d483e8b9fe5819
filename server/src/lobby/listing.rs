//! The public list of rooms: made once a second at most, however many ask for it, and sent anew to
//! all who watch it when it has changed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use noughts_protocol::{MAX_LOBBY_ROOMS, RoomSummary, ServerMessage};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use super::registry::Registry;
use crate::outbox::encode;

/// Lists are made and sent at most this often: whoever asks in one short frame would otherwise have
/// the server look at every room each time.
const EVERY: Duration = Duration::from_secs(1);

/// The list and those who watch it.
#[derive(Debug)]
pub(crate) struct Listing {
    registry: Arc<Registry>,
    changed: Arc<Notify>,
    watched: watch::Sender<Utf8Bytes>,
    /// The list that was made last, and when; nothing once it is known to have changed.
    made: Mutex<Option<(Instant, Utf8Bytes)>>,
}

impl Listing {
    /// The list of a registry's rooms; `changed` is notified when one of them changes.
    pub(crate) fn new(registry: Arc<Registry>, changed: Arc<Notify>) -> Self {
        let watched = watch::Sender::new(Utf8Bytes::default());
        Self { registry, changed, watched, made: Mutex::default() }
    }

    /// The list as it was at most a second ago, as it goes over the wire: rooms with an open seat,
    /// and rooms to watch. Rooms that sleep, since nobody is there, are not on it. Where there are
    /// more than a message holds, those with the most spectators come first.
    pub(crate) fn latest(&self) -> Utf8Bytes {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        match &*made {
            Some((at, list)) if now < *at + EVERY => list.clone(),
            _ => made.insert((now, encode(&self.make()))).1.clone(),
        }
    }

    /// The same for HTTP, where no `type` tells it from other messages.
    pub(crate) fn latest_body(&self) -> String {
        // serde writes the tag of an enum first.
        self.latest().replacen(r#""type":"lobby","#, "", 1)
    }

    fn make(&self) -> ServerMessage {
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
            *self.made.lock().unwrap_or_else(PoisonError::into_inner) = None;
            if self.watched.receiver_count() > 0 {
                self.watched.send_replace(self.latest());
            }
            tokio::time::sleep(EVERY).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, timeout};

    use super::*;
    use crate::config::rooms::RoomLimits;

    const LIMITS: RoomLimits = RoomLimits {
        most: 4,
        per_player: 4,
        waiting: 4,
        per_address: 4,
        new_per_player: 4,
        new_per_address: 4,
    };

    #[tokio::test(start_paused = true)]
    async fn a_list_is_made_once_for_all_who_ask_until_it_changes_or_is_a_second_old() {
        let changed = Arc::new(Notify::new());
        let listing = Listing::new(Arc::new(Registry::new(LIMITS)), Arc::clone(&changed));
        // Those before are held, so that no other lies where they do.
        let mut lists = vec![listing.latest()];
        let mut is_new = || {
            lists.push(listing.latest());
            let [.., before, now] = &lists[..] else { unreachable!() };
            before.as_ptr() != now.as_ptr()
        };
        assert!(!is_new());
        changed.notify_one();
        drop(timeout(EVERY / 2, listing.run()).await);
        assert!(is_new());
        assert!(!is_new());
        advance(EVERY).await;
        assert!(is_new());
    }
}
