//! Three nodes, twenty codes, and people who make, change, end and look at rooms, while nodes are killed,
//! stopped, frozen and cut off and the engine is away, slow or forgetful.
//!
//! Invariants:
//! - a version that was acknowledged is not lost, and no version is stored twice;
//! - nobody is shown a version older than one that was acknowledged before they asked;
//! - each game whose save was stored is in each copy, and no other one;
//! - at the end each room can be found from every node, and a table is where its party is.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::RoomCode;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::LocalSet;
use tokio::time::Instant;

use super::world::*;
use crate::NodeId;
use crate::fake::{FakeServer, Faults};

const CODES: u32 = 20;
const PEOPLE: u64 = 5;
/// How long there are faults.
const TIME: Duration = Duration::from_secs(60);
/// An owner is found within so long, once all faults are over.
const QUIET: Duration = Duration::from_secs(40);
const SEEDS: u64 = 100;

/// The order of the states of a code: the number of its room, the version. An ended room has the last one.
type Point = (u64, u64);

/// A code as it is known outside the nodes.
#[derive(Debug, Default)]
struct Known {
    /// Rooms that somebody tried to make.
    made: u64,
    /// The last acknowledged state.
    acknowledged: Point,
    /// The token of each version that anybody saw.
    states: BTreeMap<Point, String>,
}

#[derive(Debug)]
struct World {
    server: FakeServer,
    machines: Vec<Machine>,
    processes: RefCell<Vec<Option<Arc<Process>>>>,
    rng: RefCell<StdRng>,
    codes: RefCell<BTreeMap<RoomCode, Known>>,
    ending: Ending,
    /// Games that were in a state that anybody saw, or acknowledged with the end of a room.
    games: RefCell<BTreeSet<u64>>,
    tried_games: RefCell<BTreeSet<u64>>,
    next: RefCell<u64>,
    /// Machines to which something happens.
    broken: RefCell<BTreeSet<usize>>,
    is_over: RefCell<bool>,
    counts: RefCell<BTreeMap<&'static str, u64>>,
}

impl World {
    fn chance(&self, most: u64) -> u64 {
        self.rng.borrow_mut().random_range(0..most)
    }

    fn next(&self) -> u64 {
        *self.next.borrow_mut() += 1;
        *self.next.borrow()
    }

    fn count(&self, what: &'static str) {
        *self.counts.borrow_mut().entry(what).or_default() += 1;
    }

    fn process(&self, number: usize) -> Option<Arc<Process>> {
        self.processes.borrow().get(number).cloned().flatten()
    }

    fn all(&self) -> Vec<Arc<Process>> {
        self.processes.borrow().iter().flatten().cloned().collect()
    }

    fn process_of(&self, id: NodeId) -> Option<Arc<Process>> {
        self.all().into_iter().find(|process| process.cluster.id() == id)
    }

    /// Notes a state that was stored for certain.
    fn saw(&self, code: RoomCode, Memory { v, state }: &Memory) -> Point {
        let room = room_of(state);
        for game in state.split(' ').filter_map(|part| part.strip_prefix("game-")) {
            self.games.borrow_mut().insert(game.parse().unwrap());
        }
        let mut codes = self.codes.borrow_mut();
        let states = &mut codes.entry(code).or_default().states;
        let seen = states.entry((room, *v)).or_insert_with(|| state.clone());
        assert_eq!(seen, state, "{code}: version {v} of room {room} is stored twice");
        (room, *v)
    }

    fn acknowledge(&self, code: RoomCode, point: Point) {
        let mut codes = self.codes.borrow_mut();
        let known = codes.entry(code).or_default();
        known.acknowledged = known.acknowledged.max(point);
    }

    fn acknowledged(&self, code: RoomCode) -> Point {
        self.codes.borrow_mut().entry(code).or_default().acknowledged
    }

    /// Nothing is there: was there anything that must be?
    fn found_nothing(&self, code: RoomCode, (room, v): Point) {
        let is_ending = self.ending.lock().contains(&(code, room));
        let gone = room == 0 || v == u64::MAX || is_ending;
        assert!(gone, "{code}: version {v} of room {room} is lost");
    }

    /// Somebody looks at a code.
    async fn look(&self, code: RoomCode, mut process: Arc<Process>) {
        let before = self.acknowledged(code);
        for _ in 0..3 {
            let asked = Arc::clone(&process);
            let seen = process.request(async move { asked.read(code).await }).await;
            match seen {
                Some(Ok(memory)) => {
                    let point = self.saw(code, &memory);
                    assert!(point >= before, "{code}: {point:?} was shown after {before:?}");
                    return self.count("looks");
                }
                Some(Err(Failure::Nowhere)) => return self.found_nothing(code, before),
                Some(Err(Failure::At(node))) => match self.process_of(node) {
                    Some(owner) => process = owner,
                    None => return,
                },
                Some(Err(Failure::Later | Failure::Stale)) | None => return,
            }
        }
    }

    /// Somebody changes or ends a room.
    async fn change(&self, code: RoomCode, mut process: Arc<Process>) {
        let before = self.acknowledged(code);
        let token = (self.chance(12) > 0 || is_party(code)).then(|| self.next());
        let game = (self.chance(4) == 0 && !is_party(code)).then(|| self.next());
        self.tried_games.borrow_mut().extend(game);
        for _ in 0..3 {
            let asked = Arc::clone(&process);
            let ending = Ending::clone(&self.ending);
            let changed =
                process.request(async move { asked.change(code, token, game, &ending).await });
            match changed.await {
                Some(Ok(memory)) => {
                    if token.is_some() {
                        let point = self.saw(code, &memory);
                        self.acknowledge(code, point);
                    } else {
                        let room = room_of(&memory.state);
                        self.games.borrow_mut().extend(game);
                        self.acknowledge(code, (room, u64::MAX));
                        self.count("ends");
                    }
                    return self.count("changes");
                }
                Some(Err(Failure::At(node))) => match self.process_of(node) {
                    Some(owner) => process = owner,
                    None => return,
                },
                Some(Err(Failure::Nowhere)) => {
                    self.found_nothing(code, before);
                    return self.create(code, process).await;
                }
                Some(Err(Failure::Stale)) => return self.count("stale"),
                Some(Err(Failure::Later)) => return self.count("later"),
                None => return self.count("unanswered"),
            }
        }
    }

    /// Somebody makes a room. A table is made where its party is.
    async fn create(&self, code: RoomCode, mut process: Arc<Process>) {
        if let Some(party) = party_of(code) {
            let asked = Arc::clone(&process);
            match process.request(async move { asked.read(party.0).await }).await {
                Some(Ok(_)) => {}
                Some(Err(Failure::At(node))) => match self.process_of(node) {
                    Some(owner) => process = owner,
                    None => return,
                },
                _ => return,
            }
            let asked = Arc::clone(&process);
            let here = process.request(async move { asked.read(party.0).await }).await;
            if !matches!(here, Some(Ok(_))) {
                return;
            }
        }
        let room = {
            let mut codes = self.codes.borrow_mut();
            let known = codes.entry(code).or_default();
            known.made += 1;
            known.made
        };
        let state = format!("{room} {}", self.next());
        let asked = Arc::clone(&process);
        let made = process.request(async move { asked.create(code, state).await }).await;
        if let Some(Ok(memory)) = made {
            let point = self.saw(code, &memory);
            self.acknowledge(code, point);
            self.count("rooms");
        }
    }

    /// A person, until it is over.
    async fn live(&self) {
        while !*self.is_over.borrow() {
            pass(Duration::from_millis(50 + self.chance(600))).await;
            let code = code(u32::try_from(self.chance(CODES.into())).unwrap());
            let number = usize::try_from(self.chance(3)).unwrap();
            let Some(process) = self.process(number) else { continue };
            match self.chance(20) {
                0..8 => self.look(code, process).await,
                8..19 => self.change(code, process).await,
                _ => {
                    let asked = Arc::clone(&process);
                    process.request(async move { asked.hibernate(code).await }).await;
                }
            }
        }
    }

    async fn start(&self, number: usize) {
        let machine = &self.machines[number];
        while self.process(number).is_none() {
            let process = machine.start(self.next()).await;
            if let Some(slot) = self.processes.borrow_mut().get_mut(number) {
                *slot = process;
            }
        }
    }

    fn stop(&self, number: usize) -> Option<Arc<Process>> {
        self.processes.borrow_mut().get_mut(number)?.take()
    }

    /// Something breaks and is mended.
    async fn fault(&self, number: usize) {
        let short = Duration::from_millis(self.chance(2500));
        let long = Duration::from_millis(self.chance(9000));
        match self.chance(7) {
            0 => {
                if let Some(process) = self.stop(number) {
                    self.count("kills");
                    process.kill();
                }
                pass(long).await;
                self.start(number).await;
            }
            1 => {
                if let Some(process) = self.stop(number) {
                    process.leave().await;
                }
                pass(short).await;
                self.start(number).await;
            }
            2 => {
                let Some(process) = self.process(number) else { return };
                process.gate.set_frozen(true);
                pass(long).await;
                process.gate.set_frozen(false);
            }
            3 => {
                let engine = &self.machines[number].engine;
                engine.set_cut(true);
                pass(long).await;
                engine.set_cut(false);
            }
            4 => {
                self.server.set_down(true);
                pass(long).await;
                self.server.set_down(false);
            }
            5 => {
                self.server.set_faults(Faults { lost: 100, late: 100, unanswered: 200, ..MILD });
                pass(long).await;
                self.server.set_faults(MILD);
            }
            _ => {
                self.server.set_faults(Faults { delay: Duration::from_millis(700), ..MILD });
                pass(long).await;
                self.server.set_faults(MILD);
            }
        }
    }

    async fn break_things(&self) {
        while !*self.is_over.borrow() {
            pass(Duration::from_millis(self.chance(6000))).await;
            let number = usize::try_from(self.chance(3)).unwrap();
            if self.broken.borrow_mut().insert(number) {
                self.fault(number).await;
                self.broken.borrow_mut().remove(&number);
            }
        }
    }

    /// Checks every node's answers at the end.
    async fn check_ends(&self) {
        for number in 0..CODES {
            let code = code(number);
            let before = self.acknowledged(code);
            let mut owners = BTreeSet::new();
            for process in self.all() {
                let found = process.cluster.locate(code).await.unwrap();
                match found {
                    crate::Location::Nowhere => self.found_nothing(code, before),
                    crate::Location::Here(_) => drop(owners.insert(process.cluster.id())),
                    crate::Location::At(peer) => drop(owners.insert(peer.id)),
                }
            }
            assert!(owners.len() <= 1, "{code} has several owners: {owners:?}");
            let Some(owner) = owners.first().and_then(|&id| self.process_of(id)) else { continue };
            let memory = owner.read(code).await.unwrap();
            let point = self.saw(code, &memory);
            assert!(point >= before, "{code}: {point:?} is left after {before:?}");
            if let Some(party) = party_of(code)
                && let Ok(found) = owner.cluster.locate(party.0).await
            {
                let is_here = !matches!(found, crate::Location::At(_));
                assert!(is_here, "the table {code} is not where its party is: {found:?}");
            }
        }
    }

    /// Every copy has the same games: all that were stored.
    async fn check_copies(&self) {
        let tried = self.tried_games.borrow().clone();
        for game in tried {
            let mut found = BTreeSet::new();
            for machine in &self.machines {
                found.insert(machine.has(game).await);
            }
            assert_eq!(found.len(), 1, "the copies differ about game {game}");
            let is_known = self.games.borrow().contains(&game);
            assert!(!is_known || found.contains(&true), "game {game} is lost");
        }
    }

    async fn quiet(&self) {
        self.server.set_down(false);
        self.server.set_faults(Faults { delay: MILD.delay, ..Faults::default() });
        let end = Instant::now() + QUIET;
        let serves = |process: &Option<Arc<Process>>| process.as_ref().is_some_and(|p| p.serves());
        while !self.processes.borrow().iter().all(serves) {
            assert!(Instant::now() < end, "a node does not serve");
            pass(Duration::from_millis(500)).await;
        }
        // Late calls arrive, heartbeats are heard.
        pass(Duration::from_secs(10)).await;
    }
}

const MILD: Faults = Faults { delay: Duration::from_millis(10), lost: 2, late: 2, unanswered: 5 };

async fn simulate(seed: u64) -> BTreeMap<&'static str, u64> {
    let server = FakeServer::new(seed);
    let world = Rc::new(World {
        machines: (0..3).map(|_| Machine::new(&server)).collect(),
        server,
        processes: RefCell::new(vec![None, None, None]),
        rng: RefCell::new(StdRng::seed_from_u64(!seed)),
        codes: RefCell::default(),
        ending: Ending::default(),
        games: RefCell::default(),
        tried_games: RefCell::default(),
        next: RefCell::new(0),
        broken: RefCell::default(),
        is_over: RefCell::new(false),
        counts: RefCell::default(),
    });
    world.server.set_faults(MILD);
    for number in 0..3 {
        world.start(number).await;
    }
    let people = (0..PEOPLE).map(|_| {
        let world = Rc::clone(&world);
        tokio::task::spawn_local(async move { world.live().await })
    });
    let mut tasks: Vec<_> = people.collect();
    for _ in 0..2 {
        let world = Rc::clone(&world);
        tasks.push(tokio::task::spawn_local(async move { world.break_things().await }));
    }
    pass(TIME).await;
    world.is_over.replace(true);
    for task in tasks {
        task.await.unwrap();
    }
    world.quiet().await;
    world.check_ends().await;
    pass(Duration::from_secs(5)).await;
    world.check_copies().await;
    world.counts.take()
}

/// A simulation on a runtime of its own. Returns how often each thing happened.
fn simulated(seed: u64) -> BTreeMap<&'static str, u64> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().unwrap();
    let counts = std::panic::catch_unwind(|| LocalSet::new().block_on(&runtime, simulate(seed)));
    counts.unwrap_or_else(|_| panic!("seed {seed} fails: NOUGHTS_SEED={seed}"))
}

#[test]
fn nothing_acknowledged_is_lost_whatever_fails() {
    let number = |name| std::env::var(name).ok().map(|text: String| text.parse::<u64>().unwrap());
    let first = number("NOUGHTS_SEED").unwrap_or(0);
    let seeds = number("NOUGHTS_SIMULATIONS").unwrap_or(SEEDS);
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut all = BTreeMap::<_, u64>::new();
    std::thread::scope(|scope| {
        let share = |at| (first..first + seeds).skip(at).step_by(threads);
        let simulate_share = |at| scope.spawn(move || share(at).map(simulated).collect::<Vec<_>>());
        let workers: Vec<_> = (0..threads).map(simulate_share).collect();
        for worker in workers {
            for (what, count) in
                worker.join().expect("the seed is named above").into_iter().flatten()
            {
                *all.entry(what).or_default() += count;
            }
        }
    });
    println!("{seeds} seeds: {all:?}");
    if seeds < 10 {
        return;
    }
    for what in ["looks", "changes", "ends", "rooms", "kills"] {
        assert!(all.get(what).is_some_and(|count| *count >= seeds), "{what}: {all:?}");
    }
}
