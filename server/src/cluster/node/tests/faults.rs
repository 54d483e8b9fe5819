//! The answers to rooms when the engine has faults: never that something is stored which is not, and never
//! that something is not stored which is.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::world::{Room, TestNode, pass, settled, shard_of, told};
use super::*;
use crate::cluster::engine::fake::faults::{Fate, Faults, Link};

/// A seed is a world; more of them run for longer.
const SEEDS: u64 = 3;

#[tokio::test(start_paused = true)]
async fn an_append_is_stored_once_whatever_becomes_of_its_answer() {
    let late = Duration::from_secs(2);
    let fates =
        [Fate::LostAck, Fate::LateAck(late), Fate::Doubled(late), Fate::Lost, Fate::Late(late)];
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let mut room = one.make_room(shard_of(&one)).await.unwrap();
    for fate in fates {
        one.engine.plan(fate);
        let v = room.v + 1;
        assert_eq!(room.play().await, Ok(v), "{fate:?}");
        pass(5000).await;
        assert_eq!(told(&cluster).rooms[&room.log.id()], v, "{fate:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_after_an_unknown_outcome_says_nothing() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let mut room = one.make_room(shard_of(&one)).await.unwrap();
    // The first try may still come into the log when the second one is refused.
    one.engine.plan(Fate::Late(Duration::from_secs(2)));
    one.engine.plan(Fate::Refused);
    assert_eq!(room.play().await, Ok(2));
    one.engine.plan(Fate::Refused);
    let refused = room.play().await;
    assert!(matches!(refused, Err(DiskError::Failing(_))), "{refused:?}");
    pass(5000).await;
    assert_eq!(told(&cluster).rooms[&room.log.id()], 2);
    assert_eq!(room.play().await, Ok(3));
}

#[tokio::test(start_paused = true)]
async fn a_log_without_a_leader_lets_rooms_wait() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    pass(5000).await;
    let before = told(&cluster);
    let mut room = one.make_room(shard_of(&one)).await.unwrap();
    cluster.leader_gap(Duration::from_secs(9));
    let began = tokio::time::Instant::now();
    assert_eq!(room.play().await, Ok(2));
    assert!(began.elapsed() >= Duration::from_secs(9), "{:?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(11), "{:?}", began.elapsed());
    pass(5000).await;
    assert_eq!(told(&cluster).claims, before.claims, "nobody looks dead");
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_shard_goes_into_one_record() {
    let cluster = FakeCluster::new(1);
    cluster.set_faults(Faults { max_delay: Duration::from_millis(1), ..Faults::NONE });
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let shard = shard_of(&one);
    let rooms = futures::future::join_all((0..1200).map(|_| one.make_room(shard))).await;
    let made = told(&cluster);
    assert_eq!((made.rooms.len(), made.longest), (1200, 500));
    assert!(made.records <= 5, "{} records", made.records);
    let mut rooms: Vec<Room> = rooms.into_iter().map(Result::unwrap).collect();
    let played = futures::future::join_all(rooms.iter_mut().map(Room::play)).await;
    assert!(played.iter().all(|played| *played == Ok(2)));
    assert!(told(&cluster).records <= 10, "{} records", told(&cluster).records);
}

#[tokio::test(start_paused = true)]
async fn people_are_forgotten_on_all_nodes_whoever_is_asked() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    let people: Vec<_> = (1..=40).map(noughts_protocol::PlayerId).collect();
    let asked = people.iter().zip([&one, &two].into_iter().cycle());
    let forgotten = asked.map(|(player, node)| node.journal.forget(*player));
    for outcome in futures::future::join_all(forgotten).await {
        assert_eq!(outcome, Ok(()));
    }
    pass(1000).await;
    for node in [&one, &two] {
        assert!(people.iter().all(|player| node.journal.is_forgotten(*player)));
    }
}

/// The answers that the rooms of a world got.
#[derive(Debug, Default)]
struct Ledger {
    /// By room the version that is stored at least.
    stored: BTreeMap<i64, u64>,
    /// Facts that are not stored, by room and cell.
    refused: Vec<(i64, u16)>,
}

/// Plays in rooms on whatever node has them, and notes what it is told.
async fn play(nodes: &[TestNode], seed: u64, ledger: &Mutex<Ledger>) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut known: Vec<i64> = Vec::new();
    let until = tokio::time::Instant::now() + Duration::from_secs(60);
    while tokio::time::Instant::now() < until {
        pass(rng.random_range(0..400)).await;
        let node = &nodes[rng.random_range(0..nodes.len())];
        let owned = node.directory.owned();
        if owned.is_empty() {
            continue;
        }
        if known.len() < 4 {
            let shard = owned[rng.random_range(0..owned.len())];
            if let Ok(room) = node.make_room(shard).await {
                known.push(room.log.id());
                ledger.lock().stored.insert(room.log.id(), 1);
            }
            continue;
        }
        let id = known[rng.random_range(0..known.len())];
        if node.house.rooms(crate::shard::Shard::of_number(id)).is_none() {
            continue;
        }
        let Ok(mut room) = node.load_room(id).await else { continue };
        for _ in 0..rng.random_range(1..5) {
            match room.play().await {
                Ok(v) => drop(ledger.lock().stored.insert(id, v)),
                Err(DiskError::Unknown(_)) => break,
                Err(_) => {
                    ledger.lock().refused.push((id, room.tried));
                    break;
                }
            }
        }
    }
}

/// Breaks links and the log for a minute.
async fn break_things(cluster: &FakeCluster, nodes: &[TestNode], seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let until = tokio::time::Instant::now() + Duration::from_secs(60);
    while tokio::time::Instant::now() < until {
        pass(rng.random_range(500..8000)).await;
        let node = &nodes[rng.random_range(0..nodes.len())];
        match rng.random_range(0..4) {
            0 => cluster.leader_gap(Duration::from_millis(rng.random_range(100..9000))),
            1 => node.engine.set_link(Link::Cut),
            2 => node.engine.set_link(Link::Paused),
            _ => node.engine.set_link(Link::Open),
        }
    }
    nodes.iter().for_each(|node| node.engine.set_link(Link::Open));
    cluster.set_faults(Faults::NONE);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_a_lie_on_a_bad_day() {
    for seed in 0..SEEDS {
        let cluster = FakeCluster::new(seed);
        let nodes = futures::future::join_all((1..=3).map(|n| TestNode::start(&cluster, n))).await;
        settled(&nodes.iter().collect::<Vec<_>>()).await;
        cluster.set_faults(Faults::MANY);
        let ledger = Mutex::new(Ledger::default());
        let players = (0..6).map(|player| play(&nodes, 100 * seed + player, &ledger));
        let playing = futures::future::join_all(players);
        tokio::join!(playing, break_things(&cluster, &nodes, seed));
        pass(30_000).await;
        settled(&nodes.iter().collect::<Vec<_>>()).await;
        let told = told(&cluster);
        let Ledger { stored, refused } = ledger.into_inner();
        for (room, v) in &stored {
            assert!(told.rooms[room] >= *v, "seed {seed}: room {room} was told {v}: {told:?}");
        }
        let lie = refused.iter().find(|fact| told.cells.contains(fact));
        assert_eq!(lie, None, "seed {seed}: it was told that this is not stored");
        let last = cluster.records().len() as u64;
        for node in &nodes {
            for (room, v) in &told.rooms {
                let stored = node.load_room(*room).await.unwrap();
                assert_eq!(stored.v, *v, "seed {seed}: the copy of {} at {last}", node.name);
            }
        }
    }
}
