//! The strategy `perfect`: plays the game out. A win is worth 10, a draw 0 and a loss -10,
//! however far away, so that all cells of the best outcome are candidates.
//!
//! Off 3 × 3 a win ends the search: the candidates are then the quickest winning cells that were
//! found, and not every one. To prove or refute the others would cost the opponent a wait of
//! the whole thinking time, and change nothing in how the game ends. Of a proven draw
//! all cells that keep it are candidates, or where only blocking proves it those after which the
//! opponent can be blocked; of a position where nothing is proven the best found.

use noughts_protocol::{BoardSpec, Cell, Game, Strength};

use super::search::{self, Limits};
use super::{Deadline, Judgement, Outcome, tic_tac_toe};

/// The judgement of an unfinished game: exact on 3 × 3, elsewhere as far as the time lets it see.
pub(super) fn judge(game: &Game, deadline: &Deadline) -> Judgement {
    if game.spec() == BoardSpec::TIC_TAC_TOE {
        let judgement = Judgement::of_scores(scores(game));
        return Judgement { outcome: outcome(&judgement), ..judgement };
    }
    let limits = Limits { all_draws: true, ..Limits::DEEPEST };
    Judgement::of_search(search::best_moves(game, limits, deadline))
}

/// The outcome on 3 × 3 of every empty cell. The deepest minimax sees to the end, and the sign of
/// its score is the outcome.
fn scores(game: &Game) -> Vec<(Cell, i32)> {
    let outcome = |(cell, score): (Cell, i32)| (cell, 10 * score.signum());
    tic_tac_toe::scores(game, Strength::VeryStrong).into_iter().map(outcome).collect()
}

/// The outcome of the best moves, from the best score.
fn outcome(judgement: &Judgement) -> Option<Outcome> {
    let best = judgement.scores.iter().flatten().map(|(_, score)| *score).max()?;
    Some(match best {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    })
}
