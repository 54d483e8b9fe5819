//! The intents of the player, with the checks that need no server.

use noughts_protocol::{Cell, ClaimedResult, ClientMessage, Move, Role, RoomCode};

use super::{Entering, MoveError, Session};
use crate::core::Action;

impl Session {
    /// The intent that starts an action.
    pub fn begin(&mut self, action: &Action) -> Option<ClientMessage> {
        let intent = action.intent(self.ids.next())?;
        if !matches!(intent, ClientMessage::WatchLobby { .. }) {
            self.entering = match action {
                Action::Join { room, .. } => Entering::Room(*room),
                _ => Entering::Any,
            };
        }
        Some(self.track(intent))
    }

    /// Enters a room.
    pub fn join(&mut self, room: RoomCode, role: Role) -> ClientMessage {
        self.entering = Entering::Room(room);
        let id = self.ids.next();
        self.track(ClientMessage::Join { id, room, role })
    }

    /// Leaves the queue for a quick match.
    pub fn cancel_match(&mut self) -> ClientMessage {
        let id = self.ids.next();
        self.track(ClientMessage::CancelMatch { id })
    }

    /// Stops watching the lobby.
    pub fn unwatch_lobby(&mut self) -> ClientMessage {
        let id = self.ids.next();
        self.track(ClientMessage::UnwatchLobby { id })
    }

    /// Plays a cell, after the same check as the server's.
    ///
    /// # Errors
    /// If the server would refuse it. The message says what to do.
    pub fn play(&mut self, cell: Cell) -> Result<ClientMessage, MoveError> {
        let view = self.room.as_ref().ok_or(MoveError::NoGame)?;
        if view.mine.is_empty() {
            return Err(MoveError::Watching);
        }
        let numbered = view.state.game.as_ref().ok_or(MoveError::NoGame)?;
        let (game, ply) = (numbered.number, numbered.game.ply());
        let mark = view.mark_to_place(numbered)?;
        numbered.check(Move { ply, mark, cell }).map_err(MoveError::Illegal)?;
        if self.sent_move == Some((game, ply)) {
            return Err(MoveError::Unconfirmed);
        }
        let room = view.state.code;
        self.sent_move = Some((game, ply));
        let id = self.ids.next();
        Ok(self.track(ClientMessage::Play { id, room, game, ply, cell }))
    }

    /// Whether a move or a choice was sent and is not on the board yet.
    #[must_use]
    pub fn has_unconfirmed_move(&self) -> bool {
        let game = self.room.as_ref().and_then(|view| view.state.running());
        game.is_some_and(|numbered| {
            let (number, ply, phase) = (numbered.number, numbered.game.ply(), numbered.opening);
            self.sent_move == Some((number, ply)) || self.sent_choice == Some((number, phase))
        })
    }

    /// Resigns the running game. `None` if the player plays none.
    pub fn resign(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.is_playing())?;
        let (room, game) = (view.state.code, view.state.running()?.number);
        let id = self.ids.next();
        Some(self.track(ClientMessage::Resign { id, room, game }))
    }

    /// Offers or accepts a rematch, or withdraws the offer. `None` if that is not possible now.
    pub fn rematch(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.may_rematch())?;
        let game = view.state.game.as_ref()?.number;
        let (room, offer) = (view.state.code, !view.offered_by_me());
        let id = self.ids.next();
        Some(self.track(ClientMessage::Rematch { id, room, game, offer }))
    }

    /// Asks for a hint. `None` if it is not the player's turn.
    pub fn hint(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.my_turn().is_some())?;
        let (room, game) = (view.state.code, view.state.running()?.number);
        let id = self.ids.next();
        Some(self.track(ClientMessage::Hint { id, room, game }))
    }

    /// Asks for the review of the last finished game. `None` if there is none.
    pub fn review(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref()?;
        let (room, game) = (view.state.code, view.last_finished()?);
        let id = self.ids.next();
        Some(self.track(ClientMessage::Review { id, room, game }))
    }

    /// Claims the game. `None` if the opponent is not away.
    pub fn claim(&mut self, result: ClaimedResult) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.is_playing())?;
        view.away_opponent()?;
        let (room, game) = (view.state.code, view.state.running()?.number);
        let id = self.ids.next();
        Some(self.track(ClientMessage::Claim { id, room, game, result }))
    }

    /// Leaves the room and the seat.
    pub fn leave(&mut self) -> Option<ClientMessage> {
        let room = self.room.as_ref()?.state.code;
        self.forget_room();
        let id = self.ids.next();
        Some(self.track(ClientMessage::Leave { id, room }))
    }
}
