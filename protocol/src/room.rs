//! The public state of a room, as a fold over its events. The server's room, the terminal client and
//! the tests each keep a [`RoomState`] and apply the same events to it. Clocks, connections and
//! permissions are only in the server.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Mark};
use crate::event::{Event, GameRecord, Snapshot};
use crate::game::{Game, GameResult, IllegalMove, Move};
use crate::id::{PlayerId, PlayerName, RoomCode};
use crate::opening::OpeningPhase;
use crate::reading::object;
use crate::settings::{Computer, RoomSettings};

/// One value for each mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ByMark_{T}"))]
#[serde(remote = "Self")]
pub struct ByMark<T> {
    /// X's value.
    pub x: T,
    /// O's value.
    pub o: T,
}

object!(ByMark<T>);

impl<T> Index<Mark> for ByMark<T> {
    type Output = T;

    fn index(&self, mark: Mark) -> &T {
        match mark {
            Mark::X => &self.x,
            Mark::O => &self.o,
        }
    }
}

impl<T> IndexMut<Mark> for ByMark<T> {
    fn index_mut(&mut self, mark: Mark) -> &mut T {
        match mark {
            Mark::X => &mut self.x,
            Mark::O => &mut self.o,
        }
    }
}

/// Whether a seated player is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Presence {
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

/// Who sits on one side of the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Seat {
    /// Nobody: the next player who joins gets the seat.
    Open,
    /// A person.
    Human {
        /// The player's id.
        player: PlayerId,
        /// The player's name.
        name: PlayerName,
        /// Whether the player is connected.
        presence: Presence,
    },
    /// A computer player.
    Computer(Computer),
}

impl Seat {
    /// The player on the seat, if it is a person.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Human { player, .. } => Some(*player),
            Self::Open | Self::Computer(_) => None,
        }
    }

    /// The computer on the seat, if there is one.
    #[must_use]
    pub const fn computer(&self) -> Option<Computer> {
        match self {
            Self::Computer(computer) => Some(*computer),
            Self::Open | Self::Human { .. } => None,
        }
    }

    /// The occupant's name for people.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Open => "(open seat)".to_owned(),
            Self::Human { name, .. } => name.to_string(),
            Self::Computer(computer) => format!("computer ({computer})"),
        }
    }
}

impl ByMark<Seat> {
    /// Whether a seat is open.
    #[must_use]
    pub fn has_open(&self) -> bool {
        self.x == Seat::Open || self.o == Seat::Open
    }
}

/// Games won and drawn since these two opponents began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    /// Games X won.
    pub x: u32,
    /// Games O won.
    pub o: u32,
    /// Games drawn.
    pub draws: u32,
}

impl Score {
    /// The score with one more game.
    #[must_use]
    pub const fn with(mut self, result: &GameResult) -> Self {
        match result.winner() {
            Some(Mark::X) => self.x += 1,
            Some(Mark::O) => self.o += 1,
            None => self.draws += 1,
        }
        self
    }
}

/// A room as the lobby shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomSummary {
    /// The room's code.
    pub room: RoomCode,
    /// The room's settings.
    pub settings: RoomSettings,
    /// Who sits where.
    pub seats: ByMark<Seat>,
    /// The score.
    pub score: Score,
    /// The number of the running game; `null` if no game is running.
    pub game: Option<u32>,
    /// Connections without a seat.
    pub spectators: u32,
}

/// Why an event does not fit the state. The client should `sync` then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfStep {
    /// Events are missing: the next one would have been `expected`.
    Gap {
        /// The next version.
        expected: u64,
        /// The version that came.
        got: u64,
    },
    /// The move breaks a rule, or belongs to another game.
    Contradiction(Option<IllegalMove>),
}

impl fmt::Display for OutOfStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gap { expected, got } => write!(f, "event {expected} was due and {got} came"),
            Self::Contradiction(_) => f.write_str("the server's events contradict each other"),
        }
    }
}

impl std::error::Error for OutOfStep {}

/// A game and its number in the room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedGame {
    /// 1 for the room's first game.
    pub number: u32,
    /// The game.
    pub game: Game,
    /// The phase of the swap2 opening; `None` without one, or after it.
    pub opening: Option<OpeningPhase>,
}

/// The public state of a room at version `v`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomState {
    /// The room's code.
    pub code: RoomCode,
    /// The number of events so far.
    pub v: u64,
    /// The room's settings.
    pub settings: RoomSettings,
    /// Who sits where.
    pub seats: ByMark<Seat>,
    /// The score.
    pub score: Score,
    /// The running game, or else the last one; `None` before the first game.
    pub game: Option<NumberedGame>,
    /// Who wants a rematch.
    pub offers: ByMark<bool>,
    /// Whether the room has ended.
    pub closed: bool,
}

impl RoomState {
    /// A room in which nothing has happened.
    #[must_use]
    pub fn new(code: RoomCode, settings: RoomSettings) -> Self {
        Self {
            code,
            v: 0,
            settings,
            seats: ByMark { x: Seat::Open, o: Seat::Open },
            score: Score::default(),
            game: None,
            offers: ByMark::default(),
            closed: false,
        }
    }

    /// The state of a snapshot.
    ///
    /// # Errors
    /// If the snapshot's moves break the rules.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, OutOfStep> {
        let settings = snapshot.settings;
        let game = snapshot.game.as_ref().map(|record| {
            let mut game =
                Game::replay(settings.board, record.first, settings.draws_early(), &record.moves)?;
            if let Some(result) = &record.result {
                game.conclude(result.clone());
            }
            let opening = record.opening.filter(|_| game.turn().is_some());
            Ok(NumberedGame { number: record.number, game, opening })
        });
        Ok(Self {
            code: snapshot.room,
            v: snapshot.v,
            settings,
            seats: snapshot.seats.clone(),
            score: snapshot.score,
            game: game.transpose().map_err(|e| OutOfStep::Contradiction(Some(e)))?,
            offers: snapshot.offers,
            closed: false,
        })
    }

    /// The snapshot of this state, without the fields that differ between viewers.
    #[must_use]
    pub fn to_snapshot(&self) -> Snapshot {
        Snapshot {
            room: self.code,
            v: self.v,
            settings: self.settings,
            seats: self.seats.clone(),
            score: self.score,
            game: self.game.as_ref().map(|NumberedGame { number, game, opening }| GameRecord {
                number: *number,
                first: game.first(),
                moves: game.moves().to_vec(),
                result: game.result().cloned(),
                opening: *opening,
            }),
            offers: self.offers,
            you: Vec::new(),
            spectators: 0,
            move_ms_left: None,
        }
    }

    /// Whether a seat is open.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.seats.has_open()
    }

    /// Whether a game is running.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running().is_some()
    }

    /// The running game, if there is one.
    #[must_use]
    pub fn running(&self) -> Option<&NumberedGame> {
        self.game.as_ref().filter(|numbered| numbered.game.turn().is_some())
    }

    /// The seat that has to act while a game is running: the mark to move, or in a swap2 opening the
    /// seat that places or chooses.
    #[must_use]
    pub fn turn(&self) -> Option<Mark> {
        self.game.as_ref().and_then(NumberedGame::turn)
    }

    /// The marks that a player plays: none for a spectator, both for a player on both seats.
    pub fn marks_of(&self, player: PlayerId) -> impl Iterator<Item = Mark> {
        Mark::BOTH.into_iter().filter(move |mark| self.seats[*mark].player() == Some(player))
    }

    /// Applies the event with version `v`.
    ///
    /// # Errors
    /// If `v` is not the next version, or if the event is impossible. The state is unchanged then.
    pub fn apply(&mut self, v: u64, event: &Event) -> Result<(), OutOfStep> {
        // Saturating, because a broken server could send a snapshot with the greatest version.
        let expected = self.v.saturating_add(1);
        if v != expected {
            return Err(OutOfStep::Gap { expected, got: v });
        }
        match event {
            Event::Seated { mark, seat } => self.seats[*mark] = seat.clone(),
            Event::Presence { mark, presence: now } => {
                if let Seat::Human { presence, .. } = &mut self.seats[*mark] {
                    *presence = *now;
                }
            }
            Event::GameStarted { game, first, score } => {
                let new = Game::new(self.settings.board, *first, self.settings.draws_early());
                self.game = Some(NumberedGame { number: *game, game: new, opening: None });
                self.score = *score;
                self.offers = ByMark::default();
            }
            Event::Moved { game, ply, mark, cell } => {
                self.numbered(*game)?.apply_as(*ply, *mark, *cell)?;
            }
            Event::Opening { game, phase, swapped } => {
                let numbered = self.numbered(*game)?;
                numbered.opening = Some(*phase).filter(|phase| *phase != OpeningPhase::Done);
                if *swapped {
                    self.exchange_seats();
                }
            }
            Event::GameOver { game, result, score } => {
                let numbered = self.numbered(*game)?;
                numbered.game.conclude(result.clone());
                numbered.opening = None;
                self.score = *score;
            }
            Event::Rematch { mark, offered } => self.offers[*mark] = *offered,
            Event::Closed { .. } => self.closed = true,
        }
        self.v = v;
        Ok(())
    }

    /// Exchanges the players with their scores and offers.
    fn exchange_seats(&mut self) {
        std::mem::swap(&mut self.seats.x, &mut self.seats.o);
        std::mem::swap(&mut self.score.x, &mut self.score.o);
        std::mem::swap(&mut self.offers.x, &mut self.offers.o);
    }

    fn numbered(&mut self, number: u32) -> Result<&mut NumberedGame, OutOfStep> {
        self.game
            .as_mut()
            .filter(|game| game.number == number)
            .ok_or(OutOfStep::Contradiction(None))
    }
}

impl NumberedGame {
    fn apply_as(&mut self, ply: u16, mark: Mark, cell: Cell) -> Result<(), OutOfStep> {
        let applied = self.game.apply(Move { ply, mark, cell });
        applied.map(|_| ()).map_err(|e| OutOfStep::Contradiction(Some(e)))
    }
}
