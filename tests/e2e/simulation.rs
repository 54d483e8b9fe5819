//! The checks of the torture test in a simulated world, with memory as the network and virtual time:
//! a minute of stalls, partitions, half-dead connections, lost messages and crashes of clients and
//! server takes milliseconds.
//!
//! `NOUGHTS_SIMULATIONS` sets the number of seeds (`tests/run --long` does). `NOUGHTS_SEED` runs one
//! seed alone and repeats it exactly: the arrival of every byte, every move, every crash. A world
//! runs on one thread and in virtual time, with its store and its wall clock; its `select!`s are
//! biased, and no `HashMap` decides an order. Randomness comes from the seed, except for what the
//! server draws: codes, player ids and secrets, which have one length and influence nothing, and a
//! coin, which these rooms never toss. The lots of parties are the same in every world.
//!
//! Every second world has a party beside its rooms. At times the disk refuses everything, or does not
//! tell whether it has stored something, and the server ends.
//!
//! A failure prints the stored history of its rooms and the histories of all clients.

mod simulated;
mod tests;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use noughts_cli::action::Action;
use noughts_client::address::ServerAddress;
use noughts_client::connection::{Connection, Destination};
use noughts_client::runner::Runner;
use noughts_client::session::{Happening, Input, Session};
use noughts_harness::Player;
use noughts_harness::bot::{Bot, poll_delay};
use noughts_harness::fault_injector::{FaultInjector, FaultProfile, MessageFaults};
use noughts_harness::history::ClientHistory;
use noughts_harness::world::run;
use noughts_protocol::{LobbyIntent, MarkChoice, Role, RoomIntent, RoomSettings, SeatRequest};
use parking_lot::Mutex;
use tokio::time::Instant;

use simulated::{Outcome, Simulation};

/// Long stalls exceed the 45 s after which either end gives the other up.
const FAULTS: FaultProfile = FaultProfile {
    max_delay: Duration::from_millis(400),
    max_calm: Duration::from_secs(15),
    max_short_stall: Duration::from_secs(4),
    max_long_stall: Duration::from_secs(60),
    messages: MessageFaults::NONE,
};

/// Every third world has these too.
const LOSSY: FaultProfile = FaultProfile {
    messages: MessageFaults { lost: 0.04, doubled: 0.1, cut: 0.01, ..MessageFaults::NONE },
    ..FAULTS
};

/// Simulations of a short run.
const SIMULATIONS: u64 = 30;

/// The limit, in virtual time, until all clients agree: a half-dead connection is noticed after 45 s.
const AGREEMENT_TIME: Duration = Duration::from_secs(600);

/// The time in which a client sends everything again that was lost: an offer of a rematch may begin
/// one more game after all agreed.
const RESEND_TIME: Duration = Duration::from_secs(120);

/// The limit, in virtual time, until a party is over. The slowest one is a Swiss of five rounds whose
/// people come back late to every game.
const PARTY_TIME: Duration = Duration::from_secs(4 * 3600);

/// The number in an environment variable.
pub(crate) fn number_from_env(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// Waits until every client shows the same room as the server, with the last game over. Returns the
/// differences that are left after `within`.
pub(crate) async fn disagreements(
    observer: &mut Player,
    bots: &[Bot],
    within: Duration,
) -> Vec<String> {
    let code = observer.state().code;
    let deadline = Instant::now() + within;
    loop {
        observer.ask_room(RoomIntent::Sync).await.unwrap();
        observer.settle().await;
        let expected = observer.state().clone();
        let over = !expected.is_running() && !expected.seats.has_open();
        let differing = bots.iter().filter(|bot| bot.room_state().as_ref() != Some(&expected));
        let found: Vec<String> = differing
            .map(|bot| {
                let shown = bot.room_state();
                format!("{code}: the server says\n{expected:?}\nand a client\n{shown:?}")
            })
            .collect();
        if over && found.is_empty() {
            return found;
        }
        if Instant::now() > deadline {
            let unfinished = (!over).then(|| format!("{code}: a game does not end: {expected:?}"));
            return found.into_iter().chain(unfinished).collect();
        }
        poll_delay().await;
    }
}

/// The histories of all clients in one line.
pub(crate) fn summary(histories: &[ClientHistory]) -> String {
    let mut refused = BTreeMap::<&str, u32>::new();
    for (code, times) in histories.iter().flat_map(|history| &history.refused) {
        *refused.entry(code).or_default() += times;
    }
    let breaks: u32 = histories.iter().flat_map(|history| history.breaks.values()).sum();
    let acknowledged: usize = histories.iter().map(|history| history.acknowledged.len()).sum();
    let heard: usize = histories.iter().map(|history| history.heard.len()).sum();
    format!(
        "{acknowledged} moves acknowledged, {heard} lines heard, {breaks} breaks, refused {refused:?}"
    )
}

fn simulate(seed: u64) -> Outcome {
    let profile = if seed.is_multiple_of(3) { LOSSY } else { FAULTS };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        run(&[], async |world| Simulation::run(seed, profile, world).await)
    }));
    outcome.unwrap_or_else(|_| Outcome {
        violations: vec!["it panicked".to_owned()],
        ..Outcome::default()
    })
}

/// Heartbeats alone keep the connection while a player thinks for minutes.
#[test]
fn a_quiet_connection_stays() {
    run(&[], async |world| {
        let network = world.network(FaultInjector::new(FAULTS, 0));
        let server = ServerAddress::default();
        let name = "Ada".parse().unwrap();
        let destination = Destination::new(server, name);
        let mut runner = Runner::over(Connection::open_over(network, destination));
        let mut session = Session::new(0);
        let ask = |runner: &Runner, session: &mut Session, intent| {
            runner.perform(session.update(Input::Asked(intent), Instant::now().into_std()))
        };
        let new = Action::create(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        ask(&runner, &mut session, new.intent().unwrap().into());
        let mut sent = false;
        let until = Instant::now() + Duration::from_secs(600);
        while let Ok(happenings) = tokio::time::timeout_at(until, runner.next(&mut session)).await {
            let broken = |happening: &Happening| {
                matches!(happening, Happening::Lost(_) | Happening::Ended(_))
            };
            assert!(!happenings.iter().any(broken), "{happenings:?}");
            if until - Instant::now() < Duration::from_secs(300) && !sent {
                let room = session.room().unwrap().state.code;
                let join = LobbyIntent::Join { room, role: Role::Player };
                ask(&runner, &mut session, join.into());
                sent = true;
            }
        }
        assert!(sent && session.is_settled());
    });
}

/// The first seed, and the number of seeds.
fn seeds() -> (u64, u64) {
    let count = number_from_env("NOUGHTS_SIMULATIONS").unwrap_or(SIMULATIONS);
    let random = || (rand::random::<u32>().into(), count);
    number_from_env("NOUGHTS_SEED").map_or_else(random, |seed| (seed, 1))
}

#[test]
fn a_seed_repeats_exactly() {
    let (first, count) = seeds();
    for seed in first..first + count.div_ceil(10) {
        let [one, other] = [(); 2].map(|()| simulate(seed));
        for (client, (one, other)) in one.arrivals.iter().zip(&other.arrivals).enumerate() {
            let difference = one.iter().zip(other).find(|(one, other)| one != other);
            assert!(one == other, "seed {seed}: client {client} differs at {difference:?}");
        }
        assert_eq!(one.normalized_log(), other.normalized_log(), "seed {seed}");
    }
}

#[test]
fn no_fault_and_no_crash_loses_doubles_or_reorders_a_move() {
    let (first, count) = seeds();
    println!("{count} simulations from seed {first}");
    let next = AtomicU64::new(0);
    let done = Mutex::new((Vec::new(), [0; 2], Vec::new()));
    let begun = std::time::Instant::now();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let seed = first + number;
            let outcome = simulate(seed);
            let mut done = done.lock();
            done.0.extend(outcome.histories);
            done.1 = [done.1[0] + outcome.moves, done.1[1] + outcome.facts];
            if !outcome.violations.is_empty() {
                println!("replay it with: NOUGHTS_SEED={seed} tests/run no_fault");
                done.2.push(format!("seed {seed}:\n{}", outcome.violations.join("\n")));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (histories, [moves, facts], violations) = done.into_inner();
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{count} simulations in {seconds:.1} s: {moves} moves stored, {facts} facts of parties told, {}",
        summary(&histories)
    );
    assert!(violations.is_empty(), "{}", violations.join("\n\n"));
    assert!(moves > 0, "nothing was played");
    assert!(facts > 0 || count == 1, "no party was played");
    assert!(count == 1 || histories.iter().any(|one| !one.said.is_empty()), "nobody said a word");
}
