//! Hosts Noughts. The architecture, and what is deliberately absent:
//!
//! ```text
//! web/socket    one task a connection: decode once, limits, one ordered outbox, close codes
//!   web/session   what a message leads to: the lobby, or the room the connection is in
//!     lobby         create, quick match, find by code, list; the registry's map is touched here only
//!     room/actor    one task a room: next_wake().await, decide, store, make true
//!       room/table    the rules: pure, decide first and change second
//!       journal       rooms outlive the server: one writer thread, group commit, SQLite
//!       room/audience encode once, the same bytes to every outbox
//! web/page      the addresses that people open; web/site: the page's files, compressed once
//! web/accept    connections: counted, encrypted where there is a certificate (tls, web/secure);
//!               whose a request is, behind proxies too (web/visitor); which hosts are answered
//!               (web/host), how a flood is heard out (web/linger)
//! password      the password of the whole server, compared in constant time
//! identity      who a token proves, and identity/passes for a second device: nothing is stored
//! engine/       what a computer plays, called through room/computer_turn; hints, reviews and
//!               evaluations, called through room/analysis: a crate of its own, pure
//! lan           addresses, the QR code, the announcement on the network; card shows them
//! metrics       what a host can watch, and the address at which it is read
//! service       the service manager: ready, failing, stopping
//! signals       what the system tells the process: stop, read the certificate again
//! settings      options, environment, file, defaults: where each value comes from
//! tools         `analyze`, `match`, `check`, `export`, `verify`: what the program does beside hosting
//! ```
//!
//! - Waiting has no cycle: a connection may wait for a room, a room may wait for the journal, the
//!   journal waits for nobody.
//! - Nobody is shown an event that is not in the journal. What cannot be stored did not happen: the
//!   table is untouched and whoever asked is refused.
//! - A room is its facts: what it is rebuilt from is what `verify` replays, by the same rules.
//! - A kept room with nobody in it has no task. The registry knows its number in the journal, and
//!   [`lobby`] wakes it for whoever asks; at the start of the server every room is like that.
//! - No task writes to another's socket; no room reads a clock but its actor; the table reads none.
//! - No map guard and no lock is held across an await.
//! - Every queue and table is bounded, and the place where it is made says by what.
//! - Who may do what is asked in three places and nowhere else: whether there was a `hello`
//!   (`web/socket`), whether the connection is in the room (`web/session`, `member_of`), whether
//!   the player has a seat (`room/table`, `seated`).
//! - Nothing is read faster than its sender may speak (`web/meter`), whatever it is.
//! - A departure is the drop of a guard ([`room`]'s membership), never a message that could be
//!   forgotten.

pub mod cli;
pub mod config;
mod connection;
#[doc(hidden)]
pub mod fuzzing;
mod http;
pub mod journal;
mod limits;
mod lobby;
mod metrics;
pub mod net;
mod outbox;
mod room;
mod timer;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::serve::Listener;
use noughts_protocol::DisplayText;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use config::args::{Args, CommandLine};
pub use config::settings::{Settings, SettingsError};
pub use config::{Config, ConfigError};
pub use connection::NO_FRAMES;
use connection::identity::Secret;
use connection::identity::passes::Passes;
use http::Hosts;
use journal::Journal;
use journal::environment::Environment;
use journal::error::OpenError;
use journal::store::{Disk, Store};
use limits::connections::ConnectionLimiter;
use limits::failed_attempts::FailedAttempts;
use lobby::Lobby;
use metrics::Metrics;
use room::ConnectionId;

/// How long a stopping server waits for its connections and rooms.
const STOP_TIME: Duration = Duration::from_secs(5);

/// Wrong passwords that one address may say at once, and again in ten minutes. A password is
/// shorter than a token; a class behind one address mistypes it less often than this.
const PASSWORD_GUESSES: usize = 32;

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
    passes: Passes,
    lobby: Lobby,
    /// Where rooms are kept, if they are. Closed last.
    journal: Option<Journal>,
    gate: Arc<ConnectionLimiter>,
    /// What this server is called.
    hosts: Hosts,
    /// Tokens that this server did not make.
    tokens: FailedAttempts,
    /// Codes that no room has.
    codes: FailedAttempts,
    /// Passwords that are not the server's.
    passwords: FailedAttempts,
    /// Cancelled when the server stops.
    stop: CancellationToken,
    /// Every task of the server: connections and rooms.
    tasks: TaskTracker,
    connections: AtomicU64,
    metrics: Arc<Metrics>,
    /// Where others on the network reach the page, once the server listens.
    url: OnceLock<DisplayText>,
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
        Self::with_disk(config, Environment::REAL, |store| Box::new(store))
    }

    /// The same on another machine, and with something before the journal's file: a test lets
    /// writes fail there.
    ///
    /// # Errors
    /// Where the journal cannot be used.
    pub fn with_disk(
        config: Config,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
    ) -> Result<Self, OpenError> {
        let opened = match &config.data_dir {
            Some(folder) => Some(Journal::open_on(folder, config.durability, environment, disk)?),
            None => None,
        };
        let (journal, found) = opened.unzip();
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let metrics = Arc::new(Metrics::new());
        let lobby =
            Lobby::new(&config, journal.clone(), Arc::clone(&metrics), stop.clone(), tasks.clone());
        let secret = match found {
            Some(found) => {
                lobby.restore(found.rooms);
                Secret::kept(found.secret)
            }
            None => Secret::random(),
        };
        let shared = Shared {
            secret,
            passes: Passes::default(),
            lobby,
            journal,
            gate: ConnectionLimiter::new(config.max_connections, config.max_per_address),
            tokens: FailedAttempts::new("tokens", config.max_per_address),
            codes: FailedAttempts::new("room codes", config.max_per_address),
            passwords: FailedAttempts::new(
                "passwords",
                config.max_per_address.min(PASSWORD_GUESSES),
            ),
            hosts: Hosts::new(&config),
            stop,
            tasks,
            connections: AtomicU64::new(0),
            metrics,
            url: OnceLock::new(),
            config,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Counts the public rooms with a free seat, also while the server serves.
    pub fn waiting_rooms(&self) -> impl Fn() -> usize + use<> {
        let shared = Arc::clone(&self.shared);
        move || shared.lobby.listing().waiting()
    }

    /// Lets metrics be read at another address than the players', until the server stops. To be
    /// called on the runtime that serves.
    pub fn show_metrics(&self, listener: TcpListener) {
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(http::metrics::run(listener, shared));
    }

    /// Serves until `stop` completes, then tells every connection (close code 1012) and returns
    /// when all have ended, or after five seconds.
    pub async fn serve<L>(self, listener: L, stop: impl Future<Output = ()>)
    where
        L: Listener<Addr = SocketAddr>,
    {
        let shared = self.shared;
        let bound = listener.local_addr().ok();
        if let Some(url) = bound.and_then(|bound| net::lan::best_url(bound, &shared.config)) {
            shared.url.get_or_init(|| url.as_str().into());
        }
        let keeping = tokio::spawn({
            let shared = Arc::clone(&shared);
            let keep_games = shared.config.keep_games;
            async move {
                tokio::join!(
                    shared.lobby.listing().run(),
                    shared.lobby.run_housekeeping(keep_games, cli::systemd::journal_fails),
                    shared.lobby.watch_clock()
                );
            }
        });
        let accepting =
            net::accept::run(listener, http::router(Arc::clone(&shared)), Arc::clone(&shared));
        tokio::select! {
            biased;
            () = stop => {}
            () = accepting => {}
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
