//! Tests of the writer alone: what an earlier claim left in the queue.

use super::*;
use crate::cluster::directory::NodeName;
use crate::cluster::engine::fake::FakeCluster;
use crate::journal::Journal;
use crate::journal::environment::{Environment, Workers};

/// Lets so many milliseconds pass.
async fn pass(millis: u64) {
    let time = std::time::Duration::from_millis(millis);
    drop(tokio::time::timeout(time, std::future::pending::<()>()).await);
}

#[tokio::test(start_paused = true)]
async fn what_was_written_before_a_claim_is_not_appended_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment { workers: Workers::Tasks, ..Environment::REAL };
    let opened = Journal::open_replica(folder.path(), environment, |store| Box::new(store));
    let (journal, _, replica, proposals) = opened.unwrap();
    let cluster = FakeCluster::new(1);
    let engine = Arc::new(cluster.engine());
    let log = Log::new(engine, replica, NodeName::of(1), Arc::default(), environment);
    let (writer, handle) = Writer::new(Arc::new(log), proposals);
    let shard = Shard::all().next().unwrap();
    let write = || Write::Vacant { room: shard.first_number(1), run: 1, since: None };

    // A room of an earlier claim has left it, and the writer has not come to it yet.
    let left = journal.write(write());
    let mut left = std::pin::pin!(left);
    assert!(futures::poll!(left.as_mut()).is_pending());
    let mut opening = std::pin::pin!(handle.open(shard, 0));
    assert!(futures::poll!(opening.as_mut()).is_pending());
    let running = tokio::spawn(writer.run());
    opening.await;
    assert_eq!(left.await, Err(DiskError::Outrun));
    assert_eq!(cluster.records().len(), 0);

    assert_eq!(journal.write(write()).await, Ok(()));
    assert_eq!(handle.flush(shard).await, Some(1));
    assert_eq!(journal.write(write()).await, Err(DiskError::Outrun), "it was handed over");
    running.abort();
    drop(running.await);
    assert!(journal.write(write()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn what_is_on_its_way_when_the_node_ends_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment { workers: Workers::Tasks, ..Environment::REAL };
    let opened = Journal::open_replica(folder.path(), environment, |store| Box::new(store));
    let (journal, _, replica, proposals) = opened.unwrap();
    let cluster = FakeCluster::new(1);
    cluster.leader_gap(std::time::Duration::from_secs(60));
    let engine = Arc::new(cluster.engine());
    let log = Log::new(engine, replica, NodeName::of(1), Arc::default(), environment);
    let (writer, handle) = Writer::new(Arc::new(log), proposals);
    let shard = Shard::all().next().unwrap();
    let write = || Write::Vacant { room: shard.first_number(1), run: 1, since: None };
    let running = tokio::spawn(writer.run());
    handle.open(shard, 0).await;
    let ending = async {
        pass(1000).await;
        running.abort();
    };
    let waiting = async {
        pass(500).await;
        journal.write(write()).await
    };
    let (flying, waiting, ()) = tokio::join!(journal.write(write()), waiting, ending);
    assert!(matches!(flying, Err(DiskError::Unknown(_))), "{flying:?}");
    assert_eq!(waiting, Err(DiskError::Outrun), "it was in no record yet");
}
