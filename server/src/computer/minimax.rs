//! The strategy `minimax`: looks ahead to its strength's depth, then judges the lines.
//! On 3 × 3 by table and exact; on larger boards by [`search`] within a deadline.

use noughts_protocol::{BoardSpec, Cell, Game, Strength};

use super::search::{self, Limits};
use super::{Deadline, Judgement, tic_tac_toe};

/// The judgement of an unfinished game.
pub(super) fn judge(game: &Game, strength: Strength, deadline: &Deadline) -> Judgement {
    if game.spec() == BoardSpec::TIC_TAC_TOE {
        return Judgement::of_scores(tic_tac_toe::scores(game, strength));
    }
    match limits(strength) {
        None => Judgement::of_moves(game.board().empty_cells().collect::<Vec<Cell>>()),
        Some(limits) => Judgement::of_search(search::best_moves(game, limits, deadline)),
    }
}

/// How far and wide each strength looks on a larger board; `None`: any empty cell will do.
const fn limits(strength: Strength) -> Option<Limits> {
    match strength {
        Strength::VeryWeak => None,
        // Sees a win and a block, and plays roughly where something is going on.
        Strength::Weak => Some(Limits { depth: 1, width: 30, slack: 1_500, threats: 0 }),
        Strength::Average => Some(Limits { depth: 2, width: 20, slack: 150, threats: 0 }),
        Strength::Strong => Some(Limits { depth: 4, width: 12, slack: 0, threats: 30 }),
        Strength::VeryStrong => Some(Limits::DEEPEST),
    }
}
