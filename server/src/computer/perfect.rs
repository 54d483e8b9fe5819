//! The strategy `perfect`: plays the game out. A win is worth 10, a draw 0 and a loss -10,
//! however far away, so that all cells of the best outcome are candidates.

use noughts_protocol::{BoardSpec, Cell, Game, Strength};

use super::search::{self, Limits};
use super::{Deadline, Judgement, tic_tac_toe};

/// The judgement of an unfinished game: exact on 3 × 3, elsewhere as far as the time lets it see.
pub(super) fn judge(game: &Game, deadline: &Deadline) -> Judgement {
    if game.spec() == BoardSpec::TIC_TAC_TOE {
        return Judgement::of_scores(scores(game));
    }
    Judgement::of_moves(search::best_moves(game, Limits::ALL, deadline))
}

/// The outcome on 3 × 3 of every empty cell. The deepest minimax sees to the end, and the sign of
/// its score is the outcome.
fn scores(game: &Game) -> Vec<(Cell, i32)> {
    let outcome = |(cell, score): (Cell, i32)| (cell, 10 * score.signum());
    tic_tac_toe::scores(game, Strength::VeryStrong).into_iter().map(outcome).collect()
}
