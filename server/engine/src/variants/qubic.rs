//! Qubic: a cube of 4 × 4 × 4 (or 3 × 3 × 3) cells, in which lines run in 13 directions. [`proof`] finds wins by
//! threats, and [`book`] has the first moves of the proof that the first player wins.

mod book;
mod proof;

use noughts_protocol::{Computer, Game};
use proof::{ThreatProof, Threats};

use super::bundles::{Bundle, LineBundles};
use super::duel::{BestCells, DEEPEST, Duel, DuelSearch, Field, Marks, depth};
use super::general;
use crate::bits::Bits;
use crate::deadline::{Budget, Deadline};
use crate::{Candidates, Outcome};

/// How many moves the strength strong looks ahead.
const STRONG: i32 = 3;
/// A game with so few empty cells is searched to its end.
const SOLVABLE: u32 = 20;
/// With fewer own marks a proof takes too long.
const PROVABLE: u32 = 2;
/// The part of the time for a proof that the player to move wins.
const PROOF: f64 = 0.5;
/// The moves that the proof may try where there is no time limit.
const PROOF_MOVES: u32 = 2_000_000;

/// The candidates of an unfinished game.
pub(super) fn candidates(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    let field = field(u32::from(game.spec().width()));
    let marks = field.marks(game);
    let found = match depth(computer, STRONG) {
        Some(DEEPEST) => best_moves(&field, &marks, deadline),
        Some(depth) => {
            DuelSearch::new(&field, deadline).best_moves(&marks, field.cells, depth, false)
        }
        None => return general::candidates(&mut Duel::new(&field, game), game, computer, deadline),
    };
    field.candidates(game, found)
}

/// The best moves of an unfinished game.
fn best_moves(field: &Field<u64>, marks: &Marks<u64>, deadline: &Deadline) -> BestCells {
    let moves = book::replies(field, marks);
    if !moves.is_empty() {
        return BestCells { moves, outcome: Some(Outcome::Win), nodes: 0 };
    }
    let empty = field.cells & !marks.taken();
    let to_end = empty.count() <= SOLVABLE || field.lines.line == 3;
    let is_quiet = ((marks.own_wins | marks.other_wins) & empty).is_empty();
    let mut search = DuelSearch::new(field, deadline);
    if to_end {
        return search.best_moves(marks, empty, DEEPEST, true);
    }
    if marks.own.count() >= PROVABLE {
        let mut budget = Budget::part(PROOF, PROOF_MOVES, deadline);
        let mut proof = ThreatProof::new(field, deadline.memory());
        if let Some(cell) = proof.winning_move(marks, &mut budget) {
            let nodes = budget.spent();
            return BestCells { moves: vec![cell], outcome: Some(Outcome::Win), nodes };
        }
    }
    let mut threats = Threats::new(field);
    let is_safe = |cell: &u32| {
        let next = marks.after(field, *cell);
        threats.win(&next, &mut Budget::moves(proof::THREATS, deadline)).is_none()
    };
    let safe = u64::of(empty.each().filter(is_safe));
    if is_quiet && safe.is_empty() {
        let found = search.best_moves(marks, empty, DEEPEST, false);
        return BestCells { outcome: Some(Outcome::Loss), ..found };
    }
    search.best_moves(marks, if is_quiet { safe } else { empty }, DEEPEST, false)
}

/// The cube with this side. The bits are the cells: along a row, then the rows of a layer, then the layers.
pub(super) fn field(side: u32) -> Field<u64> {
    let size = side.pow(3);
    let axis = |step: i32| match step {
        0 => 0..side,
        1 => 0..1,
        _ => side - 1..side,
    };
    let mut bundles = Vec::new();
    // Of each direction and its opposite, the one whose steps lead to higher bits.
    for number in 14..27 {
        let [x, y, z] = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
        let step = (z * side as i32 + y) * side as i32 + x;
        let starts = axis(z).flat_map(|layer| {
            let row = move |row| axis(x).map(move |column| (layer * side + row) * side + column);
            axis(y).flat_map(row)
        });
        bundles.push(Bundle { step: step as u32, starts: u64::of(starts) });
    }
    let lines = LineBundles { bundles, line: side as u8 };
    Field {
        cells: u64::of(0..size),
        floor: None,
        odd_rows: None,
        through: lines.through(size),
        mirror: None,
        cell_of: (0..size as u16).collect(),
        lines,
    }
}

#[cfg(test)]
mod tests;
