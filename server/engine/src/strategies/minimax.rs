//! The strategy `minimax`: looks ahead to its strength's depth, then evaluates the lines. On 3 × 3
//! by table, on larger boards by [`search`] within a deadline.

use noughts_protocol::{BoardSpec, Computer, Game, Strategy, Strength};

use super::{Candidates, best_moves, tic_tac_toe};
use crate::deadline::Deadline;
use crate::five;
use crate::search::Limits;

/// The candidates in an unfinished game.
pub(super) fn candidates(game: &Game, strength: Strength, deadline: &Deadline) -> Candidates {
    if game.spec() == BoardSpec::TIC_TAC_TOE {
        return Candidates::from_scores(tic_tac_toe::scores(game, strength));
    }
    if let Some(level) = five::level(game, Computer { strategy: Strategy::Minimax, strength }) {
        return Candidates::from_search(level.best_moves(game, deadline));
    }
    match limits(strength) {
        None => Candidates::from_moves(game.board().empty_cells().collect()),
        Some(limits) => best_moves(game, limits, deadline),
    }
}

/// How far and wide a strength searches on a larger board, and how much worse than the best its
/// moves may be; `None`: it plays any empty cell. All others see a win, a block and a double
/// threat. On 15 × 15 at a second a move each wins at least eight games of ten against the one
/// below.
const fn limits(strength: Strength) -> Option<Limits> {
    let (depth, width, slack) = match strength {
        Strength::VeryWeak | Strength::Level2 => return None,
        Strength::Weak | Strength::Level4 => (1, 30, 1_500),
        Strength::Average | Strength::Level6 => (2, 20, 200),
        Strength::Strong | Strength::Level8 => (5, 8, 20),
        Strength::VeryStrong => return Some(Limits::DEEPEST),
    };
    Some(Limits { depth, width, slack, threats: 0, ..Limits::DEEPEST })
}
