//! A node as a server would run it: rooms in memory, which it may show only while it holds the lease, and
//! everything ended when the lease is lost. It can be killed, frozen and cut off.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Poll, Waker};
use std::time::Duration;

use noughts_protocol::{
    ByMark, Cell, Computer, GameId, GameResult, Mark, Participant, PartyCode, RoomCode,
    RoomSettings,
};
use noughts_store::{
    ArchiveError, Change, Durability, FinishedGame, LiveRow, Options, SaveError, Sqlite, Store,
    Workers,
};
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::fake::{FakeEngine, FakeServer};
use crate::{Cluster, ClusterError, Location, NodeId};

/// Stops everything of a node that goes through it.
#[derive(Debug, Default)]
pub(super) struct Gate {
    is_frozen: AtomicBool,
    waiting: Mutex<Vec<Waker>>,
}

impl Gate {
    pub(super) fn set_frozen(&self, is_frozen: bool) {
        self.is_frozen.store(is_frozen, Ordering::Relaxed);
        // The last ones first: requests go on before what watches the lease.
        for waker in std::mem::take(&mut *self.waiting.lock()).into_iter().rev() {
            waker.wake();
        }
    }

    async fn pass<F: Future>(self: Arc<Self>, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(move |context| {
            if self.is_frozen.load(Ordering::Relaxed) {
                self.waiting.lock().push(context.waker().clone());
                return Poll::Pending;
            }
            future.as_mut().poll(context)
        })
        .await
    }
}

/// The state that a room's task would have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) v: u64,
    pub(super) state: String,
}

/// A node's state of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Unknown,
    /// It is here, without a task.
    Hibernated,
    Running(Memory),
}

type Room = Arc<tokio::sync::Mutex<Entry>>;

/// Why a request was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    Nowhere,
    At(NodeId),
    Stale,
    /// The client may ask again.
    Later,
}

/// A process that is a node.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) cluster: Cluster,
    rooms: Mutex<BTreeMap<RoomCode, Room>>,
    serves: AtomicBool,
    pub(super) gate: Arc<Gate>,
    /// The tasks of rooms: they end with the lease.
    requests: Mutex<JoinSet<()>>,
    lasting: Mutex<JoinSet<()>>,
}

impl Process {
    fn start(cluster: Cluster) -> Arc<Self> {
        let process = Arc::new(Self {
            cluster,
            rooms: Mutex::default(),
            serves: AtomicBool::new(false),
            gate: Arc::default(),
            requests: Mutex::default(),
            lasting: Mutex::default(),
        });
        let cluster = process.cluster.clone();
        let running = Arc::clone(&process.gate).pass(async move { cluster.run().await });
        let serving = {
            let process = Arc::clone(&process);
            Arc::clone(&process.gate).pass(async move { process.serve().await })
        };
        let mut lasting = process.lasting.lock();
        drop(lasting.spawn(running));
        drop(lasting.spawn(serving));
        drop(lasting);
        process
    }

    async fn serve(&self) {
        loop {
            self.cluster.lease_held().await;
            self.serves.store(true, Ordering::Relaxed);
            self.cluster.lease_lost().await;
            self.serves.store(false, Ordering::Relaxed);
            let mut requests = std::mem::take(&mut *self.requests.lock());
            requests.shutdown().await;
            self.rooms.lock().clear();
            self.cluster.forget_codes();
        }
    }

    /// Ends all tasks, as if the process was killed.
    pub(super) fn kill(&self) {
        self.lasting.lock().abort_all();
        self.requests.lock().abort_all();
    }

    /// Ends it as a stopping server does.
    pub(super) async fn leave(&self) {
        let mut requests = std::mem::take(&mut *self.requests.lock());
        self.serves.store(false, Ordering::Relaxed);
        requests.shutdown().await;
        self.cluster.leave().await;
        self.kill();
    }

    /// Does something in a task of the node; `None` if it does not answer in 15 s.
    pub(super) async fn request<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        let work = async move { drop(reply.send(work.await)) };
        drop(self.requests.lock().spawn(Arc::clone(&self.gate).pass(work)));
        timeout(Duration::from_secs(15), answer).await.ok()?.ok()
    }

    fn room(&self, code: RoomCode) -> Room {
        let new = || Arc::new(tokio::sync::Mutex::new(Entry::Unknown));
        Arc::clone(self.rooms.lock().entry(code).or_insert_with(new))
    }

    /// The room's task, with the room in memory.
    async fn open(&self, code: RoomCode) -> Result<tokio::sync::OwnedMutexGuard<Entry>, Failure> {
        if !self.serves.load(Ordering::Relaxed) {
            return Err(Failure::Later);
        }
        let room = self.room(code);
        // Two who come at once both look for it, as two connections do.
        if *room.lock().await == Entry::Unknown {
            match self.cluster.locate(code).await {
                Ok(Location::Nowhere) => return Err(Failure::Nowhere),
                Ok(Location::At(peer)) => return Err(Failure::At(peer.id)),
                Ok(Location::Here(_)) => {}
                Err(_) => return Err(Failure::Later),
            }
        }
        let mut room = room.lock_owned().await;
        if !matches!(*room, Entry::Running(_)) {
            match self.cluster.load(code).await {
                Ok(Some(LiveRow { v, state, .. })) => *room = Entry::Running(Memory { v, state }),
                Ok(None) => {
                    *room = Entry::Unknown;
                    return Err(Failure::Nowhere);
                }
                Err(_) => {
                    *room = Entry::Unknown;
                    return Err(Failure::Later);
                }
            }
        }
        Ok(room)
    }

    /// The room as the node shows it.
    pub(super) async fn read(&self, code: RoomCode) -> Result<Memory, Failure> {
        let room = self.open(code).await?;
        match &*room {
            Entry::Running(memory) if self.cluster.holds_lease() => Ok(memory.clone()),
            _ => Err(Failure::Later),
        }
    }

    /// Saves the next version, whose state ends with `token`; the room ends without one, after `ending` is told
    /// its state.
    pub(super) async fn change(
        &self,
        code: RoomCode,
        token: Option<u64>,
        game: Option<u64>,
        ending: &Ending,
    ) -> Result<Memory, Failure> {
        let mut room = self.open(code).await?;
        let Entry::Running(Memory { v, state }) = &*room else { return Err(Failure::Later) };
        let expected = *v;
        let mut state = state.clone();
        for part in token.map(|token| format!(" {token}")).into_iter().chain(game.map(game_text)) {
            state.push_str(&part);
        }
        let next = Memory { v: expected + 1, state };
        let mut changes = if token.is_some() {
            vec![row(code, Some(expected), &next)]
        } else {
            ending.lock().insert((code, room_of(&next.state)));
            vec![ended(code, expected)]
        };
        changes.extend(game.map(|id| Change::Game(Box::new(finished(id, code)))));
        let saved = self.cluster.save(changes).await;
        *room = match (&saved, token) {
            (Ok(()), Some(_)) => Entry::Running(next.clone()),
            _ => Entry::Unknown,
        };
        saved.map(|()| next).map_err(failure)
    }

    /// Makes a room.
    pub(super) async fn create(&self, code: RoomCode, state: String) -> Result<Memory, Failure> {
        if !self.serves.load(Ordering::Relaxed) {
            return Err(Failure::Later);
        }
        let room = self.room(code);
        let mut room = room.lock().await;
        if *room != Entry::Unknown {
            return Err(Failure::Stale);
        }
        let first = Memory { v: 1, state };
        self.cluster.save(vec![row(code, None, &first)]).await.map_err(failure)?;
        *room = Entry::Running(first.clone());
        Ok(first)
    }

    /// Ends the task of a room, which stays here.
    pub(super) async fn hibernate(&self, code: RoomCode) {
        let room = self.room(code);
        let mut room = room.lock().await;
        if matches!(*room, Entry::Running(_)) {
            *room = Entry::Hibernated;
        }
    }

    pub(super) fn serves(&self) -> bool {
        self.serves.load(Ordering::Relaxed) && self.cluster.holds_lease()
    }
}

fn failure(error: SaveError) -> Failure {
    match error {
        SaveError::Stale => Failure::Stale,
        SaveError::Refused(error) => panic!("a save was refused: {error}"),
    }
}

/// Rooms that somebody tried to end.
pub(super) type Ending = Arc<Mutex<BTreeSet<(RoomCode, u64)>>>;

/// The number of the room that has a state.
pub(super) fn room_of(state: &str) -> u64 {
    state.split(' ').next().unwrap().parse().unwrap()
}

/// How a state names a game that has ended.
pub(super) fn game_text(id: u64) -> String {
    format!(" game-{id}")
}

/// Codes 0, 5, 10 and so on are parties, and those after them are its tables.
pub(super) fn is_party(code: RoomCode) -> bool {
    code.number().is_multiple_of(5)
}

/// The party of a table: of half of the rooms.
pub(super) fn party_of(code: RoomCode) -> Option<PartyCode> {
    let number = code.number();
    matches!(number % 5, 1 | 2).then(|| PartyCode(RoomCode::from_number(number - number % 5)))
}

pub(super) fn row(code: RoomCode, expected: Option<u64>, Memory { v, state }: &Memory) -> Change {
    let row = LiveRow {
        v: *v,
        state: state.clone(),
        until: (!is_party(code)).then(|| Duration::from_secs(1000)),
        origins: Vec::new(),
        party: party_of(code),
        saved_at: Some(Duration::from_secs(400)),
    };
    Change::Live { code, expected, row: Some(row) }
}

pub(super) fn ended(code: RoomCode, expected: u64) -> Change {
    Change::Live { code, expected: Some(expected), row: None }
}

pub(super) fn finished(id: u64, room: RoomCode) -> FinishedGame {
    let computer = || Participant::Computer(Computer::default());
    FinishedGame {
        id: GameId(id),
        room,
        number: 1,
        settings: RoomSettings::default(),
        players: ByMark { x: computer(), o: computer() },
        first: Mark::X,
        opening: 0,
        moves: vec![Cell(4)],
        placed: Vec::new(),
        times_ms: vec![0],
        started: 1,
        ended: 2,
        result: GameResult::Resignation { winner: Mark::X },
        rated: false,
        public: false,
    }
}

/// A machine with a data folder, on which a node is started again and again.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) engine: FakeEngine,
    pub(super) sqlite: Sqlite,
    _folder: TempDir,
}

impl Machine {
    pub(super) fn new(server: &FakeServer) -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let options = Options {
            folder: folder.path().to_owned(),
            durability: Durability::Process,
            workers: Workers::Tasks,
            wall_clock: || 0,
            on_unknown: |why| panic!("{why}"),
        };
        let (sqlite, _) = Sqlite::open(&options).unwrap();
        Self { engine: server.connect(), sqlite, _folder: folder }
    }

    /// A node that does not run.
    pub(super) async fn join(&self, id: u64) -> Result<Cluster, ClusterError> {
        let address = format!("http://{id}");
        let engine = Arc::new(self.engine.clone());
        Cluster::with_engine(engine, NodeId(id), address, self.sqlite.clone()).await
    }

    pub(super) async fn start(&self, id: u64) -> Option<Arc<Process>> {
        self.join(id).await.ok().map(Process::start)
    }

    /// Whether the copy has a game.
    pub(super) async fn has(&self, game: u64) -> bool {
        let asked = self.sqlite.archive().ask(move |reader| reader.game(GameId(game))).await;
        match asked {
            Ok(_) => true,
            Err(ArchiveError::NoSuchGame) => false,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Lets virtual time pass, with all that happens in it.
pub(super) async fn pass(time: Duration) {
    drop(timeout(time, std::future::pending::<()>()).await);
}

pub(super) fn code(number: u32) -> RoomCode {
    RoomCode::from_number(number)
}
