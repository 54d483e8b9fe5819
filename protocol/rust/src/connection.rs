//! The connection to a server: typed send and receive over a socket. It is the only code of the
//! client that drives a WebSocket.
//!
//! One task owns the socket. After a break it connects again with growing delays ([`backoff`]) and
//! sends `hello` with its token. Repeats are [`crate::session`]'s: the task knows nothing of
//! intents.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::time::Duration;

use futures::StreamExt;
use noughts_protocol::{
    ClientMessage, DisplayText, JoinPassword, LobbyIntent, PING_ID, PassCode, PlayerName,
    PlayerToken,
};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, timeout};

use crate::address::{Link, ServerAddress};
use crate::session::{ConnectionEvent, End, Remedy};
use backoff::Backoff;
use dial::Socket;
use network::{Network, Tcp};
use wire::{decode, handshake, no_answer, write};

mod backoff;
mod dial;
#[doc(hidden)]
pub mod network;
mod trust;
mod wire;

pub use trust::Trust;

/// Commands that wait for the task: more than a session sends before it is answered. If there are
/// more, they are dropped; the session misses the answers and reconnects.
const COMMAND_QUEUE: usize = 64;

/// Events that wait for the program. If there are more, the task stops reading the socket, and the
/// server sees a slow client.
const EVENT_QUEUE: usize = 256;

/// Other servers that are tried when one does not answer.
const MAX_ELSEWHERE: usize = 16;

/// The reason of a break of which nothing more is known.
#[doc(hidden)]
pub const BROKE: &str = "the connection broke";

/// The pause between two pings, the same as the page's.
const PING: Duration = Duration::from_secs(5);

/// The unanswered pings, on the next of which the connection is dead: a machine without power does not say
/// goodbye. They take longer than the 9 s for which a room of a cluster may be silent.
const MAX_UNANSWERED: u8 = 2;

/// How long the write of a frame may take.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// The server to connect to, and what the player shows it.
#[derive(Debug, Clone)]
pub struct Destination {
    /// The server.
    pub server: ServerAddress,
    /// The name that the player wants.
    pub name: PlayerName,
    /// The token of an earlier welcome.
    pub token: Option<PlayerToken>,
    /// The pass of another device, to be its player. It is shown until the server welcomes that player.
    pub pass: Option<PassCode>,
    /// The server's password.
    pub password: Option<JoinPassword>,
    /// The authorities that may sign the server's certificate.
    pub trust: Trust,
    /// The address of the player's machine, if it is another one than this. The server believes it
    /// from a proxy that it trusts.
    pub forwarded_for: Option<IpAddr>,
}

impl Destination {
    /// A new player without a token, pass or password, with the system's authorities.
    #[must_use]
    pub fn new(server: ServerAddress, name: PlayerName) -> Self {
        Self {
            server,
            name,
            token: None,
            pass: None,
            password: None,
            trust: Trust::default(),
            forwarded_for: None,
        }
    }
}

/// A connection that connects again after a break.
///
/// A message that the program sent before it knew of a break must not reach the next socket before
/// what the program repeats there. So each command carries the number of welcomes that the program
/// had received, and the task drops those of an earlier welcome than its own last one.
#[doc(hidden)]
#[derive(Debug)]
pub struct Connection {
    commands: mpsc::Sender<(u64, TaskCommand)>,
    events: mpsc::Receiver<ConnectionEvent>,
    welcomes: u64,
}

/// A command of the program to the task.
#[derive(Debug)]
enum TaskCommand {
    Send(ClientMessage),
    Reconnect,
    Forget,
}

impl Connection {
    /// Starts to connect. The first event is `Welcome`, `PasswordWanted` or `Ended`.
    #[must_use]
    pub fn open(destination: Destination) -> Self {
        Self::open_over(Tcp, destination)
    }

    /// Starts to connect over any network.
    #[must_use]
    pub fn open_over(network: impl Network, destination: Destination) -> Self {
        let (commands, from_program) = mpsc::channel(COMMAND_QUEUE);
        let (to_program, events) = mpsc::channel(EVENT_QUEUE);
        let home = destination.server.clone();
        let task = ConnectionTask {
            network,
            destination,
            home,
            elsewhere: VecDeque::new(),
            welcomes: 0,
            from_program,
            to_program,
        };
        tokio::spawn(task.run());
        Self { commands, events, welcomes: 0 }
    }

    /// Sends a message, if the connection is still the one of the last received welcome.
    pub fn send(&self, message: ClientMessage) {
        self.command(TaskCommand::Send(message));
    }

    /// Gives up the socket and opens another one.
    pub fn reconnect(&self) {
        self.command(TaskCommand::Reconnect);
    }

    /// Opens another socket without the token, as somebody new.
    pub fn forget(&self) {
        self.command(TaskCommand::Forget);
    }

    fn command(&self, command: TaskCommand) {
        // A task that reads no commands is stuck in a write, which soon breaks the connection.
        let _ = self.commands.try_send((self.welcomes, command));
    }

    /// The next event. It may be cancelled without loss.
    pub async fn receive(&mut self) -> ConnectionEvent {
        let ended = || ConnectionEvent::Ended("the connection has ended".into());
        let event = self.events.recv().await.unwrap_or_else(ended);
        self.welcomes += u64::from(matches!(event, ConnectionEvent::Welcome(_)));
        event
    }

    /// Closes the connection after everything was sent. Waits two seconds at most.
    pub async fn close(self) {
        let Self { commands, mut events, .. } = self;
        drop(commands);
        let drained = async { while events.recv().await.is_some() {} };
        // The server may never answer the close.
        let _ = timeout(Duration::from_secs(2), drained).await;
    }
}

/// Why a socket is not used any more.
enum Disconnect {
    /// The program has dropped the connection.
    ProgramDone,
    /// The server has forgotten the player: the next socket is somebody new's.
    Forgotten,
    /// The socket broke or the server closed it. The task may connect again.
    Broken(DisplayText),
    /// The server does not answer. The task may connect again, to another one first.
    Silent,
    /// No socket could be opened: the reason, and the end if there was no connection before.
    Unreachable(DisplayText, End),
    /// The server wants no further connection.
    Final(End),
    /// The server wants a password, or another one.
    Password(DisplayText),
}

/// The state of the task.
struct ConnectionTask<N> {
    network: N,
    destination: Destination,
    /// The server of the program.
    home: ServerAddress,
    /// The other servers with the same rooms, as the last welcome named them: [`MAX_ELSEWHERE`] at most.
    elsewhere: VecDeque<ServerAddress>,
    /// How many times the server has welcomed the player.
    welcomes: u64,
    from_program: mpsc::Receiver<(u64, TaskCommand)>,
    to_program: mpsc::Sender<ConnectionEvent>,
}

impl<N: Network> ConnectionTask<N> {
    async fn run(mut self) {
        let mut backoff: Option<Backoff> = None;
        loop {
            let end = match self.connect().await {
                Ok(socket) => {
                    let now = Instant::now();
                    backoff.get_or_insert_with(|| Backoff::new(now)).connected(now);
                    self.exchange(socket).await
                }
                Err(end) => end,
            };
            if matches!(end, Disconnect::Silent) {
                self.go_elsewhere();
            }
            let reason = match end {
                Disconnect::ProgramDone => return,
                Disconnect::Forgotten => {
                    self.destination.token = None;
                    continue;
                }
                Disconnect::Password(reason) if backoff.is_none() => {
                    return self.emit(ConnectionEvent::PasswordWanted(reason)).await;
                }
                // If the password was right before, the host has changed it.
                Disconnect::Password(reason) => {
                    return self.emit(ConnectionEvent::Ended(reason.into())).await;
                }
                Disconnect::Final(end) => return self.emit(ConnectionEvent::Ended(end)).await,
                Disconnect::Unreachable(_, end) if backoff.is_none() => {
                    return self.emit(ConnectionEvent::Ended(end)).await;
                }
                Disconnect::Unreachable(reason, _) | Disconnect::Broken(reason) => reason,
                Disconnect::Silent => no_answer(),
            };
            // Without a first connection there is nothing to resume.
            let Some(backoff) = &mut backoff else {
                return self.emit(ConnectionEvent::Ended(reason.into())).await;
            };
            let Some(delay) = backoff.next(Instant::now(), self.network.jitter()) else {
                return self.emit(ConnectionEvent::Ended(gave_up(&reason))).await;
            };
            self.emit(ConnectionEvent::Lost(reason)).await;
            if timeout(delay, program_done(&mut self.from_program)).await.is_ok() {
                return;
            }
        }
    }

    /// Sends an event to the program. If the program is gone, the next read of its commands ends
    /// the task.
    async fn emit(&self, incoming: ConnectionEvent) {
        let _ = self.to_program.send(incoming).await;
    }

    /// Opens a socket and says hello, at the next server if one does not answer.
    async fn connect(&mut self) -> Result<Socket, Disconnect> {
        for _ in 0..self.elsewhere.len() {
            match self.connect_once().await {
                Err(Disconnect::Unreachable(..) | Disconnect::Broken(_)) => self.go_elsewhere(),
                connected => return connected,
            }
        }
        self.connect_once().await
    }

    /// The present server is the last to be tried again.
    fn go_elsewhere(&mut self) {
        if let Some(next) = self.elsewhere.pop_front() {
            self.elsewhere.push_back(std::mem::replace(&mut self.destination.server, next));
        }
    }

    /// Opens a socket and says hello. The program gets the welcome.
    async fn connect_once(&mut self) -> Result<Socket, Disconnect> {
        let (socket, welcome) = tokio::select! {
            biased;
            connected = handshake(&mut self.network, &self.destination) => connected?,
            () = program_done(&mut self.from_program) => return Err(Disconnect::ProgramDone),
        };
        self.destination.token = Some(welcome.token.clone());
        self.destination.pass = None;
        self.elsewhere = others(&self.home, &welcome.server.nodes);
        self.elsewhere.retain(|server| *server != self.destination.server);
        self.welcomes += 1;
        self.emit(ConnectionEvent::Welcome(Box::new(welcome))).await;
        Ok(socket)
    }

    /// Carries messages both ways until the socket ends.
    async fn exchange(&mut self, mut socket: Socket) -> Disconnect {
        let mut ping = tokio::time::interval(PING);
        // After a sleep of this machine one ping is due, and time for its answer.
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let mut unanswered = 0;
        loop {
            // Frames come last, so that a server that never stops sending blocks nothing.
            let result = tokio::select! {
                biased;
                command = self.from_program.recv() => self.command(command, &mut socket).await,
                _ = ping.tick() => {
                    if unanswered == MAX_UNANSWERED {
                        return Disconnect::Silent;
                    }
                    unanswered += 1;
                    let ping = ClientMessage::Lobby { intent: LobbyIntent::Ping, id: PING_ID };
                    write(&mut socket, &ping).await
                }
                frame = socket.next() => {
                    unanswered = 0;
                    self.frame(frame).await
                }
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    /// Handles a command. `None` means that the program is done: closes the socket.
    async fn command(
        &self,
        command: Option<(u64, TaskCommand)>,
        socket: &mut Socket,
    ) -> Result<(), Disconnect> {
        match command {
            Some((welcomes, _)) if welcomes != self.welcomes => Ok(()),
            Some((_, TaskCommand::Send(message))) => write(socket, &message).await,
            Some((_, TaskCommand::Forget)) => Err(Disconnect::Forgotten),
            Some((_, TaskCommand::Reconnect)) => Err(Disconnect::Silent),
            None => {
                // The server may never answer the close.
                let _ = timeout(WRITE_TIME, socket.close(None)).await;
                Err(Disconnect::ProgramDone)
            }
        }
    }

    /// Handles one frame.
    async fn frame(&self, frame: Option<dial::Frame>) -> Result<(), Disconnect> {
        if let Some(message) = decode(frame)? {
            self.emit(ConnectionEvent::Message(Box::new(message))).await;
        }
        Ok(())
    }
}

/// Waits until the program drops the connection. Drops what the program sends: there is no socket
/// for it.
async fn program_done(from_program: &mut mpsc::Receiver<(u64, TaskCommand)>) {
    while from_program.recv().await.is_some() {}
}

fn gave_up(reason: &DisplayText) -> End {
    let reason = format!("the server did not come back ({reason})").into();
    End { reason, remedy: Some(Remedy::Reconnect) }
}

/// The servers with the same rooms: the program's own, and those that it names. A token that was sent
/// encrypted is sent to nobody who could be overheard.
fn others(home: &ServerAddress, named: &[DisplayText]) -> VecDeque<ServerAddress> {
    let named = named.iter().filter_map(|node| Some(node.as_str().parse::<Link>().ok()?.server));
    let safe = named.filter(|server| server.is_secure() || !home.is_secure());
    [home.clone()].into_iter().chain(safe).take(MAX_ELSEWHERE).collect()
}

#[cfg(test)]
mod tests;
