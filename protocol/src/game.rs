//! A game, from the empty board to its result. The same code runs in the room, in recovery, in the
//! computer's search and in the clients. Seats and clocks are the server's.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Board, BoardSpec, Cell, Mark};
use crate::rules::{Placement, Rules, WinningLine};

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

    /// How the game ended, in the word of the wire: `line`, `board_full`, `time` and so on.
    #[must_use]
    pub const fn how(&self) -> &'static str {
        match self {
            Self::Line { .. } => "line",
            Self::BoardFull => "board_full",
            Self::NoLineLeft => "no_line_left",
            Self::Resignation { .. } => "resignation",
            Self::Time { .. } => "time",
            Self::Absence { .. } => "absence",
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

/// A game: a fold over its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    rules: Rules,
    board: Board,
    first: Mark,
    moves: Vec<Cell>,
    result: Option<GameResult>,
}

impl Game {
    /// An empty board; `first` moves first.
    #[must_use]
    pub fn new(rules: Rules, first: Mark) -> Self {
        Self { rules, board: Board::empty(rules.board), first, moves: Vec::new(), result: None }
    }

    /// The game after `moves`, in order.
    ///
    /// # Errors
    /// The first illegal move.
    pub fn replay(rules: Rules, first: Mark, moves: &[Cell]) -> Result<Self, IllegalMove> {
        let mut game = Self::new(rules, first);
        for &cell in moves {
            game.apply(Move { ply: game.ply(), mark: game.to_move(), cell })?;
        }
        Ok(game)
    }

    /// The rules that the game is played by.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board as it stands.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The board's size.
    #[must_use]
    pub const fn spec(&self) -> BoardSpec {
        self.rules.board
    }

    /// The mark that moves first.
    #[must_use]
    pub const fn first(&self) -> Mark {
        self.first
    }

    /// Whether the game is drawn as soon as nobody can win.
    #[must_use]
    pub const fn early_draw(&self) -> bool {
        self.rules.early_draw
    }

    /// The cells played, in order; the marks alternate from [`Game::first`].
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// The number of marks on the board.
    #[must_use]
    pub fn ply(&self) -> u16 {
        // A game has at most 361 moves, one for each cell.
        self.moves.len() as u16
    }

    /// The mark that moves at a ply.
    #[must_use]
    pub const fn mover_at(&self, ply: u16) -> Mark {
        if ply.is_multiple_of(2) { self.first } else { self.first.other() }
    }

    /// The mark to move next, also when the game is over.
    #[must_use]
    pub fn to_move(&self) -> Mark {
        self.mover_at(self.ply())
    }

    /// The mark whose turn it is; `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Mark> {
        self.result.is_none().then(|| self.to_move())
    }

    /// The result, if the game has ended.
    #[must_use]
    pub const fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// Checks whether a move is legal.
    ///
    /// # Errors
    /// The first rule that it breaks: the game is over, the wrong ply, the wrong mark, no such cell, a
    /// taken cell.
    pub fn check(&self, Move { ply, mark, cell }: Move) -> Result<(), IllegalMove> {
        if self.result.is_some() {
            return Err(IllegalMove::GameOver);
        }
        if ply != self.ply() {
            return Err(IllegalMove::WrongPly { now: self.ply() });
        }
        if mark != self.to_move() {
            return Err(IllegalMove::NotYourTurn { turn: self.to_move() });
        }
        self.rules.check(&self.board, cell)
    }

    /// The result of a legal move; `None` if the game goes on.
    #[must_use]
    pub fn outcome(&self, Move { mark, cell, .. }: Move) -> Option<GameResult> {
        self.rules.outcome(&self.board, Placement { mark, cell })
    }

    /// Makes a move and returns the result if it ends the game.
    ///
    /// # Errors
    /// As [`Game::check`]. The game is unchanged then.
    pub fn apply(&mut self, chosen: Move) -> Result<Option<&GameResult>, IllegalMove> {
        self.check(chosen)?;
        let result = self.outcome(chosen);
        self.place(chosen.cell, result);
        Ok(self.result.as_ref())
    }

    /// Makes a move that is known to be legal and to have this result.
    pub fn place(&mut self, cell: Cell, result: Option<GameResult>) {
        let placed = Placement { mark: self.to_move(), cell };
        self.rules.apply(&mut self.board, placed);
        self.moves.push(cell);
        self.result = result;
    }

    /// Ends a running game by a result that is not on the board. A finished game keeps its result.
    pub fn conclude(&mut self, result: GameResult) {
        self.result.get_or_insert(result);
    }
}
