//! The promises of a cluster's engine: the one in memory, and NATS with one server and with three.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::future::join_all;
use futures::stream::BoxStream;
use noughts_cluster::fake::FakeServer;
use noughts_cluster::{Engine, NatsEngine, PutError, Record};
use noughts_harness::{NatsServers, TIMEOUT};
use tokio::time::timeout;

/// The limit of a call. The usual half a second is too little on a busy machine.
const CALL_TIME: Duration = Duration::from_secs(5);

/// The engines of two nodes of a new cluster.
type Pair = [Arc<dyn Engine>; 2];

async fn on_nats(servers: &NatsServers, name: &str) -> Pair {
    let options = servers.options(name);
    let engines = (0..2).map(|_| NatsEngine::connect_with(&options, CALL_TIME));
    let engines = join_all(engines).await;
    let engines = engines.into_iter().map(|engine| Arc::new(engine.unwrap()) as Arc<dyn Engine>);
    engines.collect::<Vec<_>>().try_into().unwrap()
}

/// The next item of a stream.
pub(super) async fn next<T>(stream: &mut BoxStream<'static, T>) -> T {
    let next = timeout(TIMEOUT, stream.next()).await.expect("nothing more comes");
    next.expect("the stream has ended")
}

fn text(bytes: &Bytes) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn a_value_is_replaced_only_at_its_revision([one, other]: Pair) {
    assert_eq!(one.get("code.A").await, Ok(None));
    let first = one.put("code.A", "1".into(), 0).await.unwrap();
    assert_eq!(other.put("code.A", "x".into(), 0).await, Err(PutError::OtherRevision));
    let second = other.put("code.A", "2".into(), first).await.unwrap();
    assert!(second > first, "{second} follows {first}");
    for wrong in [0, first] {
        let put = one.put("code.A", "x".into(), wrong).await;
        assert_eq!(put, Err(PutError::OtherRevision), "{wrong}");
        let deleted = one.delete("code.A", wrong).await;
        assert_eq!(deleted, Err(PutError::OtherRevision), "{wrong}");
    }
    let entry = one.get("code.A").await.unwrap().unwrap();
    assert_eq!((entry.revision, text(&entry.value)), (second, "2".to_owned()));
    let third = other.overwrite("code.A", "3".into()).await.unwrap();
    assert!(third > second, "{third} follows {second}");
    assert_eq!(one.get("code.A").await.unwrap().unwrap().revision, third);
}

async fn a_deleted_key_is_one_that_never_was([one, other]: Pair) {
    let first = one.put("code.B", "1".into(), 0).await.unwrap();
    one.delete("code.B", first).await.unwrap();
    assert_eq!(other.get("code.B").await, Ok(None));
    assert_eq!(one.delete("code.B", first).await, Err(PutError::OtherRevision));
    assert_eq!(one.put("code.B", "x".into(), first).await, Err(PutError::OtherRevision));
    let again = other.put("code.B", "2".into(), 0).await.unwrap();
    assert!(again > first, "{again} follows {first}");
    assert_eq!(one.put("code.B", "x".into(), 0).await, Err(PutError::OtherRevision));
    assert_eq!(text(&one.get("code.B").await.unwrap().unwrap().value), "2");
}

async fn of_many_who_replace_a_value_one_wins([one, other]: Pair) {
    let mut revision = 0;
    for _ in 0..20 {
        let puts = (0..10).map(|index: usize| {
            let engine = [&one, &other][index % 2];
            engine.put("code.C", index.to_string().into(), revision)
        });
        let puts = join_all(puts).await;
        let won: Vec<_> = puts.iter().filter_map(|put| put.as_ref().ok()).collect();
        let [&winner] = won[..] else { panic!("{puts:?}") };
        revision = winner;
    }
}

async fn a_scan_has_every_value_that_was_put_before_it([one, other]: Pair) {
    // More than a server sends without a sign of the reader.
    let long = "x".repeat(1 << 19);
    let mut expected = Vec::new();
    for index in 0..30 {
        let key = format!("code.{index:02}");
        let revision = one.put(&key, format!("{index}{long}").into(), 0).await.unwrap();
        expected.push((key, revision));
    }
    let (gone, revision) = expected.pop().unwrap();
    one.delete(&gone, revision).await.unwrap();
    one.put("node.1", "1".into(), 0).await.unwrap();
    let revision = one.put("code.03", "new".into(), expected[3].1).await.unwrap();
    expected[3].1 = revision;
    for engine in [&one, &other] {
        let scan = engine.scan("code.").await.unwrap();
        let found = timeout(TIMEOUT, scan.map(Result::unwrap).collect::<Vec<_>>()).await.unwrap();
        let mut found: Vec<_> =
            found.into_iter().map(|(key, entry)| (key, entry.revision)).collect();
        found.sort();
        assert_eq!(found, expected);
        let nothing = engine.scan("party.").await.unwrap();
        assert_eq!(timeout(TIMEOUT, nothing.count()).await, Ok(0));
    }
}

async fn who_watches_sees_every_change([one, other]: Pair) {
    let first = one.put("node.1", "1".into(), 0).await.unwrap();
    let mut changes = other.watch("node.").await.unwrap();
    let mut seen = async || {
        let (key, entry) = next(&mut changes).await.unwrap();
        (key, entry.map(|entry| (entry.revision, text(&entry.value))))
    };
    assert_eq!(seen().await, ("node.1".to_owned(), Some((first, "1".to_owned()))));
    one.put("code.1", "x".into(), 0).await.unwrap();
    let second = one.overwrite("node.1", "2".into()).await.unwrap();
    assert_eq!(seen().await, ("node.1".to_owned(), Some((second, "2".to_owned()))));
    one.delete("node.1", second).await.unwrap();
    assert_eq!(seen().await, ("node.1".to_owned(), None));
    let new = one.put("node.2", "3".into(), 0).await.unwrap();
    assert_eq!(seen().await, ("node.2".to_owned(), Some((new, "3".to_owned()))));
}

async fn everybody_reads_the_same_records_without_a_gap([one, other]: Pair) {
    let record = |number, body: &'static str| Record { number, body: body.into() };
    assert_eq!(one.bounds().await, Ok((1, 0)));
    let mut early = other.follow(1).await.unwrap();
    assert_eq!(one.append("a", "first".into()).await, Ok(1));
    assert_eq!(other.append("b", "second".into()).await, Ok(2));
    // A repeat, perhaps by the node that took over.
    assert_eq!(other.append("a", "first".into()).await, Ok(1));
    assert_eq!(one.append("c", "third".into()).await, Ok(3));
    assert_eq!(other.bounds().await, Ok((1, 3)));
    for expected in [record(1, "first"), record(2, "second"), record(3, "third")] {
        assert_eq!(next(&mut early).await, Ok(expected));
    }
    let mut late = one.follow(3).await.unwrap();
    assert_eq!(next(&mut late).await, Ok(record(3, "third")));
    let mut future = one.follow(4).await.unwrap();
    assert_eq!(one.append("d", "fourth".into()).await, Ok(4));
    for records in [&mut early, &mut late, &mut future] {
        assert_eq!(next(records).await, Ok(record(4, "fourth")));
    }
}

async fn messages_reach_all_who_subscribed_in_order([one, other]: Pair) {
    let mut own = one.subscribe().await.unwrap();
    let mut all = other.subscribe().await.unwrap();
    // The servers tell each other of a subscription soon, but not at once.
    let arrives = async {
        loop {
            one.publish("hello".into()).await.unwrap();
            if timeout(TIMEOUT / 100, all.next()).await.is_ok() {
                return;
            }
        }
    };
    timeout(TIMEOUT, arrives).await.expect("no message arrives");
    for index in 0..100 {
        one.publish(index.to_string().into()).await.unwrap();
    }
    for messages in [&mut own, &mut all] {
        for index in 0..100 {
            let mut message = text(&next(messages).await);
            while message == "hello" {
                message = text(&next(messages).await);
            }
            assert_eq!(message, index.to_string());
        }
    }
}

/// Checks all promises, each on a new cluster.
async fn check_all(make: impl AsyncFn(&'static str) -> Pair) {
    a_value_is_replaced_only_at_its_revision(make("replaced").await).await;
    a_deleted_key_is_one_that_never_was(make("deleted").await).await;
    of_many_who_replace_a_value_one_wins(make("won").await).await;
    a_scan_has_every_value_that_was_put_before_it(make("scanned").await).await;
    who_watches_sees_every_change(make("watched").await).await;
    everybody_reads_the_same_records_without_a_gap(make("read").await).await;
    messages_reach_all_who_subscribed_in_order(make("told").await).await;
}

#[tokio::test(start_paused = true)]
async fn the_engine_in_memory_keeps_the_contract() {
    check_all(async |_| {
        let server = FakeServer::new(0);
        let pair: Pair = [Arc::new(server.connect()), Arc::new(server.connect())];
        pair
    })
    .await;
}

#[tokio::test]
async fn one_nats_server_keeps_the_contract() {
    if let Some(servers) = NatsServers::start("the contract on one NATS server", 1) {
        check_all(async |name| on_nats(&servers, name).await).await;
    }
}

#[tokio::test]
async fn three_nats_servers_keep_the_contract() {
    if let Some(servers) = NatsServers::start("the contract on three NATS servers", 3) {
        check_all(async |name| on_nats(&servers, name).await).await;
    }
}
