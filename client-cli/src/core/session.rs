//! The player's session with a server: the room they are in, and the intents they may send. It is
//! synchronous and has no I/O and no clock: `now` is an argument. The full screen and plain mode
//! share it.

use std::time::Instant;

use noughts_protocol::{
    ByMark, ClientMessage, CloseReason, Event, IllegalMove, LobbyIntent, PlayerId, Presence,
    Refusal, RefusalCode, Review, RoomCode, RoomIntent, RoomSummary, Seat, ServerMessage, Snapshot,
};

use super::room::Position;
use super::{ConnectionEvent, PresenceChange, RoomView, Welcome};
use crate::ids::IntentIds;

mod intents;
mod resync;

/// The public rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lobby {
    /// Rooms with an open seat.
    pub waiting: Vec<RoomSummary>,
    /// Rooms to watch.
    pub playing: Vec<RoomSummary>,
    /// How many more rooms there are.
    pub more: u32,
}

/// What an event of the connection means for the player.
#[derive(Debug)]
pub enum SessionEvent {
    /// The server has answered. The flag is true for the first time, false after a break.
    Welcome(Box<Welcome>, bool),
    /// The player entered a room.
    Entered,
    /// The room was loaded again, after a break or a gap.
    Refreshed,
    /// Something happened in the room.
    Event {
        /// The event.
        event: Event,
        /// Who had the seats before it.
        before: ByMark<Seat>,
    },
    /// A player went away or came back, or a rematch is offered or not any more.
    Presence(Vec<PresenceChange>),
    /// A hint for the current position came.
    Hint,
    /// A review came.
    Review(Review),
    /// An evaluation of the current position came.
    Evaluation,
    /// The lists of public rooms came.
    Lobby(Lobby),
    /// An intent was refused.
    Refused(ClientMessage, Refusal),
    /// An intent was applied.
    Applied(ClientMessage),
    /// The connection broke; it connects again.
    Lost(String),
    /// The room was closed.
    Closed(CloseReason),
    /// The player could not return to the room after a break.
    RoomLost(String),
    /// The server reports an error that is about no intent.
    ServerError(String),
    /// The connection has ended.
    Ended(String),
}

/// Why an intent is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IntentError {
    /// It is not possible now. The text says when it is.
    #[error("{0}")]
    NotNow(&'static str),
    /// The player has entered no room.
    #[error("you are in no room yet")]
    NoRoom,
    /// The rules forbid the move.
    #[error("{0}")]
    Illegal(IllegalMove),
    /// There is no game yet.
    #[error("the game has not begun: it begins when a player takes the open seat")]
    NoGame,
    /// The player has no seat.
    #[error("you are watching: only players can do this")]
    Watching,
    /// The player has to choose first.
    #[error("choose a side first")]
    ChooseFirst,
    /// The opponent places marks or chooses.
    #[error("your opponent is making the opening: wait for them")]
    OpponentsOpening,
    /// The player has nothing to choose.
    #[error("there is nothing for you to choose now")]
    NothingToChoose,
    /// Two marks were added before.
    #[error("two marks were added already: choose x or o")]
    AlreadyAdded,
    /// The last move or choice is unanswered.
    #[error("your last move or choice is on its way: wait for the server")]
    Unconfirmed,
}

/// The room that the player is entering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entering {
    /// No room.
    Nothing,
    /// A room whose code the server will send.
    Any,
    /// This room.
    Room(RoomCode),
}

impl Entering {
    fn expects(self, room: RoomCode) -> bool {
        match self {
            Self::Nothing => false,
            Self::Any => true,
            Self::Room(code) => code == room,
        }
    }
}

/// A player's session with a server.
#[derive(Debug)]
pub struct Session {
    ids: IntentIds,
    player: Option<PlayerId>,
    room: Option<RoomView>,
    /// The room whose snapshot is awaited.
    entering: Entering,
    /// The number of unanswered intents, `sync` included.
    unanswered: usize,
    syncing: bool,
    /// The position for which the last move or choice was sent that was not refused.
    sent_at: Option<Position>,
    lost_since: Option<Instant>,
}

impl Session {
    /// A session before the welcome.
    #[must_use]
    pub const fn new(ids: IntentIds) -> Self {
        Self {
            ids,
            player: None,
            room: None,
            entering: Entering::Nothing,
            unanswered: 0,
            syncing: false,
            sent_at: None,
            lost_since: None,
        }
    }

    /// The room that the player is in.
    #[must_use]
    pub const fn room(&self) -> Option<&RoomView> {
        self.room.as_ref()
    }

    /// Whether every intent is answered.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.unanswered == 0
    }

    /// When the connection broke, if it is broken.
    #[must_use]
    pub const fn lost_since(&self) -> Option<Instant> {
        self.lost_since
    }

    /// The source of intent ids.
    #[must_use]
    pub const fn ids(&self) -> &IntentIds {
        &self.ids
    }

    /// Handles an event. Returns what it means and the intent to send.
    pub fn receive(
        &mut self,
        incoming: ConnectionEvent,
        now: Instant,
    ) -> (Option<SessionEvent>, Option<ClientMessage>) {
        let session_event = match incoming {
            ConnectionEvent::Message(ServerMessage::Event { room, v, event }) => {
                return self.event(room, v, event, now);
            }
            ConnectionEvent::Message(ServerMessage::Pong { room, v, presence, .. }) => {
                return self.pong((room, v), presence, now);
            }
            ConnectionEvent::Message(message) => self.message(message, now),
            ConnectionEvent::Answered { intent, answer } => Some(self.answered(intent, answer)),
            ConnectionEvent::Welcome(welcome) => {
                let again = self.player.replace(welcome.player).is_some();
                self.lost_since = None;
                Some(SessionEvent::Welcome(welcome, !again))
            }
            ConnectionEvent::Lost(reason) => {
                self.lost_since.get_or_insert(now);
                Some(SessionEvent::Lost(reason.to_string()))
            }
            ConnectionEvent::RoomLost { room, refusal } => {
                self.view_of(room).is_some().then(|| {
                    self.forget_room();
                    SessionEvent::RoomLost(match refusal.code {
                        RefusalCode::NoSuchRoom => format!(
                            "room {room} has ended while you were away, or the server was restarted"
                        ),
                        _ => refusal.to_string(),
                    })
                })
            }
            ConnectionEvent::PasswordWanted(reason) | ConnectionEvent::Ended(reason) => {
                Some(SessionEvent::Ended(reason.to_string()))
            }
        };
        (session_event, None)
    }

    fn answered(
        &mut self,
        intent: ClientMessage,
        answer: Result<Option<RoomCode>, Refusal>,
    ) -> SessionEvent {
        match answer {
            Ok(room) => {
                self.unanswered = self.unanswered.saturating_sub(1);
                if let (Some(room), Entering::Any) = (room, self.entering) {
                    self.entering = Entering::Room(room);
                }
                if matches!(intent, ClientMessage::Lobby { intent: LobbyIntent::CancelMatch, .. }) {
                    self.entering = Entering::Nothing;
                }
                SessionEvent::Applied(intent)
            }
            Err(refusal) => {
                self.not_sent(&intent);
                SessionEvent::Refused(intent, refusal)
            }
        }
    }

    fn message(&mut self, message: ServerMessage, now: Instant) -> Option<SessionEvent> {
        match message {
            ServerMessage::Snapshot(snapshot) => self.snapshot(&snapshot, now),
            ServerMessage::Presence { room, presence } => self.presence(room, presence, now),
            ServerMessage::Hint(hint) => self.view_of(hint.room).and_then(|view| {
                view.hint = Some(hint);
                view.hint().map(|_| SessionEvent::Hint)
            }),
            ServerMessage::Review(review) => {
                self.view_of(review.room).map(|_| SessionEvent::Review(review))
            }
            ServerMessage::Evaluation(evaluation) => {
                self.view_of(evaluation.room).and_then(|view| {
                    view.evaluation = Some(evaluation);
                    view.evaluation().map(|_| SessionEvent::Evaluation)
                })
            }
            ServerMessage::Lobby { waiting, playing, more } => {
                Some(SessionEvent::Lobby(Lobby { waiting, playing, more }))
            }
            // A repeated greeting does not concern the player.
            ServerMessage::Refused { code: RefusalCode::AlreadyGreeted, .. } => None,
            ServerMessage::Refused { message, .. } => {
                Some(SessionEvent::ServerError(message.to_string()))
            }
            // Answers come as `ConnectionEvent::Answered`, the welcome as
            // `ConnectionEvent::Welcome`. A terminal never asks for a pass.
            _ => None,
        }
    }

    /// Takes in a snapshot, if it is of this room or of the room that the player is entering.
    fn snapshot(&mut self, snapshot: &Snapshot, now: Instant) -> Option<SessionEvent> {
        let current = self.room.as_ref().is_some_and(|view| view.state.code == snapshot.room);
        let awaited = self.entering.expects(snapshot.room);
        if !current && !awaited {
            return None;
        }
        let Ok(mut view) = RoomView::new(snapshot, self.player, now) else {
            let problem = "the server sent a game that breaks the rules";
            return Some(SessionEvent::ServerError(problem.to_owned()));
        };
        if awaited {
            self.entering = Entering::Nothing;
            self.sent_at = None;
        }
        self.syncing = false;
        if let Some(old) = self.room.take().filter(|_| current) {
            (view.hint, view.evaluation) = (old.hint, old.evaluation);
        }
        self.room = Some(view);
        Some(if current { SessionEvent::Refreshed } else { SessionEvent::Entered })
    }

    /// The room that the player is in, if it is this one.
    fn view_of(&mut self, room: RoomCode) -> Option<&mut RoomView> {
        self.room.as_mut().filter(|view| view.state.code == room)
    }

    fn event(
        &mut self,
        room: RoomCode,
        v: u64,
        event: Event,
        now: Instant,
    ) -> (Option<SessionEvent>, Option<ClientMessage>) {
        let Some(view) = self.view_of(room) else { return (None, None) };
        let Ok(before) = view.apply(v, &event, now) else {
            // An event that a snapshot overtook needs no repair.
            let known = v <= view.state.v;
            return (None, if known { None } else { self.sync() });
        };
        if let Event::Closed { reason } = &event {
            let reason = *reason;
            self.forget_room();
            return (Some(SessionEvent::Closed(reason)), None);
        }
        (Some(SessionEvent::Event { event, before }), None)
    }

    /// Takes over what passes in the room.
    fn presence(
        &mut self,
        room: RoomCode,
        presence: Presence,
        now: Instant,
    ) -> Option<SessionEvent> {
        let view = self.view_of(room)?;
        let changes = view.take_presence(presence, now);
        (!changes.is_empty()).then_some(SessionEvent::Presence(changes))
    }

    fn forget_room(&mut self) {
        self.room = None;
        self.syncing = false;
        self.sent_at = None;
    }

    /// Reports that an intent has no effect: the connection could not take it, or the server refused
    /// it.
    pub fn not_sent(&mut self, intent: &ClientMessage) {
        self.unanswered = self.unanswered.saturating_sub(1);
        match intent {
            ClientMessage::Room {
                intent: RoomIntent::Play { .. } | RoomIntent::Choose { .. },
                ..
            } => self.sent_at = None,
            ClientMessage::Room { intent: RoomIntent::Sync, .. } => self.syncing = false,
            ClientMessage::Lobby {
                intent:
                    LobbyIntent::Create { .. }
                    | LobbyIntent::Join { .. }
                    | LobbyIntent::QuickMatch { .. },
                ..
            } => self.entering = Entering::Nothing,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
