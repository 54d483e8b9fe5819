//! The strategies, a file each: which cells a computer may choose. [`tic_tac_toe`] is the table of
//! all 3 × 3 positions; on other boards the strategies use [`crate::search`].

mod heuristic;
mod minimax;
mod perfect;
mod rules;
mod tic_tac_toe;

use noughts_protocol::{
    BoardSpec, Cell, Computer, Game, Mark, Placement, Strategy, Strength, Variant,
};
use rand::Rng;
use rand::seq::IndexedRandom;

use crate::deadline::Deadline;
use crate::search::{Outcome, SearchResult};

/// The cells that a computer may choose in a position, and what it knows of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    /// The score of each empty cell for the player to move, row by row. `None` where the strategy
    /// only looks for the best cells.
    pub scores: Option<Vec<(Cell, i32)>>,
    /// The candidates, row by row. The computer chooses each with the same probability.
    pub moves: Vec<Cell>,
    /// The mark that all of them place, where it is not the own one.
    pub placed: Option<Mark>,
    /// The outcome of the moves, where it is proven and not estimated.
    pub outcome: Option<Outcome>,
    /// The positions that were searched; 0 where a table or a rule gave the answer.
    pub nodes: u64,
}

impl Candidates {
    /// The cells with the highest score.
    fn from_scores(scores: Vec<(Cell, i32)>) -> Self {
        let best = scores.iter().map(|(_, score)| *score).max();
        let best = scores.iter().filter(|(_, score)| Some(*score) == best);
        let candidates = Self::from_moves(best.map(|(cell, _)| *cell).collect());
        Self { scores: Some(scores), ..candidates }
    }

    /// Moves in any order, without scores and proof.
    fn from_moves(mut moves: Vec<Cell>) -> Self {
        moves.sort_unstable();
        Self { scores: None, moves, placed: None, outcome: None, nodes: 0 }
    }

    fn from_search(found: SearchResult) -> Self {
        let candidates = Self::from_moves(found.moves);
        Self { outcome: found.outcome, nodes: found.nodes, ..candidates }
    }
}

/// What `computer` plays; `None` only when the game is over.
///
/// At the deadline this is the best found so far. It is legal even if the deadline is over
/// before the call.
pub fn choose(
    game: &Game,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Placement> {
    let Candidates { moves, placed, .. } = candidates(game, computer, deadline);
    let mark = placed.unwrap_or_else(|| game.to_move());
    moves.choose(rng).map(|&cell| Placement { mark, cell })
}

/// The candidates of `computer`; no moves only when the game is over.
#[must_use]
pub fn candidates(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    if game.result().is_some() {
        return Candidates::from_moves(Vec::new());
    }
    match game.rules().variant {
        Variant::Line => on_lines(game, computer, deadline),
        _ => any_legal(game),
    }
}

/// Every legal move, until a computer knows the variant.
fn any_legal(game: &Game) -> Candidates {
    let mark = game.legal().next().map(|placed| placed.mark);
    let moves = game.legal().filter(|placed| Some(placed.mark) == mark);
    let moves = Candidates::from_moves(moves.map(|placed| placed.cell).collect());
    Candidates { placed: mark.filter(|mark| *mark != game.to_move()), ..moves }
}

/// The candidates where the player who completes a line wins. The game is not over.
fn on_lines(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    match computer.strategy {
        Strategy::Heuristic => Candidates::from_scores(heuristic::scores(game, computer.strength)),
        Strategy::Minimax => minimax::candidates(game, computer.strength, deadline),
        Strategy::Perfect => perfect::candidates(game, deadline),
        Strategy::Rules => rules::candidates(game, deadline),
    }
}

/// Whether a choice takes well under a millisecond, so that a room may make it on its own thread.
#[must_use]
pub fn is_quick(game: &Game, computer: Computer) -> bool {
    game.result().is_some()
        || match game.rules().variant {
            Variant::Line => is_quick_on_lines(game.spec(), computer),
            _ => true,
        }
}

fn is_quick_on_lines(board: BoardSpec, computer: Computer) -> bool {
    board == BoardSpec::TIC_TAC_TOE
        || match computer.strategy {
            Strategy::Heuristic => true,
            Strategy::Minimax => computer.strength <= Strength::Weak,
            Strategy::Perfect | Strategy::Rules => false,
        }
}

#[cfg(test)]
mod tests;
