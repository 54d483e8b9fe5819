//! What a host asks a running server, and the answers: one JSON object a line, each way. Players never see these
//! messages.

use std::net::IpAddr;

use noughts_protocol::{DisplayText, PartyCode, PlayerId, PlayerName, RoomCode, RoomSummary};
use noughts_store::{Act, Ban, Who};
use serde::{Deserialize, Serialize};

/// A question or an order of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum AdminRequest {
    /// How much goes on. The answer is [`AdminAnswer::Status`].
    Status,
    /// The rooms that have a task. The answer is [`AdminAnswer::Rooms`].
    Rooms,
    /// The parties. The answer is [`AdminAnswer::Parties`].
    Parties,
    /// Who is connected. The answer is [`AdminAnswer::Connections`].
    Connections,
    /// The bans. The answer is [`AdminAnswer::Bans`].
    Bans,
    /// What hosts have done here. The answer is [`AdminAnswer::Acts`], the newest first.
    Acts,
    /// Ends a room. Everybody in it is told that the host did.
    EndRoom {
        /// The room.
        room: RoomCode,
    },
    /// Closes somebody's connections. Their clients may come back.
    Disconnect {
        /// Who.
        who: Who,
    },
    /// Keeps somebody out, and closes their connections.
    Ban {
        /// Who.
        who: Who,
        /// For how long, in seconds; `None` for ever.
        seconds: Option<u64>,
        /// What they are told.
        reason: DisplayText,
    },
    /// Lifts a ban.
    Unban {
        /// Its number.
        ban: u64,
    },
    /// Stops new rooms and parties, or lets people make them again. What runs goes on.
    Close {
        /// Whether new ones are refused.
        closed: bool,
    },
    /// Takes a person's names out of all games, as if they had asked for it themselves.
    Forget {
        /// Who.
        player: PlayerId,
    },
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
