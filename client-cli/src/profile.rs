//! The player of a run: the name, and what is remembered between two runs. [`crate::config`] keeps
//! it in a file.

use noughts_protocol::{
    ClientMessage, JoinPassword, PlayerName, PlayerToken, RoomCode, RoomIntent,
};

use crate::address::ServerAddress;
use crate::args::{Args, Command};
use crate::config::{ConfigFile, ProfileChoice, SavedProfile, login_name};
use crate::core::{Happening, RoomView};
use crate::servers::ServerChoice;

/// The player of a run.
#[derive(Debug)]
pub struct Profile {
    /// What others call the player.
    pub name: PlayerName,
    file: ConfigFile,
    saved: SavedProfile,
}

impl Profile {
    /// The profile for a run with these arguments, and a warning if its file is broken.
    ///
    /// # Errors
    /// If there is no folder for the settings.
    pub fn open(args: &Args) -> anyhow::Result<(Self, Option<String>)> {
        let link = args.link().or(args.global.server.as_ref());
        let room = args.seat().or(link.and_then(|link| link.room));
        let choice = match (room, &args.command) {
            (Some(room), None | Some(Command::Play(_))) => ProfileChoice::SeatedIn(room),
            (None, None) => ProfileChoice::FirstFree,
            _ => ProfileChoice::WithoutSeat,
        };
        let file = ConfigFile::open(args.global.config_dir.as_deref(), choice)?;
        let (saved, warning) = file.load();
        let name = args.global.name.clone().or_else(|| saved.name.clone());
        let name = name.unwrap_or_else(|| login_name(file.number()));
        Ok((Self { name, file, saved }, warning))
    }

    /// The room in which this player last had a seat, and may have it still.
    #[must_use]
    pub const fn room(&self) -> Option<RoomCode> {
        self.saved.room
    }

    /// The last server that answered.
    #[must_use]
    pub fn last_server(&self) -> Option<ServerAddress> {
        self.saved.server()
    }

    /// The last server that answered, then those that the player once named.
    pub fn servers(&self) -> impl Iterator<Item = ServerAddress> {
        self.last_server().into_iter().chain(self.saved.typed())
    }

    /// The token for a server.
    #[must_use]
    pub fn token(&self, server: &ServerAddress) -> Option<&PlayerToken> {
        self.saved.token(server)
    }

    /// The remembered password of a server.
    #[must_use]
    pub fn password(&self, server: &ServerAddress) -> Option<&JoinPassword> {
        self.saved.password(server)
    }

    /// Keeps what has happened: the token of a welcome, the room of a seat.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn remember(
        &mut self,
        happening: &Happening,
        room: Option<&RoomView>,
        choice: &ServerChoice,
        keep_password: bool,
    ) -> anyhow::Result<()> {
        let server = &choice.server;
        let seat = room.filter(|view| !view.is_watching()).map(|view| view.state.code);
        let written = match happening {
            Happening::Welcome { welcome, .. } => {
                let typed = !choice.discovered.contains(server);
                let password = choice.password.as_ref().filter(|_| keep_password);
                let kept =
                    password.map_or(Ok(()), |text| self.file.remember_password(server, text));
                kept.and(self.file.remember(server, &welcome.name, &welcome.token, typed))
            }
            Happening::Entered | Happening::Refreshed if seat.is_some() => {
                self.file.remember_room(seat)
            }
            Happening::Applied(ClientMessage::Room { intent: RoomIntent::Leave, .. })
            | Happening::Closed(_)
            | Happening::RoomLost(..) => self.file.remember_room(None),
            _ => return Ok(()),
        };
        (self.saved, _) = self.file.load();
        written
    }
}
