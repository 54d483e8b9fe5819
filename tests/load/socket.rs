//! Many sockets on one thread, without tasks and with small buffers, so that the server is what is
//! measured. This file does not read the texts.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, anyhow};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use slab::Slab;
use socket2::{Domain, Socket, Type};
use tokio_tungstenite::tungstenite::handshake::client::ClientHandshake;
use tokio_tungstenite::tungstenite::handshake::{HandshakeError, MidHandshake};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes, WebSocket};

/// Events that are taken from the kernel at a time.
const EVENTS: usize = 1024;

/// The longest frame of a server, by its contract.
const FRAME: usize = noughts_protocol::MAX_SERVER_FRAME;

/// Connections from one source address: fewer than a server's default limit.
const PER_SOURCE: usize = 200;

/// The id of a socket. Ids are reused, but not before [`Sockets::wait`] has been called.
pub(crate) type Id = usize;

/// The sockets.
pub(crate) struct Sockets {
    poll: Poll,
    events: Events,
    states: Slab<SocketState>,
    ready: Vec<Id>,
    /// Closed, but their ids may still be among the ready.
    closed: Vec<Id>,
    server: SocketAddr,
    /// Further nodes of its cluster, which are taken in turn.
    others: VecDeque<SocketAddr>,
    opened: usize,
}

/// What happened on a socket.
pub(crate) enum SocketEvent {
    /// The WebSocket is open.
    Open,
    /// A text arrived.
    Text(Utf8Bytes),
}

enum SocketState {
    Connecting(TcpStream, String, SocketAddr),
    Upgrading(MidHandshake<ClientHandshake<TrackedStream>>),
    Open(Box<WebSocket<TrackedStream>>),
    Closed,
}

/// A stream that remembers when nothing is left to read, which saves the system call that would say so.
#[derive(Debug)]
struct TrackedStream {
    stream: TcpStream,
    is_drained: bool,
    /// Whether the kernel refused a part of what was written.
    is_full: bool,
    /// Whether a short read means that nothing is left. Not while upgrading, and not after the peer
    /// has closed: nothing would wake the socket again.
    trusts_short_reads: bool,
}

impl Read for TrackedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_drained {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = self.stream.read(buffer)?;
        self.is_drained = self.trusts_short_reads && count > 0 && count < buffer.len();
        Ok(count)
    }
}

impl Write for TrackedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes);
        self.is_full = written.is_err();
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sockets {
    /// Starts without sockets; all will connect to `server` or to one of `others`.
    pub(crate) fn new(server: SocketAddr, others: Vec<SocketAddr>) -> io::Result<Self> {
        Ok(Self {
            poll: Poll::new()?,
            events: Events::with_capacity(EVENTS),
            states: Slab::new(),
            ready: Vec::new(),
            closed: Vec::new(),
            server,
            others: others.into(),
            opened: 0,
        })
    }

    /// Starts to open a WebSocket at a path of the server, or of the next one of the others, if any.
    pub(crate) fn open(&mut self, path: String, at_other: bool) -> anyhow::Result<Id> {
        if at_other {
            self.others.rotate_left(1.min(self.others.len()));
        }
        let server = self.others.back().filter(|_| at_other).copied().unwrap_or(self.server);
        let mut stream = connect(server, self.opened)
            .context("failed to open a socket (ulimit -n says how many there may be)")?;
        self.opened += 1;
        let place = self.states.vacant_entry();
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, Token(place.key()), interest)?;
        let id = place.key();
        place.insert(SocketState::Connecting(stream, path, server));
        Ok(id)
    }

    /// The number of sockets so far.
    pub(crate) const fn opened(&self) -> usize {
        self.opened
    }

    /// Waits for events on any socket.
    pub(crate) fn wait(&mut self, limit: Duration) -> io::Result<()> {
        for id in self.closed.drain(..) {
            self.states.remove(id);
        }
        match self.poll.poll(&mut self.events, Some(limit)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            polled => polled?,
        }
        for event in &self.events {
            let id = event.token().0;
            if let Some(SocketState::Open(socket)) = self.states.get_mut(id) {
                let tracked = socket.get_mut();
                tracked.is_drained = false;
                tracked.trusts_short_reads &= !event.is_read_closed();
            }
            self.ready.push(id);
        }
        Ok(())
    }

    /// A socket on which something may have happened.
    pub(crate) fn next_ready(&mut self) -> Option<Id> {
        self.ready.pop()
    }

    /// The next event of a socket, if there is one.
    ///
    /// # Errors
    /// If the socket is lost, with the reason. It is closed then.
    pub(crate) fn read(&mut self, id: Id) -> anyhow::Result<Option<SocketEvent>> {
        let Some(state) = self.states.get_mut(id) else { return Ok(None) };
        let event = match std::mem::replace(state, SocketState::Closed) {
            SocketState::Closed => return Ok(None),
            SocketState::Connecting(stream, path, server) => {
                begin(stream, path, server).map(into_state)
            }
            SocketState::Upgrading(handshake) => proceed(handshake.handshake()).map(into_state),
            SocketState::Open(mut socket) => read(&mut socket)
                .map(|text| (SocketState::Open(socket), text.map(SocketEvent::Text))),
        };
        match event {
            Ok((now, event)) => {
                *state = now;
                Ok(event)
            }
            Err(error) => {
                self.closed.push(id);
                Err(error)
            }
        }
    }

    /// Sends texts with one system call.
    pub(crate) fn send(&mut self, id: Id, texts: impl IntoIterator<Item = String>) {
        let Some(SocketState::Open(socket)) = self.states.get_mut(id) else { return };
        // The next read reports an error. The kernel takes the rest later.
        for text in texts {
            drop(socket.write(Message::text(text)));
        }
        drop(socket.flush());
    }

    /// Sends a close frame and closes.
    pub(crate) fn close(&mut self, id: Id) {
        let Some(state) = self.states.get_mut(id) else { return };
        match std::mem::replace(state, SocketState::Closed) {
            SocketState::Closed => return,
            SocketState::Open(mut socket) => drop(socket.close(None).and_then(|()| socket.flush())),
            SocketState::Connecting(..) | SocketState::Upgrading(_) => {}
        }
        self.closed.push(id);
    }
}

/// Connects without waiting. To a server on this machine, the connections come from several of
/// its addresses: each has 28,000 ports at most, and servers limit what one address may open.
fn connect(server: SocketAddr, number: usize) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(server), Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    socket.set_tcp_nodelay(true)?;
    if cfg!(target_os = "linux") && server.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST) {
        let source = number / PER_SOURCE % (250 * 250);
        let [third, fourth] = [source / 250, source % 250 + 1].map(|client| client as u8);
        let source = SocketAddr::from(([127, 0, third, fourth], 0));
        socket.bind(&source.into())?;
    }
    match socket.connect(&server.into()) {
        Err(error) if !in_progress(&error) => Err(error),
        _ => Ok(TcpStream::from_std(socket.into())),
    }
}

fn in_progress(error: &io::Error) -> bool {
    const EINPROGRESS: [i32; 2] = [115, 36];
    error.kind() == ErrorKind::WouldBlock
        || error.raw_os_error().is_some_and(|code| EINPROGRESS.contains(&code))
}

enum Upgrade {
    Connecting(TcpStream, String, SocketAddr),
    Upgrading(MidHandshake<ClientHandshake<TrackedStream>>),
    Done(Box<WebSocket<TrackedStream>>),
}

fn into_state(upgrade: Upgrade) -> (SocketState, Option<SocketEvent>) {
    match upgrade {
        Upgrade::Connecting(stream, path, server) => {
            (SocketState::Connecting(stream, path, server), None)
        }
        Upgrade::Upgrading(handshake) => (SocketState::Upgrading(handshake), None),
        Upgrade::Done(socket) => (SocketState::Open(socket), Some(SocketEvent::Open)),
    }
}

/// Upgrades a stream, if it is connected.
fn begin(stream: TcpStream, path: String, server: SocketAddr) -> anyhow::Result<Upgrade> {
    if let Some(error) = stream.take_error()? {
        return Err(anyhow!(error).context(format!("nobody answers at {server}")));
    }
    if stream.peer_addr().is_err() {
        return Ok(Upgrade::Connecting(stream, path, server));
    }
    let tracked =
        TrackedStream { stream, is_drained: false, is_full: false, trusts_short_reads: false };
    let limits = WebSocketConfig::default()
        .read_buffer_size(1024)
        .max_message_size(Some(FRAME))
        .max_frame_size(Some(FRAME));
    let url = format!("ws://{server}{path}");
    proceed(tungstenite::client::client_with_config(url, tracked, Some(limits)))
}

type Upgraded<T> =
    Result<(WebSocket<TrackedStream>, T), HandshakeError<ClientHandshake<TrackedStream>>>;

fn proceed<T>(upgraded: Upgraded<T>) -> anyhow::Result<Upgrade> {
    match upgraded {
        Ok((mut socket, _)) => {
            socket.get_mut().trusts_short_reads = true;
            Ok(Upgrade::Done(Box::new(socket)))
        }
        Err(HandshakeError::Interrupted(handshake)) => Ok(Upgrade::Upgrading(handshake)),
        Err(HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
            let body = answer.body().as_deref().map(String::from_utf8_lossy).unwrap_or_default();
            Err(anyhow!("the server answered {}: {}", answer.status(), body.trim()))
        }
        Err(HandshakeError::Failure(error)) => Err(error.into()),
    }
}

fn read(socket: &mut WebSocket<TrackedStream>) -> anyhow::Result<Option<Utf8Bytes>> {
    if socket.get_ref().is_full {
        drop(socket.flush());
    }
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return Ok(Some(text)),
            Ok(Message::Close(frame)) => {
                let frame = frame.map(|frame| format!("{} {}", frame.code, frame.reason));
                return Err(anyhow!("the server closed it: {}", frame.unwrap_or_default()));
            }
            Ok(_) => {}
            Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
}
