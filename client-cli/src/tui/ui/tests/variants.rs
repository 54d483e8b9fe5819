//! The rooms of variants: their boards in characters, their keys, and the notes of a first game.

use noughts_protocol::{BoardSpec, Cell, RoomIntent, Variant};

use super::*;
use crate::fixture::variant;
use crate::tui::app::tests::{cell_of, sent_to_room};

/// The room of a variant after moves in named cells: "e5", or "o b2" with its mark.
fn with_notes(of: Variant, board: &str, moves: &str) -> AppDriver {
    let spec: BoardSpec = board.parse().unwrap();
    let made = moves.split(',').map(str::trim).filter(|made| !made.is_empty()).map(|made| {
        let (mark, name) = made.split_once(' ').unwrap_or(("", made));
        let mark = match mark {
            "x" => Some(Mark::X),
            "o" => Some(Mark::O),
            _ => None,
        };
        (spec.parse_cell(name).unwrap().0, mark)
    });
    AppDriver::in_room(variant(of, board, &made.collect::<Vec<_>>()))
}

/// The same without the notes.
fn room(of: Variant, board: &str, moves: &str) -> AppDriver {
    let mut driver = with_notes(of, board, moves);
    driver.app.overlay = None;
    driver
}

#[test]
fn nine_boards_show_where_to_play_and_who_has_won_which() {
    let moves = "e5, d4, a1, b2, e4, d1, a2, a4, a3";
    let shown = screen(&mut room(Variant::Ultimate, "9x9x3", moves), 80, 24);
    check_has(&shown, &[" 1    ╲   ╱   ┃ O │", " 2      ╳     ┃", " 7  · │ · │ · ┃   │"]);
    check_has(&shown, &["ultimate", "Bob's turn (O).", "Board 7 (a7 to c9)."]);
    let narrow = screen(&mut room(Variant::Ultimate, "9x9x3", moves), 40, 24);
    check_has(&narrow, &[" 2     ╳    ┃", " 7  ·  ·  · ┃"]);
}

#[test]
fn the_cursor_goes_to_the_board_that_is_to_be_played_in() {
    let mut driver = room(Variant::Ultimate, "9x9x3", "e5");
    let start = variant(Variant::Ultimate, "9x9x3", &[(40, None)]);
    // The place of d4 in its board names the first one, whose nearest cell is c3.
    driver.feed(event(11, crate::fixture::made(&start, (30, None))));
    assert_eq!(driver.app.room.cursor, Cell(20));
}

#[test]
fn the_line_of_a_dead_board_is_struck() {
    let shown = screen(&mut room(Variant::Notakto, "15x3x3", "a1, b2, c1, b1"), 80, 24);
    check_has(&shown, &["=X=│[X]│=X=", "Your turn. Boards 2 to 5."]);
}

#[test]
fn the_mark_that_goes_next_has_a_sign() {
    let shown = screen(&mut room(Variant::Vanish, "3x3x3", "1, 2, 5, 9, 3, 7"), 40, 12);
    check_has(&shown, &["~X~│ O │ X", "The mark on 1 goes then."]);
}

#[test]
fn a_mark_falls_wherever_in_its_column_it_is_meant() {
    let fallen = |keys: &str| {
        let mut driver = room(Variant::Gravity, "7x6x4", "d6, d5");
        driver.type_text(keys);
        cell_of(&driver.press(KeyCode::Enter))
    };
    let spec: BoardSpec = "7x6x4".parse().unwrap();
    let cell = |name: &str| spec.parse_cell(name).unwrap().0;
    assert_eq!(fallen(""), cell("d4"), "the cursor is in the middle");
    assert_eq!(fallen("b"), cell("b6"), "a column is enough");
    assert_eq!(fallen("b6"), cell("b6"));
    let mut driver = room(Variant::Gravity, "7x6x4", "");
    driver.type_text("b2");
    assert_eq!(driver.press(KeyCode::Enter), []);
    check_has(driver.message(), &["from b2 to b6"]);
    let mut driver = room(Variant::Gravity, "7x6x4", "d6, d5");
    driver.type_text("d6");
    assert_eq!(driver.press(KeyCode::Enter), []);
    check_has(driver.message(), &["d6 is taken: a mark in its column falls to d4"]);
    let view = driver.app.shell.session.room().unwrap();
    assert!(view.read_move("z9").unwrap_err().ends_with("to g6, or a column's letter"));
}

#[test]
fn the_player_chooses_the_mark_where_there_is_a_choice() {
    let mut driver = room(Variant::Wild, "3x3x3", "");
    check_has(&screen(&mut driver, 80, 24), &["You place X", "o places O", "R resign"]);
    driver.type_text("o");
    check_has(&screen(&mut driver, 80, 24), &["You place O", ">  o  <", "x places X"]);
    let play = RoomIntent::Play { game: 1, ply: 0, cell: Cell(4), placed: Some(Mark::O) };
    assert_eq!(*sent_to_room(&driver.press(KeyCode::Enter)), play);
    check_has(&screen(&mut driver, 40, 12), &[".O."]);
    check_has(
        &screen(&mut room(Variant::Order, "6x6x5", "o a1"), 80, 24),
        &["O Bob, Chaos", "Bob's turn (Chaos)."],
    );
}

#[test]
fn the_notes_of_a_variant_are_shown_once() {
    let mut driver = with_notes(Variant::Qubic, "4x16x4", "");
    check_has(
        &screen(&mut driver, 80, 24),
        &["Qubic, 4x4x4", "The board is a cube of 4 layers, L1 to L4, one below", "Enter play"],
    );
    assert_eq!(driver.press(KeyCode::Enter), [], "it plays nothing");
    assert_eq!(driver.app.overlay, None);
    assert!(driver.app.shell.client.profile.saved.explained.contains("qubic"));
    let again = variant(Variant::Qubic, "3x9x3", &[]);
    driver.feed(crate::fixture::shown(again));
    assert_eq!(driver.app.overlay, None);
}
