//! The public list of rooms. It is made once a second at most, for all who ask, and sent to all who
//! watch it when it has changed.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{MAX_LOBBY_ROOMS, RoomSummary, ServerMessage};
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use super::registry::Registry;
use crate::outbox::{Frame, encode};

/// The shortest time between two lists. One short frame asks for a list, and a list visits every
/// room.
const EVERY: Duration = Duration::from_secs(1);

/// The list and its watchers.
#[derive(Debug)]
pub(crate) struct Listing {
    registry: Arc<Registry>,
    changed: Arc<Notify>,
    watched: watch::Sender<Frame>,
    /// The last list and its time. `None` once a room has changed.
    made: Mutex<Option<(Instant, Frame)>>,
}

impl Listing {
    /// The list of a registry's rooms. A room notifies `changed` when it changes.
    pub(crate) fn new(registry: Arc<Registry>, changed: Arc<Notify>) -> Self {
        let watched = watch::Sender::new(Frame::default());
        Self { registry, changed, watched, made: Mutex::default() }
    }

    /// The list, at most a second old, as it goes over the wire: rooms with an open seat, and rooms
    /// to watch. Hibernated rooms are not on it. If a message cannot hold all rooms, the rooms with
    /// the most spectators come first.
    pub(crate) fn latest(&self) -> Frame {
        let mut made = self.made.lock();
        let now = Instant::now();
        match &*made {
            Some((at, list)) if now < *at + EVERY => list.clone(),
            _ => made.insert((now, encode(&self.make()))).1.clone(),
        }
    }

    /// The list for HTTP: without `type`, which no other message needs there.
    pub(crate) fn latest_body(&self) -> String {
        // serde writes the tag of an enum first.
        self.latest().to_text().replacen(r#""type":"lobby","#, "", 1)
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
        // This fits: there are 3.2 million codes.
        let more = (beyond(&waiting) + beyond(&playing)) as u32;
        waiting.truncate(MAX_LOBBY_ROOMS);
        playing.truncate(MAX_LOBBY_ROOMS);
        ServerMessage::Lobby { waiting, playing, more }
    }

    /// The number of listed rooms with an open seat.
    pub(crate) fn waiting(&self) -> usize {
        let rooms = self.registry.listed();
        rooms.iter().filter_map(|room| room.summary()).filter(|room| room.seats.has_open()).count()
    }

    /// Receives the list whenever it changes.
    pub(crate) fn watch(&self) -> watch::Receiver<Frame> {
        self.watched.subscribe()
    }

    /// Sends changed lists to the watchers, for ever.
    pub(crate) async fn run(&self) {
        loop {
            self.changed.notified().await;
            *self.made.lock() = None;
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
        // The old lists are kept, so that no new list lies at their address.
        let mut lists = vec![listing.latest()];
        let mut is_new = || {
            lists.push(listing.latest());
            let [.., before, now] = &lists[..] else { unreachable!() };
            before.clone().into_bytes().as_ptr() != now.clone().into_bytes().as_ptr()
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
