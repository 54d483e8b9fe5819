//! The strategy `perfect`: searches to the end of the game. A win scores 10, a draw 0 and a loss
//! -10, however far away, so that all cells with the best outcome are candidates.
//!
//! On other boards than 3 × 3 a win ends the search: the candidates are the quickest winning cells
//! that were found. A search of the other cells would make the opponent wait for the whole thinking
//! time, and the game would end the same. In a proven draw all cells that keep it are candidates,
//! or where only blocking proves it those after which the opponent can be blocked. Where nothing is
//! proven, the best cells that were found are.

use noughts_protocol::{BoardSpec, Cell, Game, Strength};

use super::{Candidates, best_moves, tic_tac_toe};
use crate::deadline::Deadline;
use crate::search::{Limits, Outcome};

/// The candidates in an unfinished game: exact on 3 × 3, elsewhere as far as the time allows.
pub(super) fn candidates(game: &Game, deadline: &Deadline) -> Candidates {
    if game.spec() == BoardSpec::TIC_TAC_TOE {
        let found = Candidates::from_scores(scores(game));
        return Candidates { outcome: outcome(&found), ..found };
    }
    let limits = Limits { all_draws: true, ..Limits::DEEPEST };
    best_moves(game, limits, deadline)
}

/// The outcome of every empty cell on 3 × 3: the sign of the deepest minimax score, which sees to
/// the end.
fn scores(game: &Game) -> Vec<(Cell, i32)> {
    let outcome = |(cell, score): (Cell, i32)| (cell, 10 * score.signum());
    tic_tac_toe::scores(game, Strength::VeryStrong).into_iter().map(outcome).collect()
}

/// The outcome of the best score.
fn outcome(found: &Candidates) -> Option<Outcome> {
    let best = found.scores.iter().flatten().map(|(_, score)| *score).max()?;
    Some(match best {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    })
}
