//! How people find a room: create one, join by code, quick match, the list.
//! Rooms live in the [`registry`], those who wait for a match in the [`matchmaker`]; what
//! happens inside a room is the room's.

mod housekeeping;
mod listing;
pub(crate) mod matchmaker;
pub(crate) mod quotas;
pub(crate) mod registry;

use std::net::IpAddr;
use std::sync::Arc;

use noughts_protocol::{
    BoardSpec, ByMark, Computer, Features, IntentId, PlayerId, PlayerName, Presence, Refusal,
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
use crate::room::{self, AnalysisPool, Clock, EnginePool, Inbox, RoomContext, RoomHandle, Start};
pub(crate) use listing::Listing;
use matchmaker::{MatchTicket, Matchmaker, QuickSettings};
use quotas::Owner;
use registry::{Hibernated, Inserted, Lookup, Registration, Registry, RoomCounts};

/// The rooms of one server and the ways into them.
#[derive(Debug)]
pub(crate) struct Lobby {
    registry: Arc<Registry>,
    matchmaker: Arc<Matchmaker>,
    listing: Listing,
    context: RoomContext,
    /// Every room's task, so that a stopping server can wait for them.
    tasks: TaskTracker,
    quick_move_time_ms: u32,
    features: Features,
}

/// Somebody who makes a room or looks for one.
#[derive(Debug, Clone)]
pub(crate) struct Requester {
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    /// Where they come from.
    pub(crate) address: IpAddr,
    /// The intent with which they ask; asked again, it leads to the same room.
    pub(crate) id: IntentId,
}

impl Requester {
    const fn owner(&self) -> Owner {
        Owner { player: self.player, address: Some(self.address) }
    }
}

impl Lobby {
    /// A lobby without rooms, which are kept in `journal` if there is one. `stop` ends its rooms,
    /// which run on `tasks`.
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
        };
        Self {
            registry,
            matchmaker: Arc::default(),
            listing,
            context,
            tasks,
            quick_move_time_ms: config.quick_move_time_ms,
            features: config.features,
        }
    }

    /// Takes in the rooms that the journal holds: asleep, until somebody comes for them.
    pub(crate) fn remember(&self, rooms: Vec<LiveRoom>) {
        let Some(journal) = &self.context.journal else { return };
        for LiveRoom { id, code, vacant, origins } in rooms {
            let Ok(code) = code.parse() else {
                tracing::error!(id, code, "a room of the journal has no code that could be one");
                continue;
            };
            let unattended = vacant.map(|(run, at)| journal.uptime().since(run, at));
            let since = Clock::START.saturating_sub(unattended.unwrap_or_default());
            let until = since + self.context.times.unattended;
            self.registry.remember(code, Hibernated { id, resume: None, since, until }, origins);
        }
    }

    /// The room with a code, woken if it sleeps.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) fn find(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        let mut inbox = None;
        let found = self.registry.find(code, || {
            let (handle, commands) = room::handle(code);
            inbox = Some(commands);
            handle
        });
        match (found, inbox) {
            (Some(Lookup::Activated(registration, hibernated)), Some(inbox)) => {
                let handle = registration.handle().clone();
                self.start(Start::Restore(hibernated), registration, inbox);
                Ok(handle)
            }
            (Some(Lookup::Active(handle)), _) => Ok(handle),
            _ => Err(room::no_such_room(code)),
        }
    }

    /// Whether there is a room with a code.
    pub(crate) fn has(&self, code: RoomCode) -> bool {
        self.registry.has(code)
    }

    /// Whether the server is stopping.
    pub(crate) fn is_stopping(&self) -> bool {
        self.context.stop.is_cancelled()
    }

    /// How many rooms there are.
    pub(crate) fn rooms(&self) -> usize {
        self.registry.len()
    }

    /// How many of them sleep: nobody is there, and they are only in the journal.
    pub(crate) fn hibernated(&self) -> usize {
        self.registry.hibernated()
    }

    /// How many there are in each state.
    pub(crate) fn room_counts(&self) -> RoomCounts {
        self.registry.room_counts()
    }

    /// Notices for ever where the server stands still, so that the rooms' clocks do too.
    pub(crate) async fn watch_clock(&self) {
        self.context.clock.watch().await;
    }

    /// How many wait for a quick match.
    pub(crate) fn waiting_for_match(&self) -> usize {
        self.matchmaker.len()
    }

    /// The listed rooms.
    pub(crate) fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Makes a room, or finds the one that the same intent made.
    ///
    /// # Errors
    /// Where the settings contradict each other or a limit is reached.
    pub(crate) fn create(
        &self,
        requester: &Requester,
        mut settings: RoomSettings,
        mut seats: ByMark<SeatRequest>,
        shuffle: bool,
    ) -> Result<RoomCode, Refusal> {
        let origin = Origin { player: requester.player, id: requester.id };
        if let Some(room) = self.registry.find_by_origin(origin) {
            return Ok(room);
        }
        if settings.listed && !self.features.listing {
            return Err(switched_off("can list rooms", "make one that is not listed"));
        }
        settings.spectators &= self.features.spectators;
        check_move_time(&settings)?;
        if !settings.opening_is_legal() {
            return Err(Refusal::new(
                RefusalCode::BadSettings,
                "swap2 needs a board whose sides are both 13 or more: choose a larger board, or a \
                 free opening",
            ));
        }
        let takes_seat = [seats.x, seats.o].contains(&SeatRequest::You);
        if !takes_seat && !self.features.spectators {
            return Err(switched_off("can watch", "take a seat"));
        }
        if !takes_seat && !settings.spectators {
            return Err(Refusal::new(
                RefusalCode::BadSettings,
                "in a room without spectators you need a seat: take one, or admit spectators",
            ));
        }
        if shuffle && rand::random() {
            std::mem::swap(&mut seats.x, &mut seats.o);
        }
        let seat = |request| match request {
            SeatRequest::You => human(requester),
            SeatRequest::Open => Seat::Open,
            SeatRequest::Computer(computer) => Seat::Computer(computer),
        };
        let seats = ByMark { x: seat(seats.x), o: seat(seats.o) };
        self.open(settings, seats, &[origin], requester)
    }

    /// Pairs a player with whoever waits for the same game, or lets them wait.
    ///
    /// # Errors
    /// Where the settings are out of range or the server holds as many rooms as it can.
    pub(crate) fn quick_match(
        &self,
        requester: &Requester,
        board: BoardSpec,
        move_time_ms: Option<u32>,
    ) -> Result<QuickMatch, Refusal> {
        let origin = Origin { player: requester.player, id: requester.id };
        if let Some(room) = self.registry.find_by_origin(origin) {
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
        // Before anybody is taken from the queue for them.
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
            // The other one's connection ended in this very moment; their seat in that room
            // stays empty and the room ends by itself. Look for somebody else.
        }
    }

    /// The room in which a player whom nobody came for plays the computer.
    ///
    /// # Errors
    /// Where the player or the server has as many rooms as it can.
    pub(crate) fn against_computer(
        &self,
        requester: &Requester,
        wanted: QuickSettings,
        computer: Computer,
    ) -> Result<RoomCode, Refusal> {
        let QuickSettings { board, move_time_ms } = wanted;
        let settings = self.quick_settings(board, move_time_ms, false);
        let seats = by_chance(human(requester), Seat::Computer(computer));
        self.open(
            settings,
            seats,
            &[Origin { player: requester.player, id: requester.id }],
            requester,
        )
    }

    /// What holds in every quick match: strangers play without help.
    fn quick_settings(
        &self,
        board: BoardSpec,
        move_time_ms: Option<u32>,
        listed: bool,
    ) -> RoomSettings {
        let Features { spectators, .. } = self.features;
        let usual = RoomSettings::default();
        RoomSettings { board, move_time_ms, listed, spectators, hints: false, ..usual }
    }

    fn open_pair(
        &self,
        settings: RoomSettings,
        one: &Requester,
        other: &Requester,
    ) -> Result<RoomCode, Refusal> {
        let origins =
            [one, other].map(|requester| Origin { player: requester.player, id: requester.id });
        self.open(settings, by_chance(human(one), human(other)), &origins, one)
    }

    /// Makes a room, which is `maker`'s.
    fn open(
        &self,
        settings: RoomSettings,
        seats: ByMark<Seat>,
        origins: &[Origin],
        maker: &Requester,
    ) -> Result<RoomCode, Refusal> {
        if self.is_stopping() {
            let message = "the server is stopping: try again in a minute";
            return Err(Refusal::new(RefusalCode::Stopping, message));
        }
        let waiting = seats.has_open();
        let mut inbox = None;
        let now = self.context.clock.now();
        let made = self.registry.insert(origins, maker.owner(), waiting, now, |code| {
            let (handle, commands) = room::handle(code);
            inbox = Some(commands);
            handle
        });
        let Inserted { registration, evicted } = made?;
        if let Some(gone) = evicted
            && let Ok(room) = self.find(gone)
        {
            tracing::info!(%gone, "a room that nobody is in ends for another");
            room.end_unless_attended();
        }
        let code = registration.handle().code();
        if let Some(inbox) = inbox {
            self.start(Start::New { settings, seats }, registration, inbox);
        }
        Ok(code)
    }

    fn start(&self, birth: Start, registration: Registration, inbox: Inbox) {
        let span = tracing::info_span!("room", code = %registration.handle().code());
        let running = room::run(birth, registration, inbox, self.context.clone());
        self.tasks.spawn(running.instrument(span));
    }
}

/// What a quick match leads to.
#[derive(Debug)]
pub(crate) enum QuickMatch {
    /// Somebody waited: this is the room.
    Room(RoomCode),
    /// Nobody did: wait.
    Wait(MatchTicket),
}

/// What the host has switched off, and what can be done all the same.
pub(crate) fn switched_off(what: &str, instead: &str) -> Refusal {
    let message = format!("nobody {what} on this server: {instead}");
    Refusal::new(RefusalCode::SwitchedOff, message)
}

fn check_move_time(settings: &RoomSettings) -> Result<(), Refusal> {
    let message = "the time for a move is from one second to a week";
    let refusal = || Refusal::new(RefusalCode::BadSettings, message);
    settings.move_time_is_legal().then_some(()).ok_or_else(refusal)
}

fn human(requester: &Requester) -> Seat {
    let (player, name) = (requester.player, requester.name.clone());
    Seat::Human { player, name, presence: Presence::Connected }
}

fn by_chance(one: Seat, other: Seat) -> ByMark<Seat> {
    if rand::random() { ByMark { x: one, o: other } } else { ByMark { x: other, o: one } }
}
