//! Hosts Noughts. The architecture, and what is deliberately absent:
//!
//! ```text
//! web/socket    one task a connection: decode once, limits, one ordered outbox, close codes
//!   web/session   what a message leads to: the lobby, or the room the connection is in
//!     lobby         create, quick match, find by code, list; the registry's map is touched here only
//!     room/actor    one task a room: next_wake().await, then synchronous handling
//!       room/table    the rules: pure, decide first and change second
//!       room/audience encode once, the same bytes to every outbox
//! computer      which cell a computer plays: pure, called by the room through room/thought
//! teacher       hints, reviews, evaluations: pure, called through room/lessons
//! tools         `analyze` and `match`: computers on the command line, without a server
//! ```
//!
//! - Waiting has no cycle: a connection may wait for a room, a room waits for nobody.
//! - No task writes to another's socket; no room reads a clock but its actor; the table reads none.
//! - No map guard and no lock is held across an await.
//! - Every queue and table is bounded, and the place where it is made says by what.
//! - A departure is the drop of a guard ([`room`]'s membership), never a message that could be
//!   forgotten.

pub mod args;
pub mod computer;
pub mod config;
mod identity;
pub mod journal;
pub mod lan;
mod lobby;
mod room;
mod teacher;
pub mod tools;
mod web;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::serve::Listener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use args::{Args, CommandLine};
pub use config::{Config, ConfigError};
use identity::Secret;
use journal::Journal;
use journal::fault::OpenError;
use journal::store::{Disk, Store};
use lobby::Lobby;
use room::ConnectionId;
use web::Gate;

/// How long a stopping server waits for its connections and rooms.
const STOP_TIME: Duration = Duration::from_secs(5);

/// A server: make one with a configuration, then [`Server::serve`] on a listener.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
}

/// What the parts of one server share.
#[derive(Debug)]
pub(crate) struct Shared {
    config: Config,
    secret: Secret,
    lobby: Lobby,
    /// Where rooms are kept, if they are. Closed last.
    journal: Option<Journal>,
    gate: Arc<Gate>,
    /// Cancelled when the server stops.
    stop: CancellationToken,
    /// Every task of the server: connections and rooms.
    tasks: TaskTracker,
    connections: AtomicU64,
}

impl Shared {
    /// The number of a new connection.
    fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.connections.fetch_add(1, Ordering::Relaxed))
    }
}

impl Server {
    /// A server with the rooms that its journal holds, or with none.
    ///
    /// # Errors
    /// Where the journal cannot be used.
    pub fn new(config: Config) -> Result<Self, OpenError> {
        Self::with_disk(config, |store| Box::new(store))
    }

    /// The same, with something before the journal's file: a test lets writes fail there.
    ///
    /// # Errors
    /// Where the journal cannot be used.
    pub fn with_disk(
        config: Config,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
    ) -> Result<Self, OpenError> {
        let opened = match &config.data_dir {
            Some(folder) => Some(Journal::open_on(folder, config.durability, disk)?),
            None => None,
        };
        let (journal, found) = opened.unzip();
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let lobby = Lobby::new(&config, journal.clone(), stop.clone(), tasks.clone());
        let secret = match found {
            Some(found) => {
                lobby.remember(found.rooms);
                Secret::kept(found.secret)
            }
            None => Secret::random(),
        };
        let shared = Shared {
            secret,
            lobby,
            journal,
            gate: Gate::new(config.max_connections, config.max_per_address),
            stop,
            tasks,
            connections: AtomicU64::new(0),
            config,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Where rooms are kept, if they are.
    #[must_use]
    pub fn journal(&self) -> Option<&Journal> {
        self.shared.journal.as_ref()
    }

    /// Serves until `stop` completes, then tells every connection (close code 1012) and returns
    /// when all have ended, or after five seconds.
    pub async fn serve<L>(self, listener: L, stop: impl Future<Output = ()>)
    where
        L: Listener<Addr = SocketAddr>,
    {
        let shared = self.shared;
        let keeping = tokio::spawn({
            let shared = Arc::clone(&shared);
            let keep_games = shared.config.keep_games;
            async move {
                tokio::join!(shared.lobby.listing().run(), shared.lobby.keep_house(keep_games));
            }
        });
        let accepting =
            web::accept::run(listener, web::router(Arc::clone(&shared)), Arc::clone(&shared));
        tokio::select! {
            () = accepting => {}
            () = stop => {}
        }
        shared.stop.cancel();
        shared.tasks.close();
        if tokio::time::timeout(STOP_TIME, shared.tasks.wait()).await.is_err() {
            tracing::warn!(left = shared.tasks.len(), "stopped with connections still open");
        }
        keeping.abort();
        if let Some(journal) = &shared.journal
            && tokio::time::timeout(STOP_TIME, journal.close()).await.is_err()
        {
            tracing::warn!("stopped before the disk had taken everything");
        }
    }
}
