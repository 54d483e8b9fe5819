//! Conversations with programs, line by line, right and wrong.

use super::*;

fn turn(board: &str, moves: &[u16]) -> Turn {
    let moves = moves.iter().copied().map(Cell).collect();
    Turn {
        board: board.parse().unwrap(),
        variant: Variant::Line,
        side: Mark::X,
        placed: Vec::new(),
        moves,
    }
}

fn ask(manager: &mut Manager, board: &str, moves: &[u16]) -> Vec<String> {
    let lines = manager.ask(&turn(board, moves), Duration::from_secs(5));
    // The limits come before each move, and are always the same here.
    lines.into_iter().filter(|line| !line.starts_with("INFO")).collect()
}

fn hear(manager: &mut Manager, text: &str) -> Result<Reply, Fault> {
    let heard = manager.hear(&Line { text: text.to_owned(), cut: false });
    heard.map(|heard| match heard {
        Reply::Say(mut lines) => {
            lines.retain(|line| !line.starts_with("INFO"));
            Reply::Say(lines)
        }
        heard => heard,
    })
}

/// All that is said once the program has answered OK.
fn after_ok(manager: &mut Manager) -> Vec<String> {
    match manager.hear(&Line { text: "OK".to_owned(), cut: false }) {
        Ok(Reply::Say(lines)) => lines,
        other => panic!("{other:?}"),
    }
}

fn said(lines: &[&str]) -> Result<Reply, Fault> {
    Ok(Reply::Say(lines.iter().map(|&line| line.to_owned()).collect()))
}

/// A manager whose program has played 7,7 on an empty board.
fn begun() -> Manager {
    let mut manager = Manager::new();
    ask(&mut manager, "15x15x5", &[]);
    hear(&mut manager, "OK").unwrap();
    assert_eq!(hear(&mut manager, "7,7"), Ok(Reply::Played(Cell(112), None)));
    manager
}

/// A manager whose program thinks about its first move.
fn thinking() -> Manager {
    let mut manager = Manager::new();
    ask(&mut manager, "15x15x5", &[0]);
    hear(&mut manager, "OK").unwrap();
    assert!(manager.is_thinking());
    manager
}

#[test]
fn a_game_is_begun_and_goes_on_by_turns() {
    let mut manager = Manager::new();
    assert_eq!(ask(&mut manager, "15x15x5", &[]), ["START 15"]);
    assert_eq!(hear(&mut manager, "OK - everything is good"), said(&["BEGIN"]));
    assert_eq!(hear(&mut manager, "7,7"), Ok(Reply::Played(Cell(112), None)));
    assert!(!manager.is_waiting());
    assert_eq!(ask(&mut manager, "15x15x5", &[112, 0]), ["TURN 0,0"]);
    assert_eq!(hear(&mut manager, " 1 , 0 "), Ok(Reply::Played(Cell(1), None)));
    assert_eq!(ask(&mut manager, "15x15x5", &[112, 0, 1, 16]), ["TURN 1,1"]);
}

#[test]
fn the_limits_come_before_each_move() {
    let mut manager = Manager::new();
    manager.ask(&turn("15x15x5", &[]), Duration::from_millis(1_500));
    let lines = after_ok(&mut manager);
    assert_eq!(lines[0], "INFO timeout_turn 1500");
    assert!(lines.contains(&"INFO rule 0".to_owned()), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("BEGIN"));
    hear(&mut manager, "7,7").unwrap();
    let lines = manager.ask(&turn("15x15x5", &[112, 0]), Duration::from_secs(9_999_999));
    assert_eq!(lines[0], "INFO timeout_turn 2147483647");
}

#[test]
fn a_variant_is_named_and_moves_have_marks() {
    let mut manager = Manager::new();
    let time = Duration::from_secs(5);
    let variant = Variant::Wild;
    let wild = |cells: &[u16], placed: &[Mark]| {
        let moves = cells.iter().copied().map(Cell).collect();
        let board = "3x3x3".parse().unwrap();
        Turn { board, variant, side: Mark::O, placed: placed.to_vec(), moves }
    };
    assert_eq!(manager.ask(&wild(&[4], &[Mark::O]), time), ["START 3"]);
    let lines = after_ok(&mut manager);
    let told = ["INFO variant wild", "INFO side o", "BOARD", "1,1,2,o", "DONE"];
    assert_eq!(lines[lines.len() - 5..], told);
    assert_eq!(hear(&mut manager, "0,0,x"), Ok(Reply::Played(Cell(0), Some(Mark::X))));
    let lines = manager.ask(&wild(&[4, 0, 8], &[Mark::O, Mark::X, Mark::X]), time);
    assert_eq!(lines.last().map(String::as_str), Some("TURN 2,2,x"));
    // In a game of the protocol it is no cell.
    assert_eq!(hear(&mut thinking(), "0,0,x"), Ok(Reply::Nothing));
}

#[test]
fn another_position_is_set_up() {
    let mut manager = begun();
    assert_eq!(ask(&mut manager, "15x15x5", &[3, 0, 1, 16]), ["RESTART"]);
    let board = ["BOARD", "3,0,1", "0,0,2", "1,0,1", "1,1,2", "DONE"];
    assert_eq!(hear(&mut manager, "OK"), said(&board));
    hear(&mut manager, "2,0").unwrap();
    // Another game, in which the opponent begins, and another board.
    assert_eq!(ask(&mut manager, "15x15x5", &[5]), ["RESTART"]);
    assert_eq!(hear(&mut manager, "OK"), said(&["TURN 5,0"]));
    hear(&mut manager, "0,0").unwrap();
    assert_eq!(ask(&mut manager, "19x12x5", &[]), ["RECTSTART 19,12"]);
    assert_eq!(hear(&mut manager, "OK"), said(&["BEGIN"]));
}

#[test]
fn a_program_without_restart_is_started_again() {
    let mut manager = begun();
    ask(&mut manager, "15x15x5", &[]);
    assert_eq!(hear(&mut manager, "UNKNOWN command"), Ok(Reply::StartAgain));
    let mut manager = begun();
    ask(&mut manager, "15x15x5", &[]);
    assert!(matches!(hear(&mut manager, "ERROR"), Err(Fault::Refused(_))));
}

#[test]
fn it_may_talk_before_it_answers() {
    let mut manager = Manager::new();
    ask(&mut manager, "15x15x5", &[]);
    assert_eq!(hear(&mut manager, "Welcome to my brain"), Ok(Reply::Nothing));
    hear(&mut manager, "OK").unwrap();
    assert_eq!(hear(&mut manager, "DEBUG depth 5"), Ok(Reply::Nothing));
    for _ in 0..MAX_MESSAGES {
        assert_eq!(hear(&mut manager, "MESSAGE I win"), Ok(Reply::Message("I win".into())));
    }
    assert_eq!(hear(&mut manager, "MESSAGE I win"), Ok(Reply::Nothing), "that is enough");
    assert_eq!(hear(&mut manager, "OK"), Ok(Reply::Nothing));
    assert_eq!(hear(&mut manager, "SUGGEST 3,4"), said(&["PLAY 3,4"]));
    assert_eq!(hear(&mut manager, "3,4"), Ok(Reply::Played(Cell(63), None)));
    assert_eq!(hear(&mut manager, "3,4"), Ok(Reply::Nothing), "nothing is awaited");
    let message = Line { text: "MESSAGE \u{1b}[2J\u{202e}".to_owned(), cut: true };
    begun().hear(&message).unwrap();
    let Ok(Reply::Message(text)) = begun().hear(&message) else { panic!("no message") };
    assert!(!text.as_str().contains(['\u{1b}', '\u{202e}']), "{text}");
}

#[test]
fn a_cell_that_cannot_be_played_is_a_fault() {
    for (answer, says) in [
        ("15,0", "it played 15,0, which is not on the board"),
        ("-1,0", "it played -1,0, which is not on the board"),
        ("0,0", "it played a1, which is taken"),
        ("0,0 (eval 0.31)", "it played a1, which is taken"),
    ] {
        let fault = hear(&mut thinking(), answer).unwrap_err();
        assert_eq!(fault.to_string(), says);
    }
}

#[test]
fn lines_that_are_no_cell_are_skipped() {
    let mut manager = thinking();
    let long = "x".repeat(1_024);
    for line in
        ["h8", "7", "7,7,7", "99999999999,0", "12,345 positions", "SUGGEST", "\u{1b}[2J", &*long]
    {
        assert_eq!(hear(&mut manager, line), Ok(Reply::Nothing), "{line}");
    }
    let cut = Line { text: "7,7".to_owned(), cut: true };
    assert_eq!(manager.hear(&cut), Ok(Reply::Nothing), "the rest is not known");
    let why = manager.late().unwrap().to_string();
    assert_eq!(why, "it played no cell in time, and its last line was 7,7…");
    hear(&mut manager, &long).unwrap();
    assert!(manager.late().unwrap().to_string().len() < 140);
    assert_eq!(manager.late(), None, "it was silent since");
    for line in ["7,7 (eval 0.31)", "7 , 7\t12 ms", "7,7 4, 5"] {
        assert_eq!(hear(&mut thinking(), line), Ok(Reply::Played(Cell(112), None)), "{line}");
    }
}

#[test]
fn a_limit_that_it_does_not_know_is_no_fault() {
    let mut manager = Manager::new();
    ask(&mut manager, "15x15x5", &[0]);
    let lines = after_ok(&mut manager);
    let infos = lines.iter().filter(|line| line.starts_with("INFO")).count();
    for _ in 1..infos {
        assert_eq!(hear(&mut manager, "UNKNOWN command"), Ok(Reply::Nothing));
    }
    assert_eq!(hear(&mut manager, "ERROR no such limit"), Ok(Reply::Nothing));
    assert_eq!(hear(&mut manager, "1,0"), Ok(Reply::Played(Cell(1), None)));
    // One answer more is about the move.
    ask(&mut manager, "15x15x5", &[0, 1, 2]);
    for _ in 0..infos {
        hear(&mut manager, "UNKNOWN").unwrap();
    }
    let refused = hear(&mut manager, "UNKNOWN TURN").unwrap_err();
    assert_eq!(refused.to_string(), "it answered UNKNOWN TURN");
}

/// Any lines, in any state: no panic, and what is said is bounded.
#[test]
fn anything_may_be_heard() {
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    let mut rng = StdRng::seed_from_u64(19);
    let words =
        ["OK", "ERROR", "UNKNOWN", "MESSAGE", "SUGGEST", "DEBUG", "7,7", "0,0", ",", "\u{1b}"];
    for _ in 0..2_000 {
        let mut manager = Manager::new();
        for _ in 0..30 {
            if rng.random_ratio(1, 4) && !manager.is_waiting() {
                let plies = rng.random_range(0..4);
                ask(&mut manager, "9x9x5", &[3, 4, 5][..plies]);
            }
            let word = words.choose(&mut rng).unwrap();
            let text = format!("{word} {}", words.choose(&mut rng).unwrap());
            let text = if rng.random() { text } else { (*word).to_owned() };
            if let Ok(Reply::Say(lines)) = hear(&mut manager, &text) {
                assert!(lines.len() < 400 && lines.iter().all(|line| !line.contains(['\r', '\n'])));
            }
        }
    }
}

#[test]
fn lines_without_end_are_a_fault() {
    let mut manager = thinking();
    let mut lines = 0;
    while hear(&mut manager, "DEBUG").is_ok() {
        lines += 1;
        assert!(lines <= MAX_LINES);
    }
    assert_eq!(hear(&mut manager, "DEBUG"), Err(Fault::Endless));
}

#[test]
fn it_is_asked_for_its_name() {
    let mut manager = Manager::new();
    assert_eq!(manager.about(), ["ABOUT"]);
    let named = Ok(Reply::Named("Swine".parse().ok()));
    assert_eq!(hear(&mut manager, "name=\"Swine\", version=\"1\""), named);
    manager.about();
    assert_eq!(hear(&mut manager, "UNKNOWN"), Ok(Reply::Named(None)));
    // Its start is the same as without the question.
    assert_eq!(ask(&mut manager, "15x15x5", &[]), ["START 15"]);
}
