//! A party whose server crashes at random moments, whose guests are on bad connections: in the end the
//! guests and the journal agree, and no pairing is lost, doubled or changed. In virtual time for many
//! seeds, and with a real process.
//!
//! `NOUGHTS_SIMULATIONS` sets ten times the number of seeds, `NOUGHTS_TORTURE_KILLS` the number of kills.
//! Players' codes and the pairings are drawn by the server, so a seed repeats the faults alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use noughts_cli::address::ServerAddress;
use noughts_cli::connection::network::{Network, Tcp};
use noughts_harness::fault_injector::{FaultInjector, FaultProfile, MessageFaults};
use noughts_harness::world::{World, run};
use noughts_harness::{LONG_TIMEOUT, Player, ServerProcess, advance_time, delay};
use noughts_protocol::{
    BoardSpec, ClientMessage, Hello, PROTOCOL_VERSION, PartyCode, PartyEvent, PartyFormat,
    PartyIntent, PartyPhase, PartySettings, PartyState,
};
use noughts_server::journal::reader::Reader;
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::settings;
use crate::simulation::number_from_env;

const FAULTS: FaultProfile = FaultProfile {
    max_delay: Duration::from_millis(200),
    max_calm: Duration::from_secs(20),
    max_short_stall: Duration::from_secs(2),
    max_long_stall: Duration::from_secs(30),
    messages: MessageFaults::NONE,
};

/// A guest who hears nothing for this long connects again.
const PATIENCE: Duration = Duration::from_secs(40);

/// The wait before another try to connect.
const AGAIN: Duration = Duration::from_millis(200);

/// The facts that anybody was told, by version.
type Told = Arc<Mutex<BTreeMap<u64, PartyEvent>>>;

/// A guest who comes back after every break, until the party is over.
async fn guest(
    mut network: impl Network,
    address: ServerAddress,
    name: String,
    from: u16,
    code: PartyCode,
    told: Told,
) -> PartyState {
    let mut token = None;
    loop {
        let Ok(stream) = network.connect(&address).await else {
            delay(AGAIN).await;
            continue;
        };
        let (name, known) = (name.parse().unwrap(), token.clone());
        let hello =
            Hello { protocol: PROTOCOL_VERSION, name, token: known, pass: None, password: None };
        let hello = ClientMessage::Hello(hello);
        let Ok(mut player) = Player::try_hello(Box::new(stream), &hello, PATIENCE).await else {
            delay(AGAIN).await;
            continue;
        };
        token = Some(player.token.clone());
        let is_over = player.try_join_party(code).await && player.try_attend(from, |_| false).await;
        for (v, event) in player.party_facts.drain(..) {
            let known = told.lock().insert(v, event.clone());
            assert!(
                known.as_ref().is_none_or(|known| *known == event),
                "{v}: {known:?}, {event:?}"
            );
        }
        if is_over {
            return player.party().clone();
        }
    }
}

/// Compares what was told with what is stored.
fn check(folder: &Path, code: PartyCode, told: &Told, states: &[PartyState]) {
    let reader = Reader::open(folder).unwrap();
    let parties = reader.parties().unwrap();
    let stored = parties.into_iter().map(|id| reader.party(id).unwrap());
    let stored = stored.into_iter().find(|party| party.new.code == code).unwrap();
    assert_eq!(reader.contradictions_of_party(&stored).unwrap(), Vec::<String>::new());
    let mut facts = BTreeMap::new();
    let state = stored.replay(|entry, event, _| {
        facts.insert(entry.v, event.clone());
    });
    let state = state.unwrap();
    for (v, event) in &*told.lock() {
        assert_eq!(facts.get(v), Some(event), "what was told is what is stored");
    }
    let (mut opened, mut decided) = (BTreeSet::new(), BTreeSet::new());
    for event in facts.values() {
        match event {
            PartyEvent::Opened { pairing, game, .. } => {
                assert!(opened.insert((*pairing, *game)), "a game is played twice: {event:?}");
            }
            PartyEvent::Decided { pairing, .. } => {
                assert!(decided.insert(*pairing), "a pairing is decided twice: {event:?}");
            }
            _ => {}
        }
    }
    assert_eq!(state.phase, PartyPhase::Over);
    assert!(state.pairings.iter().all(|pairing| pairing.outcome.is_some()), "{state:#?}");
    assert_eq!(state.places.len(), state.entrants.len());
    for seen in states {
        assert_eq!(*seen, state, "a guest saw another end");
    }
}

fn party_of(rng: &mut StdRng) -> PartySettings {
    let formats = [
        PartyFormat::Knockout,
        PartyFormat::RoundRobin,
        PartyFormat::Swiss,
        PartyFormat::WinnerStays,
    ];
    let format = formats[rng.random_range(0..formats.len())];
    let (board, first_to) = (BoardSpec::TIC_TAC_TOE, Some(4));
    PartySettings { board, first_to, tables: 2, ..settings(format) }
}

async fn simulate(seed: u64, mut world: World) -> usize {
    let mut rng = StdRng::seed_from_u64(seed);
    let people = rng.random_range(3..7);
    let settings = party_of(&mut rng);
    let mut host = world.player("Host", None).await;
    let code = host.create_party("Friday", settings, false).await;
    let (mut networks, mut guests) = (Vec::new(), Vec::<JoinHandle<PartyState>>::new());
    let told = Told::default();
    for number in 0..people {
        let faults = FaultInjector::new(FAULTS, rng.random());
        networks.push(faults.clone());
        let (network, name) = (world.network(faults), format!("Guest {number}"));
        let from = [0, 4, 8, 2, 6][number % 5];
        let address = ServerAddress::default();
        guests.push(tokio::spawn(guest(network, address, name, from, code, Arc::clone(&told))));
    }
    host.until("everybody", |host| host.party().entrants.len() == people).await;
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    drop(host);
    let stop = CancellationToken::new();
    for faults in &networks {
        let (faults, stop) = (faults.clone(), stop.clone());
        tokio::spawn(async move { faults.run(&stop).await });
    }
    for _ in 0..rng.random_range(1..12) {
        advance_time(Duration::from_millis(rng.random_range(50..6_000))).await;
        if rng.random_bool(0.8) {
            world.crash(&networks).await;
        } else {
            world.stop().await;
        }
        advance_time(Duration::from_millis(rng.random_range(0..3_000))).await;
        world.start().await;
    }
    let mut states = Vec::new();
    for guest in guests {
        states.push(
            tokio::time::timeout(Duration::from_secs(4 * 3600), guest).await.unwrap().unwrap(),
        );
    }
    stop.cancel();
    world.stop().await;
    check(world.folder(), code, &told, &states);
    told.lock().len()
}

#[test]
fn no_crash_loses_doubles_or_changes_a_pairing() {
    let seeds = number_from_env("NOUGHTS_SIMULATIONS").map_or(12, |count| count.div_ceil(10));
    let first = number_from_env("NOUGHTS_SEED").unwrap_or_else(|| rand::random::<u32>().into());
    for seed in first..first + seeds {
        println!("a party's simulation: NOUGHTS_SEED={seed}");
        let facts = run(&[], async |world| simulate(seed, world).await);
        assert!(facts > 0, "nothing was told");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_party_is_whole_after_kills_at_any_moment() {
    let kills = number_from_env("NOUGHTS_TORTURE_KILLS").map_or(4, |kills| kills.div_ceil(5));
    let mut rng = StdRng::seed_from_u64(rand::random());
    let mut server = ServerProcess::start(&[]);
    let address: ServerAddress =
        server.address().to_string().parse::<noughts_cli::address::Link>().unwrap().server;
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let mut host = Player::greet(Box::new(stream), "Host", None, LONG_TIMEOUT).await;
    let code = host.create_party("Friday", settings(PartyFormat::Swiss), false).await;
    let (told, people) = (Told::default(), 6);
    let guests: Vec<_> = (0..people)
        .map(|number| {
            let (name, from) = (format!("Guest {number}"), [0, 4, 8, 2, 6][number % 5]);
            tokio::spawn(guest(Tcp, address.clone(), name, from, code, Arc::clone(&told)))
        })
        .collect();
    host.until("everybody", |host| host.party().entrants.len() == people).await;
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    for _ in 0..kills {
        delay(Duration::from_millis(rng.random_range(100..4_000))).await;
        server = tokio::task::spawn_blocking(move || server.restart()).await.unwrap();
    }
    let mut states = Vec::new();
    for guest in guests {
        states.push(tokio::time::timeout(LONG_TIMEOUT, guest).await.unwrap().unwrap());
    }
    server.kill();
    check(server.folder(), code, &told, &states);
}
