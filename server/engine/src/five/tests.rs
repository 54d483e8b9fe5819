//! Shapes, what the grid keeps up to date, and that what is proven holds against every reply.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use noughts_protocol::{Game, Mark, Rules, Variant};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

use super::fours::{Effort, Fours};
use super::grid::{Grid, Place, answers, places};
use super::shape::{COMBINATIONS, Shape, ShapeTable, Threat};
use super::threes::win_by_threes;
use super::weights::{PAIRS, values};
use super::{BYTES_PER_SECOND, best_moves, bytes, features};
use crate::Deadline;
use crate::deadline::Budget;
use crate::tests::{deadline_in, game, play, scatter_within};

/// Checks the shape of a mark on `*`: `O` own marks, `X` others or the edge, `.` empty cells.
#[track_caller]
fn check(row: &str, exact: bool, expected: Shape) {
    let table = ShapeTable::of(exact);
    let middle = row.find('*').unwrap();
    let mut marks = [0, 0];
    for bit in 0..2 * table.reach {
        let offset = if bit < table.reach { bit as isize } else { bit as isize + 1 };
        let at = middle as isize - table.reach as isize + offset;
        match usize::try_from(at).ok().and_then(|at| row.as_bytes().get(at)) {
            Some(b'O') => marks[0] |= 1 << bit,
            Some(b'.') => {}
            _ => marks[1] |= 1 << bit,
        }
    }
    assert_eq!(table.get(marks[0], marks[1]), expected as u8, "{row}");
}

#[test]
fn shapes_are_defined_from_the_end() {
    check("..OO*OO..", false, Shape::Five);
    check(".OOOO*OOO", false, Shape::Five);
    check(".OOOO*OOO", true, Shape::Nothing);
    check("...OO*O..", false, Shape::OpenFour);
    check("X.OOO*.X", false, Shape::OpenFour);
    check("XOOO*.X..", false, Shape::Four);
    check("O.OO*O.O", false, Shape::OpenFour);
    check("O.OO*O.O", true, Shape::Nothing);
    check("OO.O*.X.X", false, Shape::Four);
    check("..OO*...", false, Shape::OpenThree);
    check("X.OO*.X", false, Shape::Three);
    check("X.OO*..X", false, Shape::NarrowThree);
    check("..O.O*..", false, Shape::NarrowThree);
    check("....O*...", false, Shape::WidestTwo);
    check("XO*...X", false, Shape::Two);
    check("X...*...X", false, Shape::OpenOne);
    check("X.*..X", false, Shape::Nothing);
}

/// A game of marks near each other, as threats come about.
fn crowded_game(rng: &mut StdRng, marks: u32, variant: Variant) -> Game {
    let rules = Rules { variant, ..Rules::line("15x15x5".parse().unwrap(), false) };
    scatter_within(3, Game::new(rules, Mark::X), marks, rng)
}

#[test]
fn a_move_and_its_return_leave_the_grid_as_it_was() {
    let mut rng = StdRng::seed_from_u64(1);
    for variant in [Variant::Line, Variant::Exact].repeat(20) {
        let game = crowded_game(&mut rng, 24, variant);
        let mut grid = Grid::new(&game);
        let before = format!("{grid:?}");
        let mut further = game.clone();
        for _ in 0..8 {
            let next = further.board().empty_cells().choose(&mut rng).unwrap();
            play(&mut further, next);
            if further.result().is_some() {
                break;
            }
            grid.put(grid.place_of(next));
            let fresh = Grid::new(&further);
            for side in 0..2 {
                // A fresh grid calls the side to move 0.
                let other = if fresh.to_move == grid.to_move { side } else { 1 - side };
                for place in places(&grid.empty) {
                    assert_eq!(grid.code(side, place), fresh.code(other, place));
                    assert_eq!(grid.threat(side, place), fresh.threat(other, place));
                }
            }
            assert_eq!(grid.evaluate(), fresh.evaluate());
        }
        while grid.left < usize::from(game.spec().cells() - game.ply()) {
            grid.take_back();
        }
        assert_eq!(format!("{grid:?}"), before);
    }
}

/// Catches a weight that is added for the wrong side, twice or never.
#[test]
fn an_evaluation_is_the_sum_of_the_weights_of_its_features() {
    let mut rng = StdRng::seed_from_u64(3);
    let mut pairs = BTreeSet::new();
    for _ in 0..200 {
        let game = crowded_game(&mut rng, 12, Variant::Line);
        let Some(features) = features(&game) else { continue };
        let weight = |at: usize| match at.checked_sub(PAIRS) {
            None => values().places[code_of(at / 2)][at % 2],
            Some(pair) => values().pairs[pair],
        };
        let sum: i32 = features.iter().map(|(at, times)| i32::from(weight(*at)) * times).sum();
        assert_eq!(Grid::new(&game).evaluate(), sum);
        pairs.extend(features.into_keys().filter(|at| *at >= PAIRS));
    }
    assert!(pairs.len() > 10, "too few classes of threats to tell: {pairs:?}");
}

/// A code whose shapes have this combination.
fn code_of(combination: usize) -> usize {
    (0..=u16::MAX).position(|code| Shape::combination(code) == combination).unwrap()
}

#[test]
fn each_combination_of_shapes_has_a_number_of_its_own() {
    let mut numbers = BTreeMap::new();
    for code in 0..=u16::MAX {
        let mut shapes = Shape::of_code(code);
        shapes.sort_unstable();
        let number = Shape::combination(code);
        assert!(number < COMBINATIONS);
        assert_eq!(*numbers.entry(number).or_insert(shapes), shapes);
    }
    assert_eq!(numbers.len(), COMBINATIONS);
}

#[test]
fn what_answers_a_threat_is_among_the_answers() {
    let mut rng = StdRng::seed_from_u64(2);
    let mut threatened = 0;
    for _ in 0..400 {
        let mut grid = Grid::new(&crowded_game(&mut rng, 14, Variant::Line));
        let is_quiet = |side| grid.count(side, Threat::Five) == 0;
        let other = 1 - grid.to_move;
        if !is_quiet(0) || !is_quiet(1) || grid.count(other, Threat::TwoFours) == 0 {
            continue;
        }
        threatened += 1;
        let answers = answers(&grid);
        for place in places(&grid.empty.clone()) {
            if places(&answers).any(|answer| answer == place) {
                continue;
            }
            grid.put(place);
            let side = grid.to_move;
            assert!(
                grid.count(1 - side, Threat::Five) + grid.count(side, Threat::TwoFours) > 0,
                "{place} answers the threat too"
            );
            grid.take_back();
        }
    }
    assert!(threatened > 20, "too few to tell: {threatened}");
}

/// The first move of a win by fours, or by fours and threes.
fn win(grid: &mut Grid, threes: bool) -> Option<Place> {
    let deadline = Deadline::none();
    let mut fours = Fours::new();
    let found = fours
        .search(grid, Effort { longest: 20, fours: 2_000, plain: true })
        .map(|(place, _)| place);
    let mut budget = Budget::moves(3_000, &deadline);
    found.or_else(|| win_by_threes(grid, &mut fours, &mut budget).filter(|_| threes))
}

#[test]
fn what_is_found_wins_against_every_reply() {
    let mut rng = StdRng::seed_from_u64(6);
    let mut found = [0, 0];
    for variant in [Variant::Line, Variant::Exact].repeat(30) {
        let mut grid = Grid::new(&crowded_game(&mut rng, 17, variant));
        let Some(threes) =
            [false, true].into_iter().find(|threes| win(&mut grid, *threes).is_some())
        else {
            continue;
        };
        found[usize::from(threes)] += 1;
        let place = win(&mut grid, threes).unwrap();
        if grid.threat(grid.to_move, place) == Threat::Five as u8 {
            continue;
        }
        grid.put(place);
        for reply in places(&grid.empty.clone()) {
            assert!(grid.threat(grid.to_move, reply) < Threat::Five as u8, "the reply wins");
            grid.put(reply);
            assert!(win(&mut grid, true).is_some(), "{reply} stops what was found");
            grid.take_back();
        }
    }
    assert!(found.iter().all(|found| *found >= 3), "found too few to tell: {found:?}");
}

/// Catches weights that are read for the other side, or in another order than they were fitted.
#[test]
fn open_twos_stand_well_for_their_side_alone() {
    let evaluate = |moves| Grid::new(&game("15x15x5", Mark::X, moves)).evaluate();
    assert!(evaluate("g8 a1 h8 o15 g9 a15 h10 o1") > 1_700);
    assert!(evaluate("g8 a1 h8 o15 g9 a15 h10") < -800);
}

#[test]
fn a_long_win_by_threats_is_proven_in_few_positions() {
    let moves = "c11 f9 h11 d11 e11 g9 e9 f8 f10 d8 g8 e7 d6 f6 c9 f7 f5 d7 c7 b8 e8 e10 h12 h7 g7 i11 h10 h9 j9 i10 i12 \
                 c12 b13 g5 h4 i13";
    let deadline = Deadline::none();
    let mut budget = Budget::moves(700, &deadline);
    let mut grid = Grid::new(&game("15x15x5", Mark::X, moves));
    assert!(win_by_threes(&mut grid, &mut Fours::new(), &mut budget).is_some());
}

#[test]
fn a_bound_on_positions_gives_the_same_move_everywhere() {
    let game = game("15x15x5", Mark::X, "h8 i9 j7 g7 i6");
    let search = || best_moves(&game, &Deadline::none().with_positions(Some(3_000)));
    let found = search();
    assert_eq!((found.moves, found.nodes, found.depth), {
        let again = search();
        (again.moves, again.nodes, again.depth)
    });
    assert!(found.nodes <= 3_001 && found.depth > 2, "{} {}", found.nodes, found.depth);
}

#[test]
fn a_search_remembers_in_as_much_as_its_time_can_fill() {
    let of = |time| bytes(u64::MAX, &deadline_in(time));
    assert_eq!(of(Duration::ZERO), 0);
    assert!(of(Duration::from_millis(10)) <= BYTES_PER_SECOND / 100);
    assert_eq!(of(Duration::from_secs(3_600)), 4 * BYTES_PER_SECOND);
    assert_eq!(bytes(u64::MAX, &Deadline::none()), BYTES_PER_SECOND);
    assert!(bytes(100, &Deadline::none()) < 10_000);
}
