//! The faults that the harness injects into a network come as often as they are configured.

use noughts_harness::fault_injector::{FaultInjector, FaultProfile, MessageFaults};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

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
