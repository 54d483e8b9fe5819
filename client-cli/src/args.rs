//! The command line as it was typed. The options made of it are in [`crate::options`]; the defaults
//! of server and name are in [`crate::profile`].

use std::ffi::OsString;
use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{FalseyValueParser, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgGroup, Args as ClapArgs, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use noughts_client::address::{Link, ServerAddress};
use noughts_client::connection::Trust;
use noughts_protocol::settings::{UnknownName, parse_time};
use noughts_protocol::{
    BoardSpec, Computer, MAX_MOVE_TIME_MS, PlayerName, RoomCode, Strategy, Variant,
};

use crate::preferences::ColorTheme;
pub(crate) use computer::ComputerChoice;
pub(crate) use computer::names as computer_names;
pub(crate) use lookup::{
    ForgetArgs, HistoryArgs, IdentityCommand, LeadersArgs, OpponentArg, PassArgs, ProfileArgs,
    PuzzleArgs, ReplayArgs,
};
pub(crate) use party::PartyCommand;
pub(crate) use settings::{GameArgs, PartyArgs};

mod action;
mod computer;
mod lookup;
mod party;
pub mod problem;
mod settings;

/// The headings of the options of every command in the help.
const SERVER: &str = "The server";
const YOU: &str = "You";
const SCREEN: &str = "The screen";

/// Play noughts and crosses with other people, or against the computer.
///
/// Without a command it asks what to do. `noughts-server` starts a server.
#[derive(Debug, Clone, Parser)]
#[command(name = "noughts", version, max_term_width = 100)]
pub struct Args {
    /// The command. Without one, a menu asks.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Global {
    /// The server: host, host:port, a URL, or a room's link [default: the last
    /// one, else the one on this network, else localhost].
    #[arg(long, global = true, help_heading = SERVER, env = "NOUGHTS_SERVER", value_name = "ADDRESS")]
    pub(crate) server: Option<Link>,
    /// Also trust a server whose certificate is in this PEM file, or is signed by one in it.
    #[arg(long, global = true, help_heading = SERVER, env = "NOUGHTS_CA", value_name = "FILE", value_parser = Trust::with_file)]
    pub(crate) ca: Option<Trust>,
    /// Do not look for servers on this network.
    #[arg(long, global = true, help_heading = SERVER, env = "NOUGHTS_NO_DISCOVERY", value_parser = FalseyValueParser::new())]
    pub(crate) no_discovery: bool,
    /// Your name, as others see it [default: the last name, else your login name].
    #[arg(long, global = true, help_heading = YOU, env = "NOUGHTS_NAME", value_name = "NAME")]
    pub(crate) name: Option<PlayerName>,
    /// Use lines of text instead of a full screen. This is the default if the output is no
    /// terminal.
    #[arg(long, global = true, help_heading = SCREEN)]
    pub(crate) plain: bool,
    /// Draw with ASCII characters only.
    #[arg(long, global = true, help_heading = SCREEN)]
    pub(crate) ascii: bool,
    /// The background of your terminal, so that the colours fit it: auto, light, dark [default: the
    /// last choice, else auto].
    #[arg(
        long,
        global = true,
        help_heading = SCREEN,
        env = "NOUGHTS_THEME",
        value_name = "THEME",
        hide_possible_values = true
    )]
    pub(crate) theme: Option<ColorTheme>,
    /// Do not ring, and do not notify, when it is your turn and you look elsewhere.
    #[arg(long, global = true, help_heading = SCREEN, env = "NOUGHTS_NO_BELL", value_parser = FalseyValueParser::new())]
    pub(crate) no_bell: bool,
    /// Draw no movement.
    #[arg(long, global = true, help_heading = SCREEN, env = "NOUGHTS_NO_MOTION", value_parser = FalseyValueParser::new())]
    pub(crate) no_motion: bool,
    /// A file with the server's password on its first line. Without it, the password is taken from
    /// `NOUGHTS_PASSWORD`, or asked for if the server wants one.
    #[arg(long, global = true, help_heading = SERVER, env = "NOUGHTS_PASSWORD_FILE", value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,
    /// Keep the server's password with your identity, so that it is not asked for again.
    #[arg(long, global = true, help_heading = SERVER)]
    pub(crate) remember_password: bool,
    /// The folder of your name, server and identity. Another folder is another player.
    #[arg(long, global = true, help_heading = YOU, env = "NOUGHTS_CONFIG_DIR", value_name = "DIR")]
    pub(crate) config_dir: Option<PathBuf>,
}

/// What to do.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Command {
    /// Play: create a room and wait for a friend, join a room by its code, or play the computer.
    Play(Box<PlayArgs>),
    /// Play a stranger.
    Quick(QuickArgs),
    /// Watch a game. Without a code, choose from the public games.
    Watch(WatchArgs),
    /// Make a party, join one, or watch one: many people, one code, and games that pair themselves.
    #[command(subcommand)]
    Party(PartyCommand),
    /// Let a program that speaks the Gomocup protocol (Piskvork) play in a room or a party.
    Bot(Box<BotArgs>),
    /// Let a language model play: a server of the Model Context Protocol (MCP) on standard input and
    /// output. Its host starts it.
    Mcp,
    /// Print the public rooms.
    Rooms,
    /// Print the games that you have played, the newest first, or write them to a file.
    History(HistoryArgs),
    /// Show a game that is over again, move by move.
    Replay(ReplayArgs),
    /// Print what the server tells about a player: games, results, ratings.
    Profile(ProfileArgs),
    /// Print the strongest players of quick matches.
    Leaders(LeadersArgs),
    /// Solve the puzzle of the day: one for everybody, easy on Monday and hard on Sunday.
    Puzzle(PuzzleArgs),
    /// Save who you are to a file, or become the player of such a file.
    #[command(subcommand)]
    Identity(IdentityCommand),
    /// Print a pass for another device, to be the same player there, or become the player of one.
    Pass(PassArgs),
    /// Have the server forget you: your profile, your results, your name in kept games.
    Forget(ForgetArgs),
    /// Open a door for ssh beside a server: people play with nothing installed.
    Ssh(SshArgs),
    /// Print the servers that answer: those on this network and those used before.
    Servers,
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual pages.
    Man {
        /// The folder into which they go.
        folder: PathBuf,
    },
}

/// Options of `play`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PlayArgs {
    /// The room to join: its code or its link.
    #[arg(value_parser = parse_room, conflicts_with_all = ["computer", "strategy", "both"])]
    pub(crate) code: Option<Linked<RoomCode>>,
    /// Play the computer: its strength, its strategy, or both as in heuristic:strong [default: weak].
    #[arg(
        long,
        value_name = "COMPUTER",
        value_parser = computer::parser(),
        num_args = 0..=1,
        default_missing_value = Computer::OPPONENT.strength.name()
    )]
    pub(crate) computer: Option<ComputerChoice>,
    /// Play the computer with this strategy [default: minimax]. The strategies perfect and rules
    /// have no strengths.
    #[arg(long, value_parser = named::<Strategy>(Strategy::NAMES))]
    pub(crate) strategy: Option<Strategy>,
    /// Play both sides on this screen.
    #[arg(long, conflicts_with_all = ["computer", "strategy", "mark", "listed"])]
    pub(crate) both: bool,
    /// The player's mark, and the settings of the room.
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Options of `quick`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct QuickArgs {
    /// How the game is won.
    #[arg(long, default_value = Variant::Line.name(), value_parser = named::<Variant>(Variant::NAMES))]
    pub(crate) variant: Variant,
    /// Width, height and the marks in a row that win [default: 3x3x3, or the variant's].
    #[arg(long, value_name = "WxHxLINE")]
    pub(crate) board: Option<BoardSpec>,
    /// Play the computer if no stranger comes in this time.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) computer_after: Option<u32>,
}

/// Options of `watch`.
#[derive(Debug, Clone, ClapArgs)]
#[command(group = ArgGroup::new("x").multiple(true).requires("o"))]
#[command(group = ArgGroup::new("o").multiple(true).requires("x"))]
pub(crate) struct WatchArgs {
    /// The room to watch: its code or its link.
    #[arg(value_parser = parse_room, conflicts_with_all = ["x", "o", "variant", "board"])]
    pub(crate) code: Option<Linked<RoomCode>>,
    /// A computer plays X: its strength, its strategy, or both as in heuristic:strong.
    #[arg(long, value_name = "COMPUTER", value_parser = computer::parser(), group = "x")]
    pub(crate) computer_x: Option<ComputerChoice>,
    /// A computer plays O.
    #[arg(long, value_name = "COMPUTER", value_parser = computer::parser(), group = "o")]
    pub(crate) computer_o: Option<ComputerChoice>,
    /// The strategy of the computer that plays X.
    #[arg(long, value_parser = named::<Strategy>(Strategy::NAMES), group = "x")]
    pub(crate) strategy_x: Option<Strategy>,
    /// The strategy of the computer that plays O.
    #[arg(long, value_parser = named::<Strategy>(Strategy::NAMES), group = "o")]
    pub(crate) strategy_o: Option<Strategy>,
    /// How the computers' game is won.
    #[arg(
        long,
        default_value = Variant::Line.name(),
        value_parser = named::<Variant>(Variant::NAMES),
        requires = "x"
    )]
    pub(crate) variant: Variant,
    /// The board of the computers' game [default: 3x3x3, or the variant's].
    #[arg(long, value_name = "WxHxLINE", requires = "x")]
    pub(crate) board: Option<BoardSpec>,
}

impl PlayArgs {
    /// The opponent, if it is a computer.
    pub(crate) fn opponent(&self) -> Option<Computer> {
        computer_of(self.computer, self.strategy, Computer::OPPONENT)
    }
}

impl WatchArgs {
    /// The computers that play X and O, if computers play.
    pub(crate) fn computers(&self) -> Option<(Computer, Computer)> {
        let usual = Computer::default();
        let x = computer_of(self.computer_x, self.strategy_x, usual);
        x.zip(computer_of(self.computer_o, self.strategy_o, usual))
    }
}

fn computer_of(
    computer: Option<ComputerChoice>,
    strategy: Option<Strategy>,
    usual: Computer,
) -> Option<Computer> {
    let named = computer.is_some() || strategy.is_some();
    named.then(|| computer.unwrap_or_default().computer(strategy, usual))
}

/// Why the two options for one computer cannot both hold.
fn contradiction(
    side: &str,
    computer: Option<ComputerChoice>,
    strategy: Option<Strategy>,
) -> Option<String> {
    let (computer, other) = computer.zip(strategy)?;
    if let Some(one) = computer.strategy.filter(|one| *one != other) {
        return Some(format!("--computer{side} names {one}, but --strategy{side} names {other}"));
    }
    let strength = computer.strength.filter(|_| !other.has_strengths())?.name();
    Some(format!(
        "--strategy{side} {name} has no strengths: leave out {strength}",
        name = other.name()
    ))
}

/// A room, a party, a game or a player: its code or id, or a link that also names its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Linked<T> {
    pub(crate) id: T,
    /// The whole link, if it was one.
    pub(crate) link: Option<Link>,
}

impl Args {
    /// Parses a command line.
    ///
    /// # Errors
    /// If the command line is wrong, also if it contradicts itself about a computer.
    pub fn read(
        typed: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let args = Self::try_parse_from(typed)?;
        let pairs: &[_] = match &args.command {
            Some(Command::Play(play)) => &[("", play.computer, play.strategy)],
            Some(Command::Watch(watch)) => &[
                ("-x", watch.computer_x, watch.strategy_x),
                ("-o", watch.computer_o, watch.strategy_o),
            ],
            _ => &[],
        };
        for (side, computer, strategy) in pairs {
            if let Some(text) = contradiction(side, *computer, *strategy) {
                return Err(Self::command().error(ErrorKind::ArgumentConflict, text));
            }
        }
        if let Some(Command::Play(play)) = &args.command
            && play.opponent().is_none()
            && (play.game.0.1.adapts || play.game.0.1.comments)
        {
            let text =
                "--adapts and --comments are for a game against the computer: add --computer";
            return Err(Self::command().error(ErrorKind::ArgumentConflict, text));
        }
        Ok(args)
    }

    /// The room in which the player has or takes a seat, or the party with a place: their codes are of one kind.
    pub(crate) fn seat(&self) -> Option<RoomCode> {
        match &self.command {
            Some(Command::Play(play)) => play.code.as_ref().map(|code| code.id),
            Some(Command::Bot(bot)) => Some(bot.code.id),
            Some(Command::Party(PartyCommand::Join { code })) => Some(code.id.0),
            _ => None,
        }
    }

    /// The link that stands in place of a code.
    pub(crate) fn link(&self) -> Option<&Link> {
        match self.command.as_ref()? {
            Command::Replay(replay) => replay.game.link.as_ref(),
            Command::Profile(profile) => profile.player.as_ref()?.link.as_ref(),
            Command::Play(play) => play.code.as_ref()?.link.as_ref(),
            Command::Bot(bot) => bot.code.link.as_ref(),
            Command::Watch(watch) => watch.code.as_ref()?.link.as_ref(),
            Command::Party(party) => party.party()?.link.as_ref(),
            Command::Pass(pass) => pass.pass.as_ref()?.link.as_ref(),
            _ => None,
        }
    }
}

/// Parses an id or a link in which `of` finds one. `missing` says what another link lacks.
fn linked<T: FromStr<Err: Display>>(
    text: &str,
    of: impl Fn(&Link) -> Option<T>,
    missing: &str,
) -> Result<Linked<T>, String> {
    if !text.contains(['/', ':', '.']) {
        let id = text.parse().map_err(|error: T::Err| error.to_string())?;
        return Ok(Linked { id, link: None });
    }
    let link = text.parse::<Link>().map_err(|error| error.to_string())?;
    let id = of(&link).ok_or(missing)?;
    Ok(Linked { id, link: Some(link) })
}

/// Parses the code or the link of a room or a party. Which of both a code is, the server knows.
pub(crate) fn parse_room(text: &str) -> Result<Linked<RoomCode>, String> {
    let code = |link: &Link| link.room.or(link.party.map(|party| party.0));
    linked(text, code, "that link names no room: a room's link ends in /r/ and its code")
}

/// Parses the code or the link of a room or a party of this server.
pub(crate) fn parse_room_of(server: &ServerAddress, text: &str) -> Result<RoomCode, String> {
    let room = parse_room(text)?;
    if room.link.is_some_and(|link| link.server != *server) {
        let why = "that link is for another server: start noughts with --server and the link";
        return Err(why.to_owned());
    }
    Ok(room.id)
}

/// Parses one of these names. Shells complete them.
fn named<T: FromStr<Err = UnknownName> + Clone + Send + Sync + 'static>(
    names: &'static [(&'static str, &'static str)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names.iter().map(|(name, _)| *name))
        .map(|name| name.parse().expect("the inner parser admits these names alone"))
}

/// Options of `bot`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct BotArgs {
    /// The room or the party to join: its code or its link.
    #[arg(value_parser = parse_room)]
    pub(crate) code: Linked<RoomCode>,
    /// The program. It speaks the Gomocup protocol on standard input and output.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) engine: PathBuf,
    /// The program's arguments; after -- also those that begin with a dash.
    #[arg(value_name = "ARGS")]
    pub(crate) args: Vec<OsString>,
    /// How long the program thinks about a move; less if the room's clock leaves less.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_program_time)]
    pub(crate) move_time: u32,
    /// Leave a room after so many games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) games: u32,
    /// The program knows the lines about variants.
    #[arg(long)]
    pub(crate) variants: bool,
}

/// A program's time for a move, as `200ms` or `5s`, in milliseconds. Managers of programs count in milliseconds
/// and rooms in seconds, so a number needs its unit.
fn parse_program_time(text: &str) -> Result<u32, String> {
    if text.parse::<u32>().is_ok() {
        return Err(format!("did you mean {text}ms or {text}s?"));
    }
    match text.strip_suffix("ms").map(str::parse) {
        Some(Ok(ms @ 1..=MAX_MOVE_TIME_MS)) => Ok(ms),
        Some(_) => Err("write a time such as 200ms or 5s".to_owned()),
        None => parse_time(text),
    }
}

/// The port of the door: that of ssh itself is mostly the machine's.
const SSH_PORT: u16 = 2222;

/// Options of `ssh`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SshArgs {
    /// The address and port to listen on; 0.0.0.0 is every IPv4 network, `[::]` every one.
    #[arg(
        long,
        env = "NOUGHTS_SSH_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value_t = SocketAddr::from((Ipv4Addr::UNSPECIFIED, SSH_PORT))
    )]
    pub(crate) listen: SocketAddr,
    /// The name by which players reach this machine [default: its address].
    #[arg(long, env = "NOUGHTS_SSH_HOST", value_name = "NAME", value_parser = parse_host)]
    pub(crate) host: Option<String>,
    /// Do not print who comes and who goes.
    #[arg(long, env = "NOUGHTS_SSH_QUIET", value_parser = FalseyValueParser::new())]
    pub(crate) quiet: bool,
}

/// Parses a host that can stand in a command without quotes.
fn parse_host(text: &str) -> Result<String, &'static str> {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || ".-_:".contains(c);
    if text.is_empty() || text.starts_with('-') || !text.chars().all(is_legal) {
        return Err("write a host's name or address, such as play.example");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests;
