//! The storage of a server's rooms, and the surroundings that a simulation provides instead of the
//! system's. The stored rows are `noughts-store`'s.

mod switches;

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use noughts_cluster::{self as cluster, Cluster};
use noughts_store::{Found, OpenError, Options, Sqlite, Store, Workers};

use crate::config::Config;
pub(crate) use switches::Switches;

/// The exit code of a server that cannot know whether something is stored: `EX_IOERR` of sysexits(3).
const EX_IOERR: i32 = 74;

/// The surroundings of a server.
#[derive(Debug, Clone, Copy)]
pub struct Environment {
    /// The threads or tasks that work for the store.
    pub workers: Workers,
    /// The time of day, in milliseconds since 1970.
    pub wall_clock: fn() -> i64,
    /// A lot for the draw of a party's pairings.
    pub lot: fn() -> u64,
    /// Ends the process with these words, because nobody can know whether something is stored.
    pub on_unknown: fn(&str),
}

impl Environment {
    /// Threads, the system's clock and its random numbers.
    pub const REAL: Self =
        Self { workers: Workers::Threads, wall_clock, lot: rand::random, on_unknown: end_process };
}

/// The system's time of day, in milliseconds since 1970.
pub(crate) fn wall_clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[expect(clippy::exit, reason = "no task may go on: what it would tell may not be stored")]
pub(crate) fn end_process(why: &str) {
    tracing::error!("the server ends: {why}");
    std::process::exit(EX_IOERR);
}

/// The store of a server that keeps its rooms. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Storage {
    /// Rooms and parties are saved and loaded here.
    pub(crate) store: Arc<dyn Store>,
    /// The games that are over, the people, and the health of the file.
    pub(crate) sqlite: Sqlite,
    /// The cluster that this server is a node of: rooms and parties are saved there.
    pub(crate) cluster: Option<Cluster>,
    /// The time of day, in milliseconds since 1970.
    pub(crate) wall_clock: fn() -> i64,
}

impl Storage {
    /// Opens what is kept, with `wrap` around the saves; `None` if nothing is kept.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub(crate) fn open(
        config: &Config,
        environment: Environment,
        wrap: impl FnOnce(Sqlite) -> Arc<dyn Store>,
    ) -> Result<Option<(Self, Found)>, OpenError> {
        let Some(folder) = config.data_dir.clone() else { return Ok(None) };
        let Environment { workers, wall_clock, on_unknown, .. } = environment;
        let durability = config.durability;
        let options = Options { folder, durability, workers, wall_clock, on_unknown };
        let (sqlite, found) = Sqlite::open(&options)?;
        let store = wrap(sqlite.clone());
        Ok(Some((Self { store, sqlite, cluster: None, wall_clock }, found)))
    }

    /// The same for a node of a cluster, in which the rooms and parties are.
    ///
    /// # Errors
    /// If the folder or the cluster cannot be used.
    pub(crate) async fn join(
        config: &Config,
        environment: Environment,
        options: &cluster::Options,
    ) -> anyhow::Result<Option<(Self, Found)>> {
        let opened = Self::open(config, environment, |sqlite| Arc::new(sqlite))?;
        let Some((storage, found)) = opened else { return Ok(None) };
        let cluster = Cluster::connect(options, storage.sqlite.clone()).await?;
        let found = Found { secret: cluster.secret(), live: Vec::new(), ..found };
        let store = Arc::new(cluster.clone());
        Ok(Some((Self { store, cluster: Some(cluster), ..storage }, found)))
    }

    /// The time of day, in milliseconds since 1970.
    pub(crate) fn unix_ms(&self) -> i64 {
        (self.wall_clock)()
    }
}
