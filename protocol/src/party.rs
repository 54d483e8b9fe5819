//! A party: many people, one code, a format, and games that the server pairs. Its settings, its
//! entrants, its pairings, and its presence. The facts are in [`event`], their fold is
//! [`state::PartyState`]. The server decides who plays whom.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Mark};
use crate::chat::ChatText;
use crate::game::GameResult;
use crate::id::{PartyCode, PlayerId, PlayerName, RoomCode};
use crate::reading::{is_default, or_default};
use crate::rules::{Playable, PlyEffect};
use crate::settings::Computer;
pub use event::{PartyEvent, versions};
pub use settings::{PARTY_SETTINGS, PartyFormat, PartySettings, wire_value};
pub use snapshot::PartySnapshot;
pub use state::{PartyState, PastDecision, PastPairing};

pub mod event;
pub mod settings;
pub mod snapshot;
pub mod state;

/// The most entrants of a party, computers included.
pub const MAX_ENTRANTS: usize = 200;

/// The most entrants of a round robin: it has 66 pairings then.
pub const MAX_ROUND_ROBIN: usize = 12;

/// The fewest and the most rounds of a Swiss.
pub const SWISS_ROUNDS: std::ops::RangeInclusive<u32> = 3..=9;

/// The most boards that a party of "winner stays on" plays at once.
pub const MAX_TABLES: u8 = 20;

/// The longest time for a move in a party, in milliseconds: ten minutes.
pub const MAX_PARTY_MOVE_MS: u32 = 10 * 60 * 1_000;

/// The time in which both entrants of a pairing must say that they are there, in milliseconds. It is
/// enough to look up from a talk. A pairing that both miss is called once more.
pub const READY_MS: u32 = 60_000;

/// The most boards in one message to a big screen: as many of the longest games fit into a frame.
pub const MAX_TOLD_BOARDS: usize = 12;

/// The most time that the host gives at once, in milliseconds: ten minutes.
pub const MAX_ADDED_MS: u32 = 10 * 60 * 1_000;

/// The most games of a pairing: a drawn game is played again, with the other entrant beginning.
pub const MAX_PAIRING_GAMES: u8 = 3;

/// Half points of a win and of a bye.
pub const WIN_POINTS: u16 = 2;

/// The tag of a room that belongs to a party. The room knows no more of the party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartyTable {
    /// The party.
    pub party: PartyCode,
    /// The number of the pairing.
    pub pairing: u32,
    /// The number of the table, from 1.
    pub table: u16,
    /// The number of the game in the pairing, from 1.
    pub game: u8,
}

/// Somebody who plays in a party. Points and counts follow from the facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entrant {
    /// The number in the party: 1, 2, 3 and so on, in the order in which people came.
    pub number: u16,
    /// The name, which nobody else has in the party.
    #[serde(flatten, with = "crate::face")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
    pub name: PlayerName,
    /// The player; none for a computer, and for somebody who asked to be forgotten or was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerId>,
    /// Whether the name stays, whatever name the player comes with: the host has chosen it, or it came
    /// with the place.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub fixed_name: bool,
    /// The computer, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<Computer>,
    /// Whether the entrant has left, or does not come: they are not paired until they return.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub left: bool,
    /// Whether the host has set the entrant aside: only the host brings them back.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub set_aside: bool,
    /// Whether the host has removed a player from this place, who does not come in any more. Somebody else
    /// may have the place by now.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub removed: bool,
    /// Half points: 2 for a win and a bye, 1 for a draw.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub points: u16,
    /// Pairings won, byes not counted.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub wins: u16,
    /// Pairings drawn.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub draws: u16,
    /// Pairings lost.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub losses: u16,
}

/// Two entrants who meet, or one who has a bye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pairing {
    /// The number in the party: 1, 2, 3 and so on.
    pub number: u32,
    /// The table, from 1; 0 for a bye.
    pub table: u16,
    /// The entrant who begins the first game, with X.
    pub first: u16,
    /// The other entrant; `null` for a bye.
    pub second: Option<u16>,
    /// The final or the game for the third place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The number of the running or last game; 0 before both were ready.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub game: u8,
    /// The room of that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomCode>,
    /// How it ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<PairingOutcome>,
}

impl Pairing {
    /// Both entrants; one for a bye.
    pub fn entrants(&self) -> impl Iterator<Item = u16> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// The opponent of an entrant; `None` for a bye, and for somebody else.
    #[must_use]
    pub fn opponent_of(&self, entrant: u16) -> Option<u16> {
        match self.second {
            Some(second) if entrant == self.first => Some(second),
            Some(second) if entrant == second => Some(self.first),
            _ => None,
        }
    }

    /// The entrant who begins game `game`, 1 to 3, with X; then the entrant with O.
    #[must_use]
    pub fn order_in(&self, game: u8) -> Option<(u16, u16)> {
        let second = self.second?;
        Some(if game % 2 == 1 { (self.first, second) } else { (second, self.first) })
    }
}

/// The last pairings of a knockout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The final.
    Final,
    /// The game for the third place.
    Third,
}

/// How a pairing ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairingOutcome {
    /// The winner; `null` for a draw, and if nobody came.
    pub winner: Option<u16>,
    /// How it came about.
    pub how: DecidedBy,
    /// The host's note, if the host has changed the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<ChatText>,
}

/// How the outcome of a pairing came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// By a game. Without a winner: by three drawn games.
    Game,
    /// Three games were drawn where somebody must win: the one who moved second in two of them wins.
    DrawOdds,
    /// Somebody was not there in time, or left. Without a winner: neither was there.
    Forfeit,
    /// There was no opponent. Without a winner: in a round robin, where a bye gives no points.
    Bye,
    /// The host decided.
    Host,
}

/// The phase of a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartyPhase {
    /// People come in. The host starts it.
    #[default]
    Gathering,
    /// Games are paired and played.
    Playing,
    /// The places are final.
    Over,
}

/// The place of an entrant. Entrants may share a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The place, from 1.
    pub place: u16,
    /// The entrant.
    pub entrant: u16,
    /// The number that orders equal points: in a Swiss and a round robin the half points of the
    /// opponents (Buchholz), else 0.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub tiebreak: u16,
}

/// The presence of a party. It is always told whole. It has no version and is never stored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartyPresence {
    /// Entrants without a connection, by number.
    pub away: Vec<u16>,
    /// Entrants who are ready for their pairing, by number.
    pub ready: Vec<u16>,
    /// The ready checks that run.
    pub checks: Vec<ReadyCheck>,
    /// Milliseconds until the next round is paired, if that is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_ms: Option<u32>,
    /// Connections of people who do not play, big screens included.
    #[serde(default, deserialize_with = "or_default")]
    pub spectators: u32,
}

/// A ready check that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadyCheck {
    /// The pairing.
    pub pairing: u32,
    /// Milliseconds left when the message was sent.
    pub ms_left: u32,
}

/// A board of a party, for big screens. X begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableBoard {
    /// The pairing.
    pub pairing: u32,
    /// The number of the game in the pairing.
    pub game: u8,
    /// The cells played, in order.
    pub moves: Vec<Cell>,
    /// The mark of each move; left out in a variant in which each side places its own.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<Mark>,
    /// What moves did besides placing their marks, in order; left out if no move did.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<PlyEffect>,
    /// What may be played next; left out where that is the own mark in any empty cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playable: Option<Playable>,
    /// The result, if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
}

/// As what a connection follows a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartyRole {
    /// To play. An entrant returns with it.
    #[default]
    Player,
    /// To look on. An entrant stays one.
    Spectator,
    /// As a big screen, which is told the boards too.
    Screen,
}
