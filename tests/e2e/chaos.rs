//! Two terminals on a network that loses, doubles and delays messages and cuts connections: their
//! games end as they should.

use std::time::Duration;

use noughts_harness::fault_injector::{FaultInjector, FaultProfile, MessageFaults};
use noughts_harness::fault_proxy::FaultProxy;
use noughts_harness::{Pipe, ServerProcess, TIMEOUT};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A lost message costs 10 to 20 s, until an answer or a heartbeat is missed. The clients notice the
/// other faults at once, so those are frequent.
const FAULTS: FaultProfile = FaultProfile {
    max_delay: Duration::from_millis(60),
    max_calm: Duration::ZERO,
    max_short_stall: Duration::ZERO,
    max_long_stall: Duration::ZERO,
    messages: MessageFaults { lost: 1.0 / 150.0, doubled: 0.3, cut: 0.05, ..MessageFaults::NONE },
};

/// A terminal in a room.
struct InRoom {
    pipe: Pipe,
    code: String,
    _proxy: FaultProxy,
    _config: TempDir,
}

/// Starts a terminal until it is in a room. A terminal whose first connection is cut ends, since it
/// has no room to come back to; a person would start it again.
async fn enter(server: &ServerProcess, name: &str, seed: u64, args: &[&str]) -> InRoom {
    let config = tempfile::tempdir().unwrap();
    for attempt in 0..100 {
        let faults = FaultInjector::new(FAULTS, seed + 100 * attempt);
        let proxy = FaultProxy::start(server.address(), faults).await;
        let address = proxy.address().to_string();
        let all = ["--server", &address, "--name", name, "--plain"];
        let mut pipe = Pipe::run(&[&all[..], args].concat(), config.path());
        pipe.timeout = TIMEOUT * 6;
        if let Some(line) = pipe.try_wait_for("Room ") {
            let code = line.split("Room ").nth(1).unwrap()[..5].to_owned();
            return InRoom { pipe, code, _proxy: proxy, _config: config };
        }
    }
    panic!("{name} never enters a room");
}

// The proxies run beside the test, which blocks on the terminals' output.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn two_terminals_play_to_the_end_on_a_network_that_loses_messages() {
    let server = ServerProcess::start(&[]);
    let mut ada = enter(&server, "Ada", 2, &["play"]).await;
    let mut bob = enter(&server, "Bob", 3, &["play", &ada.code]).await;
    for game in 0..3 {
        // X begins the first game, then each in turn.
        let (first, second) = if game % 2 == 0 {
            (&mut ada.pipe, &mut bob.pipe)
        } else {
            (&mut bob.pipe, &mut ada.pipe)
        };
        for cell in ["1", "2", "3"] {
            first.line(cell);
        }
        for cell in ["5", "6"] {
            second.line(cell);
        }
        first.wait_for("You win");
        second.wait_for("wins with");
        first.line("rematch");
        second.line("rematch");
    }
}

const HTTP_HEAD: &[u8] = b"GET /ws HTTP/1.1\r\n\r\n";

/// Frames of a client with two bytes each, masked with zeros: a text and a ping.
const TEXT: &[u8] = &[0x81, 0x82, 0, 0, 0, 0, b'{', b'}'];
const PING: &[u8] = &[0x89, 0x82, 0, 0, 0, 0, b'h', b'i'];

/// Sends 2,000 texts and as many pings with these faults; the numbers of both that arrive.
async fn arrivals(messages: MessageFaults, seed: u64) -> (usize, usize) {
    let faults = FaultInjector::new(FaultProfile { messages, ..FaultProfile::default() }, seed);
    let (mut client, near) = tokio::io::duplex(1 << 17);
    let (far, mut server) = tokio::io::duplex(1 << 17);
    let forwarding = tokio::spawn(async move { faults.forward(near, far).await });
    client.write_all(HTTP_HEAD).await.unwrap();
    client.write_all(&[TEXT, PING].concat().repeat(2_000)).await.unwrap();
    client.shutdown().await.unwrap();
    let mut arrived = Vec::new();
    server.read_to_end(&mut arrived).await.unwrap();
    forwarding.abort();
    let frames = arrived.strip_prefix(HTTP_HEAD).unwrap_or_default().chunks(TEXT.len());
    let count = |kind| frames.clone().filter(|frame| *frame == kind).count();
    (count(TEXT), count(PING))
}

#[tokio::test(start_paused = true)]
async fn messages_are_lost_and_doubled_as_often_as_configured_and_pings_never() {
    let lossy = MessageFaults { lost: 0.1, ..MessageFaults::NONE };
    let (texts, pings) = arrivals(lossy, 7).await;
    assert!((1_700..1_900).contains(&texts), "{texts}");
    assert_eq!(pings, 2_000);
    assert_eq!(arrivals(lossy, 7).await.0, texts, "a seed repeats its faults");
    let (texts, pings) = arrivals(MessageFaults { doubled: 0.1, ..MessageFaults::NONE }, 7).await;
    assert!((2_100..2_300).contains(&texts), "{texts}");
    assert_eq!(pings, 2_000);
    assert_eq!(arrivals(MessageFaults::NONE, 7).await, (2_000, 2_000));
    let cut = MessageFaults { cut: 1.0, ..MessageFaults::NONE };
    assert_eq!(arrivals(cut, 7).await, (0, 0));
}
