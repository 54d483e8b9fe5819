//! The messages on the wire: one JSON object a frame, tagged by `type`. Unknown types are refused,
//! unknown fields are ignored. `protocol/README.md` describes the order of messages.

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
    /// The first message. It says who the player is.
    Hello {
        /// [`crate::PROTOCOL_VERSION`].
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1)))]
        protocol: u32,
        /// The name that the player wants.
        name: PlayerName,
        /// The token of an earlier `welcome`, to be the same player again. A malformed token counts as
        /// an unknown one.
        #[serde(default, deserialize_with = "PlayerToken::of_any_shape")]
        token: Option<PlayerToken>,
        /// Instead of a token: a pass that the player got on another device. The player's name there
        /// replaces `name`.
        #[serde(
            default,
            deserialize_with = "PassCode::of_any_shape",
            skip_serializing_if = "Option::is_none"
        )]
        pass: Option<PassCode>,
        /// The server's password, if it asks for one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        password: Option<JoinPassword>,
    },
    /// Makes a room and enters it. A repeat with the same id enters the same room.
    Create {
        /// The client's number for this intent.
        id: IntentId,
        /// The settings of the room.
        #[serde(default, deserialize_with = "or_default")]
        settings: RoomSettings,
        /// Who sits where; by default the maker is X and O is open.
        #[serde(default, deserialize_with = "or_default")]
        seats: ByMark<SeatRequest>,
        /// Whether the server exchanges the two seats at random.
        #[serde(default, deserialize_with = "or_default")]
        shuffle: bool,
    },
    /// Waits for an opponent with the same board and move time. Marks are drawn at random. The room's
    /// snapshot comes when an opponent is found.
    QuickMatch {
        /// The client's number for this intent.
        id: IntentId,
        /// The board.
        #[serde(default, deserialize_with = "or_default")]
        board: BoardSpec,
        /// Milliseconds for each move; the server's default is 30 s.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schemars(range(min = crate::MIN_MOVE_TIME_MS, max = crate::MAX_MOVE_TIME_MS)))]
        move_time_ms: Option<u32>,
        /// The computer opponent if no player comes.
        #[serde(default)]
        computer: Option<ComputerFallback>,
    },
    /// Stops waiting for a quick match.
    CancelMatch {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Enters a room. The connection leaves the view of its previous room; the player keeps their seat
    /// there.
    Join {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
        /// To play or to watch. A player with a seat in the room gets it back in both cases.
        #[serde(default, deserialize_with = "or_default")]
        role: Role,
    },
    /// Gives up the seat, which resigns a running game, or stops watching.
    Leave {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
    },
    /// Makes a move. A repeat of a move that was made is `ok` and changes nothing.
    Play {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
        /// The number of the game.
        game: u32,
        /// The number of marks on the board when the player chose the move.
        ply: u16,
        /// The cell of the new mark.
        cell: Cell,
    },
    /// Chooses a side in a swap2 opening, or adds two marks. A repeat of a choice that was made is
    /// `ok` and changes nothing.
    Choose {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
        /// The number of the game.
        game: u32,
        /// The choice.
        choice: OpeningChoice,
    },
    /// Resigns the game.
    Resign {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
        /// The number of the game.
        game: u32,
    },
    /// Offers or accepts another game, or takes the offer back.
    Rematch {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
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
        /// The room's code.
        room: RoomCode,
        /// The number of the game.
        game: u32,
        /// The result that the player claims.
        result: ClaimedResult,
    },
    /// Asks for the best move, when it is the player's turn.
    Hint {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
        /// The number of the game.
        game: u32,
    },
    /// Asks for the review of a game that is over: the last one or the one before.
    Review {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
        /// The number of the game.
        game: u32,
    },
    /// Asks for the lobby's lists now and after each change.
    WatchLobby {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Stops the lobby's lists.
    UnwatchLobby {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Asks for the snapshot again.
    Sync {
        /// The client's number for this intent.
        id: IntentId,
        /// The room's code.
        room: RoomCode,
    },
    /// Asks for a pass, which lets another device be the same player. Only the last pass is valid.
    Pass {
        /// The client's number for this intent.
        id: IntentId,
    },
    /// Asks whether the server answers, and for the room's version.
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

/// Why a client enters a room.
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

/// The result that a player may claim if their opponent is away.
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
        /// The server's protocol version.
        protocol: u32,
        /// The player's public id.
        player: PlayerId,
        /// The player's name.
        name: PlayerName,
        /// The token to keep.
        token: PlayerToken,
        /// Which server this is.
        server: ServerInfo,
        /// The server's limits.
        limits: Limits,
        /// The features that the host has not switched off.
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
        /// The room that the intent led to or was about, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room: Option<RoomCode>,
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
    /// Something happened in the room.
    Event {
        /// The room's code.
        room: RoomCode,
        /// Exactly one more than the last event's or snapshot's.
        v: u64,
        /// What happened.
        event: Event,
    },
    /// The number of spectators. It has no version, and is not sent for every change.
    Spectators {
        /// The room's code.
        room: RoomCode,
        /// Connections without a seat.
        count: u32,
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
    /// The pass that this connection asked for.
    Pass {
        /// The code that the other device sends in its `hello`.
        code: PassCode,
        /// The time in which the pass may be used once, in milliseconds.
        expires_in_ms: u32,
    },
    /// The answer to `ping`.
    Pong {
        /// The intent.
        id: IntentId,
        /// The room the connection is in.
        room: Option<RoomCode>,
        /// The room's version. A client with another version should `sync`.
        v: Option<u64>,
    },
}
