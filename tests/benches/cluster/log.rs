//! The rates of a cluster's log: appends of 1, 5 and 16 chains at once, of 1, 10 and 100 writes a record,
//! while three nodes follow the log. Then how long a message from one node to another and back takes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::StreamExt;
use futures::future::join_all;
use noughts_harness::NatsServers;
use noughts_server::cluster::engine::nats::{NatsConfig, NatsEngine};
use noughts_server::cluster::engine::{Chain, Engine, Topic};
use noughts_server::shard::Shard;

/// How long each line takes.
const TIME: Duration = Duration::from_secs(3);

/// The bytes of a write as text: a move.
const WRITE: usize = 110;

/// Round trips of messages.
const ROUND_TRIPS: usize = 5000;

pub(super) async fn measure() {
    let servers = NatsServers::start("the measurement", 3).expect("run tests/run once");
    let config = NatsConfig {
        urls: servers.urls(),
        credentials: None,
        authorities: None,
        certificate: None,
        prefix: "bench".to_owned(),
        replicas: 3,
        max_bytes: 1 << 32,
    };
    let nodes = join_all((0..3).map(|_| NatsEngine::connect(&config))).await;
    let nodes: Vec<_> = nodes.into_iter().map(Result::unwrap).collect();
    for node in &nodes {
        let mut records = node.follow(1).await.unwrap();
        tokio::spawn(async move { while let Some(Ok(_)) = records.next().await {} });
    }
    println!("chains  writes a record   appends/s   writes/s       p50       p99");
    let mut lasts = [0; 16];
    for chains in [1, 5, 16] {
        for writes in [1, 10, 100] {
            append(&nodes, &mut lasts[..chains], writes).await;
        }
    }
    round_trips(&*nodes[0], &*nodes[1]).await;
}

async fn append(nodes: &[Arc<dyn Engine>], lasts: &mut [u64], writes: usize) {
    let record = Bytes::from(vec![b'x'; WRITE * writes]);
    let begun = Instant::now();
    let appending = lasts.iter_mut().zip(0_u8..).map(|(last, number)| {
        let (node, record) = (nodes[usize::from(number) % nodes.len()].clone(), record.clone());
        let chain = Chain::Shard(Shard::try_from(number).unwrap());
        async move {
            let mut times = Vec::new();
            while begun.elapsed() < TIME {
                let sent = Instant::now();
                *last = node.append(chain, *last, record.clone()).await.unwrap();
                times.push(sent.elapsed());
            }
            times
        }
    });
    let mut times = join_all(appending).await.concat();
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    let (half, most) = quantiles(&mut times);
    println!(
        "{:6}  {writes:15}  {rate:10.0}  {:9.0}  {half:6.2} ms {most:6.2} ms",
        lasts.len(),
        rate * writes as f64
    );
}

/// The median and the 99th percentile in milliseconds.
fn quantiles(times: &mut [Duration]) -> (f64, f64) {
    times.sort_unstable();
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len() - 1);
        1e3 * times[place].as_secs_f64()
    };
    (at(50), at(99))
}

async fn round_trips(one: &dyn Engine, other: &dyn Engine) {
    let [here, there] = ["one", "other"].map(|name| Topic::Node(name.to_owned()));
    let mut answers = one.subscribe(here.clone()).await.unwrap();
    let mut messages = other.subscribe(there.clone()).await.unwrap();
    let answering = async {
        while let Some(message) = messages.next().await {
            other.publish(here.clone(), message).await.unwrap();
        }
    };
    let asking = async {
        let mut times = Vec::new();
        // The first ones may be lost, until all servers know the subscriptions.
        while times.len() < ROUND_TRIPS {
            let sent = Instant::now();
            one.publish(there.clone(), "a command of a player".into()).await.unwrap();
            if tokio::time::timeout(Duration::from_secs(1), answers.next()).await.is_ok() {
                times.push(sent.elapsed());
            }
        }
        times
    };
    let mut times = tokio::select! {
        times = asking => times,
        () = answering => return,
    };
    let (half, most) = quantiles(&mut times);
    println!("a message to another node and back: p50 {half:.2} ms, p99 {most:.2} ms");
}
