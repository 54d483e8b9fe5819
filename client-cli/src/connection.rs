//! The connection to a server: typed send and receive over a socket. It is the only code of the
//! client that drives a WebSocket.
//!
//! One task owns the socket and the unanswered intents (`Pending`). After a break it connects
//! again with growing delays ([`backoff`]), sends `hello` with its token, enters its room again and
//! repeats the unanswered intents with the same ids. The state of a room is [`crate::core`]'s.

use std::time::Duration;

use futures::StreamExt;
use noughts_protocol::{
    ClientMessage, DEAD_SECONDS, DisplayText, IntentId, JoinPassword, PING_SECONDS, PlayerName,
    PlayerToken, Refusal, RefusalCode, RoomCode, ServerMessage,
};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use crate::address::ServerAddress;
use crate::core::{Answered, ConnectionEvent, Pending};
use crate::ids::IntentIds;
use backoff::Backoff;
use dial::Socket;
use network::{Network, Tcp};
use trust::Trust;
use wire::{decode, handshake, no_answer, write};

mod backoff;
mod dial;
pub mod network;
pub mod trust;
mod wire;

/// Intents that wait for the task. If there are more, [`Connection::send`] returns [`Busy`].
const INTENT_QUEUE: usize = 16;

/// Events that wait for the program. If there are more, the task stops reading the socket, and the
/// server sees a slow client.
const EVENT_QUEUE: usize = 256;

/// How long the write of a frame may take.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// How long the server may answer no intent at all. It normally answers in milliseconds. After this
/// time the intent is lost or the server hangs, so a new connection repeats the intent.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// How long to wait before the next try if the server cannot load or store the room.
const REJOIN_AFTER: Duration = Duration::from_secs(1);

/// The server to connect to, and what the player shows it.
#[derive(Debug, Clone)]
pub struct Destination {
    /// The server.
    pub server: ServerAddress,
    /// The name that the player wants.
    pub name: PlayerName,
    /// The token of an earlier welcome.
    pub token: Option<PlayerToken>,
    /// The server's password.
    pub password: Option<JoinPassword>,
    /// The authorities that may sign the server's certificate.
    pub trust: Trust,
}

impl Destination {
    /// A new player without a token or password, with the system's authorities.
    #[must_use]
    pub fn new(server: ServerAddress, name: PlayerName) -> Self {
        Self { server, name, token: None, password: None, trust: Trust::default() }
    }
}

/// Too many intents wait for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server has not answered yet: wait a moment and try again")]
pub struct Busy;

/// A connection that connects again after a break.
#[derive(Debug)]
pub struct Connection {
    outgoing: mpsc::Sender<ClientMessage>,
    incoming: mpsc::Receiver<ConnectionEvent>,
}

impl Connection {
    /// Starts to connect. The first event is `Welcome`, `PasswordWanted` or `Ended`.
    #[must_use]
    pub fn open(destination: Destination, ids: IntentIds) -> Self {
        Self::open_over(Tcp, destination, ids)
    }

    /// Starts to connect over any network.
    #[must_use]
    pub fn open_over(network: impl Network, destination: Destination, ids: IntentIds) -> Self {
        let (outgoing, from_program) = mpsc::channel(INTENT_QUEUE);
        let (to_program, incoming) = mpsc::channel(EVENT_QUEUE);
        let pending = Pending::new(ids);
        let (answered, rejoin_at) = (Instant::now(), None);
        let driver = ConnectionTask {
            network,
            destination,
            pending,
            answered,
            rejoin_at,
            from_program,
            to_program,
        };
        tokio::spawn(driver.run());
        Self { outgoing, incoming }
    }

    /// Sends an intent. It is repeated after a break until it is answered.
    ///
    /// # Errors
    /// If too many intents wait.
    pub fn send(&self, intent: ClientMessage) -> Result<(), Busy> {
        self.outgoing.try_send(intent).map_err(|_| Busy)
    }

    /// The next event. It may be cancelled without loss.
    pub async fn receive(&mut self) -> ConnectionEvent {
        let ended = || ConnectionEvent::Ended("the connection has ended".into());
        self.incoming.recv().await.unwrap_or_else(ended)
    }

    /// Closes the connection after everything was sent. Waits two seconds at most.
    pub async fn close(self) {
        let Self { outgoing, mut incoming } = self;
        drop(outgoing);
        let drained = async { while incoming.recv().await.is_some() {} };
        // The server may never answer the close.
        let _ = timeout(Duration::from_secs(2), drained).await;
    }
}

/// Why a socket is not used any more.
enum Disconnect {
    /// The program has dropped the connection.
    ProgramDone,
    /// The socket broke or the server closed it. The task may connect again.
    Broken(DisplayText),
    /// No socket could be opened: the reason, and the reason with advice.
    Unreachable(DisplayText, DisplayText),
    /// The server wants no further connection.
    Final(DisplayText),
    /// The server wants a password, or another one.
    Password(DisplayText),
}

/// The state of the task.
struct ConnectionTask<N> {
    network: N,
    destination: Destination,
    pending: Pending,
    /// The time of the last answer, or of the first intent that waits for one.
    answered: Instant,
    /// When to ask again for a room that the server could not load or store.
    rejoin_at: Option<Instant>,
    from_program: mpsc::Receiver<ClientMessage>,
    to_program: mpsc::Sender<ConnectionEvent>,
}

impl<N: Network> ConnectionTask<N> {
    async fn run(mut self) {
        let mut backoff = None;
        loop {
            let end = match self.connect().await {
                Ok(socket) => {
                    backoff = Some(Backoff::new(Instant::now()));
                    self.exchange(socket).await
                }
                Err(end) => end,
            };
            let reason = match end {
                Disconnect::ProgramDone => return,
                Disconnect::Password(reason) if backoff.is_none() => {
                    return self.emit(ConnectionEvent::PasswordWanted(reason)).await;
                }
                // If the password was right before, the host has changed it.
                Disconnect::Final(reason) | Disconnect::Password(reason) => {
                    return self.emit(ConnectionEvent::Ended(reason)).await;
                }
                Disconnect::Unreachable(_, advised) if backoff.is_none() => advised,
                Disconnect::Unreachable(reason, _) | Disconnect::Broken(reason) => reason,
            };
            // Without a first connection there is nothing to resume.
            let Some(backoff) = &mut backoff else {
                return self.emit(ConnectionEvent::Ended(reason)).await;
            };
            let Some(delay) = backoff.next(Instant::now(), self.network.jitter()) else {
                return self.emit(ConnectionEvent::Ended(gave_up(&reason))).await;
            };
            self.emit(ConnectionEvent::Lost(reason)).await;
            if self.wait(delay).await.is_err() {
                return;
            }
        }
    }

    /// Sends an event to the program. If the program is gone, the next read of its intents ends the
    /// task.
    async fn emit(&self, incoming: ConnectionEvent) {
        let _ = self.to_program.send(incoming).await;
    }

    /// Waits between two attempts and collects the program's intents.
    async fn wait(&mut self, delay: Duration) -> Result<(), Disconnect> {
        let over = tokio::time::sleep(delay);
        tokio::pin!(over);
        loop {
            tokio::select! {
                biased;
                () = &mut over => return Ok(()),
                intent = self.from_program.recv(), if self.pending.has_room() => {
                    self.pending.sent(intent.ok_or(Disconnect::ProgramDone)?);
                }
            }
        }
    }

    /// Opens a socket and says hello. The program gets the welcome.
    async fn connect(&mut self) -> Result<Socket, Disconnect> {
        let closed = self.to_program.clone();
        let (socket, welcome) = tokio::select! {
            biased;
            connected = handshake(&mut self.network, &self.destination) => connected?,
            () = closed.closed() => return Err(Disconnect::ProgramDone),
        };
        self.destination.token = Some(welcome.token.clone());
        self.emit(ConnectionEvent::Welcome(Box::new(welcome))).await;
        Ok(socket)
    }

    /// Repeats the unanswered intents, then carries messages both ways until the socket ends.
    async fn exchange(&mut self, mut socket: Socket) -> Disconnect {
        for message in self.pending.resume() {
            if let Err(end) = write(&mut socket, &message).await {
                return end;
            }
        }
        let mut ping = tokio::time::interval(Duration::from_secs(PING_SECONDS));
        ping.reset();
        let mut last_frame = Instant::now();
        (self.answered, self.rejoin_at) = (last_frame, None);
        loop {
            let dead = last_frame + Duration::from_secs(DEAD_SECONDS);
            let late = self.pending.awaits_answer().then(|| self.answered + ANSWER_TIME);
            let dead = late.map_or(dead, |late| late.min(dead));
            // Frames come last, so that a server that never stops sending blocks nothing.
            let result = tokio::select! {
                biased;
                intent = self.from_program.recv(), if self.pending.has_room() => {
                    self.outgoing(intent, &mut socket).await
                }
                _ = ping.tick() => {
                    let ping = self.pending.ping();
                    write(&mut socket, &ping).await
                }
                () = tokio::time::sleep_until(self.rejoin_at.unwrap_or(dead)),
                    if self.rejoin_at.is_some() => self.rejoin(&mut socket).await,
                () = tokio::time::sleep_until(dead) => Err(Disconnect::Broken(no_answer())),
                frame = socket.next() => {
                    last_frame = Instant::now();
                    self.frame(frame).await
                }
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    /// Asks for the room again.
    async fn rejoin(&mut self, socket: &mut Socket) -> Result<(), Disconnect> {
        (self.answered, self.rejoin_at) = (Instant::now(), None);
        match self.pending.rejoin() {
            Some(join) => write(socket, &join).await,
            None => Ok(()),
        }
    }

    /// Sends an intent. `None` means that the program is done: closes the socket.
    async fn outgoing(
        &mut self,
        intent: Option<ClientMessage>,
        socket: &mut Socket,
    ) -> Result<(), Disconnect> {
        if let Some(intent) = intent {
            if !self.pending.awaits_answer() {
                self.answered = Instant::now();
            }
            self.pending.sent(intent.clone());
            return write(socket, &intent).await;
        }
        // The server may never answer the close.
        let _ = timeout(WRITE_TIME, socket.close(None)).await;
        Err(Disconnect::ProgramDone)
    }

    /// Handles one frame.
    async fn frame(&mut self, frame: Option<dial::Frame>) -> Result<(), Disconnect> {
        let Some(message) = decode(frame)? else { return Ok(()) };
        self.message(message).await;
        Ok(())
    }

    async fn message(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Ok { id, room } => self.answer(id, Ok(room)).await,
            ServerMessage::Refused { id: Some(id), code, message } => {
                self.answer(id, Err(Refusal { code, message })).await;
            }
            message => {
                self.pending.observe(&message);
                self.emit(ConnectionEvent::Message(message)).await;
            }
        }
    }

    async fn answer(&mut self, id: IntentId, answer: Result<Option<RoomCode>, Refusal>) {
        self.answered = Instant::now();
        let room = answer.as_ref().ok().copied().flatten();
        match (self.pending.answered(id, answer.is_ok(), room), answer) {
            (Answered::Intent(intent), answer) => {
                self.emit(ConnectionEvent::Answered { intent, answer }).await;
            }
            (
                Answered::Rejoin(_),
                Err(Refusal { code: code @ RefusalCode::NotStored, message }),
            ) => {
                self.rejoin_at = Some(Instant::now() + REJOIN_AFTER);
                let refused = ServerMessage::Refused { id: None, code, message };
                self.emit(ConnectionEvent::Message(refused)).await;
            }
            (Answered::Rejoin(room), Err(refusal)) => {
                self.pending.room_is_lost();
                self.emit(ConnectionEvent::RoomLost { room, refusal }).await;
            }
            (Answered::Rejoin(_) | Answered::Nothing, _) => {}
        }
    }
}

fn gave_up(reason: &DisplayText) -> DisplayText {
    format!("the server did not come back ({reason}): run the same command to try again").into()
}

#[cfg(test)]
mod tests;
