//! The player's session with a server: the room they are in, the intents that the server has not
//! answered, and what must be repeated after a break. It has no I/O and no clock: `now` is an
//! argument. The full screen and plain mode share it.

use std::mem;
use std::time::{Duration, Instant};

use noughts_protocol::{
    ANSWER_MS, ChatLine, ClientMessage, DisplayText, Features, IntentId, LobbyIntent, PassCode,
    PlayerId, REJOIN_MS, RefusalCode, Role, RoomCode, RoomIntent, RoomSummary, ServerMessage,
};

use super::question::Questions;
use super::{
    ConnectionEvent, Happening, Input, Output, PartyView, Question, QuestionKind, RoomView,
};

mod answered;
mod asked;
mod heard;
mod party;
mod resume;
mod told;

pub use asked::IntentError;
use party::Following;

/// How long the server may answer no intent at all. It normally answers in milliseconds. After this
/// time the intent is lost or the server hangs, so a new connection repeats the intent.
const ANSWER_TIME: Duration = Duration::from_millis(ANSWER_MS);

/// How long to wait before asking again for a room that the server cannot read.
const REJOIN_AFTER: Duration = Duration::from_millis(REJOIN_MS);

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

/// How the connection is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Phase {
    /// There was no welcome yet.
    Connecting,
    Open,
    Lost {
        since: Instant,
        /// Of the break or, later, of the last attempt.
        reason: DisplayText,
    },
    Ended,
}

/// A room that was asked for, until its snapshot comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entering {
    /// The intent that leads to it.
    id: IntentId,
    /// The room; `None` until the server has made it.
    pub(super) room: Option<RoomCode>,
    role: Role,
}

/// The hint or the review that was asked for and has not come.
#[derive(Debug, Clone)]
pub(super) struct Analysis {
    id: IntentId,
    pub(super) intent: RoomIntent,
    /// The position at the time; a hint for another one does not come.
    position: Option<(u32, u16)>,
}

/// A player's session with a server.
#[derive(Debug)]
pub struct Session {
    /// The id of the next message, modulo the range of ids.
    next_id: u64,
    pub(super) phase: Phase,
    player: Option<PlayerId>,
    features: Features,
    room: Option<RoomView>,
    pub(super) entering: Option<Entering>,
    /// The `quick_match` that has led to no room yet.
    pub(super) queue: Option<ClientMessage>,
    party: Option<PartyView>,
    pub(super) following: Option<Following>,
    /// The pass for a place in the party that comes next.
    place: Option<PassCode>,
    watches_lobby: bool,
    lobby: Option<Lobby>,
    /// In the order in which they were sent.
    pub(super) unanswered: Vec<ClientMessage>,
    pub(super) analysis: Option<Analysis>,
    questions: Questions,
    /// When the connection counts as dead because no intent was answered.
    answer_due: Option<Instant>,
    /// When to ask again for a room that the server could not read.
    rejoin_at: Option<Instant>,
    /// The outputs of the running update.
    outputs: Vec<Output>,
}

impl Session {
    /// A session before the welcome. Its ids count up from a number that should be random, so that
    /// a player uses none twice.
    #[must_use]
    pub const fn new(next_id: u64) -> Self {
        Self {
            next_id,
            phase: Phase::Connecting,
            player: None,
            features: Features::ALL_ON,
            room: None,
            entering: None,
            queue: None,
            party: None,
            following: None,
            place: None,
            watches_lobby: false,
            lobby: None,
            unanswered: Vec::new(),
            analysis: None,
            questions: Questions::new(),
            answer_due: None,
            rejoin_at: None,
            outputs: Vec::new(),
        }
    }

    /// Takes in an input. Returns what to do, in order.
    pub fn update(&mut self, input: Input, now: Instant) -> Vec<Output> {
        let nothing_unanswered = self.unanswered.is_empty();
        match input {
            Input::Connection(event) => self.connection_event(event, now),
            Input::Asked(intent) => self.asked(intent),
            Input::Time => self.time(now),
        }
        let position = self.room.as_ref().and_then(RoomView::position);
        self.analysis.take_if(|asked| asked.is_hint() && asked.position != position);
        if self.phase != Phase::Open || self.unanswered.is_empty() {
            self.answer_due = None;
        } else if nothing_unanswered {
            self.answer_due = Some(now + ANSWER_TIME);
        }
        mem::take(&mut self.outputs)
    }

    /// When to feed [`Input::Time`].
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.answer_due.into_iter().chain(self.rejoin_at).min()
    }

    /// The room that the player is in.
    #[must_use]
    pub const fn room(&self) -> Option<&RoomView> {
        self.room.as_ref()
    }

    /// The public rooms, while they are watched.
    #[must_use]
    pub const fn lobby(&self) -> Option<&Lobby> {
        self.lobby.as_ref()
    }

    /// The features that the server's host has left on.
    #[must_use]
    pub const fn features(&self) -> Features {
        self.features
    }

    /// The last question of a kind, with its answer.
    #[must_use]
    pub const fn question(&self, kind: QuestionKind) -> Option<&Question> {
        self.questions.get(kind)
    }

    /// The player, once the server has welcomed them.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        self.player
    }

    /// Whether the server has welcomed the player.
    #[must_use]
    pub const fn is_welcome(&self) -> bool {
        self.player.is_some()
    }

    /// Whether every intent is answered.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.unanswered.is_empty()
    }

    /// Whether a quick match is awaited.
    #[must_use]
    pub const fn is_queued(&self) -> bool {
        self.queue.is_some()
    }

    /// Whether a hint or a review is awaited.
    #[must_use]
    pub const fn awaits_analysis(&self) -> bool {
        self.analysis.is_some()
    }

    /// When the connection broke and why it is not back, if it is broken.
    #[must_use]
    pub const fn lost(&self) -> Option<(Instant, &DisplayText)> {
        match &self.phase {
            Phase::Lost { since, reason } => Some((*since, reason)),
            _ => None,
        }
    }

    /// A session with another server, after this one. It uses none of its ids again.
    #[must_use]
    pub const fn with_another_server(&self) -> Self {
        Self::new(self.next_id)
    }

    /// The move or the choice that is on its way.
    #[must_use]
    pub fn sent_move(&self) -> Option<RoomIntent> {
        let view = self.room.as_ref()?;
        let position = view.position()?;
        let is_due = |intent: &RoomIntent| match *intent {
            RoomIntent::Play { game, ply, .. } => (game, ply) == position,
            RoomIntent::Choose { game, .. } => game == position.0 && view.my_choice().is_some(),
            _ => false,
        };
        self.unanswered
            .iter()
            .filter_map(|message| intent_in(message, view.state.code))
            .find(is_due)
    }

    fn connection_event(&mut self, event: ConnectionEvent, now: Instant) {
        match event {
            ConnectionEvent::Welcome(welcome) => {
                (self.phase, self.features) = (Phase::Open, welcome.features);
                let first = self.player.replace(welcome.player).is_none();
                if let Some(view) = &mut self.room {
                    // The player may have been forgotten, and is somebody new.
                    view.is_seen_by(welcome.player);
                }
                if let Some(view) = &mut self.party {
                    view.is_seen_by(welcome.player);
                }
                self.happened(Happening::Welcome { welcome, first });
                self.resume(now);
            }
            ConnectionEvent::Message(message) => self.told(*message, now),
            ConnectionEvent::Lost(reason) => {
                let since = self.lost().map_or(now, |(since, _)| since);
                self.phase = Phase::Lost { since, reason: reason.clone() };
                self.rejoin_at = None;
                // The server forgets these questions with the connection.
                self.analysis.take_if(|asked| asked.is_hint());
                self.unanswered.retain(|message| {
                    !matches!(message, ClientMessage::Room { intent: RoomIntent::Hint { .. }, .. })
                });
                if let Some(view) = &mut self.room {
                    view.chat.lose();
                }
                self.happened(Happening::Lost(reason));
            }
            ConnectionEvent::PasswordWanted(reason) => {
                self.happened(Happening::PasswordWanted(reason));
            }
            ConnectionEvent::Ended(reason) => {
                self.phase = Phase::Ended;
                self.rejoin_at = None;
                self.happened(Happening::Ended(reason));
            }
        }
    }

    fn time(&mut self, now: Instant) {
        if self.answer_due.take_if(|due| *due <= now).is_some() {
            self.outputs.push(Output::Reconnect);
        }
        if self.rejoin_at.take_if(|due| *due <= now).is_some() {
            self.return_to_room();
        }
    }

    /// The room that the player is in, if it is this one.
    fn view_of(&mut self, code: RoomCode) -> Option<&mut RoomView> {
        self.room.as_mut().filter(|view| view.state.code == code)
    }

    fn forget_room(&mut self) {
        self.drop_resyncs();
        (self.room, self.analysis, self.rejoin_at) = (None, None, None);
    }

    fn happened(&mut self, happening: Happening) {
        self.outputs.push(Output::Happened(happening));
    }
}

impl Analysis {
    const fn is_hint(&self) -> bool {
        matches!(self.intent, RoomIntent::Hint { .. })
    }
}

const fn is_sync(message: &ClientMessage) -> bool {
    matches!(message, ClientMessage::Room { intent: RoomIntent::Sync, .. })
}

/// The intent of a message for this room.
fn intent_in(message: &ClientMessage, code: RoomCode) -> Option<RoomIntent> {
    match message {
        ClientMessage::Room { intent, room, .. } if *room == code => Some(intent.clone()),
        _ => None,
    }
}
