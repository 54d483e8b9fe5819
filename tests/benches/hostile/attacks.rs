//! The attacks of hostile clients: bytes written by hand, since no proper client sends them. They only
//! connect to the loopback interface, from `127.0.0.2` on.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures::future::join_all;
use noughts_harness::delay;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::time::timeout;

/// The name of all attacks at once.
pub(crate) const TOGETHER: &str = "all of them together";

/// The time between a refused connection and the next attempt.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// The socket buffers of a hostile client, in bytes. With the usual megabytes, filling its own buffers
/// kept a whole core busy.
const BUFFER: u32 = 16 * 1024;

/// The time between two messages of a slow reader: within its rate limit, so that the server closes it
/// for its slowness alone.
const SLOW_INTERVAL: Duration = Duration::from_millis(100);

/// The time that a server gives a client to answer its close frame.
const CLOSE_TIME: Option<Duration> = Some(Duration::from_secs(2));

/// What many connections do, repeatedly.
#[derive(Debug)]
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// Addresses it comes from, and connections from each.
    addresses: u8,
    each: usize,
    /// Sent once.
    open: Vec<u8>,
    /// Sent repeatedly, as fast as it is taken. If it is empty, the connection stays idle.
    then: Vec<u8>,
    behaviour: Behaviour,
    /// The time after which the server closes the connection, if it does during the measurement.
    closed_after: Option<Duration>,
}

/// The target of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A server, which closes hostile connections.
    Server(SocketAddr),
    /// A sink, which only reads. The hostile clients disconnect when a server would have closed them.
    Sink(SocketAddr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    /// Reads everything.
    Reads,
    /// Reads nothing, and sends slowly.
    NeverReads,
    /// Disconnects at once.
    Disconnects,
}

/// Every attack.
pub(crate) fn all() -> Vec<Attack> {
    let attack = |name, (addresses, each), open: Vec<u8>, then: Vec<u8>, closed_after| Attack {
        name,
        addresses,
        each,
        open,
        then,
        behaviour: Behaviour::Reads,
        closed_after,
    };
    let greeted = |more: Vec<u8>| [upgrade(""), text(HELLO), more].concat();
    let lists = text(r#"{"type":"watch_lobby","id":1}"#);
    let begun = greeted(frame(BEGINS, b"{"));
    let part = |bytes: &[u8]| frame(CONTINUES, bytes).repeat(64);
    let deflate = upgrade("sec-websocket-extensions: permessage-deflate\r\n");
    let broken = frame(TEXT, b"\"\xc0\x80\xf8\"");
    let half_open = b"GET /ws HTTP/1.1\r\nhost: s".into();
    let (few, many) = ((4, 50), (40, 250));
    vec![
        Attack {
            behaviour: Behaviour::NeverReads,
            ..attack("slow readers", few, greeted(vec![]), lists, None)
        },
        attack("frames without an end", few, greeted(NEVER_ENDS.into()), vec![], None),
        attack("half-open handshakes", (10, 320), half_open, vec![], Some(Duration::from_secs(9))),
        attack("pipelined requests", few, vec![], REQUEST.repeat(8), None),
        attack("pipelined garbage", few, upgrade(""), text("{").repeat(64), CLOSE_TIME),
        attack("ping floods", few, greeted(vec![]), frame(PING, b"x").repeat(64), CLOSE_TIME),
        attack("10,000 idle sockets", many, greeted(vec![]), vec![], None),
        Attack {
            behaviour: Behaviour::Disconnects,
            ..attack("one address opens all", (1, 256), vec![], vec![], None)
        },
        attack("compression", few, deflate, frame(DEFLATED, &[0xaa; 64]), CLOSE_TIME),
        attack("broken UTF-8", few, greeted(vec![]), broken, CLOSE_TIME),
        attack("1-byte fragments", few, begun.clone(), part(b" "), CLOSE_TIME),
        attack("empty fragments", few, begun, part(b""), None),
    ]
}

/// Carries an attack out until it is cancelled.
pub(crate) async fn run(name: &str, target: Target) {
    let (Target::Server(address) | Target::Sink(address)) = target;
    assert!(address.ip().is_loopback(), "{address} is not of this machine");
    let chosen: Vec<Attack> =
        all().into_iter().filter(|attack| name == TOGETHER || attack.name == name).collect();
    join_all(chosen.iter().map(|attack| carry_out(attack, target))).await;
}

async fn carry_out(attack: &Attack, target: Target) {
    let connections = (0..attack.addresses)
        .flat_map(|address| (0..attack.each).map(move |_| Ipv4Addr::new(127, 0, 0, 2 + address)));
    join_all(connections.map(async |from| {
        loop {
            // After a refusal, a close or an error it connects again.
            match (target, attack.closed_after) {
                (Target::Sink(address), Some(time)) => {
                    drop(timeout(time, connection(attack, from, address)).await);
                }
                (Target::Server(address) | Target::Sink(address), _) => {
                    drop(connection(attack, from, address).await);
                }
            }
            delay(RETRY_DELAY).await;
        }
    }))
    .await;
}

async fn connection(attack: &Attack, from: Ipv4Addr, address: SocketAddr) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.set_send_buffer_size(BUFFER)?;
    socket.set_recv_buffer_size(BUFFER)?;
    socket.bind((from, 0).into())?;
    let mut stream = socket.connect(address).await?;
    if attack.behaviour == Behaviour::Disconnects {
        return Ok(());
    }
    stream.write_all(&attack.open).await?;
    let (reading, writing) = stream.split();
    tokio::select! {
        done = read(reading, attack.behaviour) => done,
        done = write(writing, attack) => done,
    }
}

async fn read(
    mut stream: tokio::net::tcp::ReadHalf<'_>,
    behaviour: Behaviour,
) -> std::io::Result<()> {
    let mut buffer = [0; 4096];
    while behaviour == Behaviour::Reads && stream.read(&mut buffer).await? > 0 {}
    if behaviour == Behaviour::Reads { Ok(()) } else { std::future::pending().await }
}

async fn write(mut stream: tokio::net::tcp::WriteHalf<'_>, attack: &Attack) -> std::io::Result<()> {
    if attack.then.is_empty() {
        return std::future::pending().await;
    }
    loop {
        stream.write_all(&attack.then).await?;
        if attack.behaviour == Behaviour::NeverReads {
            delay(SLOW_INTERVAL).await;
        }
    }
}

const HELLO: &str = r#"{"type":"hello","protocol":2,"name":"Eve"}"#;

const REQUEST: &[u8] = b"GET /api/rooms HTTP/1.1\r\nhost: s\r\n\r\n";

/// The first bytes of frames (RFC 6455, section 5.2): final or not, the extension's bit, the kind.
const TEXT: u8 = 0x81;
const BEGINS: u8 = 0x01;
const CONTINUES: u8 = 0x00;
const DEFLATED: u8 = 0xc1;
const PING: u8 = 0x89;

/// A text of 4096 bytes of which only the first is sent.
const NEVER_ENDS: &[u8] = &[TEXT, 0x80 | 126, 0x10, 0x00, 0, 0, 0, 0, b'{'];

/// A frame of a client, masked with zeros, so that its bytes stay readable.
fn frame(first: u8, bytes: &[u8]) -> Vec<u8> {
    assert!(bytes.len() < 126, "longer ones have another head");
    [&[first, 0x80 | bytes.len() as u8, 0, 0, 0, 0], bytes].concat()
}

fn text(text: &str) -> Vec<u8> {
    frame(TEXT, text.as_bytes())
}

fn upgrade(more: &str) -> Vec<u8> {
    format!(
        "GET /ws HTTP/1.1\r\nhost: s\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
    )
    .into()
}
