//! The questions and orders of a host, and the answers: one JSON object a line, each way. Players never see these
//! messages.

use std::convert::Infallible;
use std::net::IpAddr;

use clap::Subcommand;
use noughts_protocol::{DisplayText, PartyCode, PlayerId, PlayerName, RoomCode, RoomSummary};
use noughts_store::{Act, Ban, Who};
use serde::{Deserialize, Serialize};

/// A question or an order of a host, as `noughts-server admin` reads it and as the server gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Subcommand)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AdminRequest {
    /// Says how much goes on
    Status,
    /// Lists the rooms that somebody is in
    Rooms,
    /// Lists the parties
    Parties,
    /// Lists who is connected: player, address, time, room, name
    People,
    /// Lists the bans
    Bans,
    /// Lists what hosts have done, the newest first
    Log,
    /// Ends a room; everybody in it is told that the host did
    EndRoom {
        /// The room's code
        room: RoomCode,
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
        /// The reason that they are told
        #[arg(long, default_value = "ask the host", value_name = "TEXT", value_parser = reason)]
        reason: DisplayText,
    },
    /// Lifts a ban
    Unban {
        /// Its number in the list of bans
        ban: u64,
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

fn seconds(text: &str) -> Result<u64, humantime::DurationError> {
    humantime::parse_duration(text).map(|time| time.as_secs())
}

fn reason(text: &str) -> Result<DisplayText, Infallible> {
    Ok(text.into())
}

/// The answer to a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum AdminAnswer {
    /// How much goes on.
    Status(ServerStatus),
    /// The rooms that have a task, by their codes.
    Rooms {
        /// The rooms.
        rooms: Vec<RoomSummary>,
        /// The rooms that wait in the store until somebody comes.
        asleep: u64,
    },
    /// The parties, by their codes.
    Parties {
        /// The parties.
        parties: Vec<AdminParty>,
    },
    /// Who is connected, the longest first.
    Connections {
        /// The connections that have said `hello`.
        connections: Vec<AdminConnection>,
    },
    /// The bans, by their numbers.
    Bans {
        /// The bans that have not run out.
        bans: Vec<Ban>,
    },
    /// What hosts have done, the newest first.
    Acts {
        /// The last thousand acts.
        acts: Vec<Act>,
    },
    /// It is done.
    Done {
        /// What was done, for people.
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
}

/// A party.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AdminParty {
    /// Its code.
    pub(crate) party: PartyCode,
    /// People and computers in it.
    pub(crate) entrants: u32,
    /// Whether nobody follows it.
    pub(crate) empty: bool,
}

/// A connection that has said `hello`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AdminConnection {
    /// Who it is.
    pub(crate) player: PlayerId,
    /// Their name.
    pub(crate) name: PlayerName,
    /// The client's IPv4 address, or the /64 of its IPv6 address.
    pub(crate) address: IpAddr,
    /// How long it has been connected, in seconds.
    pub(crate) since_s: u64,
    /// The room that it is in.
    pub(crate) room: Option<RoomCode>,
}
