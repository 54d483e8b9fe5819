//! Tests of the owner of a code, and of its takeover by another node.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use noughts_protocol::PlayerId;
use noughts_store::{SaveError, Store};
use tokio::time::{Instant, timeout};

use super::world::*;
use crate::engine::Engine;
use crate::fake::{FakeServer, Faults};
use crate::{Cluster, Location, NodeId};

struct Two {
    server: FakeServer,
    a: Arc<Process>,
    b: Arc<Process>,
    machines: [Machine; 2],
}

/// Two nodes that know each other.
async fn two() -> Two {
    let server = FakeServer::new(1);
    let machines = [Machine::new(&server), Machine::new(&server)];
    let a = machines[0].start(1).await.unwrap();
    let b = machines[1].start(2).await.unwrap();
    pass(Duration::from_secs(3)).await;
    Two { server, a, b, machines }
}

fn memory(v: u64) -> Memory {
    Memory { v, state: format!("1 {v}") }
}

/// How long a node looks for a code, in tenths of a second, and what it finds.
async fn find(process: &Process, number: u32) -> (u64, String) {
    let began = Instant::now();
    let found = match process.cluster.locate(code(number)).await {
        Ok(Location::Nowhere) => "nowhere".to_owned(),
        Ok(Location::At(peer)) => format!("at {}", peer.address),
        Ok(Location::Here(live)) => match live.until {
            Some(left) => format!("here, {} s left", left.as_secs()),
            None => "here".to_owned(),
        },
        Err(_) => "unavailable".to_owned(),
    };
    (u64::try_from(began.elapsed().as_millis() / 100).unwrap(), found)
}

const HERE: &str = "here, 600 s left";

#[tokio::test(start_paused = true)]
async fn a_code_is_found_where_it_was_made_and_taken_over_from_the_dead() {
    let Two { server, a, b, .. } = two().await;
    let found = async |process, number| find(process, number).await.1;
    assert_eq!(found(&b, 3).await, "nowhere");
    a.create(code(3), "1 1".to_owned()).await.unwrap();
    assert_eq!(found(&a, 3).await, HERE);
    assert_eq!(found(&b, 3).await, "at http://1");
    a.kill();
    let machine = Machine::new(&server);
    let c = machine.start(3).await.unwrap();
    c.cluster.lease_held().await;
    b.cluster.suspect(NodeId(1));
    let (of_b, of_c) = tokio::join!(find(&b, 3), find(&c, 3));
    assert_eq!(of_b.1, HERE);
    assert!((20..=30).contains(&of_b.0), "three seconds after the last heartbeat: {of_b:?}");
    assert_eq!(of_c.1, "at http://2", "a node that was never heard is not believed to live");
    assert_eq!(b.read(code(3)).await, Ok(memory(1)));
}

#[tokio::test(start_paused = true)]
async fn a_node_that_leaves_is_taken_over_at_once() {
    let Two { a, b, .. } = two().await;
    a.create(code(3), "1 1".to_owned()).await.unwrap();
    a.leave().await;
    assert!(!a.cluster.holds_lease());
    assert_eq!(find(&b, 3).await, (0, HERE.to_owned()));
    assert_eq!(b.cluster.peers(), []);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_cut_off_loses_its_lease_before_others_take_over() {
    let Two { a, b, machines, .. } = two().await;
    a.create(code(3), "1 1".to_owned()).await.unwrap();
    machines[0].engine.set_cut(true);
    let cut = Instant::now();
    a.cluster.lease_lost().await;
    assert!(cut.elapsed() <= Duration::from_secs(2));
    assert_eq!(a.read(code(3)).await, Err(Failure::Later));
    while find(&b, 3).await.1 != HERE {}
    assert!(cut.elapsed() >= Duration::from_secs(2));
    machines[0].engine.set_cut(false);
    a.cluster.lease_held().await;
    assert_eq!(find(&a, 3).await.1, "at http://2");
}

#[tokio::test(start_paused = true)]
async fn nobody_takes_over_without_a_lease_or_from_a_node_that_is_only_slow_to_be_heard() {
    let Two { a, b, machines, .. } = two().await;
    a.create(code(3), "1 1".to_owned()).await.unwrap();
    machines[1].engine.set_cut(true);
    pass(Duration::from_secs(10)).await;
    assert_eq!(find(&b, 3).await, (0, "unavailable".to_owned()));
    machines[1].engine.set_cut(false);
    b.cluster.lease_held().await;
    // The last heartbeat of the other node is old.
    assert_eq!(find(&b, 3).await.1, "at http://1");
}

#[tokio::test(start_paused = true)]
async fn a_new_lease_owns_nothing_of_the_last_one() {
    let Two { server, a, b, .. } = two().await;
    a.create(code(3), "1 1".to_owned()).await.unwrap();
    server.set_down(true);
    a.cluster.lease_lost().await;
    pass(Duration::from_secs(5)).await;
    server.set_down(false);
    a.cluster.lease_held().await;
    b.cluster.lease_held().await;
    pass(Duration::from_secs(3)).await;
    let stale = a.cluster.save(vec![row(code(3), Some(1), &memory(2))]).await;
    assert_eq!(stale, Err(SaveError::Stale));
    assert_eq!(find(&b, 3).await, (0, HERE.to_owned()), "though the node that had it lives");
}

#[tokio::test(start_paused = true)]
async fn a_table_goes_with_its_party() {
    let Two { server, a, b, .. } = two().await;
    let machine = Machine::new(&server);
    let c = machine.start(3).await.unwrap();
    for number in [5, 6, 7] {
        a.create(code(number), "1 1".to_owned()).await.unwrap();
    }
    a.leave().await;
    pass(Duration::from_secs(3)).await;
    assert_eq!(find(&b, 6).await.1, HERE);
    assert_eq!(find(&c, 5).await.1, "at http://2", "a table takes its party along");
    assert_eq!(find(&c, 7).await.1, "at http://2", "a table is where its party is");
    assert_eq!(find(&b, 7).await.1, HERE);
}

#[tokio::test(start_paused = true)]
async fn a_save_is_stale_if_another_version_is_stored() {
    let Two { a, b, .. } = two().await;
    let save = async |cluster: &Cluster, expected, v| {
        cluster.save(vec![row(code(3), expected, &memory(v))]).await
    };
    let a = &a.cluster;
    let b = &b.cluster;
    assert_eq!(save(a, Some(1), 2).await, Err(SaveError::Stale), "there is none");
    assert_eq!(save(a, None, 1).await, Ok(()));
    assert_eq!(save(b, None, 1).await, Err(SaveError::Stale), "the code is taken");
    assert_eq!(save(b, Some(1), 2).await, Err(SaveError::Stale), "by another node");
    assert_eq!(save(a, Some(1), 2).await, Ok(()));
    assert_eq!(save(a, Some(2), 2).await, Ok(()));
    assert_eq!(save(a, Some(1), 2).await, Err(SaveError::Stale));
    assert_eq!(a.save(vec![ended(code(3), 2)]).await, Ok(()));
    assert_eq!(save(b, None, 1).await, Ok(()), "an ended room's code is free");
}

#[tokio::test(start_paused = true)]
async fn a_code_that_this_node_took_twice_can_be_saved() {
    let Two { a, machines, .. } = two().await;
    a.create(code(3), "1 1".to_owned()).await.unwrap();
    let engine = &machines[0].engine;
    let entry = engine.get("code.FBBBB").await.unwrap().unwrap();
    // As a second one does that looked for it at the same time.
    engine.put("code.FBBBB", entry.value, entry.revision).await.unwrap();
    for v in 1..4 {
        let saved = a.cluster.save(vec![row(code(3), Some(v), &memory(v + 1))]).await;
        assert_eq!(saved, Ok(()), "version {v}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_save_waits_for_an_engine_that_does_not_answer() {
    let server = FakeServer::new(1);
    let machine = Machine::new(&server);
    // It does not run, so that it does not lose its lease meanwhile.
    let cluster = machine.join(1).await.unwrap();
    let delay = Duration::from_millis(5);
    server.set_faults(Faults { delay, lost: 200, late: 200, unanswered: 300 });
    for v in 1..50 {
        let expected = Some(v - 1).filter(|v| *v > 0);
        let saved = cluster.save(vec![row(code(3), expected, &memory(v))]).await;
        assert_eq!(saved, Ok(()), "version {v}");
    }
    assert_eq!(cluster.load(code(3)).await.unwrap().map(|row| row.v), Some(49));
}

#[tokio::test(start_paused = true)]
async fn a_save_that_is_under_way_when_the_codes_are_forgotten_is_stale() {
    let server = FakeServer::new(1);
    let machine = Machine::new(&server);
    let cluster = machine.join(1).await.unwrap();
    let delay = Duration::from_millis(10);
    server.set_faults(Faults { delay, ..Faults::default() });
    for (number, is_down) in [(3, false), (4, true)] {
        server.set_down(is_down);
        let mut save = cluster.save(vec![row(code(number), None, &memory(1))]);
        assert!(timeout(Duration::from_millis(1), &mut save).await.is_err());
        cluster.forget_codes();
        let saved = timeout(Duration::from_secs(2), save).await;
        assert_eq!(saved, Ok(Err(SaveError::Stale)), "down: {is_down}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_is_found_in_rooms_and_parties_of_all_nodes() {
    let Two { a, b, .. } = two().await;
    let person = PlayerId(0xada);
    a.create(code(3), format!("1 {person}")).await.unwrap();
    b.create(code(4), format!("1 {person}")).await.unwrap();
    b.create(code(8), "1 nobody".to_owned()).await.unwrap();
    assert_eq!(a.cluster.codes_naming(person).await, Ok(vec![code(3), code(4)]));
    // Catches searches that together keep the engine from the moves of all.
    let naming = || a.cluster.codes_naming(person);
    let (first, second) = tokio::join!(naming(), naming());
    assert!(first.is_ok() && second.is_err(), "{second:?}");
    assert!(naming().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn what_nobody_will_ask_for_is_deleted() {
    let Two { server, a, b, .. } = two().await;
    a.create(code(3), "1 1".to_owned()).await.unwrap();
    a.create(code(5), "1 1".to_owned()).await.unwrap();
    b.create(code(4), "1 1".to_owned()).await.unwrap();
    let machine = Machine::new(&server);
    let c = machine.start(3).await.unwrap();
    c.cluster.lease_held().await;
    c.create(code(8), "1 1".to_owned()).await.unwrap();
    a.kill();
    pass(Duration::from_secs(4)).await;
    let engine_time = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let keys_after = async |hours: u64| {
        // The last sweep took the keys of nodes for old ones.
        pass(Duration::from_secs(4)).await;
        let now: SystemTime = engine_time + Duration::from_secs(hours * 3600);
        b.cluster.sweep(now).await.unwrap();
        let keys = server.keys();
        keys.iter()
            .filter_map(|key| key.strip_prefix("code.").map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let text = |numbers: &[u32]| numbers.iter().map(|n| code(*n).to_string()).collect::<Vec<_>>();
    assert_eq!(keys_after(1).await, text(&[3, 4, 5, 8]), "its time and an hour more are not over");
    assert_eq!(keys_after(2).await, text(&[4, 5, 8]), "what a live node has stays");
    assert_eq!(keys_after(7 * 24).await, text(&[4, 5, 8]));
    assert_eq!(keys_after(7 * 24 + 1).await, text(&[4, 8]), "a week after a party");
}

/// Catches a node that does not know why it has no lease.
#[tokio::test(start_paused = true)]
async fn the_reason_of_a_lost_lease_is_a_problem_until_there_is_another_one() {
    let Two { server, a, .. } = two().await;
    assert_eq!(a.cluster.status().problem, None);
    server.set_faults(Faults { lost: 1000, ..Faults::default() });
    a.cluster.lease_lost().await;
    pass(Duration::from_secs(2)).await;
    let why = "this node serves nobody, because its heartbeats cannot be stored: no answer";
    assert_eq!(a.cluster.status().problem.as_deref(), Some(why));
    server.set_faults(Faults::default());
    a.cluster.lease_held().await;
    pass(Duration::from_secs(1)).await;
    assert_eq!(a.cluster.status().problem, None);
}

/// Catches a node that goes on in the bucket of another cluster.
#[tokio::test(start_paused = true)]
async fn a_node_knows_when_its_bucket_is_that_of_another_cluster() {
    let Two { server, a, .. } = two().await;
    let is_replaced = async || {
        let time = Duration::from_secs(10);
        timeout(time, a.cluster.replaced()).await.is_ok()
    };
    assert!(!is_replaced().await);
    server.set_down(true);
    assert!(!is_replaced().await, "no answer says nothing");
    server.set_down(false);
    server.lose_keys();
    Machine::new(&server).join(3).await.unwrap();
    assert!(is_replaced().await);
}
