//! The nodes of a cluster without servers and sockets, in virtual time: three of them over an engine that
//! loses, delays and doubles appends and answers, answers "again", refuses, reads late, has no leader or
//! starts again, with links that are paused and cut, and nodes that crash, stop and start in their folders.
//! A world takes some hundredths of a second, so that there can be thousands; that of whole servers with
//! clients is `tests/e2e/simulation/nodes.rs`.
//!
//! Checked are the log ([`ledger`]: no fact twice, none missing, only the owner's words between two
//! claims), what rooms and parties were told (never "stored" of what is not in the log, never "not stored"
//! of what is), what nodes show, and the end: one owner of each shard, equal copies, every room goes on.
//!
//! `NOUGHTS_CLUSTER_SIMULATIONS` sets the number of worlds (`tests/run --long` does). `NOUGHTS_SEED` runs
//! one seed alone, as many times. A world does not repeat to the record: the runtime wakes tasks that wait
//! for the same record in an order that it draws itself, and then claims come in another order.
//!
//! For each promise on which a cluster rests, [`guards`] has a test in which it is broken, and the same
//! checks find that.

mod copies;
mod guards;
mod house;
mod ledger;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use futures::future::{BoxFuture, FutureExt};
use parking_lot::Mutex;

use crate::cluster::engine::fake::faults::Flaw;
use world::World;

/// The nodes of a world.
const NODES: usize = 3;

/// Worlds of a short run.
const SIMULATIONS: u64 = 300;

/// Does something to a world.
type Disturb = for<'a> fn(&'a mut World) -> BoxFuture<'a, ()>;

/// The things that befall a world.
#[derive(Clone, Copy)]
struct Scenario {
    /// The promise that the engine breaks.
    flaw: Option<Flaw>,
    /// Whether the engine may have faults all the time.
    has_faults: bool,
    /// Comes again and again, beside the writes.
    disturb: Disturb,
}

impl Scenario {
    /// Everything that may happen.
    const ALL: Self =
        Self { flaw: None, has_faults: true, disturb: |world| world.disturb().boxed() };
}

/// The result of a simulation.
#[derive(Debug, Default)]
struct Outcome {
    /// How many writes were stored, not stored, and unknown, as far as the rooms were told.
    writes: [usize; 3],
    claims: usize,
    /// The claims after the nodes had shared the shards.
    claimed_later: usize,
    violations: Vec<String>,
    records: usize,
}

/// Runs a world on this thread.
fn simulate(seed: u64, scenario: Scenario) -> Outcome {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async { World::begin(seed).await.run(scenario).await })
    }));
    outcome.unwrap_or_else(|_| Outcome {
        violations: vec!["it panicked".to_owned()],
        ..Outcome::default()
    })
}

fn number_from_env(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// The sums over all worlds.
#[derive(Debug, Default)]
struct Sums {
    writes: [usize; 3],
    claims: usize,
    records: usize,
    violations: Vec<String>,
}

impl Sums {
    fn add(&mut self, seed: u64, outcome: &Outcome) {
        self.writes.iter_mut().zip(outcome.writes).for_each(|(sum, one)| *sum += one);
        self.claims += outcome.claims;
        self.records += outcome.records;
        if !outcome.violations.is_empty() {
            println!("run it often with: NOUGHTS_SEED={seed} tests/run no_fault_of_the_engine");
            self.violations.push(format!("seed {seed}:\n{}", outcome.violations.join("\n")));
        }
    }
}

#[test]
fn no_fault_of_the_engine_or_a_node_makes_the_log_or_an_answer_wrong() {
    let count = number_from_env("NOUGHTS_CLUSTER_SIMULATIONS").unwrap_or(SIMULATIONS);
    let only = number_from_env("NOUGHTS_SEED");
    let first = only.unwrap_or_else(|| rand::random::<u32>().into());
    println!("{count} worlds from seed {first}");
    let (next, sums) = (AtomicU64::new(0), Mutex::new(Sums::default()));
    let begun = std::time::Instant::now();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let seed = only.unwrap_or(first + number);
            let outcome = simulate(seed, Scenario::ALL);
            sums.lock().add(seed, &outcome);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let Sums { writes: [stored, not_stored, unknown], claims, records, violations } =
        sums.into_inner();
    let (seconds, wrong) = (begun.elapsed().as_secs_f64(), violations.len());
    println!(
        "{count} worlds in {seconds:.1} s: {stored} facts stored, {not_stored} not stored, {unknown} \
         unknown, {claims} claims, {records} records, {wrong} worlds with violations"
    );
    assert!(violations.is_empty(), "{}", violations.join("\n\n"));
    assert!(stored > 0, "nothing was played");
}
