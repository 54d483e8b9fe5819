//! Hosts Noughts. Where things live, from the network to the disk:
//!
//! ```text
//! config/      options, environment, file, defaults; the password and the certificates
//! cli/         what the binary does: host, and the other commands; banner, signals, systemd
//! net/         listener, TLS, the client's address, the stream, the LAN
//! limits/      one token bucket, one bounded table, and the limits that are made of them
//! admin/       the host's door: who is there, and what can be done about it
//! http/        routes, the page and its files, the page of hosts, which origins and hosts are answered, metrics
//! connection/  one task per connection: handshake, decode, session, close codes
//! identity/    tokens and passes: who a client is, without a table of players
//! outbox/      the one ordered queue to a connection
//! pipe/        one WebSocket between two nodes: their clients' places at each other
//! party/       one task per party: pairings, ready checks, its rooms; party/rules and party/pairing are pure
//! lobby/       create, join by code, quick match, list; the map of the rooms
//! puzzle       which puzzle a day has
//! room/        one task per room: decide, store, apply, send; room/rules is pure
//! metrics      what a host can watch
//! storage      the store of a server that keeps its rooms
//! lease        whether a node of a cluster may serve, and what ends when it may not
//! state        what the parts share
//! ```
//!
//! A folder uses only the folders below it: from the bottom `limits`, `metrics`, `outbox`,
//! `identity`, `config`, `storage`, `lease`, `net`, `actor`, `pipe`, `room`, `lobby`, `party`, `puzzle`,
//! `state`, `connection`, `admin`, `http`, `cli`. `tests/e2e/tidy/rules.rs` checks it.
//!
//! The computer players, hints and reviews are the crate `noughts-engine`. The crate
//! `noughts-store` keeps the data that outlives the server: rooms, parties, games, people, ratings.
//! In a cluster, rooms and parties are kept by the crate `noughts-cluster`, which knows what each
//! node has.
//!
//! Invariants:
//!
//! - Waiting has no cycle: a connection may wait for a party or a room, a party may wait for the
//!   store and for a room, a room may wait for the store, the store waits for nobody.
//!   Neither a room nor a party waits for a connection, and no room waits for a party.
//! - A node of a cluster shows nothing without its lease ([`lease`]), and what it remembers ends with it.
//!   A connection may wait for another node ([`pipe`]), which waits for no third one.
//! - Nobody is sent an event that is not stored. If the store refuses a save, the room does not change
//!   and the player gets a refusal. The types say so: only [`noughts_store::commit`] makes `Committed`,
//!   and a room applies nothing else.
//! - An event has the next version of its room. The store keeps the state after it: one row for a room,
//!   replaced by compare-and-set on its version. `Presence` has no version and is never stored.
//! - A party is stored as a room is. It has a task as long as it has a code, also after a restart.
//!   Its last state is kept beside its games, and has no task.
//! - A stored room that nobody is connected to has no task. The [`lobby`] starts its task
//!   when somebody joins. When the server starts, every room is in this state.
//! - Times of rooms are running time of the server over all its runs: a restart goes on from what the
//!   clock showed.
//! - Only a connection's own task writes to its socket. Only a room's actor reads the clock for
//!   that room; the rules get the time as an argument.
//! - No lock and no guard of a map is held across an await.
//! - Every queue and every table is bounded. The place that makes it says by what, and what happens
//!   when it is full.
//! - Three places decide who may do what, and no other: [`connection`] (has the client said
//!   `hello`?), `connection/session` (is the connection in the room, does it follow the party?),
//!   `room/rules` and `party/rules` (does the player have a seat, play in the party, lead it?).
//! - No connection is read faster than its limits allow (`net/client_stream`).
//! - A departure is the drop of a guard (`actor/membership`). No message has to be sent for it.

mod actor;
mod admin;
pub mod cli;
pub mod config;
mod connection;
/// Fuzz targets that reach private modules.
#[cfg(feature = "fuzzing")]
#[path = "../../tests/fuzz/server/room.rs"]
pub mod fuzzing;
mod http;
mod identity;
mod lease;
mod limits;
mod lobby;
mod metrics;
mod net;
mod outbox;
mod party;
mod pipe;
mod puzzle;
mod room;
mod state;
mod storage;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::TcpListener;

pub use cli::CommandLine;
pub use config::args::Args;
pub use config::settings::{Settings, SettingsError};
pub use config::{Config, ConfigError};
use net::accept::{Acceptor, Routers};
use noughts_store::{OpenError, Sqlite, Store};
use state::Shared;
pub use storage::Environment;

/// How long a stopping server waits for its tasks, and then for its store.
const STOP_TIME: Duration = Duration::from_secs(5);

/// How long a node that starts waits for its lease before it lets anybody in.
const START_TIME: Duration = Duration::from_secs(5);

/// A server: make one with a configuration, then [`Server::serve`] on a listener.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
}

impl Server {
    /// A server with the rooms that it has kept, or with none.
    ///
    /// # Errors
    /// If what is kept cannot be used.
    pub fn new(config: Config) -> Result<Self, OpenError> {
        Self::with_store(config, Environment::REAL, |store| Arc::new(store))
    }

    /// The same in another environment, and with a wrapper around the store: tests make saves fail there.
    ///
    /// # Errors
    /// If what is kept cannot be used.
    pub fn with_store(
        config: Config,
        environment: Environment,
        wrap: impl FnOnce(Sqlite) -> Arc<dyn Store>,
    ) -> Result<Self, OpenError> {
        let shared = Shared::new(config, environment, wrap)?;
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The server of these options: a node of a cluster if they name one, else as [`Server::new`] makes it. It
    /// will listen at `bound`.
    ///
    /// # Errors
    /// If what is kept, or the cluster, cannot be used.
    pub async fn join(config: Config, bound: SocketAddr) -> anyhow::Result<Self> {
        let environment = Environment::REAL;
        let Some(cluster) = &config.cluster else { return Ok(Self::new(config)?) };
        let mut options = cluster.options.clone();
        if options.address.is_empty() {
            let url = net::lan::node_url(bound, &config);
            options.address = url.map(String::from).unwrap_or_default();
        }
        let opened = storage::Storage::join(&config, environment, &options).await?;
        let shared = Shared::with_storage(config, environment, opened);
        tracing::info!("other nodes reach this one at {}", options.address);
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Runs a task until the server stops. Must be called on the runtime that serves.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let stopped = self.shared.stop.clone().run_until_cancelled_owned(task);
        self.shared.tasks.spawn(async {
            stopped.await;
        });
    }

    /// Answers requests for metrics at an address of their own until the server stops. Must be
    /// called on the runtime that serves.
    pub fn show_metrics(&self, listener: TcpListener) {
        let acceptor = acceptor(&self.shared, http::metrics::routers(&self.shared));
        self.spawn(acceptor.run(net::listener::tuned(listener)));
    }

    /// Lets hosts with a token see and act, at an address of their own until the server stops. Must be called
    /// on the runtime that serves.
    pub fn admit_hosts(&self, listener: TcpListener) {
        let acceptor = acceptor(&self.shared, http::admin::routers(&self.shared));
        self.spawn(acceptor.run(net::listener::tuned(listener)));
    }

    /// Lets the host of a data folder see and act, through a socket there, until the server stops. Must be
    /// called on the runtime that serves.
    #[cfg(unix)]
    pub fn open_door(&self) {
        let Some(folder) = &self.shared.config.data_dir else { return };
        match admin::socket::listen(folder) {
            Ok(listener) => self.spawn(admin::socket::run(listener, Arc::clone(&self.shared))),
            Err(error) => tracing::warn!(%error, "`noughts-server admin` cannot reach this server"),
        }
    }

    /// Announces the server on the local network until it stops, if the configuration allows that.
    /// Must be called on the runtime that serves.
    pub fn announce(&self, bound: SocketAddr) {
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(net::lan::announce::run(
            bound,
            Arc::clone(&self.shared.config),
            self.shared.stop.clone(),
            move || shared.lobby.listing.waiting(),
        ));
    }

    /// Serves until `stop` completes, then closes every connection (close code 1012) and returns
    /// when all tasks have ended, at the latest after [`STOP_TIME`].
    pub async fn serve<L>(self, listener: L, stop: impl Future<Output = ()>)
    where
        L: Listener<Addr = SocketAddr>,
    {
        let Self { shared } = self;
        let bound = listener.local_addr().ok();
        if let Some(url) = bound.and_then(|bound| net::lan::best_url(bound, &shared.config)) {
            shared.url.get_or_init(|| url.as_str().into());
        }
        shared.parties.resume();
        let housekeeping = tokio::spawn({
            let shared = Arc::clone(&shared);
            let keep_games = shared.config.keep_games;
            async move {
                tokio::join!(
                    shared.lobby.listing.run(),
                    shared.lobby.run_housekeeping(keep_games, cli::systemd::store_fails),
                    shared.lobby.clock().watch(),
                    run_node(&shared),
                    admin::effects::run(&shared),
                );
            }
        });
        if let Some(cluster) = shared.lease.cluster() {
            // Until then there is nothing to show. Those who come wait in the system's queue.
            drop(tokio::time::timeout(START_TIME, cluster.lease_held()).await);
        }
        let accepting = acceptor(&shared, http::routers(&shared)).run(listener);
        tokio::select! {
            biased;
            () = stop => {}
            () = accepting => {}
        }
        shared.stop.cancel();
        shared.tasks.close();
        if let Some(cluster) = shared.lease.cluster() {
            // Other nodes go on with the rooms while the last connections end here.
            drop(tokio::time::timeout(STOP_TIME, shared.lobby.ended()).await);
            cluster.leave().await;
        }
        if tokio::time::timeout(STOP_TIME, shared.tasks.wait()).await.is_err() {
            tracing::warn!(left = shared.tasks.len(), "stopped with tasks still running");
        }
        housekeeping.abort();
        if let Some(storage) = &shared.storage
            && tokio::time::timeout(STOP_TIME, storage.sqlite.close(shared.lobby.now()))
                .await
                .is_err()
        {
            tracing::warn!("stopped before the disk had taken everything");
        }
        tracing::info!("stopped");
    }
}

fn acceptor(shared: &Shared, routers: Routers) -> Acceptor {
    Acceptor {
        routers,
        config: Arc::clone(&shared.config),
        stop: shared.stop.clone(),
        tasks: shared.tasks.clone(),
    }
}

/// The tasks of a node of a cluster beside serving; they never end.
async fn run_node(shared: &Arc<Shared>) {
    let Some(cluster) = shared.lease.cluster() else { return };
    tokio::join!(
        cluster.run(),
        shared.lease.run(|| {
            if !shared.stop.is_cancelled() {
                tracing::warn!("this node has lost its lease: everybody has to connect again");
            }
            shared.lobby.forget_hibernated();
        }),
        async {
            cluster.replaced().await;
            storage::end_process(
                "NATS has lost the rooms of this cluster, and has those of another one",
            );
        },
    );
}
