//! The rules, the vocabulary and the messages of Noughts.
//!
//! This crate is pure: it reads no clock, does no I/O, uses no randomness and no runtime. The server,
//! the terminal client and the tests share it, so each thing is said once:
//!
//! - [`Rules`] say what a move leads to: to the room by [`NumberedGame::decide`], to the computer's
//!   search and to the screen by [`Game`].
//! - [`RoomState`] is the fold of a room's facts. The server advances it by facts that it has decided
//!   itself. A client applies the events that it is told, if they may follow.
//! - [`ClientMessage`] is read in one place, [`ClientMessage::from_json`]. A room gets its
//!   [`RoomIntent`] as it came.
//!
//! The modules:
//!
//! - [`board`] and [`game`]: any `width × height` board; illegal moves are typed. [`rules`]: what
//!   differs between variants of the game. [`opening`]: the phases of a fair opening.
//! - [`event`]: the facts of a room, its snapshot, and its presence. [`room`]: the state of a room, and
//!   which fact may follow which. [`settings`]: its settings.
//! - [`message`]: the messages on the wire.
//! - [`analysis`]: hints, reviews and evaluations. [`chat`]: what people say. [`archive`]: kept games,
//!   profiles and leaderboards. [`puzzle`]: the puzzle of the day.
//! - [`party`]: many people and one code: settings, entrants, pairings, facts and their fold.
//! - [`face`]: the animal and the colour beside a person's name.
//! - [`features`]: what a host may switch off. [`reach`]: which address of a server is the likeliest.
//! - [`id`] and [`text`]: names, codes, ids and tokens, validated when they are parsed.
//!   [`identity_file`]: the file that makes another device the same player.
//! - [`refusal`] and [`close`]: the reasons for refusals and closed connections.
//! - `schema`, with the feature of that name: the JSON Schema of all messages.
//!
//! A new intent is an entry of a list in [`message`]. A new variant of the game is a file in
//! [`rules`]. A new setting is a field of [`RoomSettings`] and a row of [`settings::SETTINGS`]. A
//! new fact is a variant of [`Event`], with an arm where [`RoomState`] checks it and one where it
//! applies it.
//!
//! `protocol/README.md` is the wire contract for authors of clients. This crate's tests parse every
//! example there and every file of `tests/golden`.

pub mod analysis;
pub mod archive;
pub mod board;
pub mod chat;
pub mod close;
pub mod event;
pub mod face;
pub mod features;
pub mod game;
pub mod id;
pub mod identity_file;
pub mod message;
pub mod opening;
pub mod party;
pub mod puzzle;
pub mod reach;
mod reading;
pub mod refusal;
pub mod room;
pub mod rules;
#[cfg(feature = "schema")]
pub mod schema;
pub mod settings;
pub mod text;

pub use analysis::{
    Evaluation, GameValue, Hint, HintReason, Review, ReviewedMove, Standing, Verdict,
};
pub use archive::{
    ArchivedGame, BoardClass, BoardTally, ExportFormat, GameSummary, Leader, Leaderboard,
    OpponentFilter, OpponentTally, Outcome, Participant, Period, Profile, Rating, Tally,
};
pub use board::{Board, BoardSpec, Cell, Mark};
pub use chat::{
    AnnouncementText, ChatLine, ChatMode, ChatText, Emote, OneLine, OneLineError, Said,
};
pub use close::CloseCode;
pub use event::{CloseReason, Event, GameEnd, GameRecord, Presence, SeatPresence, Snapshot};
pub use face::{Animal, Colour, Face};
pub use features::Features;
pub use game::{Game, GameResult, IllegalMove, MAX_PLIES, Move, NotPlayable, PartyRuling};
pub use id::{
    GameId, IdError, IntentId, JoinPassword, PING_ID, PartyCode, PassCode, PlayerId, PlayerName,
    PlayerToken, RoomCode,
};
pub use identity_file::{IdentityFile, IdentityFileError};
pub use message::{
    Acquaintance, ClaimedResult, ClientMessage, Found, Hello, Limits, LobbyIntent, PartyIntent,
    Role, RoomIntent, ServerInfo, ServerMessage,
};
pub use opening::{AfterChoice, AfterMove, Opening, OpeningChoice, OpeningPhase};
pub use party::{
    DecidedBy, Entrant, MAX_TOLD_BOARDS, PARTY_SETTINGS, Pairing, PairingOutcome, PartyEvent,
    PartyFormat, PartyPhase, PartyPresence, PartyRole, PartySettings, PartySnapshot, PartyState,
    PartyTable, PastDecision, PastPairing, Place, ReadyCheck, Stage, TableBoard,
};
pub use puzzle::{DailyPuzzle, Date, DateError};
pub use reach::Reach;
pub use reading::in_plain_words;
pub use refusal::{Refusal, RefusalCode};
pub use room::{
    ByMark, Contradiction, NumberedGame, OutOfStep, RoomRatings, RoomState, RoomSummary, Score,
    Seat, SeatRating, Series,
};
pub use rules::{
    DecidedBoard, Direction, Effect, LineKind, Placement, Playable, PlyEffect, Rules, Variant,
    WinningLine,
};
pub use settings::{
    Computer, ComputerFallback, FirstMove, GameKind, MarkChoice, Pace, RoomSettings, SeatRequest,
    Setting, Strategy, Strength,
};
pub use text::DisplayText;

/// The version of the wire contract. `hello` names it; other versions are refused.
pub const PROTOCOL_VERSION: u32 = 2;

/// How long a [`PassCode`] may be used, in milliseconds: two minutes.
pub const PASS_MS: u32 = 2 * 60 * 1_000;

/// The default port of a server.
pub const DEFAULT_PORT: u16 = 7333;

/// The DNS-SD service type that a server announces (RFC 6763).
pub const SERVICE_TYPE: &str = "_noughts._tcp.local.";

/// The largest frame that a client may send, in bytes. The longest legal message has under 1,200.
pub const MAX_CLIENT_FRAME: usize = 4 * 1024;

/// The largest frame that a server sends, in bytes: a party of 200 in its last round, with a long note on
/// every result.
pub const MAX_SERVER_FRAME: usize = 160 * 1024;

/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 24;

/// The longest [`JoinPassword`], in bytes.
pub const MAX_PASSWORD_BYTES: usize = 256;

/// The longest [`DisplayText`], in characters.
pub const MAX_TEXT_CHARS: usize = 300;

/// The longest text that somebody may say in a room, in characters.
pub const MAX_CHAT_CHARS: usize = 140;

/// The longest text that the host of a server may say, in characters.
pub const MAX_ANNOUNCEMENT_CHARS: usize = 280;

/// The lines of the players, and the lines of the spectators, that a room keeps for people who come in
/// later.
pub const CHAT_LINES: usize = 30;

/// The most lines that a player may say in a room in [`CHAT_WINDOW_MS`].
pub const CHAT_BURST: u32 = 5;

/// The time in which a player may say [`CHAT_BURST`] things, in milliseconds.
pub const CHAT_WINDOW_MS: u32 = 10_000;

/// The most people whom a player may mute in a room.
pub const MAX_MUTED: usize = 100;

/// The games of one page of a history.
pub const HISTORY_PAGE: usize = 50;

/// The most boards, and the most opponents, that a profile counts one by one.
pub const MAX_TALLIES: usize = 20;

/// The most recent games of a profile.
pub const MAX_RECENT: usize = 10;

/// The most people of whom a player is told that they are connected.
pub const MAX_HERE: usize = 50;

/// How long a challenge stands, in milliseconds.
pub const CHALLENGE_MS: u32 = 60 * 1_000;

/// The most players on a leaderboard.
pub const MAX_LEADERS: usize = 50;

/// The most rooms in each list of a `lobby` message.
pub const MAX_LOBBY_ROOMS: usize = 50;

/// Seconds in which a connection must send `hello`.
pub const HELLO_SECONDS: u64 = 10;

/// Seconds between two pings of the server. A client may use the same interval.
pub const PING_SECONDS: u64 = 20;

/// Seconds of silence after which both sides may close the connection.
pub const DEAD_SECONDS: u64 = 45;

/// The most unanswered intents of a client's player; further ones wait. It is below the server's burst
/// limit, so that a client may repeat all of them at once.
pub const MAX_UNANSWERED: usize = 12;

/// Milliseconds in which a server that answers no intent makes a client connect again.
pub const ANSWER_MS: u64 = 10_000;

/// Milliseconds after which a client asks again for a room that the server could not read.
pub const REJOIN_MS: u64 = 1_000;

/// How often a client asks again for what came too fast for the server.
pub const MAX_RETRIES: usize = 3;

/// The pause before a client does so, in milliseconds.
pub const RETRY_MS: u64 = 1_000;

/// The wait of a client before it connects again, in milliseconds. Each further wait is twice as long.
pub const FIRST_DELAY_MS: u64 = 200;

/// The longest wait between two attempts in the first 15 s, in milliseconds.
pub const LONGEST_DELAY_AT_FIRST_MS: u64 = 1_000;

/// The longest wait between two attempts after that, in milliseconds.
pub const LONGEST_DELAY_MS: u64 = 5_000;

/// The shortest move time limit of a room, in milliseconds.
pub const MIN_MOVE_TIME_MS: u32 = 1_000;

/// Players who have so long for a move, or longer, may be away as long as they may think, in milliseconds: an hour.
pub const LONG_MOVE_MS: u32 = 3_600 * 1_000;

/// The longest move time limit of a room, in milliseconds: a week.
pub const MAX_MOVE_TIME_MS: u32 = 7 * 24 * 3_600 * 1_000;
