//! The promises of an engine of a cluster, on the engine in memory, on one NATS server and on three.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::StreamExt;
use futures::future::join_all;
use futures::stream::BoxStream;
use noughts_harness::{LONG_TIMEOUT, NatsServers};
use noughts_server::cluster::engine::fake::FakeCluster;
use noughts_server::cluster::engine::nats::{NatsConfig, NatsEngine};
use noughts_server::cluster::engine::{
    AppendError, Bounds, Chain, Delivered, Engine, EngineError, MAX_PAYLOAD, Topic,
};
use noughts_server::shard::Shard;
use tokio::time::timeout;

/// The size of a log here: one case fills it.
const MAX_BYTES: u64 = 8 << 20;

/// Clusters to test, each with an empty log.
enum Clusters {
    Fake,
    Nats { servers: NatsServers, next: AtomicU32 },
}

/// A cluster that gives each node an engine.
enum Cluster {
    Fake(FakeCluster),
    Nats(NatsConfig),
}

impl Clusters {
    fn nats(test: &str, count: u8) -> Option<Self> {
        let servers = NatsServers::start(test, count)?;
        Some(Self::Nats { servers, next: AtomicU32::new(0) })
    }

    fn make(&self) -> Cluster {
        match self {
            Self::Fake => Cluster::Fake(FakeCluster::new(0)),
            Self::Nats { servers, next } => {
                let number = next.fetch_add(1, Ordering::Relaxed);
                Cluster::Nats(config(servers, &format!("contract{number}")))
            }
        }
    }
}

impl Cluster {
    async fn engine(&self) -> Arc<dyn Engine> {
        match self {
            Self::Fake(cluster) => Arc::new(cluster.engine()),
            Self::Nats(config) => NatsEngine::connect(config).await.unwrap(),
        }
    }

    async fn engines<const N: usize>(&self) -> [Arc<dyn Engine>; N] {
        let engines = join_all((0..N).map(|_| self.engine())).await;
        engines.try_into().unwrap()
    }
}

/// The configuration of a node of these servers.
pub(super) fn config(servers: &NatsServers, prefix: &str) -> NatsConfig {
    NatsConfig {
        urls: servers.urls(),
        credentials: None,
        authorities: None,
        certificate: None,
        prefix: prefix.to_owned(),
        replicas: u8::try_from(servers.count()).unwrap(),
        max_bytes: MAX_BYTES,
    }
}

pub(super) fn chain(number: u8) -> Chain {
    Chain::Shard(Shard::try_from(number).unwrap())
}

type Records = BoxStream<'static, Result<Delivered, EngineError>>;

/// The next records of a stream.
pub(super) async fn take(records: &mut Records, count: usize) -> Vec<Delivered> {
    let taking = records.take(count).map(Result::unwrap).collect::<Vec<_>>();
    let taken = timeout(LONG_TIMEOUT, taking).await.expect("no more records come");
    assert_eq!(taken.len(), count, "the stream ended");
    taken
}

async fn next_message(messages: &mut BoxStream<'static, bytes::Bytes>) -> String {
    let message = timeout(LONG_TIMEOUT, messages.next()).await.expect("no message comes").unwrap();
    String::from_utf8(message.to_vec()).unwrap()
}

async fn a_chain_takes_only_the_successor_of_its_last_record(cluster: Cluster) {
    let [engine] = cluster.engines().await;
    let append = |chain, after, text: &'static str| engine.append(chain, after, text.into());
    assert_eq!(append(chain(0), 0, "a").await, Ok(1));
    assert_eq!(append(chain(0), 1, "b").await, Ok(2));
    assert_eq!(append(chain(15), 0, "c").await, Ok(3));
    assert_eq!(append(Chain::Common, 0, "d").await, Ok(4));
    assert_eq!(append(chain(0), 2, "e").await, Ok(5));
    for after in [0, 1, 2, 3, 4] {
        let refused = append(chain(0), after, "x").await;
        assert_eq!(refused, Err(AppendError::Outrun { last: 5 }), "after {after}");
    }
    assert_eq!(append(chain(15), 0, "x").await, Err(AppendError::Outrun { last: 3 }));
    // A record that is not there precedes nothing.
    for (chain, after) in [(chain(0), 6), (chain(7), 3)] {
        let refused = append(chain, after, "x").await;
        assert!(matches!(refused, Err(AppendError::Unknown(_))), "{refused:?}");
    }
    let mut records = engine.follow(1).await.unwrap();
    let texts = take(&mut records, 5).await.into_iter().map(|one| (one.seq, one.chain, one.record));
    let expected = [
        (1, chain(0), "a"),
        (2, chain(0), "b"),
        (3, chain(15), "c"),
        (4, Chain::Common, "d"),
        (5, chain(0), "e"),
    ];
    assert!(texts.eq(expected.map(|(seq, chain, text)| (seq, chain, text.into()))));
    assert_eq!(engine.last().await, Ok(5));
}

async fn of_two_appenders_one_wins_and_the_other_is_told_so(cluster: Cluster) {
    let engines: [_; 2] = cluster.engines().await;
    let mut last = 0;
    for round in 0..50 {
        let tries = engines.iter().map(|one| one.append(chain(9), last, format!("{round}").into()));
        let outcomes = join_all(tries).await;
        let won: Vec<u64> = outcomes.iter().filter_map(|one| one.clone().ok()).collect();
        let [won] = won[..] else { panic!("round {round}: {outcomes:?}") };
        let outrun = Err(AppendError::Outrun { last: won });
        assert!(outcomes.contains(&outrun), "round {round}: {outcomes:?}");
        last = won;
    }
    assert_eq!(engines[0].last().await, Ok(50));
}

async fn everybody_reads_the_same_log_without_a_gap(cluster: Cluster) {
    const EACH: usize = 60;
    let engines: [_; 3] = cluster.engines().await;
    let mut early = engines[0].follow(1).await.unwrap();
    let writing = engines.iter().zip(0..).map(async |(engine, number)| {
        let (mut last, mut stored) = (0, Vec::new());
        for round in 0..EACH {
            let text = format!("{number} {round}");
            last = engine.append(chain(number), last, text.clone().into()).await.unwrap();
            stored.push((last, text));
        }
        stored
    });
    let (stored, first) = tokio::join!(join_all(writing), take(&mut early, 3 * EACH));
    assert!(first.iter().map(|one| one.seq).eq(1..=3 * EACH as u64));
    for (seq, text) in stored.concat() {
        let index = usize::try_from(seq - 1).unwrap();
        assert_eq!(first[index].record, text.as_bytes());
    }
    for engine in &engines {
        let mut late = engine.follow(1).await.unwrap();
        assert_eq!(take(&mut late, 3 * EACH).await, first);
    }
    // Again from where one was, and from a record that does not exist yet.
    let mut rest = engines[1].follow(100).await.unwrap();
    assert_eq!(take(&mut rest, 3 * EACH - 99).await, first[99..]);
    let next = 3 * EACH as u64 + 1;
    let mut future = engines[2].follow(next).await.unwrap();
    let (written, read) =
        tokio::join!(engines[0].append(chain(14), 0, "new".into()), take(&mut future, 1));
    assert_eq!((written, read[0].seq, &read[0].record[..]), (Ok(next), next, &b"new"[..]));
}

async fn messages_keep_their_order_and_ones_own_come_back(cluster: Cluster) {
    const EACH: usize = 100;
    let engines: [_; 3] = cluster.engines().await;
    let mut all = engines[0].subscribe(Topic::All).await.unwrap();
    let mut mine = engines[0].subscribe(Topic::Node("mine".into())).await.unwrap();
    let mut other = engines[1].subscribe(Topic::Node("other".into())).await.unwrap();
    // Another node's server hears of a subscription a moment later: messages may be lost until then.
    for (engine, topic) in [(0, Topic::All), (1, Topic::All), (1, Topic::Node("mine".into()))] {
        let heard = if topic == Topic::All { &mut all } else { &mut mine };
        let first = async {
            loop {
                engines[engine].publish(topic.clone(), "first".into()).await.unwrap();
                let next = timeout(std::time::Duration::from_millis(100), heard.next());
                if next.await.is_ok() {
                    return;
                }
            }
        };
        timeout(LONG_TIMEOUT, first).await.expect("no message comes");
    }
    let sending = engines[..2].iter().zip(0..).map(async |(engine, sender)| {
        for number in 0..EACH {
            for topic in [Topic::All, Topic::Node("mine".into())] {
                engine.publish(topic, format!("{sender} {number}").into()).await.unwrap();
            }
        }
    });
    join_all(sending).await;
    for messages in [&mut all, &mut mine] {
        let mut next = [0; 2];
        while next != [EACH; 2] {
            let message = next_message(messages).await;
            let Some((sender, number)) = message.split_once(' ') else {
                assert_eq!(message, "first");
                continue;
            };
            let sender: usize = sender.parse().unwrap();
            assert_eq!(number, next[sender].to_string(), "of {sender}");
            next[sender] += 1;
        }
    }
    engines[1].publish(Topic::Node("other".into()), "end".into()).await.unwrap();
    assert_eq!(next_message(&mut other).await, "end");
    let bad = engines[0].publish(Topic::Node("a.b *".into()), "x".into()).await;
    assert!(bad.is_err() || matches!(cluster, Cluster::Fake(_)));
}

async fn a_full_log_discards_its_oldest_records(cluster: Cluster) {
    let [engine] = cluster.engines().await;
    assert_eq!(engine.bounds().await, Ok(Bounds { first: 1, last: 0 }));
    assert_eq!(engine.append(chain(1), 0, "quiet".into()).await, Ok(1));
    let mut last = 0;
    let long = bytes::Bytes::from(vec![b'x'; 1 << 19]);
    for _ in 0..2 * MAX_BYTES / long.len() as u64 {
        last = engine.append(chain(2), last, long.clone()).await.unwrap();
    }
    if let Cluster::Fake(cluster) = &cluster {
        cluster.discard(last - 9);
    }
    let bounds = engine.bounds().await.unwrap();
    assert!(bounds.first > 2 && bounds.first < last && bounds.last == last, "{bounds:?}");
    // The quiet chain begins again; the other goes on.
    let refused = engine.append(chain(1), 1, "x".into()).await;
    assert_eq!(refused, Err(AppendError::Outrun { last: 0 }));
    assert_eq!(engine.append(chain(1), 0, "begins".into()).await, Ok(last + 1));
    let refused = engine.append(chain(1), 0, "x".into()).await;
    assert_eq!(refused, Err(AppendError::Outrun { last: last + 1 }));
    assert_eq!(engine.append(chain(2), last, "goes on".into()).await, Ok(last + 2));
    let mut records = engine.follow(1).await.unwrap();
    let first = timeout(LONG_TIMEOUT, records.next()).await.unwrap();
    assert!(matches!(first, Some(Err(_))), "{:?}", first.map(|first| first.map(|one| one.seq)));
    let mut records = engine.follow(last + 1).await.unwrap();
    assert_eq!(take(&mut records, 2).await[0].record, "begins");
}

async fn the_last_number_is_told_and_long_records_are_refused(cluster: Cluster) {
    let engines: [_; 2] = cluster.engines().await;
    assert_eq!(engines[0].last().await, Ok(0));
    let long = bytes::Bytes::from(vec![b'x'; MAX_PAYLOAD / 2]);
    assert_eq!(engines[0].append(chain(1), 0, long.clone()).await, Ok(1));
    let longer = vec![b'x'; 2 * MAX_PAYLOAD].into();
    let refused = engines[0].append(chain(1), 1, longer).await;
    assert!(matches!(refused, Err(AppendError::Refused(_))), "{refused:?}");
    assert_eq!(engines[0].append(chain(1), 1, "after".into()).await, Ok(2));
    for engine in &engines {
        assert_eq!(engine.last().await, Ok(2));
    }
    let mut records = engines[1].follow(1).await.unwrap();
    assert_eq!(take(&mut records, 2).await[0].record, long);
    let too_long = engines[0].publish(Topic::All, vec![b'x'; 2 * MAX_PAYLOAD].into()).await;
    assert!(too_long.is_err());
}

async fn check_all(clusters: Clusters) {
    async fn check<F: Future<Output = ()>>(clusters: &Clusters, case: impl FnOnce(Cluster) -> F) {
        case(clusters.make()).await;
    }
    check(&clusters, a_chain_takes_only_the_successor_of_its_last_record).await;
    check(&clusters, of_two_appenders_one_wins_and_the_other_is_told_so).await;
    check(&clusters, everybody_reads_the_same_log_without_a_gap).await;
    check(&clusters, messages_keep_their_order_and_ones_own_come_back).await;
    check(&clusters, a_full_log_discards_its_oldest_records).await;
    check(&clusters, the_last_number_is_told_and_long_records_are_refused).await;
}

#[tokio::test]
async fn the_engine_in_memory_keeps_the_contract() {
    check_all(Clusters::Fake).await;
}

#[tokio::test]
async fn one_nats_server_keeps_the_contract() {
    if let Some(clusters) = Clusters::nats("the contract on one NATS server", 1) {
        check_all(clusters).await;
    }
}

#[tokio::test]
async fn three_nats_servers_keep_the_contract() {
    if let Some(clusters) = Clusters::nats("the contract on three NATS servers", 3) {
        check_all(clusters).await;
    }
}
