//! Tests of the directory.

use super::*;

fn node(number: u64) -> NodeInfo {
    NodeInfo { name: NodeName::of(number), address: None, is_leaving: false }
}

fn directory() -> Directory {
    Directory::new(NodeName::of(1), None)
}

fn shard() -> Shard {
    Shard::all().nth(7).unwrap()
}

#[test]
fn a_single_server_owns_every_shard() {
    let directory = Directory::alone();
    assert!(directory.is_alone() && directory.is_healthy() && !directory.is_cut_off());
    assert_eq!(directory.owned().len(), usize::from(SHARDS));
    assert_eq!(directory.owner(shard()), Owner::Me);
    assert!(directory.metrics().is_none());
}

#[tokio::test(start_paused = true)]
async fn somebody_who_needs_a_shard_waits_for_an_owner_that_lives() {
    let directory = directory();
    let began = tokio::time::Instant::now();
    assert_eq!(directory.settled(shard()).await, Owner::Nobody);
    assert_eq!(began.elapsed(), SETTLE);

    directory.set_owner(shard(), Owner::Node(NodeName::of(2)));
    let waiting = tokio::spawn({
        let directory = directory.clone();
        async move { directory.settled(shard()).await }
    });
    drop(tokio::time::timeout(Duration::from_secs(1), std::future::pending::<()>()).await);
    assert!(!waiting.is_finished(), "the owner is not known to live");
    directory.set_nodes(vec![node(1), node(2)]);
    assert_eq!(waiting.await.unwrap(), Owner::Node(NodeName::of(2)));
}

#[tokio::test(start_paused = true)]
async fn a_node_in_doubt_owns_nothing() {
    let directory = directory();
    directory.set_owner(shard(), Owner::Me);
    assert_eq!(directory.owned(), [shard()]);
    directory.set_in_doubt(true);
    assert!(directory.owned().is_empty());
    assert_eq!(directory.owner(shard()), Owner::Nobody);
    directory.set_in_doubt(false);
    assert_eq!(directory.settled(shard()).await, Owner::Me);
    tokio::time::advance(STOOD_STILL + Duration::from_millis(1)).await;
    assert_eq!(directory.owner(shard()), Owner::Nobody, "it stood still");
}

#[tokio::test(start_paused = true)]
async fn all_shards_are_settled_when_the_last_one_is() {
    let directory = directory();
    for shard in Shard::all().skip(1) {
        directory.set_owner(shard, Owner::Me);
    }
    directory.look();
    assert!(!directory.all_settled().await);
    assert!(directory.look(), "it did not look for ten seconds");
    directory.set_owner(Shard::all().next().unwrap(), Owner::Me);
    assert!(directory.all_settled().await);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_cut_off_says_so() {
    let directory = directory();
    directory.set_hearing(Hearing::Badly);
    assert!(!directory.is_healthy() && !directory.is_cut_off());
    directory.set_hearing(Hearing::CutOff);
    directory.until_cut_off_is(true).await;
    assert!(directory.is_cut_off());
    directory.set_hearing(Hearing::Well);
    directory.until_cut_off_is(false).await;
    assert!(directory.is_healthy());
}

#[test]
fn pages_of_nodes_that_have_lived_are_known() {
    let directory = directory();
    let at = |number: u64, address: String| NodeInfo { address: Some(address), ..node(number) };
    directory.set_nodes(vec![at(2, "http://two.example:7333/".to_owned())]);
    directory.set_nodes(vec![at(3, "https://three.example/games/".to_owned()), node(4)]);
    let known = ["http://two.example:7333", "https://three.example"];
    let unknown = ["https://two.example:7333", "http://three.example", "null", ""];
    assert!(known.iter().all(|origin| directory.is_origin(origin)));
    assert!(!unknown.iter().any(|origin| directory.is_origin(origin)));
    for number in 0..=MAX_ADDRESSES as u64 {
        directory.set_nodes(vec![at(5, format!("http://n{number}.example/"))]);
    }
    assert!(!directory.is_origin("http://n0.example") && directory.is_origin("http://n1.example"));
}
