//! What the player knows and wants, between the connection and the screen: the room they are in,
//! and the intents they may send. Synchronous, without I/O or a clock (`now` is an argument);
//! the full screen and the lines of `--plain` share it.

use std::time::Instant;

use noughts_protocol::{
    ClientMessage, Event, IllegalMove, OpeningPhase, PlayerId, Refusal, RefusalCode, Review,
    RoomCode, RoomSummary, Seat, ServerMessage,
};

pub use self::room::RoomView;
use crate::connection::{Incoming, Welcome};
use crate::ids::IntentIds;

mod intents;
mod opening;
mod resync;
mod room;

/// The lobby's lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lobby {
    /// Rooms with an open seat.
    pub waiting: Vec<RoomSummary>,
    /// Rooms to watch.
    pub playing: Vec<RoomSummary>,
    /// How many more there are.
    pub more: u32,
}

/// What happened, for the screen to show.
#[derive(Debug)]
pub enum Notice {
    /// The server is there; `false` when it is there again.
    Welcome(Box<Welcome>, bool),
    /// The player is in a room they were not in before.
    Entered,
    /// The room is shown anew, after a break or a gap.
    Refreshed,
    /// Something happened in the room; `before` is the seat's former occupant, for a seat.
    Event {
        /// What.
        event: Event,
        /// Who sat on the seat that the event is about.
        before: Option<Seat>,
    },
    /// The room has a hint for the position on the board.
    Hint,
    /// A game was reviewed.
    Review(Review),
    /// The room knows how the position on the board stands.
    Evaluation,
    /// The lobby changed.
    Lobby(Lobby),
    /// An intent was refused.
    Refused(ClientMessage, Refusal),
    /// An intent was applied.
    Applied(ClientMessage),
    /// The connection broke and is being made again.
    Lost(String),
    /// The room has ended, as rooms do.
    Closed(String),
    /// After a break the server would not let the player back in.
    RoomLost(String),
    /// The server said something about no intent in particular.
    Remark(String),
    /// There is no connection any more.
    Ended(String),
}

/// Why a move is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// The rules are against it.
    #[error("{0}")]
    Illegal(IllegalMove),
    /// There is no game yet.
    #[error("the game has not begun: it does when somebody takes the open seat")]
    NoGame,
    /// The player has no seat.
    #[error("you are watching: only those who have a seat can do this")]
    Watching,
    /// A choice is due in place of a mark.
    #[error("choose a side first")]
    ChooseFirst,
    /// The opponent places or chooses.
    #[error("your opponent is at work on the opening: wait for them")]
    OpponentOpens,
    /// No choice is due, or not the player's.
    #[error("there is nothing for you to choose now")]
    NothingToChoose,
    /// Only a side can be chosen.
    #[error("two marks were added already: choose x or o")]
    AddedAlready,
    /// The last move or choice is unanswered.
    #[error("what you did last is on its way: wait for the server")]
    OnItsWay,
}

/// Which room is to be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entering {
    /// None.
    Nothing,
    /// One whose code the server will say.
    Any,
    /// This one.
    Room(RoomCode),
}

impl Entering {
    fn awaits(self, room: RoomCode) -> bool {
        match self {
            Self::Nothing => false,
            Self::Any => true,
            Self::Room(code) => code == room,
        }
    }
}

/// What one player has with one server.
#[derive(Debug)]
pub struct Session {
    ids: IntentIds,
    player: Option<PlayerId>,
    room: Option<RoomView>,
    /// The room whose snapshot is on its way.
    entering: Entering,
    /// Intents without an answer; `sync` is one of them.
    unanswered: usize,
    syncing: bool,
    /// The game and ply of the last move that was sent and not refused.
    sent: Option<(u32, u16)>,
    /// The game and phase of the last choice that was sent and not refused.
    chose: Option<(u32, Option<OpeningPhase>)>,
    lost: Option<Instant>,
}

impl Session {
    /// A session that has not begun.
    #[must_use]
    pub const fn new(ids: IntentIds) -> Self {
        Self {
            ids,
            player: None,
            room: None,
            entering: Entering::Nothing,
            unanswered: 0,
            syncing: false,
            sent: None,
            chose: None,
            lost: None,
        }
    }

    /// The room the player is in.
    #[must_use]
    pub const fn room(&self) -> Option<&RoomView> {
        self.room.as_ref()
    }

    /// Whether every intent is answered.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.unanswered == 0
    }

    /// Since when the connection is broken.
    #[must_use]
    pub const fn lost_since(&self) -> Option<Instant> {
        self.lost
    }

    /// The source of ids.
    #[must_use]
    pub const fn ids(&self) -> &IntentIds {
        &self.ids
    }

    /// Takes in what came, and gives what to show and what to send because of it.
    pub fn receive(
        &mut self,
        incoming: Incoming,
        now: Instant,
    ) -> (Option<Notice>, Option<ClientMessage>) {
        let notice = match incoming {
            Incoming::Welcome(welcome) => {
                let again = self.player.replace(welcome.player).is_some();
                self.lost = None;
                Notice::Welcome(welcome, !again)
            }
            Incoming::Answered { intent, answer } => self.answered(intent, answer),
            Incoming::Message(message) => return self.message(message, now),
            Incoming::Lost(reason) => {
                self.lost.get_or_insert(now);
                Notice::Lost(reason.to_string())
            }
            Incoming::RoomLost { room, refusal } => {
                if self.room.as_ref().is_none_or(|view| view.state.code != room) {
                    return (None, None);
                }
                self.forget_room();
                Notice::RoomLost(match refusal.code {
                    RefusalCode::NoSuchRoom => format!(
                        "room {room} has ended while you were away, or the server was started anew"
                    ),
                    _ => refusal.to_string(),
                })
            }
            Incoming::PasswordWanted(reason) | Incoming::Ended(reason) => {
                Notice::Ended(reason.to_string())
            }
        };
        (Some(notice), None)
    }

    fn answered(
        &mut self,
        intent: ClientMessage,
        answer: Result<Option<RoomCode>, Refusal>,
    ) -> Notice {
        self.unanswered = self.unanswered.saturating_sub(1);
        match answer {
            Ok(room) => {
                if let (Some(room), Entering::Any) = (room, self.entering) {
                    self.entering = Entering::Room(room);
                }
                if matches!(intent, ClientMessage::CancelMatch { .. }) {
                    self.entering = Entering::Nothing;
                }
                Notice::Applied(intent)
            }
            Err(refusal) => {
                match &intent {
                    ClientMessage::Play { .. } => self.sent = None,
                    ClientMessage::Choose { .. } => self.chose = None,
                    ClientMessage::Sync { .. } => self.syncing = false,
                    ClientMessage::Create { .. }
                    | ClientMessage::Join { .. }
                    | ClientMessage::QuickMatch { .. } => self.entering = Entering::Nothing,
                    _ => {}
                }
                Notice::Refused(intent, refusal)
            }
        }
    }

    fn message(
        &mut self,
        message: ServerMessage,
        now: Instant,
    ) -> (Option<Notice>, Option<ClientMessage>) {
        match message {
            ServerMessage::Snapshot(snapshot) => {
                let current =
                    self.room.as_ref().is_some_and(|view| view.state.code == snapshot.room);
                let awaited = self.entering.awaits(snapshot.room);
                if !current && !awaited {
                    return (None, None);
                }
                let Ok(mut view) = RoomView::new(&snapshot, now) else {
                    return (
                        Some(Notice::Remark(
                            "the server's account of the game is impossible".to_owned(),
                        )),
                        None,
                    );
                };
                if awaited {
                    self.entering = Entering::Nothing;
                    self.sent = None;
                    self.chose = None;
                }
                self.syncing = false;
                if let Some(old) = self.room.take().filter(|_| current) {
                    (view.hint, view.evaluation) = (old.hint, old.evaluation);
                }
                self.room = Some(view);
                (Some(if current { Notice::Refreshed } else { Notice::Entered }), None)
            }
            ServerMessage::Event { room, v, event } => self.event(room, v, event, now),
            ServerMessage::Spectators { room, count } => {
                if let Some(view) = self.room.as_mut().filter(|view| view.state.code == room) {
                    view.spectators = count;
                }
                (None, None)
            }
            ServerMessage::Hint(hint) => {
                let view = self.room.as_mut().filter(|view| view.state.code == hint.room);
                let shown = view.and_then(|view| {
                    view.hint = Some(hint);
                    view.hint().map(|_| Notice::Hint)
                });
                (shown, None)
            }
            ServerMessage::Review(review) => {
                let here = self.room.as_ref().is_some_and(|view| view.state.code == review.room);
                (here.then_some(Notice::Review(review)), None)
            }
            ServerMessage::Evaluation(evaluation) => {
                let view = self.room.as_mut().filter(|view| view.state.code == evaluation.room);
                let shown = view.and_then(|view| {
                    view.evaluation = Some(evaluation);
                    view.evaluation().map(|_| Notice::Evaluation)
                });
                (shown, None)
            }
            ServerMessage::Lobby { waiting, playing, more } => {
                (Some(Notice::Lobby(Lobby { waiting, playing, more })), None)
            }
            // Answers to intents come as `Incoming::Answered`, the welcome as `Incoming::Welcome`;
            // that a greeting arrived twice is nothing to the player. A terminal asks for no pass.
            ServerMessage::Welcome { .. }
            | ServerMessage::Ok { .. }
            | ServerMessage::Pass { .. }
            | ServerMessage::Refused { code: RefusalCode::AlreadyGreeted, .. } => (None, None),
            ServerMessage::Refused { message, .. } => {
                (Some(Notice::Remark(message.to_string())), None)
            }
            ServerMessage::Pong { room, v, .. } => (None, self.pong(room, v)),
        }
    }

    fn event(
        &mut self,
        room: RoomCode,
        v: u64,
        event: Event,
        now: Instant,
    ) -> (Option<Notice>, Option<ClientMessage>) {
        let Some(view) = self.room.as_mut().filter(|view| view.state.code == room) else {
            return (None, None);
        };
        let before = match &event {
            Event::Seated { mark, .. } | Event::Presence { mark, .. } => {
                Some(view.state.seats[*mark].clone())
            }
            _ => None,
        };
        if view.apply(v, &event, self.player, now).is_err() {
            // What was seen before (a snapshot overtook it) needs no repair.
            let known = v <= view.state.v;
            return (None, if known { None } else { self.sync() });
        }
        if let Event::Closed { reason } = &event {
            let why = crate::words::closed(*reason).to_owned();
            self.forget_room();
            return (Some(Notice::Closed(why)), None);
        }
        (Some(Notice::Event { event, before }), None)
    }

    fn forget_room(&mut self) {
        self.room = None;
        self.syncing = false;
        self.sent = None;
        self.chose = None;
    }

    /// Counts an intent that is about to be sent.
    fn counted(&mut self, intent: ClientMessage) -> ClientMessage {
        self.unanswered += 1;
        intent
    }

    /// An intent that could not be handed to the connection will not be answered.
    pub fn not_sent(&mut self, intent: &ClientMessage) {
        self.unanswered = self.unanswered.saturating_sub(1);
        match intent {
            ClientMessage::Play { .. } => self.sent = None,
            ClientMessage::Choose { .. } => self.chose = None,
            ClientMessage::Sync { .. } => self.syncing = false,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
