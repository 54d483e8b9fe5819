//! What the player may ask for, each with the checks that need no server.

use noughts_protocol::{Cell, ClaimedResult, ClientMessage, Move, Role, RoomCode};

use super::{Entering, NoMove, Session};
use crate::goal::Goal;

impl Session {
    /// The intent that begins a goal.
    pub fn begin(&mut self, goal: &Goal) -> Option<ClientMessage> {
        let intent = goal.intent(self.ids.next())?;
        if !matches!(intent, ClientMessage::WatchLobby { .. }) {
            self.entering = match goal {
                Goal::Join { room, .. } => Entering::Room(*room),
                _ => Entering::Any,
            };
        }
        Some(self.counted(intent))
    }

    /// Enters a room.
    pub fn join(&mut self, room: RoomCode, role: Role) -> ClientMessage {
        self.entering = Entering::Room(room);
        let id = self.ids.next();
        self.counted(ClientMessage::Join { id, room, role })
    }

    /// Stops waiting for a quick match.
    pub fn cancel_match(&mut self) -> ClientMessage {
        let id = self.ids.next();
        self.counted(ClientMessage::CancelMatch { id })
    }

    /// Asks for no more of the lobby.
    pub fn unwatch_lobby(&mut self) -> ClientMessage {
        let id = self.ids.next();
        self.counted(ClientMessage::UnwatchLobby { id })
    }

    /// Makes a move, after the same check as the server's.
    ///
    /// # Errors
    /// Where it would be refused; the text says what to do.
    pub fn play(&mut self, cell: Cell) -> Result<ClientMessage, NoMove> {
        let view = self.room.as_ref().ok_or(NoMove::NoGame)?;
        if view.mine.is_empty() {
            return Err(NoMove::Watching);
        }
        let numbered = view.state.game.as_ref().ok_or(NoMove::NoGame)?;
        let (game, ply) = (numbered.number, numbered.game.ply());
        let mark = view.mark_to_place(numbered)?;
        numbered.check(Move { ply, mark, cell }).map_err(NoMove::Illegal)?;
        if self.sent == Some((game, ply)) {
            return Err(NoMove::OnItsWay);
        }
        let room = view.state.code;
        self.sent = Some((game, ply));
        let id = self.ids.next();
        Ok(self.counted(ClientMessage::Play { id, room, game, ply, cell }))
    }

    /// Whether a move or a choice was sent and is not on the board yet.
    #[must_use]
    pub fn move_on_its_way(&self) -> bool {
        let game = self.room.as_ref().and_then(|view| view.state.running());
        game.is_some_and(|numbered| {
            let (number, ply, phase) = (numbered.number, numbered.game.ply(), numbered.opening);
            self.sent == Some((number, ply)) || self.chose == Some((number, phase))
        })
    }

    /// Gives the running game up; nothing where the player plays none.
    pub fn resign(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.is_playing())?;
        let (room, game) = (view.state.code, view.state.running()?.number);
        let id = self.ids.next();
        Some(self.counted(ClientMessage::Resign { id, room, game }))
    }

    /// Offers or accepts a rematch, or takes the offer back; nothing where there is none to make.
    pub fn rematch(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.may_rematch())?;
        let game = view.state.game.as_ref()?.number;
        let (room, offer) = (view.state.code, !view.i_offer());
        let id = self.ids.next();
        Some(self.counted(ClientMessage::Rematch { id, room, game, offer }))
    }

    /// Asks for a hint; nothing where it is not the player's turn.
    pub fn hint(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.my_turn().is_some())?;
        let (room, game) = (view.state.code, view.state.running()?.number);
        let id = self.ids.next();
        Some(self.counted(ClientMessage::Hint { id, room, game }))
    }

    /// Asks for the review of the last game that is over; nothing where there is none.
    pub fn review(&mut self) -> Option<ClientMessage> {
        let view = self.room.as_ref()?;
        let (room, game) = (view.state.code, view.last_over()?);
        let id = self.ids.next();
        Some(self.counted(ClientMessage::Review { id, room, game }))
    }

    /// Claims a game whose opponent is away; nothing where there is nobody to claim against.
    pub fn claim(&mut self, result: ClaimedResult) -> Option<ClientMessage> {
        let view = self.room.as_ref().filter(|view| view.is_playing())?;
        view.away()?;
        let (room, game) = (view.state.code, view.state.running()?.number);
        let id = self.ids.next();
        Some(self.counted(ClientMessage::Claim { id, room, game, result }))
    }

    /// Leaves the room, and the seat in it.
    pub fn leave(&mut self) -> Option<ClientMessage> {
        let room = self.room.as_ref()?.state.code;
        self.forget_room();
        let id = self.ids.next();
        Some(self.counted(ClientMessage::Leave { id, room }))
    }
}
