//! Tests of messages between nodes.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;

use super::world::*;
use crate::fake::FakeServer;

#[tokio::test(start_paused = true)]
async fn the_others_hear_what_a_node_tells_and_forget_it_when_it_is_silent() {
    let server = FakeServer::new(1);
    let machines = [Machine::new(&server), Machine::new(&server)];
    let a = machines[0].start(1).await.unwrap();
    let b = machines[1].start(2).await.unwrap();
    pass(Duration::from_secs(3)).await;
    a.cluster.tell(Bytes::from_static(b"one"));
    let heard = |node: &Process| {
        let told = node.cluster.told().into_iter();
        told.map(|(peer, body)| (peer.id.0, body.to_vec())).collect::<Vec<_>>()
    };
    while heard(&b) != [(1, b"one".to_vec())] {
        let changed = timeout(Duration::from_secs(1), b.cluster.told_changed()).await;
        assert!(changed.is_ok(), "{:?}", heard(&b));
    }
    assert_eq!(heard(&a), [], "not itself");
    pass(Duration::from_secs(60)).await;
    assert_eq!(heard(&b).len(), 1, "it is told again");
    a.leave().await;
    assert_eq!(heard(&b), []);
}
