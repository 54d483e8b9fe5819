//! What the player wants to do, from the command line or a menu, and the intent that starts it.

use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, Computer, ComputerFallback, IntentId, Role, RoomCode,
    RoomSettings, SeatRequest,
};

/// What the player wants to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Choose from the menu.
    Menu,
    /// Create a room.
    Create(NewRoom),
    /// Enter a room.
    Join {
        /// The room's code.
        room: RoomCode,
        /// As a player or as a spectator.
        role: Role,
    },
    /// Play a stranger.
    Quick {
        /// The board. Only players with the same board are matched.
        board: BoardSpec,
        /// The computer that plays if no stranger comes in time.
        computer: Option<ComputerFallback>,
    },
    /// List the public rooms and enter one.
    Lobby,
    /// Print the public rooms.
    Rooms,
}

/// A room to create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRoom {
    /// The room's rules.
    pub settings: RoomSettings,
    /// Who gets which seat.
    pub seats: ByMark<SeatRequest>,
    /// Whether the server draws the marks.
    pub shuffle: bool,
}

/// The mark of the player who creates a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkChoice {
    /// X.
    X,
    /// O.
    O,
    /// The server draws it.
    Random,
}

impl NewRoom {
    /// A room in which the player has `mark` and `opponent` has the other seat.
    #[must_use]
    pub fn against(opponent: SeatRequest, mark: MarkChoice, settings: RoomSettings) -> Self {
        let (x, o) = match mark {
            MarkChoice::X | MarkChoice::Random => (SeatRequest::You, opponent),
            MarkChoice::O => (opponent, SeatRequest::You),
        };
        Self { settings, seats: ByMark { x, o }, shuffle: mark == MarkChoice::Random }
    }

    /// A room in which two computers play.
    #[must_use]
    pub const fn exhibition(x: Computer, o: Computer, settings: RoomSettings) -> Self {
        let seats = ByMark { x: SeatRequest::Computer(x), o: SeatRequest::Computer(o) };
        Self { settings, seats, shuffle: false }
    }
}

impl Action {
    /// The intent that starts the action, or `None` for the menu.
    #[must_use]
    pub fn intent(&self, id: IntentId) -> Option<ClientMessage> {
        Some(match *self {
            Self::Menu => return None,
            Self::Create(NewRoom { settings, seats, shuffle }) => {
                ClientMessage::Create { id, settings, seats, shuffle }
            }
            Self::Join { room, role } => ClientMessage::Join { id, room, role },
            Self::Quick { board, computer } => {
                ClientMessage::QuickMatch { id, board, move_time_ms: None, computer }
            }
            Self::Lobby | Self::Rooms => ClientMessage::WatchLobby { id },
        })
    }
}
