//! The computer players: which cell a computer chooses, and what it may choose from.
//!
//! Everything here is pure: no runtime, no channel, and no clock but the one inside a
//! [`Deadline`]. The room decides on which thread a choice is made and when it is cancelled.
//! One file per strategy; [`tic_tac_toe`] is the table of all 3 × 3 positions, and [`search`]
//! with its [`position`] and [`geometry`] the engine for every other board; [`breaker`] proves
//! draws on boards that are too large to search for the wins of both.

pub mod analysis;
mod breaker;
mod deadline;
mod geometry;
mod heuristic;
mod minimax;
pub mod opening;
mod pairing;
mod perfect;
mod position;
mod rules;
mod search;
mod threats;
mod tic_tac_toe;
mod transposition;

use noughts_protocol::{BoardSpec, Cell, Computer, Game, Strategy, Strength};
use rand::Rng;
use rand::seq::IndexedRandom;

pub use deadline::{CancelGuard, Deadline, Job, Load};
use search::Found;

/// How a game ends with best play, for the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The opponent wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The player to move wins.
    Win,
}

/// What a computer thinks of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Each empty cell's score, where the strategy gives every cell one: row by row, from the
    /// view of the player to move. `None` where the search looks for the best cells only.
    pub scores: Option<Vec<(Cell, i32)>>,
    /// The cells it would choose from, each as likely as the other, row by row.
    pub moves: Vec<Cell>,
    /// What the moves lead to, where that is proven and not estimated.
    pub outcome: Option<Outcome>,
    /// Positions looked at; 0 where a table or a rule knew the answer.
    pub nodes: u64,
}

impl Judgement {
    /// Every cell scored; the moves are those with the highest score.
    fn of_scores(scores: Vec<(Cell, i32)>) -> Self {
        let best = scores.iter().map(|(_, score)| *score).max();
        let best = scores.iter().filter(|(_, score)| Some(*score) == best);
        let judgement = Self::of_moves(best.map(|(cell, _)| *cell).collect());
        Self { scores: Some(scores), ..judgement }
    }

    /// No scores, nothing proven; these moves, in any order.
    fn of_moves(mut moves: Vec<Cell>) -> Self {
        moves.sort_unstable();
        Self { scores: None, moves, outcome: None, nodes: 0 }
    }

    /// What a search found.
    fn of_search(found: Found) -> Self {
        let judgement = Self::of_moves(found.moves);
        Self { outcome: found.outcome, nodes: found.nodes, ..judgement }
    }
}

/// The cell `computer` plays; `None` only when the game is over.
///
/// When the deadline is over, the best cell found so far, which is a legal cell even if it was
/// over before the call.
pub fn choose(
    game: &Game,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Cell> {
    judge(game, computer, deadline).moves.choose(rng).copied()
}

/// The cells `computer` would choose from, and its scores; no moves only when the game is over.
#[must_use]
pub fn judge(game: &Game, computer: Computer, deadline: &Deadline) -> Judgement {
    if game.result().is_some() {
        return Judgement::of_moves(Vec::new());
    }
    match computer.strategy {
        Strategy::Heuristic => Judgement::of_scores(heuristic::scores(game, computer.strength)),
        Strategy::Minimax => minimax::judge(game, computer.strength, deadline),
        Strategy::Perfect => perfect::judge(game, deadline),
        Strategy::Rules => rules::judge(game, deadline),
    }
}

/// Whether a choice takes well under a millisecond, so that a room may make it on its own thread.
#[must_use]
pub fn is_quick(game: &Game, computer: Computer) -> bool {
    game.result().is_some()
        || game.spec() == BoardSpec::TIC_TAC_TOE
        || match computer.strategy {
            Strategy::Heuristic => true,
            Strategy::Minimax => computer.strength <= Strength::Weak,
            Strategy::Perfect | Strategy::Rules => false,
        }
}

#[cfg(test)]
mod tests;
