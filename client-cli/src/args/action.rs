//! The action that a command line asks for.

use noughts_protocol::{
    Computer, ComputerFallback, FirstMove, LobbyIntent, Role, RoomCode, RoomSettings, SeatRequest,
};

use super::{Args, Command, PlayArgs, WatchArgs};
use crate::core::{Action, MarkChoice};

impl Args {
    /// The action that the command line asks for. A room's link in `--server` names the room.
    #[must_use]
    pub fn action(&self) -> Action {
        let link = self.link().or(self.global.server.as_ref()).and_then(|link| link.room);
        match &self.command {
            Some(Command::Play(play)) => play_action(play, link),
            Some(Command::Quick(quick)) => Action::Enter(LobbyIntent::QuickMatch {
                board: quick.board,
                move_time_ms: None,
                computer: quick.computer_after.map(|time| ComputerFallback {
                    after_ms: u32::try_from(time.as_millis()).unwrap_or(u32::MAX),
                    computer: Computer::default(),
                }),
            }),
            Some(Command::Watch(watch)) => watch_action(watch, link),
            Some(Command::Rooms) => Action::Rooms,
            Some(Command::Completions { .. } | Command::Servers) | None => {
                link.map_or(Action::Menu, |room| Action::join(room, Role::Player))
            }
        }
    }
}

fn play_action(play: &PlayArgs, link: Option<RoomCode>) -> Action {
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
        return Action::create(SeatRequest::You, MarkChoice::X, settings);
    }
    if let Some(computer) = play.opponent() {
        let computer = SeatRequest::Computer(computer);
        return Action::create(computer, play.mark, settings);
    }
    match play.code.as_ref().map(|code| code.code).or(link) {
        Some(room) => Action::join(room, Role::Player),
        None => Action::create(SeatRequest::Open, play.mark, settings),
    }
}

fn watch_action(watch: &WatchArgs, link: Option<RoomCode>) -> Action {
    if let Some((x, o)) = watch.computers() {
        let settings = RoomSettings {
            board: watch.board,
            first: FirstMove::Alternate,
            ..RoomSettings::default()
        };
        return Action::exhibition(x, o, settings);
    }
    match watch.code.as_ref().map(|code| code.code).or(link) {
        Some(room) => Action::join(room, Role::Spectator),
        None => Action::Lobby,
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{ByMark, Strength};

    use super::*;

    fn action(line: &str) -> Action {
        Args::read(line.split_whitespace()).unwrap().action()
    }

    fn code() -> RoomCode {
        "KQRZX".parse().unwrap()
    }

    #[test]
    fn commands_lead_to_rooms() {
        assert_eq!(action("noughts"), Action::Menu);
        let play = Action::join(code(), Role::Player);
        assert_eq!(action("noughts play KQRZX"), play);
        assert_eq!(action("noughts --server http://host/r/KQRZX"), play);
        assert_eq!(action("noughts play --server http://host/r/KQRZX"), play);
        let watch = Action::join(code(), Role::Spectator);
        assert_eq!(action("noughts watch KQRZX"), watch);
        assert_eq!(action("noughts watch"), Action::Lobby);
    }

    #[test]
    fn the_mark_decides_the_seats() {
        let create = |line| {
            let Action::Enter(LobbyIntent::Create { seats, shuffle, .. }) = action(line) else {
                panic!()
            };
            (seats, shuffle)
        };
        let (seats, _) = create("noughts play --mark o --computer weak");
        assert_eq!(seats.o, SeatRequest::You);
        assert!(matches!(seats.x, SeatRequest::Computer(c) if c.strength == Strength::Weak));
        let both = ByMark { x: SeatRequest::You, o: SeatRequest::You };
        assert_eq!(create("noughts play --both"), (both, false));
        assert!(create("noughts play --mark random").1);
    }
}
