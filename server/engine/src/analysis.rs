//! Analysis for people: why a move is the best ([`advise`]), how good each move of a game was
//! ([`verdicts`]), how a game stands ([`standing`]).
//!
//! The strategy `perfect` finds the moves. The server decides who may ask, and who is told.

mod hint;
mod review;
mod tactics;
mod trial;

use noughts_protocol::{
    BoardSpec, Computer, Game, GameValue, Mark, Placement, Rules, Standing, Strategy, Strength,
    Variant,
};

use crate::{Deadline, Outcome, candidates};
pub use hint::{Advice, advise, reason};
pub use review::{positions, verdicts};
use tactics::Tactics;

/// Its outcome is the value of a position.
const PERFECT: Computer = Computer { strategy: Strategy::Perfect, strength: Strength::VeryStrong };

/// Sees to the end on 3 × 3 too, and there also prefers a quick win to a slow one.
const QUICKEST: Computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };

/// A position's value and its best moves, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionEvaluation {
    /// For the player to move, also where the game is over.
    value: GameValue,
    /// The best moves. Empty where the game is over or there was no time to search.
    best: Vec<Placement>,
}

impl PositionEvaluation {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { value: GameValue::Unclear, best: Vec::new() };
}

/// Whether an analysis takes microseconds, so that a room may run it on its own thread.
#[must_use]
pub fn is_quick(rules: &Rules) -> bool {
    rules.variant == Variant::Line && rules.board == BoardSpec::TIC_TAC_TOE
}

/// Whether [`tactics`] tells what a position shows.
const fn is_about_lines(rules: Rules) -> bool {
    matches!(rules.variant, Variant::Line | Variant::Exact)
}

/// Evaluates a position: exactly on 3 × 3, elsewhere as far as the deadline allows.
pub fn evaluate(game: &Game, deadline: &Deadline) -> PositionEvaluation {
    if let Some(result) = game.result() {
        let value = result.winner().map_or(GameValue::Drawn, |winner| {
            if winner == game.to_move() { GameValue::Won } else { GameValue::Lost }
        });
        return PositionEvaluation { value, best: Vec::new() };
    }
    let found = candidates(game, PERFECT, deadline);
    let value = value(found.outcome);
    if is_quick(game.rules()) {
        let best = candidates(game, QUICKEST, deadline).placements(game).collect();
        return PositionEvaluation { value, best };
    }
    let best: Vec<Placement> = found.placements(game).collect();
    let value = match after_forced_move(game, &best) {
        Some(next) if value == GameValue::Unclear => opposite(evaluate(&next, deadline).value),
        _ => value,
    };
    PositionEvaluation { value, best }
}

/// The position after a block that is forced: the search plays that without looking further.
fn after_forced_move(game: &Game, best: &[Placement]) -> Option<Game> {
    let &[placed] = best else { return None };
    let is_forced = is_about_lines(*game.rules())
        && Tactics::new(game).wins(game.to_move().other()) == [placed.cell];
    let mut next = game.clone();
    next.apply(game.move_with(placed)).ok()?;
    is_forced.then_some(next)
}

/// The winner with best play of both, as far as the deadline allows to tell.
pub fn standing(game: &Game, deadline: &Deadline) -> Standing {
    let x = Standing::XWins;
    let o = Standing::OWins;
    let (won, lost) = if game.to_move() == Mark::X { (x, o) } else { (o, x) };
    match evaluate(game, deadline).value {
        GameValue::Won => won,
        GameValue::Drawn => Standing::Drawn,
        GameValue::Lost => lost,
        GameValue::Unclear => Standing::Unclear,
    }
}

const fn value(outcome: Option<Outcome>) -> GameValue {
    match outcome {
        Some(Outcome::Win) => GameValue::Won,
        Some(Outcome::Draw) => GameValue::Drawn,
        Some(Outcome::Loss) => GameValue::Lost,
        None => GameValue::Unclear,
    }
}

/// The same value for the other player.
const fn opposite(value: GameValue) -> GameValue {
    match value {
        GameValue::Won => GameValue::Lost,
        GameValue::Lost => GameValue::Won,
        GameValue::Drawn | GameValue::Unclear => value,
    }
}

#[cfg(test)]
mod tests;
