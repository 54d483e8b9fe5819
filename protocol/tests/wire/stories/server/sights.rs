//! The server's messages that are no facts: hints, reviews, its list of rooms.

use super::*;

impl Server {
    /// A hint for the position on the board.
    pub(in crate::wire::stories) fn hint(&self) -> ServerMessage {
        let running = self.room.running().expect("a running game");
        let cells = running.game.board().empty_cells().take(1).collect();
        let (room, game, ply) = (self.room.code, running.number, running.game.ply());
        let (reason, message) = (HintReason::Best, "the best".into());
        ServerMessage::Hint(Hint { room, game, ply, cells, reason, message })
    }

    pub(in crate::wire::stories) fn review(&self, game: u32) -> ServerMessage {
        let first = self.room.game.as_ref().expect("a game").game.first();
        let room = self.room.code;
        ServerMessage::Review(Review { room, game, first, proven: false, moves: Vec::new() })
    }
}

/// The list of a server with one room.
pub(in crate::wire::stories) fn lobby() -> ServerMessage {
    let room = noughts_protocol::RoomSummary {
        room: "BCDFG".parse().expect("a code"),
        settings: RoomSettings { listed: true, ..RoomSettings::default() },
        seats: noughts_protocol::ByMark { x: seat_of(BEN), o: Seat::Open },
        score: noughts_protocol::Score::default(),
        game: None,
        spectators: 0,
    };
    ServerMessage::Lobby { waiting: vec![room], playing: Vec::new(), more: 0 }
}
