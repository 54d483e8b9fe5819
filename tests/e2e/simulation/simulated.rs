//! One simulated world: its rooms, its party, and what happens to them.

use std::time::Duration;

use noughts_cli::action::Action;
use noughts_client::address::ServerAddress;
use noughts_client::connection::Destination;
use noughts_client::connection::network::Network;
use noughts_harness::bot::{Bot, BotCommand, BotConfig};
use noughts_harness::checker::{Stored, talk_violations};
use noughts_harness::fault_injector::{Arrival, FaultInjector, FaultProfile};
use noughts_harness::history::ClientHistory;
use noughts_harness::ordered_watch::OrderedWatch;
use noughts_harness::party::history::PartyHistory;
use noughts_harness::party::{PlayedParty, Way, short_party};
use noughts_harness::world::{DiskMode, FaultyNetwork, World};
use noughts_harness::{Player, VIRTUAL_TIMEOUT, advance_time};
use noughts_protocol::{BoardSpec, MarkChoice, Role, RoomCode, RoomSettings, SeatRequest, Variant};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{AGREEMENT_TIME, FAULTS, PARTY_TIME, RESEND_TIME, disagreements};

/// One simulation.
pub(super) struct Simulation {
    rng: StdRng,
    profile: FaultProfile,
    world: World,
    networks: Vec<FaultInjector>,
    command: OrderedWatch<BotCommand>,
    rooms: Vec<(RoomCode, Vec<Bot>)>,
    party: Option<PlayedParty>,
}

/// The smallest board of a variant, on which games are short.
fn smallest(variant: Variant) -> &'static str {
    let cells = |board: &&str| board.parse::<BoardSpec>().unwrap().cells();
    variant.boards().iter().copied().min_by_key(cells).unwrap()
}

/// The result of a simulation.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) histories: Vec<ClientHistory>,
    pub(super) moves: usize,
    /// The facts that the people of its party were told.
    pub(super) facts: usize,
    pub(super) violations: Vec<String>,
    /// The codes and ids that the server drew, in an order that every run of the seed has.
    pub(super) drawn: Vec<String>,
    /// The stored histories of its rooms, and the histories of their clients.
    pub(super) log: String,
    /// The arrivals at and from each client.
    pub(super) arrivals: Vec<Vec<Arrival>>,
}

impl Outcome {
    /// Compares a party with what is stored.
    fn compare(&mut self, party: &PartyHistory, stored: &Stored) {
        self.violations.extend(party.violations(stored));
        self.facts += party.told.len();
        self.drawn.extend(party.drawn());
        self.log += &format!("its party: {:#?}\n", party.told);
    }

    /// The log without the codes and ids that the server drew.
    pub(super) fn normalized_log(&self) -> String {
        self.drawn.iter().enumerate().fold(self.log.clone(), |log, (number, name)| {
            log.replace(name, &format!("name {number}"))
        })
    }
}

impl Simulation {
    pub(super) async fn run(seed: u64, profile: FaultProfile, world: World) -> Outcome {
        let command = OrderedWatch::new(BotCommand::Play);
        let rng = StdRng::seed_from_u64(seed);
        let networks = Vec::new();
        let rooms = Vec::new();
        let party = None;
        let mut simulation = Self { rng, profile, world, networks, command, rooms, party };
        for _ in 0..simulation.rng.random_range(1..=3) {
            simulation.open_room().await;
        }
        if simulation.rng.random() {
            simulation.begin_party();
        }
        simulation.inject_faults().await;
        simulation.finish().await
    }

    async fn open_room(&mut self) {
        let small = if self.rng.random_bool(0.8) { "3x3x3" } else { "5x4x4" };
        let is_variant = self.rng.random_bool(0.3);
        let variant = *Variant::ALL.choose(&mut self.rng).unwrap();
        let variant = if is_variant { variant } else { Variant::Line };
        let board = if variant == Variant::Line { small } else { smallest(variant) };
        let board = board.parse().unwrap();
        let settings = RoomSettings { board, variant, ..RoomSettings::default() };
        let new = Action::create(SeatRequest::Open, MarkChoice::X, settings);
        let host = self.bot("Host", new);
        let code = host.room().await;
        let guest = self.bot("Guest", Action::join(code, Role::Player));
        let mut bots = vec![host, guest];
        if self.rng.random() {
            bots.push(self.bot("Watcher", Action::join(code, Role::Spectator)));
        }
        self.rooms.push((code, bots));
    }

    /// A party begins. Its people are on networks that lose no single message: the harness's player
    /// does not ask again for what is missing.
    fn begin_party(&mut self) {
        let settings = short_party(&mut self.rng);
        let host = self.way();
        let guests = (0..self.rng.random_range(3..7)).map(|_| self.way()).collect();
        self.party = Some(PlayedParty::begin(settings, host, guests, PartyHistory::default()));
    }

    fn way(&mut self) -> Way<FaultyNetwork> {
        let faults = FaultInjector::new(FAULTS, self.rng.random());
        self.networks.push(faults.clone());
        Way { network: self.world.network(faults), address: ServerAddress::default() }
    }

    fn bot(&mut self, name: &str, goal: Action) -> Bot {
        let faults = FaultInjector::new(self.profile, self.rng.random());
        self.networks.push(faults.clone());
        let destination = Destination::new(ServerAddress::default(), name.parse().unwrap());
        let config = BotConfig {
            seed: self.rng.random(),
            max_think_time: Duration::from_secs(2),
            crash_probability: 0.02,
            faults: Some(faults.clone()),
            acknowledged: None,
        };
        Bot::start(self.world.network(faults), destination, goal, config, self.command.clone())
    }

    /// Injects faults into every network and crashes or stops the server, for half a minute to
    /// three minutes.
    async fn inject_faults(&mut self) {
        let stop = CancellationToken::new();
        let injecting: Vec<_> = (self.networks.iter().cloned())
            .map(|faults| {
                let stop = stop.clone();
                tokio::spawn(async move { faults.run(&stop).await })
            })
            .collect();
        let until = Instant::now() + Duration::from_secs(self.rng.random_range(30..180));
        while Instant::now() < until {
            advance_time(Duration::from_millis(self.rng.random_range(500..30_000))).await;
            let answers = self.disturb_disk().await;
            if self.rng.random_bool(0.7) || !answers {
                self.world.crash(&self.networks).await;
            } else {
                self.world.stop().await;
            }
            let longest = if self.rng.random_bool(0.8) { 2_000 } else { 20_000 };
            advance_time(Duration::from_millis(self.rng.random_range(0..longest))).await;
            self.world.start().await;
        }
        stop.cancel();
        for injected in injecting {
            injected.await.unwrap();
        }
    }

    /// Sometimes the disk refuses everything for a while, or does not answer any more: then the server
    /// must crash. Returns whether it answers.
    async fn disturb_disk(&mut self) -> bool {
        let longest = Duration::from_secs(8).mul_f64(self.rng.random());
        match self.rng.random_range(0..10) {
            refusing @ 0..2 => {
                self.world.set_disk([DiskMode::Refuses, DiskMode::RefusesParties][refusing]);
                advance_time(longest).await;
                self.world.set_disk(DiskMode::Works);
                advance_time(longest).await;
            }
            2..4 => {
                self.world.set_disk(DiskMode::InDoubt { stored: self.rng.random() });
                advance_time(longest).await;
                return false;
            }
            _ => {}
        }
        true
    }

    /// Lets every game end on sound connections; then the clients, the server and its store must
    /// agree. Messages may still be lost: the observer alone has a network without faults.
    async fn finish(mut self) -> Outcome {
        let mut outcome = Outcome::default();
        self.command.set(BotCommand::Finish);
        let party = match self.party.take() {
            Some(party) => Some(party.until_over(PARTY_TIME).await),
            None => None,
        };
        for wait in [RESEND_TIME, Duration::ZERO] {
            for (code, bots) in &self.rooms {
                let mut network = self.world.network(FaultInjector::new(FAULTS, 0));
                let stream = Box::new(network.connect(&ServerAddress::default()).await.unwrap());
                let mut observer = Player::greet(stream, "Observer", None, VIRTUAL_TIMEOUT).await;
                observer.join(*code, Role::Spectator).await.unwrap();
                outcome.violations.extend(disagreements(&mut observer, bots, AGREEMENT_TIME).await);
            }
            advance_time(wait).await;
        }
        self.world.stop().await;
        outcome.arrivals = self.networks.iter().map(FaultInjector::arrivals).collect();
        let stored = Stored::read(self.world.folder());
        for (code, bots) in &self.rooms {
            let room = stored.room(*code);
            let histories: Vec<_> = bots.iter().map(Bot::history).collect();
            outcome.violations.extend(room.violations(&histories));
            outcome.log += &format!("{code} is stored as {room:#?}\nits clients: {histories:#?}\n");
            outcome.drawn.push(code.to_string());
            outcome.moves += room.moves();
            outcome.histories.extend(histories);
        }
        outcome.violations.extend(talk_violations(self.world.folder(), &outcome.histories));
        let players = outcome.histories.iter().filter_map(|history| history.player);
        outcome.drawn.extend(players.map(|player| player.to_string()));
        if let Some(party) = party {
            outcome.compare(&party, &stored);
        }
        if !outcome.violations.is_empty() {
            outcome.violations.push(outcome.log.clone());
        }
        outcome
    }
}
