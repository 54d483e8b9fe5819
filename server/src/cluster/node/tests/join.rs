//! Tests of how a node joins, and of folders that do not fit.

use noughts_protocol::RoomCode;
use tempfile::TempDir;

use super::world::{TestNode, make_room, pass, settled, shard_of, told};
use super::*;
use crate::cluster::engine::Chain;
use crate::cluster::engine::fake::faults::Link;
use crate::cluster::record::Record;
use crate::journal::Journal;
use crate::journal::import::import;
use crate::journal::store::Durability;
use crate::shard::Shard;

#[tokio::test(start_paused = true)]
async fn a_cluster_has_one_secret() {
    let cluster = FakeCluster::new(1);
    let nodes = futures::future::join_all((1..=5).map(|n| TestNode::start(&cluster, n))).await;
    assert!(nodes.iter().all(|node| node.secret == nodes[0].secret));
    settled(&nodes.iter().collect::<Vec<_>>()).await;
    assert_eq!(told(&cluster).claims, ALL);
}

#[tokio::test(start_paused = true)]
async fn a_node_waits_for_an_engine_that_does_not_answer() {
    let cluster = FakeCluster::new(1);
    cluster.leader_gap(Duration::from_secs(9));
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
}

#[tokio::test(start_paused = true)]
async fn a_node_goes_on_where_its_folder_is() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let (shard, secret) = (shard_of(&two), two.secret);
    let mut room = two.make_room(shard).await.unwrap();
    one.engine.set_link(Link::Cut);
    let folder = one.kill().await;
    for _ in 0..100 {
        room.play().await.unwrap();
    }
    settled(&[&two]).await;
    let three = TestNode::start_in(&cluster, 3, folder).await.unwrap();
    assert_eq!(three.secret, secret);
    // It knows the owners whose claims it read before.
    assert_ne!(three.directory.owner(shard), crate::cluster::directory::Owner::Me);
    assert_eq!(three.load_room(room.log.id()).await.unwrap().v, 101);
    pass(10_000).await;
    settled(&[&two, &three]).await;
    told(&cluster);
}

#[tokio::test(start_paused = true)]
async fn after_all_were_killed_one_begins_again_with_everything() {
    let cluster = FakeCluster::new(1);
    let (one, two) = (TestNode::start(&cluster, 1).await, TestNode::start(&cluster, 2).await);
    settled(&[&one, &two]).await;
    let rooms = [one.make_room(shard_of(&one)).await, two.make_room(shard_of(&two)).await];
    two.kill().await;
    let folder = one.kill().await;
    let again = TestNode::start_in(&cluster, 3, folder).await.unwrap();
    let took = settled(&[&again]).await;
    assert!(took < Duration::from_secs(2), "{took:?}");
    for room in rooms {
        let mut room = again.load_room(room.unwrap().log.id()).await.unwrap();
        assert_eq!(room.play().await, Ok(2));
    }
    told(&cluster);
}

#[tokio::test(start_paused = true)]
async fn a_node_of_an_older_version_does_not_join_a_log_with_newer_records() {
    use crate::cluster::engine::Engine;
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let folder = one.stop().await;
    let newer = br#"{"format":2,"node":"b","what":"?"}"#;
    cluster.engine().append(Chain::Common, 1, newer[..].into()).await.unwrap();
    let mut folders = vec![folder, tempfile::tempdir().unwrap()];
    for (number, folder) in (2..).zip(folders.drain(..)) {
        let refused = TestNode::start_in(&cluster, number, folder).await.unwrap_err();
        assert!(refused.to_string().contains("update this noughts-server"), "{refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_writes_what_an_older_one_beside_it_can_read() {
    use crate::cluster::beats::{Beat, EVERY};
    use crate::cluster::directory::NodeName;
    use crate::cluster::engine::{Engine, Topic};
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let (engine, node) = (cluster.engine(), NodeName::of(9));
    // It leaves, so that it gets no shard.
    let older =
        Beat { node, address: None, sent: Duration::ZERO, leaving: true, format: FORMAT - 1 };
    let beating = tokio::spawn(async move {
        let mut ticks = tokio::time::interval(EVERY);
        loop {
            ticks.tick().await;
            engine.publish(Topic::All, older.encode()).await.unwrap();
        }
    });
    let format = || Record::decode(&cluster.records().last().unwrap().record).unwrap().format;
    let mut room = one.make_room(shard_of(&one)).await.unwrap();
    pass(1000).await;
    room.play().await.unwrap();
    assert_eq!(format(), FORMAT - 1);
    beating.abort();
    pass(2000).await;
    room.play().await.unwrap();
    assert_eq!(format(), FORMAT, "the older one is gone");
}

#[tokio::test(start_paused = true)]
async fn a_folder_of_another_cluster_is_refused() {
    let cluster = FakeCluster::new(1);
    let one = TestNode::start(&cluster, 1).await;
    one.owns(ALL).await;
    let folder = one.stop().await;
    let empty = FakeCluster::new(1);
    let refused = TestNode::start_in(&empty, 2, folder).await;
    assert!(matches!(refused, Err(JoinError::Shorter { .. })), "{refused:?}");

    let one = TestNode::start(&cluster, 3).await;
    one.owns(ALL).await;
    let folder = one.stop().await;
    let other = FakeCluster::new(1);
    let two = TestNode::start(&other, 2).await;
    for _ in 0..10 {
        two.owns(ALL).await;
        let shard = shard_of(&two);
        let mut room = two.make_room(shard).await.unwrap();
        for _ in 0..100 {
            room.play().await.unwrap();
        }
    }
    let refused = TestNode::start_in(&other, 4, folder).await;
    assert!(matches!(refused, Err(JoinError::OtherCluster)), "{refused:?}");
}

/// The data folder of a single server with a room of this shard, made that of a node.
async fn imported(shard: Shard) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let opened = Journal::open(folder.path(), Durability::Process);
    let (journal, _) = opened.unwrap();
    make_room(&journal, shard).await.unwrap();
    journal.close().await;
    assert_eq!(import(folder.path()).unwrap().rooms, 1);
    folder
}

#[tokio::test(start_paused = true)]
async fn a_cluster_begins_with_the_rooms_of_a_single_server() {
    let cluster = FakeCluster::new(1);
    let shard = Shard::of_code(RoomCode::from_number(7));
    let (folder, copy) = (imported(shard).await, tempfile::tempdir().unwrap());
    std::fs::copy(folder.path().join("journal.db"), copy.path().join("journal.db")).unwrap();
    let one = TestNode::start_in(&cluster, 1, folder).await.unwrap();
    let two = TestNode::start_in(&cluster, 2, copy).await.unwrap();
    settled(&[&one, &two]).await;
    let rooms: Vec<i64> =
        [&one, &two].iter().filter_map(|node| node.house.rooms(shard)).flatten().collect();
    for node in [&one, &two] {
        let mut room = node.load_room(rooms[0]).await.unwrap();
        if node.house.rooms(shard).is_some() {
            assert_eq!(room.play().await, Ok(2));
        }
    }
    let empty = tempfile::tempdir().unwrap();
    let refused = TestNode::start_in(&cluster, 3, empty).await;
    assert!(matches!(refused, Err(JoinError::Follow(FollowError::NotImported))), "{refused:?}");
    let other = imported(shard).await;
    let refused = TestNode::start_in(&cluster, 4, other).await;
    assert!(matches!(refused, Err(JoinError::Follow(FollowError::OtherStart))), "{refused:?}");
}
