//! What the parts of one server share: its configuration, its rooms, its journal, its limits, and
//! the token that stops it. What each part does with them is not here.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use noughts_protocol::{DisplayText, PassCode, PlayerId, PlayerName};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

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
        let opened = match &config.data_dir {
            Some(folder) => Some(Journal::open_on(folder, config.durability, environment, disk)?),
            None => None,
        };
        let (journal, found) = opened.unzip();
        let secret = found.as_ref().map_or_else(Secret::random, |found| Secret::kept(found.secret));
        let shared = Self::with(config, environment, journal, secret);
        if let Some(found) = found {
            shared.lobby.restore(found.rooms);
            shared.parties.keep(found.parties);
        }
        Ok(shared)
    }

    /// The state of a server without rooms.
    fn with(
        config: Config,
        environment: Environment,
        journal: Option<Journal>,
        secret: Secret,
    ) -> Self {
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let metrics = Arc::new(Metrics::new());
        let lobby =
            Lobby::new(&config, journal.clone(), Arc::clone(&metrics), stop.clone(), tasks.clone());
        let lobby = Arc::new(lobby);
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
            stop,
            tasks,
            metrics,
            url: OnceLock::new(),
            welcome: OnceLock::new(),
            connections_so_far: AtomicU64::new(0),
            config: Arc::new(config),
        }
    }

    /// Whether a person asked to be forgotten.
    pub(crate) fn is_forgotten(&self, player: PlayerId) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.is_forgotten(player))
    }

    /// Takes a forgotten player out of all rooms and parties, and returns whether that is stored. The
    /// connection that asked stays open.
    pub(crate) async fn take_out(&self, player: PlayerId, asker: ConnectionId) -> bool {
        for party in self.parties.all() {
            if party.names(player) && !party.forget(player, asker).await {
                return false;
            }
        }
        for room in self.lobby.seating(player) {
            if !room.forget(player, asker).await {
                return false;
            }
        }
        true
    }

    /// The player of a pass, which is used up. Nobody is a forgotten player any more.
    pub(crate) fn redeem(&self, pass: &PassCode) -> Option<(PlayerId, PlayerName)> {
        let redeemed = self.passes.redeem(&self.secret, pass, Instant::now());
        redeemed.filter(|(player, _)| !self.is_forgotten(*player))
    }

    /// The number of a new connection.
    pub(crate) fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.connections_so_far.fetch_add(1, Ordering::Relaxed))
    }
}
