//! Everything that crosses the wire: one JSON object a frame, tagged by `type`.
//! Unknown types are refused, unknown fields ignored. The order of things is in
//! `protocol/README.md`; what the values mean is with their types.

use serde::{Deserialize, Serialize};

use crate::analysis::{Evaluation, Hint, Review};
use crate::board::{BoardSpec, Cell};
use crate::event::{Event, Snapshot};
use crate::id::{IntentId, JoinPassword, PassCode, PlayerId, PlayerName, PlayerToken, RoomCode};
use crate::opening::OpeningChoice;
use crate::reading::{object, or_default, or_true};
use crate::refusal::RefusalCode;
use crate::room::{ByMark, RoomSummary};
use crate::settings::{ComputerFallback, RoomSettings, SeatRequest};
use crate::text::DisplayText;
pub use welcome::{Features, Limits, ServerInfo};

mod welcome;

/// What a client sends. Every message but `hello` carries an `id` and is answered exactly once,
/// by `ok`, `refused` or (for `ping`) `pong`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ClientMessage"))]
#[serde(remote = "Self", tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// The first message: who is there.
    Hello {
        /// [`crate::PROTOCOL_VERSION`].
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1)))]
        protocol: u32,
        /// What the player wants to be called.
        name: PlayerName,
        /// The token of an earlier `welcome`, to be the same player again. Anything else is a
        /// token that no server knows.
        #[serde(default, deserialize_with = "PlayerToken::of_any_shape")]
        token: Option<PlayerToken>,
        /// In place of a token: a pass that this player was given on another device, whose name
        /// then counts instead of `name`.
        #[serde(
            default,
            deserialize_with = "PassCode::of_any_shape",
            skip_serializing_if = "Option::is_none"
        )]
        pass: Option<PassCode>,
        /// The password of the whole server, where it asks for one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        password: Option<JoinPassword>,
    },
    /// Makes a room and enters it. The same id again: the same room.
    Create {
        /// The client's number for this intent.
        id: IntentId,
        /// How the room is set.
        #[serde(default, deserialize_with = "or_default")]
        settings: RoomSettings,
        /// Who sits where; by default the maker is X and O is open.
        #[serde(default, deserialize_with = "or_default")]
        seats: ByMark<SeatRequest>,
        /// Whether the two seats are exchanged with even odds.
        #[serde(default, deserialize_with = "or_default")]
        shuffle: bool,
    },
    /// Waits for anyone with the same board and move time, with marks drawn at random; the room's
    /// snapshot comes when there is one.
    QuickMatch {
        /// The client's number for this intent.
        id: IntentId,
        /// The board.
        #[serde(default, deserialize_with = "or_default")]
        board: BoardSpec,
        /// Milliseconds for each move; the server's default (30 s) where it is left out.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schemars(range(min = crate::MIN_MOVE_TIME_MS, max = crate::MAX_MOVE_TIME_MS)))]
        move_time_ms: Option<u32>,
        /// The computer to play when nobody has come.
        #[serde(default)]
        computer: Option<ComputerFallback>,
    },
    /// Stops waiting for a quick match.
    CancelMatch {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Enters a room, and with that leaves the view (not the seat) of the room it was in.
    Join {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// To play or to watch; who has a seat there is back in it either way.
        #[serde(default, deserialize_with = "or_default")]
        role: Role,
    },
    /// Gives up the seat (a running game is resigned), or stops watching.
    Leave {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
    },
    /// Makes a move. A repeat of a move that was made is `ok` and changes nothing.
    Play {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// Which game of the room.
        game: u32,
        /// The number of marks on the board when the player chose.
        ply: u16,
        /// Where.
        cell: Cell,
    },
    /// Chooses a side in a swap2 opening, or adds two marks. A repeat of a choice that was made is
    /// `ok` and changes nothing.
    Choose {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// Which game of the room.
        game: u32,
        /// What.
        choice: OpeningChoice,
    },
    /// Gives the game up.
    Resign {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// Which game of the room.
        game: u32,
    },
    /// Offers or accepts another game, or takes the offer back.
    Rematch {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// The game that has ended.
        game: u32,
        /// `false` takes an offer back.
        #[serde(default = "yes", deserialize_with = "or_true")]
        offer: bool,
    },
    /// Ends a game whose opponent has been away too long.
    Claim {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// Which game of the room.
        game: u32,
        /// As what.
        result: ClaimedResult,
    },
    /// Asks for the best move, when it is the player's turn.
    Hint {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// Which game of the room.
        game: u32,
    },
    /// Asks for the review of a game that is over: the last one or the one before.
    Review {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
        /// Which game of the room.
        game: u32,
    },
    /// Asks for the lobby's lists, now and whenever they change.
    WatchLobby {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Asks for no more of them.
    UnwatchLobby {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Asks for the snapshot again.
    Sync {
        /// The client's number for this intent.
        id: IntentId,
        /// Which room.
        room: RoomCode,
    },
    /// Asks for a pass, with which another device may be the same player; the last one asked for
    /// is the one that counts.
    Pass {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Asks whether the server is there and which version the room is at.
    Ping {
        /// The client's number for this intent.
        id: IntentId,
    },
}

object!(ClientMessage);

impl ClientMessage {
    /// The intent's id; `None` for `hello`.
    #[must_use]
    pub const fn id(&self) -> Option<IntentId> {
        match self {
            Self::Hello { .. } => None,
            Self::Create { id, .. }
            | Self::QuickMatch { id, .. }
            | Self::CancelMatch { id }
            | Self::Join { id, .. }
            | Self::Leave { id, .. }
            | Self::Play { id, .. }
            | Self::Choose { id, .. }
            | Self::Resign { id, .. }
            | Self::Rematch { id, .. }
            | Self::Claim { id, .. }
            | Self::Hint { id, .. }
            | Self::Review { id, .. }
            | Self::WatchLobby { id }
            | Self::UnwatchLobby { id }
            | Self::Sync { id, .. }
            | Self::Pass { id }
            | Self::Ping { id } => Some(*id),
        }
    }
}

const fn yes() -> bool {
    true
}

/// Why somebody enters a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// To take a seat.
    #[default]
    Player,
    /// To watch.
    Spectator,
}

/// What the opponent of somebody who is away may claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimedResult {
    /// The win.
    Win,
    /// A draw.
    Draw,
}

/// What a server sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The version the server speaks.
        protocol: u32,
        /// The player's public id.
        player: PlayerId,
        /// The player's name.
        name: PlayerName,
        /// The token to keep.
        token: PlayerToken,
        /// Which server this is.
        server: ServerInfo,
        /// What it allows.
        limits: Limits,
        /// What its host has left on.
        #[serde(
            default,
            deserialize_with = "or_default",
            skip_serializing_if = "Features::are_all_on"
        )]
        features: Features,
    },
    /// The intent was applied.
    Ok {
        /// The intent.
        id: IntentId,
        /// The room it led to or was about, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room: Option<RoomCode>,
    },
    /// The intent was not applied.
    Refused {
        /// The intent; `null` where the frame had none that could be read.
        id: Option<IntentId>,
        /// For programs.
        code: RefusalCode,
        /// For people.
        message: DisplayText,
    },
    /// Everything about the room the connection is in.
    Snapshot(Snapshot),
    /// Something happened in the room.
    Event {
        /// Which room.
        room: RoomCode,
        /// Exactly one more than the last event's or snapshot's.
        v: u64,
        /// What happened.
        event: Event,
    },
    /// How many watch the room; without a version, and not sent for every change.
    Spectators {
        /// Which room.
        room: RoomCode,
        /// Connections without a seat.
        count: u32,
    },
    /// The best moves, for the connection that asked.
    Hint(Hint),
    /// A game move by move, for the connection that asked.
    Review(Review),
    /// How the running game stands, for those who watch.
    Evaluation(Evaluation),
    /// The listed rooms: whole lists that replace the last ones.
    Lobby {
        /// Rooms with an open seat.
        waiting: Vec<RoomSummary>,
        /// Rooms to watch.
        playing: Vec<RoomSummary>,
        /// How many more there are than the lists hold.
        more: u32,
    },
    /// The pass that this connection asked for.
    Pass {
        /// What the other device says in its `hello`.
        code: PassCode,
        /// How long it may be used; it may be used once.
        expires_in_ms: u32,
    },
    /// The answer to `ping`.
    Pong {
        /// The intent.
        id: IntentId,
        /// The room the connection is in.
        room: Option<RoomCode>,
        /// The room's version; a client that has another one should `sync`.
        v: Option<u64>,
    },
}
