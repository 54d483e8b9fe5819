//! Hosts Noughts. Where things live, from the network to the disk:
//!
//! ```text
//! config/      options, environment, file, defaults; the password and the certificates
//! cli/         what the binary does: host, and the other commands; banner, signals, systemd
//! net/         listener, TLS, the client's address, throttled streams, the LAN
//! limits/      one token bucket, one bounded table, and the limits that are made of them
//! http/        routes, the page and its files, which origins and hosts are answered, metrics
//! connection/  one task per connection: handshake, decode, session, close codes
//! identity/    tokens and passes: who a client is, without a table of players
//! outbox/      the one ordered queue to a connection
//! party/       one task per party: pairings, ready checks, its rooms; party/rules and party/pairing are pure
//! shard        the parts of all rooms and parties that nodes of a cluster share out
//! cluster/     several servers that are one: the log, who has which shard, links between nodes
//! lobby/       create, join by code, quick match, list; the map of the rooms
//! room/        one task per room: decide, store, apply, send; room/rules is pure
//! journal/     rooms and parties outlive the server: one writer, group commit, SQLite; the archive of games
//! metrics      what a host can watch
//! state        what the parts share
//! ```
//!
//! A folder uses only the folders below it: from the bottom `timer`, `metrics`, `outbox`, `limits`,
//! `identity`, `shard`, `journal`, `config`, `net`, `room`, `cluster`, `lobby`, `party`, `state`, `connection`, `http`, `cli`.
//! `tests/e2e/tidy/layers.rs` checks it.
//!
//! The computer players, hints and reviews are the crate `noughts-engine`.
//!
//! What always holds:
//!
//! - Waiting has no cycle: a connection may wait for a party or a room, a party may wait for the
//!   journal and for a room's start, a room may wait for the journal, the journal waits for nobody.
//!   Neither a room nor a party waits for a connection, and no room waits for a party.
//! - Nobody is sent an event that is not in the journal. If the journal refuses an event, the room
//!   does not change and the player gets a refusal. The types say so: only a room's log
//!   ([`journal::room_log`]) makes `Committed`, and a room applies nothing else.
//! - An event is a fact: it has the next version of its room, and it is stored. What passes is
//!   `Presence`, which has no version and is never stored.
//! - A room is its facts. A restart and `verify` replay the same facts by the same rules.
//! - A party is its facts too. It has a task as long as it has a code, also after a restart.
//! - A room in the journal that nobody is connected to has no task. The [`lobby`] starts its task
//!   when somebody joins. When the server starts, every room is in this state.
//! - Only a connection's own task writes to its socket. Only a room's actor reads the clock for
//!   that room; the rules get the time as an argument.
//! - No lock and no guard of a map is held across an await.
//! - Every queue and every table is bounded. The place that makes it says by what, and what happens
//!   when it is full.
//! - Three places decide who may do what, and no other: [`connection`] (has the client said
//!   `hello`?), `connection/session` (is the connection in the room, does it follow the party?),
//!   `room/rules` and `party/rules` (does the player have a seat, play in the party, lead it?).
//! - No connection is read faster than its limits allow (`net/throttle`).
//! - A departure is the drop of a guard (`actor/membership`). No message has to be sent for it.

mod actor;
pub mod cli;
pub mod cluster;
pub mod config;
mod connection;
/// Fuzz targets that reach private modules.
#[cfg(feature = "fuzzing")]
#[path = "../../tests/fuzz/server/room.rs"]
pub mod fuzzing;
mod http;
mod identity;
pub mod journal;
mod limits;
mod lobby;
mod metrics;
mod net;
mod outbox;
mod party;
mod room;
pub mod shard;
mod state;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use cli::CommandLine;
use cluster::directory::{Directory, NodeName};
use cluster::engine::Engine;
use cluster::link::Links;
use cluster::node::NodeError;
pub use config::args::Args;
pub use config::settings::{Settings, SettingsError};
pub use config::{Config, ConfigError};
pub use connection::FRAME_LOGS;
use journal::environment::Environment;
use journal::error::OpenError;
use journal::store::{Disk, Store};
use lobby::nodes::Nodes;
use state::Shared;
use state::house::House;
pub use state::join::StartError;

/// How long a stopping server waits for its tasks, and then for its journal.
const STOP_TIME: Duration = Duration::from_secs(5);

/// A server: make one with a configuration, then [`Server::serve`] on a listener.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    /// `None` for a single server.
    node: Option<RunningNode>,
}

/// A server's part in its cluster.
#[derive(Debug)]
struct RunningNode {
    /// Has it hand over its shards and end.
    stop: CancellationToken,
    ended: JoinHandle<Result<(), NodeError>>,
}

impl Server {
    /// The server of a configuration. A node of a cluster is ready when it has read the cluster's log, and
    /// every room is somewhere. Must be called on the runtime that serves.
    ///
    /// # Errors
    /// If the journal or the cluster cannot be used.
    pub async fn open(config: Config) -> Result<Self, StartError> {
        let Some(cluster) = &config.cluster else { return Ok(Self::new(config)?) };
        let engine = cluster::engine::connect(cluster).await?;
        let disk = |store| -> Box<dyn Disk> { Box::new(store) };
        Self::on_engine(config, Environment::REAL, disk, engine, NodeName::random()).await
    }

    /// A node of a cluster with this name, in another environment, over another engine, and with a wrapper
    /// round the store of its copy.
    ///
    /// # Errors
    /// If the journal or the cluster cannot be used.
    pub async fn on_engine(
        config: Config,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
        engine: Arc<dyn Engine>,
        name: NodeName,
    ) -> Result<Self, StartError> {
        let (shared, node) = state::join::join(config, environment, disk, engine, name).await?;
        let mut server = Self { shared, node: None };
        server.serve_links();
        let house = Arc::new(House(Arc::clone(&server.shared)));
        let stop = CancellationToken::new();
        let mut ended = tokio::spawn(node.run(house, stop.clone()));
        let directory = server.shared.lobby.nodes().map(|nodes| nodes.directory().clone());
        let directory = directory.unwrap_or_else(Directory::alone);
        let settled = async {
            while !directory.all_settled().await {
                tracing::warn!("some rooms have no server yet: waiting");
            }
        };
        tokio::select! {
            biased;
            () = settled => {}
            ended = &mut ended => {
                let why = ended.unwrap_or(Err(NodeError::Failed)).err();
                return Err(why.unwrap_or(NodeError::Failed).into());
            }
        }
        server.node = Some(RunningNode { stop, ended });
        Ok(server)
    }

    /// A server with the rooms that its journal holds, or with none.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub fn new(config: Config) -> Result<Self, OpenError> {
        Self::with_disk(config, Environment::REAL, |store| Box::new(store))
    }

    /// The same in another environment, and with a wrapper round the journal's store: tests make writes
    /// fail there.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub fn with_disk(
        config: Config,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
    ) -> Result<Self, OpenError> {
        let shared = Shared::new(config, environment, disk)?;
        Ok(Self { shared: Arc::new(shared), node: None })
    }

    /// A single server whose rooms and parties people reach as if another node had them: over this engine.
    /// Tests try everything that way. Must be called on the runtime that serves.
    ///
    /// # Errors
    /// If the journal cannot be used.
    #[doc(hidden)]
    pub fn mirrored(
        config: Config,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
        engine: Arc<dyn Engine>,
    ) -> Result<Self, OpenError> {
        let shared = Shared::placed(config, environment, disk, |lobby, metrics| {
            let links = Links::new(engine, &Directory::alone(), Arc::clone(metrics));
            lobby.mirrored(Nodes::mirrored(links))
        })?;
        let server = Self { shared: Arc::new(shared), node: None };
        server.serve_links();
        Ok(server)
    }

    /// Serves the other nodes until the server stops.
    fn serve_links(&self) {
        if let Some(nodes) = self.shared.lobby.nodes() {
            let house = Arc::new(House(Arc::clone(&self.shared)));
            self.spawn(nodes.links().clone().serve(house));
        }
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
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(http::metrics::run(listener, shared));
    }

    /// Announces the server on the local network until it stops, if the configuration allows that.
    /// Must be called on the runtime that serves.
    pub fn announce(&self, bound: SocketAddr) {
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(net::lan::announce::run(
            bound,
            Arc::clone(&self.shared.config),
            self.shared.stop.clone(),
            move || shared.lobby.listing().waiting(),
        ));
    }

    /// Serves until `stop` completes, then closes every connection (close code 1012) and returns
    /// when all tasks have ended, at the latest after [`STOP_TIME`]. A node hands its rooms over before
    /// that, which takes ten seconds at most.
    ///
    /// # Errors
    /// If a node cannot go on. It has served until then.
    pub async fn serve<L>(
        self,
        listener: L,
        stop: impl Future<Output = ()>,
    ) -> Result<(), NodeError>
    where
        L: Listener<Addr = SocketAddr>,
    {
        let Self { shared, mut node } = self;
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
                    shared.lobby.listing().run(shared.lobby.nodes()),
                    shared.lobby.run_housekeeping(keep_games, cli::systemd::journal_fails),
                    shared.lobby.watch_clock(),
                    shared.watch_cut_off()
                );
            }
        });
        let accepting = net::accept::Acceptor {
            routers: http::routers(&shared),
            config: Arc::clone(&shared.config),
            stop: shared.stop.clone(),
            tasks: shared.tasks.clone(),
        }
        .run(listener);
        let mut result = tokio::select! {
            biased;
            () = stop => Ok(()),
            ended = RunningNode::ended(&mut node) => ended,
            () = accepting => Ok(()),
        };
        if let Some(node) = node.filter(|_| result.is_ok()) {
            node.stop.cancel();
            result = node.ended.await.unwrap_or(Err(NodeError::Failed));
        }
        shared.stop.cancel();
        shared.tasks.close();
        if tokio::time::timeout(STOP_TIME, shared.tasks.wait()).await.is_err() {
            tracing::warn!(left = shared.tasks.len(), "stopped with tasks still running");
        }
        housekeeping.abort();
        if let Some(journal) = &shared.journal
            && tokio::time::timeout(STOP_TIME, journal.close()).await.is_err()
        {
            tracing::warn!("stopped before the disk had taken everything");
        }
        tracing::info!("stopped");
        result
    }
}

impl RunningNode {
    /// Waits until the node ends by itself; for ever on a single server.
    async fn ended(node: &mut Option<Self>) -> Result<(), NodeError> {
        match node {
            Some(node) => (&mut node.ended).await.unwrap_or(Err(NodeError::Failed)),
            None => std::future::pending().await,
        }
    }
}
