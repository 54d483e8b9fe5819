//! A server with a store of its own, and people whose sessions ask it without a socket, in virtual time.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use noughts_protocol::party::versions;
use noughts_protocol::{
    Cell, ClientMessage, CloseCode, Found, LobbyIntent, Mark, OpeningChoice, OpeningPhase,
    PartyIntent, PartyState, PassCode, PlayerId, RefusalCode, RoomCode, RoomIntent, RoomSettings,
    RoomState, ServerMessage,
};
use noughts_store::Workers;
use tokio::time::{Instant, timeout};

use crate::actor::Client;
use crate::config::Config;
use crate::config::args::Args;
use crate::connection::session::{Notification, Session};
use crate::outbox::{OutboxReader, outbox};
use crate::state::Shared;
use crate::storage::Environment;

/// The longest wait for something that comes at once.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long housekeeping goes on: it ends some rooms, and removes some names, every few seconds.
const HOUSEKEEPING: Duration = Duration::from_secs(600);

/// A server.
pub(super) struct World {
    pub(super) shared: Arc<Shared>,
    pub(super) folder: tempfile::TempDir,
}

impl World {
    pub(super) fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let args = ["noughts-server", "--data-dir", path, "--durability", "process"];
        let config = Config::try_from(&Args::parse_from(args)).unwrap();
        let environment = Environment { workers: Workers::Tasks, ..Environment::REAL };
        let shared = Shared::new(config, environment, |store| Arc::new(store)).unwrap();
        Self { shared: Arc::new(shared), folder }
    }

    pub(super) fn person(&self, name: &str) -> Person {
        let player = self.shared.secret.issue().0;
        let (session, outgoing) = connect(&self.shared, player, name);
        Person {
            session,
            outgoing,
            player,
            intents: 0,
            answer: None,
            room: None,
            asks_back: None,
            party: None,
            pass: None,
            found: None,
            challenged: None,
            is_declined: false,
        }
    }

    /// Lets time pass, and then the housekeeping of ten minutes.
    pub(super) async fn wait(&self, time: Duration) {
        drop(timeout(time, std::future::pending::<()>()).await);
        let shared = &self.shared;
        let housekeeping = shared.lobby.run_housekeeping(shared.config.keep_games, |_| {});
        drop(timeout(HOUSEKEEPING, housekeeping).await);
    }
}

fn connect(shared: &Arc<Shared>, player: PlayerId, name: &str) -> (Session, OutboxReader) {
    connect_by(Session::new, shared, player, name)
}

/// A session of somebody, and what it is told.
pub(super) fn connect_by(
    session: fn(Arc<Shared>, IpAddr, Client) -> Session,
    shared: &Arc<Shared>,
    player: PlayerId,
    name: &str,
) -> (Session, OutboxReader) {
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let (outbox, outgoing) = outbox(shared.next_connection(), address, Arc::clone(&shared.metrics));
    let client = Client { player, name: name.parse().unwrap(), outbox };
    (session(Arc::clone(shared), address, client), outgoing)
}

/// A connection of somebody, and what it was told.
pub(super) struct Person {
    session: Session,
    outgoing: OutboxReader,
    pub(super) player: PlayerId,
    intents: u64,
    /// The last answer, which nobody has taken.
    pub(super) answer: Option<Result<(), RefusalCode>>,
    pub(super) room: Option<RoomState>,
    /// The mark whose player asks to take back a move, as it was told last.
    pub(super) asks_back: Option<Mark>,
    pub(super) party: Option<PartyState>,
    pub(super) pass: Option<PassCode>,
    pub(super) found: Option<Found>,
    /// The room into which somebody has asked them last, and how it is played.
    pub(super) challenged: Option<(RoomCode, RoomSettings)>,
    /// Whether somebody has said "not now" to them.
    pub(super) is_declined: bool,
}

impl Person {
    /// Comes back with another connection, under a name.
    pub(super) fn reconnect(&mut self, world: &World, name: &str) {
        (self.session, self.outgoing) = connect(&world.shared, self.player, name);
        (self.room, self.party) = (None, None);
    }

    pub(super) async fn lobby(&mut self, intent: LobbyIntent) -> Result<(), RefusalCode> {
        let id = self.next_intent().try_into().unwrap();
        self.ask(ClientMessage::Lobby { intent, id }).await
    }

    pub(super) async fn party(&mut self, intent: PartyIntent) -> Result<(), RefusalCode> {
        let party = self.party.as_ref().unwrap().code;
        let id = self.next_intent().try_into().unwrap();
        self.ask(ClientMessage::Party { intent, id, party }).await
    }

    pub(super) async fn in_room(&mut self, intent: RoomIntent) -> Result<(), RefusalCode> {
        let room = self.code();
        let id = self.next_intent().try_into().unwrap();
        self.ask(ClientMessage::Room { intent, id, room }).await
    }

    fn next_intent(&mut self) -> u64 {
        self.intents += 1;
        self.intents
    }

    async fn ask(&mut self, message: ClientMessage) -> Result<(), RefusalCode> {
        self.answer = None;
        self.session.handle(message, Instant::now()).await;
        self.until("an answer", |person| person.answer.is_some()).await;
        self.answer.take().unwrap()
    }

    /// The next thing that its session is told of, which has not been dealt with.
    pub(super) async fn notification(&mut self) -> Notification {
        self.session.next_notification().await
    }

    pub(super) async fn take(&mut self, notification: Notification) {
        self.session.handle_notification(notification).await;
    }

    /// Why its connection ends.
    pub(super) async fn end(&mut self) -> CloseCode {
        let reading = async {
            let mut frames = Vec::new();
            loop {
                if let Err(code) = self.outgoing.next(&mut frames).await {
                    return code;
                }
            }
        };
        timeout(PATIENCE, reading).await.unwrap()
    }

    /// The code of the room that it is in.
    pub(super) fn code(&self) -> RoomCode {
        self.room.as_ref().unwrap().code
    }

    /// Reads until something is so.
    pub(super) async fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let reading = async {
            let mut frames = Vec::new();
            while !is_so(&*self) {
                let notification = tokio::select! {
                    biased;
                    closed = self.outgoing.next(&mut frames) => {
                        if let Err(code) = closed {
                            frames = self.outgoing.take();
                            assert!(!frames.is_empty(), "closed: {code:?}");
                        }
                        None
                    }
                    notification = self.session.next_notification() => Some(notification),
                };
                if let Some(notification) = notification {
                    self.session.handle_notification(notification).await;
                }
                for frame in frames.drain(..) {
                    self.note(serde_json::from_str(&frame.to_text()).unwrap());
                }
            }
        };
        assert!(timeout(PATIENCE, reading).await.is_ok(), "{what} does not come");
    }

    fn note(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Ok { .. } => self.answer = Some(Ok(())),
            ServerMessage::Refused { code, .. } => self.answer = Some(Err(code)),
            ServerMessage::Snapshot(snapshot) => {
                self.room = Some(RoomState::from_snapshot(&snapshot).unwrap());
            }
            ServerMessage::Event { room, v, event } => {
                let known = self.room.as_mut().filter(|known| known.code == room);
                known.and_then(|known| known.apply(v, &event).ok());
            }
            ServerMessage::Presence { presence, .. } => self.asks_back = presence.take_back,
            ServerMessage::Party(snapshot) => {
                self.party = Some(PartyState::from_snapshot(snapshot).unwrap());
            }
            ServerMessage::PartyEvents { v, events, .. } => {
                let versions = versions(v, &events);
                for (v, event) in versions.zip(&events) {
                    self.party.as_mut().and_then(|party| party.apply(v, event).ok());
                }
            }
            ServerMessage::Pass { code, .. } => self.pass = Some(code),
            ServerMessage::Challenged { room, settings, .. } => {
                self.challenged = Some((room, settings));
            }
            ServerMessage::Declined { .. } => self.is_declined = true,
            ServerMessage::Found { found, .. } => {
                self.answer = Some(Ok(()));
                self.found = Some(found);
            }
            _ => {}
        }
    }

    /// The version of the party that a `pong` would tell.
    pub(super) fn party_version(&self) -> Option<u64> {
        self.session.party_version()
    }

    fn is_its_turn(&self) -> bool {
        let room = self.room.as_ref().unwrap();
        room.turn().is_some_and(|mark| room.seats[mark].player() == Some(self.player))
    }

    fn v(&self) -> u64 {
        self.room.as_ref().map_or(0, |room| room.v)
    }
}

/// Somebody plays a game of their room, with somebody else or on both sides, until it has so many
/// marks or is over: on the cells in their order. A player who chooses in an opening takes the next
/// of `choices`.
pub(super) async fn play(
    one: &mut Person,
    mut other: Option<&mut Person>,
    marks: u16,
    choices: &[OpeningChoice],
) {
    let mut choices = choices.iter();
    one.until("the game", |person| person.room.as_ref().is_some_and(RoomState::is_running)).await;
    while let Some(running) = one.room.as_ref().and_then(RoomState::running) {
        let game = running.number;
        let ply = running.game.ply();
        if ply >= marks {
            return;
        }
        let intent = match running.opening {
            Some(OpeningPhase::Choosing { .. }) => {
                RoomIntent::Choose { game, choice: *choices.next().unwrap() }
            }
            _ => RoomIntent::Play { game, ply, cell: Cell(ply), placed: None },
        };
        let v = one.v();
        let is_next = |person: &Person| person.v() > v;
        match &mut other {
            Some(other) if !one.is_its_turn() => {
                other.until("the same", |person| person.v() == v).await;
                other.in_room(intent).await.unwrap();
            }
            _ => one.in_room(intent).await.unwrap(),
        }
        one.until("the move", is_next).await;
        if let Some(other) = &mut other {
            other.until("the move", is_next).await;
        }
    }
}
