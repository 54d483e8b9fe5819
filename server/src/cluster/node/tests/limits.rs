//! Tests of long records, of a log that discards its oldest records, and of a node that stood still.

use super::world::{TestNode, pass, settled, shard_of, told};
use super::*;
use crate::cluster::directory::Owner;
use crate::cluster::engine::fake::faults::Link;
use crate::cluster::follower::FollowError;
use crate::cluster::record::Record;
use crate::journal::entry::{Entry, Payload};
use crate::journal::store::Write;

/// A write of a room whose text has about so many bytes.
fn long(room: i64, v: u64, bytes: usize) -> Write {
    let payload = Payload::Fact("x".repeat(bytes));
    let entry = Entry { v, run: 1, at: 0, payload, crc: 0 };
    Write::Append { room, entries: vec![entry], kept: None, ended: None }
}

#[tokio::test(start_paused = true)]
async fn long_writes_go_into_records_of_their_own() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let shard = shard_of(&one);
    let mut numbers = Vec::new();
    for _ in 0..5 {
        numbers.push(one.make_room(shard).await.unwrap().log.id());
    }
    let before = told(&cluster).records;
    let writes = numbers.iter().map(|room| one.journal.write(long(*room, 2, 200 << 10)));
    for outcome in futures::future::join_all(writes).await {
        assert_eq!(outcome, Ok(()));
    }
    let records = told(&cluster).records - before;
    assert!((3..=5).contains(&records), "{records}");
    let refused = one.journal.write(long(numbers[0], 3, 600 << 10)).await;
    assert!(matches!(refused, Err(DiskError::Refused(_))), "{refused:?}");
    let mut room = one.make_room(shard).await.unwrap();
    assert_eq!(room.play().await, Ok(2), "the shard goes on");
}

#[tokio::test(start_paused = true)]
async fn a_shard_whose_records_were_all_discarded_goes_on() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let (idle, busy) = (one.directory.owned()[0], one.directory.owned()[1]);
    let mut sleeper = one.make_room(idle).await.unwrap();
    let mut room = one.make_room(busy).await.unwrap();
    for _ in 0..10 {
        room.play().await.unwrap();
    }
    cluster.discard(cluster.records().last().unwrap().seq);
    assert_eq!(sleeper.play().await, Ok(2));
    cluster.discard(cluster.records().last().unwrap().seq);
    // The heir knows from its copy that the chain has to begin again.
    one.kill().await;
    settled(&[&two]).await;
    let mut taken = two.load_room(room.log.id()).await.unwrap();
    assert_eq!(taken.play().await, Ok(12));
    let mut taken = two.load_room(sleeper.log.id()).await.unwrap();
    assert_eq!(taken.play().await, Ok(3));
}

#[tokio::test(start_paused = true)]
async fn an_owner_of_long_ago_does_not_begin_a_discarded_chain_again() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let mut room = one.make_room(shard_of(&one)).await.unwrap();
    one.engine.set_link(Link::Paused);
    let writing = tokio::spawn(async move { room.play().await });
    two.owns(ALL).await;
    // Everything that says so is discarded while the owner sleeps.
    let other = two.directory.owned().into_iter().next_back().unwrap();
    two.make_room(other).await.unwrap();
    let last = cluster.records().last().unwrap().seq;
    cluster.discard(last + 1);
    let name = one.name.to_string();
    one.engine.set_link(Link::Open);
    let outcome = writing.await.unwrap();
    assert!(outcome.is_err(), "{outcome:?}");
    let error = one.ended().await.unwrap_err();
    assert!(matches!(error, NodeError::Follow(FollowError::Gap { .. })), "{error:?}");
    pass(2000).await;
    let later = cluster.records().into_iter().filter(|record| record.seq > last);
    let mut nodes = later.map(|record| Record::decode(&record.record).unwrap().node);
    assert!(nodes.all(|node| node != name), "it appended something");
}

#[tokio::test(start_paused = true)]
async fn a_node_that_stood_still_reads_the_log_before_it_says_what_it_owns() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let claims = told(&cluster).claims;
    let shard = shard_of(&one);
    one.engine.set_link(Link::Paused);
    tokio::time::advance(Duration::from_secs(30)).await;
    pass(150).await;
    assert_eq!(one.directory.owner(shard), Owner::Nobody);
    pass(5000).await;
    assert_eq!(one.directory.owner(shard), Owner::Nobody, "it cannot read the log");
    one.engine.set_link(Link::Open);
    assert_eq!(one.directory.settled(shard).await, Owner::Me);
    pass(5000).await;
    assert_eq!(told(&cluster).claims, claims);
}
