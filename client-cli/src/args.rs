//! Exactly what was typed. What it leads to is [`crate::goal`]'s; which server and name are used
//! when none was given is [`crate::config`]'s.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{FalseyValueParser, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgGroup, Args as ClapArgs, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use noughts_protocol::{
    BoardSpec, Chaos, Computer, FirstMove, MAX_MOVE_TIME_MS, MIN_MOVE_TIME_MS, Opening, PlayerName,
    RoomCode, Strategy,
};

use crate::address::Link;
use crate::connection::trust::Trust;
pub use computer::ComputerChoice;
pub(crate) use computer::{STRATEGY_NAMES, STRENGTH_NAMES};

mod computer;

/// Play noughts and crosses with other people, or against the computer.
///
/// Without a command it asks what to do. A server is started with `noughts-server`.
#[derive(Debug, Parser)]
#[command(name = "noughts", version, max_term_width = 100)]
pub struct Args {
    /// What to do; a menu without it.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every command.
#[derive(Debug, Clone, ClapArgs)]
pub struct Global {
    /// The server: host, host:port, a URL, or a room's link [default: the last
    /// one, else the one on this network, else localhost].
    #[arg(long, global = true, env = "NOUGHTS_SERVER", value_name = "ADDRESS")]
    pub server: Option<Link>,
    /// Also trust servers whose certificate this one has signed, or is: a PEM file.
    #[arg(long, global = true, env = "NOUGHTS_CA", value_name = "FILE", value_parser = Trust::with_file)]
    pub ca: Option<Trust>,
    /// Look for no server on this network.
    #[arg(long, global = true, env = "NOUGHTS_NO_DISCOVERY", value_parser = FalseyValueParser::new())]
    pub no_discovery: bool,
    /// What others call you [default: the last name, else your login name].
    #[arg(long, global = true, env = "NOUGHTS_NAME", value_name = "NAME")]
    pub name: Option<PlayerName>,
    /// Lines of text instead of a full screen; chosen by itself when output is no terminal.
    #[arg(long, global = true)]
    pub plain: bool,
    /// Draw with ASCII characters alone.
    #[arg(long, global = true)]
    pub ascii: bool,
    /// A file whose first line is the server's password; else it is in `NOUGHTS_PASSWORD`, or asked
    /// for where there is one.
    #[arg(long, global = true, env = "NOUGHTS_PASSWORD_FILE", value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Keep the server's password beside your identity, so that it is not asked for again.
    #[arg(long, global = true)]
    pub remember_password: bool,
    /// Where your name, server and identity are kept; another folder is another player.
    #[arg(long, global = true, env = "NOUGHTS_CONFIG_DIR", value_name = "DIR")]
    pub config_dir: Option<PathBuf>,
    /// What to do to the messages of the connection, for developers.
    #[arg(long, global = true, env = "NOUGHTS_CHAOS", hide = true)]
    pub chaos: Option<Chaos>,
}

/// What to do.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Play: make a room and wait for a friend, join one by its code, or play the computer.
    Play(Box<PlayArgs>),
    /// Play whoever else is looking for a game.
    Quick(QuickArgs),
    /// Watch a game; without a code, choose from those that are being played.
    Watch(WatchArgs),
    /// Print the public rooms.
    Rooms,
    /// Print the servers on this network and those used before that answer.
    Servers,
    /// Print a completion script for a shell.
    Completions {
        /// Which shell.
        shell: Shell,
    },
}

/// Options of `play`.
#[derive(Debug, Clone, ClapArgs)]
pub struct PlayArgs {
    /// The room to join: its code or its link.
    #[arg(value_parser = parse_room, conflicts_with_all =
        ["computer", "strategy", "both", "mark", "first", "opening", "board", "move_time", "listed",
        "no_spectators", "no_hints", "evaluation"])]
    pub code: Option<RoomRef>,
    /// Play the computer: its strength, its strategy, or both as in heuristic:strong.
    #[arg(long, value_name = "COMPUTER", value_parser = computer::parser())]
    pub computer: Option<ComputerChoice>,
    /// Play the computer with this strategy [default: minimax]; perfect and rules have no
    /// strengths.
    #[arg(long, value_parser = strategy())]
    pub strategy: Option<Strategy>,
    /// Play both sides on this screen.
    #[arg(long, conflicts_with_all = ["computer", "strategy", "mark", "listed"])]
    pub both: bool,
    /// Your mark.
    #[arg(long, default_value = "x", value_parser = mark())]
    pub mark: MarkChoice,
    /// Who moves first in each game.
    #[arg(long, default_value = "alternate", value_parser = first())]
    pub first: FirstMove,
    /// How each game opens; swap2 is fair on boards of 13x13 and more.
    #[arg(long, default_value = "free", value_parser = opening())]
    pub opening: Opening,
    /// Width, height and the marks in a row that win.
    #[arg(long, default_value_t, value_name = "WxHxLINE")]
    pub board: BoardSpec,
    /// Time for each move, after which the game is lost: 30s, 5m, 2h [default: no limit].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub move_time: Option<Duration>,
    /// Show the room in the public list.
    #[arg(long)]
    pub listed: bool,
    /// Admit no spectators.
    #[arg(long)]
    pub no_spectators: bool,
    /// Give nobody hints.
    #[arg(long)]
    pub no_hints: bool,
    /// Tell spectators who would win with best play.
    #[arg(long, conflicts_with = "no_spectators")]
    pub evaluation: bool,
}

/// Options of `quick`.
#[derive(Debug, Clone, ClapArgs)]
pub struct QuickArgs {
    /// Width, height and the marks in a row that win.
    #[arg(long, default_value_t, value_name = "WxHxLINE")]
    pub board: BoardSpec,
    /// Play the computer when nobody has come after so long.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub computer_after: Option<Duration>,
}

/// Options of `watch`.
#[derive(Debug, Clone, ClapArgs)]
#[command(group = ArgGroup::new("x").multiple(true).requires("o"))]
#[command(group = ArgGroup::new("o").multiple(true).requires("x"))]
pub struct WatchArgs {
    /// The room to watch: its code or its link.
    #[arg(value_parser = parse_room, conflicts_with_all = ["x", "o", "board"])]
    pub code: Option<RoomRef>,
    /// Let a computer play X: its strength, its strategy, or both as in heuristic:strong.
    #[arg(long, value_name = "COMPUTER", value_parser = computer::parser(), group = "x")]
    pub computer_x: Option<ComputerChoice>,
    /// Let a computer play O.
    #[arg(long, value_name = "COMPUTER", value_parser = computer::parser(), group = "o")]
    pub computer_o: Option<ComputerChoice>,
    /// The strategy of the computer that plays X.
    #[arg(long, value_parser = strategy(), group = "x")]
    pub strategy_x: Option<Strategy>,
    /// The strategy of the computer that plays O.
    #[arg(long, value_parser = strategy(), group = "o")]
    pub strategy_o: Option<Strategy>,
    /// The board of the computers' game.
    #[arg(long, default_value_t, value_name = "WxHxLINE", requires = "x")]
    pub board: BoardSpec,
}

impl PlayArgs {
    /// The computer to play, where one was asked for.
    #[must_use]
    pub fn opponent(&self) -> Option<Computer> {
        asked_for(self.computer, self.strategy)
    }
}

impl WatchArgs {
    /// The computers to watch, X's first, where they were asked for.
    #[must_use]
    pub fn computers(&self) -> Option<(Computer, Computer)> {
        let x = asked_for(self.computer_x, self.strategy_x);
        x.zip(asked_for(self.computer_o, self.strategy_o))
    }
}

fn asked_for(computer: Option<ComputerChoice>, strategy: Option<Strategy>) -> Option<Computer> {
    let asked = computer.is_some() || strategy.is_some();
    asked.then(|| computer.unwrap_or_default().computer(strategy))
}

/// A room, by its code or by a link that also names its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomRef {
    /// The room.
    pub code: RoomCode,
    /// The whole link, where it was one.
    pub link: Option<Link>,
}

/// Which mark the maker of a room plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkChoice {
    /// X.
    X,
    /// O.
    O,
    /// Drawn by the server.
    Random,
}

impl Args {
    /// Reads a command line.
    ///
    /// # Errors
    /// Where it cannot be right, also where it names two strategies for one computer.
    pub fn read(
        typed: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
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
            let named = computer.and_then(|computer| computer.strategy).zip(*strategy);
            if let Some((one, other)) = named.filter(|(one, other)| one != other) {
                let text = format!("--computer{side} says {one}, and --strategy{side} {other}");
                return Err(Self::command().error(ErrorKind::ArgumentConflict, text));
            }
        }
        Ok(args)
    }

    /// The room in which `play` takes a seat, if it was named.
    #[must_use]
    pub fn seat(&self) -> Option<RoomCode> {
        match &self.command {
            Some(Command::Play(play)) => play.code.as_ref().map(|code| code.code),
            _ => None,
        }
    }

    /// The link that `play` or `watch` was given in place of a code.
    #[must_use]
    pub fn link(&self) -> Option<&Link> {
        let code = match &self.command {
            Some(Command::Play(play)) => play.code.as_ref(),
            Some(Command::Watch(watch)) => watch.code.as_ref(),
            _ => None,
        };
        code.and_then(|code| code.link.as_ref())
    }
}

/// Reads a code or a link that leads to a room.
///
/// # Errors
/// Where it is neither; the text says what is right.
pub fn parse_room(text: &str) -> Result<RoomRef, String> {
    if !text.contains(['/', ':', '.']) {
        let code = text.parse().map_err(|e| format!("{e}"))?;
        return Ok(RoomRef { code, link: None });
    }
    let link: Link = text.parse().map_err(|e| format!("{e}"))?;
    let code = link.room.ok_or("that link leads to no room: its end should be /r/ and a code")?;
    Ok(RoomRef { code, link: Some(link) })
}

/// Reads `30s`, `5m`, `2h` or a number of seconds.
fn parse_time(text: &str) -> Result<Duration, String> {
    let shape = "write a time such as 30s, 5m or 2h";
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return Err(shape.to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| shape.to_owned())?;
    let time = Duration::from_secs(number.saturating_mul(seconds));
    let range = u128::from(MIN_MOVE_TIME_MS)..=u128::from(MAX_MOVE_TIME_MS);
    if range.contains(&time.as_millis()) {
        Ok(time)
    } else {
        Err("a time is 1s to 168h (a week)".to_owned())
    }
}

/// A parser of one of `names`, completed by shells, whose value is at the same place in `values`.
fn one_of<T, const N: usize>(
    names: [&'static str; N],
    values: [T; N],
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).map(move |name| {
        let place = names.iter().position(|n| *n == name);
        values[place.expect("the inner parser admits these names alone")]
    })
}

fn strategy() -> impl TypedValueParser<Value = Strategy> {
    one_of(STRATEGY_NAMES, Strategy::ALL)
}

fn mark() -> impl TypedValueParser<Value = MarkChoice> {
    one_of(["x", "o", "random"], [MarkChoice::X, MarkChoice::O, MarkChoice::Random])
}

fn first() -> impl TypedValueParser<Value = FirstMove> {
    use FirstMove::{Alternate, Loser, O, Random, X};
    one_of(["x", "o", "random", "alternate", "loser"], [X, O, Random, Alternate, Loser])
}

fn opening() -> impl TypedValueParser<Value = Opening> {
    one_of(["free", "swap2"], [Opening::Free, Opening::Swap2])
}

#[cfg(test)]
mod tests;
