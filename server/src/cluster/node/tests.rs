//! Tests of whole nodes: claims, hand-overs and losses, and what a room is told about its writes.

mod faults;
mod join;
mod limits;
mod simulation;
mod world;

use super::*;
use crate::cluster::directory::Owner;
use crate::cluster::engine::fake::FakeCluster;
use crate::cluster::engine::fake::faults::Link;
use crate::cluster::engine::{Chain, Engine};
use crate::cluster::record::{Content, Record};
use crate::journal::error::DiskError;
use crate::shard::SHARDS;
use std::time::Duration;
use world::{TestNode, pass, settled, shard_of, told};

const ALL: usize = SHARDS as usize;

#[tokio::test(start_paused = true)]
async fn the_first_node_has_every_shard_and_shares_them_with_the_next() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    assert_eq!(told(&cluster).claims, ALL);
    let two = TestNode::start(&cluster, 2).await;
    assert_eq!(two.secret, one.secret);
    two.until(|two| two.directory.owned().len() > ALL / 4).await;
    pass(2000).await;
    settled(&[&one, &two]).await;
    let three = TestNode::start(&cluster, 3).await;
    pass(6000).await;
    settled(&[&one, &two, &three]).await;
    for node in [&one, &two, &three] {
        let owned = node.directory.owned().len();
        assert!((2..=7).contains(&owned), "{owned} of 16");
        assert_eq!(node.directory.nodes().len(), 3);
    }
    let told = told(&cluster);
    assert_eq!(told.claims, ALL + told.releases, "each is handed over once");
    pass(20_000).await;
    assert_eq!(world::told(&cluster).claims, told.claims, "and then they stay");
}

#[tokio::test(start_paused = true)]
async fn three_nodes_that_start_together_share_the_shards() {
    let cluster = FakeCluster::new(1);
    let nodes = futures::future::join_all((1..=3).map(|n| TestNode::start(&cluster, n))).await;
    let nodes: Vec<_> = nodes.iter().collect();
    let took = settled(&nodes).await;
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert_eq!(told(&cluster).claims, ALL, "nobody had to hand anything over");
}

#[tokio::test(start_paused = true)]
async fn the_shards_of_a_dead_node_are_claimed_with_all_their_rooms() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let shard = shard_of(&one);
    let mut room = one.make_room(shard).await.unwrap();
    assert_eq!(room.play().await, Ok(2));
    let id = room.log.id();
    one.kill().await;
    let took = settled(&[&two]).await;
    assert!(took < Duration::from_millis(1500), "{took:?}");
    assert_eq!(two.house.rooms(shard), Some(vec![id]));
    let mut room = two.load_room(id).await.unwrap();
    assert_eq!(room.v, 2);
    assert_eq!(room.play().await, Ok(3));
    assert_eq!(told(&cluster).rooms[&id], 3);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_stops_hands_over_everything() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let shard = shard_of(&one);
    let room = one.make_room(shard).await.unwrap();
    let began = tokio::time::Instant::now();
    let (owned, before) = (one.directory.owned().len(), told(&cluster));
    one.stop().await;
    settled(&[&two]).await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(two.house.rooms(shard), Some(vec![room.log.id()]));
    assert_eq!(told(&cluster).releases, before.releases + owned);
}

#[tokio::test(start_paused = true)]
async fn the_last_node_lets_go_of_everything_and_the_next_begins_with_it() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let room = one.make_room(shard_of(&one)).await.unwrap();
    let id = room.log.id();
    let folder = one.stop().await;
    let told = told(&cluster);
    assert_eq!((told.claims, told.releases), (ALL, ALL));
    let two = TestNode::start_in(&cluster, 2, folder).await.unwrap();
    two.owns(ALL).await;
    assert_eq!(two.load_room(id).await.unwrap().v, 1);
}

#[tokio::test(start_paused = true)]
async fn a_frozen_owner_that_comes_back_writes_nothing() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let shard = shard_of(&one);
    let mut room = one.make_room(shard).await.unwrap();
    let id = room.log.id();
    one.engine.set_link(Link::Paused);
    // On its way when the node freezes, and for thirty seconds.
    let writing = tokio::spawn(async move { room.play().await });
    two.owns(ALL).await;
    let mut taken = two.load_room(id).await.unwrap();
    let played = taken.play().await.unwrap();
    pass(30_000).await;
    assert!(!writing.is_finished(), "nobody knows yet");
    assert_ne!(one.directory.owner(shard), Owner::Me, "it does not show it");
    one.engine.set_link(Link::Open);
    let outcome = writing.await.unwrap();
    // What was on its way was stored before the claim, or it never is.
    assert!(outcome == Err(DiskError::Outrun) || (outcome == Ok(2) && played == 3), "{outcome:?}");
    one.until(|one| one.directory.owner(shard) != Owner::Me).await;
    assert_eq!(one.house.rooms(shard), None);
    assert!(matches!(one.make_room(shard).await, Err(DiskError::Outrun)));
    told(&cluster);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_reads_late_finds_out_what_it_has_lost() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let shard = shard_of(&one);
    assert!(one.directory.catch_up().await);
    assert_eq!(one.directory.owner(shard), Owner::Me);
    one.engine.set_link(Link::Late);
    let last = cluster.records().iter().rfind(|it| it.chain == Chain::Shard(shard)).unwrap().seq;
    let (node, content) = ("b".to_owned(), Content::Claimed);
    let claim = Record { format: FORMAT, node, number: 1, at: 0, age: 0, content };
    cluster.engine().append(Chain::Shard(shard), last, claim.encode()).await.unwrap();
    pass(400).await;
    assert_eq!(one.directory.owner(shard), Owner::Me, "it cannot know");
    let open = async {
        pass(3000).await;
        one.engine.set_link(Link::Open);
    };
    assert!(tokio::join!(one.directory.catch_up(), open).0);
    assert_ne!(one.directory.owner(shard), Owner::Me);
    one.engine.set_link(Link::Cut);
    assert!(!one.directory.catch_up().await, "nobody can be sure without the log");
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_stands_still_makes_nobody_look_dead() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    pass(5000).await;
    let before = told(&cluster);
    for link in [Link::Cut, Link::Paused] {
        one.engine.set_link(link);
        two.engine.set_link(link);
        pass(2000).await;
        assert!(!one.directory.is_healthy() && !one.directory.is_cut_off());
        pass(14_000).await;
        assert!(one.directory.is_cut_off() && two.directory.is_cut_off());
        one.engine.set_link(Link::Open);
        two.engine.set_link(Link::Open);
        pass(10_000).await;
        assert!(one.directory.is_healthy() && two.directory.is_healthy());
        let after = told(&cluster);
        assert_eq!((after.claims, after.releases), (before.claims, before.releases), "{link:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_whose_records_are_not_stored_is_cut_off_until_they_are() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let mut room = one.make_room(shard_of(&one)).await.unwrap();
    // Beats go on: two of three servers are away.
    cluster.leader_gap(Duration::from_secs(40));
    let playing = tokio::spawn(async move { room.play().await });
    pass(12_000).await;
    assert!(one.directory.is_healthy(), "an election may take so long");
    pass(5_000).await;
    assert!(one.directory.is_cut_off());
    assert!(two.directory.is_healthy(), "it has nothing to store, and cannot know");
    pass(30_000).await;
    assert_eq!(playing.await.unwrap(), Ok(2));
    assert!(one.directory.is_healthy());
}

#[tokio::test(start_paused = true)]
async fn a_node_ends_at_a_record_that_it_cannot_read() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let newer = br#"{"format":2,"node":"b","what":"?"}"#;
    cluster.engine().append(Chain::Common, 1, newer[..].into()).await.unwrap();
    let error = one.ended().await.unwrap_err();
    assert!(error.to_string().contains("update this noughts-server"), "{error}");
}
