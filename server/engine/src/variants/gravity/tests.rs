//! Gravity: the values of solved boards, which James Allen, Victor Allis and John Tromp have published
//! (<https://tromp.github.io/c4/c4.html>).

use std::time::Duration;

use noughts_protocol::{BoardSpec, Computer, Game, Mark, Rules, Strategy, Strength, Variant};

use crate::tests::{deadline_in, play};
use crate::{Outcome, candidates};

const PERFECT: Computer = Computer { strategy: Strategy::Perfect, strength: Strength::VeryStrong };

/// A game after marks fell into these columns, from 1.
fn game(board: &str, columns: &[u16]) -> Game {
    let board: BoardSpec = board.parse().unwrap();
    let rules = Rules { variant: Variant::Gravity, ..Rules::line(board, false) };
    let mut game = Game::new(rules, Mark::X);
    for column in columns {
        let is_there = |cell: u16| cell % u16::from(board.width()) + 1 == *column;
        let placed = game.legal().find(|placed| is_there(placed.cell.0)).unwrap();
        play(&mut game, placed.cell);
    }
    game
}

/// The outcome that is proven with as much time as that takes.
fn value(board: &str, columns: &[u16]) -> Option<Outcome> {
    candidates(&game(board, columns), PERFECT, &deadline_in(Duration::from_secs(3_600))).outcome
}

#[test]
fn the_known_values_of_small_boards_are_proven() {
    let boards = [
        ("4x4x4", Outcome::Draw),
        ("5x4x4", Outcome::Draw),
        ("6x4x4", Outcome::Loss),
        ("4x5x4", Outcome::Draw),
        ("5x5x4", Outcome::Draw),
        ("4x6x4", Outcome::Draw),
    ];
    for (board, expected) in boards {
        assert_eq!(value(board, &[]), Some(expected), "{board}");
    }
}

/// The games after which the book ends, each with its last answer.
fn lines_of_play(game: &Game, ends: &mut Vec<Game>) {
    let found = candidates(game, PERFECT, &deadline_in(Duration::ZERO));
    assert_eq!(found.outcome, Some(Outcome::Win), "{:?}", game.moves());
    let mut after = game.clone();
    play(&mut after, found.moves[0]);
    if after.result().is_some() || after.ply() > 8 {
        ends.push(after);
        return;
    }
    for placed in after.legal() {
        let mut next = after.clone();
        play(&mut next, placed.cell);
        lines_of_play(&next, ends);
    }
}

#[test]
fn the_book_of_7_by_6_answers_every_move() {
    let mut ends = Vec::new();
    lines_of_play(&game("7x6x4", &[]), &mut ends);
    assert_eq!(ends.len(), 1_606);
}

#[test]
#[ignore = "takes minutes, optimised: cargo test --release -p noughts-engine the_book_of -- --ignored"]
fn the_book_of_7_by_6_wins() {
    let mut ends = Vec::new();
    lines_of_play(&game("7x6x4", &[]), &mut ends);
    for game in ends.into_iter().filter(|game| game.result().is_none()) {
        let found = candidates(&game, PERFECT, &deadline_in(Duration::from_secs(3_600)));
        assert_eq!(found.outcome, Some(Outcome::Loss), "{:?}", game.moves());
    }
}

#[test]
#[ignore = "takes minutes, optimised: cargo test --release -p noughts-engine centre_column -- --ignored"]
fn the_first_player_wins_7_by_6_in_the_centre_column_alone() {
    let after = [Outcome::Win, Outcome::Win, Outcome::Draw, Outcome::Loss];
    for (column, expected) in (1..).zip(after) {
        assert_eq!(value("7x6x4", &[column]), Some(expected), "column {column}");
    }
}
