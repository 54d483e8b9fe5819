//! The options of hosting, as they are given. Their ranges are checked in [`super`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::FalseyValueParser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use noughts_store::Durability;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};

use super::password::PasswordArg;
use cluster::ClusterArgs;
use listen::{listen_address, local_address};

pub mod cluster;
mod listen;

/// The headings of the options in the help.
const NETWORK: &str = "The network";
const LIMITS: &str = "Limits";
const STORAGE: &str = "What is kept";
const PLAY: &str = "Time and computers";
const PLAYERS: &str = "What players may do";

/// Hosts Noughts: tic-tac-toe on small and large boards, for people, computers and spectators.
#[derive(Debug, Clone, Parser)]
#[command(version, max_term_width = 100, args_override_self = true)]
pub struct Args {
    /// TOML file with the options as keys; the command line and the environment override it
    #[arg(long, env = "NOUGHTS_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Address and port to listen on; 0.0.0.0 is every IPv4 network, `[::]` every one
    #[arg(
        long,
        // Many try it first, and read then what is wanted.
        alias = "port",
        help_heading = NETWORK,
        env = "NOUGHTS_BIND",
        default_value = "0.0.0.0:7333",
        value_parser = listen_address,
        value_name = "ADDRESS:PORT"
    )]
    pub bind: SocketAddr,

    /// Another address and port, where Prometheus reads /metrics [default: no metrics]
    #[arg(
        long,
        help_heading = NETWORK,
        env = "NOUGHTS_METRICS_BIND",
        value_parser = listen_address,
        value_name = "ADDRESS:PORT"
    )]
    pub metrics_bind: Option<SocketAddr>,

    /// Another address and port, where hosts with a token see who is there, and act: the page /host; a port
    /// alone is one of this machine [default: no page for hosts]
    #[arg(
        long,
        help_heading = NETWORK,
        env = "NOUGHTS_ADMIN",
        value_parser = local_address,
        value_name = "ADDRESS:PORT"
    )]
    pub admin: Option<SocketAddr>,

    /// The file with the tokens of --admin: a name and a token on each line
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_ADMIN_TOKENS", value_name = "FILE")]
    pub admin_tokens: Option<PathBuf>,

    /// The name of this server, for players
    #[arg(long, env = "NOUGHTS_SERVER_NAME", default_value = "Noughts")]
    pub name: String,

    /// Another origin whose pages may connect, and whose host is answered, for example
    /// `https://games.example`; may be repeated
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_ALLOW_ORIGIN", value_delimiter = ',', value_name = "ORIGIN")]
    pub allow_origin: Vec<String>,

    /// Rooms at once
    #[arg(long, help_heading = LIMITS, env = "NOUGHTS_MAX_ROOMS", value_parser = number::<usize>, default_value_t = 20_000, value_name = "N")]
    pub max_rooms: usize,

    /// Connections at once
    #[arg(long, help_heading = LIMITS, env = "NOUGHTS_MAX_CONNECTIONS", value_parser = number::<usize>, default_value_t = 20_000, value_name = "N")]
    pub max_connections: usize,

    /// Connections at once from one address
    #[arg(long, help_heading = LIMITS, env = "NOUGHTS_MAX_PER_ADDRESS", value_parser = number::<usize>, default_value_t = 256, value_name = "N")]
    pub max_per_address: usize,

    /// Rooms at once that one address may have made [default: four times --max-per-address]
    #[arg(long, help_heading = LIMITS, env = "NOUGHTS_ROOMS_PER_ADDRESS", value_parser = number::<u32>, value_name = "N")]
    pub rooms_per_address: Option<u32>,

    /// Messages a second that one connection may send, after twice as many at once
    #[arg(long, help_heading = LIMITS, env = "NOUGHTS_INTENTS_PER_SECOND", value_parser = number::<u32>, default_value_t = 10, value_name = "N")]
    pub intents_per_second: u32,

    /// How long a player may be away before the opponent may claim the game; where a move may take
    /// an hour or longer, as long as that
    #[arg(long, help_heading = PLAY, env = "NOUGHTS_ABSENCE_GRACE", default_value = "60s", value_parser = duration, value_name = "TIME")]
    pub absence_grace: Duration,

    /// Folder that keeps rooms and games over restarts [default: noughts in the user's state folder]
    #[arg(long, help_heading = STORAGE, env = "NOUGHTS_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,

    /// Keep rooms in memory only: they end with the server
    #[arg(long, help_heading = STORAGE, env = "NOUGHTS_EPHEMERAL", value_parser = FalseyValueParser::new())]
    pub ephemeral: bool,

    /// What a move survives after players see it: a power cut, or the end of the server's process
    #[arg(
        long,
        help_heading = STORAGE,
        env = "NOUGHTS_DURABILITY",
        value_parser = durability(),
        default_value = "power",
        value_name = "power|process"
    )]
    pub durability: Durability,

    /// How long games are kept after their end: a time, or `forever`; profiles and ratings stay
    #[arg(long, help_heading = STORAGE, env = "NOUGHTS_KEEP_GAMES", default_value = "90d", value_parser = parse_keep_games, value_name = "TIME")]
    pub keep_games: Duration,

    /// How long a room without connections is kept; a running game of two people is kept for --idle-ttl
    #[arg(long, help_heading = STORAGE, env = "NOUGHTS_ROOM_TTL", default_value = "15m", value_parser = duration, value_name = "TIME")]
    pub room_ttl: Duration,

    /// How long a room in which nothing happens is kept, even with connections
    #[arg(long, help_heading = STORAGE, env = "NOUGHTS_IDLE_TTL", default_value = "24h", value_parser = duration, value_name = "TIME")]
    pub idle_ttl: Duration,

    /// Time for a move in a quick match
    #[arg(long, help_heading = PLAY, env = "NOUGHTS_QUICK_MOVE_TIME", default_value = "30s", value_parser = duration, value_name = "TIME")]
    pub quick_move_time: Duration,

    /// How long a computer waits before its move, so that people can follow
    #[arg(long, help_heading = PLAY, env = "NOUGHTS_COMPUTER_DELAY", default_value = "600ms", value_parser = duration, value_name = "TIME")]
    pub computer_delay: Duration,

    /// How long a computer may think about a move
    #[arg(long, help_heading = PLAY, env = "NOUGHTS_COMPUTER_TIME", default_value = "1s", value_parser = duration, value_name = "TIME")]
    pub computer_time: Duration,

    /// Threads on which computers may think at once [default: one for every two cores]
    #[arg(long, help_heading = PLAY, env = "NOUGHTS_COMPUTER_THREADS", value_parser = number::<usize>, value_name = "N")]
    pub computer_threads: Option<usize>,

    /// The URL of this server for players, if it is not an address of this machine:
    /// `https://games.example/`; only that host and this machine's own names are answered then
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// The path that a proxy leaves in front of the requests it passes on: /noughts
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_BASE_PATH", value_name = "PATH")]
    pub base_path: Option<String>,

    /// Address or network of a proxy whose X-Forwarded-For is trusted; may be repeated
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_TRUSTED_PROXY", value_delimiter = ',', value_name = "NETWORK")]
    pub trusted_proxy: Vec<String>,

    /// A door for ssh (`noughts ssh`) on this machine brings people in: X-Forwarded-For is trusted from this
    /// machine, and the start says how to open the door
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_SSH", value_parser = FalseyValueParser::new())]
    pub ssh: bool,

    /// The certificate with its chain, as PEM: connections are encrypted
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// The certificate's private key, as PEM
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// The interface whose address comes first and is in the QR code
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_QR_INTERFACE", value_name = "NAME")]
    pub qr_interface: Option<String>,

    /// Print no QR code
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_NO_QR", value_parser = FalseyValueParser::new())]
    pub no_qr: bool,

    /// Do not announce this server on the local network
    #[arg(long, help_heading = NETWORK, env = "NOUGHTS_NO_ANNOUNCE", value_parser = FalseyValueParser::new())]
    pub no_announce: bool,

    /// Ask every player for this password; a file or the environment is safer, because other users
    /// of this machine can see the command line
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_JOIN_PASSWORD", hide_env_values = true, value_name = "PASSWORD")]
    pub join_password: Option<PasswordArg>,

    /// The same, with the password on the first line of this file
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_JOIN_PASSWORD_FILE", value_name = "FILE")]
    pub join_password_file: Option<PathBuf>,

    /// Allow no spectators
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_NO_SPECTATORS", value_parser = FalseyValueParser::new())]
    pub no_spectators: bool,

    /// Have no public list of rooms
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_NO_LISTING", value_parser = FalseyValueParser::new())]
    pub no_listing: bool,

    /// Have no quick matches of strangers
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_NO_QUICK_MATCH", value_parser = FalseyValueParser::new())]
    pub no_quick_match: bool,

    /// Let nobody talk in rooms
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_NO_CHAT", value_parser = FalseyValueParser::new())]
    pub no_chat: bool,

    /// Rate nobody, and show no leaderboards
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_NO_RATINGS", value_parser = FalseyValueParser::new())]
    pub no_ratings: bool,

    /// File with words that no name may contain, one a line: who comes with one gets an animal's name
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_NAME_FILTER", value_name = "FILE")]
    pub name_filter: Option<PathBuf>,

    /// Let nobody make parties
    #[arg(long, help_heading = PLAYERS, env = "NOUGHTS_NO_PARTIES", value_parser = FalseyValueParser::new())]
    pub no_parties: bool,

    /// Serve the page from this folder, uncached, instead of from the binary; for developers
    #[arg(long, env = "NOUGHTS_WEB_DIR", value_name = "FOLDER")]
    pub web_dir: Option<PathBuf>,

    /// What to log to standard error: error, warn, info, debug or trace, also for parts of the
    /// program: `info,noughts_server::room=debug`
    #[arg(long, env = "NOUGHTS_LOG", default_value = "info", value_parser = log_filter, value_name = "FILTER")]
    pub log: Targets,

    /// How to write the log: lines of text, or a JSON object a line
    #[arg(long, env = "NOUGHTS_LOG_FORMAT", default_value = "text", value_name = "text|json")]
    pub log_format: LogFormat,

    // It stands last: options after it would be under its heading.
    /// How the server takes part in a cluster
    #[command(flatten)]
    pub cluster: ClusterArgs,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people
    Text,
    /// A JSON object a line, for programs
    Json,
}

/// How long games are kept: a time, or `forever`.
fn parse_keep_games(text: &str) -> Result<Duration, String> {
    if text == "forever" {
        return Ok(Duration::MAX);
    }
    humantime::parse_duration(text).map_err(|_| "write a time such as 90d, or forever".to_owned())
}

/// Reads a time. The error shows right ones.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "write a time such as 500ms, 30s or 2h".to_owned())
}

fn number<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "write a whole number such as 500".to_owned())
}

/// A filter of the log. A part that names a target alone is legal there, but it is more likely a typo, and all
/// else would be left out.
fn log_filter(text: &str) -> Result<Targets, String> {
    let is_known = |part: &str| part.contains('=') || part.parse::<LevelFilter>().is_ok();
    match text.split(',').find(|part| !is_known(part)) {
        Some(part) => Err(format!(
            "\"{part}\" is no level: use error, warn, info, debug or trace, also for a part of the program, as in \
             info,noughts_server::room=debug"
        )),
        None => text.parse().map_err(|error: ParseError| error.to_string()),
    }
}

/// The values of `--durability`.
fn durability() -> impl TypedValueParser<Value = Durability> {
    let power =
        PossibleValue::new("power").help("A power cut: each commit waits until the disk has it");
    let process = PossibleValue::new("process")
        .help("The end of the server's process, but not of the machine");
    let names = PossibleValuesParser::new([power, process]);
    names.map(|name| if name == "process" { Durability::Process } else { Durability::Power })
}
