//! Vanish: each player has at most as many marks as a line is long. The oldest one goes with the next
//! one placed, before the line is looked for. The lines are [`super::line`]'s.

use super::{Placement, VariantRules, line};
use crate::board::{BoardSpec, Cell};
use crate::game::{Game, GameResult, MAX_PLIES};

/// The longest side.
const MAX_SIDE: u8 = 5;

/// How often a position comes up before the game is drawn.
const REPEATS: usize = 3;

/// A line wins, and the oldest mark goes.
pub(super) struct Vanish;

impl VariantRules for Vanish {
    fn boards(&self) -> &'static [&'static str] {
        &["3x3x3", "4x4x4", "5x5x5"]
    }

    fn admits(&self, board: BoardSpec) -> bool {
        board.width().max(board.height()) <= MAX_SIDE
    }

    fn leaving(&self, game: &Game) -> Option<Cell> {
        let oldest = game.moves().len().checked_sub(on_board(game))?;
        game.moves().get(oldest).copied()
    }

    fn outcome(&self, game: &Game, placed: Placement) -> Option<GameResult> {
        let mut board = game.board().clone();
        if let Some(cell) = self.leaving(game) {
            board.set(cell, None);
        }
        let lines = line::lines_through(&board, placed);
        if !lines.is_empty() {
            return Some(GameResult::Line { winner: game.to_move(), lines });
        }
        if times_seen(game, placed.cell) >= REPEATS {
            return Some(GameResult::Repetition);
        }
        (game.ply() + 1 >= MAX_PLIES).then_some(GameResult::TooLong)
    }
}

/// The most marks on the board: those of both players.
fn on_board(game: &Game) -> usize {
    2 * usize::from(game.spec().line())
}

/// How often the position after a move to `last` has come up, with this time. The moves of the marks
/// on the board, in order, are the marks, their ages and whose they are; the same side is to move
/// after each second ply.
fn times_seen(game: &Game, last: Cell) -> usize {
    let mut moves = game.moves().to_vec();
    moves.push(last);
    let windows = moves.windows(on_board(game));
    let Some(now) = windows.clone().last() else { return 1 };
    windows.rev().step_by(2).filter(|window| *window == now).count()
}
