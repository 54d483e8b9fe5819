//! What hostile clients send: each attack is bytes, written by hand, since no client of ours sends
//! such. Only the loopback interface is ever connected to, from `127.0.0.2` on.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures::future::join_all;
use noughts_harness::let_pass;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

/// The name of all attacks at once.
pub(crate) const TOGETHER: &str = "all of them together";

/// How long a refused connection waits before the next attempt.
const AGAIN: Duration = Duration::from_millis(20);

/// What many connections do, over and over.
#[derive(Debug)]
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// Addresses it comes from, and connections from each.
    addresses: u8,
    each: usize,
    /// Sent once.
    open: Vec<u8>,
    /// Sent ever after, as fast as it is taken; nothing: the connection is held.
    then: Vec<u8>,
    manner: Manner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Reads what comes.
    Reads,
    /// Reads nothing.
    IsDeaf,
    /// Goes as soon as it has come.
    Goes,
}

/// Every attack.
pub(crate) fn all() -> Vec<Attack> {
    let attack = |name, addresses, each, open: Vec<u8>, then: Vec<u8>, manner| Attack {
        name,
        addresses,
        each,
        open,
        then,
        manner,
    };
    let greeted = |more: Vec<u8>| [upgrade(""), text(HELLO), more].concat();
    let lists = text(r#"{"type":"watch_lobby","id":1}"#);
    let part = |bytes: &[u8]| frame(CONTINUES, bytes);
    let deflate = upgrade("sec-websocket-extensions: permessage-deflate\r\n");
    vec![
        attack("slow readers", 4, 50, greeted(lists.clone()), lists, Manner::IsDeaf),
        attack("frames without an end", 4, 50, greeted(NEVER_ENDS.into()), vec![], Manner::Reads),
        attack(
            "half-open handshakes",
            10,
            320,
            b"GET /ws HTTP/1.1\r\nhost: s".into(),
            vec![],
            Manner::Reads,
        ),
        attack("pipelined requests", 4, 50, vec![], REQUEST.repeat(8), Manner::Reads),
        attack("pipelined garbage", 4, 50, upgrade(""), text("{").repeat(64), Manner::Reads),
        attack("ping floods", 4, 50, greeted(vec![]), frame(PING, b"x").repeat(64), Manner::Reads),
        attack("10,000 idle sockets", 40, 250, greeted(vec![]), vec![], Manner::Reads),
        attack("one address opens all", 1, 256, vec![], vec![], Manner::Goes),
        attack("compression", 4, 50, deflate, frame(DEFLATED, &[0xaa; 64]), Manner::Reads),
        attack(
            "broken UTF-8",
            4,
            50,
            greeted(vec![]),
            frame(TEXT, b"\"\xc0\x80\xf8\""),
            Manner::Reads,
        ),
        attack(
            "1-byte fragments",
            4,
            50,
            greeted(frame(BEGINS, b"{")),
            part(b" ").repeat(64),
            Manner::Reads,
        ),
        attack(
            "empty fragments",
            4,
            50,
            greeted(frame(BEGINS, b"{")),
            part(b"").repeat(64),
            Manner::Reads,
        ),
    ]
}

/// Carries an attack out until it is cancelled.
pub(crate) async fn run(name: &str, server: SocketAddr) {
    assert!(server.ip().is_loopback(), "{server} is not of this machine");
    let chosen: Vec<Attack> =
        all().into_iter().filter(|attack| name == TOGETHER || attack.name == name).collect();
    join_all(chosen.iter().map(|attack| carry_out(attack, server))).await;
}

async fn carry_out(attack: &Attack, server: SocketAddr) {
    let connections = (0..attack.addresses)
        .flat_map(|address| (0..attack.each).map(move |_| Ipv4Addr::new(127, 0, 0, 2 + address)));
    join_all(connections.map(async |from| {
        loop {
            // Refused, closed or broken: it comes again.
            drop(connection(attack, from, server).await);
            let_pass(AGAIN).await;
        }
    }))
    .await;
}

async fn connection(attack: &Attack, from: Ipv4Addr, server: SocketAddr) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    let mut stream = socket.connect(server).await?;
    if attack.manner == Manner::Goes {
        return Ok(());
    }
    stream.write_all(&attack.open).await?;
    let (reading, writing) = stream.split();
    tokio::select! {
        done = read(reading, attack.manner) => done,
        done = write(writing, &attack.then) => done,
    }
}

async fn read(mut stream: tokio::net::tcp::ReadHalf<'_>, manner: Manner) -> std::io::Result<()> {
    let mut buffer = [0; 4096];
    while manner == Manner::Reads && stream.read(&mut buffer).await? > 0 {}
    if manner == Manner::Reads { Ok(()) } else { std::future::pending().await }
}

async fn write(mut stream: tokio::net::tcp::WriteHalf<'_>, then: &[u8]) -> std::io::Result<()> {
    if then.is_empty() {
        return std::future::pending().await;
    }
    loop {
        stream.write_all(then).await?;
    }
}

const HELLO: &str = r#"{"type":"hello","protocol":1,"name":"Eve"}"#;

const REQUEST: &[u8] = b"GET /api/rooms HTTP/1.1\r\nhost: s\r\n\r\n";

/// The first bytes of frames (RFC 6455 §5.2): the end or not, the extension's bit, the kind.
const TEXT: u8 = 0x81;
const BEGINS: u8 = 0x01;
const CONTINUES: u8 = 0x00;
const DEFLATED: u8 = 0xc1;
const PING: u8 = 0x89;

/// A text of 4096 bytes of which the first alone come.
const NEVER_ENDS: &[u8] = &[TEXT, 0x80 | 126, 0x10, 0x00, 0, 0, 0, 0, b'{'];

/// A frame as a client sends it, masked with zeros, so that its bytes stay as they are.
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
