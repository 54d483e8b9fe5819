//! The teacher: why a move is the best, how good each move of a game was, how a game stands.
//!
//! Pure, like the computer players whose judgement it asks for: no runtime, no channel, and no
//! clock but the one in a [`Deadline`]. When a room teaches whom is the room's.

mod hint;
mod review;
mod tactics;

use noughts_protocol::{BoardSpec, Cell, Computer, Game, Mark, Move, Standing};
use noughts_protocol::{Strategy, Strength, Worth};

use crate::{Deadline, Outcome, judge};
pub use hint::{Advice, advise};
pub use review::{positions, verdicts};
use tactics::Tactics;

/// The player whose judgement counts.
const PERFECT: Computer = Computer { strategy: Strategy::Perfect, strength: Strength::VeryStrong };

/// On 3 × 3, where it sees to the end as well, this one also tells a quick win from a slow one.
const QUICKEST: Computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };

/// What is known of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insight {
    /// What it is worth to the player to move (of a finished game: who would move).
    worth: Worth,
    /// The best cells; none where the game is over or there was no time to look.
    best: Vec<Cell>,
}

impl Insight {
    /// Nothing is known.
    pub const NONE: Self = Self { worth: Worth::Unclear, best: Vec::new() };
}

/// Whether looking at a position takes microseconds, so that a room may do it on its own thread.
pub fn is_quick(spec: BoardSpec) -> bool {
    spec == BoardSpec::TIC_TAC_TOE
}

/// Looks at a position: exactly on 3 × 3, elsewhere as far as the deadline lets it see.
pub fn look(game: &Game, deadline: &Deadline) -> Insight {
    if let Some(result) = game.result() {
        let worth = result.winner().map_or(Worth::Drawn, |winner| {
            if winner == game.to_move() { Worth::Won } else { Worth::Lost }
        });
        return Insight { worth, best: Vec::new() };
    }
    let judgement = judge(game, PERFECT, deadline);
    let worth = worth(judgement.outcome);
    if is_quick(game.spec()) {
        return Insight { worth, best: judge(game, QUICKEST, deadline).moves };
    }
    let best = judgement.moves;
    match forced(game, &best).filter(|_| worth == Worth::Unclear) {
        Some(next) => Insight { worth: opposite(look(&next, deadline).worth), best },
        None => Insight { worth, best },
    }
}

/// The position after a reply that is forced: the computer players make it without looking on.
fn forced(game: &Game, best: &[Cell]) -> Option<Game> {
    let &[cell] = best else { return None };
    let (ply, mark) = (game.ply(), game.to_move());
    let threats = Tactics::new(game.board()).wins(mark.other());
    let mut next = game.clone();
    next.apply(Move { ply, mark, cell }).ok()?;
    (threats == [cell]).then_some(next)
}

/// Who wins with best play of both, as far as the deadline lets it see.
pub fn standing(game: &Game, deadline: &Deadline) -> Standing {
    let (x, o) = (Standing::XWins, Standing::OWins);
    let (won, lost) = if game.to_move() == Mark::X { (x, o) } else { (o, x) };
    match look(game, deadline).worth {
        Worth::Won => won,
        Worth::Drawn => Standing::Drawn,
        Worth::Lost => lost,
        Worth::Unclear => Standing::Unclear,
    }
}

const fn worth(outcome: Option<Outcome>) -> Worth {
    match outcome {
        Some(Outcome::Win) => Worth::Won,
        Some(Outcome::Draw) => Worth::Drawn,
        Some(Outcome::Loss) => Worth::Lost,
        None => Worth::Unclear,
    }
}

/// What is worth so much to one side, to the other.
const fn opposite(worth: Worth) -> Worth {
    match worth {
        Worth::Won => Worth::Lost,
        Worth::Lost => Worth::Won,
        Worth::Drawn | Worth::Unclear => worth,
    }
}

#[cfg(test)]
mod tests;
