//! The player of a run: the name, and what is remembered between two runs. [`crate::config`] keeps
//! it in a file.

use noughts_client::address::ServerAddress;
use noughts_client::session::{Happening, PartyView, Session};
use noughts_protocol::{
    ClientMessage, Date, LobbyIntent, PartyIntent, PlayerName, Refusal, RefusalCode, RoomIntent,
};

use crate::action::Action;
use crate::args::{Args, Command, PartyCommand};
use crate::config::{self, Change, ConfigFile, ProfileChoice, SavedProfile, login_name};
use crate::net::servers::ServerChoice;
use crate::puzzle::{Attempt, Streak};

/// The folder of programs that play, beside the person's file.
const BOTS: &str = "bots";

/// The player of a run.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    /// The name that the player wants. Others may see one that the host of a server has given.
    pub(crate) name: PlayerName,
    /// Whether the player ever gave the name. Else it is the login's.
    pub(crate) named: bool,
    pub(crate) saved: SavedProfile,
    /// Whether the next run is the same player: a guest of a session over ssh is not.
    pub(crate) is_kept: bool,
}

impl Profile {
    /// The profile for a run with these arguments, its file, and a warning if the file is broken.
    ///
    /// # Errors
    /// If there is no folder for the settings.
    pub(crate) fn open(args: &Args) -> anyhow::Result<(Self, ConfigFile, Option<String>)> {
        let link = args.link().or(args.global.server.as_ref());
        let room = args.seat().or(link.and_then(|link| link.room));
        let choice = match (room, &args.command, args.action()) {
            (
                Some(room),
                None
                | Some(
                    Command::Play(_) | Command::Bot(_) | Command::Party(PartyCommand::Join { .. }),
                ),
                _,
            ) => ProfileChoice::SeatedIn(room),
            (_, Some(Command::Mcp), _) => ProfileChoice::FirstFree,
            (.., Action::Answer | Action::Replay(_)) => ProfileChoice::Shared,
            _ => ProfileChoice::FirstFree,
        };
        let mut folder = config::folder(args.global.config_dir.as_deref())?;
        if matches!(args.command, Some(Command::Bot(_) | Command::Mcp)) {
            // A program is somebody else than the person who starts it.
            folder.push(BOTS);
        }
        let file = ConfigFile::open(&folder, choice);
        let (saved, warning) = file.load();
        let name = args.global.name.clone().or_else(|| saved.name.clone());
        let named = name.is_some();
        let name = name.unwrap_or_else(|| login_name(file.number()));
        Ok((Self { name, named, saved, is_kept: true }, file, warning))
    }

    /// The last server that answered, then those that the player once named.
    pub(crate) fn servers(&self) -> impl Iterator<Item = ServerAddress> {
        self.saved.server().into_iter().chain(self.saved.typed())
    }

    /// Notes that the puzzle of today was solved or shown. Returns what changes in the file, and the streak in words.
    pub(crate) fn note(
        &mut self,
        attempt: &Attempt,
        today: Date,
    ) -> Option<(Change, Option<String>)> {
        let change = Change::Puzzle { day: today, shown: attempt.decides(today)? };
        let before = self.saved.puzzles;
        self.saved.apply(change.clone());
        (self.saved.puzzles != before).then(|| (change, self.saved.puzzles.and_then(Streak::told)))
    }

    /// Keeps what has happened: the token of a welcome, the room of a seat, the party of a place.
    /// Returns what changes in the file.
    pub(crate) fn remember(
        &mut self,
        happening: &Happening,
        session: &Session,
        choice: &ServerChoice,
        keep_password: bool,
    ) -> Option<Change> {
        let room = session.room();
        // The party leads its players to their tables.
        let seated = room.filter(|view| !view.is_watching() && view.state.settings.party.is_none());
        let change = match happening {
            Happening::Welcome { welcome, .. } => {
                if !welcome.is_given {
                    self.name = welcome.name.clone();
                }
                Change::Welcomed {
                    server: choice.server.clone(),
                    name: self.name.clone(),
                    token: welcome.token.clone(),
                    typed: !choice.discovered.contains(&choice.server),
                    password: choice.password.clone().filter(|_| keep_password),
                }
            }
            Happening::Forgotten => Change::Forgotten(choice.server.clone()),
            Happening::Entered | Happening::Refreshed if let Some(view) = seated => {
                Change::Seat(view.state.code)
            }
            Happening::Entered => Change::NoSeat(room?.state.code),
            Happening::Party => {
                let plays_or_leads =
                    |view: &&PartyView| view.is_host() || view.me().is_some_and(|me| !me.left);
                Change::Seat(session.party().filter(plays_or_leads)?.state.code.0)
            }
            Happening::Applied(ClientMessage::Party {
                intent: PartyIntent::LeaveParty,
                party,
                ..
            })
            | Happening::PartyLost(party, _) => Change::NoSeat(party.0),
            Happening::Refused(
                ClientMessage::Lobby { intent: LobbyIntent::Join { room, .. }, .. },
                Refusal { code: RefusalCode::NoSuchRoom, .. },
            )
            | Happening::Applied(ClientMessage::Room { intent: RoomIntent::Leave, room, .. })
            | Happening::Closed(room, _)
            | Happening::RoomLost(room, _) => Change::NoSeat(*room),
            _ => return None,
        };
        self.saved.apply(change.clone());
        Some(change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::welcome;
    use noughts_client::session::ConnectionEvent;

    /// The number of the profile that a command takes, and its file, which holds it.
    fn taken(line: &str, folder: &std::path::Path) -> (usize, ConfigFile) {
        let line = format!("{line} --config-dir {}", folder.display());
        let args = Args::read(line.split_whitespace()).unwrap();
        let (_, file, _) = Profile::open(&args).unwrap();
        (file.number(), file)
    }

    /// Fails if a profile with a seat is passed over: its player would come back as somebody new.
    #[test]
    fn who_abandons_a_game_is_the_same_player_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let (_, file) = taken("noughts play --computer --name Ada", folder.path());
        file.change(Change::Seat("KQRZX".parse().unwrap())).unwrap();
        drop(file);
        for line in [
            "noughts",
            "noughts play",
            "noughts play BCDFG",
            "noughts play --computer",
            "noughts play --both",
            "noughts quick",
            "noughts watch",
            "noughts party join BCDFG",
        ] {
            assert_eq!(taken(line, folder.path()).0, 1, "{line}");
        }
    }

    #[test]
    fn a_terminal_beside_a_running_one_is_another_player() {
        let folder = tempfile::tempdir().unwrap();
        let (_, running) = taken("noughts play --computer", folder.path());
        let (beside, _) = taken("noughts play --computer", folder.path());
        assert_eq!((running.number(), beside), (1, 2));
    }

    #[test]
    fn the_way_back_leads_to_the_player_who_has_the_place() {
        let folder = tempfile::tempdir().unwrap();
        let (_, running) = taken("noughts play", folder.path());
        let (_, beside) = taken("noughts party join BCDFG", folder.path());
        beside.change(Change::Seat("BCDFG".parse().unwrap())).unwrap();
        drop((running, beside));
        for line in ["noughts play BCDFG", "noughts party join BCDFG"] {
            assert_eq!(taken(line, folder.path()).0, 2, "{line}");
        }
    }

    #[test]
    fn a_name_that_a_host_has_given_is_not_kept() {
        let mut client = crate::tui::app::tests::client("noughts --name Ada");
        for (name, is_given) in [("Lynx", true), ("Ada", false)] {
            let ConnectionEvent::Welcome(mut welcome) = welcome() else { panic!() };
            welcome.name = name.parse().unwrap();
            welcome.is_given = is_given;
            client.remember(&Happening::Welcome { welcome, first: true }, &Session::new(1));
            assert_eq!(client.profile.name.as_str(), "Ada");
            assert_eq!(client.profile.saved.name, Some(client.profile.name.clone()));
        }
    }
}
