//! The immediate results of the moves of any variant, found by making each on a copy of the game:
//! the protocol's rules decide, so that no variant is known here.

use noughts_protocol::{Cell, Game, GameResult, Mark, Placement, WinningLine};

use crate::Deadline;

/// Every legal move, by what it leads to.
#[derive(Debug, Default)]
pub(super) struct Trials {
    /// The moves that win.
    pub(super) wins: Vec<Placement>,
    /// The moves that neither lose nor let the opponent win with the next one.
    pub(super) holding: Vec<Placement>,
    /// The opponent's answers that win after another move, each with the lines that it completes.
    answers: Vec<(Cell, Vec<WinningLine>)>,
    /// The number of moves that lose.
    losing: usize,
}

impl Trials {
    /// Tries the moves of a game that is not over; `None` if there is no time for it.
    pub(super) fn new(game: &Game, deadline: &Deadline) -> Option<Self> {
        let mut trials = Self::default();
        let mover = game.to_move();
        for placed in game.legal() {
            if deadline.is_over() {
                return None;
            }
            let mut next = game.clone();
            let winner = match next.apply(game.move_with(placed)) {
                Ok(Some(result)) => result.winner(),
                Ok(None) => trials.answer(&next),
                Err(_) => continue,
            };
            if winner == Some(mover) {
                trials.wins.push(placed);
            } else if winner.is_none() {
                trials.holding.push(placed);
            } else {
                trials.losing += 1;
            }
        }
        Some(trials)
    }

    /// The opponent, if a move of theirs wins.
    fn answer(&mut self, next: &Game) -> Option<Mark> {
        let mover = next.to_move();
        let wins = next.legal().find_map(|placed| {
            let result = next.outcome(next.move_with(placed))?;
            (result.winner() == Some(mover)).then_some((placed.cell, result))
        });
        let (cell, result) = wins?;
        if let GameResult::Line { lines, .. } = result {
            self.answers.push((cell, lines));
        }
        Some(mover)
    }

    /// The cell of all moves that do not lose, where others do.
    pub(super) fn only_cell(&self) -> Option<Cell> {
        let cell = self.holding.first()?.cell;
        let is_only = self.losing > 0 && self.holding.iter().all(|placed| placed.cell == cell);
        is_only.then_some(cell)
    }

    /// The lines that the opponent would complete on a cell.
    pub(super) fn lines_at(&self, cell: Cell) -> Vec<WinningLine> {
        let answer = self.answers.iter().find(|(at, _)| *at == cell);
        answer.map(|(_, lines)| lines.clone()).unwrap_or_default()
    }
}
