//! What a client knows, sends and shows, as plainly as it can be said: the reference for the stories. It
//! keeps the room by [`RoomState`] alone. Both clients must do the same.

use std::collections::BTreeMap;

use noughts_protocol::{
    ANSWER_MS, ByMark, CHAT_LINES, ChatLine, ChatMode, ClientMessage, Event, Features, IntentId,
    LobbyIntent, MAX_MUTED, MAX_UNANSWERED, Mark, Move, OpeningChoice, OpeningPhase, Pace,
    PlayerId, Presence, REJOIN_MS, RefusalCode, Role, RoomCode, RoomIntent, RoomState, Said,
    SeatPresence, ServerMessage, Snapshot,
};

mod asked;
mod heard;
mod party;
mod shows;
mod told;

use party::{Followed, Following, is_about_parties};
pub(super) use shows::json;

/// What a client is told, what its player asks, and what its connection reports.
#[derive(Debug, Clone)]
pub(super) enum Input {
    Welcome(ServerMessage),
    Told(ServerMessage),
    /// The id of the message does not count.
    Asked(ClientMessage),
    Broke,
    Ended,
    Time,
}

/// What a client does.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) sent: Vec<ClientMessage>,
    pub(super) reconnects: bool,
    pub(super) happened: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Connecting,
    Open,
    Lost,
    Ended,
}

/// The number of a game and its ply.
type Position = (u32, u16);

#[derive(Debug)]
pub(super) struct View {
    pub(super) state: RoomState,
    pub(super) presence: Presence,
    presence_at: u64,
    move_ends: Option<u64>,
    hint: Option<Position>,
    evaluation: Option<Position>,
    review: Option<u32>,
    lines: Vec<ChatLine>,
    muted: Vec<PlayerId>,
    /// Whether a list of the muted people has come since the last welcome.
    listed: bool,
}

#[derive(Debug)]
struct Entering {
    id: IntentId,
    room: Option<RoomCode>,
    role: Role,
}

/// A hint that was asked for a position, or a review.
#[derive(Debug)]
struct Analysis {
    asked: ClientMessage,
    hint_for: Option<Position>,
}

#[derive(Debug)]
pub(super) struct Client {
    next_id: IntentId,
    pub(super) phase: Phase,
    player: Option<PlayerId>,
    features: Features,
    pub(super) room: Option<View>,
    entering: Option<Entering>,
    queue: Option<ClientMessage>,
    pub(super) party: Option<Followed>,
    following: Option<Following>,
    watches_lobby: bool,
    lobby: Option<usize>,
    pub(super) unanswered: Vec<ClientMessage>,
    analysis: Option<Analysis>,
    /// The last question of each kind: the kind, its id, and what is shown of the answer.
    questions: BTreeMap<String, (IntentId, String)>,
    answer_due: Option<u64>,
    rejoin_at: Option<u64>,
    output: Output,
}

fn sync_of(message: &ClientMessage) -> Option<RoomCode> {
    match message {
        ClientMessage::Room { intent: RoomIntent::Sync, room, .. } => Some(*room),
        _ => None,
    }
}

fn leave_of(message: &ClientMessage) -> Option<RoomCode> {
    match message {
        ClientMessage::Room { intent: RoomIntent::Leave, room, .. } => Some(*room),
        _ => None,
    }
}

fn spectates(message: &ClientMessage) -> Option<RoomCode> {
    match message {
        ClientMessage::Lobby {
            intent: LobbyIntent::Join { room, role: Role::Spectator }, ..
        } => Some(*room),
        _ => None,
    }
}

fn lobby_intent(message: &ClientMessage) -> Option<&LobbyIntent> {
    match message {
        ClientMessage::Lobby { intent, .. } => Some(intent),
        _ => None,
    }
}

impl Client {
    pub(super) fn new(next_id: IntentId) -> Self {
        Self {
            next_id,
            phase: Phase::Connecting,
            player: None,
            features: Features::default(),
            room: None,
            entering: None,
            queue: None,
            party: None,
            following: None,
            watches_lobby: false,
            lobby: None,
            unanswered: Vec::new(),
            analysis: None,
            questions: BTreeMap::new(),
            answer_due: None,
            rejoin_at: None,
            output: Output::default(),
        }
    }

    pub(super) fn update(&mut self, input: Input, now: u64) -> Output {
        match input {
            Input::Welcome(message) => self.welcome(&message, now),
            Input::Told(message) => self.told(message, now),
            Input::Asked(message) => self.asked(message, now),
            Input::Broke => self.broke(),
            Input::Ended => {
                (self.phase, self.rejoin_at) = (Phase::Ended, None);
                self.happens("ended");
            }
            Input::Time => self.time(now),
        }
        let position = self.position();
        self.analysis.take_if(|asked| asked.hint_for.is_some() && asked.hint_for != position);
        if self.unanswered.is_empty() || self.phase != Phase::Open {
            self.answer_due = None;
        }
        std::mem::take(&mut self.output)
    }

    fn happens(&mut self, what: &'static str) {
        self.output.happened.push(what);
    }

    fn code(&self) -> Option<RoomCode> {
        self.room.as_ref().map(|view| view.state.code)
    }

    /// The position of the running game.
    fn position(&self) -> Option<Position> {
        let running = self.room.as_ref()?.state.running()?;
        Some((running.number, running.game.ply()))
    }

    /// A join as spectator of our own room brings back to it, to the seat too.
    fn is_return(&self, message: &ClientMessage) -> bool {
        self.code().is_some() && spectates(message) == self.code()
    }

    /// Whether a snapshot of the room was asked for and has not been answered.
    fn resyncs(&self, room: RoomCode) -> bool {
        self.unanswered.iter().any(|m| sync_of(m) == Some(room) || self.is_return(m))
    }

    // Sending.

    fn fresh(&mut self) -> IntentId {
        let id = self.next_id;
        self.next_id = id.next();
        id
    }

    fn send(&mut self, message: ClientMessage) {
        self.output.sent.push(message);
    }

    /// Sends something whose answer matters.
    fn send_tracked(&mut self, message: ClientMessage, now: u64) {
        self.answer_due =
            self.answer_due.or((self.unanswered.is_empty()).then_some(now + ANSWER_MS));
        self.unanswered.push(message.clone());
        self.send(message);
    }

    fn spectate(&mut self, room: RoomCode) -> ClientMessage {
        let intent = LobbyIntent::Join { room, role: Role::Spectator };
        ClientMessage::Lobby { intent, id: self.fresh() }
    }

    fn sync(&mut self, room: RoomCode, now: u64) {
        if !self.resyncs(room) {
            let message = ClientMessage::Room { intent: RoomIntent::Sync, id: self.fresh(), room };
            self.send_tracked(message, now);
        }
    }

    fn go_back(&mut self, now: u64) {
        if let Some(room) = self.code().filter(|room| !self.resyncs(*room)) {
            let message = self.spectate(room);
            self.send_tracked(message, now);
        }
    }

    fn forget_room(&mut self) {
        let (room, unanswered) = (self.code(), std::mem::take(&mut self.unanswered));
        let repairs =
            |m: &ClientMessage| sync_of(m).is_some() || (room.is_some() && spectates(m) == room);
        self.unanswered = unanswered.into_iter().filter(|m| !repairs(m)).collect();
        (self.room, self.analysis, self.rejoin_at) = (None, None, None);
    }

    // Time and the connection.

    fn time(&mut self, now: u64) {
        if self.answer_due.take_if(|due| *due <= now).is_some() {
            self.output.reconnects = true;
        }
        if self.rejoin_at.take_if(|at| *at <= now).is_some() && self.phase == Phase::Open {
            self.go_back(now);
        }
    }

    fn broke(&mut self) {
        (self.phase, self.rejoin_at) = (Phase::Lost, None);
        self.analysis.take_if(|asked| asked.hint_for.is_some());
        // A hint is for a moment; it is not asked for again.
        let is_hint = |message: &ClientMessage| {
            matches!(message, ClientMessage::Room { intent: RoomIntent::Hint { .. }, .. })
        };
        self.unanswered.retain(|message| !is_hint(message));
        self.room.iter_mut().for_each(|view| view.listed = false);
        self.happens("lost");
    }

    fn welcome(&mut self, message: &ServerMessage, now: u64) {
        let ServerMessage::Welcome { player, features, .. } = message else {
            panic!("{message:?}")
        };
        (self.phase, self.player, self.features) = (Phase::Open, Some(*player), *features);
        self.happens("welcome");
        self.resume(now);
        self.answer_due = Some(now + ANSWER_MS);
    }

    /// Sends again what a break may have lost.
    fn resume(&mut self, now: u64) {
        let unanswered = std::mem::take(&mut self.unanswered);
        let unanswered =
            unanswered.into_iter().filter(|m| sync_of(m).is_none() && !self.is_return(m));
        let kept = unanswered.filter(|m| !self.is_party_repair(m)).collect::<Vec<_>>();
        let (of_parties, unanswered): (Vec<_>, Vec<_>) =
            kept.iter().cloned().partition(is_about_parties);
        let is_unanswered = |id| unanswered.iter().any(|message| message.id() == id);
        let queue = self.queue.clone().filter(|queue| !is_unanswered(queue.id()));
        let entering = self.entering.take_if(|entering| !is_unanswered(Some(entering.id)));
        let is_review = |asked: &Analysis| asked.hint_for.is_none();
        let review = self.analysis.take_if(|a| is_review(a) && !is_unanswered(a.asked.id()));
        let watch =
            |message: &ClientMessage| lobby_intent(message) == Some(&LobbyIntent::WatchLobby);
        let watches = self.watches_lobby && !unanswered.iter().any(watch);

        let rest = self.leave_again(&unanswered);
        self.unanswered = kept;
        self.go_back(now);
        if watches {
            let (intent, id) = (LobbyIntent::WatchLobby, self.fresh());
            self.send_tracked(ClientMessage::Lobby { intent, id }, now);
        }
        for message in queue.into_iter().chain(rest) {
            self.send(message);
        }
        if let Some(Entering { room: Some(room), role, .. }) = entering {
            let id = self.fresh();
            self.entering = Some(Entering { id, room: Some(room), role });
            let intent = LobbyIntent::Join { room, role };
            self.send_tracked(ClientMessage::Lobby { intent, id }, now);
        }
        if let Some(Analysis { asked, hint_for }) = review {
            let asked = with_id(asked, self.fresh());
            self.send_tracked(asked.clone(), now);
            self.analysis = Some(Analysis { asked, hint_for });
        }
        self.resume_party(&of_parties, now);
    }

    /// A seat can only be given up in its room. Returns what was asked after the last `leave`.
    fn leave_again(&mut self, unanswered: &[ClientMessage]) -> Vec<ClientMessage> {
        let mut before = Vec::new();
        for message in unanswered {
            before.push(message.clone());
            if let Some(room) = leave_of(message) {
                let join = self.spectate(room);
                self.send(join);
                self.output.sent.append(&mut before);
            }
        }
        before
    }
}

pub(super) fn with_id(message: ClientMessage, id: IntentId) -> ClientMessage {
    match message {
        ClientMessage::Room { intent, room, .. } => ClientMessage::Room { intent, id, room },
        ClientMessage::Lobby { intent, .. } => ClientMessage::Lobby { intent, id },
        ClientMessage::Party { intent, party, .. } => ClientMessage::Party { intent, id, party },
        hello @ ClientMessage::Hello(_) => hello,
    }
}
