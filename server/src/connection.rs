//! One task per connection: frames in, the outbox out, pings, limits and the close code. No other
//! file of the server drives a WebSocket. The meaning of messages is in [`session`].

use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures::SinkExt;
use noughts_protocol::{
    ClientMessage, CloseCode, DEAD_SECONDS, HELLO_SECONDS, Hello, JoinPassword, PING_SECONDS,
    PROTOCOL_VERSION, Refusal, RefusalCode,
};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::WaitForCancellationFuture;
use tracing_subscriber::filter::LevelFilter;

use crate::actor::or_pending;
use crate::connection::session::{Notification, Session};
use crate::limits::connections::Permit;
use crate::limits::rate_limiter::{RateDecision, RateLimiter};
use crate::outbox::{ConnectionId, Frame, Outbox, OutboxReader, outbox};
use crate::state::Shared;
use malformed::{bad_name, id_of, is_of_another_version, what_is_wrong};
use socket::{close_code, message};

pub(crate) mod events;
mod handshake;
pub(crate) mod malformed;
pub(crate) mod pipe;
pub(crate) mod session;
mod socket;
mod welcome;

/// A target and its log level. At `trace` this library would write whole frames to the log, with
/// the tokens and passwords in them.
pub(crate) const FRAME_LOGS: (&str, LevelFilter) = ("tungstenite", LevelFilter::ERROR);

/// How long a write may take before the connection is closed as too slow.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// How long the peer has to answer a close frame.
const CLOSE_TIME: Duration = Duration::from_secs(2);

/// Frames that may still come before the peer's answer to a close frame. Frames after them are
/// drained without being parsed, by [`crate::net::client_stream`].
const FRAMES_AFTER_CLOSE: usize = 64;

/// Frames that are no message of the protocol, after which the connection is closed.
const MOST_GARBAGE: u32 = 10;

/// The permits of a connection.
#[derive(Debug)]
pub(crate) struct Permits {
    pub(crate) websocket: Permit,
    /// Of the TCP connection below it.
    pub(crate) tcp: Arc<Permit>,
}

/// Serves one connection until it ends. Its permits are dropped then.
pub(crate) async fn run(
    socket: WebSocket,
    shared: Arc<Shared>,
    connection: ConnectionId,
    permits: Permits,
) {
    let (outbox, outgoing) =
        outbox(connection, permits.websocket.address(), Arc::clone(&shared.metrics));
    let now = Instant::now();
    let rate = RateLimiter::new(shared.config.intent_burst, shared.config.intents_per_second);
    let mut this = Connection {
        socket,
        shared,
        outbox,
        outgoing,
        session: None,
        permits,
        rate,
        garbage: 0,
        opened_at: now,
        last_frame_at: now,
        ping_at: now + Duration::from_secs(PING_SECONDS),
    };
    tracing::debug!("connection opened");
    let lease = Arc::clone(&this.shared.lease);
    let served = lease.guard(this.run()).await;
    let End(code) = served.unwrap_or_else(|| this.no_lease());
    tracing::debug!(?code, "connection closed");
    this.shared.metrics.closed(code);
    this.close(code).await;
}

/// The end of a connection, with the code to close it with. `None` if the peer has gone.
struct End(Option<CloseCode>);

impl From<CloseCode> for End {
    fn from(code: CloseCode) -> Self {
        Self(Some(code))
    }
}

/// The state of one connection.
struct Connection {
    socket: WebSocket,
    shared: Arc<Shared>,
    outbox: Outbox,
    outgoing: OutboxReader,
    /// `None` until the client has said `hello`.
    session: Option<Session>,
    permits: Permits,
    rate: RateLimiter,
    /// Frames so far that were no message.
    garbage: u32,
    opened_at: Instant,
    /// When the last frame came.
    last_frame_at: Instant,
    ping_at: Instant,
}

enum Wake {
    Stop,
    Kicked(CloseCode),
    /// The batch holds what was in the outbox.
    Write,
    Frame(Option<Result<Message, axum::Error>>),
    Notification(Notification),
    Due,
}

impl Connection {
    /// The client's IPv4 address, or the /64 of its IPv6 address.
    const fn address(&self) -> IpAddr {
        self.permits.websocket.address()
    }

    /// The end of a connection to a node that may show nothing now.
    fn no_lease(&self) -> End {
        let is_stopping = self.shared.stop.is_cancelled();
        if is_stopping { CloseCode::Restart.into() } else { CloseCode::TryAgainLater.into() }
    }

    async fn run(&mut self) -> End {
        let mut batch = Vec::new();
        let stop = self.shared.stop.clone();
        let mut stopped = pin!(stop.cancelled());
        loop {
            let result = match self.next_wake(&mut batch, stopped.as_mut()).await {
                Wake::Stop => Err(CloseCode::Restart.into()),
                Wake::Kicked(code) => Err(code.into()),
                Wake::Write => self.write(batch.drain(..).map(message)).await,
                Wake::Frame(frame) => self.frame(frame).await,
                Wake::Notification(notification) => {
                    if let Some(session) = &mut self.session {
                        session.handle_notification(notification).await;
                    }
                    Ok(())
                }
                Wake::Due => self.due().await,
            };
            if let Err(end) = result {
                return end;
            }
            if self.rate.is_hurried() {
                // Other tasks get their turn between the frames of a flood.
                tokio::task::yield_now().await;
            }
        }
    }

    /// Waits for the next thing to do: the only select of the connection. Writes come before reads,
    /// so that a peer that sends faster than it reads slows itself down. Rare events come last; the
    /// [`RateLimiter`] makes sure that frames leave time for them.
    async fn next_wake(
        &mut self,
        batch: &mut Vec<Frame>,
        stopped: Pin<&mut WaitForCancellationFuture<'_>>,
    ) -> Wake {
        let due = self.next_due();
        let notification = self.session.as_mut().map(Session::next_notification);
        tokio::select! {
            biased;
            queued = self.outgoing.next(batch) => match queued {
                Ok(()) => Wake::Write,
                Err(code) => Wake::Kicked(code),
            },
            notification = or_pending(notification) => Wake::Notification(notification),
            frame = self.socket.recv() => Wake::Frame(frame),
            () = sleep_until(due) => Wake::Due,
            () = stopped => Wake::Stop,
        }
    }

    fn next_due(&self) -> Instant {
        let dead = self.last_frame_at + Duration::from_secs(DEAD_SECONDS);
        match self.session {
            Some(_) => self.ping_at.min(dead),
            None => self.opened_at + Duration::from_secs(HELLO_SECONDS),
        }
    }

    async fn due(&mut self) -> Result<(), End> {
        let now = Instant::now();
        if self.session.is_none() {
            return Err(CloseCode::HelloTimeout.into());
        }
        if now >= self.last_frame_at + Duration::from_secs(DEAD_SECONDS) {
            return Err(CloseCode::Silent.into());
        }
        // Another node may have forgotten or banned them.
        if self.session.as_ref().is_some_and(Session::is_forgotten) {
            return Err(CloseCode::Restart.into());
        }
        if let Some(refusal) = self.session.as_ref().and_then(Session::ban) {
            self.outbox.reject(None, refusal);
            return Err(CloseCode::Banned.into());
        }
        self.ping_at = now + Duration::from_secs(PING_SECONDS);
        let ping = Message::Ping(axum::body::Bytes::new());
        self.write([ping].into_iter()).await
    }

    /// Writes with one flush, so that a batch goes out in one system call.
    async fn write(&mut self, messages: impl Iterator<Item = Message>) -> Result<(), End> {
        if !self.shared.lease.may_show() {
            return Err(self.no_lease());
        }
        self.send(messages).await
    }

    async fn send(&mut self, messages: impl Iterator<Item = Message>) -> Result<(), End> {
        let writing = async {
            for message in messages {
                self.socket.feed(message).await?;
            }
            self.socket.flush().await
        };
        match timeout(WRITE_TIME, writing).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End(None)),
            Err(_) => Err(CloseCode::Slow.into()),
        }
    }

    async fn frame(&mut self, frame: Option<Result<Message, axum::Error>>) -> Result<(), End> {
        self.last_frame_at = Instant::now();
        match frame {
            Some(Ok(Message::Text(text))) => self.text(&text).await,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => self.control(),
            Some(Ok(Message::Binary(_))) => Err(CloseCode::Unsupported.into()),
            Some(Ok(Message::Close(_))) => {
                self.answer_close().await;
                Err(End(None))
            }
            None => Err(End(None)),
            Some(Err(error)) => Err(End(close_code(&error))),
        }
    }

    /// The library answers pings at the next read. Too many of them are a flood, as intents are.
    fn control(&mut self) -> Result<(), End> {
        match self.rate.check_ping(self.last_frame_at - self.opened_at) {
            RateDecision::Allow | RateDecision::Refuse => Ok(()),
            RateDecision::Close => Err(CloseCode::Flood.into()),
        }
    }

    async fn text(&mut self, text: &str) -> Result<(), End> {
        if let Some(message) = self.read(text).await?
            && let Some(session) = &mut self.session
        {
            session.handle(message, self.last_frame_at).await;
        }
        Ok(())
    }

    /// Reads a frame, and answers it itself unless the session has to.
    async fn read(&mut self, text: &str) -> Result<Option<ClientMessage>, End> {
        match self.rate.check(self.last_frame_at - self.opened_at) {
            RateDecision::Allow => {}
            RateDecision::Refuse => {
                let message = "too many messages: wait a second and send this one again";
                let refusal = Refusal::new(RefusalCode::RateLimited, message);
                self.outbox.reject(id_of(text), refusal);
                return Ok(None);
            }
            RateDecision::Close => return Err(CloseCode::Flood.into()),
        }
        let read = ClientMessage::from_json(text);
        if let Ok(ClientMessage::Hello(hello)) = &read {
            check_version(hello.protocol)?;
        }
        match (read, &self.session) {
            (Ok(message), Some(_)) => return Ok(Some(message)),
            (Ok(ClientMessage::Hello(Hello { name, token, pass, password, .. })), None) => {
                let sent = password.as_ref().map(JoinPassword::reveal);
                if let Err(refusal) = self.shared.check_password(sent, self.address()) {
                    self.outbox.reject(None, refusal);
                    self.count_garbage()?;
                    return Ok(None);
                }
                match pass {
                    Some(pass) => self.greet_with_pass(name, &pass).await?,
                    None => self.greet(name, token),
                }
            }
            (Ok(message), None) => {
                let refusal = Refusal::new(RefusalCode::HelloFirst, "say hello first");
                self.outbox.reject(message.id(), refusal);
            }
            (Err(error), _) => self.garbage(text, &error)?,
        }
        Ok(None)
    }

    /// Refuses a frame that is no message, and ends the connection at the tenth.
    fn garbage(&mut self, text: &str, error: &serde_json::Error) -> Result<(), End> {
        if is_of_another_version(text) {
            return Err(CloseCode::ProtocolVersion.into());
        }
        let refusal = bad_name(text).unwrap_or_else(|| {
            let message =
                format!("that is not a message of this protocol: {}", what_is_wrong(text, error));
            Refusal::new(RefusalCode::BadMessage, message)
        });
        self.outbox.reject(id_of(text), refusal);
        self.count_garbage()
    }

    fn count_garbage(&mut self) -> Result<(), End> {
        self.garbage += 1;
        if self.garbage >= MOST_GARBAGE { Err(CloseCode::Garbage.into()) } else { Ok(()) }
    }

    /// Sends the library's answer to a close frame: a close frame with the same code.
    async fn answer_close(&mut self) {
        // The room must see the departure now, not when the peer has read the answer.
        drop(self.session.take());
        // A peer that does not read the answer is left to its own timeout.
        drop(timeout(CLOSE_TIME, self.socket.flush()).await);
    }

    /// Sends what is left in the outbox, unless the peer is too slow for it, and a close frame.
    async fn close(&mut self, code: Option<CloseCode>) {
        // The room must see the departure now, not when the peer has answered.
        drop(self.session.take());
        let Some(code) = code else { return };
        let is_told = code != CloseCode::Slow && self.shared.lease.may_show();
        let waiting = if is_told { self.outgoing.take() } else { Vec::new() };
        let frame = CloseFrame { code: code.number(), reason: code.reason().into() };
        let close = Message::Close(Some(frame));
        let tcp = Arc::clone(&self.permits.tcp);
        tcp.set_lingers(true);
        let goodbye = async {
            self.send(waiting.into_iter().map(message).chain([close])).await.ok();
            for _ in 0..FRAMES_AFTER_CLOSE {
                match self.socket.recv().await {
                    Some(Ok(_)) => {}
                    Some(Err(_)) => break,
                    // The peer has answered, and sends nothing more.
                    None => return tcp.set_lingers(false),
                }
                tokio::task::yield_now().await;
            }
        };
        // A peer that does not answer is left to its own timeout.
        drop(timeout(CLOSE_TIME, goodbye).await);
    }
}

fn check_version(protocol: u32) -> Result<(), End> {
    if protocol == PROTOCOL_VERSION { Ok(()) } else { Err(CloseCode::ProtocolVersion.into()) }
}
