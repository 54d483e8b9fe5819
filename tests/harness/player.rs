//! A typed player: it sends intents and keeps a model of its room. It fails the test if an answer comes
//! twice, an event is missing, or an event breaks the rules.

mod accessors;
mod actions;
mod guest;
mod party;

use std::collections::HashMap;
use std::fmt::Debug;
use std::time::Duration;

use futures::SinkExt;
use futures::stream::{SplitSink, StreamExt};
use noughts_protocol::{
    AnnouncementText, ChatLine, ClientMessage, Evaluation, Features, Found, Hello, Hint, IntentId,
    LobbyIntent, MAX_SERVER_FRAME, PROTOCOL_VERSION, PartyEvent, PassCode, PlayerId, PlayerToken,
    Presence, RefusalCode, Review, RoomCode, RoomIntent, RoomState, RoomSummary, ServerMessage,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_util::task::AbortOnDropHandle;

use crate::history::Played;
pub use actions::{listed, play_again, play_out, play_to_the_end, quick};
pub use party::PartyView;

/// Messages that may wait for the test. Beyond that, the reading task waits.
const UNREAD: usize = 4096;

/// A bit of every intent's id, so that all ids are as long: a simulation counts the bytes of messages.
const FIRST_ID: u64 = 1 << 52;

/// A byte stream of either kind of server.
pub trait Io: AsyncRead + AsyncWrite + Unpin + Send + Debug {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + Debug> Io for T {}

/// The answer to an intent.
pub type Answer = Result<Option<RoomCode>, RefusalCode>;

/// A connection of a player.
#[derive(Debug)]
pub struct Player {
    sink: SplitSink<WebSocketStream<Box<dyn Io>>, Message>,
    inbox: mpsc::Receiver<Received>,
    /// Reads the connection; it ends with the player.
    _reader: AbortOnDropHandle<()>,
    limit: Duration,
    /// The next intent's id.
    next_id: IntentId,
    answers: HashMap<IntentId, Answer>,
    /// The player's id, as the server says.
    pub id: PlayerId,
    /// The token that proves the id.
    pub token: PlayerToken,
    /// The room as seen so far.
    pub room: Option<RoomState>,
    /// The presence of the room, as last told.
    pub presence: Presence,
    /// The time for the move in the last snapshot.
    pub move_ms_left: Option<u32>,
    /// The lobby's lists as last seen: waiting, playing.
    pub lobby: Option<(Vec<RoomSummary>, Vec<RoomSummary>)>,
    /// The announcements so far.
    pub announcements: Vec<AnnouncementText>,
    /// The rooms into which others have asked the player.
    pub challenges: Vec<RoomCode>,
    /// Those who said "not now".
    pub declined: Vec<PlayerId>,
    /// The features as they were switched last.
    pub features: Option<Features>,
    /// All hints so far.
    pub hints: Vec<Hint>,
    /// All reviews so far.
    pub reviews: Vec<Review>,
    /// All evaluations so far.
    pub evaluations: Vec<Evaluation>,
    /// All that people said so far.
    pub chat: Vec<ChatLine>,
    /// The muted players, as they were told last.
    pub muted: Option<Vec<PlayerId>>,
    /// All that was found so far.
    pub found: Vec<Found>,
    /// The party that the connection follows.
    pub party: Option<PartyView>,
    /// The facts of parties that were told as such, with their versions.
    pub party_facts: Vec<(u64, PartyEvent)>,
    /// The messages that brought them.
    pub party_messages: usize,
    /// The moves that a guest of a party made and got `ok` for, with their rooms.
    pub played: Vec<(RoomCode, Played)>,
    /// The last pass, and the milliseconds until it expires.
    pub pass: Option<(PassCode, u32)>,
    /// The last pong's version and presence.
    pub pong: Option<(u64, Presence)>,
    /// The last refusal's message for people.
    pub refusal_text: String,
    /// The close code, once closed; 1006 if there was no close frame.
    pub closed: Option<u16>,
}

#[derive(Debug)]
enum Received {
    Message(Box<ServerMessage>),
    Closed(u16),
}

/// Opens a WebSocket on a stream.
///
/// # Errors
/// If the server answers with anything but an upgrade.
pub async fn open(
    stream: Box<dyn Io>,
) -> tokio_tungstenite::tungstenite::Result<WebSocketStream<Box<dyn Io>>> {
    let config =
        WebSocketConfig::default().read_buffer_size(4096).max_message_size(Some(MAX_SERVER_FRAME));
    let opened =
        tokio_tungstenite::client_async_with_config("ws://server/ws", stream, Some(config));
    opened.await.map(|(socket, _)| socket)
}

impl Player {
    /// Sends hello and waits for the welcome.
    ///
    /// # Panics
    /// If there is none.
    pub async fn greet(
        stream: Box<dyn Io>,
        name: &str,
        token: Option<PlayerToken>,
        limit: Duration,
    ) -> Self {
        Self::try_greet(stream, name, token, limit).await.unwrap()
    }

    /// The same; the text says what came instead of the welcome.
    ///
    /// # Errors
    /// If there is none.
    ///
    /// # Panics
    /// If it is no name.
    pub async fn try_greet(
        stream: Box<dyn Io>,
        name: &str,
        token: Option<PlayerToken>,
        limit: Duration,
    ) -> Result<Self, String> {
        let name = name.parse().unwrap();
        let hello = Hello { protocol: PROTOCOL_VERSION, name, token, pass: None, password: None };
        Self::try_hello(stream, &ClientMessage::Hello(hello), limit).await
    }

    /// Sends this hello and waits for the welcome.
    ///
    /// # Errors
    /// If there is no welcome; the text says what came instead.
    pub async fn try_hello(
        stream: Box<dyn Io>,
        hello: &ClientMessage,
        limit: Duration,
    ) -> Result<Self, String> {
        let opened = timeout(limit, open(stream)).await.map_err(|_| "no answer in time")?;
        let (mut sink, mut stream) = opened.map_err(|error| error.to_string())?.split();
        let (sender, mut inbox) = mpsc::channel(UNREAD);
        let reader = tokio::spawn(async move {
            // Reading answers the server's pings, as every client must.
            let mut code = 1006;
            let code = loop {
                match stream.next().await {
                    Some(Ok(Message::Text(text))) => {
                        let message = Box::new(serde_json::from_str(&text).unwrap());
                        if sender.send(Received::Message(message)).await.is_err() {
                            break 1000;
                        }
                    }
                    // The next read answers it.
                    Some(Ok(Message::Close(frame))) => {
                        code = frame.map_or(1005, |frame| frame.code.into());
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => break code,
                }
            };
            // The player may be gone.
            drop(sender.send(Received::Closed(code)).await);
        });
        let reader = AbortOnDropHandle::new(reader);
        let hello = Message::text(serde_json::to_string(hello).unwrap());
        sink.send(hello).await.map_err(|error| error.to_string())?;
        let first = timeout(limit, inbox.recv()).await.map_err(|_| "no welcome in time")?;
        let Some(Received::Message(welcome)) = first else {
            return Err(format!("no welcome: {first:?}"));
        };
        let ServerMessage::Welcome { player: id, token, .. } = *welcome else {
            return Err(format!("no welcome: {welcome:?}"));
        };
        Ok(Self {
            sink,
            inbox,
            _reader: reader,
            limit,
            next_id: (FIRST_ID | (id.0 & IntentId::MAX)).try_into().unwrap(),
            answers: HashMap::new(),
            id,
            token,
            room: None,
            presence: Presence::default(),
            move_ms_left: None,
            lobby: None,
            announcements: Vec::new(),
            challenges: Vec::new(),
            declined: Vec::new(),
            features: None,
            hints: Vec::new(),
            reviews: Vec::new(),
            evaluations: Vec::new(),
            chat: Vec::new(),
            muted: None,
            found: Vec::new(),
            party: None,
            party_facts: Vec::new(),
            party_messages: 0,
            played: Vec::new(),
            pong: None,
            pass: None,
            refusal_text: String::new(),
            closed: None,
        })
    }

    /// A new intent id.
    pub fn new_id(&mut self) -> IntentId {
        self.next_id = self.next_id.next();
        self.next_id
    }

    /// Sends a message without waiting for its answer.
    ///
    /// # Panics
    /// If the connection is gone.
    pub async fn send(&mut self, message: &ClientMessage) {
        self.send_text(&serde_json::to_string(message).unwrap()).await;
    }

    /// Sends any text.
    ///
    /// # Panics
    /// If the connection is gone.
    pub async fn send_text(&mut self, text: &str) {
        self.sink.send(Message::text(text)).await.unwrap();
    }

    /// Sends any frame.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn send_frame(
        &mut self,
        message: Message,
    ) -> Result<(), tokio_tungstenite::tungstenite::Error> {
        self.sink.send(message).await
    }

    /// Sends an intent and waits for its answer.
    ///
    /// # Panics
    /// If no answer comes.
    pub async fn ask(&mut self, message: ClientMessage) -> Answer {
        let id = message.id().unwrap();
        self.send(&message).await;
        self.answer_to(id).await
    }

    /// Waits for the answer to an intent.
    ///
    /// # Panics
    /// If no answer comes.
    pub async fn answer_to(&mut self, id: IntentId) -> Answer {
        self.until("an answer", |player| player.answers.contains_key(&id)).await;
        self.answers.remove(&id).unwrap()
    }

    /// Sends an intent for the room and waits for its answer.
    pub async fn ask_room(&mut self, intent: RoomIntent) -> Answer {
        let message = self.room_message(intent);
        self.ask(message).await
    }

    /// Sends an intent for the lobby and waits for its answer.
    pub async fn ask_lobby(&mut self, intent: LobbyIntent) -> Answer {
        let id = self.new_id();
        self.ask(ClientMessage::Lobby { intent, id }).await
    }

    /// The message of an intent for the room.
    pub fn room_message(&mut self, intent: RoomIntent) -> ClientMessage {
        ClientMessage::Room { intent, id: self.new_id(), room: self.state().code }
    }

    /// Receives all messages that the server has sent so far: the answer to a ping comes after them. An
    /// event that has not arrived then has not happened.
    ///
    /// # Panics
    /// If no answer comes, or the room is not at the version that the server says.
    pub async fn settle(&mut self) {
        self.ask_lobby(LobbyIntent::Ping).await.unwrap();
        if let Some(room) = &self.room {
            let v = self.pong.map(|(v, _)| v);
            assert_eq!(v, Some(room.v), "{}: the room's version", self.id);
        }
    }

    /// Receives messages until a condition holds.
    ///
    /// # Panics
    /// If it does not come to hold.
    pub async fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let held = self.try_until(holds).await;
        assert!(held, "{}: waited for {what}, in {:#?}", self.id, self.room);
    }

    /// Receives messages until the connection is closed; returns the close code.
    pub async fn until_closed(&mut self) -> u16 {
        self.until("the end", |player| player.closed.is_some()).await;
        self.closed.unwrap()
    }

    /// Receives one message; `false` if none comes in time or the connection is closed.
    async fn step(&mut self) -> bool {
        if self.closed.is_some() {
            return false;
        }
        match timeout(self.limit, self.inbox.recv()).await {
            Ok(Some(Received::Message(message))) => self.take(*message),
            Ok(Some(Received::Closed(code))) => self.closed = Some(code),
            Ok(None) | Err(_) => return false,
        }
        true
    }

    fn take(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Welcome { .. } => panic!("a second welcome"),
            ServerMessage::Ok { id, room, .. } => self.answered(id, Ok(room)),
            ServerMessage::Refused { id, code, message } => {
                self.refusal_text = message.to_string();
                self.answered(id.unwrap_or_default(), Err(code));
            }
            ServerMessage::Snapshot(snapshot) => {
                self.room = Some(RoomState::from_snapshot(&snapshot).unwrap());
                self.presence = snapshot.presence;
                self.move_ms_left = snapshot.move_ms_left;
            }
            ServerMessage::Event { room, v, event } => {
                if let Some(state) = self.room.as_mut().filter(|state| state.code == room) {
                    state.apply(v, &event).unwrap();
                }
            }
            ServerMessage::Presence { room, presence } => {
                if let Some(state) = self.room.as_ref().filter(|state| state.code == room) {
                    assert!(!state.closed, "nothing comes after `closed`");
                    self.presence = presence;
                }
            }
            ServerMessage::Announcement { text, .. } => self.announcements.push(text),
            ServerMessage::Challenged { room, .. } => self.challenges.push(room),
            ServerMessage::Declined { player, .. } => self.declined.push(player),
            ServerMessage::Features { features } => self.features = Some(features),
            ServerMessage::Hint(hint) => self.hints.push(hint),
            ServerMessage::Review(review) => self.reviews.push(review),
            ServerMessage::Evaluation(evaluation) => self.evaluations.push(evaluation),
            ServerMessage::Lobby { waiting, playing, .. } => self.lobby = Some((waiting, playing)),
            ServerMessage::Pass { code, expires_in_ms }
            | ServerMessage::PlacePass { code, expires_in_ms, .. } => {
                self.pass = Some((code, expires_in_ms));
            }
            ServerMessage::Chat { lines, muted, .. } => {
                self.chat.extend(lines);
                self.muted = muted.or_else(|| self.muted.take());
            }
            ServerMessage::Found { id, found } => {
                self.found.push(found);
                self.answered(id, Ok(None));
            }
            told @ (ServerMessage::Party(_)
            | ServerMessage::PartyEvents { .. }
            | ServerMessage::PartyPresence { .. }
            | ServerMessage::Boards { .. }) => self.take_party(told).unwrap(),
            ServerMessage::Pong { id, v, presence, .. } => {
                self.pong = v.zip(presence);
                self.answered(id, Ok(None));
            }
        }
    }

    fn answered(&mut self, id: IntentId, answer: Answer) {
        let earlier = self.answers.insert(id, answer);
        assert_eq!(earlier, None, "intent {id:?} was answered twice");
    }
}
