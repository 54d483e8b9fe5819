//! What the parts of one server share: its configuration, its rooms, its journal, its limits, and
//! the token that stops it. What each part does with them is not here. What a node does for the other
//! nodes of its cluster is [`house`]'s.

pub(crate) mod house;
pub(crate) mod join;

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use noughts_protocol::{CloseCode, DisplayText, PlayerId};
use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::cluster::question::{Guess, Question};
use crate::config::Config;
use crate::identity::Secret;
use crate::identity::passes::Passes;
use crate::journal::Journal;
use crate::journal::environment::Environment;
use crate::journal::error::OpenError;
use crate::journal::store::{Disk, Store};
use crate::limits::connections::ConnectionLimiter;
use crate::limits::failed_attempts::FailedAttempts;
use crate::lobby::Lobby;
use crate::lobby::nodes::Nodes;
use crate::metrics::Metrics;
use crate::net::allowed_hosts::AllowedHosts;
use crate::outbox::ConnectionId;
use crate::party::Parties;
use crate::room::KeptReviews;

/// Wrong passwords that one address may send at once, and again in ten minutes. A password is
/// shorter than a token, and people mistype it less often than this.
const WRONG_PASSWORDS: usize = 32;

/// The state of one server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Arc<Config>,
    pub(crate) secret: Secret,
    pub(crate) passes: Passes,
    pub(crate) lobby: Arc<Lobby>,
    pub(crate) parties: Parties,
    /// The reviews of kept games.
    pub(crate) reviews: KeptReviews,
    /// `None` if rooms live in memory alone. Closed last.
    pub(crate) journal: Option<Journal>,
    /// Counts the WebSockets.
    pub(crate) connections: Arc<ConnectionLimiter>,
    pub(crate) hosts: AllowedHosts,
    /// Tokens that this server did not make.
    pub(crate) wrong_tokens: FailedAttempts,
    /// Codes that no room has.
    pub(crate) unknown_codes: FailedAttempts,
    pub(crate) wrong_passwords: FailedAttempts,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    /// Cancelled when the connections that are open now are to end; a node that is cut off ends them.
    connected: Mutex<CancellationToken>,
    /// Every task that must end before the server has stopped.
    pub(crate) tasks: TaskTracker,
    pub(crate) metrics: Arc<Metrics>,
    /// The URL that others on the network use. Set when the server listens.
    pub(crate) url: OnceLock<DisplayText>,
    /// The end of every welcome, as text.
    pub(crate) welcome: OnceLock<Box<str>>,
    connections_so_far: AtomicU64,
}

impl Shared {
    /// The state of a server with the rooms that its journal holds.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub(crate) fn new(
        config: Config,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
    ) -> Result<Self, OpenError> {
        Self::placed(config, environment, disk, |lobby, _| lobby)
    }

    /// The same, with its lobby in a cluster as `place` says.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub(crate) fn placed(
        config: Config,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
        place: impl FnOnce(Lobby, &Arc<Metrics>) -> Lobby,
    ) -> Result<Self, OpenError> {
        let opened = match &config.data_dir {
            Some(folder) => Some(Journal::open_on(folder, config.durability, environment, disk)?),
            None => None,
        };
        let (journal, found) = opened.unzip();
        let secret = found.as_ref().map_or_else(Secret::random, |found| Secret::kept(found.secret));
        let shared = Self::with(config, environment, journal, secret, place);
        if let Some(found) = found {
            shared.lobby.restore(found.rooms);
            shared.parties.keep(found.parties);
        }
        Ok(shared)
    }

    /// The state of a server without rooms; `place` places its lobby in a cluster.
    pub(crate) fn with(
        config: Config,
        environment: Environment,
        journal: Option<Journal>,
        secret: Secret,
        place: impl FnOnce(Lobby, &Arc<Metrics>) -> Lobby,
    ) -> Self {
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let metrics = Arc::new(Metrics::new());
        let lobby =
            Lobby::new(&config, journal.clone(), Arc::clone(&metrics), stop.clone(), tasks.clone());
        let lobby = Arc::new(place(lobby, &metrics));
        let parties = Parties::new(Arc::clone(&lobby), config.features, environment.lot);
        let per_address = config.max_per_address;
        Self {
            secret,
            passes: Passes::default(),
            reviews: KeptReviews::new(lobby.analysis_pool().clone()),
            lobby,
            parties,
            journal,
            connections: ConnectionLimiter::new(config.max_connections, per_address),
            hosts: AllowedHosts::new(&config),
            wrong_tokens: FailedAttempts::new("tokens", per_address),
            unknown_codes: FailedAttempts::new("room codes", per_address),
            wrong_passwords: FailedAttempts::new("passwords", per_address.min(WRONG_PASSWORDS)),
            connected: Mutex::new(stop.clone()),
            stop,
            tasks,
            metrics,
            url: OnceLock::new(),
            welcome: OnceLock::new(),
            connections_so_far: AtomicU64::new(0),
            config: Arc::new(config),
        }
    }

    /// The wrong guesses of a kind.
    pub(crate) const fn guesses(&self, guess: Guess) -> &FailedAttempts {
        match guess {
            Guess::Token => &self.wrong_tokens,
            Guess::Code => &self.unknown_codes,
            Guess::Password => &self.wrong_passwords,
        }
    }

    /// Counts a wrong guess of an address, and returns whether it has guessed too often before. All nodes
    /// of a cluster count it, so that nobody may guess more by asking several of them.
    pub(crate) fn guessed(&self, guess: Guess, address: IpAddr) -> bool {
        let (guesses, now) = (self.guesses(guess), Instant::now());
        let is_blocked = guesses.is_blocked(address, now);
        guesses.record(address, now);
        if let Some(nodes) = self.lobby.nodes().filter(|_| !is_blocked) {
            nodes.tell_others(Question::Guessed(guess, address));
        }
        is_blocked
    }

    /// Whether a person asked to be forgotten.
    pub(crate) fn is_forgotten(&self, player: PlayerId) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.is_forgotten(player))
    }

    /// Cancelled when the connections that are open now are to end.
    pub(crate) fn connected(&self) -> CancellationToken {
        self.connected.lock().clone()
    }

    /// Closes all connections whenever this node is cut off from the others, for ever: its clients are
    /// better off at another node.
    pub(crate) async fn watch_cut_off(&self) {
        let Some(nodes) = self.lobby.nodes() else { return };
        loop {
            *self.connected.lock() = self.stop.child_token();
            nodes.directory().until_cut_off_is(true).await;
            tracing::warn!("this node is cut off from the others: its connections are closed");
            self.connected().cancel();
            nodes.directory().until_cut_off_is(false).await;
        }
    }

    /// Whether this node is cut off from the others, so that nobody should come to it.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.lobby.nodes().is_some_and(|nodes| nodes.directory().is_cut_off())
    }

    /// Why people have to come back later, or elsewhere.
    pub(crate) fn why_away(&self) -> CloseCode {
        let hears_nobody = |nodes: &Nodes| !nodes.directory().is_healthy();
        let is_alone = !self.stop.is_cancelled() && self.lobby.nodes().is_some_and(hears_nobody);
        if is_alone { CloseCode::TryAgainLater } else { CloseCode::Restart }
    }

    /// The number of a new connection.
    pub(crate) fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.connections_so_far.fetch_add(1, Ordering::Relaxed))
    }
}
