//! The door to the computers: which variant is played how. Where a line wins on one board, that is
//! [`crate::strategies`]'. Each other variant has a position in a file of this folder, which
//! implements [`Play`], and one without is played by the protocol's rules; one search, one heuristic and
//! the rules of thumb play them all.

mod bundles;
mod by_rules;
mod duel;
mod general;
mod gravity;
mod lines;
mod notakto;
mod qubic;
mod search;
mod ultimate;
mod vanish;

use by_rules::ByRules;
use lines::{Goal, Lines};
use notakto::Notakto;
use noughts_protocol::{Computer, Game, Placement, Strategy, Strength, Variant};
use rand::Rng;
use rand::seq::IteratorRandom;
use search::Found;
use vanish::Vanish;

use crate::Outcome;
use crate::board::Geometry;
use crate::deadline::Deadline;
use crate::five;
use crate::strategies::{Candidates, is_quick_on_lines, on_lines};

/// A position that a search plays on. Moves change it and are taken back.
trait Play {
    /// Whether a draw is one however the position was reached.
    const DRAWS_ARE_PROVEN: bool = true;

    /// Appends the legal moves with their priorities: a search tries those of high priority first.
    /// At least one while the game is not over.
    fn push_moves(&self, moves: &mut Vec<(i32, Placement)>);

    /// Makes a legal move. How it ends the game, for the side that made it; `None`: the game goes on.
    fn make(&mut self, placed: Placement) -> Option<Outcome>;

    /// Takes back the last move, also one that ended the game.
    fn unmake(&mut self);

    /// An estimate for the side to move. 100 is a small advantage.
    fn evaluate(&self) -> i32;

    /// The key of the position, the same for all its images, and the number of the image whose key
    /// it is.
    fn key(&self) -> (u64, usize);

    /// A move on this image of the position.
    fn image(&self, placed: Placement, _symmetry: usize) -> Placement {
        placed
    }

    /// The move whose image this is.
    fn original(&self, placed: Placement, _symmetry: usize) -> Placement {
        placed
    }

    /// The best moves, where they are known without a search.
    fn solved(&mut self) -> Option<Found> {
        None
    }
}

/// The placement of `computer`; `None` only when the game is over.
///
/// At the deadline this is the best found so far. It is legal even if the deadline is over
/// before the call.
pub fn choose(
    game: &Game,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Placement> {
    let level = five::level(game, computer).filter(|_| game.result().is_none());
    if let Some(level) = level {
        return Some(Placement { mark: game.to_move(), cell: level.choose(game, deadline, rng) });
    }
    candidates(game, computer, deadline).placements(game).choose(rng)
}

/// The candidates of `computer`; no moves only when the game is over.
#[must_use]
pub fn candidates(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    if game.result().is_some() {
        return Candidates::default();
    }
    let variant = game.rules().variant;
    if let Some(goal) = goal(variant) {
        let geometry = Geometry::new(game.spec());
        let mut play = after_moves(Lines::new(&geometry, goal, game.first()), game);
        return general::candidates(&mut play, game, computer, deadline);
    }
    match variant {
        Variant::Notakto => {
            let mut play = after_moves(Notakto::new(game.spec()), game);
            general::candidates(&mut play, game, computer, deadline)
        }
        Variant::Vanish => {
            let geometry = Geometry::new(game.spec());
            let mut play = after_moves(Vanish::new(&geometry, game.first()), game);
            general::candidates(&mut play, game, computer, deadline)
        }
        Variant::Gravity => gravity::candidates(game, computer, deadline),
        Variant::Qubic => qubic::candidates(game, computer, deadline),
        Variant::Ultimate => ultimate::candidates(game, computer, deadline),
        Variant::Line | Variant::Exact => on_lines(game, computer, deadline),
        _ => {
            let geometry = Geometry::new(game.spec());
            general::candidates(&mut ByRules::new(&geometry, game), game, computer, deadline)
        }
    }
}

/// The goal in a variant that [`Lines`] plays.
const fn goal(variant: Variant) -> Option<Goal> {
    match variant {
        Variant::Misere => Some(Goal::Misere),
        Variant::Wild => Some(Goal::Wild),
        Variant::WildMisere => Some(Goal::WildMisere),
        Variant::Order => Some(Goal::Order),
        _ => None,
    }
}

/// The position after the moves of a game.
fn after_moves<P: Play>(mut play: P, game: &Game) -> P {
    for (ply, &cell) in (0..).zip(game.moves()) {
        play.make(Placement { mark: game.mark_at(ply), cell });
    }
    play
}

/// Whether a choice takes well under a millisecond, so that a room may make it on its own thread.
#[must_use]
pub fn is_quick(game: &Game, computer: Computer) -> bool {
    if game.result().is_some() {
        return true;
    }
    if let Some(level) = five::level(game, computer) {
        return level.is_quick();
    }
    match game.rules().variant {
        Variant::Line | Variant::Exact => is_quick_on_lines(game.spec(), computer),
        Variant::Notakto if computer.strategy == Strategy::Perfect => true,
        _ => {
            computer.strategy == Strategy::Minimax
                && computer.strength.named() == Strength::VeryWeak
        }
    }
}

#[cfg(test)]
mod tests;
