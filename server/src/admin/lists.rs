//! The lists and numbers for a host, made of what rooms, parties and connections have told. Only a single
//! room that a host looks at is asked.

use std::sync::Arc;

use noughts_cluster::Status;
use noughts_protocol::{RoomCode, RoomSummary, Seat};
use tokio::time::Instant;

use super::message::{
    AdminAnswer, AdminConnection, AdminParty, AdminRoom, ClusterStatus, RoomOrder, ServerStatus,
};
use super::{Host, Why};
use crate::lobby::Place;
use crate::metrics::resident_bytes;
use crate::room::RoomHandle;
use crate::state::Shared;
use crate::state::visitors::{Visitor, Whereabouts};

/// The most lines of a list.
const MOST: usize = 20_000;

/// The most lines of a room's talk.
const LINES: usize = 50;

/// The most people who are told to be at a limit.
const MOST_LIMITED: usize = 200;

impl Host<'_> {
    pub(super) fn status(&self) -> ServerStatus {
        let Self { shared, storage, .. } = self;
        let number = |count: usize| count as u64;
        ServerStatus {
            name: shared.config.name.as_str().into(),
            version: env!("CARGO_PKG_VERSION").into(),
            up_s: shared.started.elapsed().as_secs(),
            connections: number(shared.visitors.len()),
            playing: number(shared.lobby.registry.counts().playing),
            rooms: number(shared.lobby.registry.len()),
            parties: number(shared.parties.all().len()),
            waiting: number(shared.lobby.matchmaker.len()),
            bans: number(self.acts().bans(storage.unix_ms()).len()),
            closed: self.acts().is_closed(),
            features: shared.lobby.features(),
            memory_bytes: resident_bytes().unwrap_or(0),
            store_bytes: shared.config.data_dir.as_deref().map_or(0, noughts_store::bytes),
            store_fails: storage.sqlite.health().is_failing(),
            cluster: shared.lease.cluster().map(|cluster| {
                let Status { lease, connected, problem, .. } = cluster.status();
                let others = cluster.peers().into_iter().map(|peer| peer.address.into()).collect();
                ClusterStatus { lease, connected, others, problem: problem.map(Into::into) }
            }),
        }
    }

    /// One room as everybody in it sees it, and what was said there last. The room is asked.
    pub(super) async fn look(&self, room: RoomCode) -> Result<AdminAnswer, Why> {
        let Some((snapshot, chat)) = self.room(room).await?.look().await else {
            return Err(format!("room {room} has just ended"));
        };
        let chat = chat.split_at(chat.len().saturating_sub(LINES)).1.to_vec();
        Ok(AdminAnswer::Room { snapshot: Box::new(snapshot), chat })
    }
}

/// The rooms that pass a filter. Only those that are told are copied.
pub(super) fn rooms(shared: &Shared, filter: &str, sort: RoomOrder, most: usize) -> AdminAnswer {
    let filter = filter.to_lowercase();
    let now = shared.lobby.now();
    let moment = Instant::now();
    let key = |handle: &RoomHandle, room: &RoomSummary| {
        let rank = match sort {
            RoomOrder::Code => 0,
            RoomOrder::Watching => u128::from(u32::MAX - room.spectators),
            RoomOrder::LastMove => handle.idle(now).as_millis(),
            RoomOrder::Age => u128::MAX - handle.age(moment).as_nanos(),
        };
        (rank, room.room)
    };
    let passes = |handle: RoomHandle| {
        let key = handle.read(|room| is_meant(room, &filter).then(|| key(&handle, room)))??;
        Some((key, handle))
    };
    let mut found: Vec<_> = shared.lobby.registry.active().into_iter().filter_map(passes).collect();
    found.sort_unstable_by_key(|(key, _)| *key);
    let total = found.len();
    let told = found.iter().take(most.min(MOST)).filter_map(|(_, handle)| {
        Some(AdminRoom {
            room: handle.summary()?,
            age_s: handle.age(moment).as_secs(),
            idle_s: handle.idle(now).as_secs(),
        })
    });
    AdminAnswer::Rooms { rooms: told.collect(), total, asleep: shared.lobby.registry.hibernated() }
}

/// Whether a room's code, or a name in it, contains a text in small letters.
fn is_meant(room: &RoomSummary, text: &str) -> bool {
    let names = |seat: &Seat| match seat {
        Seat::Human { name, .. } => name.as_str().to_lowercase().contains(text),
        Seat::Open | Seat::Computer(_) => false,
    };
    let code = |code: RoomCode| code.to_string().to_lowercase().contains(text);
    text.is_empty() || names(&room.seats.x) || names(&room.seats.o) || code(room.room)
}

/// The parties, by their codes.
pub(super) fn parties(shared: &Shared) -> AdminAnswer {
    let parties = shared.parties.all().into_iter();
    let told = parties.filter_map(|party| {
        Some(AdminParty {
            party: party.code(),
            name: party.name()?,
            phase: party.phase(),
            host: party.host(),
            entrants: party.entrants(),
            empty: party.empty_since().is_some(),
        })
    });
    AdminAnswer::Parties { parties: told.collect() }
}

/// The connections that pass a filter, the longest first.
pub(super) fn people(shared: &Shared, filter: &str, most: usize) -> AdminAnswer {
    let filter = filter.to_lowercase();
    let passes = |visitor: &Arc<Visitor>| {
        let Whereabouts { room, party } = visitor.place();
        let texts = [
            visitor.name.to_string(),
            visitor.player.to_string(),
            visitor.address.to_string(),
            room.map(|room| room.to_string()).unwrap_or_default(),
            party.map(|party| party.to_string()).unwrap_or_default(),
        ];
        filter.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&filter))
    };
    let mut visitors = shared.visitors.all();
    visitors.retain(passes);
    // A room may have ended since. Those of other nodes are not known here.
    let is_there =
        |room| shared.lease.cluster().is_some() || shared.lobby.known(room) == Place::Room;
    let waited_for = shared.lobby.matchmaker.waiting();
    let told = visitors.iter().take(most.min(MOST)).map(|visitor| {
        let Whereabouts { room, party } = visitor.place();
        AdminConnection {
            player: visitor.player,
            name: visitor.name.clone(),
            address: visitor.address,
            since_s: visitor.since.elapsed().as_secs(),
            room: room.filter(|room| is_there(*room)),
            party,
            waits_for: waited_for.get(&visitor.player).copied(),
        }
    });
    AdminAnswer::Connections { connections: told.collect(), total: visitors.len() }
}

/// The addresses and players at a limit now.
pub(super) fn limits(shared: &Shared) -> AdminAnswer {
    let now = Instant::now();
    let mut limited = shared.connections.full();
    limited.extend(shared.lobby.registry.quotas.at_limit(shared.lobby.now()));
    let failed = [
        &shared.wrong_tokens,
        &shared.unknown_codes,
        &shared.wrong_passwords,
        &shared.wrong_admin_tokens,
    ];
    for attempts in failed {
        limited.extend(attempts.refused(now));
    }
    limited.sort_unstable_by_key(|one| std::cmp::Reverse(one.count));
    limited.truncate(MOST_LIMITED);
    AdminAnswer::Limits { limited }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Instant;

    use clap::Parser;
    use noughts_protocol::{ByMark, IntentId, PlayerId, RoomSettings, SeatRequest};

    use super::*;
    use crate::config::Config;
    use crate::config::args::Args;
    use crate::lobby::Requester;
    use crate::storage::Environment;

    /// A server whose rooms are these people's: two seats, the second one open.
    async fn server(names: impl Iterator<Item = String>) -> Shared {
        let args = Args::parse_from(["noughts-server", "--ephemeral"]);
        let config = Config::try_from(&args).unwrap();
        let shared = Shared::new(config, Environment::REAL, |store| Arc::new(store)).unwrap();
        for (number, name) in (1..).zip(names) {
            let requester = Requester {
                player: PlayerId(number),
                name: name.parse().unwrap(),
                address: IpAddr::from((number as u32).to_be_bytes()),
                id: IntentId::try_from(number).unwrap(),
            };
            let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
            shared.lobby.create(&requester, RoomSettings::default(), seats, false).unwrap();
        }
        for room in shared.lobby.registry.active() {
            while room.summary().is_none() {
                tokio::task::yield_now().await;
            }
        }
        shared
    }

    /// The names of the players of X in a list, and how many rooms pass its filter.
    fn listed(shared: &Shared, filter: &str, sort: RoomOrder, most: usize) -> (Vec<String>, usize) {
        let AdminAnswer::Rooms { rooms, total, .. } = rooms(shared, filter, sort, most) else {
            panic!("not a list of rooms");
        };
        (rooms.iter().map(|room| room.room.seats.x.label()).collect(), total)
    }

    #[tokio::test]
    async fn rooms_are_found_by_name_and_code_and_in_the_order_that_is_asked_for() {
        let shared = server(["Ada", "Adam", "Bob"].map(str::to_owned).into_iter()).await;
        let all = listed(&shared, "", RoomOrder::Age, MOST);
        assert_eq!(all, (vec!["Ada".to_owned(), "Adam".to_owned(), "Bob".to_owned()], 3));
        assert_eq!(listed(&shared, "aDA", RoomOrder::Age, 1), (vec!["Ada".to_owned()], 2));
        let bobs = shared.lobby.registry.active().into_iter();
        let bobs = bobs.filter_map(|room| room.summary()).find(|it| it.seats.x.label() == "Bob");
        let code = bobs.unwrap().room.to_string().to_lowercase();
        assert_eq!(listed(&shared, &code, RoomOrder::Code, MOST), (vec!["Bob".to_owned()], 1));
    }

    #[tokio::test]
    #[ignore = "a measurement: cargo test --release -p noughts-server --lib 20_000 -- --ignored --nocapture"]
    async fn a_list_of_20_000_rooms() {
        let shared = server((0..MOST).map(|number| format!("Player {number}"))).await;
        for (filter, sort) in [("", RoomOrder::LastMove), ("99", RoomOrder::Code)] {
            let began = Instant::now();
            let answer = rooms(&shared, filter, sort, MOST);
            let made = began.elapsed();
            let bytes = serde_json::to_vec(&answer).unwrap().len();
            println!("{filter:?}: made in {made:?}, {bytes} bytes after {:?}", began.elapsed());
        }
    }
}
