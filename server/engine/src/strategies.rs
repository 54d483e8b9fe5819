//! The strategies where a line wins, a file each: which cells a computer may choose. [`tic_tac_toe`] is the table of
//! all 3 × 3 positions; on other boards the strategies use [`crate::search`].

mod heuristic;
mod minimax;
mod perfect;
mod rules;
mod tic_tac_toe;

pub(crate) use heuristic::threshold;
use noughts_protocol::{BoardSpec, Cell, Computer, Game, Mark, Placement, Strategy, Strength};

use crate::deadline::Deadline;
use crate::five;
use crate::search::{self, Limits, Outcome, SearchResult};

/// The cells that a computer may choose in a position, and what it knows of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The score of each empty cell for the player to move, row by row. `None` where the strategy
    /// only looks for the best cells.
    pub scores: Option<Vec<(Cell, i32)>>,
    /// The candidates, row by row. The computer chooses each with the same probability.
    pub moves: Vec<Cell>,
    /// The mark that all of them place, where it is not the own one.
    pub placed: Option<Mark>,
    /// The cells that are as good with the opponent's mark, where `moves` are with the own one.
    pub(crate) with_other_mark: Vec<Cell>,
    /// The outcome of the moves, where it is proven and not estimated.
    pub outcome: Option<Outcome>,
    /// The positions that were searched; 0 where a table or a rule gave the answer.
    pub nodes: u64,
    /// The moves that the search looked ahead, forced replies not counted; 0 where it needed not to.
    pub depth: u32,
    /// How good the moves are for the player to move, where a search has estimated it: 100 is a small advantage.
    pub evaluation: Option<i32>,
}

impl Candidates {
    /// The cells with the highest score.
    fn from_scores(scores: Vec<(Cell, i32)>) -> Self {
        let best = scores.iter().map(|(_, score)| *score).max();
        let best = scores.iter().filter(|(_, score)| Some(*score) == best);
        let candidates = Self::from_moves(best.map(|(cell, _)| *cell).collect());
        Self { scores: Some(scores), ..candidates }
    }

    /// The candidates of both marks. `game` is the game that they are for.
    pub(crate) fn placements(&self, game: &Game) -> impl Iterator<Item = Placement> {
        let own = game.to_move();
        let mark = self.placed.unwrap_or(own);
        let moves = self.moves.iter().map(move |&cell| Placement { mark, cell });
        let other = own.other();
        moves.chain(self.with_other_mark.iter().map(move |&cell| Placement { mark: other, cell }))
    }

    /// Moves in any order, without scores and proof.
    fn from_moves(mut moves: Vec<Cell>) -> Self {
        moves.sort_unstable();
        Self { moves, ..Self::default() }
    }

    fn from_search(found: SearchResult) -> Self {
        let candidates = Self::from_moves(found.moves);
        let SearchResult { outcome, nodes, depth, evaluation, .. } = found;
        Self { outcome, nodes, depth, evaluation, ..candidates }
    }
}

/// The candidates where the player who completes a line wins. The game is not over.
pub(super) fn on_lines(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    match computer.strategy {
        Strategy::Heuristic => Candidates::from_scores(heuristic::scores(game, computer.strength)),
        Strategy::Minimax => minimax::candidates(game, computer.strength, deadline),
        Strategy::Perfect => perfect::candidates(game, deadline),
        Strategy::Rules => rules::candidates(game, deadline),
    }
}

/// The best moves of an unfinished game on another board than 3 × 3, as far as the time allows.
fn best_moves(game: &Game, limits: Limits, deadline: &Deadline) -> Candidates {
    let found = if limits.is_deepest() && five::plays(game) {
        five::best_moves(game, deadline)
    } else {
        search::best_moves(game, limits, deadline)
    };
    Candidates::from_search(found)
}

/// Whether that takes well under a millisecond.
pub(super) fn is_quick_on_lines(board: BoardSpec, computer: Computer) -> bool {
    board == BoardSpec::TIC_TAC_TOE
        || match computer.strategy {
            Strategy::Heuristic => true,
            Strategy::Minimax => computer.strength.named() <= Strength::Weak,
            Strategy::Perfect | Strategy::Rules => false,
        }
}

#[cfg(test)]
mod tests;
