//! The connection to a server: typed send and receive over a socket that is made again when it
//! breaks. The only place of the client that drives a WebSocket.
//!
//! One task owns the socket and what is unanswered ([`pending`]). After a break it dials again
//! with [`backoff`], says `hello` with its token, enters its room again and repeats the
//! unanswered intents with the same ids. What a room looks like is the session's.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use noughts_protocol::{
    ClientMessage, CloseCode, DEAD_SECONDS, DisplayText, HELLO_SECONDS, Limits, PING_SECONDS,
    PROTOCOL_VERSION, PlayerId, PlayerName, PlayerToken, Refusal, RefusalCode, RoomCode,
    ServerInfo, ServerMessage,
};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::address::ServerAddress;
use crate::ids::IntentIds;
use backoff::Backoff;
use dial::{Socket, dial};
use pending::Pending;

mod backoff;
mod dial;
mod pending;

/// Intents that wait for the task; beyond that, [`Connection::send`] says [`Busy`].
const OUTGOING: usize = 16;

/// What the task has for the program; beyond that it stops reading the socket, and the server
/// sees a slow client.
const INCOMING: usize = 256;

/// How long a frame may take to be written.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// Where to connect, as whom.
#[derive(Debug, Clone)]
pub struct Destination {
    /// The server.
    pub server: ServerAddress,
    /// What the player wants to be called.
    pub name: PlayerName,
    /// The token of an earlier welcome.
    pub token: Option<PlayerToken>,
}

/// The answer to `hello`.
#[derive(Debug, Clone)]
pub struct Welcome {
    /// The player's public id.
    pub player: PlayerId,
    /// The player's name.
    pub name: PlayerName,
    /// The token to keep.
    pub token: PlayerToken,
    /// Which server this is.
    pub server: ServerInfo,
    /// What it allows.
    pub limits: Limits,
}

/// What comes from the connection.
#[derive(Debug)]
pub enum Incoming {
    /// The server is there, for the first time or again.
    Welcome(Box<Welcome>),
    /// An intent was answered.
    Answered {
        /// The intent.
        intent: ClientMessage,
        /// The room it led to, or why it was not applied.
        answer: Result<Option<RoomCode>, Refusal>,
    },
    /// Anything else the server said.
    Message(ServerMessage),
    /// The connection broke and is being made again.
    Lost(DisplayText),
    /// After a break, the server would not let the player back into the room.
    RoomLost {
        /// The room.
        room: RoomCode,
        /// Why.
        refusal: Refusal,
    },
    /// There is no connection any more and none will be made. Nothing comes after this.
    Ended(DisplayText),
}

/// Too many intents are unanswered: try again when the server has caught up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server has not answered yet: wait a moment and try again")]
pub struct Busy;

/// A connection that lasts over breaks.
#[derive(Debug)]
pub struct Connection {
    outgoing: mpsc::Sender<ClientMessage>,
    incoming: mpsc::Receiver<Incoming>,
}

impl Connection {
    /// Starts to connect. The first thing to come is `Welcome` or `Ended`.
    #[must_use]
    pub fn open(destination: Destination, ids: IntentIds) -> Self {
        let (outgoing, from_program) = mpsc::channel(OUTGOING);
        let (to_program, incoming) = mpsc::channel(INCOMING);
        let driver = Driver { destination, pending: Pending::new(ids), from_program, to_program };
        tokio::spawn(driver.run());
        Self { outgoing, incoming }
    }

    /// Hands an intent over; it is repeated after a break until it is answered.
    ///
    /// # Errors
    /// Where too many are unanswered.
    pub fn send(&self, intent: ClientMessage) -> Result<(), Busy> {
        self.outgoing.try_send(intent).map_err(|_| Busy)
    }

    /// What comes next. May be cancelled without loss.
    pub async fn receive(&mut self) -> Incoming {
        let ended = || Incoming::Ended("the connection has ended".into());
        self.incoming.recv().await.unwrap_or_else(ended)
    }

    /// Says goodbye once everything handed over is sent, and waits for that, but not for long.
    pub async fn close(self) {
        let Self { outgoing, mut incoming } = self;
        drop(outgoing);
        let drained = async { while incoming.recv().await.is_some() {} };
        // A server that does not take the goodbye shall not keep the player.
        let _ = timeout(Duration::from_secs(2), drained).await;
    }
}

/// Why a socket is not used any more.
enum End {
    /// The program is done.
    Program,
    /// It broke, or the server closed it; another may be made.
    Broken(DisplayText),
    /// The server wants no more of it.
    Final(DisplayText),
}

/// The task's state.
struct Driver {
    destination: Destination,
    pending: Pending,
    from_program: mpsc::Receiver<ClientMessage>,
    to_program: mpsc::Sender<Incoming>,
}

impl Driver {
    async fn run(mut self) {
        let mut backoff = None;
        loop {
            let end = match self.connect().await {
                Ok(socket) => {
                    backoff = Some(Backoff::new(Instant::now()));
                    self.converse(socket).await
                }
                Err(end) => end,
            };
            let reason = match end {
                End::Program => return,
                End::Final(reason) => return self.tell(Incoming::Ended(reason)).await,
                End::Broken(reason) => reason,
            };
            // Without a first connection there is nothing to come back to.
            let Some(backoff) = &mut backoff else {
                return self.tell(Incoming::Ended(reason)).await;
            };
            let Some(delay) = backoff.next(Instant::now(), rand::random()) else {
                return self.tell(Incoming::Ended(given_up(&reason))).await;
            };
            self.tell(Incoming::Lost(reason)).await;
            if self.wait(delay).await.is_err() {
                return;
            }
        }
    }

    /// Tells the program; when it has gone, the next look at its intents ends the task.
    async fn tell(&self, incoming: Incoming) {
        let _ = self.to_program.send(incoming).await;
    }

    /// Waits between two attempts, and keeps what the program wants to send meanwhile.
    async fn wait(&mut self, delay: Duration) -> Result<(), End> {
        let over = tokio::time::sleep(delay);
        tokio::pin!(over);
        loop {
            tokio::select! {
                () = &mut over => return Ok(()),
                intent = self.from_program.recv(), if self.pending.has_room() => {
                    self.pending.sent(intent.ok_or(End::Program)?);
                }
            }
        }
    }

    /// Dials and says hello. The answer is told to the program.
    async fn connect(&mut self) -> Result<Socket, End> {
        let closed = self.to_program.clone();
        let greeted = tokio::select! {
            greeted = greet(&self.destination) => greeted?,
            () = closed.closed() => return Err(End::Program),
        };
        let (socket, welcome) = greeted;
        self.destination.token = Some(welcome.token.clone());
        self.tell(Incoming::Welcome(Box::new(welcome))).await;
        Ok(socket)
    }

    /// Repeats what is unanswered, then carries messages both ways until the socket is done with.
    async fn converse(&mut self, mut socket: Socket) -> End {
        for message in self.pending.resume() {
            if let Err(end) = write(&mut socket, &message).await {
                return end;
            }
        }
        let mut ping = tokio::time::interval(Duration::from_secs(PING_SECONDS));
        ping.reset();
        let mut heard = Instant::now();
        loop {
            let dead = heard + Duration::from_secs(DEAD_SECONDS);
            let result = tokio::select! {
                frame = socket.next() => {
                    heard = Instant::now();
                    self.frame(frame).await
                }
                intent = self.from_program.recv(), if self.pending.has_room() => match intent {
                    Some(intent) => {
                        self.pending.sent(intent.clone());
                        write(&mut socket, &intent).await
                    }
                    None => {
                        let _ = timeout(WRITE_TIME, socket.close(None)).await;
                        Err(End::Program)
                    }
                },
                _ = ping.tick() => write(&mut socket, &self.pending.ping()).await,
                () = tokio::time::sleep_until(dead) => Err(End::Broken(silence())),
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    /// Takes one frame in.
    async fn frame(&mut self, frame: Option<dial::Frame>) -> Result<(), End> {
        match decode(frame)? {
            Some(ServerMessage::Ok { id, room }) => self.answer(id, Ok(room)).await,
            Some(ServerMessage::Refused { id: Some(id), code, message }) => {
                self.answer(id, Err(Refusal { code, message })).await;
            }
            Some(message) => {
                self.pending.saw(&message);
                self.tell(Incoming::Message(message)).await;
            }
            None => {}
        }
        Ok(())
    }

    async fn answer(
        &mut self,
        id: noughts_protocol::IntentId,
        answer: Result<Option<RoomCode>, Refusal>,
    ) {
        match (self.pending.answered(id, answer.is_ok()), answer) {
            (pending::Answered::Intent(intent), answer) => {
                self.tell(Incoming::Answered { intent, answer }).await;
            }
            (pending::Answered::Rejoin(room), Err(refusal)) => {
                self.tell(Incoming::RoomLost { room, refusal }).await;
            }
            (pending::Answered::Rejoin(_) | pending::Answered::Nothing, _) => {}
        }
    }
}

/// Dials and says hello, within the time that a server allows for it.
async fn greet(destination: &Destination) -> Result<(Socket, Welcome), End> {
    let limit = Duration::from_secs(HELLO_SECONDS);
    let late = |_| End::Broken(format!("{} did not answer in time", destination.server).into());
    let mut socket = timeout(limit, dial(&destination.server)).await.map_err(late)??;
    let hello = ClientMessage::Hello {
        protocol: PROTOCOL_VERSION,
        name: destination.name.clone(),
        token: destination.token.clone(),
    };
    write(&mut socket, &hello).await?;
    let welcome = timeout(limit, welcome(&mut socket)).await.map_err(late)??;
    Ok((socket, welcome))
}

/// The first message, which is the answer to hello.
async fn welcome(socket: &mut Socket) -> Result<Welcome, End> {
    loop {
        let frame = socket.next().await;
        match decode(frame)? {
            None => {}
            Some(ServerMessage::Welcome {
                protocol: PROTOCOL_VERSION,
                player,
                name,
                token,
                server,
                limits,
            }) => {
                return Ok(Welcome { player, name, token, server, limits });
            }
            Some(ServerMessage::Welcome { .. }) => {
                return Err(End::Final(CloseCode::ProtocolVersion.reason().into()));
            }
            Some(ServerMessage::Refused { code, message, .. }) => {
                let passing = matches!(
                    code,
                    RefusalCode::RateLimited | RefusalCode::Full | RefusalCode::Stopping
                );
                return Err(if passing { End::Broken(message) } else { End::Final(message) });
            }
            Some(_) => return Err(End::Final(not_noughts())),
        }
    }
}

/// The message in a frame; none in frames that carry none.
fn decode(frame: Option<dial::Frame>) -> Result<Option<ServerMessage>, End> {
    match frame {
        Some(Ok(Message::Text(text))) => {
            // A message of a newer server may be unknown here; the next one may be known.
            let message = serde_json::from_str(&text);
            message.map(Some).or_else(|_| {
                readable_type(&text).ok_or_else(|| End::Final(not_noughts())).map(|()| None)
            })
        }
        Some(Ok(Message::Close(frame))) => Err(closed(frame.map(|f| u16::from(f.code)))),
        Some(Ok(_)) => Ok(None),
        Some(Err(error)) => Err(End::Broken(dial::explain(&error))),
        None => Err(closed(None)),
    }
}

/// Whether a text is at least an object with a type, as every message is.
fn readable_type(text: &str) -> Option<()> {
    #[derive(serde::Deserialize)]
    struct Tagged {
        #[serde(rename = "type")]
        _kind: String,
    }
    serde_json::from_str::<Tagged>(text).ok().map(|_| ())
}

/// What a close means, by its number alone.
fn closed(number: Option<u16>) -> End {
    match number.and_then(CloseCode::from_number) {
        Some(code) if code.reconnect() => End::Broken(code.reason().into()),
        Some(CloseCode::Done) => End::Final("the server said goodbye".into()),
        Some(code) => End::Final(code.reason().into()),
        None => End::Broken("the connection was closed".into()),
    }
}

async fn write(socket: &mut Socket, message: &ClientMessage) -> Result<(), End> {
    let text = serde_json::to_string(message).map_err(|e| End::Final(e.to_string().into()))?;
    match timeout(WRITE_TIME, socket.send(Message::text(text))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(End::Broken(dial::explain(&error))),
        Err(_) => Err(End::Broken(silence())),
    }
}

fn silence() -> DisplayText {
    "nothing was heard from the server".into()
}

fn not_noughts() -> DisplayText {
    "what answers there is no Noughts server: check the address".into()
}

fn given_up(reason: &DisplayText) -> DisplayText {
    format!("the server did not come back ({reason}): run the same command to try again").into()
}

#[cfg(test)]
mod tests;
