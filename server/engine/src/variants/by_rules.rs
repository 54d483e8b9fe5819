//! A position of any variant, which knows nothing but the protocol's rules: for a variant that has no
//! position of its own. Slower than one of these, and its estimate takes lines for good.

use std::hash::{DefaultHasher, Hash, Hasher};

use noughts_protocol::{Cell, Game, Mark, Placement};

use super::Play;
use super::lines::{outcome_of, value};
use crate::Outcome;
use crate::board::Geometry;

/// A game, and the games before the moves to take back.
#[derive(Debug)]
pub(super) struct ByRules<'a> {
    geometry: &'a Geometry,
    game: Game,
    before: Vec<Game>,
}

impl<'a> ByRules<'a> {
    pub(super) fn new(geometry: &'a Geometry, game: &Game) -> Self {
        Self { geometry, game: game.clone(), before: Vec::new() }
    }

    /// A line's worth to a side; 0 if both have marks in it.
    fn value(&self, line: u16, side: Mark) -> i32 {
        let cells = self.geometry.cells_of(line).iter();
        let marks = || cells.clone().filter_map(|cell| self.game.board().get(Cell(*cell)));
        let is_open = marks().all(|mark| mark == side);
        if is_open { value(marks().count() as u8) - 1 } else { 0 }
    }
}

impl Play for ByRules<'_> {
    /// Moves near the centre and in lines that somebody has begun come first.
    fn push_moves(&self, moves: &mut Vec<(i32, Placement)>) {
        let worth = |line: &u16| Mark::BOTH.map(|side| self.value(*line, side)).iter().sum::<i32>();
        moves.extend(self.game.legal().map(|placed| {
            let lines: i32 = self.geometry.lines_of(placed.cell.0).iter().map(worth).sum();
            let distance = i32::from(self.geometry.distance_from_centre(placed.cell.0));
            (64 * lines - distance, placed)
        }));
    }

    fn make(&mut self, placed: Placement) -> Option<Outcome> {
        let mover = self.game.to_move();
        let result = self.game.outcome(self.game.move_with(placed));
        let outcome = result.as_ref().map(|result| {
            result.winner().map_or(Outcome::Draw, |winner| outcome_of(winner == mover))
        });
        self.before.push(self.game.clone());
        self.game.place(placed, result);
        outcome
    }

    fn unmake(&mut self) {
        if let Some(before) = self.before.pop() {
            self.game = before;
        }
    }

    fn evaluate(&self) -> i32 {
        let own = self.game.to_move();
        let lines = 0..self.geometry.lines() as u16;
        lines.map(|line| self.value(line, own) - self.value(line, own.other())).sum()
    }

    /// The hash of the marks. Where a move does more than place one, that of all moves.
    fn key(&self) -> (u64, usize) {
        let mut hasher = DefaultHasher::new();
        if self.game.rules().is_plain() {
            self.game.board().hash(&mut hasher);
        } else {
            self.game.moves().hash(&mut hasher);
            self.game.placed().hash(&mut hasher);
        }
        (hasher.finish(), 0)
    }
}
