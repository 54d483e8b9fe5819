//! The engine on real NATS servers that are killed, stopped, frozen and started again, and servers that
//! let a node do only what it needs, or nothing.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use noughts_harness::bot::poll_delay;
use noughts_harness::tls::Authority;
use noughts_harness::{LONG_TIMEOUT, NatsServers};
use noughts_server::cluster::engine::nats::{NatsConfig, NatsEngine, Permissions};
use noughts_server::cluster::engine::{AppendError, Delivered, Engine, Topic};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::contract::{chain, config, take};

/// The records that each writer must have stored between two faults.
const PROGRESS: u64 = 30;

/// One who appends to a chain without a pause, and remembers what was acknowledged.
struct Writer {
    stored: watch::Receiver<u64>,
    writing: JoinHandle<Vec<(u64, String)>>,
}

impl Writer {
    fn begin(engine: Arc<dyn Engine>, number: u8, stop: CancellationToken) -> Self {
        let (count, stored) = watch::channel(0);
        let writing = tokio::spawn(async move {
            let (mut last, mut acknowledged) = (0, Vec::new());
            while !stop.is_cancelled() {
                let text = format!("{number} {}", acknowledged.len());
                last = match engine.append(chain(number), last, text.clone().into()).await {
                    // Nobody else writes to the chain, so that it was an earlier try of the same record.
                    Ok(seq) | Err(AppendError::Outrun { last: seq }) => seq,
                    Err(AppendError::Unknown(_)) => continue,
                    Err(refused @ AppendError::Refused(_)) => panic!("{refused}"),
                };
                acknowledged.push((last, text));
                count.send_modify(|count| *count += 1);
            }
            acknowledged
        });
        Self { stored, writing }
    }
}

/// Reads the log up to a record, however often the stream of it breaks.
async fn read_all(
    engine: Arc<dyn Engine>,
    mut until: watch::Receiver<Option<u64>>,
) -> Vec<Delivered> {
    let mut log = Vec::<Delivered>::new();
    let is_complete = |log: &[Delivered], until: Option<u64>| until == Some(log.len() as u64);
    while !is_complete(&log, *until.borrow()) {
        let Ok(mut records) = engine.follow(log.len() as u64 + 1).await else {
            poll_delay().await;
            continue;
        };
        loop {
            let next = tokio::select! {
                next = records.next() => next,
                _ = until.wait_for(|until| is_complete(&log, *until)) => break,
            };
            match next {
                Some(Ok(record)) => log.push(record),
                Some(Err(_)) | None => break,
            }
        }
    }
    log
}

/// Waits until each writer has stored some more.
async fn progress(writers: &mut [Writer], after: &str) {
    let begun = std::time::Instant::now();
    for writer in writers {
        let enough = *writer.stored.borrow() + PROGRESS;
        let stored =
            timeout(LONG_TIMEOUT, writer.stored.wait_for(|stored| *stored >= enough)).await;
        stored.unwrap_or_else(|_| panic!("nothing is stored after {after}")).unwrap();
    }
    println!("{after}: {PROGRESS} records of each after {:.1?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_record_is_lost_whatever_becomes_of_the_servers() {
    let Some(mut servers) = NatsServers::start("three NATS servers that are killed", 3) else {
        return;
    };
    let config = config(&servers, "killed");
    let engines = join_all((0..3).map(|_| NatsEngine::connect(&config))).await;
    let engines: Vec<_> = engines.into_iter().map(Result::unwrap).collect();
    let (end, until) = watch::channel(None);
    let readers =
        engines.iter().map(|engine| tokio::spawn(read_all(engine.clone(), until.clone())));
    let readers: Vec<_> = readers.collect();
    let stop = CancellationToken::new();
    let writer =
        |number: u8| Writer::begin(engines[usize::from(number) % 3].clone(), number, stop.clone());
    let mut writers: Vec<_> = (0..6).map(writer).collect();
    progress(&mut writers, "the start").await;

    let leader = servers.until_led("killed-log").await;
    servers.kill(leader);
    progress(&mut writers, "kill -9 of the leader").await;
    servers.restart(leader);
    let leader = servers.until_led("killed-log").await;
    servers.terminate(leader);
    progress(&mut writers, "the end of the leader").await;
    servers.restart(leader);
    let leader = servers.until_led("killed-log").await;
    servers.freeze(leader);
    progress(&mut writers, "a frozen leader").await;
    servers.thaw(leader);
    progress(&mut writers, "a leader that has come back").await;
    (0..3).for_each(|index| servers.kill(index));
    (0..3).for_each(|index| servers.restart(index));
    progress(&mut writers, "kill -9 of all").await;

    stop.cancel();
    let mut acknowledged = Vec::new();
    for writer in writers {
        acknowledged.extend(writer.writing.await.unwrap());
    }
    let last = engines[0].last().await.unwrap();
    end.send_replace(Some(last));
    let mut logs = Vec::new();
    for reader in readers {
        let log = timeout(LONG_TIMEOUT, reader).await.expect("the log is not read to its end");
        logs.push(log.unwrap());
    }
    let log = &logs[0];
    assert!(logs.iter().all(|other| other == log), "the nodes have read different logs");
    assert!(log.iter().map(|record| record.seq).eq(1..=last));
    for (seq, text) in &acknowledged {
        let record = &log[usize::try_from(seq - 1).unwrap()];
        assert_eq!(record.record, text.as_bytes(), "record {seq} was acknowledged");
    }
    assert_eq!(acknowledged.len(), log.len(), "a record is there twice");
    println!("{last} records");
}

/// How many long records are read at once.
const LONG_RECORDS: u64 = 12;

/// Appends, reads and sends a message: all that a node does.
pub(super) async fn do_everything(engine: &dyn Engine) {
    let mut messages = engine.subscribe(Topic::Node("me".into())).await.unwrap();
    let begin = engine.last().await.unwrap();
    // So much that the servers wait for a sign of the reader.
    let long = bytes::Bytes::from(vec![b'x'; 1 << 19]);
    for last in begin..begin + LONG_RECORDS {
        assert_eq!(engine.append(chain(3), last, long.clone()).await, Ok(last + 1));
    }
    let mut records = engine.follow(begin + 1).await.unwrap();
    let read = take(&mut records, usize::try_from(LONG_RECORDS).unwrap()).await;
    assert!(read.iter().all(|one| one.record == long));
    engine.publish(Topic::Node("me".into()), "hello".into()).await.unwrap();
    let message = timeout(LONG_TIMEOUT, messages.next()).await.unwrap();
    assert_eq!(message.unwrap(), "hello");
}

/// A list of subjects, as NATS is configured.
pub(super) fn list(subjects: &[String]) -> String {
    format!("{subjects:?}")
}

/// A pair of keys, from the documentation of NATS.
pub(super) const PUBLIC_KEY: &str = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";
pub(super) const SEED: &str = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";

#[test]
fn the_shipped_configuration_gives_these_permissions_and_no_more() {
    let shipped = include_str!("../../../server/packaging/cluster/nats.conf");
    let (_, after) = shipped.split_once("permissions {").unwrap();
    let (block, _) = after.split_once("\n      }").unwrap();
    let named: Vec<&str> = block.split('"').skip(1).step_by(2).collect();
    let Permissions { publish, subscribe } = Permissions::new("noughts");
    assert_eq!(named, [publish, subscribe].concat());
}

#[tokio::test]
async fn a_node_needs_a_key_and_few_permissions() {
    let Permissions { publish, subscribe } = Permissions::new("narrow");
    let (publish, subscribe) = (list(&publish), list(&subscribe));
    let options = format!(
        "authorization {{ users: [\n\
         {{ nkey: {PUBLIC_KEY}, permissions: {{ publish: {publish}, subscribe: {subscribe} }} }}\n\
         {{ user: ada, password: lovelace }}\n] }}\n"
    );
    let Some(mut servers) = NatsServers::prepare("a NATS server that asks for keys", 1) else {
        return;
    };
    servers.run(&options);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("node.nk");
    std::fs::write(&file, format!("# The key of a node\n{SEED}\n")).unwrap();
    let with_key = NatsConfig { credentials: Some(file.clone()), ..config(&servers, "narrow") };
    do_everything(&*NatsEngine::connect(&with_key).await.unwrap()).await;

    let refused = NatsEngine::connect(&config(&servers, "narrow")).await.unwrap_err();
    assert!(refused.0.contains("authorization violation"), "{refused}");
    std::fs::write(&file, "no key").unwrap();
    let refused = NatsEngine::connect(&with_key).await.unwrap_err();
    assert!(refused.0.contains("neither NATS credentials nor"), "{refused}");
    let with_password = servers.urls()[0].replace("nats://", "nats://ada:lovelace@");
    let with_password = NatsConfig { urls: vec![with_password], ..config(&servers, "narrow") };
    do_everything(&*NatsEngine::connect(&with_password).await.unwrap()).await;
}

#[tokio::test]
async fn a_node_knows_its_servers_by_their_certificate() {
    let authority = Authority::new();
    let Some(mut servers) = NatsServers::prepare("a NATS server with a certificate", 1) else {
        return;
    };
    authority.sign(&[&servers.ip(0).to_string()]);
    let (certificate, key) = (authority.cert(), authority.key());
    servers.run(&format!("tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n"));
    let authorities = Some(authority.ca());
    let trusting = NatsConfig { authorities, ..config(&servers, "tls") };
    do_everything(&*NatsEngine::connect(&trusting).await.unwrap()).await;
    let other = Authority::new();
    let distrusting = NatsConfig { authorities: Some(other.ca()), ..config(&servers, "tls") };
    let connecting = timeout(Duration::from_secs(3), NatsEngine::connect(&distrusting)).await;
    assert!(!matches!(connecting, Ok(Ok(_))), "it trusts a certificate of anybody");
}

#[tokio::test]
async fn a_stream_with_other_settings_is_refused() {
    let Some(servers) = NatsServers::start("a NATS server with a stream", 1) else { return };
    let config = config(&servers, "one");
    NatsEngine::connect(&config).await.unwrap();
    NatsEngine::connect(&config).await.unwrap();
    let larger = NatsConfig { max_bytes: config.max_bytes + 1, ..config.clone() };
    let refused = NatsEngine::connect(&larger).await.unwrap_err();
    assert!(refused.0.contains("nats stream edit one-log --max-bytes 8388609"), "{refused}");
    let huge = NatsConfig { prefix: "huge".into(), max_bytes: 1 << 60, ..config.clone() };
    let three = NatsConfig { prefix: "three".into(), replicas: 3, ..config.clone() };
    for impossible in [huge, three] {
        let refused = timeout(LONG_TIMEOUT / 10, NatsEngine::connect(&impossible)).await;
        let refused = refused.expect("it is not said at once").unwrap_err();
        assert!(refused.0.contains("--cluster-log-size asks for less"), "{refused}");
        println!("{refused}");
    }
    let bad = NatsConfig { prefix: "a.b".into(), ..config.clone() };
    let refused = NatsEngine::connect(&bad).await.unwrap_err();
    assert!(refused.0.contains("letters, digits"), "{refused}");
    for urls in [vec![], vec!["http://localhost".to_owned()], vec!["nats://:::".to_owned()]] {
        let bad = NatsConfig { urls, ..config.clone() };
        assert!(NatsEngine::connect(&bad).await.is_err());
    }
}
