//! The rules of the torture in a simulated world: memory in place of the network and virtual time,
//! so that a minute of stalls, partitions, half-dead connections and crashes of clients and server
//! takes milliseconds.
//!
//! `NOUGHTS_SIMULATIONS` sets how many seeds are tried (`tests/run --long` does); `NOUGHTS_SEED`
//! tries that one alone, and lives it again exactly: when every byte arrives, every move, every
//! crash. All of a world is one thread's and in virtual time, the journal and its time of day too;
//! its `select!`s say which branch comes first, and no `HashMap` decides an order. Chance comes from
//! the seed, but for what the server draws for itself: codes, players and secrets, which are names
//! of one length that nothing depends on, and a coin, which the rooms here never toss.
//!
//! With the faults of a seed comes all that is stored of its rooms and all that each client did and
//! saw.

mod bite;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use noughts_cli::action::{Action, NewRoom};
use noughts_cli::address::ServerAddress;
use noughts_cli::args::MarkChoice;
use noughts_cli::connection::network::Network;
use noughts_cli::connection::{Connection, ConnectionEvent, Destination};
use noughts_cli::ids::IntentIds;
use noughts_cli::session::Session;
use noughts_harness::bot::{Bot, Manner, Orders, between_looks};
use noughts_harness::ledger::{Deeds, record};
use noughts_harness::told::Told;
use noughts_harness::weather::{Arrival, Climate, Weather};
use noughts_harness::world::{World, run};
use noughts_harness::{Player, VIRTUAL_PATIENCE, let_pass};
use noughts_protocol::{Chaos, ClientMessage, Role, RoomCode, RoomSettings, SeatRequest};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Long troubles are beyond the 45 s after which either end takes the other for dead.
const CLIMATE: Climate = Climate {
    delay: Duration::from_millis(400),
    calm: Duration::from_secs(15),
    short: Duration::from_secs(4),
    long: Duration::from_secs(60),
};

/// Simulations of a short run.
const SIMULATIONS: u64 = 60;

/// How long the end may take, in virtual time: a half-dead connection is noticed after 45 s.
const END: Duration = Duration::from_secs(600);

/// A number that an environment variable holds.
pub(crate) fn number_from_env(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// Waits until every client shows what the server says, with the last game over; else the faults.
pub(crate) async fn agreed(truth: &mut Player, bots: &[Bot], within: Duration) -> Vec<String> {
    let code = truth.state().code;
    let deadline = Instant::now() + within;
    loop {
        let id = truth.new_id();
        truth.ask(ClientMessage::Sync { id, room: code }).await.unwrap();
        let id = truth.new_id();
        truth.ask(ClientMessage::Ping { id }).await.unwrap();
        let told = truth.state().clone();
        let over = !told.is_running() && !told.is_waiting();
        let differing = bots.iter().filter(|bot| bot.state().as_ref() != Some(&told));
        let faults: Vec<String> = differing
            .map(|bot| {
                format!("{code}: the server says\n{told:?}\nand a client\n{:?}", bot.state())
            })
            .collect();
        if over && faults.is_empty() {
            return faults;
        }
        if Instant::now() > deadline {
            let unfinished = (!over).then(|| format!("{code}: a game does not end: {told:?}"));
            return faults.into_iter().chain(unfinished).collect();
        }
        between_looks().await;
    }
}

/// What happened to all clients, in a line.
pub(crate) fn tally(deeds: &[Deeds]) -> String {
    let mut refused = BTreeMap::<&str, u32>::new();
    for (code, times) in deeds.iter().flat_map(|deeds| &deeds.refused) {
        *refused.entry(code).or_default() += times;
    }
    let breaks: u32 = deeds.iter().flat_map(|deeds| deeds.breaks.values()).sum();
    let granted: usize = deeds.iter().map(|deeds| deeds.granted.len()).sum();
    format!("{granted} moves granted, {breaks} breaks, refused {refused:?}")
}

/// One simulation.
struct Simulation {
    rng: StdRng,
    /// What the clients do to their own messages; the server does the like.
    chaos: Option<Chaos>,
    world: World,
    weathers: Vec<Weather>,
    orders: Told<Orders>,
    rooms: Vec<(RoomCode, Vec<Bot>)>,
}

/// What came of it.
#[derive(Debug, Default)]
struct Outcome {
    deeds: Vec<Deeds>,
    moves: usize,
    faults: Vec<String>,
    codes: Vec<RoomCode>,
    /// What is stored of its rooms, and all that each client did and saw.
    log: String,
    /// What arrived from and at each client.
    arrivals: Vec<Vec<Arrival>>,
}

impl Outcome {
    /// The log without the names that the server drew.
    fn nameless(&self) -> String {
        let codes = self.codes.iter().map(ToString::to_string);
        let players = self.deeds.iter().filter_map(|deeds| deeds.player);
        let names = codes.chain(players.map(|player| player.to_string()));
        names.enumerate().fold(self.log.clone(), |log, (number, name)| {
            log.replace(&name, &format!("name {number}"))
        })
    }
}

impl Simulation {
    async fn live(seed: u64, chaos: Option<Chaos>, world: World) -> Outcome {
        let orders = Told::new(Orders::Play);
        let rng = StdRng::seed_from_u64(seed);
        let (weathers, rooms) = (Vec::new(), Vec::new());
        let mut simulation = Self { rng, chaos, world, weathers, orders, rooms };
        for _ in 0..simulation.rng.random_range(1..=3) {
            simulation.open_room().await;
        }
        simulation.rage().await;
        simulation.end().await
    }

    async fn open_room(&mut self) {
        let board = if self.rng.random_bool(0.8) { "3x3x3" } else { "5x4x4" }.parse().unwrap();
        let settings = RoomSettings { board, ..RoomSettings::default() };
        let new = NewRoom::against(SeatRequest::Open, MarkChoice::X, settings);
        let host = self.bot("Host", Action::Create(new));
        let code = host.room().await;
        let guest = self.bot("Guest", Action::Join { room: code, role: Role::Player });
        let mut bots = vec![host, guest];
        if self.rng.random() {
            bots.push(self.bot("Watcher", Action::Join { room: code, role: Role::Spectator }));
        }
        self.rooms.push((code, bots));
    }

    fn bot(&mut self, name: &str, goal: Action) -> Bot {
        let weather = Weather::new(CLIMATE, self.rng.random());
        self.weathers.push(weather.clone());
        let anybody = Destination::new(ServerAddress::default(), name.parse().unwrap());
        let destination = Destination { chaos: self.chaos, ..anybody };
        self.chaos = self.chaos.map(|chaos| chaos.of(1));
        let manner = Manner {
            seed: self.rng.random(),
            thinks: Duration::from_secs(2),
            crashes: 0.02,
            weather: Some(weather.clone()),
            granted: None,
        };
        Bot::start(self.world.road(weather), destination, goal, manner, self.orders.clone())
    }

    /// Bad weather for everybody, and a server that crashes or is stopped, for a minute or three.
    async fn rage(&mut self) {
        let over = CancellationToken::new();
        let raging: Vec<_> = (self.weathers.iter().cloned())
            .map(|weather| {
                let over = over.clone();
                tokio::spawn(async move { weather.rage(&over).await })
            })
            .collect();
        let until = Instant::now() + Duration::from_secs(self.rng.random_range(30..180));
        while Instant::now() < until {
            let_pass(Duration::from_millis(self.rng.random_range(500..30_000))).await;
            if self.rng.random_bool(0.7) {
                self.world.crash(&self.weathers).await;
            } else {
                self.world.stop().await;
            }
            let most = if self.rng.random_bool(0.8) { 2_000 } else { 20_000 };
            let_pass(Duration::from_millis(self.rng.random_range(0..most))).await;
            self.world.start().await;
        }
        over.cancel();
        for raged in raging {
            raged.await.unwrap();
        }
    }

    /// Every game ends in fine weather; then everybody must say the same.
    async fn end(mut self) -> Outcome {
        let mut outcome = Outcome::default();
        if self.chaos.is_some() {
            // Whoever is to see the truth shall not be lied to.
            self.world.stop().await;
            self.world.set_options(&[]);
            self.world.start().await;
        }
        self.orders.tell(Orders::Finish);
        for (code, bots) in &self.rooms {
            let mut road = self.world.road(Weather::new(CLIMATE, 0));
            let stream = Box::new(road.connect(&ServerAddress::default()).await.unwrap());
            let mut truth = Player::greet(stream, "Truth", None, VIRTUAL_PATIENCE).await;
            truth.join(*code, Role::Spectator).await.unwrap();
            outcome.faults.extend(agreed(&mut truth, bots, END).await);
        }
        self.world.stop().await;
        outcome.arrivals = self.weathers.iter().map(Weather::arrivals).collect();
        for (code, bots) in &self.rooms {
            let record = record(self.world.folder(), *code);
            let deeds: Vec<_> = bots.iter().map(Bot::deeds).collect();
            outcome.faults.extend(record.disagreements(&deeds));
            outcome.log +=
                &format!("{code} as it is stored: {record:#?}\nits clients: {deeds:#?}\n");
            outcome.codes.push(*code);
            outcome.moves += record.moves();
            outcome.deeds.extend(deeds);
        }
        if !outcome.faults.is_empty() {
            outcome.faults.push(outcome.log.clone());
        }
        outcome
    }
}

fn simulate(seed: u64) -> Outcome {
    let lived = catch_unwind(AssertUnwindSafe(|| {
        // Every third world loses and doubles messages too.
        let chaos = format!("drop=2%,dup=5%,kill=1/200,delay=50ms,seed={seed}");
        let chaos = seed.is_multiple_of(3).then_some(chaos);
        let parsed = chaos.as_ref().map(|chaos| chaos.parse().unwrap());
        let option = chaos.map(|chaos| format!("--chaos={chaos}"));
        let options: Vec<&str> = option.iter().map(String::as_str).collect();
        run(&options, async |world| Simulation::live(seed, parsed, world).await)
    }));
    lived.unwrap_or_else(|_| Outcome {
        faults: vec!["it panicked".to_owned()],
        ..Outcome::default()
    })
}

/// Nothing is said for minutes while a player thinks: heartbeats alone keep the connection.
#[test]
fn a_quiet_connection_stays() {
    run(&[], async |world| {
        let road = world.road(Weather::new(CLIMATE, 0));
        let (server, name) = (ServerAddress::default(), "Ada".parse().unwrap());
        let destination = Destination::new(server, name);
        let ids = IntentIds::starting_at(0);
        let mut connection = Connection::open_over(road, destination, ids.clone());
        let mut session = Session::new(ids);
        let new = NewRoom::against(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        connection.send(session.begin(&Action::Create(new)).unwrap()).unwrap();
        let (mut sent, until) = (false, Instant::now() + Duration::from_secs(600));
        while let Ok(incoming) = tokio::time::timeout_at(until, connection.receive()).await {
            assert!(
                !matches!(incoming, ConnectionEvent::Lost(_) | ConnectionEvent::Ended(_)),
                "{incoming:?}"
            );
            session.receive(incoming, std::time::Instant::now());
            if until - Instant::now() < Duration::from_secs(300) && !sent {
                let code = session.room().unwrap().state.code;
                connection.send(session.join(code, Role::Player)).unwrap();
                sent = true;
            }
        }
        assert!(sent && session.is_settled());
    });
}

/// The first seed to try, and how many.
fn seeds() -> (u64, u64) {
    let count = number_from_env("NOUGHTS_SIMULATIONS").unwrap_or(SIMULATIONS);
    let anew = || (rand::random::<u32>().into(), count);
    number_from_env("NOUGHTS_SEED").map_or_else(anew, |alone| (alone, 1))
}

#[test]
fn a_seed_is_lived_again_exactly() {
    let (first, count) = seeds();
    for seed in first..first + count.div_ceil(10) {
        let [one, other] = [(); 2].map(|()| simulate(seed));
        for (client, (one, other)) in one.arrivals.iter().zip(&other.arrivals).enumerate() {
            let parted = one.iter().zip(other).find(|(one, other)| one != other);
            assert!(one == other, "seed {seed}: client {client} parts at {parted:?}");
        }
        assert_eq!(one.nameless(), other.nameless(), "seed {seed}");
    }
}

#[test]
fn no_weather_and_no_crash_loses_doubles_or_reorders_a_move() {
    let (first, count) = seeds();
    println!("{count} simulations from seed {first}");
    let (next, done) = (AtomicU64::new(0), Mutex::new((Vec::new(), 0, Vec::new())));
    let begun = std::time::Instant::now();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let seed = first + number;
            let outcome = simulate(seed);
            let mut done = done.lock().unwrap();
            done.0.extend(outcome.deeds);
            done.1 += outcome.moves;
            if !outcome.faults.is_empty() {
                println!("replay it with: NOUGHTS_SEED={seed} tests/run no_weather");
                done.2.push(format!("seed {seed}:\n{}", outcome.faults.join("\n")));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (deeds, moves, faults) = done.into_inner().unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    println!("{count} simulations in {seconds:.1} s: {moves} moves stored, {}", tally(&deeds));
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(moves > 0, "nothing was played");
}
