//! The player's intents, with the checks that need no server.

use noughts_protocol::{
    Cell, ChatMode, ClientMessage, IllegalMove, IntentId, LobbyIntent, MAX_MUTED, MAX_UNANSWERED,
    Move, OpeningChoice, OpeningPhase, Pace, PlayerId, Role, RoomCode, RoomIntent, Said, Series,
};

use super::{Analysis, Entering, Phase, Session, intent_in};
use crate::core::{Happening, Intent, Output, QuestionKind, RoomView};

/// Why an intent is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IntentError {
    /// It is not possible now. The text says when it is.
    #[error("{0}")]
    NotNow(&'static str),
    /// The player follows no party.
    #[error("you are in no party")]
    NoParty,
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
    /// The resignation is unanswered.
    #[error("you have resigned: wait for the server")]
    Resigned,
}

impl Session {
    pub(super) fn asked(&mut self, intent: Intent) {
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
        let kind = QuestionKind::of(intent);
        if let Some(before) = kind.and_then(|kind| self.questions.get(kind)) {
            // Nobody waits for that answer any more.
            let before = Some(before.id);
            self.unanswered.retain(|message| message.id() != before);
        }
        let id = self.ask_lobby(intent.clone());
        if let Some(kind) = kind {
            self.questions.ask(kind, intent.clone(), id);
        }
        match *intent {
            LobbyIntent::Create { .. } => {
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
            return entering.and_then(|entering| entering.room).ok_or(IntentError::NoRoom);
        };
        match intent {
            RoomIntent::Say { said } => self.check_say(view, said)?,
            RoomIntent::Mute { player, mute } => self.check_mute(view, *player, *mute)?,
            _ => view.check(intent)?,
        }
        let moves = matches!(intent, RoomIntent::Play { .. } | RoomIntent::Choose { .. });
        if moves && self.sent_resignation() {
            Err(IntentError::Resigned)
        } else if moves && self.sent_move().is_some() {
            Err(IntentError::Unconfirmed)
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
        self.room.as_ref().filter(|view| view.is_playing()).is_some_and(|view| {
            let code = view.state.code;
            self.unanswered.iter().filter_map(|sent| intent_in(sent, code)).any(resigns)
        })
    }

    /// Whether something else that the player asked for in the room is on its way.
    #[must_use]
    pub fn has_wishes(&self) -> bool {
        let Some(code) = self.code() else { return false };
        let mut sent = self.unanswered.iter().filter_map(|sent| intent_in(sent, code));
        sent.any(|intent| !matches!(intent, RoomIntent::Sync | RoomIntent::Play { .. }))
    }

    pub(super) fn ask_lobby(&mut self, intent: LobbyIntent) -> IntentId {
        let id = self.take_id();
        self.ask(ClientMessage::Lobby { intent, id });
        id
    }

    pub(super) fn ask_in(&mut self, room: RoomCode, intent: RoomIntent) -> IntentId {
        let id = self.take_id();
        self.ask(ClientMessage::Room { intent, id, room });
        id
    }

    /// Sends a message that the server must answer. Without a connection the resume sends it.
    pub(super) fn ask(&mut self, message: ClientMessage) {
        self.unanswered.push(message.clone());
        if self.phase == Phase::Open {
            self.send(message);
        }
    }

    pub(super) fn send(&mut self, message: ClientMessage) {
        self.outputs.push(Output::Send(message));
    }

    pub(super) fn take_id(&mut self) -> IntentId {
        // The greatest id is the pings'.
        let id = self.next_id % IntentId::MAX;
        self.next_id = id + 1;
        IntentId::try_from(id).expect("the remainder is in range")
    }

    pub(super) fn code(&self) -> Option<RoomCode> {
        self.room.as_ref().map(|view| view.state.code)
    }

    /// The number of the current game: the running one, or else the last one; 0 before the first.
    #[must_use]
    pub fn game(&self) -> u32 {
        let game = self.room.as_ref().and_then(|view| view.state.game.as_ref());
        game.map_or(0, |numbered| numbered.number)
    }

    /// Plays a cell.
    #[must_use]
    pub fn move_to(&self, cell: Cell) -> RoomIntent {
        let game = self.room.as_ref().and_then(|view| view.state.game.as_ref());
        let ply = game.map_or(0, |numbered| numbered.game.ply());
        RoomIntent::Play { game: self.game(), ply, cell }
    }

    /// Offers or accepts a rematch, or takes the offer back.
    #[must_use]
    pub fn rematch(&self) -> RoomIntent {
        let offer = !self.room.as_ref().is_some_and(RoomView::offered_by_me);
        RoomIntent::Rematch { game: self.game(), offer, series: None }
    }

    /// Asks for a new series, which begins at zero with the next game.
    #[must_use]
    pub fn new_series(&self, series: Series) -> RoomIntent {
        RoomIntent::Rematch { game: self.game(), offer: true, series: Some(series) }
    }

    /// Lets a paused computer make one move, or begin the next game.
    #[must_use]
    pub fn step(&self) -> RoomIntent {
        let game = self.room.as_ref().and_then(|view| view.state.game.as_ref());
        let ply = game.map_or(0, |numbered| numbered.game.ply());
        RoomIntent::Step { game: self.game(), ply }
    }

    /// Asks for the review of the last finished game.
    #[must_use]
    pub fn review(&self) -> RoomIntent {
        let game = self.room.as_ref().and_then(RoomView::last_finished);
        RoomIntent::Review { game: game.unwrap_or_default() }
    }
}

impl RoomView {
    /// Checks whether the player may do this, as far as this side knows. Each intent has its
    /// condition and its text here.
    fn check(&self, intent: &RoomIntent) -> Result<(), IntentError> {
        let (possible, otherwise) = match *intent {
            RoomIntent::Play { ply, cell, .. } => return self.check_move(ply, cell),
            RoomIntent::Choose { choice, .. } => return self.check_choice(choice),
            RoomIntent::Resign { .. } => (self.is_playing(), "you have no running game to resign"),
            RoomIntent::Rematch { series: Some(_), .. } => (
                self.may_rematch(),
                "you can begin a new series when your game is over: finish or resign it first",
            ),
            RoomIntent::Rematch { series: None, .. } => (
                self.may_rematch(),
                "you can offer a rematch when your game is over: finish or resign it first",
            ),
            RoomIntent::Hint { .. } if self.is_watching() => {
                (false, "you are watching: hints are for players")
            }
            RoomIntent::Hint { .. } => {
                (self.my_turn().is_some(), "you can ask for a hint when it is your turn")
            }
            RoomIntent::Review { .. } => {
                (self.last_finished().is_some(), "there is no game to review yet")
            }
            RoomIntent::Claim { .. } => (
                self.is_playing() && self.away_opponent().is_some(),
                "there is nothing to claim: your opponent is here, or no game is running",
            ),
            RoomIntent::Pace { .. } => (
                self.may_pace(),
                "only the player who made a room of two computers sets their pace",
            ),
            RoomIntent::Step { .. } => (
                self.may_pace() && self.state.pace == Pace::Paused,
                "the computers make single steps while you have paused them",
            ),
            RoomIntent::Say { .. }
            | RoomIntent::Mute { .. }
            | RoomIntent::Leave
            | RoomIntent::Sync => return Ok(()),
        };
        if possible { Ok(()) } else { Err(IntentError::NotNow(otherwise)) }
    }

    fn check_move(&self, ply: u16, cell: Cell) -> Result<(), IntentError> {
        let seat = self.mine.first().ok_or(IntentError::Watching)?;
        let numbered = self.state.game.as_ref().ok_or(IntentError::NoGame)?;
        let mark = match numbered.opening {
            Some(phase) if !self.mine.contains(&phase.by()) => {
                return Err(IntentError::OpponentsOpening);
            }
            Some(OpeningPhase::Choosing { .. }) => return Err(IntentError::ChooseFirst),
            // In an opening one player places the marks of both.
            Some(OpeningPhase::Placing { .. }) => numbered.game.to_move(),
            None => self.my_turn().unwrap_or(*seat),
        };
        let decided = numbered.decide(Move { ply, mark, cell });
        decided.map(|_| ()).map_err(IntentError::Illegal)
    }

    fn check_choice(&self, choice: OpeningChoice) -> Result<(), IntentError> {
        match self.my_choice() {
            None => Err(IntentError::NothingToChoose),
            Some(false) if choice == OpeningChoice::Add => Err(IntentError::AlreadyAdded),
            Some(_) => Ok(()),
        }
    }
}
