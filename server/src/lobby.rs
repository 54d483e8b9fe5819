//! How people find a room: create one, join by code, quick match, the list.
//! Rooms live in the [`registry`], players who wait for a match in the [`matchmaker`]. What happens
//! inside a room is in [`crate::room`].

mod housekeeping;
mod listing;
pub(crate) mod matchmaker;
pub(crate) mod quotas;
pub(crate) mod registry;
mod tables;

use std::net::IpAddr;
use std::sync::Arc;

use noughts_protocol::{
    BoardSpec, ByMark, ChatMode, Computer, Features, IntentId, PlayerId, PlayerName, Refusal,
    RefusalCode, RoomCode, RoomSettings, Seat, SeatRequest,
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use crate::config::Config;
use crate::journal::Journal;
use crate::journal::entry::Origin;
use crate::journal::startup::LiveRoom;
use crate::metrics::Metrics;
use crate::room::{
    self, AnalysisPool, Clock, EnginePool, Hibernated, Inbox, RoomContext, RoomHandle, Start,
};
pub(crate) use listing::Listing;
use matchmaker::{MatchTicket, Matchmaker, QuickSettings};
use quotas::Owner;
use registry::{Inserted, Lookup, Registry, RegistryEntry, RoomCounts};

/// The rooms of one server and the ways into them.
#[derive(Debug)]
pub(crate) struct Lobby {
    registry: Arc<Registry>,
    matchmaker: Arc<Matchmaker>,
    listing: Listing,
    context: Arc<RoomContext>,
    /// Every room's task, so that a stopping server can wait for them.
    tasks: TaskTracker,
    quick_move_time_ms: u32,
    features: Features,
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

    const fn origin(&self) -> Origin {
        Origin { player: self.player, id: self.id }
    }

    fn seat(&self) -> Seat {
        let (player, name) = (self.player, self.name.clone());
        Seat::Human { player, name }
    }
}

impl Lobby {
    /// A lobby without rooms. `stop` ends its rooms, which run on `tasks`.
    pub(crate) fn new(
        config: &Config,
        journal: Option<Journal>,
        metrics: Arc<Metrics>,
        stop: CancellationToken,
        tasks: TaskTracker,
    ) -> Self {
        let registry = Arc::new(Registry::new(config.rooms));
        let lobby_changed = Arc::new(Notify::new());
        let listing = Listing::new(Arc::clone(&registry), Arc::clone(&lobby_changed));
        let engine_pool = EnginePool::new(config.computer_threads, config.computer_time);
        let analysis_pool = AnalysisPool::new(config.computer_threads, config.computer_time);
        let context = RoomContext {
            stop,
            engine_pool,
            analysis_pool,
            lobby_changed,
            journal,
            metrics,
            clock: Clock::start(),
            times: config.times,
            computer_delay: config.computer_delay,
            rates_games: config.features.ratings,
        };
        Self {
            registry,
            matchmaker: Arc::default(),
            listing,
            context: Arc::new(context),
            tasks,
            quick_move_time_ms: config.quick_move_time_ms,
            features: config.features,
        }
    }

    /// Where analyses run.
    pub(crate) fn analysis_pool(&self) -> &AnalysisPool {
        &self.context.analysis_pool
    }

    /// Adds the rooms that the journal holds, all of them hibernated.
    pub(crate) fn restore(&self, rooms: Vec<LiveRoom>) {
        let Some(journal) = &self.context.journal else { return };
        for LiveRoom { id, code, vacant, origins, is_table } in rooms {
            let Ok(code) = code.parse() else {
                tracing::error!(id, code, "a room of the journal has an invalid code");
                continue;
            };
            let unattended = vacant.map(|(run, at)| journal.uptime().since(run, at));
            let since = Clock::START.saturating_sub(unattended.unwrap_or_default());
            let until = since + self.context.times.unattended;
            let hibernated = Hibernated { id, resume: None, since, until };
            self.registry.restore(code, hibernated, origins, is_table);
        }
    }

    /// The room with a code. A hibernated room becomes active.
    ///
    /// # Errors
    /// If there is no such room.
    pub(crate) fn find(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        match self.registry.find(code) {
            Some(Lookup::Active(handle)) => Ok(handle),
            Some(Lookup::Activated(inbox, entry, hibernated)) => {
                let handle = inbox.handle().clone();
                self.start(Start::Restore(hibernated), inbox, entry);
                Ok(handle)
            }
            None => Err(room::no_such_room(code)),
        }
    }

    /// Whether there is a room with a code.
    pub(crate) fn has(&self, code: RoomCode) -> bool {
        self.registry.has(code)
    }

    /// The active rooms in which a player has a seat.
    pub(crate) fn seating(&self, player: PlayerId) -> Vec<RoomHandle> {
        self.registry.seating(player)
    }

    /// Whether the server is stopping.
    pub(crate) fn is_stopping(&self) -> bool {
        self.context.stop.is_cancelled()
    }

    /// The number of rooms.
    pub(crate) fn rooms(&self) -> usize {
        self.registry.len()
    }

    /// The number of rooms without a task.
    pub(crate) fn hibernated(&self) -> usize {
        self.registry.hibernated()
    }

    /// The number of rooms in each state.
    pub(crate) fn room_counts(&self) -> RoomCounts {
        self.registry.counts()
    }

    /// Watches for ever whether the process stands still, so that the rooms' clocks stop too.
    pub(crate) async fn watch_clock(&self) {
        self.context.clock.watch().await;
    }

    /// The number of players who wait for a quick match.
    pub(crate) fn waiting_for_match(&self) -> usize {
        self.matchmaker.len()
    }

    /// The listed rooms.
    pub(crate) fn listing(&self) -> &Listing {
        &self.listing
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
        settings.spectators &= self.features.spectators;
        settings.party = None;
        if !self.features.chat {
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
        if settings.listed && !self.features.listing {
            return Err(switched_off("can list rooms", "make one that is not listed"));
        }
        check_move_time(settings)?;
        if !settings.opening_is_legal() {
            return Err(Refusal::new(
                RefusalCode::BadSettings,
                "swap2 needs a board whose sides are both 13 or more: choose a larger board, or a \
                 free opening",
            ));
        }
        if !takes_seat && !self.features.spectators {
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

    /// Pairs a player with a player who waits for the same game, or puts them in the queue.
    ///
    /// # Errors
    /// If the settings are out of range or a limit is reached.
    pub(crate) fn quick_match(
        &self,
        requester: &Requester,
        board: BoardSpec,
        move_time_ms: Option<u32>,
    ) -> Result<QuickMatch, Refusal> {
        if let Some(room) = self.registry.find_by_origin(requester.origin()) {
            return Ok(QuickMatch::Room(room));
        }
        if !self.features.quick_match {
            return Err(switched_off(
                "is paired with strangers",
                "make a room, or join one by its code",
            ));
        }
        let move_time_ms = Some(move_time_ms.unwrap_or(self.quick_move_time_ms));
        let settings = self.quick_settings(board, move_time_ms, self.features.listing);
        check_move_time(&settings)?;
        // This comes before an opponent leaves the queue.
        self.registry.check(requester.owner(), false, self.context.clock.now())?;
        let wanted = QuickSettings { board, move_time_ms };
        let matchmaker = Arc::clone(&self.matchmaker);
        loop {
            let Some(other) = matchmaker.take_opponent(wanted, requester.player) else {
                return Ok(QuickMatch::Wait(matchmaker.wait(wanted, requester.clone())));
            };
            let room = match self.open_pair(settings, requester, other.requester()) {
                Ok(room) => room,
                Err(refusal) => {
                    matchmaker.put_back(wanted, other);
                    return Err(refusal);
                }
            };
            if other.hand_over(room) {
                return Ok(QuickMatch::Room(room));
            }
            // The opponent's connection has just ended. Their seat in that room stays empty and the
            // room ends by itself. The next opponent is tried.
        }
    }

    /// Makes a room against the computer, for a player without an opponent.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn against_computer(
        &self,
        requester: &Requester,
        wanted: QuickSettings,
        computer: Computer,
    ) -> Result<RoomCode, Refusal> {
        let QuickSettings { board, move_time_ms } = wanted;
        let settings = self.quick_settings(board, move_time_ms, false);
        let seats = by_chance(requester.seat(), Seat::Computer(computer));
        self.open(settings, seats, vec![requester.origin()], requester)
    }

    /// The settings of every quick match. Strangers play without hints.
    fn quick_settings(
        &self,
        board: BoardSpec,
        move_time_ms: Option<u32>,
        listed: bool,
    ) -> RoomSettings {
        let Features { spectators, chat, .. } = self.features;
        let chat = if chat { ChatMode::Emotes } else { ChatMode::Off };
        let usual = RoomSettings::default();
        RoomSettings { board, move_time_ms, listed, spectators, hints: false, chat, ..usual }
    }

    fn open_pair(
        &self,
        settings: RoomSettings,
        one: &Requester,
        other: &Requester,
    ) -> Result<RoomCode, Refusal> {
        let origins = vec![one.origin(), other.origin()];
        self.open(settings, by_chance(one.seat(), other.seat()), origins, one)
    }

    /// Makes a room that counts for `owner`.
    fn open(
        &self,
        settings: RoomSettings,
        seats: ByMark<Seat>,
        origins: Vec<Origin>,
        owner: &Requester,
    ) -> Result<RoomCode, Refusal> {
        if self.is_stopping() {
            let message = "the server is stopping: try again in a minute";
            return Err(Refusal::new(RefusalCode::Stopping, message));
        }
        let (waiting, now) = (seats.has_open(), self.context.clock.now());
        let inserted = self.registry.insert(&origins, owner.owner(), waiting, now)?;
        let Inserted { inbox, entry, evicted } = inserted;
        if let Some(evicted) = evicted
            && let Ok(room) = self.find(evicted)
        {
            tracing::info!(%evicted, "a room without a connection ends for a new room");
            room.end_if_unattended();
        }
        let code = inbox.handle().code();
        self.start(Start::New { settings, seats, origins }, inbox, entry);
        Ok(code)
    }

    fn start(&self, start: Start, inbox: Inbox, entry: RegistryEntry) {
        // Not at the level of the usual log: to enter a span and leave it at every step of a task takes
        // 2,000 instructions a move (by callgrind), 7 of 100.
        let span = tracing::debug_span!(target: "noughts_server::room", "room", code = %inbox.handle().code());
        let running = room::run(start, inbox, entry, Arc::clone(&self.context));
        self.tasks.spawn(running.instrument(span));
    }
}

/// The result of a quick match.
#[derive(Debug)]
pub(crate) enum QuickMatch {
    /// An opponent waited.
    Room(RoomCode),
    /// Nobody waited: the player is in the queue.
    Wait(MatchTicket),
}

/// The refusal for a feature that the host has switched off, and what to do instead.
pub(crate) fn switched_off(what: &str, instead: &str) -> Refusal {
    let message = format!("nobody {what} on this server: {instead}");
    Refusal::new(RefusalCode::SwitchedOff, message)
}

fn check_move_time(settings: &RoomSettings) -> Result<(), Refusal> {
    let message = "the time for a move is from one second to a week";
    let refusal = || Refusal::new(RefusalCode::BadSettings, message);
    settings.move_time_is_legal().then_some(()).ok_or_else(refusal)
}

fn by_chance(one: Seat, other: Seat) -> ByMark<Seat> {
    if rand::random() { ByMark { x: one, o: other } } else { ByMark { x: other, o: one } }
}
