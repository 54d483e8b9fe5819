//! The questions and orders of a host, and the answers: one JSON object a line, each way. Players never see these
//! messages.

use std::net::IpAddr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Subcommand};
use noughts_protocol::{
    AnnouncementText, ChatLine, DisplayText, Features, PartyCode, PartyPhase, PlayerId, PlayerName,
    RoomCode, RoomSummary, Snapshot,
};
use noughts_store::{Act, Ban, Switch, Who};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};

use crate::config::args::duration;
use crate::limits::AtLimit;
use crate::lobby::matchmaker::QuickSettings;

/// The reason of a ban that was made without one.
pub(crate) const NO_REASON: &str = "the host gives no reason";

/// A question or an order of a host, as `noughts-server admin` reads it and as the server gets it. Every field
/// with a default may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Subcommand)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(not(unix), expect(unreachable_pub, reason = "the command `admin` is for Unix"))]
pub enum AdminRequest {
    /// Says how much goes on
    Status,
    /// Lists the rooms that somebody is in
    Rooms {
        /// Only rooms whose code or a name in them contains this; capitals do not count
        #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
        #[serde(default)]
        filter: String,
        /// The order of the rooms
        #[arg(long, help = "What comes first: code, watching (most), last_move (newest), age (oldest)", default_value = "code", value_parser = word::<RoomOrder>)]
        #[serde(default)]
        sort: RoomOrder,
        /// The most rooms that are listed, up to 20000
        #[arg(long, default_value_t = MOST)]
        #[serde(default = "most")]
        most: usize,
    },
    /// Shows one room: its board and what was said last
    Room {
        /// The room's code
        room: RoomCode,
    },
    /// Lists the parties
    Parties,
    /// Lists who is connected: player, address, time, room, party, name
    People {
        /// Only people whose id, name, address, room or party contains this; capitals do not count
        #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
        #[serde(default)]
        filter: String,
        /// The most people who are listed, up to 20000
        #[arg(long, default_value_t = MOST)]
        #[serde(default = "most")]
        most: usize,
    },
    /// Lists who is at a limit now, and whose tries are refused
    Limits,
    /// Lists the bans
    Bans,
    /// Lists what hosts have done, the newest first
    Log,
    /// Ends a room; everybody in it is told that the host did
    EndRoom {
        /// The room's code
        room: RoomCode,
        /// A text that everybody in it reads before
        #[arg(long, value_name = "TEXT")]
        reason: Option<AnnouncementText>,
    },
    /// Ends a party, as its own host would
    EndParty {
        /// The party's code
        party: PartyCode,
    },
    /// Takes a player out of a room or a party and closes their connections there
    Remove {
        /// The player's id
        player: PlayerId,
        /// The code of the room or the party
        from: RoomCode,
    },
    /// Closes the connections of a player, of an address, or of a network
    Disconnect {
        /// A player's id, an address, or a network such as 192.0.2.0/24
        who: Who,
    },
    /// Keeps a player, an address or a network out
    Ban {
        /// A player's id, an address, or a network such as 192.0.2.0/24
        who: Who,
        /// For how long, such as 2h [default: for ever]
        #[arg(long = "for", value_parser = seconds, value_name = "TIME")]
        seconds: Option<u64>,
        /// The reason that they are told [default: the host gives no reason]
        #[arg(long, value_name = "TEXT")]
        reason: Option<AnnouncementText>,
    },
    /// Lifts a ban
    Unban {
        /// Its number in the list of bans
        ban: u64,
    },
    /// Gives a player another name, whatever name they come with
    Rename {
        /// The player's id
        player: PlayerId,
        /// The name [default: their own again]
        name: Option<PlayerName>,
    },
    /// Says something to everybody who is there, or in one room or party
    Say {
        /// One line of at most 280 characters
        text: AnnouncementText,
        /// The code of the room or the party in which it is said [default: everywhere]
        #[arg(long, value_name = "CODE")]
        to: Option<RoomCode>,
    },
    /// Switches a feature off or on, until it is switched again
    Switch {
        /// The feature
        #[arg(help = "chat, listing, quick_match or ratings", value_parser = word::<Switch>)]
        feature: Switch,
        /// on or off
        #[arg(value_parser = on_or_off(), action = ArgAction::Set)]
        on: bool,
    },
    /// Stops new rooms and parties; everything that runs goes on
    Close,
    /// Lets people make rooms and parties again
    Open,
    /// Takes a player's names out of all games, as if they had asked for it
    Forget {
        /// The player's id
        player: PlayerId,
    },
}

/// The order of the rooms in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(unix), expect(unreachable_pub, reason = "the command `admin` is for Unix"))]
pub enum RoomOrder {
    /// By their codes.
    #[default]
    Code,
    /// The most watched first.
    Watching,
    /// The one where something happened last first.
    LastMove,
    /// The oldest first.
    Age,
}

/// Lines of a list, unless a host wants another number.
const MOST: usize = 200;

const fn most() -> usize {
    MOST
}

/// A word of the wire, such as an order or a switch.
fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let word = T::deserialize(text.into_deserializer());
    // A variant is a kind of game here.
    word.map_err(|error: serde::de::value::Error| error.to_string().replace("variant", "word"))
}

fn on_or_off() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

fn seconds(text: &str) -> Result<u64, String> {
    let time = duration(text)?.as_secs();
    if time == 0 { Err("a ban lasts at least 1s".to_owned()) } else { Ok(time) }
}

/// The answer to a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum AdminAnswer {
    /// How much goes on.
    Status(ServerStatus),
    /// The rooms that have a task, in the order that was asked for.
    Rooms {
        /// The first of the rooms.
        rooms: Vec<AdminRoom>,
        /// All rooms that pass the filter.
        total: usize,
        /// The rooms that wait in the store until somebody comes.
        asleep: usize,
    },
    /// One room.
    Room {
        /// The room as everybody in it sees it.
        snapshot: Box<Snapshot>,
        /// The last lines of its talk, 50 at most.
        chat: Vec<ChatLine>,
    },
    /// The parties, by their codes.
    Parties {
        /// The parties.
        parties: Vec<AdminParty>,
    },
    /// The connections, the longest first.
    Connections {
        /// The first of the connections that have said `hello`.
        connections: Vec<AdminConnection>,
        /// All connections that pass the filter.
        total: usize,
    },
    /// The addresses and players at a limit, the largest numbers first.
    Limits {
        /// 200 at most.
        limited: Vec<AtLimit>,
    },
    /// The bans, by their numbers.
    Bans {
        /// The bans that have not run out.
        bans: Vec<Ban>,
    },
    /// The acts of hosts, the newest first.
    Acts {
        /// The last thousand acts.
        acts: Vec<Act>,
    },
    /// It is done.
    Done {
        /// The result, for people.
        message: DisplayText,
    },
    /// It is not done.
    Refused {
        /// Why, and what to do, for people.
        message: DisplayText,
    },
}

/// How much goes on in a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerStatus {
    /// The server's name, for players.
    #[serde(default)]
    pub(crate) name: DisplayText,
    /// The server's version.
    pub(crate) version: DisplayText,
    /// How long it has run, in seconds.
    pub(crate) up_s: u64,
    /// Connections that have said `hello`.
    pub(crate) connections: u64,
    /// Rooms with a running game.
    pub(crate) playing: u64,
    /// All rooms, those that wait in the store too.
    pub(crate) rooms: u64,
    /// Parties.
    pub(crate) parties: u64,
    /// People who wait for a quick match.
    pub(crate) waiting: u64,
    /// Bans that have not run out.
    pub(crate) bans: u64,
    /// Whether new rooms and parties are refused.
    pub(crate) closed: bool,
    /// The features that are on now.
    pub(crate) features: Features,
    /// The memory of the process that is in use, in bytes; 0 where that is unknown.
    pub(crate) memory_bytes: u64,
    /// The size of the store's file and its log, in bytes.
    pub(crate) store_bytes: u64,
    /// Whether the last write to it failed.
    #[serde(default)]
    pub(crate) store_fails: bool,
    /// The cluster that the server is a node of.
    #[serde(default)]
    pub(crate) cluster: Option<ClusterStatus>,
}

/// A node's place in its cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClusterStatus {
    /// Whether the node holds its lease: without it, it serves nobody.
    pub(crate) lease: bool,
    /// Whether a NATS server is connected.
    pub(crate) connected: bool,
    /// The addresses of the other nodes that live.
    pub(crate) others: Vec<DisplayText>,
    /// The failure and its reason.
    #[serde(default)]
    pub(crate) problem: Option<DisplayText>,
}

/// A room that has a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AdminRoom {
    /// The room as the lobby shows it.
    #[serde(flatten)]
    pub(crate) room: RoomSummary,
    /// How long it has had a task, in seconds: since it was made, or somebody came back to it.
    pub(crate) age_s: u64,
    /// How long ago something happened in it, in seconds.
    pub(crate) idle_s: u64,
}

/// A party.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AdminParty {
    /// Its code.
    pub(crate) party: PartyCode,
    /// Its name.
    pub(crate) name: PlayerName,
    /// How far it is.
    pub(crate) phase: PartyPhase,
    /// The player who leads it.
    pub(crate) host: PlayerId,
    /// People and computers in it.
    pub(crate) entrants: u32,
    /// Whether nobody follows it.
    pub(crate) empty: bool,
}

/// A connection that has said `hello`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AdminConnection {
    /// The player's id.
    pub(crate) player: PlayerId,
    /// Their name.
    pub(crate) name: PlayerName,
    /// The client's IPv4 address, or the /64 of its IPv6 address.
    pub(crate) address: IpAddr,
    /// How long it has been connected, in seconds.
    pub(crate) since_s: u64,
    /// The room that it is in.
    pub(crate) room: Option<RoomCode>,
    /// The party that it follows.
    pub(crate) party: Option<PartyCode>,
    /// The quick match for which its player waits.
    pub(crate) waits_for: Option<QuickSettings>,
}
