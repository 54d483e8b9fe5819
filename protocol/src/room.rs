//! The state of a room, as a fold over its facts. The server's room, the terminal client and the
//! tests each keep a [`RoomState`] and apply the same events to it. `contradiction` checks an event
//! against the state. Clocks, connections and permissions are only in the server. Presence is
//! [`crate::event::Presence`].

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::archive::Participant;
use crate::board::Mark;
use crate::event::{Event, GameEnd, GameRecord, Presence, Snapshot};
use crate::game::Game;
use crate::id::{GameId, PlayerId, PlayerName, RoomCode};
use crate::opening::{Opening, OpeningPhase};
use crate::reading::object;
use crate::rules::{Placement, Rules};
use crate::settings::{Computer, Pace, RoomSettings, Strength};
pub use contradiction::Contradiction;
pub use ratings::{RoomRatings, SeatRating};
pub use series::{Score, Series};

mod contradiction;
mod ratings;
mod series;

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
        #[serde(flatten, with = "crate::face")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
        name: PlayerName,
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
        Participant::of(self).map_or_else(|| "(open seat)".to_owned(), |one| one.label())
    }
}

impl ByMark<Seat> {
    /// Whether a seat is open.
    #[must_use]
    pub fn has_open(&self) -> bool {
        self.x == Seat::Open || self.o == Seat::Open
    }

    /// The two seats with their players exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        Self { x: self.o.clone(), o: self.x.clone() }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OutOfStep {
    /// Events are missing: the next one would have been `expected`.
    #[error("event {expected} was due and {got} came")]
    Gap {
        /// The next version.
        expected: u64,
        /// The version that came.
        got: u64,
    },
    /// The event cannot happen in this state.
    #[error("the server's events contradict each other: {0}")]
    Contradiction(#[from] Contradiction),
}

/// A game and its number in the room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedGame {
    /// 1 for the room's first game.
    pub number: u32,
    /// The game.
    pub game: Game,
    /// The phase of the swap2 opening; `None` without one, or after it.
    pub opening: Option<OpeningPhase>,
    /// The id under which the game is kept, if it is over and kept.
    pub id: Option<GameId>,
}

impl NumberedGame {
    /// The game with all its moves. [`NumberedGame::from_record`] reads it.
    #[must_use]
    pub fn to_record(&self) -> GameRecord {
        let Self { number, game, opening, id } = self;
        GameRecord {
            number: *number,
            first: game.first(),
            moves: game.moves().to_vec(),
            placed: game.placed().to_vec(),
            effects: game.effects().to_vec(),
            playable: game.playable(),
            result: game.result().cloned(),
            opening: *opening,
            id: *id,
        }
    }
}

/// The state of a room at version `v`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomState {
    /// The room's code.
    pub code: RoomCode,
    /// The number of facts so far.
    pub v: u64,
    /// The room's settings.
    pub settings: RoomSettings,
    /// The player who made the room; `None` for a quick match. It is no fact: it never changes.
    pub maker: Option<PlayerId>,
    /// The seat of each mark.
    pub seats: ByMark<Seat>,
    /// The score.
    pub score: Score,
    /// How long the series is.
    pub series: Series,
    /// How fast two computers play.
    pub pace: Pace,
    /// Whether the clock stands still, because the host of the party has stopped it.
    pub clock_stopped: bool,
    /// The running game, or else the last one; `None` before the first game.
    pub game: Option<NumberedGame>,
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
            maker: None,
            seats: ByMark { x: Seat::Open, o: Seat::Open },
            score: Score::default(),
            series: Series::default(),
            pace: Pace::default(),
            clock_stopped: false,
            game: None,
            closed: false,
        }
    }

    /// The state of a snapshot.
    ///
    /// # Errors
    /// If no room has such a snapshot: its moves break the rules, or lead to another result or
    /// opening.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, OutOfStep> {
        let settings = snapshot.settings;
        let record = snapshot.game.as_ref();
        let game = record.map(|record| NumberedGame::from_record(&settings, record)).transpose()?;
        Ok(Self {
            code: snapshot.room,
            v: snapshot.v,
            settings,
            maker: snapshot.maker,
            seats: snapshot.seats.clone(),
            score: snapshot.score,
            series: snapshot.series,
            pace: snapshot.pace,
            clock_stopped: snapshot.clock_stopped,
            game,
            closed: false,
        })
    }

    /// The snapshot of this state, with the presence.
    #[must_use]
    pub fn to_snapshot(&self, presence: Presence, move_ms_left: Option<u32>) -> Snapshot {
        Snapshot {
            room: self.code,
            v: self.v,
            settings: self.settings,
            maker: self.maker,
            seats: self.seats.clone(),
            score: self.score,
            series: self.series,
            pace: self.pace,
            game: self.game.as_ref().map(NumberedGame::to_record),
            presence,
            move_ms_left,
            clock_stopped: self.clock_stopped,
        }
    }

    /// Whether two computers play each other.
    #[must_use]
    pub fn is_exhibition(&self) -> bool {
        Mark::BOTH.into_iter().all(|mark| self.seats[mark].computer().is_some())
    }

    /// The computer whose strength can change, and its mark: it has strengths, a person plays against
    /// it, and no party pairs them.
    #[must_use]
    pub fn adjustable(&self) -> Option<(Mark, Computer)> {
        let computer = |mark: Mark| {
            let computer = self.seats[mark].computer()?;
            let may = computer.strategy.has_strengths() && self.settings.party.is_none();
            self.seats[mark.other()].player().filter(|_| may).map(|_| (mark, computer))
        };
        Mark::BOTH.into_iter().find_map(computer)
    }

    /// Whether players may ask for hints: as the settings say, or else unless two people play.
    #[must_use]
    pub fn gives_hints(&self) -> bool {
        self.settings.hints.unwrap_or(!self.has_two_people())
    }

    /// Whether two people have the seats.
    #[must_use]
    pub fn has_two_people(&self) -> bool {
        let ByMark { x, o } = &self.seats;
        matches!((x.player(), o.player()), (Some(x), Some(o)) if x != o)
    }

    /// The ply of the last move of a player with these marks, if they may take it back: not in a party, a
    /// quick match of two people, or after a swap2 opening.
    #[must_use]
    pub fn takes_back_to(&self, marks: &[Mark]) -> Option<u16> {
        let running = self.running()?;
        let may = self.settings.opening == Opening::Free
            && self.settings.party.is_none()
            && self.maker.is_some();
        let last = (0..running.game.ply()).rev().take(2);
        let mut own = last.filter(|ply| marks.contains(&running.game.mover_at(*ply)));
        own.next().filter(|_| may)
    }

    /// The strengths of a computer on this room's board.
    #[must_use]
    pub fn strengths(&self, computer: Computer) -> &'static [Strength] {
        Strength::offered(self.settings.variant, self.settings.board, computer.strategy)
    }

    /// Whether a game is running.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running().is_some()
    }

    /// The milliseconds that the side to move has, if its clock runs.
    #[must_use]
    pub fn move_limit(&self) -> Option<u32> {
        let runs = self.is_running() && self.pace != Pace::Paused && !self.clock_stopped;
        self.settings.move_time_ms.filter(|_| runs)
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

    /// The seats and the score after a choice, which may exchange the players.
    #[must_use]
    pub fn exchanged_if(&self, swaps: bool) -> (ByMark<Seat>, Score) {
        if swaps {
            (self.seats.exchanged(), self.score.exchanged())
        } else {
            (self.seats.clone(), self.score)
        }
    }

    /// Applies the event with version `v`.
    ///
    /// # Errors
    /// If `v` is not the next version, or if the event cannot happen in this state. The state is
    /// unchanged then.
    pub fn apply(&mut self, v: u64, event: &Event) -> Result<(), OutOfStep> {
        // Saturating, because a broken server could send a snapshot with the greatest version.
        let expected = self.v.saturating_add(1);
        if v != expected {
            return Err(OutOfStep::Gap { expected, got: v });
        }
        self.check(event)?;
        self.advance(event);
        Ok(())
    }

    /// Applies the next event without a check: the rules have decided it in this state.
    pub fn advance(&mut self, event: &Event) {
        match event {
            Event::Seated { mark, seat } => self.seats[*mark] = seat.clone(),
            Event::GameStarted { game, first, score, opening, series, .. } => {
                let new = Game::new(Rules::of(&self.settings), *first);
                self.game =
                    Some(NumberedGame { number: *game, game: new, opening: *opening, id: None });
                (self.score, self.series) = (*score, *series);
            }
            Event::Moved { mark, cell, placed, over, opening, .. } => {
                if let Some(numbered) = &mut self.game {
                    let placed = Placement { mark: placed.unwrap_or(*mark), cell: *cell };
                    numbered.game.place(placed, over.as_ref().map(|end| end.result.clone()));
                    numbered.opening = opening.or(numbered.opening);
                    numbered.id = over.as_ref().and_then(|end| end.id);
                }
                self.score = over.as_ref().map_or(self.score, |end| end.score);
            }
            Event::TakenBack { ply, .. } => {
                if let Some(numbered) = &mut self.game {
                    numbered.game = numbered.game.before(*ply);
                }
            }
            Event::Chosen { opening, seats, score, .. } => {
                if let Some(numbered) = &mut self.game {
                    numbered.opening = *opening;
                }
                self.seats = seats.clone();
                self.score = *score;
            }
            Event::GameOver { end: GameEnd { result, score, id }, .. } => {
                if let Some(numbered) = &mut self.game {
                    numbered.game.conclude(result.clone());
                    numbered.opening = None;
                    numbered.id = *id;
                }
                self.score = *score;
                self.clock_stopped = false;
            }
            Event::Clock { stopped, .. } => self.clock_stopped = *stopped,
            Event::Paced { pace } => self.pace = *pace,
            Event::Closed { .. } => self.closed = true,
        }
        // Saturating, because a broken server could send the greatest version.
        self.v = self.v.saturating_add(1);
    }
}
