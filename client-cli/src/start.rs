//! What a run begins with, put together from what was typed and what is remembered.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::Context;
use noughts_protocol::{
    Chaos, ClientMessage, Event, Features, JoinPassword, PlayerName, RoomCode, ServerMessage,
};

use crate::address::ServerAddress;
use crate::args::{Args, Command};
use crate::config::{ConfigFile, Remembered, Whose, login_name};
use crate::connection::trust::Trust;
use crate::connection::{Destination, Incoming};
use crate::goal::Goal;
use crate::lan::{Known, Origin};

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// The player played or left.
    Done,
    /// The connection is lost for good, or could not be made; why.
    Lost(String),
    /// What was asked for cannot be: no such room, for example; why.
    Refused(String),
}

/// What a run begins with.
#[derive(Debug)]
pub struct Start {
    /// The server.
    pub server: ServerAddress,
    /// Whether the server was named, so that it need not be asked for.
    pub server_given: bool,
    /// The player's name.
    pub name: PlayerName,
    /// What to do.
    pub goal: Goal,
    /// Whether servers may be looked for on the network.
    pub discovery: bool,
    /// The one server that was found, in a sentence.
    pub found: Option<String>,
    /// Those to choose from, where there are several.
    pub servers: Vec<Known>,
    /// Those that were found without the player's doing.
    pub discovered: Vec<ServerAddress>,
    /// What is shown before anything else: a problem with the settings.
    pub note: Option<String>,
    /// Draw with ASCII characters alone.
    pub ascii: bool,
    /// Use colours.
    pub color: bool,
    /// Lines of text instead of a full screen.
    pub plain: bool,
    /// What the server's host has left on, once it said so.
    pub features: Features,
    /// The server's password, once it is known; not one that is remembered.
    pub password: Option<JoinPassword>,
    remember_password: bool,
    trust: Trust,
    chaos: Option<Chaos>,
    config: ConfigFile,
    remembered: Remembered,
}

impl Start {
    /// Puts a run together.
    ///
    /// # Errors
    /// Where there is no folder for the settings, or the file with the password cannot be used.
    pub fn new(args: &Args) -> anyhow::Result<Self> {
        let link = args.link().or(args.global.server.as_ref());
        let room = link.and_then(|link| link.room);
        let whose = match (args.seat().or(room), &args.command) {
            (Some(room), None | Some(Command::Play(_))) => Whose::InRoom(room),
            (None, None) => Whose::LastPlayer,
            _ => Whose::Anybody,
        };
        let config = ConfigFile::take(args.global.config_dir.as_deref(), whose)?;
        let (remembered, note) = config.load();
        let server = link.map(|link| link.server.clone()).or_else(|| remembered.server());
        let named = args.global.name.clone().or_else(|| remembered.name.clone());
        Ok(Self {
            server: server.unwrap_or_default(),
            server_given: link.is_some(),
            name: named.unwrap_or_else(|| login_name(config.number())),
            goal: Goal::of_command(args.command.as_ref(), room),
            discovery: !args.global.no_discovery,
            found: None,
            servers: Vec::new(),
            discovered: Vec::new(),
            note,
            ascii: args.global.ascii,
            // https://no-color.org: present and not empty.
            color: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            plain: args.global.plain || !is_full_terminal(),
            features: Features::default(),
            password: password(args.global.password_file.as_deref())?,
            remember_password: args.global.remember_password,
            trust: args.global.ca.clone().unwrap_or_default(),
            chaos: args.global.chaos,
            config,
            remembered,
        })
    }

    /// The room in which this player had a seat last and may have it still.
    #[must_use]
    pub const fn room(&self) -> Option<RoomCode> {
        self.remembered.room
    }

    /// The last server that answered.
    #[must_use]
    pub fn last_server(&self) -> Option<ServerAddress> {
        self.remembered.server()
    }

    /// The servers that there may be without any announcement: those used before, the last one
    /// first, and one on this machine.
    #[must_use]
    pub fn usual(&self) -> Vec<Known> {
        let mut usual: Vec<Known> = Vec::new();
        for server in self.last_server().into_iter().chain(self.remembered.typed()) {
            if !usual.iter().any(|known| known.server == server) {
                usual.push(Known::at(server, Origin::Before));
            }
        }
        let here = ServerAddress::default();
        if !usual.iter().any(|known| known.server == here) {
            usual.push(Known::at(here, Origin::Here));
        }
        usual
    }

    /// Whose word counts for a server's certificate.
    #[must_use]
    pub const fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Where to connect, as whom.
    #[must_use]
    pub fn destination(&self) -> Destination {
        Destination {
            server: self.server.clone(),
            name: self.name.clone(),
            token: self.remembered.token(&self.server).cloned(),
            password: self.password.as_ref().or(self.remembered.password(&self.server)).cloned(),
            trust: self.trust.clone(),
            chaos: self.chaos,
        }
    }

    /// Remembers who the server says we are, and the room in which we have a seat.
    ///
    /// # Errors
    /// Where it cannot be written; the text says that the seat cannot be taken again then.
    pub fn remember(&mut self, incoming: &Incoming) -> Result<(), String> {
        let written = match incoming {
            Incoming::Welcome(welcome) => {
                let typed = !self.discovered.contains(&self.server);
                let password = self.password.as_ref().filter(|_| self.remember_password);
                let kept = password
                    .map_or(Ok(()), |said| self.config.remember_password(&self.server, said));
                kept.and(self.config.remember(&self.server, &welcome.name, &welcome.token, typed))
            }
            Incoming::Message(ServerMessage::Snapshot(snapshot)) if !snapshot.you.is_empty() => {
                self.config.remember_room(Some(snapshot.room))
            }
            Incoming::Answered { intent: ClientMessage::Leave { .. }, answer: Ok(_) }
            | Incoming::Message(ServerMessage::Event { event: Event::Closed { .. }, .. })
            | Incoming::RoomLost { .. } => self.config.remember_room(None),
            _ => return Ok(()),
        };
        (self.remembered, _) = self.config.load();
        written.map_err(|e| format!("{e:#}: you can play, but not come back to your seat"))
    }
}

/// The password of the first line of a file, else of the environment.
fn password(file: Option<&Path>) -> anyhow::Result<Option<JoinPassword>> {
    let text = match file {
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("read the password from {}", file.display()))?;
            text.lines().next().unwrap_or_default().to_owned()
        }
        None => match std::env::var("NOUGHTS_PASSWORD") {
            Ok(text) if !text.is_empty() => text,
            _ => return Ok(None),
        },
    };
    // The text is not quoted: it is a secret.
    text.parse().map(Some).context("use the password")
}

/// Whether input and output are a terminal on which a cursor can be moved.
fn is_full_terminal() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !dumb && std::io::stdout().is_terminal() && std::io::stdin().is_terminal()
}
