//! The levels 1 to 8 of five in a row on a large board. They err as people do: a level overlooks
//! rows of marks, the more of them the farther they are from the last moves, on diagonals, with
//! gaps and late in the game. It weighs at once the rows that it sees; the higher levels search
//! too, and play the move that they find unless they overlook its reason. They count positions and
//! not time, so that they are the same on every machine.
//!
//! Level 9 is the search itself.

use noughts_protocol::{Cell, Computer, Game, Strength};
use rand::{Rng, RngExt};

use super::grid::{Grid, Place, Places, STEPS, contains, insert, places};
use super::shape::Shape;
use super::weights::values;
use crate::board::Side;
use crate::deadline::Deadline;
use crate::search::SearchResult;

/// The sight of a level, and the depth of its search.
#[derive(Debug)]
pub(crate) struct Level {
    /// Of 1,000 open threes of the opponent one away from the last move, not on a diagonal, it overlooks so many at the
    /// beginning of a game. [`LevelView::chance`] says how many of the others.
    blindness: u32,
    /// How much less a move may promise than the best and be played still.
    whim: i32,
    /// The positions that it searches; 0: none.
    positions: u64,
}

/// Level 1 comes first.
const LEVELS: [Level; 8] = [
    Level { blindness: 400, whim: 60, positions: 0 },
    Level { blindness: 260, whim: 40, positions: 0 },
    Level { blindness: 130, whim: 25, positions: 0 },
    Level { blindness: 40, whim: 15, positions: 0 },
    Level { blindness: 29, whim: 10, positions: 230 },
    Level { blindness: 20, whim: 10, positions: 1_200 },
    Level { blindness: 9, whim: 5, positions: 6_000 },
    Level { blindness: 1, whim: 5, positions: 60_000 },
];
/// Until so many marks are on the board a level plays what it likes: a search finds no differences there.
const OPENING: u16 = 2;

/// The level of a computer where the boards of five in a row have nine strengths; `None`: it plays
/// as it does elsewhere.
pub(crate) fn level(game: &Game, computer: Computer) -> Option<&'static Level> {
    let offered = Strength::offered(game.rules().variant, game.spec(), computer.strategy);
    let number = usize::from(computer.strength.level()) - 1;
    LEVELS.get(number).filter(|_| offered.len() == Strength::ALL.len())
}

impl Level {
    /// Whether a choice takes well under a millisecond.
    pub(crate) const fn is_quick(&self) -> bool {
        self.positions == 0
    }

    /// The move of the level in an unfinished game.
    pub(crate) fn choose(&self, game: &Game, deadline: &Deadline, rng: &mut impl Rng) -> Cell {
        let grid = Grid::new(game);
        let view = LevelView::new(&grid, self.blindness, rng.random());
        if self.positions > 0 && game.ply() >= OPENING {
            let found = super::best_moves(game, &deadline.within_positions(self.positions)).moves;
            if let Some(cell) = found.first().filter(|cell| view.sees(grid.place_of(**cell))) {
                return *cell;
            }
        }
        let liking = |at: &Place| view.promise(*at) + rng.random_range(0..=self.whim);
        let choice = choices(game, &grid).into_iter().max_by_key(liking);
        choice.map_or(Cell(0), |at| grid.cell_of(at))
    }

    /// The moves that the level chooses from where it overlooks nothing.
    pub(crate) fn best_moves(&self, game: &Game, deadline: &Deadline) -> SearchResult {
        if self.positions > 0 {
            return super::best_moves(game, &deadline.within_positions(self.positions));
        }
        let grid = Grid::new(game);
        let view = LevelView::new(&grid, 0, 0);
        let choices = choices(game, &grid);
        let most = choices.iter().map(|at| view.promise(*at)).max();
        let best = choices.iter().filter(|at| Some(view.promise(**at)) == most);
        SearchResult::of_moves(best.map(|at| grid.cell_of(*at)).collect())
    }
}

/// The places near marks, or those of the first two moves: at least one.
fn choices(game: &Game, grid: &Grid) -> Vec<Place> {
    super::opening(game).map_or_else(
        || places(&grid.near()).collect(),
        |cells| cells.into_iter().map(|cell| grid.place_of(cell)).collect(),
    )
}

/// The part of a position that a level sees.
struct LevelView<'a> {
    grid: &'a Grid,
    blindness: u32,
    seed: u64,
    marks: [Places; 2],
}

impl<'a> LevelView<'a> {
    fn new(grid: &'a Grid, blindness: u32, seed: u64) -> Self {
        let mut marks = [Places::default(); 2];
        for (number, at) in grid.line.iter().rev().enumerate() {
            // The last one is the opponent's.
            insert(&mut marks[(number + 1) % 2], *at);
        }
        Self { grid, blindness, seed, marks }
    }

    /// A mark's worth on a place, as far as the level sees; people play near the last moves.
    fn promise(&self, at: Place) -> i32 {
        let values = values();
        let own = values.attack[usize::from(self.code(0, at))];
        own + values.defence[usize::from(self.code(1, at))] - 3 * self.distance(at).min(8) as i32
    }

    /// Whether it sees all that a mark on a place makes and prevents.
    fn sees(&self, at: Place) -> bool {
        (0..2).all(|side| self.code(side, at) == self.grid.code(side, at))
    }

    /// The shapes that a side makes by a mark on a place, without those that are overlooked.
    fn code(&self, side: Side, at: Place) -> u16 {
        let code = self.grid.code(side, at);
        let shapes = Shape::of_code(code).into_iter().enumerate();
        let overlooked =
            shapes.filter(|(direction, shape)| self.overlooks(side, at, *direction, *shape));
        overlooked.fold(code, |code, (direction, _)| code & !(0xf << (4 * direction)))
    }

    /// One draw for all places of a line, so that a row of marks is overlooked as a whole.
    fn overlooks(&self, side: Side, at: Place, direction: usize, shape: Shape) -> bool {
        let chance = self.chance(side, at, direction, shape);
        let line = if direction == 0 {
            usize::from(at) / STEPS[1]
        } else {
            usize::from(at) % STEPS[direction]
        };
        let number = (line * 4 + direction) * 2 + side + 1;
        let draw = (self.seed ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let draw = (draw ^ (draw >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((draw >> 32) * 1_000_000) >> 32 < chance
    }

    /// Of a million shapes like this the number that the level overlooks.
    fn chance(&self, side: Side, at: Place, direction: usize, shape: Shape) -> u64 {
        let of_shape = match shape {
            Shape::Five => 40,
            Shape::Four | Shape::OpenFour => 100,
            Shape::NarrowThree | Shape::OpenThree => 150,
            _ => return 0,
        };
        let is_own = side == 0;
        let is_broken = self.is_broken(side, at, direction, shape);
        if is_own && shape == Shape::Five && !is_broken && self.continues_last_move(at, direction) {
            return 0;
        }
        let percents = [
            of_shape,
            if is_own { 60 } else { 100 },
            80 + 20 * self.distance(at).min(10),
            if direction > 1 { 150 } else { 100 },
            if is_broken { 150 } else { 100 },
            100 + (self.grid.line.len() as u64).min(100),
        ];
        let chance = u64::from(self.blindness) * 1_000;
        percents.into_iter().fold(chance, |chance, percent| chance * percent / 100).min(900_000)
    }

    /// Whether a place is in one row with the last move of the player to move.
    fn continues_last_move(&self, at: Place, direction: usize) -> bool {
        let own = self.grid.line.iter().rev().nth(1);
        own.is_some_and(|own| {
            let apart = usize::from(at.abs_diff(*own));
            apart.is_multiple_of(STEPS[direction]) && apart / STEPS[direction] < 5
        })
    }

    /// How many rows or columns a place is away from the nearer one of the last two moves.
    fn distance(&self, at: Place) -> u64 {
        let position = |at: Place| (usize::from(at) / STEPS[1], usize::from(at) % STEPS[1]);
        let (row, column) = position(at);
        let last = self.grid.line.iter().rev().take(2);
        let distances = last.map(|last| {
            let (last_row, last_column) = position(*last);
            row.abs_diff(last_row).max(column.abs_diff(last_column))
        });
        distances.min().unwrap_or_default() as u64
    }

    /// Whether the marks of a shape have a gap.
    fn is_broken(&self, side: Side, at: Place, direction: usize, shape: Shape) -> bool {
        let step = STEPS[direction] as isize;
        let run = |step: isize| {
            let along = (1..5).map(|distance| usize::from(at).wrapping_add_signed(distance * step));
            along.take_while(|at| contains(&self.marks[side], *at as Place)).count()
        };
        let before = run(-step);
        let after = run(step);
        let marks = match shape {
            Shape::Five => 5,
            Shape::Four | Shape::OpenFour => 4,
            _ => 3,
        };
        before > 0 && after > 0 || before + after + 1 < marks
    }
}

#[cfg(test)]
mod tests;
