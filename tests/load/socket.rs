//! Many sockets on one thread: opened, read and written without a task or a buffer more than
//! they need, so that what is measured is the server. What is said is nobody's business here.

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

/// Readiness that is taken from the kernel at once.
const EVENTS: usize = 1024;

/// A server's frames are at most this long by its contract.
const FRAME: usize = noughts_protocol::MAX_SERVER_FRAME;

/// Connections from one source address: fewer than a server takes from one unless it is told
/// otherwise.
const PER_SOURCE: usize = 200;

/// Which socket. Ids are used again, but not before [`Fleet::wait`] has been called.
pub(crate) type Id = usize;

/// The sockets.
pub(crate) struct Fleet {
    poll: Poll,
    events: Events,
    lines: Slab<Line>,
    ready: Vec<Id>,
    /// Closed, but their ids may still be among the ready.
    closed: Vec<Id>,
    server: SocketAddr,
    opened: usize,
}

/// What a socket has to tell.
pub(crate) enum News {
    /// It is a WebSocket now.
    Open,
    /// A text came.
    Text(Utf8Bytes),
}

enum Line {
    Connecting(TcpStream, String),
    Upgrading(MidHandshake<ClientHandshake<Tap>>),
    Open(Box<WebSocket<Tap>>),
    Closed,
}

/// A stream that knows when it has been read dry, which saves the system call that would say so.
#[derive(Debug)]
struct Tap {
    stream: TcpStream,
    dry: bool,
    /// Whether the kernel did not take all that was written.
    full: bool,
    /// Whether a short read means dry: not while upgrading, and not when the peer has closed,
    /// because nothing would wake the socket again.
    trusts: bool,
}

impl Read for Tap {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.dry {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = self.stream.read(buffer)?;
        self.dry = self.trusts && count > 0 && count < buffer.len();
        Ok(count)
    }
}

impl Write for Tap {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes);
        self.full = written.is_err();
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Fleet {
    /// No sockets yet; all will go to `server`.
    pub(crate) fn new(server: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            poll: Poll::new()?,
            events: Events::with_capacity(EVENTS),
            lines: Slab::new(),
            ready: Vec::new(),
            closed: Vec::new(),
            server,
            opened: 0,
        })
    }

    /// Begins to open a WebSocket at a path.
    pub(crate) fn open(&mut self, path: String) -> anyhow::Result<Id> {
        let mut stream = connect(self.server, self.opened)
            .context("failed to open a socket (ulimit -n says how many there may be)")?;
        self.opened += 1;
        let place = self.lines.vacant_entry();
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, Token(place.key()), interest)?;
        let id = place.key();
        place.insert(Line::Connecting(stream, path));
        Ok(id)
    }

    /// How many sockets there have been.
    pub(crate) const fn opened(&self) -> usize {
        self.opened
    }

    /// Waits at most this long for sockets to have something.
    pub(crate) fn wait(&mut self, limit: Duration) -> io::Result<()> {
        for id in self.closed.drain(..) {
            self.lines.remove(id);
        }
        match self.poll.poll(&mut self.events, Some(limit)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            polled => polled?,
        }
        for event in &self.events {
            let id = event.token().0;
            if let Some(Line::Open(socket)) = self.lines.get_mut(id) {
                let tap = socket.get_mut();
                tap.dry = false;
                tap.trusts &= !event.is_read_closed();
            }
            self.ready.push(id);
        }
        Ok(())
    }

    /// A socket that may have something to read.
    pub(crate) fn next_ready(&mut self) -> Option<Id> {
        self.ready.pop()
    }

    /// The next news of a socket, if there is any now.
    ///
    /// # Errors
    /// Where the socket is lost, with the reason; it is closed then.
    pub(crate) fn read(&mut self, id: Id) -> anyhow::Result<Option<News>> {
        let Some(line) = self.lines.get_mut(id) else { return Ok(None) };
        let news = match std::mem::replace(line, Line::Closed) {
            Line::Closed => return Ok(None),
            Line::Connecting(stream, path) => begin(stream, path, self.server).map(into_line),
            Line::Upgrading(handshake) => proceed(handshake.handshake()).map(into_line),
            Line::Open(mut socket) => {
                read(&mut socket).map(|text| (Line::Open(socket), text.map(News::Text)))
            }
        };
        match news {
            Ok((now, news)) => {
                *line = now;
                Ok(news)
            }
            Err(error) => {
                self.closed.push(id);
                Err(error)
            }
        }
    }

    /// Sends texts with one system call.
    pub(crate) fn send(&mut self, id: Id, texts: impl IntoIterator<Item = String>) {
        let Some(Line::Open(socket)) = self.lines.get_mut(id) else { return };
        // What is wrong with the socket will be told when it is read; what the kernel does not
        // take now goes out when it can.
        for text in texts {
            drop(socket.write(Message::text(text)));
        }
        drop(socket.flush());
    }

    /// Says goodbye and closes.
    pub(crate) fn close(&mut self, id: Id) {
        let Some(line) = self.lines.get_mut(id) else { return };
        match std::mem::replace(line, Line::Closed) {
            Line::Closed => return,
            Line::Open(mut socket) => drop(socket.close(None).and_then(|()| socket.flush())),
            Line::Connecting(..) | Line::Upgrading(_) => {}
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
        let [third, fourth] = [source / 250, source % 250 + 1].map(|part| part as u8);
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
    Connecting(TcpStream, String),
    Upgrading(MidHandshake<ClientHandshake<Tap>>),
    Done(Box<WebSocket<Tap>>),
}

fn into_line(upgrade: Upgrade) -> (Line, Option<News>) {
    match upgrade {
        Upgrade::Connecting(stream, path) => (Line::Connecting(stream, path), None),
        Upgrade::Upgrading(handshake) => (Line::Upgrading(handshake), None),
        Upgrade::Done(socket) => (Line::Open(socket), Some(News::Open)),
    }
}

/// Upgrades a stream, if it is connected by now.
fn begin(stream: TcpStream, path: String, server: SocketAddr) -> anyhow::Result<Upgrade> {
    if let Some(error) = stream.take_error()? {
        return Err(anyhow!(error).context(format!("nobody answers at {server}")));
    }
    if stream.peer_addr().is_err() {
        return Ok(Upgrade::Connecting(stream, path));
    }
    let tap = Tap { stream, dry: false, full: false, trusts: false };
    let limits = WebSocketConfig::default()
        .read_buffer_size(1024)
        .max_message_size(Some(FRAME))
        .max_frame_size(Some(FRAME));
    let url = format!("ws://{server}{path}");
    proceed(tungstenite::client::client_with_config(url, tap, Some(limits)))
}

type Upgraded<T> = Result<(WebSocket<Tap>, T), HandshakeError<ClientHandshake<Tap>>>;

fn proceed<T>(upgraded: Upgraded<T>) -> anyhow::Result<Upgrade> {
    match upgraded {
        Ok((mut socket, _)) => {
            socket.get_mut().trusts = true;
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

fn read(socket: &mut WebSocket<Tap>) -> anyhow::Result<Option<Utf8Bytes>> {
    if socket.get_ref().full {
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
