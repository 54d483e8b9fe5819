//! The levels err as they say: measured over the positions of their own games.

use std::iter::zip;

use noughts_protocol::{Game, Mark};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::*;
use crate::five::shape::{Threat, threats};
use crate::tests::{game, play};

/// Positions.
const POSITIONS: usize = 1_000;
/// For what does not depend on rare shapes.
const FEW_POSITIONS: usize = 250;
/// Of a thousand moves of very weak at least so many are at most two cells from the last two moves:
/// 825 are, and without the weight for distance 763.
const NEAR: usize = 795;
/// Per level: of a thousand fours, open threes and forks of the opponent those that it overlooks.
const SHARES: [[usize; 3]; 8] = [
    [287, 735, 987],
    [179, 512, 942],
    [88, 250, 672],
    [27, 68, 236],
    [15, 48, 178],
    [11, 36, 121],
    [8, 17, 65],
    [0, 1, 1],
];
/// A game is late after so many moves.
const LATE: usize = 24;
/// How often each is looked at.
const LOOKS: u64 = 8;

/// Positions from games of weak against level 4.
fn positions(count: usize) -> Vec<Game> {
    let mut rng = StdRng::seed_from_u64(43);
    let mut all = Vec::new();
    while all.len() < count {
        let mut game = game("15x15x5", Mark::X, "");
        while game.result().is_none() {
            let level = &LEVELS[2 + usize::from(game.ply()) % 2];
            let cell = level.choose(&game, &Deadline::none(), &mut rng);
            play(&mut game, cell);
            if game.result().is_none() {
                all.push(game.clone());
            }
        }
    }
    all.truncate(count);
    all
}

/// A row of marks that the opponent can make: which, how likely a level overlooks it, and whether it does.
struct Row {
    is_far: bool,
    is_diagonal: bool,
    is_broken: bool,
    is_late: bool,
    /// Of a million.
    chance: u64,
    is_overlooked: bool,
}

fn views<'a>(grids: &'a [Grid], level: &Level) -> impl Iterator<Item = LevelView<'a>> {
    let blindness = level.blindness;
    let seeded = (0..).zip(grids);
    seeded.flat_map(move |(number, grid)| {
        (0..LOOKS).map(move |look| LevelView::new(grid, blindness, number * LOOKS + look))
    })
}

fn rows(grids: &[Grid], level: &Level, wanted: Shape) -> Vec<Row> {
    let mut cases = Vec::new();
    for view in views(grids, level) {
        for at in places(&view.grid.empty) {
            for (direction, shape) in Shape::of_code(view.grid.code(1, at)).into_iter().enumerate()
            {
                if shape == wanted {
                    cases.push(Row {
                        is_far: view.distance(at) > 2,
                        is_diagonal: direction > 1,
                        is_broken: view.is_broken(1, at, direction, shape),
                        is_late: view.grid.line.len() > LATE,
                        chance: view.chance(1, at, direction, shape),
                        is_overlooked: view.overlooks(1, at, direction, shape),
                    });
                }
            }
        }
    }
    cases
}

/// Whether a level overlooks a four and three, or two threes, for each that the opponent can make.
fn forks(grids: &[Grid], level: &Level) -> Vec<bool> {
    let mut cases = Vec::new();
    for view in views(grids, level) {
        for threat in [Threat::FourAndThree, Threat::TwoThrees] {
            let seen = |at| threats()[usize::from(view.code(1, at))];
            cases.extend(places(view.grid.with(1, threat)).map(|at| seen(at) < threat as u8));
        }
    }
    cases
}

/// Whether a level fails to block, for each position where it must.
fn fours(games: &[Game], grids: &[Grid], level: &Level) -> Vec<bool> {
    let mut rng = StdRng::seed_from_u64(1);
    let is_case = |grid: &Grid| grid.count(0, Threat::Five) == 0 && grid.count(1, Threat::Five) > 0;
    let mut cases = Vec::new();
    for (game, grid) in games.iter().zip(grids).filter(|(_, grid)| is_case(grid)) {
        for _ in 0..LOOKS {
            let cell = level.choose(game, &Deadline::none(), &mut rng);
            cases.push(!contains(grid.with(1, Threat::Five), grid.place_of(cell)));
        }
    }
    cases
}

/// Of a thousand cases those that are true.
fn share(cases: impl IntoIterator<Item = bool>) -> usize {
    let cases: Vec<bool> = cases.into_iter().collect();
    assert!(cases.len() > 200, "{} cases", cases.len());
    1_000 * cases.iter().filter(|case| **case).count() / cases.len()
}

#[test]
fn each_level_overlooks_its_share() {
    let games = positions(POSITIONS);
    let grids: Vec<Grid> = games.iter().map(Grid::new).collect();
    let found = LEVELS.each_ref().map(|level| {
        let threes =
            rows(&grids, level, Shape::OpenFour).into_iter().map(|case| case.is_overlooked);
        [share(fours(&games, &grids, level)), share(threes), share(forks(&grids, level))]
    });
    let is_near = |expected: &usize, found: &usize| expected.abs_diff(*found) <= 3 + expected / 10;
    let is_in_band =
        |(expected, found)| zip(expected, found).all(|(one, other)| is_near(one, other));
    assert!(zip(&SHARES, &found).all(is_in_band), "{found:?}");
    for kind in 0..3 {
        let falls = found.windows(2).all(|pair| pair[0][kind] > pair[1][kind]);
        assert!(falls, "{kind}: {found:?}");
    }
}

#[test]
fn weak_levels_overlook_more_far_away_on_diagonals_with_gaps_and_late() {
    let grids: Vec<Grid> = positions(POSITIONS).iter().map(Grid::new).collect();
    for level in &LEVELS[1..4] {
        let cases = rows(&grids, level, Shape::OpenThree);
        let of = |wanted: [bool; 4]| {
            let is_case = |case: &&Row| {
                [case.is_far, case.is_diagonal, case.is_broken, case.is_late] == wanted
            };
            let chances = cases.iter().filter(is_case).map(|case| case.chance);
            chances.clone().sum::<u64>() / chances.count() as u64
        };
        let least = of([false; 4]);
        let each = [0, 1, 2, 3].map(|reason| of([0, 1, 2, 3].map(|other| other == reason)));
        assert!(each.iter().all(|more| 10 * more > 11 * least), "{each:?}, {least}");
    }
}

#[test]
fn a_weak_level_likes_to_play_near_the_last_moves() {
    let games = positions(FEW_POSITIONS);
    let mut rng = StdRng::seed_from_u64(1);
    let is_near = games.iter().flat_map(|game| [game; LOOKS as usize]).map(|game| {
        let cell = LEVELS[0].choose(game, &Deadline::none(), &mut rng);
        let grid = Grid::new(game);
        LevelView::new(&grid, 0, 0).distance(grid.place_of(cell)) <= 2
    });
    let near = share(is_near);
    assert!(near > NEAR, "{near}");
}

#[test]
fn every_level_answers_the_centre_beside_it() {
    let game = game("15x15x5", Mark::X, "h8");
    let mut rng = StdRng::seed_from_u64(1);
    for level in &LEVELS {
        for _ in 0..20 {
            let cell = level.choose(&game, &Deadline::none(), &mut rng);
            let (column, row) = game.spec().position(cell);
            assert_eq!(column.abs_diff(7).max(row.abs_diff(7)), 1, "{level:?}: {cell:?}");
        }
    }
}

#[test]
fn a_row_is_overlooked_as_a_whole_and_not_at_every_look() {
    let game = game("15x15x5", Mark::X, "h8 a1 j8 a3 i8");
    let grid = Grid::new(&game);
    let ends = ["g8", "k8"].map(|at| grid.place_of(game.spec().parse_cell(at).unwrap()));
    let look = |seed| ends.map(|at| LevelView::new(&grid, LEVELS[0].blindness, seed).sees(at));
    let seen = (0..100).map(look).filter(|[left, right]| {
        assert_eq!(left, right);
        *left
    });
    assert!((20..80).contains(&seen.count()));
}

#[test]
fn a_row_that_was_just_continued_is_always_completed() {
    let game = game("15x15x5", Mark::X, "h8 a1 i8 a3 j8 a5 k8 a7");
    let ends = ["g8", "l8"].map(|at| game.spec().parse_cell(at).unwrap());
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..200 {
        let cell = LEVELS[0].choose(&game, &Deadline::none(), &mut rng);
        assert!(ends.contains(&cell), "{cell:?}");
    }
}
