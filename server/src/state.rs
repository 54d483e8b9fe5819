//! What the parts of one server share: its configuration, its rooms, its store, its limits, and
//! the token that stops it. What each part does with them is not here.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use noughts_protocol::{DisplayText, PassCode, PlayerId, PlayerName};
use noughts_store::{Change, OpenError, Sqlite, Store};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Config;
use crate::identity::Secret;
use crate::identity::passes::Passes;
use crate::limits::connections::ConnectionLimiter;
use crate::limits::failed_attempts::FailedAttempts;
use crate::lobby::Lobby;
use crate::metrics::Metrics;
use crate::net::allowed_hosts::AllowedHosts;
use crate::outbox::ConnectionId;
use crate::party::Parties;
use crate::room::KeptReviews;
use crate::storage::{Environment, Storage};

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
    pub(crate) storage: Option<Storage>,
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
    /// The state of a server with the rooms that it has kept, with `wrap` around its saves.
    ///
    /// # Errors
    /// If what is kept cannot be used.
    pub(crate) fn new(
        config: Config,
        environment: Environment,
        wrap: impl FnOnce(Sqlite) -> Arc<dyn Store>,
    ) -> Result<Self, OpenError> {
        let (storage, found) = Storage::open(&config, environment, wrap)?.unzip();
        let secret = found.as_ref().map_or_else(Secret::random, |found| Secret::kept(found.secret));
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let metrics = Arc::new(Metrics::new());
        let kept = storage.clone().zip(found.as_ref());
        let lobby = Lobby::new(&config, kept, Arc::clone(&metrics), stop.clone(), tasks.clone());
        let lobby = Arc::new(lobby);
        let live = found.map(|found| found.parties).unwrap_or_default();
        let parties = Parties::new(Arc::clone(&lobby), config.features, environment.lot, live);
        let per_address = config.max_per_address;
        Ok(Self {
            secret,
            passes: Passes::default(),
            reviews: KeptReviews::new(lobby.analysis_pool().clone()),
            lobby,
            parties,
            storage,
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
        })
    }

    /// Whether a person asked to be forgotten.
    pub(crate) fn is_forgotten(&self, player: PlayerId) -> bool {
        self.storage.as_ref().is_some_and(|storage| storage.sqlite.is_forgotten(player))
    }

    /// Forgets a player, who leaves all rooms and parties first, and returns whether all of that is
    /// stored. The connection that asked stays open.
    pub(crate) async fn forget(
        &self,
        storage: &Storage,
        player: PlayerId,
        asker: ConnectionId,
    ) -> bool {
        for party in self.parties.all() {
            if party.names(player) && !party.forget(player, asker).await {
                return false;
            }
        }
        let Ok(rooms) = storage.sqlite.rooms_naming(player).await else { return false };
        for room in rooms {
            // A room that has ended meanwhile names nobody.
            if let Ok(room) = self.lobby.find(room)
                && !room.forget(player, asker).await
            {
                return false;
            }
        }
        let forget = Change::Forget { player, at: storage.unix_ms() };
        storage.store.save(vec![forget]).await.is_ok()
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
