//! The state that the parts of one server share: its configuration, its rooms, its store, its
//! limits, and the token that stops it. The use of it is not here.

mod guesses;
pub(crate) mod visitors;

use std::future::ready;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::stream::{self, Stream, StreamExt};
use noughts_cluster::{Cluster, Location, Peer};
use noughts_protocol::{
    Date, DisplayText, PartyCode, PartySnapshot, PassCode, PlayerId, PlayerName, Refusal, RoomCode,
};
use noughts_store::{ArchiveError, Change, Found, Live, OpenError, Sqlite, Store};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use url::Url;

use crate::actor::{Client, LOOKUPS};
use crate::config::Config;
use crate::identity::Secret;
use crate::identity::passes::Passes;
use crate::lease::Lease;
use crate::limits::connections::ConnectionLimiter;
use crate::limits::failed_attempts::FailedAttempts;
use crate::lobby::challenges::Challenges;
use crate::lobby::{Lobby, Place, unavailable};
use crate::metrics::Metrics;
use crate::net::allowed_hosts::AllowedHosts;
use crate::outbox::ConnectionId;
use crate::party::Parties;
use crate::party::rules::stored;
use crate::pipe::{Door, NoAnswer, Pipes, RemotePlace, Told};
use crate::room::KeptReviews;
use crate::storage::{Environment, Storage, wall_clock};
use visitors::{Visitors, banned};

/// Nodes that are asked the same at once.
const ASKED_AT_ONCE: usize = 64;

/// How long a node has for that.
const PEER_TIME: Duration = Duration::from_secs(3);

/// Wrong passwords that one address may send at once, and again in ten minutes. A password is
/// shorter than a token, and people mistype it less often than this.
const WRONG_PASSWORDS: usize = 32;

/// The state of one server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Arc<Config>,
    pub(crate) secret: Secret,
    /// Whether this server may serve now.
    pub(crate) lease: Arc<Lease>,
    pub(crate) passes: Passes,
    pub(crate) challenges: Challenges,
    pub(crate) lobby: Arc<Lobby>,
    pub(crate) parties: Parties,
    /// The reviews of kept games.
    pub(crate) reviews: Arc<KeptReviews>,
    /// `None` if rooms live in memory alone. Closed last.
    pub(crate) storage: Option<Storage>,
    /// Counts the WebSockets.
    pub(crate) connections: Arc<ConnectionLimiter>,
    pub(crate) hosts: AllowedHosts,
    /// The ways to other nodes.
    pub(crate) pipes: Pipes,
    /// Tokens that this server did not make.
    pub(crate) wrong_tokens: FailedAttempts,
    /// Codes that no room has.
    pub(crate) unknown_codes: FailedAttempts,
    pub(crate) wrong_passwords: FailedAttempts,
    /// Tokens of hosts.
    pub(crate) wrong_admin_tokens: FailedAttempts,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    /// Every task that must end before the server has stopped.
    pub(crate) tasks: TaskTracker,
    pub(crate) metrics: Arc<Metrics>,
    /// The URL that others on the network use. Set when the server listens.
    pub(crate) url: OnceLock<DisplayText>,
    connections_so_far: AtomicU64,
    pub(crate) visitors: Visitors,
    /// When this server began.
    pub(crate) started: Instant,
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
        let opened = Storage::open(&config, environment, wrap)?;
        Ok(Self::with_storage(config, environment, opened))
    }

    /// The state of a server with this storage, and with what was found there.
    pub(crate) fn with_storage(
        config: Config,
        environment: Environment,
        opened: Option<(Storage, Found)>,
    ) -> Self {
        let (storage, found) = opened.unzip();
        let secret = found.as_ref().map_or_else(Secret::random, |found| Secret::kept(found.secret));
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let metrics = Arc::new(Metrics::new());
        let kept = storage.clone().zip(found.as_ref());
        let cluster = storage.as_ref().and_then(|storage| storage.cluster.clone());
        let lease = Arc::new(Lease::new(cluster));
        let lobby = Arc::new(Lobby::new(
            &config,
            kept,
            Arc::clone(&metrics),
            stop.clone(),
            tasks.clone(),
            Arc::clone(&lease),
        ));
        let live = found.into_iter().flat_map(|found| found.live);
        let asleep = live.filter(Live::is_party).collect();
        let parties = Parties::new(Arc::clone(&lobby), environment.lot, asleep);
        let per_address = config.max_per_address;
        let authorities = config.cluster.as_ref().and_then(|node| node.options.authorities.clone());
        Self {
            secret,
            lease,
            passes: Passes::default(),
            challenges: Challenges::default(),
            reviews: Arc::new(KeptReviews::new(lobby.context.analysis_pool.clone())),
            lobby,
            parties,
            storage,
            connections: ConnectionLimiter::new(config.max_connections, per_address),
            hosts: AllowedHosts::new(&config),
            pipes: Pipes::new(authorities, stop.clone(), tasks.clone()),
            wrong_tokens: FailedAttempts::new("wrong tokens", per_address),
            unknown_codes: FailedAttempts::new("wrong room codes", per_address),
            wrong_passwords: FailedAttempts::new(
                "wrong passwords",
                per_address.min(WRONG_PASSWORDS),
            ),
            wrong_admin_tokens: FailedAttempts::new("wrong tokens of hosts", WRONG_PASSWORDS),
            stop,
            tasks,
            metrics,
            url: OnceLock::new(),
            connections_so_far: AtomicU64::new(0),
            visitors: Visitors::default(),
            started: Instant::now(),
            config: Arc::new(config),
        }
    }

    /// Today, in UTC.
    pub(crate) fn today(&self) -> Date {
        let now = self.storage.as_ref().map_or_else(wall_clock, Storage::unix_ms);
        Date::of_unix_ms(now)
    }

    /// The cluster, if the host lets clients go on at its other nodes.
    pub(crate) fn open_cluster(&self) -> Option<&Cluster> {
        self.config.cluster.as_ref()?.url.as_ref()?;
        self.lease.cluster()
    }

    /// The origins of the other nodes where clients may go on, also of those that have died: their pages
    /// go on here.
    pub(crate) fn node_origins(&self) -> Vec<String> {
        let addresses = self.open_cluster().map(Cluster::addresses).unwrap_or_default();
        let urls = addresses.iter().filter_map(|address| Url::parse(address).ok());
        urls.map(|url| url.origin().ascii_serialization()).collect()
    }

    /// Whether a person asked to be forgotten.
    pub(crate) fn is_forgotten(&self, player: PlayerId) -> bool {
        self.storage.as_ref().is_some_and(|storage| storage.sqlite.is_forgotten(player))
    }

    /// The name that a player has here who wants this one.
    pub(crate) fn name_of(&self, player: PlayerId, wanted: PlayerName) -> PlayerName {
        let acts = self.storage.as_ref().map(|storage| storage.sqlite.acts());
        let given = acts.and_then(|acts| acts.name_of(player));
        match given {
            Some(given) => given.with_face(wanted.face()),
            None => self.config.name_of(player, wanted),
        }
    }

    /// The refusal of a person who comes from an address, if the host keeps them out.
    pub(crate) fn ban_of(&self, player: PlayerId, from: IpAddr) -> Option<Refusal> {
        let storage = self.storage.as_ref()?;
        let now = storage.unix_ms();
        Some(banned(&storage.sqlite.acts().ban_of(player, from, now)?, now))
    }

    /// Forgets a player, who leaves all rooms and parties first, and returns whether all of that is
    /// stored. Of their connections the one that asked stays open.
    pub(crate) async fn forget(&self, storage: &Storage, client: &Client, address: IpAddr) -> bool {
        let player = client.player;
        let asker = client.outbox.connection();
        for party in self.parties.all() {
            if party.names(player) && !self.forget_here(party.code().0, player, asker).await {
                return false;
            }
        }
        let naming = match self.lease.cluster() {
            Some(cluster) => cluster.codes_naming(player).await.ok(),
            None => storage.sqlite.codes_naming(player).await.ok(),
        };
        let Some(codes) = naming else { return false };
        for code in codes {
            let forgotten = match self.lookup(code).await {
                Ok(Place::At(peer)) => {
                    let door = Door::Forget(code);
                    let told = self.enter_at(&peer, client.clone(), address, door).await;
                    matches!(told, Ok((Told::Forgotten, _)))
                }
                Ok(_) => self.forget_here(code, player, asker).await,
                Err(_) => false,
            };
            if !forgotten {
                return false;
            }
        }
        let forget = Change::Forget { player, at: storage.unix_ms() };
        if storage.store.save(vec![forget]).await.is_err() {
            return false;
        }
        self.visitors.close_others(player, asker);
        true
    }

    /// Takes a forgotten player out of a room or a party of this node. Returns whether that is stored.
    pub(crate) async fn forget_here(
        &self,
        code: RoomCode,
        player: PlayerId,
        asker: ConnectionId,
    ) -> bool {
        // The task of a room or a party may end before it answers, also because its row cannot be read.
        for _ in 0..LOOKUPS {
            let forgotten = if let Ok(room) = self.lobby.find(code) {
                room.forget(player, asker).await
            } else if let Ok(party) = self.parties.find(PartyCode(code)) {
                party.forget(player, asker).await
            } else {
                // A room or a party that has ended names nobody.
                return true;
            };
            if let Ok(is_stored) = forgotten {
                return is_stored;
            }
        }
        false
    }

    /// The place of a code. A dead node's room or party is taken over.
    ///
    /// # Errors
    /// If nobody can say that at present.
    pub(crate) async fn lookup(&self, code: RoomCode) -> Result<Place, Refusal> {
        let known = self.lobby.known(code);
        if known != Place::Nothing {
            return Ok(known);
        }
        Ok(match self.lobby.locate(code).await? {
            Location::Nowhere => Place::Nothing,
            Location::At(peer) => Place::At(peer),
            Location::Here(party) if party.is_party() => {
                self.parties.adopt(party);
                Place::Party
            }
            Location::Here(room) => {
                if let Some(party) = room.party {
                    // The party goes on too; if not now, when somebody asks for it.
                    drop(Box::pin(self.lookup(party.0)).await);
                }
                Place::Room
            }
        })
    }

    /// A party: as it is now, at whichever node, or as it was when it ended.
    ///
    /// # Errors
    /// If nobody can say that at present.
    pub(crate) async fn party(&self, code: PartyCode) -> Result<Option<PartySnapshot>, Refusal> {
        if let Ok(party) = self.parties.find(code)
            && let Some(party) = party.look().await
        {
            return Ok(Some(party));
        }
        let elsewhere = match self.lease.cluster() {
            Some(cluster) => cluster.party_anywhere(code).await,
            None => Ok(None),
        };
        if let Ok(Some(row)) = &elsewhere
            && let Ok(party) = stored::shown(&row.state)
        {
            return Ok(Some(party));
        }
        match self.kept_party(code).await {
            Ok(None) if elsewhere.is_err() => Err(unavailable()),
            Ok(kept) => Ok(kept),
            Err(error) => {
                tracing::warn!(%error, "a kept party cannot be read");
                Err(unavailable())
            }
        }
    }

    /// A party that has ended.
    ///
    /// # Errors
    /// If the archive cannot tell.
    pub(crate) async fn kept_party(
        &self,
        code: PartyCode,
    ) -> Result<Option<PartySnapshot>, ArchiveError> {
        let Some(storage) = &self.storage else { return Ok(None) };
        storage.sqlite.archive().ask(move |archive| archive.party(code)).await
    }

    /// The player of a pass, which is used up. Nobody is a forgotten player any more. The client who has it is
    /// nobody yet.
    pub(crate) async fn redeem(
        &self,
        pass: &PassCode,
        client: Client,
        address: IpAddr,
    ) -> Option<(PlayerId, PlayerName)> {
        let here = self.redeem_here(pass);
        if here.is_some() {
            return here;
        }
        let told = self.ask_peers(client, address, Door::Redeem(pass.clone()));
        let redeemed = told.filter_map(|told| match told {
            Told::Redeemed(player, name) => ready(Some((player, name))),
            _ => ready(None),
        });
        pin!(redeemed).next().await
    }

    /// Those of some players who are connected, to this node or to another one.
    pub(crate) async fn who_is_here(
        &self,
        client: Client,
        address: IpAddr,
        players: Vec<PlayerId>,
    ) -> Vec<PlayerId> {
        let is_here = |player: &PlayerId| self.visitors.is_here(*player);
        let (here, others): (Vec<_>, Vec<_>) = players.into_iter().partition(is_here);
        if others.is_empty() {
            return here;
        }
        let told = self.ask_peers(client, address, Door::Here(others));
        told.fold(here, |mut here, told| {
            if let Told::Here(more) = told {
                here.extend(more);
            }
            ready(here)
        })
        .await
    }

    /// Asks all other nodes of the cluster the same for a client. Those that do not answer are left out.
    pub(crate) fn ask_peers(
        &self,
        client: Client,
        address: IpAddr,
        door: Door,
    ) -> impl Stream<Item = Told> {
        let peers = self.lease.cluster().map(Cluster::peers).unwrap_or_default();
        let asked = peers.into_iter().map(move |peer| {
            let client = client.clone();
            let door = door.clone();
            async move {
                let asking = self.enter_at(&peer, client, address, door);
                timeout(PEER_TIME, asking).await.ok()?.ok()
            }
        });
        let answers = stream::iter(asked).buffer_unordered(ASKED_AT_ONCE);
        answers.filter_map(|answer| ready(answer.map(|(told, _)| told)))
    }

    /// The same at this node alone.
    pub(crate) fn redeem_here(&self, pass: &PassCode) -> Option<(PlayerId, PlayerName)> {
        let redeemed = self.passes.redeem(&self.secret, pass, Instant::now());
        redeemed.filter(|(player, _)| !self.is_forgotten(*player))
    }

    /// Brings a client to another node, as [`Pipes::enter`] does.
    pub(crate) async fn enter_at(
        &self,
        peer: &Peer,
        client: Client,
        address: IpAddr,
        door: Door,
    ) -> Result<(Told, RemotePlace), NoAnswer> {
        let ticket = self.secret.ticket(peer.id, self.unix_seconds());
        self.pipes.enter(peer, ticket, client, address, door).await
    }

    /// Whether a node of this cluster has made a ticket.
    pub(crate) fn admits_node(&self, ticket: &str) -> bool {
        let cluster = self.lease.cluster();
        cluster.is_some_and(|it| self.secret.admits(ticket, it.id(), self.unix_seconds()))
    }

    /// The time of day, in seconds since 1970.
    pub(crate) fn unix_seconds(&self) -> u64 {
        let now = self.storage.as_ref().map_or(0, Storage::unix_ms);
        u64::try_from(now / 1000).unwrap_or_default()
    }

    /// The number of a new connection.
    pub(crate) fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.connections_so_far.fetch_add(1, Ordering::Relaxed))
    }
}
