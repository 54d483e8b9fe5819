//! Analysis for people: why a move is the best ([`advise`]), how good each move of a game was
//! ([`verdicts`]), how a game stands ([`standing`]).
//!
//! The strategy `perfect` finds the moves. Who may ask, and who is told, is the server's.

mod hint;
mod review;
mod tactics;

use noughts_protocol::{
    BoardSpec, Cell, Computer, Game, GameValue, Mark, Move, Rules, Standing, Strategy, Strength,
    Variant,
};

use crate::{Deadline, Outcome, candidates};
pub use hint::{Advice, advise};
pub use review::{positions, verdicts};
use tactics::Tactics;

/// Its outcome is the value of a position.
const PERFECT: Computer = Computer { strategy: Strategy::Perfect, strength: Strength::VeryStrong };

/// Sees to the end on 3 × 3 too, and there also prefers a quick win to a slow one.
const QUICKEST: Computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };

/// What is known of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionEvaluation {
    /// For the player to move, also where the game is over.
    value: GameValue,
    /// Empty where the game is over or there was no time to search.
    best_moves: Vec<Cell>,
    /// The mark that all of them place, where it is not the own one.
    placed: Option<Mark>,
}

impl PositionEvaluation {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self::of(GameValue::Unclear, Vec::new());

    const fn of(value: GameValue, best_moves: Vec<Cell>) -> Self {
        Self { value, best_moves, placed: None }
    }
}

/// Whether an analysis takes microseconds, so that a room may run it on its own thread.
#[must_use]
pub fn is_quick(rules: &Rules) -> bool {
    match rules.variant {
        Variant::Line => rules.board == BoardSpec::TIC_TAC_TOE,
        _ => true,
    }
}

/// Evaluates a position: exactly on 3 × 3, elsewhere as far as the deadline allows.
pub fn evaluate(game: &Game, deadline: &Deadline) -> PositionEvaluation {
    if let Some(result) = game.result() {
        let value = result.winner().map_or(GameValue::Drawn, |winner| {
            if winner == game.to_move() { GameValue::Won } else { GameValue::Lost }
        });
        return PositionEvaluation::of(value, Vec::new());
    }
    if game.rules().variant == Variant::Line {
        return evaluate_lines(game, deadline);
    }
    let found = candidates(game, PERFECT, deadline);
    let evaluation = PositionEvaluation::of(value(found.outcome), found.moves);
    PositionEvaluation { placed: found.placed, ..evaluation }
}

/// The evaluation where the player who completes a line wins. The game is not over.
fn evaluate_lines(game: &Game, deadline: &Deadline) -> PositionEvaluation {
    let found = candidates(game, PERFECT, deadline);
    let value = value(found.outcome);
    if is_quick(game.rules()) {
        return PositionEvaluation::of(value, candidates(game, QUICKEST, deadline).moves);
    }
    let best_moves = found.moves;
    let value = match after_forced_move(game, &best_moves) {
        Some(next) if value == GameValue::Unclear => opposite(evaluate(&next, deadline).value),
        _ => value,
    };
    PositionEvaluation::of(value, best_moves)
}

/// The position after a block that is forced: the search plays that without looking further.
fn after_forced_move(game: &Game, best_moves: &[Cell]) -> Option<Game> {
    let &[cell] = best_moves else { return None };
    let ply = game.ply();
    let mark = game.to_move();
    let threats = Tactics::new(game.board()).wins(mark.other());
    let mut next = game.clone();
    next.apply(Move { ply, mark, cell, placed: None }).ok()?;
    (threats == [cell]).then_some(next)
}

/// Who wins with best play of both, as far as the deadline allows to tell.
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
