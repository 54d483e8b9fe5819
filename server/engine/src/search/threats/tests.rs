//! Threat-space search: known compositions, and that what is found holds against every reply.

use noughts_protocol::{Cell, Game, Mark, Placement, Strength};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::{MAX_THREES, attack, win_by_fours};
use crate::board::{Geometry, Position};
use crate::deadline::Budget;
use crate::tests::{deadline_in, game, minimax, play, scatter_within};
use crate::{Deadline, candidates};

type Finder = fn(&mut Position<'_>, &mut Budget<'_>) -> Option<u16>;

/// The shortest win by threes.
fn win_by_threes(position: &mut Position<'_>, budget: &mut Budget<'_>) -> Option<u16> {
    (1..=MAX_THREES).find_map(|moves| super::win_by_threes(position, budget, moves))
}

/// Where a win begins, if one is found.
fn find(finder: Finder, game: &Game) -> Option<Cell> {
    let deadline = Deadline::none();
    let geometry = Geometry::new(game.spec());
    let mut budget = Budget::moves(10_000, &deadline);
    finder(&mut Position::new(&geometry, game), &mut budget).map(Cell)
}

fn check(finder: Finder, moves: &str, expected: Option<&str>) {
    let game = game("15x15x5", Mark::X, moves);
    let found = find(finder, &game).map(|cell| game.spec().coordinates(cell));
    assert_eq!(found.as_deref(), expected);
}

#[test]
fn continuous_fours_are_followed_to_the_win() {
    // Two threes that cross at h8, each stopped at one end: four and four.
    check(win_by_fours, "e8 d8 f8 a1 g8 o1 h9 h12 h10 a15 h11 o15", Some("h8"));
    // A single three that is stopped at one end wins nothing.
    check(win_by_fours, "e8 d8 f8 a1 g8 o1", None);
}

#[test]
fn a_four_that_makes_a_three_wins() {
    // Row 8 stopped on the left, column h open: h8 makes a four and an open three.
    check(win_by_fours, "e8 d8 f8 a1 g8 o1 h9 a15 h10 o15", Some("h8"));
}

#[test]
fn two_threes_win_and_only_where_threes_are_followed() {
    check(win_by_fours, "f8 a1 g8 o1 h9 a15 h10 o15", None);
    check(win_by_threes, "f8 a1 g8 o1 h9 a15 h10 o15", Some("h8"));
}

#[test]
fn a_threat_that_completes_the_opponent_s_four_wins_nothing() {
    // X's four on column h would be stopped at h12, which completes row 12 for O.
    check(win_by_fours, "h8 d12 h9 e12 h10 f12 a1 g12 a15 o1", None);
}

#[test]
fn a_win_of_five_fours_is_seen_and_needs_all_five() {
    let moves = "h8 h5 k6 g5 j8 e7 f9 i9 k10 i8 h6 k11 g6 k8 f7 g7 e8 f5";
    let game = game("15x15x5", Mark::X, moves);
    let geometry = Geometry::new(game.spec());
    let deadline = Deadline::none();
    let within = |fours| {
        let mut budget = Budget::moves(10_000, &deadline);
        attack(&mut Position::new(&geometry, &game), &mut budget, fours, false).is_some()
    };
    assert_eq!([within(4), within(5)], [false, true]);
    check(win_by_fours, moves, Some("i6"));
}

#[test]
fn there_is_no_time_for_threes_where_a_four_must_be_stopped() {
    check(win_by_threes, "f8 a1 g8 b1 h9 c1 h10 d1", None);
}

/// A game of marks near each other, as threats come about.
fn crowded_game(rng: &mut StdRng) -> Game {
    scatter_within(3, game("15x15x5", Mark::X, "h8"), 17, rng)
}

/// The cells on which a mark completes a line.
fn completing(game: &Game, mark: Mark) -> Vec<Cell> {
    let lines = |cell| game.rules().lines(game.board(), Placement { mark, cell });
    game.board().empty_cells().filter(|cell| !lines(*cell).is_empty()).collect()
}

#[test]
fn what_is_found_wins_against_every_reply() {
    let mut rng = StdRng::seed_from_u64(6);
    let mut found = [0, 0];
    for _ in 0..40 {
        let game = crowded_game(&mut rng);
        if !completing(&game, game.to_move()).is_empty() {
            continue;
        }
        let finders: [Finder; 2] = [win_by_fours, win_by_threes];
        let Some(number) = finders.iter().position(|finder| find(*finder, &game).is_some()) else {
            continue;
        };
        found[number] += 1;
        let mut after = game.clone();
        play(&mut after, find(finders[number], &game).unwrap());
        for reply in after.board().empty_cells().collect::<Vec<_>>() {
            let mut next = after.clone();
            play(&mut next, reply);
            assert_eq!(next.result(), None, "the reply wins: {:?}", game.moves());
            let wins = !completing(&next, next.to_move()).is_empty()
                || finders.into_iter().any(|finder| find(finder, &next).is_some());
            assert!(wins, "{reply:?} stops what was found in {:?}", game.moves());
        }
    }
    assert!(found.iter().all(|found| *found >= 3), "found too few to tell: {found:?}");
}

#[test]
fn a_win_by_two_threes_is_not_allowed() {
    let game = game("15x15x5", Mark::X, "f8 a1 g8 o1 h9 a15 h10");
    let second = deadline_in(std::time::Duration::from_secs(1));
    for cell in candidates(&game, minimax(Strength::VeryStrong), &second).moves {
        let mut after = game.clone();
        play(&mut after, cell);
        let of_three: Finder = |position, budget| super::win_by_threes(position, budget, 3);
        assert_eq!(find(of_three, &after), None, "after {cell:?}");
    }
}

#[test]
fn a_win_and_a_forced_block_are_never_missed() {
    let mut rng = StdRng::seed_from_u64(11);
    let mut wins = 0;
    let mut blocks = 0;
    for _ in 0..300 {
        let game = crowded_game(&mut rng);
        let own = completing(&game, game.to_move());
        let other = completing(&game, game.to_move().other());
        let expected = if own.is_empty() { &other } else { &own };
        if expected.is_empty() {
            continue;
        }
        wins += u32::from(!own.is_empty());
        blocks += u32::from(own.is_empty());
        for strength in &Strength::NAMED[1..] {
            for deadline in [Deadline::none(), deadline_in(std::time::Duration::ZERO)] {
                let moves = candidates(&game, minimax(*strength), &deadline).moves;
                assert!(moves.choose(&mut rng).is_some());
                assert!(moves.iter().all(|cell| expected.contains(cell)), "{strength}: {moves:?}");
            }
        }
    }
    assert!(wins > 10 && blocks > 10, "too few to tell: {wins}, {blocks}");
}
