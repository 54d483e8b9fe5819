//! The state and the decisions of the client, without I/O and without a clock: `(state, input) -> (state,
//! outputs)`. The time is an argument. The package of `protocol/js` is the same machine; the stories in
//! `protocol/tests/golden/series` run against both.
//!
//! - [`Session`] takes in [`Input`]s: what the connection reports, what the player asks, and the
//!   time. It keeps the [`RoomView`], the unanswered intents and what to repeat after a break.
//! - [`Output`] is a message to send, or a [`Happening`] to show.

use std::collections::BTreeMap;
use std::mem;
use std::time::{Duration, Instant};

use noughts_protocol::{
    ANSWER_MS, Cell, ChatMode, ClientMessage, DisplayText, Features, Found, IntentId, LobbyIntent,
    MAX_MUTED, MAX_UNANSWERED, Mark, PartyIntent, PartyRole, PassCode, PlayerId, PlayerName,
    REJOIN_MS, Refusal, RefusalCode, Role, RoomCode, RoomIntent, RoomSummary, Said, Series,
};

mod chat;
mod check;
mod following;
mod input;
mod lookup;
mod output;
mod party;
mod room;
#[cfg(test)]
mod tests;
mod told;

pub use chat::Chat;
pub use check::IntentError;
pub use input::{ConnectionEvent, End, Input, Intent, Remedy, Welcome};
pub use lookup::{Lookup, LookupKind};
pub use output::{Happening, Output};
pub use party::{PartyView, standings};
pub use room::{PresenceChange, RoomView};

use following::Following;

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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Phase {
    /// There was no welcome yet.
    #[default]
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
struct Entering {
    /// The intent that leads to it.
    id: IntentId,
    /// The room; `None` until the server has made it.
    room: Option<RoomCode>,
    role: Role,
}

/// The hint or the review that was asked for and has not come.
#[derive(Debug, Clone)]
struct Analysis {
    id: IntentId,
    intent: RoomIntent,
    /// The position at the time; a hint for another one does not come.
    position: Option<(u32, u16)>,
}

/// A player's session with a server.
#[derive(Debug, Default)]
pub struct Session {
    /// The id of the next message, modulo the range of ids.
    next_id: u64,
    phase: Phase,
    player: Option<PlayerId>,
    /// The name that others see.
    name: Option<PlayerName>,
    features: Features,
    room: Option<RoomView>,
    entering: Option<Entering>,
    /// The `quick_match` that has led to no room yet.
    queue: Option<ClientMessage>,
    party: Option<PartyView>,
    following: Option<Following>,
    /// The pass for a place in the party that comes next.
    place: Option<PassCode>,
    watches_lobby: bool,
    lobby: Option<Lobby>,
    /// In the order in which they were sent.
    unanswered: Vec<ClientMessage>,
    analysis: Option<Analysis>,
    /// The last one of each kind.
    questions: BTreeMap<LookupKind, Lookup>,
    /// The room of the last person who asked the player to play, and until when.
    challenge: Option<(RoomCode, Instant)>,
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
    pub fn new(next_id: u64) -> Self {
        Self { next_id, ..Self::default() }
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
    pub fn question(&self, kind: LookupKind) -> Option<&Lookup> {
        self.questions.get(&kind)
    }

    /// The answer to the last question of a kind, once it has come.
    #[must_use]
    pub fn answer(&self, kind: LookupKind) -> Option<&Result<Found, Refusal>> {
        self.question(kind)?.answer.as_ref()
    }

    /// The player, once the server has welcomed them.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        self.player
    }

    /// The player's name for others, once the server has welcomed them.
    #[must_use]
    pub const fn name(&self) -> Option<&PlayerName> {
        self.name.as_ref()
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
    pub fn with_another_server(&self) -> Self {
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
        self.sent().find(is_due)
    }

    /// The intents for the room that are on their way.
    fn sent(&self) -> impl Iterator<Item = RoomIntent> {
        let code = self.code();
        self.unanswered.iter().filter_map(move |message| intent_in(message, code?))
    }

    fn connection_event(&mut self, event: ConnectionEvent, now: Instant) {
        match event {
            ConnectionEvent::Welcome(welcome) => {
                (self.phase, self.features) = (Phase::Open, welcome.features);
                let first = self.player.replace(welcome.player).is_none();
                self.name = Some(welcome.name.clone());
                if let Some(view) = &mut self.room {
                    // The player may have been forgotten, and is somebody new.
                    view.is_seen_by(welcome.player);
                }
                if let Some(view) = &mut self.party {
                    view.player = Some(welcome.player);
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

    /// Ends the wait for a quick match, unless another one was asked for since.
    fn end_wait(&mut self) {
        let unanswered = &self.unanswered;
        self.queue.take_if(|queue| !unanswered.contains(queue));
    }

    fn forget_room(&mut self) {
        self.drop_unanswered(Self::is_resync);
        (self.room, self.analysis, self.rejoin_at) = (None, None, None);
    }

    fn happened(&mut self, happening: Happening) {
        self.outputs.push(Output::Happened(happening));
    }

    // The player's intents.

    fn asked(&mut self, intent: Intent) {
        let repairs =
            |message: &&ClientMessage| self.is_resync(message) || self.is_party_resync(message);
        let unanswered = self.unanswered.iter().filter(|message| !repairs(message));
        if unanswered.count() >= MAX_UNANSWERED {
            return self.happened(Happening::Busy);
        }
        match intent {
            Intent::Lobby(intent) => self.asked_of_lobby(&intent),
            Intent::Party(intent) => self.asked_of_party(intent),
            Intent::Room(intent) => match self.check(&intent) {
                Ok(room) => self.asked_of_room(room, intent),
                Err(why) => self.happened(Happening::Blocked(why)),
            },
        }
    }

    fn asked_of_lobby(&mut self, intent: &LobbyIntent) {
        let kind = LookupKind::of(intent);
        if let Some(before) = kind.and_then(|kind| self.question(kind)) {
            // Nobody waits for that answer any more.
            let before = Some(before.id);
            self.unanswered.retain(|message| message.id() != before);
        }
        let id = self.ask_lobby(intent.clone());
        if let Some(kind) = kind {
            let question = Lookup { id, intent: intent.clone(), answer: None };
            self.questions.insert(kind, question);
        }
        match *intent {
            LobbyIntent::Create { .. } | LobbyIntent::Challenge { .. } => {
                self.entering = Some(Entering { id, room: None, role: Role::Player });
            }
            // A spectator may take a seat of the same room.
            LobbyIntent::Join { room, role } if self.code() != Some(room) => {
                self.entering = Some(Entering { id, room: Some(room), role });
            }
            LobbyIntent::QuickMatch { .. } => self.queue = self.unanswered.last().cloned(),
            LobbyIntent::WatchLobby => self.watches_lobby = true,
            LobbyIntent::UnwatchLobby => (self.watches_lobby, self.lobby) = (false, None),
            _ => self.follow(intent, id),
        }
    }

    fn asked_of_room(&mut self, room: RoomCode, intent: RoomIntent) {
        if intent == RoomIntent::Leave {
            self.forget_room();
            self.entering.take_if(|entering| entering.room == Some(room));
        }
        if let (RoomIntent::Mute { player, mute }, Some(view)) = (&intent, &mut self.room) {
            view.chat.mute(*player, *mute);
        }
        let id = self.ask_in(room, intent.clone());
        if matches!(intent, RoomIntent::Hint { .. } | RoomIntent::Review { .. }) {
            let position = self.room.as_ref().and_then(RoomView::position);
            self.analysis = Some(Analysis { id, intent, position });
        }
    }

    /// Checks an intent for the room as far as this side knows. Returns the room.
    fn check(&self, intent: &RoomIntent) -> Result<RoomCode, IntentError> {
        let Some(view) = &self.room else {
            // A room can be left before its snapshot comes.
            let entering = self.entering.filter(|_| *intent == RoomIntent::Leave);
            return entering.and_then(|entering| entering.room).ok_or(IntentError::NO_ROOM);
        };
        match intent {
            RoomIntent::Say { said } => self.check_say(view, said)?,
            RoomIntent::Mute { player, mute } => self.check_mute(view, *player, *mute)?,
            _ => view.check(intent)?,
        }
        let moves = matches!(intent, RoomIntent::Play { .. } | RoomIntent::Choose { .. });
        if moves && self.sent_resignation() {
            Err(IntentError::NotNow("you have resigned: wait for the server"))
        } else if moves && self.sent_move().is_some() {
            Err(IntentError::UNCONFIRMED)
        } else {
            Ok(view.state.code)
        }
    }

    fn check_say(&self, view: &RoomView, said: &Said) -> Result<(), IntentError> {
        match (view.state.settings.chat, said) {
            _ if !self.features.chat => {
                Err(IntentError::NotNow("the host of this server has switched off talk"))
            }
            (ChatMode::Off, _) => Err(IntentError::NotNow("nobody talks in this room")),
            (ChatMode::Emotes, Said::Text(_)) => {
                Err(IntentError::NotNow("this room has no texts, only emotes"))
            }
            (ChatMode::Emotes, Said::Emote(_)) | (ChatMode::Text, _) => Ok(()),
        }
    }

    fn check_mute(&self, view: &RoomView, player: PlayerId, mute: bool) -> Result<(), IntentError> {
        let muted = &view.chat.muted;
        if self.player == Some(player) {
            Err(IntentError::NotNow("you can mute other people only"))
        } else if mute && !muted.contains(&player) && muted.len() >= MAX_MUTED {
            Err(IntentError::NotNow("you have muted as many people as you can here"))
        } else {
            Ok(())
        }
    }

    /// Whether the player's resignation of the running game is on its way.
    #[must_use]
    pub fn sent_resignation(&self) -> bool {
        let game = self.game();
        let resigns = |intent| intent == RoomIntent::Resign { game };
        self.room.as_ref().is_some_and(RoomView::is_playing) && self.sent().any(resigns)
    }

    /// Whether something else that the player asked for in the room is on its way.
    #[must_use]
    pub fn has_wishes(&self) -> bool {
        self.sent().any(|intent| !matches!(intent, RoomIntent::Sync | RoomIntent::Play { .. }))
    }

    fn ask_lobby(&mut self, intent: LobbyIntent) -> IntentId {
        let id = self.take_id();
        self.ask(ClientMessage::Lobby { intent, id });
        id
    }

    fn ask_in(&mut self, room: RoomCode, intent: RoomIntent) -> IntentId {
        let id = self.take_id();
        self.ask(ClientMessage::Room { intent, id, room });
        id
    }

    /// Sends a message that the server must answer. Without a connection the resume sends it.
    fn ask(&mut self, message: ClientMessage) {
        self.unanswered.push(message.clone());
        if self.phase == Phase::Open {
            self.send(message);
        }
    }

    fn send(&mut self, message: ClientMessage) {
        self.outputs.push(Output::Send(message));
    }

    fn take_id(&mut self) -> IntentId {
        let id = self.next_intent_id();
        self.next_id = u64::from(id) + 1;
        id
    }

    /// The id of the next intent.
    pub(crate) fn next_intent_id(&self) -> IntentId {
        // The greatest id is the pings'.
        IntentId::try_from(self.next_id % IntentId::MAX).expect("the remainder is in range")
    }

    fn code(&self) -> Option<RoomCode> {
        self.room.as_ref().map(|view| view.state.code)
    }

    /// The number of the current game: the running one, or else the last one; 0 before the first.
    #[must_use]
    pub fn game(&self) -> u32 {
        let game = self.room.as_ref().and_then(|view| view.state.game.as_ref());
        game.map_or(0, |numbered| numbered.number)
    }

    /// The number of marks on the board of that game.
    fn ply(&self) -> u16 {
        let game = self.room.as_ref().and_then(|view| view.state.game.as_ref());
        game.map_or(0, |numbered| numbered.game.ply())
    }

    /// The moves that the player may make now, with each mark that they may place; none while a move is on its
    /// way.
    #[must_use]
    pub fn moves(&self) -> Vec<RoomIntent> {
        let view = self.room.as_ref().filter(|view| view.my_turn().is_some());
        let running = view.and_then(|view| view.state.running());
        let Some(running) = running.filter(|_| self.sent_move().is_none()) else {
            return Vec::new();
        };
        let game = &running.game;
        let moves = game.legal().map(|placement| game.move_with(placement));
        moves.map(|chosen| self.move_to(chosen.cell, chosen.placed)).collect()
    }

    /// Plays a cell, with this mark where the player may choose one.
    #[must_use]
    pub fn move_to(&self, cell: Cell, placed: Option<Mark>) -> RoomIntent {
        RoomIntent::Play { game: self.game(), ply: self.ply(), cell, placed }
    }

    /// Offers or accepts a rematch, or takes the offer back.
    #[must_use]
    pub fn rematch(&self) -> RoomIntent {
        let offer = !self.room.as_ref().is_some_and(RoomView::offered_by_me);
        RoomIntent::Rematch { game: self.game(), offer, series: None }
    }

    /// Takes back the last move, asks for that or accepts it, or takes the request back.
    #[must_use]
    pub fn take_back(&self) -> RoomIntent {
        self.move_back(self.room.as_ref().is_none_or(|view| view.asks_back(true).is_none()))
    }

    /// Says no to the opponent, who asks to take back a move or for a rematch.
    #[must_use]
    pub fn decline(&self) -> RoomIntent {
        match self.room.as_ref().and_then(RoomView::offered_by_opponent) {
            Some(_) => RoomIntent::Rematch { game: self.game(), offer: false, series: None },
            None => self.move_back(false),
        }
    }

    fn move_back(&self, offer: bool) -> RoomIntent {
        let position = self.room.as_ref().and_then(RoomView::position);
        RoomIntent::TakeBack { game: self.game(), ply: position.map_or(0, |(_, ply)| ply), offer }
    }

    /// Asks for a new series, which begins at zero with the next game.
    #[must_use]
    pub fn new_series(&self, series: Series) -> RoomIntent {
        RoomIntent::Rematch { game: self.game(), offer: true, series: Some(series) }
    }

    /// Makes the computer one step stronger or weaker, as far as its board has strengths.
    #[must_use]
    pub fn adjust(&self, is_stronger: bool) -> RoomIntent {
        let state = self.room.as_ref().map(|view| &view.state);
        let strength = state.and_then(|state| {
            let (_, computer) = state.adjustable()?;
            Some(computer.strength.next(state.strengths(computer), is_stronger))
        });
        RoomIntent::Strength { strength: strength.unwrap_or_default() }
    }

    /// Lets a paused computer make one move, or begin the next game.
    #[must_use]
    pub fn step(&self) -> RoomIntent {
        RoomIntent::Step { game: self.game(), ply: self.ply() }
    }

    /// Asks for the review of the last finished game.
    #[must_use]
    pub fn review(&self) -> RoomIntent {
        let game = self.room.as_ref().and_then(RoomView::last_finished);
        RoomIntent::Review { game: game.unwrap_or_default() }
    }

    /// Takes the room of the last person who asked the player to play, if that still stands.
    pub fn take_challenge(&mut self, now: Instant) -> Option<RoomCode> {
        self.challenge.take().filter(|(_, until)| now < *until).map(|(room, _)| room)
    }

    // Messages that the session sends by itself: the unanswered ones again after a break, and a
    // request for the room where it missed something.

    /// Repeats what was unanswered, and asks again for what the server forgets with a connection.
    fn resume(&mut self, now: Instant) {
        self.drop_unanswered(Self::is_resync);
        self.drop_unanswered(Self::is_party_resync);
        let (of_parties, unanswered): (Vec<_>, Vec<_>) =
            self.unanswered.iter().cloned().partition(following::is_about_parties);
        let rest = self.leave_again(&unanswered);
        self.return_to_room();
        let watches = |message: &ClientMessage| {
            matches!(message, ClientMessage::Lobby { intent: LobbyIntent::WatchLobby, .. })
        };
        if self.watches_lobby && !unanswered.iter().any(watches) {
            self.ask_lobby(LobbyIntent::WatchLobby);
        }
        if let Some(queue) = self.queue.clone().filter(|queue| !unanswered.contains(queue)) {
            self.send(queue);
        }
        rest.iter().for_each(|message| self.send(message.clone()));
        if let Some(Entering { id, room: Some(room), role }) = self.entering
            && !self.is_unanswered(id)
        {
            let id = self.ask_lobby(LobbyIntent::Join { room, role });
            self.entering = Some(Entering { id, room: Some(room), role });
        }
        // A hint went with the connection, so this is a review.
        if let Some(Analysis { id, intent, position }) = self.analysis.clone()
            && let Some(room) = self.code()
            && !self.is_unanswered(id)
        {
            let id = self.ask_in(room, intent.clone());
            self.analysis = Some(Analysis { id, intent, position });
        }
        // After the room: the server leads a player whose game runs out of another one.
        self.resume_party(&of_parties);
        self.answer_due = Some(now + ANSWER_TIME);
    }

    /// Sends messages up to the last one that leaves a room or a party, and returns the rest. Only who is in
    /// it can leave it: it is entered before. Nothing depends on that answer.
    fn leave_again<'a>(&mut self, messages: &'a [ClientMessage]) -> &'a [ClientMessage] {
        let mut rest = messages;
        while let Some((place, intent)) = rest.iter().enumerate().find_map(left) {
            let (with_leave, after) = rest.split_at(place + 1);
            let id = self.take_id();
            self.send(ClientMessage::Lobby { intent, id });
            with_leave.iter().for_each(|message| self.send(message.clone()));
            rest = after;
        }
        rest
    }

    /// Enters the room again, unless its snapshot is awaited already. A player gets the seat back
    /// also as a spectator, and somebody who has none any more takes none.
    fn return_to_room(&mut self) {
        if let Some(room) = self.code()
            && self.phase == Phase::Open
            && !self.awaits(Self::is_resync)
        {
            self.ask_lobby(LobbyIntent::Join { room, role: Role::Spectator });
        }
    }

    /// Asks for the room's snapshot, unless it is awaited already.
    fn sync(&mut self) {
        if let Some(room) = self.code()
            && !self.awaits(Self::is_resync)
        {
            self.ask_in(room, RoomIntent::Sync);
        }
    }

    /// Whether a message is unanswered that is so.
    fn awaits(&self, is_so: impl Fn(&Self, &ClientMessage) -> bool) -> bool {
        self.unanswered.iter().any(|message| is_so(self, message))
    }

    fn is_resync(&self, message: &ClientMessage) -> bool {
        is_sync(message) || self.is_return(message)
    }

    /// Whether a message returns to the room that the player is in.
    fn is_return(&self, message: &ClientMessage) -> bool {
        let join = |room| LobbyIntent::Join { room, role: Role::Spectator };
        matches!(message, ClientMessage::Lobby { intent, .. } if self.code().map(join).as_ref() == Some(intent))
    }

    /// Forgets the unanswered messages that are so: their answers are about a room, a party or a connection
    /// of before.
    fn drop_unanswered(&mut self, is_so: impl Fn(&Self, &ClientMessage) -> bool) {
        let mut unanswered = mem::take(&mut self.unanswered);
        unanswered.retain(|message| !is_so(self, message));
        self.unanswered = unanswered;
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

/// The place of a message that leaves a room or a party, and the intent that enters it again.
const fn left((place, message): (usize, &ClientMessage)) -> Option<(usize, LobbyIntent)> {
    let intent = match message {
        ClientMessage::Room { intent: RoomIntent::Leave, room, .. } => {
            LobbyIntent::Join { room: *room, role: Role::Spectator }
        }
        ClientMessage::Party { intent: PartyIntent::LeaveParty, party, .. } => {
            LobbyIntent::JoinParty { party: *party, role: PartyRole::Spectator }
        }
        _ => return None,
    };
    Some((place, intent))
}
