//! How people find a room: create one, join by code, quick match, the list. Rooms live in the
//! [`registry`], players who wait for a match in the [`matchmaker`]. The inside of a room is in
//! [`crate::room`].

pub(crate) mod challenges;
mod find;
mod housekeeping;
mod listing;
pub(crate) mod matchmaker;
mod nodes;
mod quick;
pub(crate) mod quotas;
pub(crate) mod registry;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{
    ByMark, ChatMode, Features, IntentId, PlayerId, PlayerName, Refusal, RefusalCode, RoomCode,
    RoomSettings, Seat, SeatRequest,
};
use noughts_store::{Found, Origin, Store};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Config;
use crate::lease::Lease;
use crate::metrics::Metrics;
use crate::room::{AnalysisPool, Clock, EnginePool, RoomContext, RoomHandle, RoomStart};
use crate::storage::{Storage, Switches};
pub(crate) use find::{Place, unavailable};
pub(crate) use listing::Listing;
use matchmaker::Matchmaker;
use nodes::NodeLobbies;
pub(crate) use quick::QuickMatch;
use quotas::Owner;
use registry::{Inserted, Registry};

/// The rooms of one server and the ways into them, each way in a file of its own.
#[derive(Debug)]
pub(crate) struct Lobby {
    pub(crate) registry: Arc<Registry>,
    pub(crate) matchmaker: Arc<Matchmaker>,
    pub(crate) listing: Listing,
    /// The rooms and parties share it. Its token stops all of them.
    pub(crate) context: Arc<RoomContext>,
    /// All tasks of the server.
    tasks: TaskTracker,
    rooms_and_parties: TaskTracker,
    lease: Arc<Lease>,
    quick_move_time_ms: u32,
}

/// A player who makes a room or looks for one.
#[derive(Debug, Clone)]
pub(crate) struct Requester {
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    pub(crate) address: IpAddr,
    /// The intent of the request. The same intent always leads to the same room.
    pub(crate) id: IntentId,
}

impl Requester {
    const fn owner(&self) -> Owner {
        Owner { player: self.player, address: Some(self.address) }
    }

    pub(crate) const fn origin(&self) -> Origin {
        Origin { player: self.player, id: self.id }
    }

    fn seat(&self) -> Seat {
        let player = self.player;
        let name = self.name.clone();
        Seat::Human { player, name }
    }
}

impl Lobby {
    /// A lobby with the rooms that were found. `stop` ends its rooms, which run on `tasks`.
    pub(crate) fn new(
        config: &Config,
        storage: Option<(Storage, &Found)>,
        metrics: Arc<Metrics>,
        stop: CancellationToken,
        tasks: TaskTracker,
        lease: Arc<Lease>,
    ) -> Self {
        let registry = Arc::new(Registry::new(config.rooms));
        let matchmaker = Arc::<Matchmaker>::default();
        let lobby_changed = Arc::new(Notify::new());
        let nodes = lease.cluster().map(|cluster| {
            NodeLobbies::new(cluster.clone(), Arc::clone(&registry), Arc::clone(&matchmaker))
        });
        let switches = Switches::new(config.features, storage.as_ref().map(|(kept, _)| kept));
        let listing = Listing::new(
            Arc::clone(&registry),
            Arc::clone(&lobby_changed),
            nodes,
            switches.clone(),
        );
        let engine_pool = EnginePool::new(config.computer_threads, config.computer_time);
        let analysis_pool = AnalysisPool::new(config.computer_threads, config.computer_time);
        let (storage, found) = storage.unzip();
        let context = RoomContext {
            stop,
            engine_pool,
            analysis_pool,
            lobby_changed,
            storage,
            metrics,
            clock: Clock::starting_at(found.map_or(Duration::ZERO, |found| found.age)),
            times: config.times,
            computer_delay: config.computer_delay,
            switches,
        };
        let lobby = Self {
            registry,
            matchmaker,
            listing,
            context: Arc::new(context),
            tasks,
            rooms_and_parties: TaskTracker::new(),
            lease,
            quick_move_time_ms: config.quick_move_time_ms,
        };
        lobby.restore(found.map(|found| &*found.live).unwrap_or_default());
        lobby
    }

    /// The features that are on now.
    pub(crate) fn features(&self) -> Features {
        self.context.switches.now()
    }

    /// Has the list of rooms made again.
    pub(crate) fn list_changed(&self) {
        self.context.lobby_changed.notify_one();
    }

    /// Runs the task of a room or a party.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let task = self.rooms_and_parties.track_future(self.lease.guard(task));
        self.tasks.spawn(async {
            // The lease was lost: the next one finds the room or the party anew.
            let _ = task.await;
        });
    }

    /// Waits until no room and no party has a task.
    pub(crate) async fn ended(&self) {
        self.rooms_and_parties.close();
        self.rooms_and_parties.wait().await;
    }

    /// Cancelled when the server stops, and with it all rooms and parties.
    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.context.stop
    }

    /// The clock of the rooms, which stands still while the server does.
    pub(crate) fn clock(&self) -> &Clock {
        &self.context.clock
    }

    /// The time by that clock.
    pub(crate) fn now(&self) -> Duration {
        self.context.clock.now()
    }

    /// Where rooms and parties are saved; `None` if they are not kept.
    pub(crate) fn store(&self) -> Option<&dyn Store> {
        self.context.storage.as_ref().map(|storage| &*storage.store)
    }

    /// Whether the server is stopping.
    pub(crate) fn is_stopping(&self) -> bool {
        self.context.stop.is_cancelled()
    }

    /// The refusal of new rooms and parties, if the server stops or the host has stopped them.
    ///
    /// # Errors
    /// If so.
    pub(crate) fn check_open(&self) -> Result<(), Refusal> {
        if self.is_stopping() {
            let message = "the server is stopping: try again in a minute";
            return Err(Refusal::new(RefusalCode::Stopping, message));
        }
        let storage = self.context.storage.as_ref();
        if storage.is_some_and(|storage| storage.sqlite.acts().is_closed()) {
            let message =
                "the host lets nobody make rooms or parties just now: join one, or try again later";
            return Err(Refusal::new(RefusalCode::SwitchedOff, message));
        }
        Ok(())
    }

    /// Makes a room, or finds the room that the same intent made.
    ///
    /// # Errors
    /// If the settings contradict each other or a limit is reached.
    pub(crate) fn create(
        &self,
        requester: &Requester,
        mut settings: RoomSettings,
        mut seats: ByMark<SeatRequest>,
        shuffle: bool,
    ) -> Result<RoomCode, Refusal> {
        if let Some(room) = self.registry.find_by_origin(requester.origin()) {
            return Ok(room);
        }
        settings.spectators &= self.features().spectators;
        settings.party = None;
        if !self.features().chat {
            settings.chat = ChatMode::Off;
        }
        self.check_settings(&settings, [seats.x, seats.o].contains(&SeatRequest::You))?;
        if shuffle && rand::random() {
            std::mem::swap(&mut seats.x, &mut seats.o);
        }
        let seat = |request| match request {
            SeatRequest::You => requester.seat(),
            SeatRequest::Open => Seat::Open,
            SeatRequest::Computer(computer) => Seat::Computer(computer),
        };
        let seats = ByMark { x: seat(seats.x), o: seat(seats.o) };
        self.open(settings, seats, vec![requester.origin()], requester)
    }

    fn check_settings(&self, settings: &RoomSettings, takes_seat: bool) -> Result<(), Refusal> {
        if settings.listed && !self.features().listing {
            return Err(switched_off("can list rooms", "make one that is not listed"));
        }
        check_game(settings)?;
        if !takes_seat && !self.features().spectators {
            return Err(switched_off("can watch", "take a seat"));
        }
        if !takes_seat && !settings.spectators {
            return Err(Refusal::new(
                RefusalCode::BadSettings,
                "in a room without spectators you need a seat: take one, or admit spectators",
            ));
        }
        Ok(())
    }

    /// Makes a room that counts for `owner`.
    fn open(
        &self,
        settings: RoomSettings,
        seats: ByMark<Seat>,
        origins: Vec<Origin>,
        owner: &Requester,
    ) -> Result<RoomCode, Refusal> {
        self.check_open()?;
        let waiting = seats.has_open();
        let inserted = self.registry.insert(&origins, owner.owner(), waiting, self.now())?;
        let Inserted { inbox, entry, evicted } = inserted;
        if let Some(evicted) = evicted
            && let Ok(room) = self.find(evicted)
        {
            tracing::info!(%evicted, "a room without a connection ends for a new room");
            room.end_if_unattended();
        }
        let code = inbox.handle.code();
        self.start(RoomStart::New { settings, seats, origins }, inbox, entry);
        Ok(code)
    }

    /// Makes the room of a table, or finds the room that the same origin made.
    ///
    /// # Errors
    /// If the server stops or has as many rooms as it may have.
    pub(crate) fn open_table(
        &self,
        settings: RoomSettings,
        seats: ByMark<Seat>,
        origin: Origin,
    ) -> Result<RoomHandle, Refusal> {
        if let Some(room) = self.registry.find_by_origin(origin) {
            return self.find(room);
        }
        if self.is_stopping() {
            return Err(Refusal::new(RefusalCode::Stopping, "the server is stopping"));
        }
        let (inbox, entry) = self.registry.insert_table(origin)?;
        let handle = inbox.handle.clone();
        self.start(RoomStart::New { settings, seats, origins: vec![origin] }, inbox, entry);
        Ok(handle)
    }
}

/// The refusal for a feature that the host has switched off, and what to do instead.
pub(crate) fn switched_off(what: &str, instead: &str) -> Refusal {
    let message = format!("nobody {what} on this server: {instead}");
    Refusal::new(RefusalCode::SwitchedOff, message)
}

/// Checks the settings that every game has.
fn check_game(settings: &RoomSettings) -> Result<(), Refusal> {
    let RoomSettings { variant, board, opening, .. } = *settings;
    let refused = if settings.move_time_is_legal() {
        variant.refuses(board).or_else(|| opening.refused(variant, board).map(str::to_owned))
    } else {
        Some("the time for a move is from one second to a week".to_owned())
    };
    refused.map_or(Ok(()), |message| Err(Refusal::new(RefusalCode::BadSettings, message)))
}
