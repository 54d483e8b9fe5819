//! The player's intents, with the checks that need no server.

use noughts_protocol::{Cell, ClientMessage, LobbyIntent, Move, RoomCode, RoomIntent};

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
        let view = check(self.room.as_ref(), &intent)?;
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

    /// Plays a cell.
    ///
    /// # Errors
    /// As [`Session::intent`].
    pub fn play(&mut self, cell: Cell) -> Result<ClientMessage, IntentError> {
        let game = self.room.as_ref().and_then(|view| view.state.game.as_ref());
        let (game, ply) = game.map_or((0, 0), |now| (now.number, now.game.ply()));
        self.intent(RoomIntent::Play { game, ply, cell })
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

/// Checks whether the player may do this in the room, as far as this side knows. Each intent has its
/// condition and its text here.
fn check<'a>(view: Option<&'a RoomView>, intent: &RoomIntent) -> Result<&'a RoomView, IntentError> {
    let holds = |condition: fn(&RoomView) -> bool| view.filter(|view| condition(view));
    let (possible, otherwise) = match *intent {
        RoomIntent::Play { ply, cell, .. } => {
            let view = view.ok_or(IntentError::NoGame)?;
            if view.is_watching() {
                return Err(IntentError::Watching);
            }
            let numbered = view.state.game.as_ref().ok_or(IntentError::NoGame)?;
            let mark = view.mark_to_place(numbered)?;
            numbered.decide(Move { ply, mark, cell }).map_err(IntentError::Illegal)?;
            return Ok(view);
        }
        RoomIntent::Choose { choice, .. } => {
            let view = view.ok_or(IntentError::NoGame)?;
            view.check_choice(choice)?;
            return Ok(view);
        }
        RoomIntent::Resign { .. } => {
            (holds(RoomView::is_playing), "you have no running game to resign")
        }
        RoomIntent::Rematch { .. } => (
            holds(RoomView::may_rematch),
            "you can offer a rematch when your game is over: finish or resign it first",
        ),
        RoomIntent::Hint { .. } => {
            (holds(|view| view.my_turn().is_some()), "you can ask for a hint when it is your turn")
        }
        RoomIntent::Review { .. } => {
            (holds(|view| view.last_finished().is_some()), "there is no game to review yet")
        }
        RoomIntent::Claim { .. } => (
            holds(|view| view.is_playing() && view.away_opponent().is_some()),
            "there is nothing to claim: your opponent is here, or no game is running",
        ),
        RoomIntent::Leave | RoomIntent::Sync => (view, "you are in no room"),
    };
    possible.ok_or(IntentError::NotNow(otherwise))
}
