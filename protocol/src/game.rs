//! A game, from the empty board to its result. The same code runs in the room, in recovery, in the
//! computer's search and in the clients. Seats and clocks are the server's.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Board, BoardSpec, Cell, Mark};
use crate::rules::{Effect, Placement, Playable, PlyEffect, Rules, WinningLine};

/// A move, with the ply at which it was chosen, so that a late move does no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The number of marks placed before the move was chosen.
    pub ply: u16,
    /// The side that moves.
    pub mark: Mark,
    /// The cell of the new mark.
    pub cell: Cell,
    /// The mark to place, where the side may choose; `None` for its own, or for the only one.
    pub placed: Option<Mark>,
}

/// How a game ended, and who won.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum GameResult {
    /// A line was completed. One move can complete up to four, more in a cube.
    Line {
        /// Who won: in some variants not the one who completed it.
        winner: Mark,
        /// The lines.
        lines: Vec<WinningLine>,
    },
    /// A draw: the board is full.
    BoardFull,
    /// A draw: nobody can win any more.
    NoLineLeft,
    /// Nobody has three boards in a row, and the winner has more boards than the loser.
    MoreBoards {
        /// Who won.
        winner: Mark,
    },
    /// No line can be made any more, which is what the winner was after.
    Prevented {
        /// Who won.
        winner: Mark,
    },
    /// A draw: the position is there for the third time.
    Repetition,
    /// A draw: the game has had [`MAX_PLIES`] moves.
    TooLong,
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
    /// The winner; `None` for a draw.
    #[must_use]
    pub const fn winner(&self) -> Option<Mark> {
        match self {
            Self::Line { winner, .. }
            | Self::MoreBoards { winner }
            | Self::Prevented { winner }
            | Self::Resignation { winner }
            | Self::Time { winner } => Some(*winner),
            Self::Absence { winner, .. } => *winner,
            Self::BoardFull | Self::NoLineLeft | Self::Repetition | Self::TooLong => None,
        }
    }

    /// How the game ended, in the word of the wire: `line`, `board_full`, `time` and so on.
    #[must_use]
    pub const fn how(&self) -> &'static str {
        match self {
            Self::Line { .. } => "line",
            Self::BoardFull => "board_full",
            Self::NoLineLeft => "no_line_left",
            Self::MoreBoards { .. } => "more_boards",
            Self::Prevented { .. } => "prevented",
            Self::Repetition => "repetition",
            Self::TooLong => "too_long",
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

/// The most moves of a game: as many as the largest board has cells. Only a game in which marks go
/// again could be longer.
pub const MAX_PLIES: u16 = (BoardSpec::MAX_SIDE as u16).pow(2);

/// Why the rules of a variant forbid an empty cell for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPlayable {
    /// The last move names the small board with this number, from 0.
    OtherBoard(u8),
    /// Nothing is played on a small board that is decided.
    Decided,
    /// A mark falls to this cell of the column.
    Falls(Cell),
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
    /// The cell is empty, and the variant forbids it for now.
    NotPlayable {
        /// The cell.
        cell: Cell,
        /// The board, for the cell's name.
        spec: BoardSpec,
        /// Why.
        why: NotPlayable,
    },
    /// The side may not place this mark.
    WrongMark {
        /// The marks that it may place.
        marks: &'static [Mark],
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

/// The places of nine small boards, row by row.
const BOARD_PLACES: [&str; 9] = [
    "top left",
    "top",
    "top right",
    "left",
    "middle",
    "right",
    "bottom left",
    "bottom",
    "bottom right",
];

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
            Self::NotPlayable { cell, spec, why } => {
                let cell = spec.label(cell);
                match why {
                    NotPlayable::OtherBoard(board) => {
                        let place = BOARD_PLACES.get(usize::from(board)).unwrap_or(&"named");
                        let number = board + 1;
                        write!(
                            f,
                            "cell {cell} is on another board: play in the {place} one (board {number})"
                        )
                    }
                    NotPlayable::Decided => {
                        write!(f, "cell {cell} is on a board that is decided: play on another one")
                    }
                    NotPlayable::Falls(to) => {
                        let to = spec.label(to);
                        write!(f, "a mark would fall from {cell} to {to}: play {to}")
                    }
                }
            }
            Self::WrongMark { marks: [only] } => write!(f, "you may place {only} alone: place it"),
            Self::WrongMark { .. } => f.write_str("you may place X or O: choose one of them"),
            Self::NotYourTurn { .. } => {
                f.write_str("it is not your turn: wait for the other player's move")
            }
            Self::WrongPly { now } => {
                write!(f, "the game is at ply {now}: look at the board and move again")
            }
            Self::ChoiceFirst => {
                f.write_str("no mark can be placed before the sides are chosen: choose first")
            }
            Self::LineInOpening => {
                f.write_str("an opening must not complete a line: choose another cell")
            }
            Self::GameOver => f.write_str("this game is over: offer a rematch to play again"),
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
    /// For each move its mark; empty where each side places its own.
    placed: Vec<Mark>,
    effects: Vec<PlyEffect>,
    result: Option<GameResult>,
}

impl Game {
    /// An empty board; `first` moves first.
    #[must_use]
    pub fn new(rules: Rules, first: Mark) -> Self {
        Self {
            rules,
            board: Board::empty(rules.board),
            first,
            moves: Vec::new(),
            placed: Vec::new(),
            effects: Vec::new(),
            result: None,
        }
    }

    /// The game after `moves`, in order. `placed` has the mark of each move; where it is shorter, the
    /// side placed its own mark, or the only one.
    ///
    /// # Errors
    /// The first illegal move.
    pub fn replay(
        rules: Rules,
        first: Mark,
        moves: &[Cell],
        placed: &[Mark],
    ) -> Result<Self, IllegalMove> {
        let mut game = Self::new(rules, first);
        for (ply, &cell) in moves.iter().enumerate() {
            let placed = placed.get(ply).copied();
            game.apply(Move { ply: game.ply(), mark: game.to_move(), cell, placed })?;
        }
        Ok(game)
    }

    /// A running game with any marks on its board, also where no order of moves leads there. `turn` is to move.
    /// Its moves are the marks row by row: whose they are says the board, and not their ply. The rules are those
    /// of a variant in which every empty cell may be played and nothing else happens.
    #[must_use]
    pub fn standing(rules: Rules, board: Board, turn: Mark) -> Self {
        let moves: Vec<Cell> =
            rules.board.all_cells().filter(|cell| !board.is_empty(*cell)).collect();
        let first = turn.after(moves.len());
        Self { board, moves, ..Self::new(rules, first) }
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

    /// The cells played, in order; the sides alternate from [`Game::first`].
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// The mark of each move; empty in a variant in which each side places its own.
    #[must_use]
    pub fn placed(&self) -> &[Mark] {
        &self.placed
    }

    /// The effects of moves besides placing their marks, in order.
    #[must_use]
    pub fn effects(&self) -> &[PlyEffect] {
        &self.effects
    }

    /// The number of marks placed so far.
    #[must_use]
    pub fn ply(&self) -> u16 {
        // A game has at most [`MAX_PLIES`] moves.
        self.moves.len() as u16
    }

    /// The side that moves at a ply.
    #[must_use]
    pub const fn mover_at(&self, ply: u16) -> Mark {
        self.first.after(ply as usize)
    }

    /// The mark that the move at a ply placed, or would place without a choice.
    #[must_use]
    pub fn mark_at(&self, ply: u16) -> Mark {
        self.placed.get(usize::from(ply)).copied().unwrap_or_else(|| self.mover_at(ply))
    }

    /// The side to move next, also when the game is over.
    #[must_use]
    pub fn to_move(&self) -> Mark {
        self.mover_at(self.ply())
    }

    /// The side whose turn it is; `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Mark> {
        self.result.is_none().then(|| self.to_move())
    }

    /// The result, if the game has ended.
    #[must_use]
    pub const fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// The placements that the side to move may make, row by row; none when the game is over.
    pub fn legal(&self) -> impl Iterator<Item = Placement> {
        let marks = if self.result.is_none() { self.rules.marks(self.to_move()) } else { &[] };
        self.legal_cells().flat_map(|cell| marks.iter().map(move |&mark| Placement { mark, cell }))
    }

    fn legal_cells(&self) -> impl Iterator<Item = Cell> {
        self.board.empty_cells().filter(|cell| self.rules.check(self, *cell).is_ok())
    }

    /// The allowed next moves; `None` where that is the own mark in any empty cell, and when the
    /// game is over.
    #[must_use]
    pub fn playable(&self) -> Option<Playable> {
        if self.rules.is_plain() || self.result.is_some() {
            return None;
        }
        let mover = self.to_move();
        let marks = self.rules.marks(mover);
        let cells: Vec<Cell> = self.legal_cells().collect();
        let playable = Playable {
            cells: (cells.len() < usize::from(self.board.empty_count())).then_some(cells),
            marks: (marks != [mover]).then(|| marks.to_vec()),
            leaving: self.rules.leaving(self),
        };
        (playable != Playable::default()).then_some(playable)
    }

    /// Checks whether a move is legal.
    ///
    /// # Errors
    /// The first rule that it breaks: the game is over, the wrong ply, the wrong side, no such cell, a
    /// taken cell, a cell or a mark that the variant forbids.
    pub fn check(&self, Move { ply, mark, cell, placed }: Move) -> Result<(), IllegalMove> {
        if self.result.is_some() {
            return Err(IllegalMove::GameOver);
        }
        if ply != self.ply() {
            return Err(IllegalMove::WrongPly { now: self.ply() });
        }
        if mark != self.to_move() {
            return Err(IllegalMove::NotYourTurn { turn: self.to_move() });
        }
        self.rules.check(self, cell)?;
        self.rules.placed(mark, placed).map(|_| ())
    }

    /// The move of the side to move that makes this placement.
    #[must_use]
    pub fn move_with(&self, Placement { mark, cell }: Placement) -> Move {
        Move { ply: self.ply(), mark: self.to_move(), cell, placed: Some(mark) }
    }

    /// The placement of a legal move.
    #[must_use]
    pub fn placement(&self, Move { mark, cell, placed, .. }: Move) -> Placement {
        Placement { mark: self.rules.placed(mark, placed).unwrap_or(mark), cell }
    }

    /// The result of a legal move; `None` if the game goes on.
    #[must_use]
    pub fn outcome(&self, chosen: Move) -> Option<GameResult> {
        self.rules.outcome(self, self.placement(chosen))
    }

    /// The effect of a legal placement besides its mark.
    #[must_use]
    pub fn effect(&self, placed: Placement) -> Option<Effect> {
        self.rules.effect(self, placed)
    }

    /// Makes a move and returns the result if it ends the game.
    ///
    /// # Errors
    /// As [`Game::check`]. The game is unchanged then.
    pub fn apply(&mut self, chosen: Move) -> Result<Option<&GameResult>, IllegalMove> {
        self.check(chosen)?;
        let result = self.outcome(chosen);
        self.place(self.placement(chosen), result);
        Ok(self.result.as_ref())
    }

    /// Makes a placement that is known to be legal and to have this result.
    pub fn place(&mut self, placed: Placement, result: Option<GameResult>) {
        if let Some(effect) = self.effect(placed) {
            if let Some(cell) = effect.removed {
                self.board.set(cell, None);
            }
            self.effects.push(PlyEffect { ply: self.ply(), effect });
        }
        self.board.set(placed.cell, Some(placed.mark));
        self.moves.push(placed.cell);
        if !self.rules.places_own() {
            self.placed.push(placed.mark);
        }
        self.result = result;
    }

    /// The game as it was before its move at `ply`.
    #[must_use]
    pub fn before(&self, ply: u16) -> Self {
        let moves = self.moves.iter().take(ply.into()).copied().collect::<Vec<_>>();
        // The first moves of a game are legal.
        Self::replay(self.rules, self.first, &moves, &self.placed).unwrap_or_else(|_| self.clone())
    }

    /// Ends a running game by a result that is not on the board. A finished game keeps its result.
    pub fn conclude(&mut self, result: GameResult) {
        self.result.get_or_insert(result);
    }
}
