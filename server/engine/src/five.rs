//! Five in a row on large boards: an engine of its own, whose board knows what a mark on each cell
//! threatens. Other lines, and boards that are small or nearly full, are [`crate::search`]'s.
//!
//! ```text
//! shape     what a mark makes in one direction, and in all four
//! weights   what that is worth
//! grid      the board, and what each move changes on it
//! fours     wins by fours alone
//! threes    wins by fours and threes
//! memory    what the search remembers
//! search    the search
//! levels    weaker strengths, which err as people do
//! ```

mod fours;
mod grid;
mod levels;
mod memory;
mod search;
mod shape;
mod threes;
mod weights;

use std::collections::BTreeMap;

use fours::{Effort, Fours};
use grid::{Grid, Place, answers, places};
pub(crate) use levels::level;
use noughts_protocol::{Cell, Game, Mark, Variant};
use search::FiveSearch;
use shape::Threat;
use threes::win_by_threes;
pub use weights::WEIGHTS;

use crate::deadline::{Budget, Deadline};
use crate::search::{Outcome, SearchResult, max_nodes};

/// The cells of the largest board that the other search plays better: it proves draws there.
const SMALL: u16 = 64;
/// The empty cells of which the other search tries all.
const FEW: u16 = 36;
/// The fours that are tried at the root.
const FOURS: Effort = Effort { longest: 40, fours: 10_000, plain: true };
/// The part of the time, or of the positions, in which wins by threes are looked for.
const THREES_PART: f64 = 0.2;
/// The bytes that a search remembers in, for each second that it may take, and how many seconds count. In a short time
/// a large table would take longer to make than to search.
const BYTES_PER_SECOND: usize = 1 << 24;
const SECONDS: f64 = 4.0;
/// The bytes for each position, where their number is bounded.
const BYTES_PER_POSITION: u64 = 32;

/// Whether this engine plays a position.
pub(crate) fn plays(game: &Game) -> bool {
    let rules = game.rules();
    let cells = game.spec().cells();
    matches!(rules.variant, Variant::Line | Variant::Exact)
        && game.spec().line() == 5
        && cells > SMALL
        && cells - game.ply() > FEW
}

/// The best moves of an unfinished game, within the deadline.
pub(crate) fn best_moves(game: &Game, deadline: &Deadline) -> SearchResult {
    let max_nodes = max_nodes(deadline);
    let mut grid = Grid::new(game);
    if let Some(cells) = opening(game) {
        return SearchResult::of_moves(cells);
    }
    if let Some((place, outcome)) = win_by_threats(&mut grid, max_nodes, deadline) {
        return SearchResult { outcome, ..SearchResult::of_moves(vec![grid.cell_of(place)]) };
    }
    let is_threatened = grid.count(1 - grid.to_move, Threat::TwoFours) > 0;
    let answers = answers(&grid);
    let set = match () {
        // Where nothing stops a threat, the search finds what resists longest.
        () if is_threatened && answers.iter().any(|row| *row != 0) => answers,
        () => grid.near(),
    };
    let mut root: Vec<(i32, Place)> =
        places(&set).map(|place| (grid.promise(place), place)).collect();
    let bytes = bytes(max_nodes, deadline);
    let mut search = FiveSearch::new(grid, max_nodes, bytes, deadline);
    let found = search.deepen(&mut root);
    SearchResult {
        nodes: search.nodes,
        depth: found.depth as u32,
        evaluation: Some(found.score),
        ..SearchResult::of_moves(vec![search.grid.cell_of(found.best)])
    }
}

/// The centre of an empty board, and the cells beside the first mark where it has room on all
/// sides: further away leaves it the initiative.
fn opening(game: &Game) -> Option<Vec<Cell>> {
    let spec = game.spec();
    let at = |(column, row): (i16, i16)| spec.cell_at(column, row);
    match game.moves() {
        [] => {
            let middle = |side: u8| i16::from((side - 1) / 2)..=i16::from(side / 2);
            let rows = middle(spec.height());
            let cells = rows.flat_map(|row| middle(spec.width()).map(move |column| (column, row)));
            Some(cells.filter_map(at).collect())
        }
        [first] => {
            let (column, row) = spec.position(*first);
            let around = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (right, down)));
            let beside = around.filter(|step| *step != (0, 0));
            let place = |reach: i16, step: (i16, i16)| {
                at((i16::from(column) + reach * step.0, i16::from(row) + reach * step.1))
            };
            let has_room = beside.clone().all(|step| place(4, step).is_some());
            has_room.then(|| beside.filter_map(|step| place(1, step)).collect())
        }
        _ => None,
    }
}

/// A move that wins or must be made, and what is proven of it.
fn win_by_threats(
    grid: &mut Grid,
    max_nodes: u64,
    deadline: &Deadline,
) -> Option<(Place, Option<Outcome>)> {
    let mut fours = Fours::new();
    let effort = Effort { fours: max_nodes.min(FOURS.fours.into()) as u32, ..FOURS };
    if let Some((place, _)) = fours.search(grid, effort) {
        return Some((place, Some(Outcome::Win)));
    }
    let must = grid.five(1 - grid.to_move);
    if grid.count(1 - grid.to_move, Threat::Five) > 1 {
        return must.map(|place| (place, Some(Outcome::Loss)));
    }
    let positions = (max_nodes / 8).min(u32::MAX.into()) as u32;
    let mut budget = Budget::part(THREES_PART, positions, deadline);
    let won = win_by_threes(grid, &mut fours, &mut budget);
    won.map(|place| (place, Some(Outcome::Win))).or_else(|| must.map(|place| (place, None)))
}

/// The bytes that a search remembers in.
fn bytes(max_nodes: u64, deadline: &Deadline) -> usize {
    let seconds = deadline.time_left().map_or(1.0, |left| left.as_secs_f64().min(SECONDS));
    let most = (BYTES_PER_SECOND as f64 * seconds) as usize;
    let needed = usize::try_from(max_nodes.saturating_mul(BYTES_PER_POSITION)).unwrap_or(most);
    most.min(needed).min(deadline.memory().unwrap_or(most))
}

/// The weights of the static evaluation that add up to that of a position, and how often each is added; the benchmark
/// `fit` finds the weights. `None` where the search asks for no evaluation because somebody makes a five next, or the
/// side to move two fours.
#[must_use]
pub fn features(game: &Game) -> Option<BTreeMap<usize, i32>> {
    let grid = Grid::new(game);
    let own = grid.to_move;
    let fives = grid.count(own, Threat::Five) + grid.count(1 - own, Threat::Five);
    let is_asked = fives + grid.count(own, Threat::TwoFours) == 0;
    let empty = || Grid::new(&Game::new(*game.rules(), Mark::X));
    is_asked.then(|| grid.features(&empty()))
}

#[cfg(test)]
mod tests;
