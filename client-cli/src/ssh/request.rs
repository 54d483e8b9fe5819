//! The request of a session and its command line. The commands are an allow-list: the command line of a stranger
//! names no file, no other server and nothing of this machine.

use std::collections::BTreeMap;
use std::net::IpAddr;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand as _};
use noughts_client::address::Link;
use noughts_protocol::{DisplayText, PlayerName, RoomCode};
use ratatui::layout::Size;
use russh::ChannelMsg;
use russh::keys::ssh_key::Fingerprint;

use crate::args::problem::one_line;
use crate::args::{Args, Command, Global, HistoryArgs, parse_room};
use crate::preferences::ColorTheme;

/// The longest command, in bytes.
const MAX_COMMAND: usize = 1_024;

/// The most characters of a user name.
const MAX_USER: usize = 64;

/// The longest value of a variable, in bytes.
const MAX_VALUE: usize = 64;

/// The variables that a session may set. They say what its terminal can show.
const VARIABLES: [&str; 5] = ["COLORTERM", "NO_COLOR", "COLORFGBG", "LC_TERMINAL", "TERM_PROGRAM"];

/// The largest terminal: its columns, and its cells, of which each takes memory.
const MAX_COLUMNS: u16 = 512;
const MAX_CELLS: u16 = 32_768;

/// The person at the other end of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// The user name, of any characters.
    pub(crate) user: String,
    /// The key that the visitor has. Without one it is a guest.
    pub(crate) key: Option<Fingerprint>,
    /// The visitor's machine.
    pub(crate) address: IpAddr,
}

impl Visitor {
    /// A visitor by the name that was typed.
    pub(crate) fn new(user: &str, key: Option<Fingerprint>, address: IpAddr) -> Self {
        Self { user: user.chars().take(MAX_USER).collect(), key, address }
    }
}

/// The nearest size that is drawn, in cells. A terminal that does not know its size has 80 × 24.
pub(super) fn bounded(columns: u32, rows: u32) -> Size {
    if columns == 0 || rows == 0 {
        return Size::new(80, 24);
    }
    let columns = u16::try_from(columns).unwrap_or(MAX_COLUMNS).min(MAX_COLUMNS);
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(MAX_CELLS / columns);
    Size::new(columns, rows)
}

/// The request of a session: its terminal, its variables and its command.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) visitor: Visitor,
    /// The terminal, if there is one.
    pub(crate) pty: Option<Size>,
    /// The terminal's `TERM`, and those of [`VARIABLES`] that are set.
    pub(crate) variables: BTreeMap<String, String>,
    /// The command as it was typed, empty for none.
    pub(crate) command: String,
}

impl Request {
    pub(crate) const fn new(visitor: Visitor) -> Self {
        Self { visitor, pty: None, variables: BTreeMap::new(), command: String::new() }
    }

    /// Takes what a message tells. Returns whether the request is complete.
    pub(crate) fn take(&mut self, message: &ChannelMsg) -> bool {
        match message {
            ChannelMsg::RequestPty { term, col_width, row_height, .. } => {
                self.pty = Some(bounded(*col_width, *row_height));
                self.set("TERM", term);
            }
            ChannelMsg::SetEnv { variable_name, variable_value, .. }
                if is_variable(variable_name) =>
            {
                self.set(variable_name, variable_value);
            }
            ChannelMsg::RequestShell { .. } => return true,
            ChannelMsg::Exec { command, .. } => {
                self.command = String::from_utf8_lossy(command).into_owned();
                return true;
            }
            _ => {}
        }
        false
    }

    fn set(&mut self, name: &str, value: &str) {
        if value.len() <= MAX_VALUE && value.bytes().all(|byte| byte.is_ascii_graphic()) {
            self.variables.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// Whether a session may set a variable.
pub(crate) fn is_variable(name: &str) -> bool {
    VARIABLES.contains(&name)
}

/// Plays Noughts, over ssh. Without a command it asks what to do.
#[derive(Debug, Parser)]
#[command(
    no_binary_name = true,
    disable_version_flag = true,
    override_usage = "ssh -t HOST [COMMAND] [OPTIONS]"
)]
struct SessionLine {
    /// Your name, as others see it [default: the user name].
    #[arg(long, global = true, value_name = "NAME")]
    name: Option<PlayerName>,
    /// Use lines of text instead of a full screen.
    #[arg(long, global = true)]
    plain: bool,
    /// Draw with ASCII characters only.
    #[arg(long, global = true)]
    ascii: bool,
    /// The background of your terminal: auto, light, dark.
    #[arg(long, global = true, value_name = "THEME", hide_possible_values = true)]
    theme: Option<ColorTheme>,
    /// Do not ring when it is your turn.
    #[arg(long, global = true)]
    no_bell: bool,
    /// Draw no movement.
    #[arg(long, global = true)]
    no_motion: bool,
}

/// The commands of a session. Each of them asks the server, and none touches this machine.
const COMMANDS: [&str; 12] = [
    "play", "quick", "watch", "party", "rooms", "history", "replay", "profile", "leaders",
    "puzzle", "pass", "forget",
];

/// Reads the command line of a session.
fn parse(words: Vec<String>) -> clap::error::Result<(SessionLine, Option<Command>)> {
    let all = Command::augment_subcommands(clap::Command::default());
    let allowed = all.get_subcommands().filter(|one| COMMANDS.contains(&one.get_name()));
    let line = SessionLine::command().subcommands(allowed.cloned());
    let matches = line.try_get_matches_from(words)?;
    let command = matches.subcommand().map(|_| Command::from_arg_matches(&matches));
    Ok((SessionLine::from_arg_matches(&matches)?, command.transpose()?))
}

/// The answer to a session that starts no game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Whole lines.
    pub(crate) text: String,
    /// The exit status: 0 for help, 2 for a command that is wrong.
    pub(crate) status: u32,
}

impl Answer {
    fn wrong(why: &str) -> Self {
        Self { text: format!("noughts: {}\n", DisplayText::from(why)), status: 2 }
    }
}

/// The command line that a request stands for, at the door's server. The user name is the way into a room if
/// it is a code, else the wished name.
///
/// # Errors
/// If that is not allowed, or wrong, or asks for help.
pub(crate) fn args(request: &Request, server: &Link) -> Result<Args, Answer> {
    let typed = request.command.as_str();
    if typed.len() > MAX_COMMAND {
        return Err(Answer::wrong("that command is too long"));
    }
    let mut words =
        shlex::split(typed).ok_or_else(|| Answer::wrong("that command has a quote too few"))?;
    complete(&mut words);
    let room = request.visitor.user.parse::<RoomCode>().ok();
    if let Some(room) = room.filter(|_| words.iter().all(|word| word.starts_with("--"))) {
        words.splice(0..0, ["play".to_owned(), room.to_string()]);
    }
    let (line, command) = parse(words).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Answer { text: error.to_string(), status: 0 }
        }
        _ => Answer::wrong(&one_line(&error)),
    })?;
    if let Some(Command::History(HistoryArgs { export: Some(file), .. })) = &command
        && file.as_os_str() != "-"
    {
        return Err(Answer::wrong("there are no files here: write --export - > FILE"));
    }
    let wished = || PlayerName::beginning(&request.visitor.user).filter(|_| room.is_none());
    Ok(Args {
        command,
        global: Global {
            // A link in the command may name it otherwise than this machine reaches it.
            server: Some(server.clone()),
            ca: None,
            no_discovery: true,
            name: line.name.or_else(wished),
            plain: line.plain || request.pty.is_none(),
            ascii: line.ascii,
            theme: line.theme,
            no_bell: line.no_bell,
            no_motion: line.no_motion,
            password_file: None,
            remember_password: false,
            config_dir: None,
        },
    })
}

/// A code or a link alone is what it leads to.
fn complete(words: &mut Vec<String>) {
    let Some(first) = words.first() else { return };
    let link = first.parse::<Link>().ok().filter(|_| first.contains(['/', ':', '.']));
    let command = match link {
        Some(Link { game: Some(_), .. }) => "replay",
        Some(Link { player: Some(_), .. }) => "profile",
        _ if parse_room(first).is_ok() => "play",
        _ if first == "party" && words.get(1).is_some_and(|word| parse_room(word).is_ok()) => {
            words.insert(1, "join".to_owned());
            return;
        }
        _ => return,
    };
    words.insert(0, command.to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Action;

    const SERVER: &str = "ws://localhost:7333";

    fn ask(user: &str, command: &str) -> Result<Args, Answer> {
        let visitor = Visitor::new(user, None, [192, 0, 2, 1].into());
        let request = Request { command: command.to_owned(), ..Request::new(visitor) };
        args(&request, &SERVER.parse().unwrap())
    }

    #[track_caller]
    fn same(user: &str, command: &str, line: &str) {
        let local = Args::read(line.split_whitespace()).unwrap();
        let asked = ask(user, command).unwrap_or_else(|why| panic!("{command}: {why:?}"));
        assert_eq!(asked.action(), local.action(), "{user} {command}");
        assert_eq!(asked.global.server, Some(SERVER.parse().unwrap()), "{user} {command}");
    }

    #[test]
    fn the_command_and_the_user_name_are_the_way_in() {
        same("ada", "", "noughts");
        same("kqrzx", "", "noughts play KQRZX");
        same("kqrzx", "--ascii", "noughts play KQRZX");
        same("kqrzx", "watch BCDFG", "noughts watch BCDFG");
        same("ada", "play KQRZX", "noughts play KQRZX");
        same("ada", "kqrzx", "noughts play KQRZX");
        same("ada", "watch", "noughts watch");
        same("ada", "quick", "noughts quick");
        same("ada", "rooms", "noughts rooms");
        same("ada", "party WCNZS", "noughts party join WCNZS");
        same("ada", "party join WCNZS", "noughts party join WCNZS");
        same("ada", "party watch WCNZS", "noughts party watch WCNZS");
        same("ada", "party new 'Friday'", "noughts party new Friday");
        same("ada", "history", "noughts history");
        same("ada", "history --export - --format json", "noughts history");
        same("ada", "pass 8f14.7b52 --yes", "noughts pass");
    }

    /// Fails if a stranger's link makes this machine connect to another one.
    #[test]
    fn a_link_does_not_lead_to_another_server() {
        same("ada", "https://evil.example/r/KQRZX", "noughts play KQRZX");
        same("ada", "play http://10.0.0.1:22/r/KQRZX", "noughts play KQRZX");
        same("ada", "watch http://10.0.0.1:22/r/KQRZX", "noughts watch KQRZX");
        same("ada", "http://10.0.0.1/party/WCNZS", "noughts party join WCNZS");
        same("ada", "party watch http://10.0.0.1/party/WCNZS", "noughts party watch WCNZS");
        let game = Action::Replay(noughts_protocol::GameId(0x0123_4567_89ab_cdef));
        for command in
            ["http://10.0.0.1/g/0123456789abcdef", "replay http://10.0.0.1/g/0123456789abcdef"]
        {
            same("ada", command, "noughts replay 0123456789abcdef");
            assert_eq!(ask("ada", command).unwrap().action(), game);
        }
        same("ada", "http://10.0.0.1/p/0123456789abcdef", "noughts profile");
        same("ada", "pass http://10.0.0.1/#pass=8f14.7b52", "noughts pass");
    }

    #[test]
    fn only_what_is_listed_is_allowed() {
        for command in [
            "sh",
            "play --server evil.example",
            "--server evil.example",
            "play --ca /etc/passwd",
            "play --config-dir /tmp",
            "play --password-file /etc/passwd",
            "--remember-password",
            "history --export games.json",
            "history --export /etc/cron.d/x --format json",
            "identity save /tmp/x",
            "identity load /tmp/x",
            "bot KQRZX --engine /bin/sh",
            "ssh",
            "servers",
            "man /tmp",
            "completions bash",
            "play KQRZX; sh",
            "play $(sh)",
            "play \"KQRZX",
            "scp -t /tmp",
        ] {
            let why = ask("ada", command).map(|args| format!("{args:?}")).unwrap_err();
            assert!(why.status == 2 && why.text.lines().count() == 1, "{command}: {why:?}");
        }
        assert!(ask("ada", &"play ".repeat(300)).is_err());
        assert!(!ask("ada", "play \u{1b}[2J").unwrap_err().text.contains('\u{1b}'));
        assert!(ask("ada", "--help").unwrap_err().text.contains("quick"));
    }

    #[test]
    fn the_user_name_is_the_wished_name() {
        let name = |user, command| ask(user, command).unwrap().global.name.map(|n| n.to_string());
        assert_eq!(name("Ada", "").as_deref(), Some("Ada"));
        assert_eq!(name("Ada", "play --name Bob").as_deref(), Some("Bob"));
        assert_eq!(name("KQRZX", ""), None);
        assert_eq!(name("\u{1b}[2J", "").as_deref(), Some("[2J"));
    }

    #[test]
    fn a_terminal_is_bounded_and_so_are_its_variables() {
        let visitor = Visitor::new(&"x".repeat(10_000), None, [192, 0, 2, 1].into());
        assert_eq!(visitor.user.len(), MAX_USER);
        let mut request = Request::new(visitor);
        for (name, value) in
            [("LD_PRELOAD", "x"), ("COLORTERM", "truecolor"), ("NO_COLOR", "\u{1b}c")]
        {
            let set = ChannelMsg::SetEnv {
                want_reply: true,
                variable_name: name.to_owned(),
                variable_value: value.to_owned(),
            };
            assert!(!request.take(&set));
        }
        assert_eq!(
            request.variables.into_iter().collect::<Vec<_>>(),
            [("COLORTERM".to_owned(), "truecolor".to_owned())]
        );
        assert_eq!(bounded(0, 24), Size::new(80, 24));
        assert_eq!(bounded(200, 60), Size::new(200, 60));
        assert_eq!(bounded(u32::MAX, u32::MAX), Size::new(512, 64));
        assert_eq!(bounded(1, 70_000), Size::new(1, 32_768));
    }
}
