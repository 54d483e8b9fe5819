//! A simulated world in memory and virtual time: one server that may crash and is started again on
//! the same journal, and clients that reach it through their own weather.
//!
//! All of it is one thread's, the journals too, so that what happens in one moment of virtual time
//! has one order, and the disk takes no time.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use clap::Parser;
use noughts_cli::address::ServerAddress;
use noughts_cli::connection::network::{Io, Network};
use noughts_protocol::PlayerToken;
use noughts_server::journal::environment::{Environment, Workers};
use noughts_server::journal::error::DiskError;
use noughts_server::journal::store::{Disk, Store, Write};
use noughts_server::{Args, Config, Server};
use tempfile::TempDir;
use tokio::runtime::Builder;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::memory::{MemoryDoor, PIPE, listen};
use crate::server::opened;
use crate::weather::Weather;
use crate::{Player, VIRTUAL_PATIENCE, pace};

/// Runs something in a world of its own, in virtual time and on one thread.
///
/// # Panics
/// Where it panics.
pub fn run<T>(options: &[&str], life: impl AsyncFnOnce(World) -> T) -> T {
    let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async { life(World::begin(options).await).await })
}

/// The server's: nothing happens beside the world's one thread and its time.
const ENVIRONMENT: Environment = Environment { workers: Workers::Tasks, wall_clock };

/// Milliseconds of virtual time, since some moment before all worlds.
fn wall_clock() -> i64 {
    static BEFORE: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    let before = *BEFORE;
    let since = Instant::now().into_std().saturating_duration_since(before);
    i64::try_from(since.as_millis()).unwrap()
}

/// A server and the way to it.
#[derive(Debug)]
pub struct World {
    options: Vec<String>,
    folder: TempDir,
    /// Nobody is at home while there is none.
    door: Arc<Mutex<Option<MemoryDoor>>>,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    /// Set in the moment of its crash: nothing is stored from then on.
    dead: Arc<AtomicBool>,
    stop: CancellationToken,
    served: JoinHandle<()>,
}

/// A client's way to the server.
#[derive(Debug, Clone)]
pub struct Road {
    weather: Weather,
    door: Arc<Mutex<Option<MemoryDoor>>>,
}

/// A disk that stores nothing once its server has crashed.
#[derive(Debug)]
struct Mortal {
    store: Store,
    dead: Arc<AtomicBool>,
}

impl Disk for Mortal {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        if self.dead.load(Ordering::Acquire) {
            return Err(DiskError::Failing("the server is dead".to_owned()));
        }
        self.store.commit(writes)
    }
}

impl World {
    async fn begin(options: &[&str]) -> Self {
        // In memory where there is such a folder: a simulation's disk need not last.
        let memory = Path::new("/dev/shm");
        let folder =
            if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let (folder, door) = (folder.unwrap(), Arc::default());
        let mut world = Self { options, folder, door, running: None };
        world.start().await;
        world
    }

    /// The journal's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A client's way to the server, in some weather.
    #[must_use]
    pub fn road(&self, weather: Weather) -> Road {
        Road { weather, door: Arc::clone(&self.door) }
    }

    /// A player on a connection in no weather, greeted.
    ///
    /// # Panics
    /// Where nobody is at home.
    pub async fn player(&self, name: &str, token: Option<PlayerToken>) -> Player {
        let door = self.door.lock().unwrap().clone().unwrap();
        Player::greet(Box::new(door.connect().await), name, token, VIRTUAL_PATIENCE).await
    }

    /// What the server is started with from now on.
    pub fn set_options(&mut self, options: &[&str]) {
        self.options = options.iter().map(|&option| option.to_owned()).collect();
    }

    /// Starts the server, which must not run.
    ///
    /// # Panics
    /// Where it refuses the options or the folder.
    pub async fn start(&mut self) {
        let folder = self.folder.path().to_str().unwrap();
        let fixed =
            ["noughts-server", "--data-dir", folder, "--durability", "process"].map(str::to_owned);
        let args = Args::try_parse_from(fixed.iter().chain(&self.options)).unwrap();
        let config = Config::try_from(&args).unwrap();
        let dead = Arc::<AtomicBool>::default();
        let disk = Arc::clone(&dead);
        let server = opened(|| {
            let dead = Arc::clone(&disk);
            let mortal = |store| -> Box<dyn Disk> { Box::new(Mortal { store, dead }) };
            Server::with_disk(config.clone(), ENVIRONMENT, mortal)
        });
        let (listener, door) = listen();
        let stop = CancellationToken::new();
        let served = tokio::spawn(server.serve(listener, stop.clone().cancelled_owned()));
        *self.door.lock().unwrap() = Some(door);
        self.running = Some(Running { dead, stop, served });
    }

    /// Stops the server as SIGTERM does.
    ///
    /// # Panics
    /// Where it does not run, or fails.
    pub async fn stop(&mut self) {
        let Running { stop, served, .. } = self.running.take().unwrap();
        stop.cancel();
        served.await.unwrap();
        *self.door.lock().unwrap() = None;
    }

    /// Ends the server in the middle of whatever it does: from this moment on it stores nothing
    /// and nobody hears of it. What is left of it in this process is then cleared away.
    ///
    /// # Panics
    /// Where it does not run.
    pub async fn crash(&mut self, roads: &[Weather]) {
        self.running.as_ref().unwrap().dead.store(true, Ordering::Release);
        *self.door.lock().unwrap() = None;
        roads.iter().for_each(Weather::cut);
        self.stop().await;
    }
}

/// How long the answer takes that nobody is at home.
const REFUSED: Duration = Duration::from_millis(1);

impl Network for Road {
    async fn connect(&mut self, _: &ServerAddress) -> io::Result<Box<dyn Io>> {
        self.weather.until_open().await;
        let door = self.door.lock().unwrap().clone();
        let refused = || io::Error::from(io::ErrorKind::ConnectionRefused);
        let Some(server) = (match door {
            Some(door) => door.try_connect().await,
            None => None,
        }) else {
            pace(REFUSED).await;
            return Err(refused());
        };
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let weather = self.weather.clone();
        tokio::spawn(async move { weather.carry(theirs, server).await });
        Ok(Box::new(ours))
    }

    fn jitter(&mut self) -> f64 {
        self.weather.chance()
    }
}
