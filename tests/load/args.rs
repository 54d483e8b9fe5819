//! The command line of `noughts-load`.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use clap::{Parser, ValueEnum};
use humantime::parse_duration;
use noughts_protocol::{BoardSpec, Computer, PartyFormat};
use serde::Serialize;
use serde_json::{Value, json};

/// Examples, printed after the options.
const EXAMPLES: &str = "\
Examples:
  noughts-load                                   100 rooms, as many moves as they can
  noughts-load --rooms 1000 --rate 2000          1000 rooms, 2000 moves a second in all
  noughts-load --rooms 1 --spectators 5000       one game that 5000 watch
  noughts-load --rooms 1 --rate 20 --spectators 1000 --talk 500 --time 60s
                                                 what a move costs beside 1000 who talk
  noughts-load --rooms 0 --idle 10000            what a silent connection costs
  noughts-load --rooms 0 --absent 10000          what a room costs while nobody is there
  noughts-load --rooms 0 --storm 64              how many visitors can come in a second
  noughts-load --rooms 0 --computers 50 --board 15x15x5
  noughts-load --party 200                       a Swiss of 8 rounds with a big screen
  noughts-load --server 192.0.2.7:7333 --rooms 500 --rate 250

How many can my server hold? Start it as you mean to run it, with --max-per-address and
--max-connections as high as you want to try, and raise --rooms with --rate at half as many (a
move every two seconds in each room), until p99 is no longer what you would like to play with. A
server lets a connection send 10 messages a second unless --intents-per-second says more: without
a --rate it refuses what comes faster, and that ends the measurement.

Every delivery is checked: each viewer must be told each move once, in order, of the right cell.
The exit code is 0 if all deliveries were right, 1 if not, 2 if the arguments were wrong.";

/// Loads a Noughts server and measures what it does.
///
/// Players, spectators and visitors are real connections that play real games, one after another.
/// Without --server it starts a server of its own, from the program beside it, on another core.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, args_override_self = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A running server to load; its own host's limits hold
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with_all = ["relay", "server_option"])]
    pub(crate) server: Option<SocketAddr>,

    /// Another node of that server's cluster: each second player and all spectators connect there, and
    /// the rooms are at the first one; may be repeated, they take them in turn
    #[arg(long, value_name = "ADDRESS:PORT", requires = "server")]
    pub(crate) other_server: Vec<SocketAddr>,

    /// The process of that server, where it runs on this machine, to measure memory and CPU; may be
    /// repeated for other nodes of its cluster, whose CPU is added
    #[arg(long, value_name = "PID", requires = "server")]
    pub(crate) pid: Vec<u32>,

    /// Load the bare relay instead, which passes frames on and knows no game
    #[arg(long)]
    pub(crate) relay: bool,

    /// An option for the server that is started, as in --server-option=--log=debug; may be repeated
    #[arg(long, value_name = "OPTION")]
    pub(crate) server_option: Vec<String>,

    /// Rooms and connections
    #[command(flatten)]
    pub(crate) load: Load,

    /// A party instead of rooms
    #[command(flatten)]
    pub(crate) party: PartyLoad,

    /// How long is measured
    #[arg(long, default_value = "5s", value_parser = parse_duration, value_name = "TIME")]
    pub(crate) time: Duration,

    /// How long they play before that
    #[arg(long, default_value = "1s", value_parser = parse_duration, value_name = "TIME")]
    pub(crate) warm_up: Duration,

    /// How long each step before that may take
    #[arg(long, default_value = "60s", value_parser = parse_duration, value_name = "TIME")]
    pub(crate) patience: Duration,

    /// Write one JSON object instead of the table
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not pin the server and the load to a core each
    #[arg(long)]
    pub(crate) no_pin: bool,
}

/// The rooms and connections of a run.
#[derive(Debug, Clone, Parser, Serialize)]
pub(crate) struct Load {
    /// Rooms of two players
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) rooms: usize,

    /// Moves a second in all rooms together [default: each as soon as it may be made]
    #[arg(long, value_parser = rate, value_name = "N")]
    pub(crate) rate: Option<f64>,

    /// Spectators; in a watched room the next move waits until the last of them has the one before
    #[arg(long, default_value_t = 0, value_name = "N", requires = "rooms")]
    pub(crate) spectators: usize,

    /// Where they watch: all in one room, or spread over all
    #[arg(long, default_value = "one", value_name = "WHERE")]
    pub(crate) watch: Watch,

    /// Lines a second that the spectators say together, in every second stretch of 3 s; moves beside
    /// talk are measured apart
    #[arg(long, value_parser = rate, value_name = "N", requires = "spectators", conflicts_with = "relay")]
    pub(crate) talk: Option<f64>,

    /// Connections that say hello and nothing more
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) idle: usize,

    /// Rooms of two players who have all gone away, made before the others come, and as many
    /// before them that are not counted
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with = "relay")]
    pub(crate) absent: usize,

    /// Connections that are being opened at any time: upgrade, hello, join as a spectator, close
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) storm: usize,

    /// Rooms of a person and a computer, who both move at once
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with = "relay")]
    pub(crate) computers: usize,

    /// Which computer: minimax or heuristic with its strength after a colon, rules or perfect
    #[arg(long, default_value = "minimax:average", value_parser = computer, value_name = "WHICH")]
    pub(crate) computer: Computer,

    /// The board: width, height and how many in a row win; 3x3x3 has a rematch every nine moves
    #[arg(long, default_value = "3x3x3", value_name = "BOARD")]
    pub(crate) board: BoardSpec,
}

/// Options of a party.
#[derive(Debug, Clone, Parser, Serialize)]
pub(crate) struct PartyLoad {
    /// People who play one party, instead of rooms
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=200), value_name = "N")]
    pub(crate) party: Option<u16>,

    /// How they meet: `knockout`, `round_robin` or `swiss`
    #[arg(long, default_value = "swiss", value_name = "FORMAT")]
    pub(crate) format: PartyFormat,

    /// Rounds of a Swiss
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(5..=9), value_name = "N")]
    pub(crate) rounds: u8,

    /// Big screens of the party
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) screens: u16,

    /// People who look on without playing
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) onlookers: u16,

    /// Moves of each game, after which one of the two resigns
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(2..=80), value_name = "N")]
    pub(crate) plies: u16,
}

/// Where spectators watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Watch {
    /// All in the first room.
    One,
    /// In all rooms in turn.
    Spread,
}

impl Load {
    /// The number of connections that stay open.
    pub(crate) const fn connections(&self) -> usize {
        2 * self.rooms + self.spectators + self.idle + self.computers
    }
}

fn rate(text: &str) -> anyhow::Result<f64> {
    let rate: f64 = text.parse()?;
    anyhow::ensure!((0.001..=1e6).contains(&rate), "use 0.001 to 1000000");
    Ok(rate)
}

fn computer(text: &str) -> anyhow::Result<Computer> {
    let (strategy, strength) = text.split_once(':').unwrap_or((text, "average"));
    let value: Value = json!({ "strategy": strategy, "strength": strength });
    serde_json::from_value(value).context("for example heuristic:strong")
}
