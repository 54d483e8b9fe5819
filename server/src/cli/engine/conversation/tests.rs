//! Conversations of a manager, line by line, right and wrong.

use std::time::Duration;

use noughts_protocol::{Cell, Mark, OpeningPhase, Variant};
use proptest::prelude::*;

use super::{Answer, Conversation, Found, Search};

fn conversation() -> Conversation {
    Conversation::new(Duration::from_secs(1))
}

/// The answer to a line: a text, `?` for a search, nothing, or `END`.
fn say(conversation: &mut Conversation, line: &str) -> String {
    match conversation.take(line) {
        Answer::Nothing => String::new(),
        Answer::Text(text) => text,
        Answer::Search(_) => "?".to_owned(),
        Answer::End => "END".to_owned(),
    }
}

/// Says lines, and compares the answers.
#[track_caller]
fn check(lines: &[(&str, &str)]) {
    let mut conversation = conversation();
    for (line, answer) in lines {
        assert_eq!(&say(&mut conversation, line), answer, "{line}");
    }
}

fn search(conversation: &mut Conversation, line: &str) -> Search {
    match conversation.take(line) {
        Answer::Search(search) => search,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_game_is_played_by_turns() {
    let mut manager = conversation();
    assert_eq!(say(&mut manager, "START 15\r\n"), "OK");
    let first = search(&mut manager, "BEGIN");
    assert_eq!((first.game.game.ply(), manager.time().as_millis()), (0, 1_000));
    assert_eq!(manager.found(Found::Move(Cell(7 * 15 + 8))), "8,7");
    let second = search(&mut manager, "turn 7, 7");
    assert_eq!(second.game.game.ply(), 2);
    assert!(!second.game.game.board().is_empty(Cell(7 * 15 + 7)));
    assert_eq!(second.game.game.spec().to_string(), "15x15x5");
    assert_eq!(manager.found(Found::Move(Cell(0))), "0,0");
    // Two moves are taken back, and another one is played.
    assert_eq!(say(&mut manager, "TAKEBACK 0,0"), "OK");
    assert_eq!(say(&mut manager, "TAKEBACK 7,7"), "OK");
    assert_eq!(search(&mut manager, "TURN 9,9").game.game.ply(), 2);
    assert_eq!(say(&mut manager, "RESTART"), "OK");
    assert_eq!(search(&mut manager, "TURN 9,9").game.game.ply(), 1);
    assert_eq!(say(&mut manager, "END"), "END");
}

#[test]
fn a_board_is_set_up_in_any_order() {
    let mut manager = conversation();
    say(&mut manager, "RECTSTART 19,7");
    for line in ["BOARD", "10,1,2", "3,3,1", "", "9,2,1", "18,6,2"] {
        assert_eq!(say(&mut manager, line), "");
    }
    let found = search(&mut manager, "DONE").game.game;
    assert_eq!((found.ply(), found.spec().to_string()), (4, "19x7x5".to_owned()));
    assert_eq!(found.turn(), Some(Mark::X));
}

#[test]
fn a_board_has_any_number_of_marks_of_each_side() {
    let mut manager = conversation();
    say(&mut manager, "START 20");
    for own in [0, 1, 2, 7] {
        say(&mut manager, "BOARD");
        for x in 0..own {
            say(&mut manager, &format!("{},19,1", 2 * x));
        }
        for line in ["3,3,2", "4,3,2"] {
            say(&mut manager, line);
        }
        let game = search(&mut manager, "DONE").game.game;
        assert_eq!((game.turn(), usize::from(game.ply())), (Some(Mark::X), own + 2));
        assert_eq!(game.board().get(Cell(3 * 20 + 4)), Some(Mark::O));
        assert_eq!(game.board().get(Cell(19 * 20)), (own > 0).then_some(Mark::X));
    }
}

/// Says the lines of a swap2 opening; the phase that is searched, and the marks on the board.
fn opening(manager: &mut Conversation, marks: &[&str]) -> (Option<OpeningPhase>, u16) {
    say(manager, "SWAP2BOARD");
    for mark in marks {
        assert_eq!(say(manager, mark), "", "{mark}");
    }
    let found = search(manager, "DONE").game;
    (found.opening, found.game.ply())
}

#[test]
fn a_swap2_opening_has_three_questions() {
    let mut manager = conversation();
    let by = Mark::O;
    say(&mut manager, "START 15");
    let marks = ["7,7", "8,7", "9,9", "8,8", "8,6"];
    assert_eq!(opening(&mut manager, &[]), (Some(OpeningPhase::first(by)), 0));
    let three = Found::Marks([112, 113, 144].map(Cell).to_vec());
    assert_eq!(manager.found(three), "7,7 8,7 9,9");
    let choosing = |may_add| Some(OpeningPhase::Choosing { by, may_add });
    assert_eq!(opening(&mut manager, &marks), (choosing(false), 5));
    // The side that stays is O, and the next turn is X's.
    assert_eq!(opening(&mut manager, &marks[..3]), (choosing(true), 3));
    assert_eq!(manager.found(Found::Move(Cell(0))), "0,0");
    let stays = search(&mut manager, "TURN 1,1").game.game;
    assert_eq!(stays.board().get(Cell(0)), Some(Mark::X), "the side that is asked is X here");
    assert_eq!(stays.board().get(Cell(112)), Some(Mark::O));
    // The other one has the first mark.
    opening(&mut manager, &marks[..3]);
    assert_eq!(manager.found(Found::Swap), "SWAP");
    let swapped = search(&mut manager, "TURN 1,1").game.game;
    assert_eq!(swapped.board().get(Cell(112)), Some(Mark::X));
    check(&[
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("DONE", "ERROR there is no board: START makes one"),
        ("START 12", "OK"),
        ("SWAP2BOARD", ""),
        ("DONE", "ERROR swap2 needs a board of 13 × 13 or more"),
        ("START 20", "OK"),
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("DONE", "ERROR SWAP2BOARD needs no marks, three or five"),
        ("SWAP2BOARD", ""),
        ("7,7,1", ""),
        ("DONE", "ERROR a cell is column and row, as in 7,7"),
    ]);
}

#[test]
fn wrong_lines_are_answered_and_change_nothing() {
    check(&[
        ("BEGIN", "ERROR there is no board: START makes one"),
        ("TURN 1,1", "ERROR there is no board: START makes one"),
        ("RESTART", "ERROR there is no board: START makes one"),
        ("START", "ERROR START needs a size, as in START 15"),
        ("START 21", "ERROR a board has sides of 3 to 20, one of them at least 5"),
        ("START 4", "ERROR a board has sides of 3 to 20, one of them at least 5"),
        ("START 99999999999", "ERROR START needs a size, as in START 15"),
        ("RECTSTART 15", "ERROR RECTSTART needs width and height, as in RECTSTART 15,10"),
        ("START 15", "OK"),
        ("TURN 15,0", "ERROR 15,0 is not on the board"),
        ("TURN -1,0", "ERROR -1,0 is not on the board"),
        ("TURN h8", "ERROR a cell is column and row, as in 7,7"),
        ("TURN 99999999999,0", "ERROR a cell is column and row, as in 7,7"),
        ("TAKEBACK 3,3", "ERROR that cell is empty"),
        ("DONE", "ERROR DONE ends a BOARD, and there is none"),
        ("\u{1b}[2J", "UNKNOWN no such command"),
        ("TURN 7,7", "?"),
        ("TURN 7,7", "ERROR that cell is taken"),
        ("BEGIN", "ERROR BEGIN is for an empty board: RESTART empties it"),
    ]);
    let mut manager = conversation();
    let Answer::Text(text) = manager.too_long() else { panic!("no answer") };
    assert_eq!(text, "ERROR the line is too long");
}

#[test]
fn a_wrong_board_is_answered_once_at_its_end() {
    check(&[
        ("BOARD", ""),
        ("7,7,1", ""),
        ("DONE", "ERROR there is no board: START makes one"),
        ("START 15", "OK"),
        ("BOARD", ""),
        ("7,7,1", ""),
        ("7,7,2", ""),
        ("TURN 8,8", ""),
        ("DONE", "ERROR that cell is taken"),
        ("BOARD", ""),
        ("7,7,3", ""),
        ("DONE", "ERROR BOARD needs lines such as 7,7,1, and DONE"),
        ("TURN 7,7", "?"),
    ]);
}

#[test]
fn an_unknown_block_is_answered_once() {
    for block in ["yxboard", "YXBLOCK", "PLAY"] {
        check(&[
            ("START 15", "OK"),
            (block, "UNKNOWN no such command"),
            ("7,7,1", ""),
            ("", ""),
            ("8,8", ""),
            ("DONE", ""),
            ("DONE", "ERROR DONE ends a BOARD, and there is none"),
            (block, "UNKNOWN no such command"),
            ("3,3,1", ""),
            // It had no end: the next command is heard.
            ("TURN 7,7", "?"),
            ("DONE", "ERROR DONE ends a BOARD, and there is none"),
        ]);
    }
}

#[test]
fn what_replaces_the_position_makes_a_search_worthless() {
    for (line, replaces) in [
        ("RESTART", true),
        ("START 15", true),
        ("RECTSTART 9,9", true),
        ("TAKEBACK 7,7", true),
        ("BOARD", true),
        ("TAKEBACK 3,3", false),
        ("START 99", false),
        ("INFO timeout_turn 100", false),
        ("ABOUT", false),
        ("SWAP2BOARD", true),
        ("YXBOARD", false),
        ("STOP", false),
    ] {
        let mut manager = conversation();
        say(&mut manager, "START 15");
        search(&mut manager, "TURN 7,7");
        let before = manager.position();
        manager.take(line);
        assert_eq!(manager.position() != before, replaces, "{line}");
    }
}

#[test]
fn a_move_is_said_before_what_needs_it() {
    for (line, hurries) in [
        ("STOP\r\n", true),
        ("yxstop", true),
        ("TURN 8,8", true),
        ("BEGIN", true),
        ("INFO timeout_turn 9", false),
        ("RESTART", false),
        ("END", false),
    ] {
        assert_eq!(super::hurries(line), hurries, "{line}");
    }
}

#[test]
fn a_game_that_is_over_is_not_played_on() {
    let mut manager = conversation();
    say(&mut manager, "START 15");
    say(&mut manager, "BOARD");
    for x in 0..5 {
        say(&mut manager, &format!("{x},0,2"));
        say(&mut manager, &format!("{x},9,{}", if x == 4 { 2 } else { 1 }));
    }
    assert_eq!(say(&mut manager, "DONE"), "ERROR the game is over");
}

#[test]
fn rules_that_are_not_played_are_an_error_before_the_move() {
    for (rule, name) in [(2, "continuous"), (4, "renju"), (8, "Caro")] {
        let mut manager = conversation();
        assert_eq!(say(&mut manager, "START 15"), "OK");
        assert_eq!(say(&mut manager, &format!("INFO rule {rule}")), "");
        let answer = say(&mut manager, "BEGIN");
        assert!(answer.starts_with("ERROR") && answer.contains(name), "{answer}");
        assert!(say(&mut manager, "TURN 1,1").starts_with("ERROR"));
        say(&mut manager, "INFO rule 0");
        assert_eq!(say(&mut manager, "BEGIN"), "?", "the refused move left nothing");
    }
}

#[test]
fn rule_1_is_exactly_five() {
    let mut manager = conversation();
    say(&mut manager, "INFO rule 1");
    say(&mut manager, "START 20");
    assert_eq!(search(&mut manager, "BEGIN").game.game.rules().variant, Variant::Exact);
    let six = |manager: &mut Conversation| {
        say(manager, "BOARD");
        for x in 0..6 {
            say(manager, &format!("{x},0,2"));
        }
        say(manager, "DONE")
    };
    assert_eq!(six(&mut manager), "?", "six are no line");
    say(&mut manager, "INFO rule 0");
    assert_eq!(six(&mut manager), "ERROR the game is over");
    say(&mut manager, "INFO rule 1");
    say(&mut manager, "RECTSTART 9,4");
    let answer = say(&mut manager, "BEGIN");
    assert_eq!(answer, "ERROR exactly five in a row needs sides of 5 or more");
}

#[test]
fn limits_are_kept_and_other_information_is_ignored() {
    let mut manager = conversation();
    for line in [
        "INFO timeout_turn 500",
        "INFO max_memory 83886080",
        "INFO game_type 1",
        "INFO folder /tmp",
        "INFO evaluate 3,3",
        "INFO timeout_match soon",
        "INFO",
    ] {
        assert_eq!(say(&mut manager, line), "", "{line}");
    }
    say(&mut manager, "START 15");
    let found = search(&mut manager, "BEGIN");
    assert_eq!((manager.time().as_millis(), found.memory), (450, Some(41_943_040)));
    say(&mut manager, "INFO time_left 2000");
    assert_eq!(manager.time().as_millis(), 90);
}

#[test]
fn it_says_what_it_is() {
    let about = say(&mut conversation(), "ABOUT");
    assert!(about.starts_with("name=\"Noughts\", version=\""), "{about}");
    assert!(about.ends_with(", author=\"The Noughts developers\""), "{about}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No line makes it panic, remember more than its board holds, or answer two lines.
    #[test]
    fn any_lines_are_answered(
        lines in prop::collection::vec(
            prop_oneof![
                "(START|RECTSTART|TURN|TAKEBACK|INFO|BOARD|SWAP2BOARD|DONE|BEGIN|RESTART|END|PLAY)? ?-?[0-9]{0,3}(,-?[0-9]{0,3}){0,3}",
                "[0-4],[0-4],[0-3]",
                any::<String>(),
            ],
            0..200,
        )
    ) {
        let mut manager = conversation();
        say(&mut manager, "START 5");
        for line in lines {
            match manager.take(&line) {
                Answer::Text(text) => prop_assert!(!text.contains(['\r', '\n']), "{text:?}"),
                Answer::Search(search) => {
                    let cell = search.game.game.board().empty_cells().next().unwrap();
                    manager.found(Found::Move(cell));
                }
                Answer::Nothing | Answer::End => {}
            }
            prop_assert!(manager.stones.len() <= 400);
        }
    }
}
