//! The action that the player chose, on the command line or in a menu, and the intent that starts it.

use noughts_protocol::{
    BoardSpec, ByMark, Computer, ComputerFallback, Date, GameId, LobbyIntent, MarkChoice,
    PartyCode, PartyRole, Role, RoomCode, RoomSettings, SeatRequest, Variant,
};

/// The action that the player chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Choose from the menu.
    Menu,
    /// Enter a room or a party with this intent: `create`, `join`, `quick_match`, `create_party` or
    /// `join_party`.
    Enter(LobbyIntent),
    /// List the public rooms and enter one.
    Lobby,
    /// Print the public rooms.
    Rooms,
    /// List the player's own kept games.
    Games,
    /// Show the player's own profile.
    Profile,
    /// Show the strongest players.
    Leaders,
    /// Show a kept game again.
    Replay(GameId),
    /// Solve the puzzle of a day, of today without one.
    Puzzle(Option<Date>),
    /// Print the answer to a question about kept games or people.
    Answer,
}

impl Action {
    /// Enters a room.
    #[must_use]
    pub const fn join(room: RoomCode, role: Role) -> Self {
        Self::Enter(LobbyIntent::Join { room, role })
    }

    /// Joins a party.
    #[must_use]
    pub const fn join_party(party: PartyCode, role: PartyRole) -> Self {
        Self::Enter(LobbyIntent::JoinParty { party, role })
    }

    /// The party that it leads to, if it is known.
    #[must_use]
    pub const fn party(&self) -> Option<PartyCode> {
        match self {
            Self::Enter(LobbyIntent::JoinParty { party, .. }) => Some(*party),
            _ => None,
        }
    }

    /// Makes a room in which the player has `mark` and `opponent` has the other seat.
    #[must_use]
    pub fn create(opponent: SeatRequest, mark: MarkChoice, settings: RoomSettings) -> Self {
        let (x, o) = match mark {
            MarkChoice::X | MarkChoice::Random => (SeatRequest::You, opponent),
            MarkChoice::O => (opponent, SeatRequest::You),
        };
        let seats = ByMark { x, o };
        let shuffle = mark == MarkChoice::Random;
        Self::Enter(LobbyIntent::Create { settings, seats, shuffle })
    }

    /// Makes a room in which two computers play.
    #[must_use]
    pub const fn exhibition(x: Computer, o: Computer, settings: RoomSettings) -> Self {
        let seats = ByMark { x: SeatRequest::Computer(x), o: SeatRequest::Computer(o) };
        Self::Enter(LobbyIntent::Create { settings, seats, shuffle: false })
    }

    /// Plays a stranger, or the usual computer if nobody comes in time.
    #[must_use]
    pub fn quick_match(variant: Variant, board: BoardSpec, computer_after_ms: Option<u32>) -> Self {
        let computer = computer_after_ms
            .map(|after_ms| ComputerFallback { after_ms, computer: Computer::OPPONENT });
        Self::Enter(LobbyIntent::QuickMatch { board, variant, move_time_ms: None, computer })
    }

    /// Whether it prints something once, also on a full terminal.
    #[must_use]
    pub const fn prints(&self) -> bool {
        matches!(self, Self::Rooms | Self::Answer)
    }

    /// Whether the player waits for a stranger.
    pub(crate) const fn is_quick_match(&self) -> bool {
        matches!(self, Self::Enter(LobbyIntent::QuickMatch { .. }))
    }

    /// The intent that starts the action, or `None` for the menu.
    #[must_use]
    pub fn intent(&self) -> Option<LobbyIntent> {
        match self {
            Self::Menu
            | Self::Games
            | Self::Profile
            | Self::Leaders
            | Self::Replay(_)
            | Self::Puzzle(_)
            | Self::Answer => None,
            Self::Enter(intent) => Some(intent.clone()),
            Self::Lobby | Self::Rooms => Some(LobbyIntent::WatchLobby),
        }
    }
}
