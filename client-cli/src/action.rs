//! What the player wants to do, from the command line or a menu, and the intent that starts it.

use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, Computer, ComputerFallback, FirstMove, IntentId, Role,
    RoomCode, RoomSettings, SeatRequest,
};

use crate::args::{Command, MarkChoice, PlayArgs, WatchArgs};

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
    /// Converts a command. `link` is the room of `--server`, if that was a room's link.
    #[must_use]
    pub fn of_command(command: Option<&Command>, link: Option<RoomCode>) -> Self {
        match command {
            Some(Command::Play(play)) => Self::of_play(play, link),
            Some(Command::Quick(quick)) => Self::Quick {
                board: quick.board,
                computer: quick.computer_after.map(|time| ComputerFallback {
                    after_ms: u32::try_from(time.as_millis()).unwrap_or(u32::MAX),
                    computer: Computer::default(),
                }),
            },
            Some(Command::Watch(watch)) => Self::of_watch(watch, link),
            Some(Command::Rooms) => Self::Rooms,
            Some(Command::Completions { .. } | Command::Servers) | None => {
                link.map_or(Self::Menu, |room| Self::Join { room, role: Role::Player })
            }
        }
    }

    fn of_play(play: &PlayArgs, link: Option<RoomCode>) -> Self {
        let settings = RoomSettings {
            board: play.board,
            first: play.first,
            opening: play.opening,
            // `--move-time` is a week at most, which fits.
            move_time_ms: play.move_time.map(|time| time.as_millis() as u32),
            listed: play.listed,
            spectators: !play.no_spectators,
            hints: !play.no_hints,
            evaluation: play.evaluation,
            ..RoomSettings::default()
        };
        if play.both {
            return Self::Create(NewRoom::against(SeatRequest::You, MarkChoice::X, settings));
        }
        if let Some(computer) = play.opponent() {
            let computer = SeatRequest::Computer(computer);
            return Self::Create(NewRoom::against(computer, play.mark, settings));
        }
        match play.code.as_ref().map(|code| code.code).or(link) {
            Some(room) => Self::Join { room, role: Role::Player },
            None => Self::Create(NewRoom::against(SeatRequest::Open, play.mark, settings)),
        }
    }

    fn of_watch(watch: &WatchArgs, link: Option<RoomCode>) -> Self {
        if let Some((x, o)) = watch.computers() {
            let settings = RoomSettings {
                board: watch.board,
                first: FirstMove::Alternate,
                ..RoomSettings::default()
            };
            return Self::Create(NewRoom::exhibition(x, o, settings));
        }
        match watch.code.as_ref().map(|code| code.code).or(link) {
            Some(room) => Self::Join { room, role: Role::Spectator },
            None => Self::Lobby,
        }
    }

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

#[cfg(test)]
mod tests {
    use noughts_protocol::Strength;

    use super::*;
    use crate::args::Args;

    fn action(line: &str) -> Action {
        let args = Args::read(line.split_whitespace()).unwrap();
        let link = args.global.server.as_ref().and_then(|link| link.room);
        Action::of_command(args.command.as_ref(), link)
    }

    fn code() -> RoomCode {
        "KQRZX".parse().unwrap()
    }

    #[test]
    fn commands_lead_to_rooms() {
        assert_eq!(action("noughts"), Action::Menu);
        let play = Action::Join { room: code(), role: Role::Player };
        assert_eq!(action("noughts play KQRZX"), play);
        assert_eq!(action("noughts --server http://host/r/KQRZX"), play);
        assert_eq!(action("noughts play --server http://host/r/KQRZX"), play);
        let watch = Action::Join { room: code(), role: Role::Spectator };
        assert_eq!(action("noughts watch KQRZX"), watch);
        assert_eq!(action("noughts watch"), Action::Lobby);
    }

    #[test]
    fn the_mark_decides_the_seats() {
        let Action::Create(room) = action("noughts play --mark o --computer weak") else {
            panic!()
        };
        assert_eq!(room.seats.o, SeatRequest::You);
        assert!(matches!(room.seats.x, SeatRequest::Computer(c) if c.strength == Strength::Weak));
        let Action::Create(room) = action("noughts play --both") else { panic!() };
        assert_eq!(room.seats, ByMark { x: SeatRequest::You, o: SeatRequest::You });
        let Action::Create(room) = action("noughts play --mark random") else { panic!() };
        assert!(room.shuffle);
    }
}
