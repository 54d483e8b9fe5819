//! The house of a simulated node: it has the rooms and parties of its shards as a lobby has them. They begin
//! with what the copy says when the shard comes, each is written by one task at a time, and all tasks have
//! ended when the shard has left.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::{BoxFuture, FutureExt};
use noughts_protocol::{Cell, Event, Mark, PartyCode, PartyEvent, PartySettings, PlayerId};
use noughts_protocol::{RoomCode, RoomSettings};
use parking_lot::Mutex;
use tokio_util::task::TaskTracker;

use super::ledger::{Kind, Ledger};
use crate::cluster::directory::{Directory, Owner};
use crate::cluster::tenant::Tenant;
use crate::journal::entry::NewRoom;
use crate::journal::error::DiskError;
use crate::journal::party::NewParty;
use crate::journal::party::log::{PartyLog, RoomNumbers};
use crate::journal::replica::ShardContents;
use crate::journal::room_log::RoomLog;
use crate::journal::{Journal, PartyJournal, RoomJournal};
use crate::shard::Shard;

/// The ledger of a simulation, as its parts share it.
pub(super) type SharedLedger = Arc<Mutex<Ledger>>;

/// The house of a node.
#[derive(Debug)]
pub(super) struct House {
    journal: Journal,
    directory: Directory,
    ledger: SharedLedger,
    stays: Mutex<BTreeMap<Shard, Arc<Stay>>>,
    /// Whether the node has ended, so that an outcome may stay unknown.
    pub(super) has_ended: AtomicBool,
    /// Whether the rooms are gone with the node's process.
    pub(super) is_gone: AtomicBool,
}

/// The rooms and parties of a shard from its coming to its leaving.
#[derive(Debug, Default)]
struct Stay {
    loaded: Mutex<BTreeMap<i64, Seat>>,
    tasks: TaskTracker,
    is_over: AtomicBool,
}

/// The place of a room in a stay. The room is in it as long as it need not be loaded again.
type Seat = Arc<tokio::sync::Mutex<Option<Subject>>>;

impl House {
    pub(super) fn new(journal: Journal, directory: Directory, ledger: SharedLedger) -> Self {
        let (stays, has_ended, is_gone) = (Mutex::default(), false.into(), false.into());
        Self { journal, directory, ledger, stays, has_ended, is_gone }
    }

    /// The shards whose rooms are here.
    pub(super) fn shards(&self) -> Vec<Shard> {
        self.stays.lock().keys().copied().collect()
    }

    pub(super) fn has(&self, shard: Shard) -> bool {
        self.stays.lock().contains_key(&shard)
    }

    fn stay(&self, shard: Shard) -> Option<Arc<Stay>> {
        self.stays.lock().get(&shard).cloned()
    }

    /// Begins to make a room or party of this code. If its shard is not here, the log must refuse it.
    pub(super) fn make(self: &Arc<Self>, code: RoomCode, kind: Kind, tasks: &TaskTracker) {
        let house = Arc::clone(self);
        let stay = house.stay(Shard::of_code(code)).unwrap_or_default();
        let mark = self.ledger.lock().mark();
        let making = async move {
            let subject = Subject::new(&house.journal, code, kind);
            house.begin(subject.id, mark);
            let outcome = subject.log.create(code, mark).await.map(|()| 1);
            house.note(subject.id, mark, &outcome);
            if outcome.is_ok() {
                house.ledger.lock().known.push((subject.id, kind));
            }
        };
        tasks.spawn(stay.tasks.track_future(making));
    }

    /// Begins to write some facts of a room or party, if its shard is here.
    pub(super) fn write(
        self: &Arc<Self>,
        (id, kind): (i64, Kind),
        facts: u32,
        tasks: &TaskTracker,
    ) -> bool {
        let house = Arc::clone(self);
        let Some(stay) = self.stay(Shard::of_number(id)) else { return false };
        let seat = Arc::clone(stay.loaded.lock().entry(id).or_default());
        let tracker = stay.tasks.clone();
        let writing = async move {
            for _ in 0..facts {
                let mut seat = seat.lock().await;
                if stay.is_over.load(Ordering::Relaxed) || house.is_gone.load(Ordering::Relaxed) {
                    return;
                }
                *seat = house.play((id, kind), seat.take()).await;
                if seat.is_none() {
                    return;
                }
            }
        };
        tasks.spawn(tracker.track_future(writing));
        true
    }

    /// Writes one fact, and returns the room unless it must be loaded again.
    async fn play(&self, (id, kind): (i64, Kind), subject: Option<Subject>) -> Option<Subject> {
        let mut subject = match subject {
            Some(subject) => subject,
            None => Subject::load(&self.journal, id, kind).await.ok()?,
        };
        self.show(&subject);
        let mark = self.ledger.lock().mark();
        self.begin(id, mark);
        let outcome = subject.log.append(subject.v, mark).await.map(|()| subject.v + 1);
        self.note(id, mark, &outcome);
        subject.v = outcome.ok()?;
        Some(subject)
    }

    /// A room that a node shows is not older than what anybody was told before.
    fn show(&self, subject: &Subject) {
        let Subject { id, v, .. } = *subject;
        if self.directory.owner(Shard::of_number(id)) != Owner::Me {
            return;
        }
        let mut ledger = self.ledger.lock();
        let told = ledger.versions.get(&id).copied().unwrap_or(0);
        if v < told && !ledger.reads_may_be_stale {
            let node = self.directory.me();
            ledger.violation(format!("{node} shows {v} of {id} when somebody was told {told}"));
        }
    }

    fn begin(&self, id: i64, mark: u16) {
        let node = self.directory.me().to_string();
        self.ledger.lock().waiting.insert((id, mark), node);
    }

    fn note(&self, id: i64, mark: u16, outcome: &Result<u64, DiskError>) {
        let has_ended = self.has_ended.load(Ordering::Relaxed);
        self.ledger.lock().note((id, mark), outcome, has_ended);
    }
}

impl Tenant for House {
    fn take(&self, shard: Shard, contents: ShardContents) -> BoxFuture<'static, ()> {
        let rooms = contents.rooms.iter().map(|room| room.id);
        let all: Vec<_> = rooms.chain(contents.parties.iter().map(|party| party.id)).collect();
        let stay: Arc<Stay> = Arc::default();
        let mut ledger = self.ledger.lock();
        let known = ledger.known.iter().filter(|(id, _)| Shard::of_number(*id) == shard);
        let missing: Vec<_> = known.filter(|(id, _)| !all.contains(id)).copied().collect();
        if !missing.is_empty() {
            let (directory, ledger) = (self.directory.clone(), Arc::clone(&self.ledger));
            tokio::spawn(ask_for(missing, Arc::clone(&stay), shard, directory, ledger));
        }
        if self.stays.lock().insert(shard, stay).is_some() {
            ledger.violation(format!("shard {shard} came twice"));
        }
        async {}.boxed()
    }

    fn leave(&self, shard: Shard) -> BoxFuture<'static, ()> {
        let Some(stay) = self.stays.lock().remove(&shard) else {
            self.ledger.lock().violation(format!("shard {shard} leaves and was not there"));
            return async {}.boxed();
        };
        stay.is_over.store(true, Ordering::Relaxed);
        stay.tasks.close();
        async move { stay.tasks.wait().await }.boxed()
    }
}

/// Somebody asks for rooms that did not come with their shard. Another node may have claimed the shard and
/// made them; a node that reads late finds that out before it says that there are none.
async fn ask_for(
    missing: Vec<(i64, Kind)>,
    stay: Arc<Stay>,
    shard: Shard,
    directory: Directory,
    ledger: SharedLedger,
) {
    let is_sure = directory.settled(shard).await == Owner::Me
        && directory.catch_up().await
        && directory.owner(shard) == Owner::Me
        && !stay.is_over.load(Ordering::Relaxed);
    let mut ledger = ledger.lock();
    if is_sure && !ledger.reads_may_be_stale {
        let node = directory.me();
        ledger.violation(format!("{node} says that shard {shard} has no {missing:?}"));
    }
}

/// A room or a party of a node, of which only its facts matter here.
#[derive(Debug)]
pub(super) struct Subject {
    id: i64,
    log: Log,
    pub(super) v: u64,
}

#[derive(Debug)]
enum Log {
    Room(RoomJournal),
    Party(PartyJournal),
}

impl Subject {
    fn new(journal: &Journal, code: RoomCode, kind: Kind) -> Self {
        let (id, log) = match kind {
            Kind::Room => {
                let log = journal.new_room(code);
                (log.id(), Log::Room(log))
            }
            Kind::Party => {
                let id = journal.new_party(PartyCode(code));
                (id, Log::Party(journal.party(id)))
            }
        };
        Self { id, log, v: 0 }
    }

    /// Reads it from a node's copy.
    pub(super) async fn load(journal: &Journal, id: i64, kind: Kind) -> Result<Self, DiskError> {
        let (log, v) = match kind {
            Kind::Room => {
                let log = journal.room(id);
                let v = log.load().await?.entries.last().map(|entry| entry.v);
                (Log::Room(log), v)
            }
            Kind::Party => {
                let log = journal.party(id);
                let v = log.load().await?.entries.last().map(|entry| entry.v);
                (Log::Party(log), v)
            }
        };
        Ok(Self { id, log, v: v.unwrap_or(0) })
    }
}

impl Log {
    async fn create(&self, code: RoomCode, mark: u16) -> Result<(), DiskError> {
        match self {
            Self::Room(log) => {
                let (settings, origins) = (RoomSettings::default(), Vec::new());
                let new = NewRoom { code, settings, origins };
                log.create(new, [moved(mark)]).await.map(drop)
            }
            Self::Party(log) => {
                let new = NewParty {
                    code: PartyCode(code),
                    name: "Friday".parse().unwrap(),
                    settings: PartySettings::default(),
                    host: PlayerId(1),
                    intent: u64::from(mark).try_into().unwrap(),
                };
                log.create(new, [opened(mark)]).await.map(drop)
            }
        }
    }

    async fn append(&self, v: u64, mark: u16) -> Result<(), DiskError> {
        match self {
            Self::Room(log) => log.append(v, [moved(mark)], None).await.map(drop),
            Self::Party(log) => log.append(v, [opened(mark)], &RoomNumbers::new()).await.map(drop),
        }
    }
}

fn moved(mark: u16) -> Event {
    let cell = Cell(mark);
    Event::Moved { game: 1, ply: 0, mark: Mark::X, cell, over: None, opening: None }
}

fn opened(mark: u16) -> PartyEvent {
    PartyEvent::Opened { pairing: mark.into(), game: 1, room: RoomCode::from_number(0) }
}
