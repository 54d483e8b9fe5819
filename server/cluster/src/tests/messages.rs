//! What nodes tell and ask each other.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;

use super::world::*;
use crate::NodeId;
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

#[tokio::test(start_paused = true)]
async fn a_question_is_answered_by_one_node_or_by_the_first() {
    let server = FakeServer::new(1);
    let machines = [1, 2, 3].map(|_| Machine::new(&server));
    let mut nodes = Vec::new();
    for (machine, id) in machines.iter().zip(1..) {
        let node = machine.start(id).await.unwrap();
        let mut questions = node.cluster.take_questions().unwrap();
        assert!(node.cluster.take_questions().is_none());
        drop(tokio::spawn(async move {
            while let Some(question) = questions.recv().await {
                // The third one has no answer.
                if id < 3 {
                    let answer = format!("{id}: {}", String::from_utf8_lossy(&question.body));
                    drop(question.answer.send(answer.into()));
                }
            }
        }));
        nodes.push(node);
    }
    pass(Duration::from_secs(1)).await;
    let hello = || Bytes::from_static(b"hello");
    let asker = &nodes[0].cluster;
    assert_eq!(asker.ask(NodeId(2), hello()).await, Some("2: hello".into()));
    assert_eq!(asker.ask(NodeId(3), hello()).await, None);
    assert_eq!(asker.ask(NodeId(4), hello()).await, None);
    assert_eq!(asker.ask_all(hello()).await, Some("2: hello".into()), "not itself");
}
