//! Tests that each variant is played by the protocol's rules, and that the search proves known
//! results of small boards.

use std::collections::HashSet;

use noughts_protocol::{Cell, Computer, Game, Mark, Placement, Rules, Strategy, Strength, Variant};
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};

use super::by_rules::ByRules;
use super::lines::Lines;
use super::notakto::{Notakto, Value};
use super::vanish::Vanish;
use super::{Play, candidates, choose, duel::Duel, general, goal, gravity, qubic, ultimate};
use crate::board::{Geometry, Position};
use crate::tests::{deadline_in, minimax};
use crate::{Deadline, Outcome};

/// Every variant that is played here, on the boards that its form offers.
const HERE: [Variant; 6] = [
    Variant::Misere,
    Variant::Wild,
    Variant::WildMisere,
    Variant::Order,
    Variant::Notakto,
    Variant::Vanish,
];

const PERFECT: Computer = Computer { strategy: Strategy::Perfect, strength: Strength::Average };

fn game(variant: Variant, board: &str) -> Game {
    let board = board.parse().unwrap();
    Game::new(Rules { variant, ..Rules::line(board, false) }, Mark::X)
}

/// The game after cells that are counted from 0. Each side places its own mark, or the only one.
fn after(variant: Variant, board: &str, moves: &[u16]) -> Game {
    let moves: Vec<Cell> = moves.iter().copied().map(Cell).collect();
    Game::replay(*game(variant, board).rules(), Mark::X, &moves, &[]).unwrap()
}

/// A random game on the position and by the protocol: the same moves, the same end, and the same
/// position when a move is taken back.
fn check_random_game(play: &mut impl Play, mut game: Game, rng: &mut impl Rng) {
    while game.result().is_none() {
        let mut moves = Vec::new();
        play.push_moves(&mut moves);
        let moves: HashSet<Placement> = moves.into_iter().map(|(_, placed)| placed).collect();
        assert_eq!(moves, game.legal().collect(), "{game:?}");
        let key = play.key();
        let estimate = play.evaluate();
        for placed in game.legal() {
            let expected = game.outcome(game.move_with(placed)).map(|result| {
                result.winner().map_or(Outcome::Draw, |winner| {
                    if winner == game.to_move() { Outcome::Win } else { Outcome::Loss }
                })
            });
            assert_eq!(play.make(placed), expected, "{placed:?} in {game:?}");
            play.unmake();
            assert_eq!((play.key(), play.evaluate()), (key, estimate), "{placed:?} in {game:?}");
        }
        let placed = game.legal().choose(rng).unwrap();
        game.apply(game.move_with(placed)).unwrap();
        play.make(placed);
    }
}

#[test]
fn positions_follow_the_rules_of_the_protocol() {
    let mut rng = StdRng::seed_from_u64(1);
    for variant in HERE {
        for board in variant.boards() {
            let game = game(variant, board);
            let geometry = Geometry::new(game.spec());
            for _ in 0..3 {
                let game = game.clone();
                match goal(variant) {
                    Some(goal) => {
                        let mut play = Lines::new(&geometry, goal, Mark::X);
                        check_random_game(&mut play, game, &mut rng);
                    }
                    None if variant == Variant::Notakto => {
                        check_random_game(&mut Notakto::new(game.spec()), game, &mut rng);
                    }
                    None => {
                        let mut play = Vanish::new(&geometry, Mark::X);
                        check_random_game(&mut play, game, &mut rng);
                    }
                }
            }
        }
    }
}

#[test]
fn bit_boards_follow_the_rules_of_the_protocol() {
    let mut rng = StdRng::seed_from_u64(1);
    for board in Variant::Gravity.boards() {
        let game = game(Variant::Gravity, board);
        let field = gravity::field::<u128>(game.spec());
        check_random_game(&mut Duel::new(&field, &game), game, &mut rng);
    }
    for board in ["7x6x4", "8x7x4", "4x4x4"] {
        let game = game(Variant::Gravity, board);
        let field = gravity::field::<u64>(game.spec());
        check_random_game(&mut Duel::new(&field, &game), game, &mut rng);
    }
    for board in Variant::Qubic.boards() {
        let game = game(Variant::Qubic, board);
        let field = qubic::field(game.spec().width().into());
        check_random_game(&mut Duel::new(&field, &game), game, &mut rng);
    }
    for round in 0..40 {
        let rules = Rules { majority: round % 2 == 0, ..*game(Variant::Ultimate, "9x9x3").rules() };
        let game = Game::new(rules, Mark::X);
        check_random_game(&mut ultimate::Nine::new(&game), game, &mut rng);
    }
}

#[test]
fn every_computer_plays_every_variant_to_its_end() {
    let mut rng = StdRng::seed_from_u64(2);
    for variant in Variant::ALL {
        let mut game = game(variant, variant.boards()[0]);
        let with = |strategy| Strength::NAMED.map(|strength| Computer { strategy, strength });
        let all: Vec<Computer> = Strategy::ALL.into_iter().flat_map(with).collect();
        while game.result().is_none() {
            let computer = all.iter().choose(&mut rng).unwrap();
            let deadline = deadline_in(std::time::Duration::from_millis(2));
            let placed = choose(&game, *computer, &deadline, &mut rng).unwrap();
            game.apply(game.move_with(placed)).unwrap();
        }
    }
}

/// Checks the proof of a game: the outcome for the player to move, and the best cells.
#[track_caller]
fn check(game: &Game, outcome: Outcome, cells: &[u16]) {
    let found = candidates(game, PERFECT, &Deadline::none());
    let moves: Vec<u16> = found.moves.iter().map(|cell| cell.0).collect();
    assert_eq!((found.outcome, &*moves), (Some(outcome), cells));
}

#[test]
fn what_is_published_is_proven() {
    // Misère: a draw, and X must begin in the centre.
    check(&game(Variant::Misere, "3x3x3"), Outcome::Draw, &[4]);
    // Wild: the first player wins, in the centre with either mark.
    check(&game(Variant::Wild, "3x3x3"), Outcome::Win, &[4]);
    check(&game(Variant::WildMisere, "3x3x3"), Outcome::Draw, &[4]);
    check(&game(Variant::Notakto, "3x3x3"), Outcome::Win, &[4]);
    assert_eq!(
        candidates(&game(Variant::Wild, "3x3x3"), PERFECT, &Deadline::none()).with_other_mark,
        [Cell(4)]
    );
}

#[test]
fn a_variant_without_a_position_is_played_by_the_rules() {
    let mut rng = StdRng::seed_from_u64(3);
    for variant in [Variant::Vanish, Variant::Order, Variant::Ultimate] {
        let game = game(variant, variant.boards()[0]);
        let geometry = Geometry::new(game.spec());
        check_random_game(&mut ByRules::new(&geometry, &game), game, &mut rng);
    }
    let game = game(Variant::Misere, "3x3x3");
    let geometry = Geometry::new(game.spec());
    let play = &mut ByRules::new(&geometry, &game);
    let found = general::candidates(play, &game, PERFECT, &Deadline::none());
    assert_eq!((found.outcome, found.moves), (Some(Outcome::Draw), vec![Cell(4)]));
}

#[test]
fn the_first_player_wins_vanish_from_a_side_in_thirteen_marks() {
    let geometry = Geometry::new("3x3x3".parse().unwrap());
    let known = Vanish::new(&geometry, Mark::X).known().unwrap();
    let values: Vec<i8> = known.into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, [0, 13, 0, 13, 0, 13, 0, 13, 0]);
    check(&game(Variant::Vanish, "3x3x3"), Outcome::Win, &[1, 3, 5, 7]);
}

#[test]
fn the_quotient_of_notakto_has_eighteen_elements() {
    let single: HashSet<Value> = (0..512).map(|marks| Notakto::with([marks]).value()).collect();
    let mut all = single.clone();
    for _ in 0..4 {
        all = all.iter().flat_map(|a| single.iter().map(|b| a.times(*b))).collect();
    }
    assert_eq!(all.len(), 18);
}

#[test]
fn the_quotient_of_notakto_says_who_wins() {
    // A full search of every pair of boards.
    let mut wins = vec![None; 512 * 512];
    for first in (0..512).rev() {
        for second in (0..512).rev() {
            let mut play = Notakto::with([first, second]);
            let mut moves = Vec::new();
            play.push_moves(&mut moves);
            let is_winning = |placed: &(i32, Placement)| {
                let lost = play.make(placed.1).is_some();
                let after = play.boards();
                play.unmake();
                let reply = wins[512 * usize::from(after[0]) + usize::from(after[1])];
                !lost && reply == Some(false)
            };
            // Of two dead boards the last one has just been completed.
            let expected = moves.is_empty() || moves.iter().any(is_winning);
            wins[512 * usize::from(first) + usize::from(second)] = Some(expected);
            assert_eq!(play.value().wins(), expected, "{first:o} {second:o}");
        }
    }
}

#[test]
fn a_win_is_taken_and_a_loss_avoided_by_all_who_see() {
    let seeing = [Strength::Weak, Strength::Average, Strength::Strong, Strength::VeryStrong];
    let moves = |game: &Game, computer| {
        let found = candidates(game, computer, &Deadline::none());
        found.moves.iter().map(|cell| cell.0).collect::<Vec<u16>>()
    };
    // X X . / O O . in vanish; in misère X must not take the corner; X X . in wild is a win.
    let vanish = after(Variant::Vanish, "3x3x3", &[0, 3, 1, 4]);
    let misere = after(Variant::Misere, "3x3x3", &[0, 3, 1, 8]);
    for strength in seeing {
        assert_eq!(moves(&vanish, minimax(strength)), [2], "{strength}");
        assert!(!moves(&misere, minimax(strength)).contains(&2), "{strength}");
        let heuristic = Computer { strategy: Strategy::Heuristic, strength };
        assert_eq!(moves(&vanish, heuristic), [2], "{strength}");
    }
}

#[test]
fn the_search_of_lines_sees_exactly_five_as_the_protocol_does() {
    let mut rng = StdRng::seed_from_u64(3);
    let mut game = game(Variant::Exact, "7x7x5");
    let geometry = Geometry::of(*game.rules());
    let mut longer = 0;
    for _ in 0..20 {
        while game.result().is_none() {
            let position = Position::new(&geometry, &game);
            for (side, mark) in [(0, game.to_move()), (1, game.to_move().other())] {
                let lines = |cell: &Cell| {
                    let placed = Placement { mark, cell: *cell };
                    let freestyle = Rules::line(game.spec(), false).lines(game.board(), placed);
                    (!game.rules().lines(game.board(), placed).is_empty(), !freestyle.is_empty())
                };
                let empty = || game.board().empty_cells();
                let wins: Vec<u16> = empty().filter(|c| lines(c).0).map(|c| c.0).collect();
                longer += empty().filter(|cell| lines(cell) == (false, true)).count();
                assert_eq!(position.winning_cells(side).collect::<Vec<_>>(), wins, "{game:?}");
            }
            let quiet = |placed: &Placement| game.rules().lines(game.board(), *placed).is_empty();
            let Some(placed) = game.legal().filter(quiet).choose(&mut rng) else { break };
            game.apply(game.move_with(placed)).unwrap();
        }
        game = Game::new(*game.rules(), Mark::X);
    }
    assert!(longer > 0, "six in a row were possible");
}
