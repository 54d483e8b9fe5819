//! One run of the program: its options, its player and its server. Choosing the server is
//! [`crate::net::lan`]'s; playing is [`crate::tui`]'s and [`crate::plain`]'s.

use noughts_client::address::ServerAddress;
use noughts_client::connection::Destination;
use noughts_client::session::{Happening, Session};
use noughts_protocol::{IdentityFile, PartyPhase};

use crate::args::{Args, Command, PartyCommand};
use crate::config::{Change, ConfigFile};
use crate::net::servers::{KnownServer, Origin, ServerChoice};
use crate::options::Options;
use crate::preferences::Preferences;
use crate::profile::Profile;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The player played or left.
    Done,
    /// The connection is lost for good, or could not be made. The text says why.
    Lost(String),
    /// The server or the arguments do not allow it: the room does not exist, for example. The text
    /// says why.
    Refused(String),
}

/// One run of the program.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    /// The options of the command line.
    pub(crate) options: Options,
    /// The player.
    pub(crate) profile: Profile,
    /// How the full screen looks and rings.
    pub(crate) preferences: Preferences,
    /// The server to play on.
    pub(crate) choice: ServerChoice,
    /// A problem with the settings, shown before anything else.
    pub(crate) warning: Option<String>,
    /// Something to know from the beginning.
    pub(crate) notice: Option<String>,
}

impl Client {
    /// Puts a run together from the arguments and the remembered settings. The file is where changes
    /// of the profile go.
    ///
    /// # Errors
    /// If there is no folder for the settings, or the file with the password cannot be used.
    pub(crate) fn new(args: &Args) -> anyhow::Result<(Self, ConfigFile)> {
        let (profile, file, warning) = Profile::open(args)?;
        let mut options = Options::new(args)?;
        // The name of the host may be the one of the last run.
        if let Some(Command::Party(party @ PartyCommand::New { .. })) = &args.command {
            options.action = party.action(Some(&profile.name));
        }
        let named = args.link().or(args.global.server.as_ref());
        let server = named.map(|link| link.server.clone()).or_else(|| profile.saved.server());
        let password = options.password.clone();
        let server = server.unwrap_or_default();
        let named = named.is_some();
        let choice = ServerChoice { server, named, password, ..ServerChoice::default() };
        let over_ssh = std::env::var_os("SSH_CONNECTION").is_some();
        let preferences = Preferences::new(&args.global, profile.saved.preferences, over_ssh);
        Ok((Self { options, profile, preferences, choice, warning, notice: None }, file))
    }

    /// A session of somebody else on this machine, such as over ssh: the server is given, and nothing is
    /// read from the environment of the process.
    pub(crate) fn of_session(
        args: &Args,
        options: Options,
        profile: Profile,
        server: ServerAddress,
    ) -> Self {
        let preferences = Preferences::new(&args.global, profile.saved.preferences, true);
        let password = options.password.clone();
        let choice = ServerChoice { server, named: true, password, ..ServerChoice::default() };
        Self { options, profile, preferences, choice, warning: None, notice: None }
    }

    /// The servers worth a try without an announcement: those used before, the last one first, and
    /// one on this machine.
    pub(crate) fn usual_servers(&self) -> Vec<KnownServer> {
        let used = self.profile.servers().map(|server| KnownServer::new(server, Origin::Used));
        let here = KnownServer::new(ServerAddress::default(), Origin::Local);
        let mut usual: Vec<KnownServer> = Vec::new();
        for known in used.chain([here]) {
            if usual.iter().all(|other| other.server != known.server) {
                usual.push(known);
            }
        }
        usual
    }

    /// The chosen server, with what this player shows it.
    pub(crate) fn destination(&self) -> Destination {
        let server = &self.choice.server;
        let password = self.choice.password.as_ref().or(self.profile.saved.password(server));
        Destination {
            token: self.profile.saved.token(server).cloned(),
            password: password.cloned(),
            trust: self.options.trust.clone(),
            forwarded_for: self.options.forwarded_for,
            ..Destination::new(server.clone(), self.profile.name.clone())
        }
    }

    /// The player's identity on the chosen server; `None` before the first welcome there.
    pub(crate) fn identity(&self) -> Option<IdentityFile> {
        let server = &self.choice.server;
        let token = self.profile.saved.token(server)?.clone();
        let name = self.profile.name.clone();
        Some(IdentityFile { server: server.to_string().into(), name, token })
    }

    /// How a player who leaves comes back to the party, or to the seat of a game that runs or waits for somebody;
    /// `None` if there is none, or the identity is not kept.
    pub(crate) fn way_back(&self, session: &Session) -> Option<String> {
        if !self.profile.is_kept {
            return None;
        }
        let way_in = &self.options.way_in;
        let party = session.party().filter(|party| party.state.phase != PartyPhase::Over);
        if let Some(party) = party {
            let command = way_in.command(&format!("party join {}", party.state.code));
            return Some(format!("To return to the party: {command}"));
        }
        let room = session.room().filter(|view| !view.is_watching()).map(|view| &view.state);
        let code = room.filter(|room| room.is_running() || room.seats.has_open())?.code;
        let command = way_in.command(&format!("play {code}"));
        Some(format!("Your seat in room {code} is kept for a while. To return: {command}"))
    }

    /// Keeps what has happened for the next run: the token, the server, the seat. Returns what
    /// changes in the player's file.
    pub(crate) fn remember(&mut self, happening: &Happening, session: &Session) -> Option<Change> {
        let keep_password = self.options.remember_password;
        if let Happening::Welcome { welcome, .. } = happening {
            self.choice.features = welcome.features;
        }
        if let Happening::Switched { now, .. } = happening {
            self.choice.features = *now;
        }
        self.profile.remember(happening, session, &self.choice, keep_password)
    }
}
