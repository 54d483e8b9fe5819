//! Ultimate: nine boards of 3 × 3 in a square. The cell that was played names the board to play in
//! next; where that one is decided, any open board is free. Three boards in a row win.

use super::{DecidedBoard, LineKind, Placement, VariantRules, WinningLine, squares};
use crate::board::{Board, BoardSpec, Cell, Mark};
use crate::game::{Game, GameResult, IllegalMove, NotPlayable};

/// The rows, columns and diagonals of nine boards.
const ROWS: [[u8; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [6, 4, 2]];

/// Three boards in a row win; else the game is drawn, or with `majority` more boards win.
pub(super) struct Ultimate;

impl VariantRules for Ultimate {
    fn boards(&self) -> &'static [&'static str] {
        &["9x9x3"]
    }

    fn check(&self, game: &Game, cell: Cell) -> Result<(), IllegalMove> {
        squares::check_open(game, cell)?;
        let spec = game.spec();
        let named = game.moves().last().map(|last| squares::place(spec, *last));
        match named.filter(|named| squares::is_open(game, *named)) {
            Some(named) if named != squares::of(spec, cell) => {
                Err(IllegalMove::NotPlayable { cell, spec, why: NotPlayable::OtherBoard(named) })
            }
            _ => Ok(()),
        }
    }

    fn lines(&self, board: &Board, placed: Placement) -> Vec<WinningLine> {
        squares::lines(board, placed)
    }

    fn decided(&self, game: &Game, placed: Placement) -> Option<DecidedBoard> {
        let spec = game.spec();
        let board = squares::of(spec, placed.cell);
        if let Some(line) = self.lines(game.board(), placed).into_iter().next() {
            return Some(DecidedBoard { board, winner: Some(placed.mark), cells: line.cells });
        }
        let empty = squares::cells(spec, board).filter(|cell| game.board().is_empty(*cell));
        let is_full = empty.count() == 1;
        is_full.then_some(DecidedBoard { board, winner: None, cells: Vec::new() })
    }

    fn outcome(&self, game: &Game, placed: Placement) -> Option<GameResult> {
        let decided = self.decided(game, placed)?;
        let mut winners = [None; 9];
        for decided in squares::decided(game).chain([&decided]) {
            if let Some(winner) = winners.get_mut(usize::from(decided.board)) {
                *winner = decided.winner;
            }
        }
        let lines = rows_won(game.spec(), &winners, placed.mark);
        if !lines.is_empty() {
            return Some(GameResult::Line { winner: placed.mark, lines });
        }
        if squares::open(game) > 1 {
            return None;
        }
        let count = |mark| winners.iter().filter(|winner| **winner == Some(mark)).count();
        let more = Mark::BOTH.into_iter().find(|mark| count(*mark) > count(mark.other()));
        let winner = more.filter(|_| game.rules().majority);
        Some(winner.map_or(GameResult::BoardFull, |winner| GameResult::MoreBoards { winner }))
    }
}

/// The rows of boards that a side has won, each with all its cells. There is none before the last
/// placement.
fn rows_won(spec: BoardSpec, winners: &[Option<Mark>; 9], side: Mark) -> Vec<WinningLine> {
    let is_won = |board: &u8| winners[usize::from(*board)] == Some(side);
    let won = ROWS.into_iter().filter(|row| row.iter().all(is_won));
    won.map(|boards| {
        let cells = boards.into_iter().flat_map(|board| squares::cells(spec, board)).collect();
        WinningLine { kind: LineKind::Boards { boards }, cells }
    })
    .collect()
}
