//! What a host sees: lists and numbers, made of what rooms, parties and connections have told. Only a single
//! room that a host looks at is asked.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use noughts_protocol::{RoomCode, RoomSummary, Seat};
use tokio::time::Instant;

use super::Host;
use super::message::{
    AdminAnswer, AdminConnection, AdminParty, AdminRoom, Limited, RoomOrder, ServerStatus,
};
use crate::limits::AtLimit;
use crate::lobby::Place;
use crate::room::RoomHandle;
use crate::state::Shared;
use crate::state::visitors::{Visitor, Whereabouts};

/// The most lines of a list.
const MOST: usize = 20_000;

/// The most people who are told to be at a limit.
const MOST_LIMITED: usize = 200;

impl Host<'_> {
    pub(super) fn status(&self) -> ServerStatus {
        let Self { shared, storage, .. } = self;
        let number = |count: usize| count as u64;
        ServerStatus {
            version: env!("CARGO_PKG_VERSION").into(),
            up_s: shared.started.elapsed().as_secs(),
            connections: number(shared.visitors.len()),
            playing: number(shared.lobby.room_counts().playing),
            rooms: number(shared.lobby.rooms()),
            parties: number(shared.parties.all().len()),
            waiting: number(shared.lobby.waiting_for_match()),
            bans: number(self.acts().bans(storage.unix_ms()).len()),
            closed: self.acts().is_closed(),
            features: shared.config.features,
            memory_bytes: memory_bytes(),
            store_bytes: shared.config.data_dir.as_deref().map_or(0, store_bytes),
        }
    }
}

/// The memory of this process that is in use; 0 where the system does not say.
fn memory_bytes() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = resident.and_then(|text| text.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// The size of the files of the store.
fn store_bytes(folder: &Path) -> u64 {
    let size = |name| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    size("noughts.db") + size("noughts.db-wal")
}

/// The rooms that pass a filter. Only those that are told are copied.
pub(super) fn rooms(shared: &Shared, filter: &str, sort: RoomOrder, most: usize) -> AdminAnswer {
    let filter = filter.to_lowercase();
    let now = shared.lobby.now();
    let key = |handle: &RoomHandle, room: &RoomSummary| {
        let rank = match sort {
            RoomOrder::Code => 0,
            RoomOrder::Watching => u128::from(u32::MAX - room.spectators),
            RoomOrder::LastMove => handle.idle(now).as_millis(),
            RoomOrder::Age => u128::MAX - handle.age().as_millis(),
        };
        (rank, room.room)
    };
    let passes = |handle: RoomHandle| {
        let key = handle.read(|room| is_meant(room, &filter).then(|| key(&handle, room)))??;
        Some((key, handle))
    };
    let mut found: Vec<_> = shared.lobby.active().into_iter().filter_map(passes).collect();
    found.sort_unstable_by_key(|(key, _)| *key);
    let total = found.len();
    let told = found.iter().take(most.min(MOST)).filter_map(|(_, handle)| {
        Some(AdminRoom {
            room: handle.summary()?,
            age_s: handle.age().as_secs(),
            idle_s: handle.idle(now).as_secs(),
        })
    });
    AdminAnswer::Rooms { rooms: told.collect(), total, asleep: shared.lobby.hibernated() }
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
        |room| shared.tenancy.cluster().is_some() || shared.lobby.known(room) == Place::Room;
    let told = visitors.iter().take(most.min(MOST)).map(|visitor| {
        let Whereabouts { room, party } = visitor.place();
        AdminConnection {
            player: visitor.player,
            name: visitor.name.clone(),
            address: visitor.address,
            since_s: visitor.since.elapsed().as_secs(),
            room: room.filter(|room| is_there(*room)),
            party,
        }
    });
    AdminAnswer::Connections { connections: told.collect(), total: visitors.len() }
}

/// Who is at a limit now.
pub(super) fn limits(shared: &Shared) -> AdminAnswer {
    let now = Instant::now();
    let mut limited = shared.connections.full();
    limited.extend(shared.lobby.at_limit());
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
    let told = limited.into_iter().map(|AtLimit { what, who, count }| Limited {
        what: what.into(),
        who: who.into(),
        count,
    });
    AdminAnswer::Limits { limited: told.collect() }
}
