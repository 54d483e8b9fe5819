//! Tic-tac-toe: every position, against a reference that is as plain as the rules.

use std::collections::{HashMap, HashSet};

use noughts_protocol::{Board, BoardSpec, Cell, Computer, Game, Mark, Strength};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::tests::{game, minimax, play, rules};
use crate::{Deadline, candidates, choose};

/// The lines as people draw them; the code under test has bits.
const LINES: [[u16; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const SEARCHING: [(Strength, i32, i32); 4] = [
    (Strength::Weak, 2, 100),
    (Strength::Average, 4, 6),
    (Strength::Strong, 6, 3),
    (Strength::VeryStrong, 10, 0),
];

/// Every unfinished position that can come about, by one order of moves each: 4,520 of them.
pub(in crate::strategies) fn unfinished(first: Mark, early_draw: bool) -> Vec<Game> {
    let mut seen = HashSet::new();
    let mut games = vec![Game::new(rules(BoardSpec::TIC_TAC_TOE, early_draw), first)];
    let mut at = 0;
    while let Some(game) = games.get(at).cloned() {
        at += 1;
        for cell in game.board().empty_cells() {
            let mut next = game.clone();
            play(&mut next, cell);
            if next.result().is_none() && seen.insert(next.board().clone()) {
                games.push(next);
            }
        }
    }
    games
}

/// The score of a move for `own`, by trying everything.
#[derive(Clone, Copy)]
struct Reference {
    own: Mark,
    depth: i32,
    threshold: i32,
    early_draw: bool,
}

/// Scores by position, depth and searching player, so that none is worked out twice.
type Known = HashMap<(Board, i32, Mark), i32>;

impl Reference {
    fn score(self, board: &Board, cell: Cell, mark: Mark, depth: i32, known: &mut Known) -> i32 {
        let mut next = board.clone();
        next.set(cell, Some(mark));
        let key = (next, depth, self.own);
        if let Some(score) = known.get(&key) {
            return *score;
        }
        let score = self.of_position(&key.0, mark, depth, known);
        known.insert(key, score);
        score
    }

    fn of_position(self, board: &Board, mark: Mark, depth: i32, known: &mut Known) -> i32 {
        let full = |line: &[u16; 3]| line.iter().all(|c| board.get(Cell(*c)) == Some(mark));
        if LINES.iter().any(full) {
            return if mark == self.own { 100 - 5 * depth } else { 5 * depth - 100 };
        }
        let empty: Vec<Cell> = board.empty_cells().collect();
        let left = empty.len() as u16;
        let next = left.div_ceil(2);
        let after = left / 2;
        let (x, o) = if mark == Mark::O { (next, after) } else { (after, next) };
        let open = || rules(BoardSpec::TIC_TAC_TOE, true).any_line_open(board, x, o);
        if left == 0 || (self.early_draw && !open()) {
            return 0;
        }
        if depth == self.depth {
            return LINES.map(|line| self.line_value(board, line)).iter().sum();
        }
        let scores =
            empty.into_iter().map(|c| self.score(board, c, mark.other(), depth + 1, known));
        if mark == self.own { scores.min().unwrap() } else { scores.max().unwrap() }
    }

    fn line_value(self, board: &Board, line: [u16; 3]) -> i32 {
        let count = |mark| line.iter().filter(|c| board.get(Cell(**c)) == Some(mark)).count();
        let value: i32 = match (count(self.own), count(self.own.other())) {
            (0, 0) => 0,
            (1, 0) => 3,
            (2, 0) => 6,
            (0, 1) => -3,
            (0, 2) => -6,
            _ => -1,
        };
        if value.abs() >= self.threshold { value } else { 0 }
    }
}

fn check_against_reference(games: &[Game]) {
    for (strength, depth, threshold) in SEARCHING {
        let mut known = Known::new();
        for game in games {
            let own = game.to_move();
            let early_draw = game.rules().early_draw;
            let reference = Reference { own, depth, threshold, early_draw };
            let mut score = |cell| reference.score(game.board(), cell, own, 1, &mut known);
            let expected: Vec<_> =
                game.board().empty_cells().map(|cell| (cell, score(cell))).collect();
            let found = candidates(game, minimax(strength), &Deadline::none());
            let moves = game.moves();
            assert_eq!(found.scores.as_ref(), Some(&expected), "{strength}: {moves:?}");
            let best = expected.iter().map(|s| s.1).max().unwrap();
            let moves: Vec<_> = expected.iter().filter(|s| s.1 == best).map(|s| s.0).collect();
            assert_eq!(found.moves, moves);
        }
    }
}

#[test]
fn every_score_is_the_reference_s() {
    let games = unfinished(Mark::X, false);
    assert_eq!(games.len(), 4_520);
    check_against_reference(&games);
}

#[test]
fn every_score_is_the_reference_s_when_the_draw_is_called_early() {
    check_against_reference(&unfinished(Mark::X, true));
}

#[test]
fn who_moves_first_changes_nothing_but_the_names() {
    let x_first = unfinished(Mark::X, false);
    let o_first = unfinished(Mark::O, false);
    assert_eq!(o_first.len(), 4_520);
    for (x, o) in x_first.iter().zip(&o_first) {
        assert_eq!(x.moves(), o.moves());
        for strength in Strength::NAMED {
            let candidates = |game| candidates(game, minimax(strength), &Deadline::none());
            assert_eq!(candidates(x), candidates(o));
        }
    }
}

#[test]
fn very_weak_may_play_any_empty_cell() {
    let found = candidates(
        &game("3x3x3", Mark::X, "1 2 4 5"),
        minimax(Strength::VeryWeak),
        &Deadline::none(),
    );
    assert_eq!(found.moves, [2, 5, 6, 7, 8].map(Cell));
}

/// Plays every reply of the opponent against every candidate of the computer, which has `own`.
pub(in crate::strategies) fn never_loses(game: &Game, own: Mark, computer: Computer) {
    let cells = if game.turn() == Some(own) {
        candidates(game, computer, &Deadline::none()).moves
    } else {
        game.board().empty_cells().collect()
    };
    for cell in cells {
        let mut next = game.clone();
        play(&mut next, cell);
        match next.result() {
            Some(result) => assert_ne!(result.winner(), Some(own.other()), "{next:?}"),
            None => never_loses(&next, own, computer),
        }
    }
}

/// Points in 1,000 games, two for a win and one for a draw; they take turns to begin.
fn points(computer: Computer, against: Computer) -> u32 {
    let mut rng = StdRng::seed_from_u64(9);
    let mut points = 0;
    for number in 0..1_000 {
        let own = if number % 2 == 0 { Mark::X } else { Mark::O };
        let mut game = Game::new(rules(BoardSpec::TIC_TAC_TOE, false), Mark::X);
        while let Some(turn) = game.turn() {
            let player = if turn == own { computer } else { against };
            let cell = choose(&game, player, &Deadline::none(), &mut rng).unwrap().cell;
            play(&mut game, cell);
        }
        points += match game.result().and_then(|result| result.winner()) {
            None => 1,
            Some(winner) => {
                if winner == own {
                    2
                } else {
                    0
                }
            }
        };
    }
    points
}

#[test]
fn each_strength_scores_at_least_as_well_as_the_one_below() {
    for pair in Strength::NAMED.windows(2) {
        let points = points(minimax(pair[1]), minimax(pair[0]));
        println!("{} over {}: {points}", pair[1], pair[0]);
        assert!(points >= 1_000, "{} has {points} of 2,000 against {}", pair[1], pair[0]);
    }
}
