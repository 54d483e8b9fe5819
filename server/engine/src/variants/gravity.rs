//! Gravity: four (or five) in a row where marks fall. Each column of the bit board has one bit more than cells,
//! so that no line runs from one column into the next.

mod book;

use std::time::Duration;

use noughts_protocol::{BoardSpec, Computer, Game};

use super::bundles::{Bundle, LineBundles};
use super::duel::{BestCells, DEEPEST, Duel, DuelSearch, Field, Marks, depth};
use super::general;
use crate::bits::Bits;
use crate::deadline::Deadline;
use crate::{Candidates, Outcome};

/// The board of the book.
const SOLVED: &str = "7x6x4";
/// The direction of rows among the lines of a field.
const ACROSS: usize = 2;
/// How many moves the strength strong looks ahead.
const STRONG: i32 = 7;
/// A game with so few empty cells is searched to its end.
const SOLVABLE: u16 = 34;
/// With so much time any game is.
const PATIENT: Duration = Duration::from_secs(10);

/// The candidates of an unfinished game.
pub(super) fn candidates(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    if let Some(found) = by_the_book(game, computer) {
        return found;
    }
    // A column of 7 cells takes 8 bits.
    if bits(game.spec()) <= u64::BITS {
        on::<u64>(game, computer, deadline)
    } else {
        on::<u128>(game, computer, deadline)
    }
}

/// The move of the proof that the first player wins, on the one board that has a book.
fn by_the_book(game: &Game, computer: Computer) -> Option<Candidates> {
    let is_solved = game.spec().to_string() == SOLVED && depth(computer, STRONG) == Some(DEEPEST);
    let field = is_solved.then(|| field::<u64>(game.spec()))?;
    let columns = game.moves().iter().map(|cell| u32::from(cell.0) % book::COLUMNS);
    let column = book::reply(&field, &columns.collect::<Vec<_>>())?;
    let falls = field.legal(field.marks(game).taken()) & within(&field, column);
    let moves = falls.each().collect();
    Some(field.candidates(game, BestCells { moves, outcome: Some(Outcome::Win), nodes: 0 }))
}

/// The cells of a column, from 0.
fn within<B: Bits>(field: &Field<B>, column: u32) -> B {
    let height = field.lines.bundles[ACROSS].step - 1;
    B::of((0..height).map(|row| column * (height + 1) + row))
}

/// The marks after one more falls into a column; `None` if the column is full.
fn dropped<B: Bits>(field: &Field<B>, marks: &Marks<B>, column: u32) -> Option<Marks<B>> {
    let falls = field.legal(marks.taken()) & within(field, column);
    falls.each().next().map(|cell| marks.after(field, cell))
}

fn on<B: Bits>(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    let field = field::<B>(game.spec());
    let Some(depth) = depth(computer, STRONG) else {
        return general::candidates(&mut Duel::new(&field, game), game, computer, deadline);
    };
    let is_patient = deadline.time_left().is_some_and(|left| left >= PATIENT);
    let is_solvable = is_patient || game.board().empty_count() <= SOLVABLE;
    let mut search = DuelSearch::new(&field, deadline);
    let to_end = depth == DEEPEST && is_solvable;
    let found = search.best_moves(&field.marks(game), field.cells, depth, to_end);
    field.candidates(game, found)
}

fn bits(spec: BoardSpec) -> u32 {
    u32::from(spec.width()) * (u32::from(spec.height()) + 1)
}

/// The board: bit 0 is the lowest cell of the first column, bit 1 the cell above.
pub(super) fn field<B: Bits>(spec: BoardSpec) -> Field<B> {
    let width = u32::from(spec.width());
    let height = u32::from(spec.height());
    let column = height + 1;
    let all = || (0..width).flat_map(move |x| (0..height).map(move |y| (x, y)));
    let bit = |(x, y)| x * column + y;
    let reach = u32::from(spec.line()) - 1;
    let starts = |along: bool, up: i32| {
        let fits = |&(x, y): &(u32, u32)| {
            let end = y as i32 + up * reach as i32;
            (!along || x + reach < width) && (0..height as i32).contains(&end)
        };
        B::of(all().filter(fits).map(bit))
    };
    let bundles = vec![
        Bundle { step: 1, starts: starts(false, 1) },
        Bundle { step: column - 1, starts: starts(true, -1) },
        Bundle { step: column, starts: starts(true, 0) },
        Bundle { step: column + 1, starts: starts(true, 1) },
    ];
    let lines = LineBundles { bundles, line: spec.line() };
    // The bit above a column is no cell.
    let cell = |bit: u32| {
        let row = (height - 1).checked_sub(bit % column);
        row.map_or(u16::MAX, |row| (row * width + bit / column) as u16)
    };
    let image = |bit: u32| ((width - 1 - bit / column) * column + bit % column) as u8;
    Field {
        cells: B::of(all().map(bit)),
        floor: Some(B::of((0..width).map(|x| bit((x, 0))))),
        odd_rows: height
            .is_multiple_of(2)
            .then(|| B::of(all().filter(|(_, y)| y % 2 == 0).map(bit))),
        through: lines.through(bits(spec)),
        mirror: Some((0..bits(spec)).map(image).collect()),
        cell_of: (0..bits(spec)).map(cell).collect(),
        lines,
    }
}

#[cfg(test)]
mod tests;
