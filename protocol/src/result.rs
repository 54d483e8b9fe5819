//! What a move can be and lead to: a placement, the lines that decide a game, its result, and why a move
//! cannot be made. Which of them a variant leads to is said in [`crate::rules`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{BoardSpec, Cell, Mark};

/// A mark for a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The mark.
    pub mark: Mark,
    /// The cell.
    pub cell: Cell,
}

/// A move, with the ply at which it was chosen, so that a late move does no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The number of marks on the board when the move was chosen.
    pub ply: u16,
    /// The mark to place.
    pub mark: Mark,
    /// The cell to place it on.
    pub cell: Cell,
}

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Along a row, left to right.
    Across,
    /// Along a column, top to bottom.
    Down,
    /// A diagonal from the top left to the bottom right.
    Falling,
    /// A diagonal from the bottom left to the top right.
    Rising,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::Across, Self::Down, Self::Falling, Self::Rising];

    /// The step from one cell of a line to the next: columns, rows.
    #[must_use]
    pub const fn step(self) -> (i16, i16) {
        match self {
            Self::Across => (1, 0),
            Self::Down => (0, 1),
            Self::Falling => (1, 1),
            Self::Rising => (1, -1),
        }
    }
}

/// A line's name for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LineKind {
    /// A whole row, numbered from 1 at the top.
    Row {
        /// The row's number.
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = BoardSpec::MAX_SIDE)))]
        number: u8,
    },
    /// A whole column, numbered from 1 at the left.
    Column {
        /// The column's number.
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = BoardSpec::MAX_SIDE)))]
        number: u8,
    },
    /// The diagonal of a square board from its top left to its bottom right corner.
    MainDiagonal,
    /// The diagonal of a square board from its bottom left to its top right corner.
    CounterDiagonal,
    /// A line that does not span its board.
    Stretch {
        /// The line's direction.
        direction: Direction,
        /// The first cell.
        from: Cell,
        /// The last cell.
        to: Cell,
    },
}

/// A winning line with all its cells: more than `line` if the last mark joined two runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WinningLine {
    /// The line's name for people.
    #[serde(flatten)]
    pub kind: LineKind,
    /// The cells in the order of the direction.
    pub cells: Vec<Cell>,
}

impl WinningLine {
    /// The line in words: "row 2", "the main diagonal", "a diagonal from b2 to f6".
    #[must_use]
    pub fn describe(&self, spec: BoardSpec) -> impl fmt::Display {
        match self.kind {
            LineKind::Row { number } => format!("row {number}"),
            LineKind::Column { number } => format!("column {number}"),
            LineKind::MainDiagonal => "the main diagonal".to_owned(),
            LineKind::CounterDiagonal => "the counter diagonal".to_owned(),
            LineKind::Stretch { direction, from, to } => {
                let name = match direction {
                    Direction::Across => "a row",
                    Direction::Down => "a column",
                    Direction::Falling | Direction::Rising => "a diagonal",
                };
                format!("{name} from {} to {}", spec.coordinates(from), spec.coordinates(to))
            }
        }
    }
}

/// How a game ended, and who won.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum GameResult {
    /// A line was completed. One move can complete up to four.
    Line {
        /// Who won.
        winner: Mark,
        /// The lines.
        lines: Vec<WinningLine>,
    },
    /// A draw: the board is full.
    BoardFull,
    /// A draw: nobody can win any more.
    NoLineLeft,
    /// The loser resigned or left.
    Resignation {
        /// Who won.
        winner: Mark,
    },
    /// The loser's time for a move ran out.
    Time {
        /// Who won.
        winner: Mark,
    },
    /// The loser was away for too long, and the opponent claimed the win, or a draw without a winner.
    /// A party ends a game in the same way, and then says so in `party`.
    Absence {
        /// The winner: of a claimed win, or as the party's host decided. None in a draw.
        winner: Option<Mark>,
        /// Why a party has ended the game. Nobody was away then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        party: Option<PartyRuling>,
    },
}

/// Why a party has ended a game that was not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartyRuling {
    /// The host has decided the pairing: the result counts.
    Decided,
    /// The party is over: the game counts for nobody, and the score stays.
    Ended,
}

impl GameResult {
    /// Who won; `None` for a draw.
    #[must_use]
    pub const fn winner(&self) -> Option<Mark> {
        match self {
            Self::Line { winner, .. } | Self::Resignation { winner } | Self::Time { winner } => {
                Some(*winner)
            }
            Self::Absence { winner, .. } => *winner,
            Self::BoardFull | Self::NoLineLeft => None,
        }
    }

    /// Why a party has ended the game, if one has.
    #[must_use]
    pub const fn ruling(&self) -> Option<PartyRuling> {
        match self {
            Self::Absence { party, .. } => *party,
            _ => None,
        }
    }

    /// Whether it counts in a score and for the players. A game that its party broke off does not.
    #[must_use]
    pub const fn counts(&self) -> bool {
        !matches!(self.ruling(), Some(PartyRuling::Ended))
    }
}

/// Why a move cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllegalMove {
    /// The board has no such cell.
    NoSuchCell(BoardSpec),
    /// The cell has a mark already.
    CellTaken {
        /// The cell.
        cell: Cell,
        /// The mark on it.
        by: Mark,
        /// The board, for the cell's name.
        spec: BoardSpec,
    },
    /// The other mark is to move.
    NotYourTurn {
        /// The mark to move.
        turn: Mark,
    },
    /// The move was chosen at another ply.
    WrongPly {
        /// The ply of the game now.
        now: u16,
    },
    /// The opening is at a choice of sides, and no mark can be placed before it.
    ChoiceFirst,
    /// The move would complete a line in an opening, which must not end the game.
    LineInOpening,
    /// The game has ended.
    GameOver,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoSuchCell(spec) => {
                let last = spec.coordinates(Cell(spec.cells() - 1));
                let cells = spec.cells();
                write!(f, "there is no such cell: choose from 1 to {cells} (a1 to {last})")
            }
            Self::CellTaken { cell, by, spec } => {
                write!(f, "cell {} is taken by {by}: choose an empty one", spec.label(cell))
            }
            Self::NotYourTurn { turn } => write!(f, "it is {turn}'s turn: wait for their move"),
            Self::WrongPly { now } => {
                write!(f, "the game has moved on to ply {now}: look at the board and move again")
            }
            Self::ChoiceFirst => {
                f.write_str("no mark can be placed before the sides are chosen: choose first")
            }
            Self::LineInOpening => {
                f.write_str("an opening must not complete a line: choose another cell")
            }
            Self::GameOver => f.write_str("this game is over: ask for a rematch to play again"),
        }
    }
}

impl std::error::Error for IllegalMove {}
