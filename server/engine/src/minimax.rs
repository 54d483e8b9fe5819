//! The strategy `minimax`: looks ahead to its strength's depth, then judges the lines.
//! On 3 × 3 by table and exact; on larger boards by [`search`] within a deadline.

use noughts_protocol::{BoardSpec, Game, Strength};

use super::search::{self, Limits};
use super::{Deadline, Judgement, tic_tac_toe};

/// The judgement of an unfinished game.
pub(super) fn judge(game: &Game, strength: Strength, deadline: &Deadline) -> Judgement {
    if game.spec() == BoardSpec::TIC_TAC_TOE {
        return Judgement::of_scores(tic_tac_toe::scores(game, strength));
    }
    match limits(strength) {
        None => Judgement::of_moves(game.board().empty_cells().collect()),
        Some(limits) => Judgement::of_search(search::best_moves(game, limits, deadline)),
    }
}

/// How far and wide each strength looks on a larger board, and how much worse than the best a
/// move of its may be; `None`: any empty cell will do. All that search see a win, a block and a
/// double threat. In play on 15 × 15 at a second a move each wins
/// at least eight games of ten against the one below.
const fn limits(strength: Strength) -> Option<Limits> {
    let (depth, width, slack) = match strength {
        Strength::VeryWeak => return None,
        Strength::Weak => (1, 30, 1_500),
        Strength::Average => (2, 20, 200),
        Strength::Strong => (5, 8, 20),
        Strength::VeryStrong => return Some(Limits::DEEPEST),
    };
    Some(Limits { depth, width, slack, threats: 0, ..Limits::DEEPEST })
}
