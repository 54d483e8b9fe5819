//! The deeds of hosts: acts, bans, and whom they mean. They are stored by [`crate::act`].

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::{Duration, UNIX_EPOCH};

use humantime::format_rfc3339_seconds;
use ipnet::IpNet;
use noughts_protocol::{AnnouncementText, DisplayText, PartyCode, PlayerId, PlayerName, RoomCode};
use serde::{Deserialize, Serialize};

/// The people who are meant: one person, or everybody from some addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// A person.
    Player(PlayerId),
    /// Everybody from these addresses.
    Network(IpNet),
}

impl Who {
    /// Whether a person who comes from an address is meant. Readers of events are no person, and share an id.
    #[must_use]
    pub fn means(&self, player: PlayerId, from: IpAddr) -> bool {
        match self {
            Self::Player(meant) => *meant == player && player != PlayerId::NOBODY,
            Self::Network(network) => network.contains(&from.to_canonical()),
        }
    }
}

impl FromStr for Who {
    type Err = WhoError;

    fn from_str(text: &str) -> Result<Self, WhoError> {
        let address = text.parse().map(|address: IpAddr| IpNet::from(address.to_canonical()));
        let network =
            address.or_else(|_| text.parse()).map(|network: IpNet| Self::Network(network.trunc()));
        network.or_else(|_| text.parse().map(Self::Player)).map_err(|_| WhoError)
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(player) => write!(f, "{player}"),
            Self::Network(network) if network.prefix_len() == network.max_prefix_len() => {
                write!(f, "{}", network.addr())
            }
            Self::Network(network) => write!(f, "{network}"),
        }
    }
}

/// A text that names nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "give a player's id of 16 hexadecimal digits, an address such as 192.0.2.7, or a network such as 192.0.2.0/24"
)]
pub struct WhoError;

/// A feature that a host may switch off and on while the server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// People talk in rooms.
    Chat,
    /// There is a public list of rooms.
    Listing,
    /// Strangers find each other.
    QuickMatch,
    /// Quick matches are rated.
    Ratings,
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chat => "chat",
            Self::Listing => "listing",
            Self::QuickMatch => "quick_match",
            Self::Ratings => "ratings",
        })
    }
}

/// A ban. Times are in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ban {
    /// Its number: that of the act.
    pub ban: u64,
    /// The person or address that is kept out.
    pub who: Who,
    /// When it ends; `None` if it does not.
    pub until: Option<i64>,
    /// The reason, which they are told.
    pub reason: DisplayText,
}

/// Something that a host has done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Its number.
    pub act: u64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The door through which it came.
    pub by: DisplayText,
    /// The deed itself.
    pub deed: Deed,
}

/// An act of a host. No name that a player chose is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Deed {
    /// Ended a room.
    EndRoom {
        /// The room.
        room: RoomCode,
        /// The text that everybody in it read.
        #[serde(default)]
        reason: Option<AnnouncementText>,
    },
    /// Ended a party.
    EndParty {
        /// The party.
        party: PartyCode,
    },
    /// Took somebody out of a room or a party.
    Remove {
        /// The person.
        player: PlayerId,
        /// The room or the party.
        from: RoomCode,
    },
    /// Closed somebody's connections.
    Disconnect {
        /// The people who are meant.
        who: Who,
    },
    /// Keeps somebody out.
    Ban {
        /// The people who are meant.
        who: Who,
        /// When it ends, in milliseconds since 1970; `None` if it does not.
        until: Option<i64>,
        /// The reason, which they are told.
        reason: DisplayText,
    },
    /// Lifted a ban.
    Unban {
        /// Its number.
        ban: u64,
    },
    /// Gave somebody another name, or theirs again.
    Rename {
        /// The person.
        player: PlayerId,
        /// The name.
        name: Option<PlayerName>,
    },
    /// Said something.
    Say {
        /// The text.
        text: AnnouncementText,
        /// The room or the party in which it was said; `None` for everybody.
        to: Option<RoomCode>,
    },
    /// Switched a feature.
    Switch {
        /// The feature.
        feature: Switch,
        /// Whether it is on.
        on: bool,
    },
    /// Stopped new rooms and parties, or let people make them again.
    Close {
        /// Whether new ones are refused.
        closed: bool,
    },
    /// Took a person's names out of all games.
    Forget {
        /// The people who are meant.
        player: PlayerId,
    },
}

impl Deed {
    /// When it holds no more, in milliseconds since 1970; 0 if all is as it would be without it.
    pub(crate) fn until(&self) -> i64 {
        match self {
            Self::Ban { until, .. } => until.unwrap_or(i64::MAX),
            Self::Close { closed: true }
            | Self::Rename { name: Some(_), .. }
            | Self::Switch { on: false, .. } => i64::MAX,
            _ => 0,
        }
    }

    /// The key of a deed that a later one with the same key replaces; `None` if nothing replaces it.
    pub(crate) fn about(&self) -> Option<String> {
        match self {
            Self::Close { .. } => Some("close".to_owned()),
            Self::Rename { player, .. } => Some(format!("rename {player}")),
            Self::Switch { feature, .. } => Some(format!("switch {feature}")),
            _ => None,
        }
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndRoom { room, reason: None } => write!(f, "ended room {room}"),
            Self::EndRoom { room, reason: Some(reason) } => {
                write!(f, "ended room {room}: {reason}")
            }
            Self::EndParty { party } => write!(f, "ended party {party}"),
            Self::Remove { player, from } => write!(f, "took {player} out of {from}"),
            Self::Disconnect { who } => write!(f, "closed the connections of {who}"),
            Self::Ban { who, until, reason } => {
                let ends = until.and_then(|ms| u64::try_from(ms).ok()).map(Duration::from_millis);
                match ends.map(|ends| format_rfc3339_seconds(UNIX_EPOCH + ends)) {
                    Some(ends) => write!(f, "banned {who} until {ends}: {reason}"),
                    None => write!(f, "banned {who} for ever: {reason}"),
                }
            }
            Self::Unban { ban } => write!(f, "lifted ban {ban}"),
            Self::Rename { player, name: Some(name) } => write!(f, "named {player} {name}"),
            Self::Rename { player, name: None } => write!(f, "gave {player} their own name again"),
            Self::Say { text, to: None } => write!(f, "said: {text}"),
            Self::Say { text, to: Some(to) } => write!(f, "said in {to}: {text}"),
            Self::Switch { feature, on } => {
                write!(f, "switched {feature} {}", if *on { "on" } else { "off" })
            }
            Self::Close { closed: true } => write!(f, "stopped new rooms and parties"),
            Self::Close { closed: false } => write!(f, "allowed new rooms and parties"),
            Self::Forget { player } => write!(f, "had {player} forgotten"),
        }
    }
}
