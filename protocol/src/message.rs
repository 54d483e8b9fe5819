//! The messages on the wire: one JSON object a frame, tagged by `type`. Unknown types are refused,
//! unknown fields are ignored. `protocol/README.md` describes the order of messages.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::analysis::{Evaluation, Hint, Review};
use crate::chat::{AnnouncementText, ChatLine};
use crate::event::{Event, Presence, Snapshot};
use crate::features::Features;
use crate::id::{
    IntentId, JoinPassword, PartyCode, PassCode, PlayerId, PlayerName, PlayerToken, RoomCode,
};
use crate::party::{PartyEvent, PartyPresence, PartySnapshot, TableBoard};
use crate::reading::{Object, is_default, object, of_any_shape, or_default};
use crate::refusal::RefusalCode;
use crate::room::RoomSummary;
use crate::settings::RoomSettings;
use crate::text::DisplayText;
pub use found::{Acquaintance, Found};
pub use intent::{ClaimedResult, LobbyIntent, PartyIntent, Role, RoomIntent};
pub use welcome::{Limits, ServerInfo};

mod found;
mod intent;
mod welcome;

/// A message of a client. On the wire all its fields lie side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ClientMessage {
    /// The first message. It says who the player is.
    Hello(Hello),
    /// An intent for the room that the connection is in.
    Room {
        /// The intent. Its tag comes first, so that reading finds it at once.
        #[serde(flatten)]
        intent: RoomIntent,
        /// The client's number for this intent, which is answered exactly once: by `ok` or `refused`.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
    },
    /// An intent for the party that the connection follows.
    Party {
        /// The intent.
        #[serde(flatten)]
        intent: PartyIntent,
        /// The client's number for this intent, which is answered exactly once: by `ok` or `refused`.
        id: IntentId,
        /// The party's code.
        party: PartyCode,
    },
    /// An intent for the lobby, or about the connection itself.
    Lobby {
        /// The intent.
        #[serde(flatten)]
        intent: LobbyIntent,
        /// The client's number for this intent, which is answered exactly once: by `ok`, `refused`,
        /// `found` or (for `ping`) `pong`.
        id: IntentId,
    },
}

/// The first message of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Hello"))]
#[serde(remote = "Self", tag = "type", rename = "hello")]
pub struct Hello {
    /// The version of the protocol that the client speaks.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 2)))]
    pub protocol: u32,
    /// The name that the player wants.
    #[serde(
        flatten,
        serialize_with = "crate::face::serialize",
        deserialize_with = "crate::face::chosen"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
    pub name: PlayerName,
    /// The token of an earlier `welcome`, to be the same player again. A malformed token counts as an
    /// unknown one.
    #[serde(default, deserialize_with = "of_any_shape")]
    pub token: Option<PlayerToken>,
    /// Instead of a token: a pass that the player got on another device. The player's name there
    /// replaces `name`.
    #[serde(default, deserialize_with = "of_any_shape", skip_serializing_if = "Option::is_none")]
    pub pass: Option<PassCode>,
    /// The server's password, if it asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<JoinPassword>,
}

object!(Hello);

impl ClientMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// If the text is no message of a client; the error says what is wrong with it.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        match tag_in_front(text) {
            Some(tag) => Self::read(tag, text),
            None => Self::read(&tag_anywhere(text)?, text),
        }
    }

    fn read(tag: &str, text: &str) -> serde_json::Result<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        let message = if let Some(read) = RoomIntent::read(tag, &mut json) {
            read.map(|((id, room), intent)| Self::Room { intent, id, room })
        } else if let Some(read) = LobbyIntent::read(tag, &mut json) {
            read.map(|((id,), intent)| Self::Lobby { intent, id })
        } else if let Some(read) = PartyIntent::read(tag, &mut json) {
            read.map(|((id, party), intent)| Self::Party { intent, id, party })
        } else if tag == "hello" {
            // A second tag is an error. The fields of `Hello` do not know of the tag.
            tag_anywhere(text)?;
            <Hello as Deserialize>::deserialize(&mut json).map(Self::Hello)
        } else {
            let unknown = format!("unknown type `{tag}`: see the protocol's list of messages");
            return Err(serde::de::Error::custom(unknown));
        }?;
        json.end()?;
        Ok(message)
    }

    /// The intent's id; `None` for `hello`.
    #[must_use]
    pub const fn id(&self) -> Option<IntentId> {
        match self {
            Self::Hello(_) => None,
            Self::Room { id, .. } | Self::Party { id, .. } | Self::Lobby { id, .. } => Some(*id),
        }
    }
}

/// The tag, if the text begins with it, as our clients write it.
fn tag_in_front(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(r#"{"type":""#)?;
    // A loop: a tag is too short for a vectorised search.
    let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\'))?;
    let (tag, rest) = rest.split_at(end);
    rest.starts_with('"').then_some(tag)
}

/// The tag, wherever it is.
fn tag_anywhere(text: &str) -> serde_json::Result<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Tagged<'a> {
        #[serde(rename = "type", borrow)]
        tag: Cow<'a, str>,
    }
    let mut json = serde_json::Deserializer::from_str(text);
    Tagged::deserialize(Object(&mut json)).map(|tagged| tagged.tag)
}

/// What a server sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The server's protocol version.
        protocol: u32,
        /// The player's public id.
        player: PlayerId,
        /// The player's name.
        #[serde(flatten, with = "crate::face")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
        name: PlayerName,
        /// The token to keep.
        token: PlayerToken,
        /// Which server this is.
        server: ServerInfo,
        /// The server's limits.
        limits: Limits,
        /// The features that the host has not switched off.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
        features: Features,
    },
    /// The intent was applied.
    Ok {
        /// The intent.
        id: IntentId,
        /// The room that the intent led to or was about, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room: Option<RoomCode>,
        /// The party that the intent led to or was about, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        party: Option<PartyCode>,
    },
    /// The intent was not applied.
    Refused {
        /// The intent; `null` if the frame had no readable id.
        id: Option<IntentId>,
        /// The reason, for programs.
        code: RefusalCode,
        /// The reason, for people.
        message: DisplayText,
    },
    /// Everything about the room the connection is in.
    Snapshot(Snapshot),
    /// A fact of the room.
    Event {
        /// The room's code.
        room: RoomCode,
        /// Exactly one more than the last event's or snapshot's.
        v: u64,
        /// The fact.
        event: Event,
    },
    /// The presence of the room, whole. It has no version. A change of the number of spectators alone
    /// may be told a little later.
    Presence {
        /// The room's code.
        room: RoomCode,
        /// The presence.
        #[serde(flatten)]
        presence: Presence,
    },
    /// The best moves, for the connection that asked.
    Hint(Hint),
    /// A game move by move, for the connection that asked.
    Review(Review),
    /// An evaluation of the running game, for spectators.
    Evaluation(Evaluation),
    /// The listed rooms. The lists are complete and replace earlier ones.
    Lobby {
        /// Rooms with an open seat.
        waiting: Vec<RoomSummary>,
        /// Rooms to watch.
        playing: Vec<RoomSummary>,
        /// The number of rooms beyond these lists.
        more: u32,
    },
    /// The pass that this connection asked for. It is told again, with no time left, when another
    /// device has used it.
    Pass {
        /// The code that the other device sends in its `hello`.
        code: PassCode,
        /// The time in which the pass may be used once, in milliseconds.
        expires_in_ms: u32,
    },
    /// The talk in the room. A client keeps each line once, by its number, in the order of
    /// the numbers.
    Chat {
        /// The room's code.
        room: RoomCode,
        /// New lines; the last ones of the room for a connection that comes in.
        lines: Vec<ChatLine>,
        /// Everybody whom the player has muted in this room. Left out while that is unchanged; told
        /// to a connection that comes in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        muted: Option<Vec<PlayerId>>,
    },
    /// Everything about the party that the connection follows.
    Party(PartySnapshot),
    /// Facts of the party that were stored together. There is at least one.
    PartyEvents {
        /// The party's code.
        party: PartyCode,
        /// The version after the last of them. The first is exactly one more than the last fact's or
        /// snapshot's.
        v: u64,
        /// The facts, in order.
        events: Vec<PartyEvent>,
    },
    /// The presence of the party, whole. It has no version, and is told twice a second at most.
    PartyPresence {
        /// The party's code.
        party: PartyCode,
        /// The presence.
        #[serde(flatten)]
        presence: PartyPresence,
    },
    /// Boards of the party, for its big screens: all that are played when a screen joins, then
    /// those that have changed, four times a second at most.
    Boards {
        /// The party's code.
        party: PartyCode,
        /// The boards, each whole.
        boards: Vec<TableBoard>,
    },
    /// The pass for the place of an entrant that this connection asked for.
    PlacePass {
        /// The party's code.
        party: PartyCode,
        /// The number of the entrant.
        entrant: u16,
        /// The code that another player sends with `take_place`.
        code: PassCode,
        /// The time in which the pass may be used once, in milliseconds.
        expires_in_ms: u32,
    },
    /// The host of the server says something to everybody, or to a room or a party. It is never stored, and
    /// changes no version.
    Announcement {
        /// The text.
        text: AnnouncementText,
        /// The room in which it is said, if it is said in one alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room: Option<RoomCode>,
        /// The party in which it is said, if it is said in one alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        party: Option<PartyCode>,
    },
    /// The host has switched features off or on: from now on these are in the place of those of `welcome`.
    Features {
        /// All features.
        features: Features,
    },
    /// Somebody whom the player has played asks them to play, in a room with an open seat: `join` it, or
    /// `decline`.
    Challenged {
        /// The room.
        room: RoomCode,
        /// The one who asks.
        player: PlayerId,
        /// The name of the one who asks.
        #[serde(flatten, with = "crate::face")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
        name: PlayerName,
        /// The settings of the room.
        settings: RoomSettings,
        /// How long the invitation is to be shown, in milliseconds.
        expires_in_ms: u32,
    },
    /// Somebody has answered the player's challenge with "not now".
    Declined {
        /// The one who was asked.
        player: PlayerId,
        /// The name of the one who was asked.
        #[serde(flatten, with = "crate::face")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
        name: PlayerName,
    },
    /// The answer to `history`, `game`, `review_game`, `profile`, `leaderboard`, `puzzle`, `here` or `export`.
    Found {
        /// The intent.
        id: IntentId,
        /// The answer.
        found: Found,
    },
    /// The answer to `ping`.
    Pong {
        /// The intent.
        id: IntentId,
        /// The room the connection is in.
        room: Option<RoomCode>,
        /// The room's version. A client with another version should `sync`.
        v: Option<u64>,
        /// The version of the party that the connection follows. A client with another version should
        /// `sync_party`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        party_v: Option<u64>,
        /// The presence of the room, so that a lost `presence` heals too.
        presence: Option<Presence>,
    },
}
