//! The player's intents, with the checks that need no server.

use noughts_protocol::{
    Cell, ClientMessage, LobbyIntent, Move, OpeningChoice, OpeningPhase, RoomCode, RoomIntent,
};

use super::{Entering, IntentError, RoomView, Session};
use crate::core::Action;

impl Session {
    /// The message that starts an action.
    pub fn begin(&mut self, action: &Action) -> Option<ClientMessage> {
        Some(self.lobby(action.intent()?))
    }

    /// The message of an intent for the lobby.
    pub fn lobby(&mut self, intent: LobbyIntent) -> ClientMessage {
        match intent {
            LobbyIntent::Join { room, .. } => self.entering = Entering::Room(room),
            LobbyIntent::Create { .. } | LobbyIntent::QuickMatch { .. } => {
                self.entering = Entering::Any;
            }
            _ => {}
        }
        self.unanswered += 1;
        ClientMessage::Lobby { intent, id: self.ids.next() }
    }

    /// The message of an intent for the room.
    ///
    /// # Errors
    /// If the server would refuse it. The error says what to do.
    pub fn intent(&mut self, intent: RoomIntent) -> Result<ClientMessage, IntentError> {
        let view = self.room.as_ref().ok_or(IntentError::NoRoom)?;
        view.check(intent)?;
        let room = view.state.code;
        match intent {
            RoomIntent::Play { .. } | RoomIntent::Choose { .. } => {
                let position = view.position();
                if self.sent_at == position {
                    return Err(IntentError::Unconfirmed);
                }
                self.sent_at = position;
            }
            RoomIntent::Leave => self.forget_room(),
            _ => {}
        }
        Ok(self.room_message(room, intent))
    }

    pub(super) fn room_message(&mut self, room: RoomCode, intent: RoomIntent) -> ClientMessage {
        self.unanswered += 1;
        ClientMessage::Room { intent, id: self.ids.next(), room }
    }

    /// The message of a move.
    ///
    /// # Errors
    /// As [`Session::intent`].
    pub fn play(&mut self, cell: Cell) -> Result<ClientMessage, IntentError> {
        self.intent(self.move_to(cell))
    }

    /// Whether a move or a choice was sent and is not on the board yet.
    #[must_use]
    pub fn has_unconfirmed_move(&self) -> bool {
        self.sent_at.is_some() && self.sent_at == self.room.as_ref().and_then(RoomView::position)
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
        RoomIntent::Rematch { game: self.game(), offer }
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
    fn check(&self, intent: RoomIntent) -> Result<(), IntentError> {
        let (possible, otherwise) = match intent {
            RoomIntent::Play { ply, cell, .. } => return self.check_move(ply, cell),
            RoomIntent::Choose { choice, .. } => return self.check_choice(choice),
            RoomIntent::Resign { .. } => (self.is_playing(), "you have no running game to resign"),
            RoomIntent::Rematch { .. } => (
                self.may_rematch(),
                "you can offer a rematch when your game is over: finish or resign it first",
            ),
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
            RoomIntent::Leave | RoomIntent::Sync => return Ok(()),
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
