//! The public list of rooms. It is made once a second at most, for all who ask, and sent to all who
//! watch it when it has changed.

use std::sync::Arc;
use std::time::Duration;

use noughts_cluster::Peer;
use noughts_protocol::{MAX_LOBBY_ROOMS, RoomSummary, ServerMessage};
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use super::matchmaker::QuickSettings;
use super::nodes::NodeLobbies;
use super::registry::Registry;
use crate::outbox::{Frame, encode};
use crate::storage::Switches;

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
    /// The lobbies of the other nodes of a cluster.
    nodes: Option<NodeLobbies>,
    switches: Switches,
}

impl Listing {
    /// The list of a registry's rooms. A room notifies `changed` when it changes.
    pub(super) fn new(
        registry: Arc<Registry>,
        changed: Arc<Notify>,
        nodes: Option<NodeLobbies>,
        switches: Switches,
    ) -> Self {
        let watched = watch::Sender::new(Frame::default());
        Self { registry, changed, watched, made: Mutex::default(), nodes, switches }
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
        if !self.switches.now().listing {
            return list(std::iter::empty(), 0);
        }
        let (others, more) = self.nodes.as_ref().map(NodeLobbies::rooms).unwrap_or_default();
        list(self.registry.listed().into_iter().chain(others), more)
    }

    /// Another node at which somebody waits for this quick match.
    pub(crate) fn waits_elsewhere(&self, wanted: QuickSettings) -> Option<Peer> {
        self.nodes.as_ref()?.waits_for(wanted)
    }

    /// The number of listed rooms with an open seat.
    pub(crate) fn waiting(&self) -> usize {
        self.registry.listed().iter().filter(|room| room.seats.has_open()).count()
    }

    /// Receives the list of now, and then the list whenever it changes.
    pub(crate) fn watch(&self) -> watch::Receiver<Frame> {
        self.publish();
        self.watched.subscribe()
    }

    /// Sends the list to all watchers, unless they have it.
    fn publish(&self) {
        self.watched.send_if_modified(|watched| {
            let list = self.latest();
            let is_new = *watched != list;
            *watched = list;
            is_new
        });
    }

    /// Sends changed lists to the watchers, for ever.
    pub(crate) async fn run(&self) {
        loop {
            match &self.nodes {
                Some(nodes) => nodes.change(self.changed.notified()).await,
                None => self.changed.notified().await,
            }
            *self.made.lock() = None;
            if self.watched.receiver_count() > 0 {
                self.publish();
            }
            tokio::time::sleep(EVERY).await;
        }
    }
}

/// The list of these rooms, and of `beyond` more.
pub(super) fn list(rooms: impl Iterator<Item = RoomSummary>, beyond: u32) -> ServerMessage {
    let (mut waiting, mut playing): (Vec<_>, Vec<_>) =
        rooms.partition(|room| room.seats.has_open());
    playing.retain(|room| room.settings.spectators);
    let by_interest = |room: &RoomSummary| (std::cmp::Reverse(room.spectators), room.room);
    waiting.sort_by_key(by_interest);
    playing.sort_by_key(by_interest);
    let cut = |list: &[RoomSummary]| list.len().saturating_sub(MAX_LOBBY_ROOMS);
    // This fits: there are 3.2 million codes.
    let more = beyond.saturating_add((cut(&waiting) + cut(&playing)) as u32);
    waiting.truncate(MAX_LOBBY_ROOMS);
    playing.truncate(MAX_LOBBY_ROOMS);
    ServerMessage::Lobby { waiting, playing, more }
}

#[cfg(test)]
mod tests {
    use noughts_cluster::fake::FakeServer;
    use noughts_protocol::{ByMark, Computer, Features, RoomCode, RoomSettings, Score, Seat};
    use serde_json::json;
    use tokio::time::{advance, timeout};

    use super::super::matchmaker::Matchmaker;
    use super::*;
    use crate::config::rooms::RoomLimits;
    use crate::lease::tests::node;

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
        let listing = Listing::new(
            Arc::new(Registry::new(LIMITS)),
            Arc::clone(&changed),
            None,
            Switches::new(Features::ALL_ON, None),
        );
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

    /// Catches a lobby that is kept until another node tells something, and a list that is sent again.
    #[tokio::test(start_paused = true)]
    async fn the_lobby_of_a_dead_node_is_forgotten_though_nobody_tells_anything() {
        let nats = FakeServer::new(1);
        let [(ours, _folder), (others, _other_folder)] =
            [node(&nats, 1).await, node(&nats, 2).await];
        let matchmaker = Arc::<Matchmaker>::default();
        let registry = Arc::new(Registry::new(LIMITS));
        let nodes = NodeLobbies::new(ours.clone(), Arc::clone(&registry), matchmaker);
        let switches = Switches::new(Features::ALL_ON, None);
        let listing = Arc::new(Listing::new(registry, Arc::default(), Some(nodes), switches));
        let running = Arc::clone(&listing);
        tokio::spawn(async move { tokio::join!(ours.run(), running.run()) });
        let RoomSettings { board, variant, move_time_ms, .. } = RoomSettings::default();
        let wanted = QuickSettings { board, variant, move_time_ms };
        let told = json!({"rooms": [room("3 open")], "more": 0, "queues": [wanted]});
        others.tell(told.to_string().into());
        let other = tokio::spawn(async move { others.run().await });
        let has_room = |list: &Frame| list.to_text().contains(&room("3 open").room.to_string());
        let mut lists = listing.watch();
        let minute = Duration::from_secs(60);
        timeout(minute, lists.wait_for(has_room)).await.unwrap().unwrap();
        assert!(listing.waits_elsewhere(wanted).is_some());
        assert!(timeout(minute, lists.changed()).await.is_err(), "nothing has changed");
        other.abort();
        timeout(minute, lists.wait_for(|list| !has_room(list))).await.unwrap().unwrap();
        assert!(listing.waits_elsewhere(wanted).is_none());
    }

    /// `3 open` is room 3 with an open seat, `3 taken private` one that nobody may watch, and `3 taken
    /// 2` one with two spectators.
    fn room(text: &str) -> RoomSummary {
        let words: Vec<&str> = text.split(' ').collect();
        let computer = Seat::Computer(Computer::default());
        let o = if words[1] == "open" { Seat::Open } else { computer.clone() };
        let spectators = !words.contains(&"private");
        RoomSummary {
            room: RoomCode::from_number(words[0].parse().unwrap()),
            settings: RoomSettings { spectators, ..RoomSettings::default() },
            seats: ByMark { x: computer, o },
            score: Score::default(),
            game: None,
            spectators: words.last().unwrap().parse().unwrap_or(0),
        }
    }

    #[track_caller]
    fn check(all: &str, waiting: &[u32], playing: &[u32]) {
        let codes = |numbers: &[u32]| -> Vec<RoomCode> {
            numbers.iter().map(|number| RoomCode::from_number(*number)).collect()
        };
        let listed = |rooms: &[RoomSummary]| -> Vec<RoomCode> {
            rooms.iter().map(|room| room.room).collect()
        };
        let rooms = all.split(", ").filter(|room| !room.is_empty()).map(room);
        let ServerMessage::Lobby { waiting: w, playing: p, more } = list(rooms, 0) else {
            unreachable!()
        };
        assert_eq!((listed(&w), listed(&p), more), (codes(waiting), codes(playing), 0), "{all}");
    }

    #[test]
    fn a_list_has_rooms_to_join_and_rooms_to_watch_and_the_most_watched_come_first() {
        check("", &[], &[]);
        check("1 open, 2 taken", &[1], &[2]);
        check("3 open, 1 open, 2 open", &[1, 2, 3], &[]);
        check("1 open 2, 2 open 5, 3 open 2", &[2, 1, 3], &[]);
        check("1 taken, 2 taken 1, 3 taken 7", &[], &[3, 2, 1]);
        check("1 taken private, 2 open private", &[2], &[]);
    }

    #[test]
    fn a_long_list_is_cut_and_says_how_many_are_missing() {
        let rooms = (0..50 + 53).map(|n| room(&format!("{n} {}", ["open", "taken"][n / 50 % 2])));
        let ServerMessage::Lobby { waiting, playing, more } = list(rooms, 0) else {
            unreachable!()
        };
        assert_eq!((waiting.len(), playing.len(), more), (MAX_LOBBY_ROOMS, MAX_LOBBY_ROOMS, 3));
    }
}
