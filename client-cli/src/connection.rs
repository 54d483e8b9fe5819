//! The connection to a server: typed send and receive over a socket that is made again when it
//! breaks. The only place of the client that drives a WebSocket.
//!
//! One task owns the socket and what is unanswered ([`pending`]). After a break it dials again
//! with [`backoff`], says `hello` with its token, enters its room again and repeats the
//! unanswered intents with the same ids. What a room looks like is the session's.

use std::time::Duration;

use futures::StreamExt;
use noughts_protocol::{
    Chaos, ClientMessage, DEAD_SECONDS, DisplayText, Features, IntentId, JoinPassword, Limits,
    PING_SECONDS, PlayerId, PlayerName, PlayerToken, Refusal, RefusalCode, RoomCode, ServerInfo,
    ServerMessage,
};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use crate::address::ServerAddress;
use crate::ids::IntentIds;
use backoff::Backoff;
use dial::Socket;
use network::{Network, Tcp};
use pending::{Answered, Pending};
use trust::Trust;
use wire::{copies, decode, greet, silence, write};

mod backoff;
mod dial;
pub mod network;
mod pending;
pub mod trust;
mod wire;

/// Intents that wait for the task; beyond that, [`Connection::send`] says [`Busy`].
const OUTGOING: usize = 16;

/// What the task has for the program; beyond that it stops reading the socket, and the server
/// sees a slow client.
const INCOMING: usize = 256;

/// How long a frame may take to be written.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// How long the server may leave an intent without an answer while it answers no other. It answers
/// in milliseconds; one that does not has lost it, or is no use any more, and a new connection
/// asks again.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// A server that cannot read or store the room just now is asked for it again after this.
const REJOIN_AFTER: Duration = Duration::from_secs(1);

/// Where to connect, as whom.
#[derive(Debug, Clone)]
pub struct Destination {
    /// The server.
    pub server: ServerAddress,
    /// What the player wants to be called.
    pub name: PlayerName,
    /// The token of an earlier welcome.
    pub token: Option<PlayerToken>,
    /// The server's password, where it asks for one.
    pub password: Option<JoinPassword>,
    /// Whose word counts for the server's certificate, where there is one.
    pub trust: Trust,
    /// What is done to messages on purpose.
    pub chaos: Option<Chaos>,
}

impl Destination {
    /// Somebody new, at a server whose certificate is good for the system, where it has one.
    #[must_use]
    pub fn new(server: ServerAddress, name: PlayerName) -> Self {
        Self { server, name, token: None, password: None, trust: Trust::default(), chaos: None }
    }
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
    /// What its host has left on.
    pub features: Features,
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
    /// The server asks for a password, or for another one. Nothing comes after this: open another
    /// connection with it.
    PasswordWanted(DisplayText),
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
    /// Starts to connect. The first thing to come is `Welcome`,
    /// `PasswordWanted` or `Ended`.
    #[must_use]
    pub fn open(destination: Destination, ids: IntentIds) -> Self {
        Self::open_over(Tcp, destination, ids)
    }

    /// The same over any network.
    #[must_use]
    pub fn open_over(network: impl Network, destination: Destination, ids: IntentIds) -> Self {
        let (outgoing, from_program) = mpsc::channel(OUTGOING);
        let (to_program, incoming) = mpsc::channel(INCOMING);
        let pending = Pending::new(ids);
        let (answered, rejoin_at) = (Instant::now(), None);
        let driver =
            Driver { network, destination, pending, answered, rejoin_at, from_program, to_program };
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
    /// Nobody was there to make one with; the same with what to do about it.
    Nobody(DisplayText, DisplayText),
    /// The server wants no more of it.
    Final(DisplayText),
    /// The server wants a password, or another one.
    Password(DisplayText),
}

/// The task's state.
struct Driver<N> {
    network: N,
    destination: Destination,
    pending: Pending,
    /// When an intent was last answered, or the first of those that wait was sent.
    answered: Instant,
    /// When the room is to be asked for again that the server could not let us into.
    rejoin_at: Option<Instant>,
    from_program: mpsc::Receiver<ClientMessage>,
    to_program: mpsc::Sender<Incoming>,
}

impl<N: Network> Driver<N> {
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
                End::Password(reason) if backoff.is_none() => {
                    return self.tell(Incoming::PasswordWanted(reason)).await;
                }
                // Where a password was right before, its host has changed it: begin anew.
                End::Final(reason) | End::Password(reason) => {
                    return self.tell(Incoming::Ended(reason)).await;
                }
                End::Nobody(_, advised) if backoff.is_none() => advised,
                End::Nobody(reason, _) | End::Broken(reason) => reason,
            };
            // Without a first connection there is nothing to come back to.
            let Some(backoff) = &mut backoff else {
                return self.tell(Incoming::Ended(reason)).await;
            };
            let Some(delay) = backoff.next(Instant::now(), self.network.chance()) else {
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
                biased;
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
        let (socket, welcome) = tokio::select! {
            biased;
            greeted = greet(&mut self.network, &mut self.destination) => greeted?,
            () = closed.closed() => return Err(End::Program),
        };
        self.destination.token = Some(welcome.token.clone());
        self.tell(Incoming::Welcome(Box::new(welcome))).await;
        Ok(socket)
    }

    /// Repeats what is unanswered, then carries messages both ways until the socket is done with.
    async fn converse(&mut self, mut socket: Socket) -> End {
        for message in self.pending.resume() {
            if let Err(end) = self.write(&mut socket, &message).await {
                return end;
            }
        }
        let mut ping = tokio::time::interval(Duration::from_secs(PING_SECONDS));
        ping.reset();
        let mut heard = Instant::now();
        (self.answered, self.rejoin_at) = (heard, None);
        loop {
            let dead = heard + Duration::from_secs(DEAD_SECONDS);
            let late = self.pending.awaits_answer().then(|| self.answered + ANSWER_TIME);
            let dead = late.map_or(dead, |late| late.min(dead));
            // Frames come last: a server that never stops sending holds nothing else up.
            let result = tokio::select! {
                biased;
                intent = self.from_program.recv(), if self.pending.has_room() => {
                    self.outgoing(intent, &mut socket).await
                }
                _ = ping.tick() => {
                    let ping = self.pending.ping();
                    self.write(&mut socket, &ping).await
                }
                () = tokio::time::sleep_until(self.rejoin_at.unwrap_or(dead)),
                    if self.rejoin_at.is_some() => self.rejoin(&mut socket).await,
                () = tokio::time::sleep_until(dead) => Err(End::Broken(silence())),
                frame = socket.next() => {
                    heard = Instant::now();
                    self.frame(frame).await
                }
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    /// Asks for the room again.
    async fn rejoin(&mut self, socket: &mut Socket) -> Result<(), End> {
        (self.answered, self.rejoin_at) = (Instant::now(), None);
        match self.pending.rejoin() {
            Some(join) => self.write(socket, &join).await,
            None => Ok(()),
        }
    }

    /// Sends an intent; without one the program is done, and so is the socket.
    async fn outgoing(
        &mut self,
        intent: Option<ClientMessage>,
        socket: &mut Socket,
    ) -> Result<(), End> {
        if let Some(intent) = intent {
            if !self.pending.awaits_answer() {
                self.answered = Instant::now();
            }
            self.pending.sent(intent.clone());
            return self.write(socket, &intent).await;
        }
        // A server that does not take the goodbye does without.
        let _ = timeout(WRITE_TIME, socket.close(None)).await;
        Err(End::Program)
    }

    /// Takes one frame in.
    async fn frame(&mut self, frame: Option<dial::Frame>) -> Result<(), End> {
        let Some(message) = decode(frame)? else { return Ok(()) };
        for _ in 0..copies(&mut self.destination.chaos)? {
            self.message(message.clone()).await;
        }
        Ok(())
    }

    async fn message(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Ok { id, room } => self.answer(id, Ok(room)).await,
            ServerMessage::Refused { id: Some(id), code, message } => {
                self.answer(id, Err(Refusal { code, message })).await;
            }
            message => {
                self.pending.saw(&message);
                self.tell(Incoming::Message(message)).await;
            }
        }
    }

    async fn write(&mut self, socket: &mut Socket, message: &ClientMessage) -> Result<(), End> {
        write(socket, &mut self.destination.chaos, message).await
    }

    async fn answer(&mut self, id: IntentId, answer: Result<Option<RoomCode>, Refusal>) {
        self.answered = Instant::now();
        let room = answer.as_ref().ok().copied().flatten();
        match (self.pending.answered(id, answer.is_ok(), room), answer) {
            (Answered::Intent(intent), answer) => {
                self.tell(Incoming::Answered { intent, answer }).await;
            }
            (
                Answered::Rejoin(_),
                Err(Refusal { code: code @ RefusalCode::NotStored, message }),
            ) => {
                self.rejoin_at = Some(Instant::now() + REJOIN_AFTER);
                let told = ServerMessage::Refused { id: None, code, message };
                self.tell(Incoming::Message(told)).await;
            }
            (Answered::Rejoin(room), Err(refusal)) => {
                self.pending.room_is_lost();
                self.tell(Incoming::RoomLost { room, refusal }).await;
            }
            (Answered::Rejoin(_) | Answered::Nothing, _) => {}
        }
    }
}

fn given_up(reason: &DisplayText) -> DisplayText {
    format!("the server did not come back ({reason}): run the same command to try again").into()
}

#[cfg(test)]
mod tests;
