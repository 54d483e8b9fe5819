//! The engine on NATS servers that are killed, stopped, frozen and started again, and on servers that let
//! a node do only what it needs, or nothing.

use std::sync::Arc;

use futures::StreamExt;
use futures::future::join_all;
use noughts_cluster::{Engine, NatsEngine, Options, PutError, Record};
use noughts_harness::bot::poll_delay;
use noughts_harness::tls::Authority;
use noughts_harness::{LONG_TIMEOUT, NatsServers};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::contract::next;

/// The values that each writer must have put between two faults.
const PROGRESS: u64 = 30;

/// One who replaces a value without a pause, and appends each one.
struct Writer {
    put: watch::Receiver<u64>,
    writing: JoinHandle<Vec<u64>>,
}

impl Writer {
    fn begin(engine: Arc<dyn Engine>, number: u64, stop: CancellationToken) -> Self {
        let (count, put) = watch::channel(0);
        let writing = tokio::spawn(async move {
            let key = format!("code.{number}");
            let mut revision = 0;
            let mut appended = Vec::new();
            while !stop.is_cancelled() {
                let value = *count.borrow() + 1;
                revision = put_for_sure(&*engine, &key, value, revision).await;
                let id = format!("{number}-{value}");
                let record = loop {
                    match engine.append(&id, id.clone().into()).await {
                        Ok(record) => break record,
                        Err(_) => poll_delay().await,
                    }
                };
                appended.push(record);
                count.send_replace(value);
            }
            appended
        });
        Self { put, writing }
    }
}

/// Repeats a put until there is an answer, as an owner does.
async fn put_for_sure(engine: &dyn Engine, key: &str, value: u64, revision: u64) -> u64 {
    loop {
        match engine.put(key, value.to_string().into(), revision).await {
            Ok(revision) => return revision,
            Err(PutError::Unknown(_)) => {}
            Err(PutError::OtherRevision) => {
                // Nobody else writes the key: an earlier try was stored.
                let entry = loop {
                    match engine.get(key).await {
                        Ok(entry) => break entry.expect("the value is lost"),
                        Err(_) => poll_delay().await,
                    }
                };
                assert_eq!(entry.value, value.to_string(), "a leader has an old value");
                return entry.revision;
            }
        }
    }
}

/// Waits until each writer has put some more.
async fn progress(writers: &mut [Writer], after: &str) {
    let begun = std::time::Instant::now();
    for writer in writers {
        let enough = *writer.put.borrow() + PROGRESS;
        let put = timeout(LONG_TIMEOUT, writer.put.wait_for(|put| *put >= enough)).await;
        put.unwrap_or_else(|_| panic!("nothing is put after {after}")).unwrap();
    }
    println!("{after}: {PROGRESS} values of each after {:.1?}", begun.elapsed());
}

/// Reads some records, however often the stream of them breaks.
async fn read_all(engine: &dyn Engine, from: u64, until: u64) -> Vec<Record> {
    let mut read = Vec::<Record>::new();
    let mut next = from;
    while next <= until {
        let Ok(mut records) = engine.follow(next).await else {
            poll_delay().await;
            continue;
        };
        while next <= until {
            let Some(Ok(record)) = records.next().await else { break };
            read.push(record);
            next += 1;
        }
    }
    read
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_whatever_becomes_of_the_servers() {
    let Some(mut servers) = NatsServers::start("three NATS servers that are killed", 3) else {
        return;
    };
    let options = servers.options("killed");
    let engines = join_all((0..3).map(|_| NatsEngine::connect(&options))).await;
    let engines: Vec<Arc<dyn Engine>> =
        engines.into_iter().map(|engine| Arc::new(engine.unwrap()) as Arc<dyn Engine>).collect();
    let stop = CancellationToken::new();
    let writers = (0..6).map(|number| {
        let engine = Arc::clone(&engines[number % 3]);
        Writer::begin(engine, number as u64, stop.clone())
    });
    let mut writers: Vec<_> = writers.collect();
    progress(&mut writers, "the start").await;

    let bucket = "KV_killed-rooms";
    let leader = servers.until_led(bucket).await;
    servers.kill(leader);
    progress(&mut writers, "kill -9 of the leader").await;
    servers.restart(leader);
    let leader = servers.until_led(bucket).await;
    servers.terminate(leader);
    progress(&mut writers, "the end of the leader").await;
    servers.restart(leader);
    let leader = servers.until_led(bucket).await;
    servers.freeze(leader);
    progress(&mut writers, "a frozen leader").await;
    servers.thaw(leader);
    progress(&mut writers, "a leader that has come back").await;
    (0..3).for_each(|index| servers.kill(index));
    (0..3).for_each(|index| servers.restart(index));
    progress(&mut writers, "kill -9 of all").await;

    stop.cancel();
    let mut appended = Vec::new();
    for (number, writer) in writers.into_iter().enumerate() {
        let records = writer.writing.await.unwrap();
        let bodies = (1..).map(|value| format!("{number}-{value}"));
        appended.extend(records.into_iter().zip(bodies));
    }
    let last = appended.iter().map(|(record, _)| *record).max().unwrap();
    println!("{} records were appended, {last} are there", appended.len());
    for engine in &engines {
        let records = timeout(LONG_TIMEOUT, read_all(&**engine, 1, last)).await;
        let records = records.expect("the records are not read to their end");
        assert!(records.iter().map(|record| record.number).eq(1..=last));
        for (number, body) in &appended {
            let position = usize::try_from(number - 1).unwrap();
            assert_eq!(records[position].body, *body, "record {number} was acknowledged");
        }
    }
}

/// Does all that a node does.
async fn do_everything(options: &Options) {
    let engine = NatsEngine::connect(options).await.unwrap();
    let mut messages = engine.subscribe().await.unwrap();
    let mut changes = engine.watch("node.").await.unwrap();
    engine.overwrite("node.me", "1".into()).await.unwrap();
    assert_eq!(next(&mut changes).await.unwrap().0, "node.me");
    let revision = engine.put("code.A", "1".into(), 0).await.unwrap();
    let entry = engine.get("code.A").await.unwrap().unwrap();
    assert_eq!(entry.revision, revision);
    assert!(entry.stored.elapsed().unwrap() < LONG_TIMEOUT);
    let mut values = engine.scan("code.").await.unwrap();
    assert_eq!(next(&mut values).await.unwrap().0, "code.A");
    engine.delete("code.A", revision).await.unwrap();
    // So much that the servers wait for a sign of the reader.
    let long = "x".repeat(1 << 19);
    let (_, begin) = engine.bounds().await.unwrap();
    for number in begin + 1..=begin + 12 {
        assert_eq!(engine.append(&number.to_string(), long.clone().into()).await, Ok(number));
    }
    let mut records = engine.follow(begin + 1).await.unwrap();
    for number in begin + 1..=begin + 12 {
        assert_eq!(next(&mut records).await.unwrap().number, number);
    }
    engine.publish("hello".into()).await.unwrap();
    assert_eq!(next(&mut messages).await, "hello");
    assert!(engine.is_connected());
}

/// Watches and follows over a restart of the server; begins again at an error, as a node does.
async fn goes_on_after_a_restart(options: &Options, servers: &mut NatsServers) {
    let engine = NatsEngine::connect(options).await.unwrap();
    let (_, last) = engine.bounds().await.unwrap();
    let following = read_all(&engine, last, last + 1);
    let watching = async {
        loop {
            let Ok(mut changes) = engine.watch("node.").await else {
                poll_delay().await;
                continue;
            };
            while let Some(Ok((key, _))) = changes.next().await {
                if key == "node.new" {
                    return;
                }
            }
        }
    };
    let restarting = async {
        servers.restart(0);
        while engine.overwrite("node.new", "1".into()).await.is_err() {
            poll_delay().await;
        }
        while engine.append("new", "new".into()).await.is_err() {
            poll_delay().await;
        }
    };
    let all = async { tokio::join!(following, watching, restarting) };
    timeout(LONG_TIMEOUT, all).await.expect("it does not go on");
}

/// A pair of keys, from the documentation of NATS.
const PUBLIC_KEY: &str = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";
const SEED: &str = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";

/// The permissions of a node in the shipped configuration.
fn permissions() -> &'static str {
    let shipped = include_str!("../../../server/packaging/cluster/nats.conf");
    let (_, after) = shipped.split_once("permissions {").unwrap();
    after.split_once("\n      }").unwrap().0
}

#[tokio::test]
async fn a_node_needs_a_key_and_the_permissions_of_the_shipped_configuration() {
    let Some(mut servers) = NatsServers::prepare("a NATS server that asks for keys", 1) else {
        return;
    };
    servers.run(&format!(
        "authorization {{ users: [\n\
         {{ nkey: {PUBLIC_KEY}, permissions {{ {} }} }}\n\
         {{ user: ada, password: \"love@lace\" }}\n] }}",
        permissions()
    ));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("node.nk");
    std::fs::write(&file, format!("# The key of a node\n{SEED}\n")).unwrap();
    let with_key = Options { credentials: Some(file.clone()), ..servers.options("noughts") };
    do_everything(&with_key).await;
    goes_on_after_a_restart(&with_key, &mut servers).await;

    assert!(NatsEngine::check(&with_key).await.is_ok());
    let refused = NatsEngine::check(&servers.options("noughts")).await.unwrap_err();
    assert!(refused.0.contains("authorization violation"), "{refused}");
    std::fs::write(&file, "no key").unwrap();
    let refused = NatsEngine::connect(&with_key).await.unwrap_err();
    assert!(refused.0.contains("neither NATS credentials nor"), "{refused}");
    // Catches a password that is taken as it stands in the URL.
    let url = servers.urls()[0].replace("nats://", "nats://ada:love%40lace@");
    do_everything(&Options { urls: vec![url], ..servers.options("other") }).await;
}

#[tokio::test]
async fn a_node_knows_its_servers_by_their_certificate() {
    let authority = Authority::new();
    let Some(mut servers) = NatsServers::prepare("a NATS server with a certificate", 1) else {
        return;
    };
    authority.sign(&[&servers.ip(0).to_string()]);
    let certificate = authority.cert();
    let key = authority.key();
    servers.run(&format!("tls {{ cert_file: {certificate:?}, key_file: {key:?} }}"));
    let trusting = Options { authorities: Some(authority.ca()), ..servers.options("tls") };
    do_everything(&trusting).await;
    let other = Authority::new();
    let distrusting = Options { authorities: Some(other.ca()), ..trusting };
    let refused = NatsEngine::check(&distrusting).await.unwrap_err();
    assert!(refused.0.contains("certificate"), "{refused}");
}

#[tokio::test]
async fn options_and_streams_that_cannot_work_are_refused_with_words() {
    let Some(servers) = NatsServers::start("a NATS server with a stream", 1) else { return };
    let options = servers.options("one");
    NatsEngine::connect(&options).await.unwrap();
    for (bad, words) in [
        (Options { replicas: 3, ..options.clone() }, "nats stream edit KV_one-rooms --replicas=3"),
        (
            Options { replicas: 3, ..servers.options("three") },
            "switched on in 3 or more NATS servers",
        ),
        (Options { urls: vec!["http://localhost".to_owned()], ..options.clone() }, "bad address"),
        (Options { urls: vec!["nats://:::".to_owned()], ..options.clone() }, "bad address"),
    ] {
        let refused = timeout(LONG_TIMEOUT, NatsEngine::connect(&bad)).await.unwrap();
        let refused = refused.expect_err(words);
        assert!(refused.0.contains(words), "{refused}");
    }
}
