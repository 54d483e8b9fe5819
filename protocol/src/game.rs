//! A game, from the empty board to its result. The same code runs in the room, in recovery, in the
//! computer's search and in the clients. Seats and clocks are the server's.

use crate::board::{Board, BoardSpec, Cell, Mark};
use crate::result::{GameResult, IllegalMove, Move, Placement};
use crate::rules::Rules;

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
