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
//! - Who may do what is asked in three places and nowhere else: whether there was a `hello`
//!   (`web/socket`), whether the connection is in the room (`web/session`, `member_of`), whether
//!   the player has a seat (`room/table`, `seated`).
//! - Nothing is read faster than its sender may speak (`web/meter`), whatever it is.
//! - A departure is the drop of a guard ([`room`]'s membership), never a message that could be
//!   forgotten.

pub mod args;
pub mod computer;
pub mod config;
#[doc(hidden)]
pub mod fuzzing;
mod identity;
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
use lobby::Lobby;
use room::ConnectionId;
use web::{Gate, Guesses};

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
    gate: Arc<Gate>,
    /// Tokens that this server did not make.
    tokens: Guesses,
    /// Codes that no room has.
    codes: Guesses,
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
    /// A server with no rooms.
    #[must_use]
    pub fn new(config: Config) -> Self {
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let shared = Shared {
            secret: Secret::random(),
            lobby: Lobby::new(&config, stop.clone(), tasks.clone()),
            gate: Gate::new(config.max_connections, config.max_per_address),
            tokens: Guesses::new("tokens", config.max_per_address),
            codes: Guesses::new("room codes", config.max_per_address),
            stop,
            tasks,
            connections: AtomicU64::new(0),
            config,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Serves until `stop` completes, then tells every connection (close code 1012) and returns
    /// when all have ended, or after five seconds.
    pub async fn serve<L>(self, listener: L, stop: impl Future<Output = ()>)
    where
        L: Listener<Addr = SocketAddr>,
    {
        let shared = self.shared;
        let listing = tokio::spawn({
            let shared = Arc::clone(&shared);
            async move { shared.lobby.listing().run().await }
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
        listing.abort();
    }
}
