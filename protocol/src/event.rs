//! The facts of a room as events, the snapshot of all facts so far, and the presence.
//! [`crate::room::RoomState`] applies the events.

use serde::{Deserialize, Serialize};

use crate::analysis::HintReason;
use crate::board::{Cell, Mark};
use crate::game::GameResult;
use crate::id::{GameId, PlayerId, RoomCode};
use crate::opening::{OpeningChoice, OpeningPhase};
use crate::reading::{is_default, or_default};
use crate::room::{ByMark, RoomRatings, Score, Seat, Series};
use crate::rules::{Effect, Playable, PlyEffect};
use crate::settings::{Pace, RoomSettings};

/// The whole state of a room, the same for every viewer. The seats and the viewer's id tell which
/// marks the viewer plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snapshot {
    /// The room's code.
    pub room: RoomCode,
    /// The version of this state: the number of facts so far.
    pub v: u64,
    /// The room's settings.
    pub settings: RoomSettings,
    /// The player who made the room; left out for a quick match of two players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maker: Option<PlayerId>,
    /// Who sits where.
    pub seats: ByMark<Seat>,
    /// The score.
    pub score: Score,
    /// How many wins decide the series; left out while it is open.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = Series::default())))]
    pub series: Series,
    /// How fast two computers play; left out while it is `normal`.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = Pace::default())))]
    pub pace: Pace,
    /// The running game, or else the last one.
    pub game: Option<GameRecord>,
    /// The presence.
    pub presence: Presence,
    /// Milliseconds left for the move, if there is a limit.
    pub move_ms_left: Option<u32>,
    /// Whether the clock stands still, because the host of the party has stopped it.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub clock_stopped: bool,
}

/// A game and all its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// 1 for the room's first game.
    pub number: u32,
    /// The mark that moved first.
    pub first: Mark,
    /// The cells played, in order.
    pub moves: Vec<Cell>,
    /// The mark of each move; left out in a variant in which each side places its own.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<Mark>,
    /// What moves did besides placing their marks, in order; left out if no move did.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<PlyEffect>,
    /// What may be played next; left out where that is the own mark in any empty cell, and when the
    /// game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playable: Option<Playable>,
    /// The result, if the game has ended.
    pub result: Option<GameResult>,
    /// The phase of the swap2 opening, until it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningPhase>,
    /// The id under which the game is kept, if it is over and kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<GameId>,
}

/// The ephemeral state of a room: who is connected, how many watch, who offers a rematch. It is always told
/// whole. It has no version and is never stored, so a restart forgets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Presence {
    /// The players on X's and O's seat; `null` for an open seat and for a computer.
    #[serde(flatten)]
    pub seats: ByMark<Option<SeatPresence>>,
    /// Connections without a seat.
    pub spectators: u32,
    /// The seat whose player offers a rematch.
    pub rematch: Option<Mark>,
    /// The new series that the offer asks for; left out if it asks for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// The ratings of both players; left out in a room whose games are never rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<RoomRatings>,
    /// The seat whose player asks to take back their last move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take_back: Option<Mark>,
    /// How many hints each of two people has taken in the game; left out while nobody has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<ByMark<u16>>,
}

impl Presence {
    /// The presence after an event, as far as the event tells it: presence goes with the player, and
    /// a new game ends the offer. `seats` are the seats before the event. The presence of a new player
    /// is not known until the server tells it.
    #[must_use]
    pub fn after(self, event: &Event, seats: &ByMark<Seat>) -> Self {
        let mut now = seats.clone();
        match event {
            Event::Seated { mark, seat } => now[*mark] = seat.clone(),
            Event::Chosen { seats, .. } => now = seats.clone(),
            Event::GameStarted { .. } => {
                let ratings = self.ratings.map(RoomRatings::at_start);
                return Self {
                    rematch: None,
                    series: None,
                    ratings,
                    hints: None,
                    take_back: None,
                    ..self
                };
            }
            Event::Moved { .. } | Event::TakenBack { .. } | Event::GameOver { .. } => {
                return Self { take_back: None, ..self };
            }
            Event::Paced { .. } | Event::Clock { .. } | Event::Closed { .. } => return self,
        }
        let seat_before = |mark: Mark| {
            let player = now[mark].player()?;
            [mark, mark.other()].into_iter().find(|one| seats[*one].player() == Some(player))
        };
        let presence = |mark| self.seats[seat_before(mark)?];
        let offers = |mark: &Mark| self.rematch.is_some() && seat_before(*mark) == self.rematch;
        let rematch = Mark::BOTH.into_iter().find(offers);
        let ratings = self.ratings.map(|ratings| {
            let rating = |mark| ratings.seats[seat_before(mark)?];
            RoomRatings { seats: ByMark { x: rating(Mark::X), o: rating(Mark::O) }, ..ratings }
        });
        Self {
            seats: ByMark { x: presence(Mark::X), o: presence(Mark::O) },
            spectators: self.spectators,
            rematch,
            series: self.series.filter(|_| rematch.is_some()),
            ratings,
            take_back: None,
            hints: self.hints,
        }
    }
}

/// Whether a seated player is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum SeatPresence {
    /// At least one connection.
    Connected,
    /// No connection. The opponent may claim the game when the time is over.
    Away {
        /// Milliseconds left when the message was sent.
        claim_in_ms: u32,
    },
    /// Away for longer than that. The opponent may claim a running game now.
    Gone,
}

/// A fact of a room. After each of them the room could be a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A seat was taken or given up, its player has another name now, or its computer another strength.
    Seated {
        /// The seat.
        mark: Mark,
        /// Who sits there now.
        seat: Seat,
    },
    /// A game began on an empty board. A rematch offer ends, and the move clock starts.
    GameStarted {
        /// The game's number.
        game: u32,
        /// The mark that moves first.
        first: Mark,
        /// The score so far; zero with a new opponent and in a new series.
        score: Score,
        /// The first phase of a swap2 opening.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<OpeningPhase>,
        /// How many wins decide the series; left out if it is open.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
        #[cfg_attr(feature = "schema", schemars(extend("default" = Series::default())))]
        series: Series,
        /// What may be played first; left out where that is the own mark in any empty cell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        playable: Option<Playable>,
    },
    /// A mark was placed. The move clock restarts.
    Moved {
        /// The game's number.
        game: u32,
        /// The number of marks placed before it.
        ply: u16,
        /// The side that moved. The mark is its own, if `placed` is left out.
        mark: Mark,
        /// The cell of the mark.
        cell: Cell,
        /// The mark, where it is not the side's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        placed: Option<Mark>,
        /// What the move did besides placing its mark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effect: Option<Effect>,
        /// What may be played next; left out where that is the own mark in any empty cell, and when
        /// the game is over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        playable: Option<Playable>,
        /// The end of the game, if the move ends it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<GameEnd>,
        /// The next phase of the swap2 opening, if the move ends a phase.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<OpeningPhase>,
        /// Why a computer made the move, in a room whose settings ask for that; left out where nothing
        /// short can be said. Never `best`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<HintReason>,
    },
    /// A player has taken back their last move, and the answer to it. The move clock restarts.
    TakenBack {
        /// The game's number.
        game: u32,
        /// The player's mark.
        mark: Mark,
        /// The ply of the move: so many marks are on the board now, or were placed so far.
        ply: u16,
        /// What may be played next; left out where that is the own mark in any empty cell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        playable: Option<Playable>,
    },
    /// A player made a choice in a swap2 opening. The move clock restarts.
    Chosen {
        /// The game's number.
        game: u32,
        /// The choice.
        choice: OpeningChoice,
        /// The next phase; none once the sides are chosen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<OpeningPhase>,
        /// Who sits where now: the choice may have exchanged the players.
        seats: ByMark<Seat>,
        /// The score now: it goes with the players.
        score: Score,
    },
    /// The game ended without a move: by resignation, time or absence.
    GameOver {
        /// The game's number.
        game: u32,
        /// The result and the score.
        #[serde(flatten)]
        end: GameEnd,
    },
    /// The maker of the room chose how fast the two computers play.
    Paced {
        /// The pace from now on.
        pace: Pace,
    },
    /// The host of the party has stopped the clock of the move, let it run on, or given more time.
    Clock {
        /// The game's number.
        game: u32,
        /// Milliseconds left for the move.
        move_ms_left: u32,
        /// Whether the clock stands still. No move is made meanwhile.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
        stopped: bool,
    },
    /// The room has ended. No event comes after this one.
    Closed {
        /// The reason.
        reason: CloseReason,
    },
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameEnd {
    /// The result.
    pub result: GameResult,
    /// The score after this game.
    pub score: Score,
    /// The id under which the game is kept; left out if it is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<GameId>,
}

/// Why a room ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// All players have left.
    Left,
    /// Nothing happened for too long.
    Idle,
    /// The host of the server has ended it.
    Host,
}
