//! The copy of the stream in the node's own file.

use std::time::Duration;

use noughts_protocol::PlayerId;
use noughts_store::{Change, Store};
use tokio::time::Instant;

use super::world::*;
use crate::engine::Engine;
use crate::fake::FakeServer;
use crate::{ClusterError, NodeId};

fn game(id: u64) -> Change {
    Change::Game(Box::new(finished(id, code(3))))
}

#[tokio::test(start_paused = true)]
async fn a_save_ends_when_the_own_copy_has_its_game_and_the_others_follow() {
    let server = FakeServer::new(1);
    let machines = [Machine::new(&server), Machine::new(&server)];
    let a = machines[0].start(1).await.unwrap();
    let b = machines[1].start(2).await.unwrap();
    pass(Duration::from_secs(3)).await;
    a.cluster.save(vec![game(1)]).await.unwrap();
    assert!(machines[0].has(1).await);
    let person = PlayerId(0xada);
    a.cluster.save(vec![Change::Forget { player: person, at: 1 }]).await.unwrap();
    assert!(machines[0].sqlite.is_forgotten(person));
    pass(Duration::from_secs(1)).await;
    assert!(machines[1].has(1).await && machines[1].sqlite.is_forgotten(person));
    // It goes on where it was.
    b.leave().await;
    a.cluster.save(vec![game(2)]).await.unwrap();
    drop(machines[1].start(3).await.unwrap());
    pass(Duration::from_secs(1)).await;
    assert!(machines[1].has(2).await);
}

#[tokio::test(start_paused = true)]
async fn a_record_that_makes_no_sense_or_comes_again_is_left_out() {
    let server = FakeServer::new(1);
    let machine = Machine::new(&server);
    let engine = server.connect();
    let record = |change: &Change| serde_json::to_vec(change).unwrap();
    let room = row(code(3), None, &Memory { v: 1, state: String::new() });
    for (id, body) in [
        ("1", record(&game(1))),
        ("2", b"from a later version".to_vec()),
        ("3", record(&game(1))),
        ("4", record(&room)),
        ("5", record(&game(2))),
    ] {
        engine.append(id, body.into()).await.unwrap();
    }
    let node = machine.start(1).await.unwrap();
    pass(Duration::from_secs(6)).await;
    assert!(machine.has(1).await && machine.has(2).await);
    assert_eq!(machine.sqlite.load(code(3)).await, Ok(None));
    assert_eq!(node.cluster.status().unread_records, 0);
}

#[tokio::test(start_paused = true)]
async fn a_folder_that_does_not_fit_is_refused() {
    let server = FakeServer::new(1);
    let machine = Machine::new(&server);
    let first = machine.start(1).await.unwrap();
    pass(Duration::from_secs(3)).await;
    for id in 1..=3 {
        first.cluster.save(vec![game(id)]).await.unwrap();
    }
    let join = async |server: &FakeServer, machine: &Machine| {
        let engine = std::sync::Arc::new(server.connect());
        let sqlite = machine.sqlite.clone();
        crate::Cluster::with_engine(engine, NodeId(9), String::new(), sqlite).await.map(drop)
    };
    assert!(join(&server, &machine).await.is_ok());
    let other = FakeServer::new(2);
    let refused = join(&other, &machine).await;
    assert!(matches!(refused, Err(ClusterError::OfAnotherCluster)), "{refused:?}");
    let alone = Machine::new(&server);
    alone.sqlite.save(vec![game(1)]).await.unwrap();
    let refused = join(&server, &alone).await;
    assert!(matches!(refused, Err(ClusterError::NotEmpty)), "{refused:?}");
    server.lose_records_before(3);
    let refused = join(&server, &Machine::new(&server)).await;
    assert!(matches!(refused, Err(ClusterError::Behind { position: 0, oldest: 3 })), "{refused:?}");
    assert!(join(&server, &machine).await.is_ok(), "what is lost is copied already");
    let status = first.cluster.status();
    assert_eq!((status.nodes, status.lease, status.unread_records), (1, true, 0));
    machine.sqlite.replicate(first.cluster.name(), 5, Vec::new()).await.unwrap();
    let refused = join(&server, &machine).await;
    assert!(matches!(refused, Err(ClusterError::Ahead { position: 5, newest: 3 })), "{refused:?}");
}

/// Catches a node that copies nothing and says that all is well.
#[tokio::test(start_paused = true)]
async fn a_stream_that_is_made_anew_is_a_problem() {
    let server = FakeServer::new(1);
    let machine = Machine::new(&server);
    let node = machine.start(1).await.unwrap();
    node.cluster.lease_held().await;
    node.cluster.save(vec![game(1)]).await.unwrap();
    pass(Duration::from_secs(20)).await;
    assert_eq!(node.cluster.status().problem, None);
    server.lose_records();
    pass(Duration::from_secs(20)).await;
    let problem = node.cluster.status().problem.unwrap_or_default();
    assert!(problem.starts_with("finished games are not copied: the data folder has"), "{problem}");
}

/// Catches games that each wait for a copy that is late, and a copy that counts as late for ever.
#[tokio::test(start_paused = true)]
async fn no_game_waits_for_a_copy_that_was_late_until_it_moves_again() {
    let server = FakeServer::new(1);
    let machine = Machine::new(&server);
    // It does not run yet, and so copies nothing.
    let cluster = machine.join(1).await.unwrap();
    for (id, waits) in [(1, true), (2, false)] {
        let begun = Instant::now();
        cluster.save(vec![game(id)]).await.unwrap();
        assert_eq!(begun.elapsed() >= Duration::from_secs(1), waits, "game {id}");
    }
    let running = cluster.clone();
    drop(tokio::spawn(async move { running.run().await }));
    pass(Duration::from_secs(3)).await;
    cluster.save(vec![game(3)]).await.unwrap();
    assert!(machine.has(3).await);
}
