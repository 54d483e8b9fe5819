//! A simulated world in memory and virtual time: one server that crashes and restarts on the same
//! data folder, and clients that reach it through fault injectors.
//!
//! Everything runs on one thread, the store too, so that events of one moment of virtual time
//! have one order, and the disk takes no time.

use std::cell::Cell;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use std::{fs, io};

use clap::Parser;
use futures::future::ready;
use noughts_client::address::ServerAddress;
use noughts_client::connection::network::{Io, Network};
use noughts_protocol::PlayerToken;
use noughts_server::{Args, Config, Environment, Server};
use noughts_store::{Change, DiskError, LiveRow, SaveError, Sqlite, Store, Workers};
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;
use tokio::runtime::Builder;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::fault_injector::FaultInjector;
use crate::memory::{MemoryConnector, PIPE};
use crate::server::{Saving, faulty, retry_in_use};
use crate::{Player, TestServer, delay};

/// Runs a simulation in a new world, in virtual time and on one thread.
///
/// # Panics
/// If it panics.
pub fn run<T>(options: &[&str], simulation: impl AsyncFnOnce(World) -> T) -> T {
    let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async { simulation(World::begin(options).await).await })
}

/// The server's environment: no threads of its own, the virtual clock, and lots that are the same in
/// every run.
const ENVIRONMENT: Environment =
    Environment { workers: Workers::Tasks, wall_clock, lot, on_unknown: |why| panic!("{why}") };

thread_local! {
    /// The lots that were drawn in the world of this thread.
    static LOTS: Cell<u64> = const { Cell::new(0) };
}

/// The next lot of this world.
fn lot() -> u64 {
    let drawn = LOTS.get() + 1;
    LOTS.set(drawn);
    StdRng::seed_from_u64(drawn).random()
}

/// Milliseconds of virtual time, since the first call in this process.
fn wall_clock() -> i64 {
    static START: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    let start = *START;
    let since = Instant::now().into_std().saturating_duration_since(start);
    i64::try_from(since.as_millis()).unwrap()
}

/// The disk's way with saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiskMode {
    /// It stores them.
    #[default]
    Works,
    /// It refuses them.
    Refuses,
    /// It refuses those of a party.
    RefusesParties,
    /// It refuses those of a room.
    RefusesRooms,
    /// It answers no more, as a server whose process ends. Nothing after the first one is stored.
    InDoubt {
        /// Whether the first one is stored.
        stored: bool,
    },
}

/// A server and its clients' network.
#[derive(Debug)]
pub struct World {
    options: Vec<String>,
    folder: TempDir,
    /// `None` while the server is down.
    connector: Arc<Mutex<Option<MemoryConnector>>>,
    disk: Arc<Mutex<DiskMode>>,
    /// The server, and the token that is cancelled at the moment of its crash.
    running: Option<(TestServer, CancellationToken)>,
}

/// A client's network, with faults on the way to the server.
#[derive(Debug, Clone)]
pub struct FaultyNetwork {
    faults: FaultInjector,
    connector: Arc<Mutex<Option<MemoryConnector>>>,
}

fn refused() -> SaveError {
    DiskError::Failing("the disk refuses".to_owned()).into()
}

/// Saves as the simulation wants it.
fn save(
    sqlite: &Sqlite,
    changes: Vec<Change>,
    mode: &mut DiskMode,
    dead: &CancellationToken,
) -> Saving {
    let is_of_a_party = |change: &Change| match change {
        Change::Live { row, .. } => row.as_ref().is_some_and(LiveRow::is_party),
        Change::KeptParty(_) => true,
        _ => false,
    };
    match *mode {
        _ if dead.is_cancelled() => Box::pin(ready(Err(refused()))),
        DiskMode::Works => sqlite.save(changes),
        DiskMode::RefusesParties if !changes.iter().any(is_of_a_party) => sqlite.save(changes),
        DiskMode::RefusesRooms if changes.iter().any(is_of_a_party) => sqlite.save(changes),
        DiskMode::Refuses | DiskMode::RefusesParties | DiskMode::RefusesRooms => {
            Box::pin(ready(Err(refused())))
        }
        DiskMode::InDoubt { stored } => {
            *mode = DiskMode::InDoubt { stored: false };
            let saved = stored.then(|| sqlite.save(changes));
            let dead = dead.clone();
            Box::pin(async move {
                if let Some(saved) = saved {
                    saved.await.unwrap();
                }
                dead.cancelled().await;
                Err(refused())
            })
        }
    }
}

/// The files of a folder that a server leaves which is killed.
fn files(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

/// A folder in memory where the system has one: the disk of a simulation need not last.
fn memory_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.unwrap()
}

impl World {
    async fn begin(options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let folder = memory_folder();
        let connector = Arc::default();
        let disk = Arc::default();
        // Its lots are those of every other world.
        LOTS.set(0);
        let mut world = Self { options, folder, connector, disk, running: None };
        world.start().await;
        world
    }

    /// The data folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The network of a client.
    #[must_use]
    pub fn network(&self, faults: FaultInjector) -> FaultyNetwork {
        FaultyNetwork { faults, connector: Arc::clone(&self.connector) }
    }

    /// A player on a connection without faults, greeted.
    ///
    /// # Panics
    /// If the server is down.
    pub async fn player(&self, name: &str, token: Option<PlayerToken>) -> Player {
        self.running.as_ref().unwrap().0.returning(name, token).await
    }

    /// Changes what the disk does. A start of the server repairs it.
    pub fn set_disk(&self, mode: DiskMode) {
        *self.disk.lock() = mode;
    }

    /// Starts the server, which must be down.
    ///
    /// # Panics
    /// If it refuses the options or the folder.
    pub async fn start(&mut self) {
        let folder = self.folder.path().to_str().unwrap();
        let fixed =
            ["noughts-server", "--data-dir", folder, "--durability", "process"].map(str::to_owned);
        let args = Args::try_parse_from(fixed.iter().chain(&self.options)).unwrap();
        let config = Config::try_from(&args).unwrap();
        let dead = CancellationToken::new();
        self.set_disk(DiskMode::Works);
        let server = retry_in_use(|| {
            let dead = dead.clone();
            let mode = Arc::clone(&self.disk);
            let save =
                move |sqlite: &Sqlite, changes| save(sqlite, changes, &mut mode.lock(), &dead);
            Server::with_store(config.clone(), ENVIRONMENT, |sqlite| faulty(sqlite, save))
        });
        let (server, connector) = TestServer::in_memory(server);
        *self.connector.lock() = Some(connector);
        self.running = Some((server, dead));
    }

    /// Stops the server as SIGTERM does.
    ///
    /// # Panics
    /// If it is down, or fails.
    pub async fn stop(&mut self) {
        let (server, _) = self.running.take().unwrap();
        server.stop().await;
        *self.connector.lock() = None;
    }

    /// Crashes the server: from this moment on it stores nothing and sends nothing over these
    /// networks. Its tasks in this process are then stopped, and what they still write is undone.
    ///
    /// # Panics
    /// If it is down.
    pub async fn crash(&mut self, networks: &[FaultInjector]) {
        let left = files(self.folder());
        self.running.as_ref().unwrap().1.cancel();
        *self.connector.lock() = None;
        networks.iter().for_each(FaultInjector::cut);
        self.stop().await;
        for (file, bytes) in left {
            fs::write(file, bytes).unwrap();
        }
    }
}

/// The time until a connection is refused while the server is down.
const REFUSED: Duration = Duration::from_millis(1);

impl Network for FaultyNetwork {
    async fn connect(&mut self, _: &ServerAddress) -> io::Result<Box<dyn Io>> {
        self.faults.until_open().await;
        let connector = self.connector.lock().clone();
        let refused = || io::Error::from(io::ErrorKind::ConnectionRefused);
        let Some(server) = (match connector {
            Some(connector) => connector.connect().await,
            None => None,
        }) else {
            delay(REFUSED).await;
            return Err(refused());
        };
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let faults = self.faults.clone();
        tokio::spawn(async move { faults.forward(theirs, server).await });
        Ok(Box::new(ours))
    }

    fn jitter(&mut self) -> f64 {
        self.faults.chance()
    }
}
