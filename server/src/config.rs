//! The configuration of a server: [`Args`] with every value in range. Where the values come from is
//! in [`settings`].

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use noughts_protocol::{
    DisplayText, Features, MAX_MOVE_TIME_MS, MIN_MOVE_TIME_MS, PlayerId, PlayerName,
};
use noughts_store::Durability;
use parking_lot::RwLock;
use url::Url;

use admin_tokens::AdminTokens;
use args::Args;
use certificates::Tls;
use cluster::ClusterConfig;
use defaults::computer_threads;
pub(crate) use defaults::data_dir;
use name_filter::NameFilter;
use password::Password;
use rooms::{RoomLimits, RoomTimes};
use validate::{count, positive, time, ttl};

pub(crate) mod admin_tokens;
pub mod args;
pub mod certificates;
pub(crate) mod cluster;
mod defaults;
mod name_filter;
pub(crate) mod password;
mod proxy;
pub(crate) mod rooms;
pub mod settings;
mod validate;

/// A validated configuration.
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) name: DisplayText,
    /// Origins whose pages may connect, as browsers write them: those that the host names, and where
    /// people reach this server.
    pub(crate) allowed_origins: Vec<String>,
    /// The URL for players, ending in a slash; `None` for the addresses of the interfaces.
    pub(crate) public_url: Option<Url>,
    /// The path before all others, for example `/noughts`; empty for none.
    pub(crate) base_path: String,
    /// Whether a door for ssh is on this machine.
    pub(crate) ssh: bool,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// The certificate; `None` if connections are not encrypted.
    pub(crate) tls: Option<Arc<Tls>>,
    /// The interface whose address comes first in the banner.
    pub(crate) qr_interface: Option<String>,
    /// Whether the banner may have a QR code.
    pub(crate) qr: bool,
    /// Whether the server is announced on the local network.
    pub(crate) announce: bool,
    pub(crate) rooms: RoomLimits,
    pub(crate) max_connections: usize,
    pub(crate) max_per_address: usize,
    /// Twice the messages of a second.
    pub(crate) intent_burst: u32,
    pub(crate) intents_per_second: u32,
    pub(crate) times: RoomTimes,
    pub(crate) quick_move_time_ms: u32,
    pub(crate) computer_delay: Duration,
    pub(crate) computer_time: Duration,
    pub(crate) computer_threads: usize,
    /// The tokens of hosts at `--admin`.
    pub(crate) admin_tokens: Current<AdminTokens>,
    /// The password that players must send.
    pub(crate) password: Current<Option<Password>>,
    /// The words that no name may contain, if the host forbids any.
    pub(crate) name_filter: Current<Option<NameFilter>>,
    /// The features that the host has not switched off.
    pub(crate) features: Features,
    /// The folder of the page's files; `None` for the files in the binary.
    pub(crate) web_dir: Option<PathBuf>,
    /// The data folder; `None` if rooms are in memory only.
    pub(crate) data_dir: Option<PathBuf>,
    pub(crate) durability: Durability,
    pub(crate) keep_games: Duration,
    /// The cluster that the server is a node of; `None` for a single server.
    pub(crate) cluster: Option<ClusterConfig>,
}

impl Config {
    /// The name that a player has here who wants this one.
    pub(crate) fn name_of(&self, player: PlayerId, wanted: PlayerName) -> PlayerName {
        match &*self.name_filter.get() {
            Some(filter) => filter.name(player, wanted),
            None => wanted,
        }
    }

    /// Takes what can change in a running server from a configuration that was read again.
    pub(crate) fn take(&self, read_again: &Self) {
        self.admin_tokens.take(&read_again.admin_tokens);
        self.password.take(&read_again.password);
        self.name_filter.take(&read_again.name_filter);
        if let Some((tls, read_again)) = self.tls.as_ref().zip(read_again.tls.as_ref()) {
            tls.take(read_again);
        }
    }
}

impl TryFrom<&Args> for Config {
    type Error = ConfigError;

    fn try_from(args: &Args) -> Result<Self, ConfigError> {
        let max_connections = 1_000_000;
        let ms = u64::from(MIN_MOVE_TIME_MS)..=u64::from(MAX_MOVE_TIME_MS);
        let public_url = args.public_url.as_deref();
        let public_url = public_url.map(|url| validate::base_url("public-url", url)).transpose()?;
        let cluster = cluster::cluster(args)?;
        let node_url = cluster.as_ref().and_then(|cluster| cluster.url.as_ref());
        let quick_move_time_ms = u32::try_from(args.quick_move_time.as_millis()).ok();
        if let Some(metrics) = args.metrics_bind {
            validate::beside("metrics-bind", metrics, args.bind, "players are there (--bind)")?;
        }
        Ok(Self {
            name: validate::name(&args.name)?,
            allowed_origins: allowed_origins(args, public_url.iter().chain(node_url))?,
            public_url,
            base_path: proxy::base_path(args.base_path.as_deref().unwrap_or_default())?,
            trusted_proxies: proxy::networks(
                &args.trusted_proxy,
                args.ssh.then_some(args.bind.ip()),
            )?,
            ssh: args.ssh,
            tls: Tls::load(args.tls_cert.as_deref(), args.tls_key.as_deref())?,
            qr_interface: args.qr_interface.clone(),
            qr: !args.no_qr,
            announce: !args.no_announce,
            rooms: rooms(args)?,
            max_connections: count("max-connections", args.max_connections, max_connections)?,
            max_per_address: count("max-per-address", args.max_per_address, max_connections)?,
            intent_burst: args.intents_per_second.saturating_mul(2),
            intents_per_second: positive("intents-per-second", args.intents_per_second)?,
            times: RoomTimes {
                absence_grace: time("absence-grace", args.absence_grace)?,
                unattended: ttl("room-ttl", args.room_ttl)?,
                idle: ttl("idle-ttl", args.idle_ttl)?,
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
            admin_tokens: AdminTokens::of(args)?.into(),
            password: Password::load(
                args.join_password.as_ref(),
                args.join_password_file.as_deref(),
            )?
            .into(),
            name_filter: args.name_filter.as_deref().map(NameFilter::load).transpose()?.into(),
            features: Features {
                spectators: !args.no_spectators,
                listing: !args.no_listing,
                quick_match: !args.no_quick_match,
                chat: !args.no_chat,
                history: !args.ephemeral,
                ratings: !args.ephemeral && !args.no_ratings,
                parties: !args.no_parties,
            },
            web_dir: args.web_dir.as_deref().map(validate::web_dir).transpose()?,
            data_dir: match args.ephemeral {
                true => None,
                false => Some(data_dir(args.data_dir.clone())?),
            },
            durability: args.durability,
            keep_games: args.keep_games.min(Duration::from_secs(100 * 365 * 24 * 3600)),
            cluster,
        })
    }
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

    /// The problem of the value, and a right one.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

/// A value that can change while the server runs ([`Config::take`]). Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub(crate) struct Current<T>(Arc<RwLock<Arc<T>>>);

impl<T> Current<T> {
    /// The value now.
    pub(crate) fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read())
    }

    /// Takes the value that was read again.
    fn take(&self, read_again: &Self) {
        let value = read_again.get();
        *self.0.write() = value;
    }
}

impl<T> From<T> for Current<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(value))))
    }
}

/// The origins that the host names. A proxy may change the `Host` header, so the server's own URLs are among
/// them.
fn allowed_origins<'a>(
    args: &Args,
    own: impl Iterator<Item = &'a Url>,
) -> Result<Vec<String>, ConfigError> {
    let named = args.allow_origin.iter().map(|origin| validate::origin(origin));
    named.chain(own.map(|url| Ok(url.origin().ascii_serialization()))).collect()
}

/// By default an address may have this many rooms for each connection that it may have.
const ROOMS_PER_CONNECTION: u32 = 4;

fn rooms(args: &Args) -> Result<RoomLimits, ConfigError> {
    let max_rooms = noughts_protocol::RoomCode::COUNT as usize / 2;
    let connections = u32::try_from(args.max_per_address).unwrap_or(u32::MAX);
    let per_address =
        args.rooms_per_address.unwrap_or(connections.saturating_mul(ROOMS_PER_CONNECTION));
    Ok(RoomLimits {
        most: count("max-rooms", args.max_rooms, max_rooms)?,
        per_address: positive("rooms-per-address", per_address)?,
        // A class begins at the same time.
        new_per_address: connections,
        // The parts of one person are those of the default, or more.
        per_player: (per_address / 32).max(32),
        waiting: (per_address / 256).max(4),
        new_per_player: (per_address / 50).max(20),
    })
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
        check("--intents-per-second", "0", Err("--intents-per-second: use at least 1"));
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
