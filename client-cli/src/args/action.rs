//! The action that a command line asks for.

use noughts_protocol::{MarkChoice, PartyRole, Role, RoomCode, RoomSettings, SeatRequest};

use super::settings::board_of;
use super::{Args, Command, PlayArgs, WatchArgs};
use crate::action::Action;

impl Args {
    /// The action that the command line asks for. A link in `--server` names the room or the party, unless the
    /// command does, or makes a game.
    pub(crate) fn action(&self) -> Action {
        let is_clear = match &self.command {
            Some(Command::Play(play)) => {
                play.code.is_some() || play.both || play.opponent().is_some()
            }
            Some(Command::Watch(watch)) => watch.code.is_some() || watch.computers().is_some(),
            _ => false,
        };
        let named = self.link().or(self.global.server.as_ref().filter(|_| !is_clear));
        let link = named.and_then(|link| link.room);
        if let Some(party) = named.and_then(|link| link.party) {
            match &self.command {
                None | Some(Command::Play(_)) => {
                    return Action::join_party(party, PartyRole::Player);
                }
                Some(Command::Watch(_)) => return Action::join_party(party, PartyRole::Spectator),
                _ => {}
            }
        }
        match &self.command {
            Some(Command::Party(party)) => party.action(self.global.name.as_ref()),
            Some(Command::Play(play)) => play_action(play, link),
            Some(Command::Quick(quick)) => {
                let board = board_of(quick.variant, quick.board);
                Action::quick_match(quick.variant, board, quick.computer_after)
            }
            Some(Command::Watch(watch)) => watch_action(watch, link),
            Some(Command::Bot(bot)) => Action::join(bot.code.id, Role::Player),
            Some(Command::Rooms) => Action::Rooms,
            Some(
                Command::History(_)
                | Command::Profile(_)
                | Command::Leaders(_)
                | Command::Identity(_)
                | Command::Pass(_)
                | Command::Forget(_)
                | Command::Mcp,
            ) => Action::Answer,
            Some(Command::Replay(replay)) => Action::Replay(replay.game.id),
            Some(Command::Puzzle(puzzle)) => Action::Puzzle(puzzle.date),
            Some(
                Command::Completions { .. }
                | Command::Man { .. }
                | Command::Servers
                | Command::Ssh(_),
            )
            | None => {
                let game = self.global.server.as_ref().and_then(|link| link.game);
                let other = game.map_or(Action::Menu, Action::Replay);
                link.map_or(other, |room| Action::join(room, Role::Player))
            }
        }
    }
}

fn play_action(play: &PlayArgs, link: Option<RoomCode>) -> Action {
    let (mark, settings) = play.game.0;
    if play.both {
        return Action::create(SeatRequest::You, MarkChoice::X, settings);
    }
    if let Some(computer) = play.opponent() {
        let computer = SeatRequest::Computer(computer);
        return Action::create(computer, mark, settings);
    }
    match play.code.as_ref().map(|code| code.id).or(link) {
        Some(room) => Action::join(room, Role::Player),
        None => Action::create(SeatRequest::Open, mark, settings),
    }
}

fn watch_action(watch: &WatchArgs, link: Option<RoomCode>) -> Action {
    if let Some((x, o)) = watch.computers() {
        let board = board_of(watch.variant, watch.board);
        let variant = watch.variant;
        let settings = RoomSettings { variant, board, ..RoomSettings::default() };
        return Action::exhibition(x, o, settings);
    }
    match watch.code.as_ref().map(|code| code.id).or(link) {
        Some(room) => Action::join(room, Role::Spectator),
        None => Action::Lobby,
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{ByMark, LobbyIntent, Strength};

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
        assert_eq!(action("noughts watch http://host/r/KQRZX"), watch);
        assert_eq!(action("noughts watch"), Action::Lobby);
        let replay = Action::Replay(noughts_protocol::GameId(0x0123_4567_89ab_cdef));
        assert_eq!(action("noughts replay 0123456789abcdef"), replay);
        assert_eq!(action("noughts replay http://host/g/0123456789abcdef"), replay);
        assert_eq!(action("noughts --server http://host/g/0123456789abcdef"), replay);
        assert_eq!(action("noughts history --result won"), Action::Answer);
        let party = |role| Action::join_party("KQRZX".parse().unwrap(), role);
        for line in [
            "noughts party join KQRZX",
            "noughts party join http://host/party/KQRZX",
            "noughts play http://host/party/KQRZX",
            "noughts --server http://host/party/KQRZX",
        ] {
            assert_eq!(action(line), party(PartyRole::Player), "{line}");
        }
        for line in
            ["KQRZX", "--computer weak", "--both"].map(|what| format!("noughts play {what}"))
        {
            let with_link = format!("{line} --server http://host/party/BCDFG");
            assert_eq!(action(&with_link), action(&line), "the command outranks the link");
        }
        for line in ["noughts party watch kqrzx", "noughts watch http://host/party/KQRZX/screen"] {
            assert_eq!(action(line), party(PartyRole::Spectator), "{line}");
        }
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
