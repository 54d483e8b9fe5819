//! What the server runs with: [`Args`] with every value in range.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use directories::ProjectDirs;
use ipnet::IpNet;
use noughts_protocol::{Chaos, DisplayText, Features, MAX_MOVE_TIME_MS, MIN_MOVE_TIME_MS};
use url::Url;

use crate::config::args::Args;
use crate::config::certificates::Tls;
use crate::config::password::Password;
use crate::journal::store::Durability;
use rooms::{RoomLimits, RoomTimes};

pub mod args;
pub mod certificates;
pub(crate) mod password;
mod proxy;
pub(crate) mod rooms;
pub mod settings;

/// Absences shorter than this are not announced: a reload takes about one second.
const UNANNOUNCED: Duration = Duration::from_secs(3);

/// Between two games of an exhibition: time to see the result.
const EXHIBITION_PAUSE: Duration = Duration::from_secs(3);

/// The longest time that an option may set.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// A validated configuration.
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) name: DisplayText,
    /// Origins besides the server's own, as browsers write them.
    pub(crate) allowed_origins: Vec<String>,
    /// The URL that others use, ending in a slash; else that of an interface.
    pub(crate) public_url: Option<Url>,
    /// The path that requests may begin with, `/noughts`; empty for none.
    pub(crate) base_path: String,
    /// Who is believed about whose requests they pass on.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// The certificate, where connections are encrypted.
    pub(crate) tls: Option<Arc<Tls>>,
    /// The interface whose address comes first.
    pub(crate) qr_interface: Option<String>,
    /// Whether the start-up card may have a QR code.
    pub(crate) qr: bool,
    /// Whether the local network is told of the server.
    pub(crate) announce: bool,
    pub(crate) rooms: RoomLimits,
    pub(crate) max_connections: usize,
    pub(crate) max_per_address: usize,
    pub(crate) intent_burst: u32,
    pub(crate) intents_per_second: u32,
    pub(crate) times: RoomTimes,
    pub(crate) quick_move_time_ms: u32,
    pub(crate) computer_delay: Duration,
    pub(crate) computer_time: Duration,
    pub(crate) computer_threads: usize,
    /// What everybody who comes in must say.
    pub(crate) password: Option<Password>,
    /// What the host has left on.
    pub(crate) features: Features,
    /// Where the page's files are, if not in the binary.
    pub(crate) web_dir: Option<PathBuf>,
    /// Where rooms are kept; `None` in memory alone.
    pub(crate) data_dir: Option<PathBuf>,
    pub(crate) durability: Durability,
    pub(crate) keep_games: Duration,
    /// What is done to messages on purpose.
    pub(crate) chaos: Option<Chaos>,
}

/// An option with a value that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("--{option}: {problem}")]
pub struct ConfigError {
    option: &'static str,
    problem: String,
}

impl ConfigError {
    pub(crate) fn new(option: &'static str, problem: impl Into<String>) -> Self {
        Self { option, problem: problem.into() }
    }

    /// The option's name, without the dashes.
    #[must_use]
    pub const fn option(&self) -> &'static str {
        self.option
    }

    /// What is wrong with its value, and what is right.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl TryFrom<&Args> for Config {
    type Error = ConfigError;

    fn try_from(args: &Args) -> Result<Self, ConfigError> {
        let most_connections = 1_000_000;
        let ms = u64::from(MIN_MOVE_TIME_MS)..=u64::from(MAX_MOVE_TIME_MS);
        let public_url = args.public_url.as_deref().map(public_url).transpose()?;
        let quick_move_time_ms = u32::try_from(args.quick_move_time.as_millis()).ok();
        if args.metrics_bind.is_some_and(|metrics| overlap(metrics, args.bind)) {
            let problem = "players are there (--bind): choose another port";
            return Err(ConfigError::new("metrics-bind", problem));
        }
        Ok(Self {
            name: name(&args.name)?,
            allowed_origins: args
                .allow_origin
                .iter()
                .map(|o| origin(o))
                // A proxy need not keep the host's name.
                .chain(public_url.iter().map(|url| Ok(url.origin().ascii_serialization())))
                .collect::<Result<_, _>>()?,
            public_url,
            base_path: proxy::base_path(args.base_path.as_deref().unwrap_or_default())?,
            trusted_proxies: proxy::networks(&args.trusted_proxy)?,
            tls: Tls::read_if_named(args.tls_cert.as_deref(), args.tls_key.as_deref())?,
            qr_interface: args.qr_interface.clone(),
            qr: !args.no_qr,
            announce: !args.no_announce,
            rooms: rooms(args)?,
            max_connections: count("max-connections", args.max_connections, most_connections)?,
            max_per_address: count("max-per-address", args.max_per_address, most_connections)?,
            intent_burst: positive("intent-burst", args.intent_burst)?,
            intents_per_second: positive("intents-per-second", args.intents_per_second)?,
            times: RoomTimes {
                absence_grace: time("absence-grace", args.absence_grace)?,
                absence_unannounced: UNANNOUNCED,
                unattended: ttl("room-ttl", args.room_ttl)?,
                idle: ttl("idle-ttl", args.idle_ttl)?,
                exhibition_pause: EXHIBITION_PAUSE,
            },
            quick_move_time_ms: quick_move_time_ms
                .filter(|time| ms.contains(&u64::from(*time)))
                .ok_or_else(|| ConfigError::new("quick-move-time", "use one second to a week"))?,
            computer_delay: time("computer-delay", args.computer_delay)?,
            computer_time: time("computer-time", args.computer_time)?,
            computer_threads: match args.computer_threads {
                Some(threads) => count("computer-threads", threads, 1024)?,
                None => computer_threads(),
            },
            password: Password::of(
                args.join_password.as_ref(),
                args.join_password_file.as_deref(),
            )?,
            features: Features {
                spectators: !args.no_spectators,
                listing: !args.no_listing,
                quick_match: !args.no_quick_match,
            },
            web_dir: args.web_dir.as_deref().map(web_dir).transpose()?,
            data_dir: match args.ephemeral {
                true => None,
                false => Some(data_dir(args.data_dir.clone())?),
            },
            durability: args.durability,
            chaos: args.chaos,
            keep_games: args.keep_games.min(Duration::from_secs(100 * 365 * 24 * 3600)),
        })
    }
}

/// An address may make as many rooms in a minute as it may have connections, which a class does
/// that begins at once, and have this many times as many.
const ROOMS_PER_CONNECTION: u32 = 4;

fn rooms(args: &Args) -> Result<RoomLimits, ConfigError> {
    let most = noughts_protocol::RoomCode::COUNT as usize / 2;
    let here = u32::try_from(args.max_per_address).unwrap_or(u32::MAX);
    let usual = here.saturating_mul(ROOMS_PER_CONNECTION);
    let (per_address, new) = (args.rooms_per_address, args.new_rooms_per_address);
    Ok(RoomLimits {
        most: count("max-rooms", args.max_rooms, most)?,
        per_player: positive("rooms-per-player", args.rooms_per_player)?,
        waiting: positive("waiting-rooms", args.waiting_rooms)?,
        per_address: positive("rooms-per-address", per_address.unwrap_or(usual))?,
        new_per_player: positive("new-rooms-per-player", args.new_rooms_per_player)?,
        new_per_address: positive("new-rooms-per-address", new.unwrap_or(here))?,
    })
}

/// Whether one program cannot listen on both.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let everywhere = one.ip().is_unspecified() || other.ip().is_unspecified();
    // Port 0 is any that is free.
    one.port() != 0 && one.port() == other.port() && (everywhere || one.ip() == other.ip())
}

/// The value that this machine gives to an option that was not set, as a file would have it.
pub(crate) fn found(option: &str) -> Option<toml::Value> {
    match option {
        "data-dir" => Some(data_dir(None).ok()?.to_string_lossy().into_owned().into()),
        "computer-threads" => Some(i64::try_from(computer_threads()).ok()?.into()),
        _ => None,
    }
}

/// One for every two cores.
fn computer_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().div_ceil(2))
}

/// The folder that was named, or the one of this user on this system.
///
/// # Errors
/// Where the system knows no such folder.
pub(crate) fn data_dir(named: Option<PathBuf>) -> Result<PathBuf, ConfigError> {
    let usual = || {
        let folders = ProjectDirs::from("", "", "noughts")?;
        Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned())
    };
    named.or_else(usual).ok_or_else(|| {
        ConfigError::new("data-dir", "this user has no home: name a folder, or use --ephemeral")
    })
}

fn name(name: &str) -> Result<DisplayText, ConfigError> {
    let legal = !name.trim().is_empty()
        && name.chars().count() <= 60
        && !name.chars().any(noughts_protocol::text::is_unsafe);
    let problem = "a server's name has 1 to 60 visible characters";
    legal.then(|| name.into()).ok_or_else(|| ConfigError::new("name", problem))
}

fn origin(origin: &str) -> Result<String, ConfigError> {
    let url = Url::parse(origin).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let written = url.map(|url| url.origin().ascii_serialization());
    written.ok_or_else(|| {
        ConfigError::new("allow-origin", format!("{origin:?} is no origin: write https://host"))
    })
}

/// A URL that paths can be appended to.
fn public_url(text: &str) -> Result<Url, ConfigError> {
    let plain = |url: &Url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let whole = url.query().is_none() && url.fragment().is_none();
        matches!(url.scheme(), "http" | "https") && url.has_host() && bare && whole
    };
    let Some(mut url) = Url::parse(text).ok().filter(plain) else {
        let problem =
            format!("{text:?} is no base of links: write https://host or https://host/path");
        return Err(ConfigError::new("public-url", problem));
    };
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

fn count(option: &'static str, value: usize, most: usize) -> Result<usize, ConfigError> {
    let problem = || format!("{value} is out of range: use 1 to {most}");
    (1..=most).contains(&value).then_some(value).ok_or_else(|| ConfigError::new(option, problem()))
}

fn positive(option: &'static str, value: u32) -> Result<u32, ConfigError> {
    if value == 0 { Err(ConfigError::new(option, "use at least 1")) } else { Ok(value) }
}

fn time(option: &'static str, value: Duration) -> Result<Duration, ConfigError> {
    if value > LONGEST { Err(ConfigError::new(option, "use a year at most")) } else { Ok(value) }
}

/// A folder with a page in it.
fn web_dir(folder: &Path) -> Result<PathBuf, ConfigError> {
    let problem = || format!("there is no index.html in {}", folder.display());
    let is_page = folder.join("index.html").is_file();
    is_page.then(|| folder.to_owned()).ok_or_else(|| ConfigError::new("web-dir", problem()))
}

/// A room must live until whoever made it has entered.
fn ttl(option: &'static str, value: Duration) -> Result<Duration, ConfigError> {
    if value < Duration::from_secs(1) {
        return Err(ConfigError::new(option, "use at least one second"));
    }
    time(option, value)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{Args, Config};

    fn check(option: &str, value: &str, expected: Result<(), &str>) {
        let args = Args::parse_from(["noughts-server", option, value]);
        let config = Config::try_from(&args);
        assert_eq!(config.map(drop).map_err(|e| e.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn options_out_of_range_name_themselves_and_say_what_is_right() {
        check("--max-rooms", "0", Err("--max-rooms: 0 is out of range: use 1 to 1600000"));
        check("--intent-burst", "0", Err("--intent-burst: use at least 1"));
        check(
            "--name",
            "a\u{202e}b",
            Err("--name: a server's name has 1 to 60 visible characters"),
        );
        check("--web-dir", "/nowhere", Err("--web-dir: there is no index.html in /nowhere"));
        check("--quick-move-time", "10ms", Err("--quick-move-time: use one second to a week"));
        check("--allow-origin", "x", Err("--allow-origin: \"x\" is no origin: write https://host"));
        check("--allow-origin", "https://games.example", Ok(()));
        check("--public-url", "https://games.example/noughts", Ok(()));
        for wrong in ["games.example", "ftp://x", "http://me:pw@x", "http://x/?a", "http://x/#a"] {
            let problem = format!(
                "--public-url: {wrong:?} is no base of links: write https://host or \
                 https://host/path"
            );
            check("--public-url", wrong, Err(&problem));
        }
    }
}
