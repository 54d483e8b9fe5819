//! `noughts-server engine`, driven by a manager of the Gomocup protocol. Programs in rooms and parties
//! are in [`room`].

mod room;

use std::process::Command;
use std::time::{Duration, Instant};

use noughts_harness::Pipe;
use noughts_harness::process::program;
use noughts_protocol::{Cell, Game, Mark, Move, RoomSettings, Rules};

/// An engine of ours. It has answered `ABOUT`.
fn engine(args: &[&str]) -> Pipe {
    let mut engine = Pipe::start(Command::new(program("noughts-server")).arg("engine").args(args));
    engine.line("ABOUT\r");
    engine.wait_for("name=\"Noughts\"");
    engine
}

/// Says a line. Returns the answer.
fn ask(engine: &mut Pipe, line: &str) -> String {
    engine.line(&format!("{line}\r"));
    loop {
        let answer = engine.wait_for("").trim_end().to_owned();
        if !answer.starts_with("MESSAGE") {
            return answer;
        }
    }
}

/// Says a line, and reads the answer as a cell of a board of this width.
fn cell(engine: &mut Pipe, line: &str, width: u16) -> Cell {
    let answer = ask(engine, line);
    let (x, y) = answer.split_once(',').unwrap_or_else(|| panic!("{line}: {answer}"));
    Cell(y.parse::<u16>().unwrap() * width + x.parse::<u16>().unwrap())
}

#[test]
fn two_engines_play_a_whole_game_for_a_manager() {
    let mut engines = [&["--strength", "strong"][..], &["--strength", "weak"]].map(engine);
    for engine in &mut engines {
        assert_eq!(ask(engine, "START 9"), "OK");
        for line in ["INFO timeout_turn 400", "INFO timeout_match 0", "INFO rule 0"] {
            engine.line(line);
        }
    }
    let board = "9x9x5".parse().unwrap();
    let rules = Rules::of(&RoomSettings { board, ..RoomSettings::default() });
    let mut game = Game::new(rules, Mark::X);
    let mut next = "BEGIN".to_owned();
    while let Some(mark) = game.turn() {
        let begun = Instant::now();
        let cell = cell(&mut engines[usize::from(mark == Mark::O)], &next, 9);
        // The margin is for a busy machine.
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
        game.apply(Move { ply: game.ply(), mark, cell, placed: None }).unwrap();
        let (x, y) = board.position(cell);
        next = format!("TURN {x},{y}");
    }
    assert!(game.ply() >= 9);
    for engine in &mut engines {
        // After the game there is another one.
        assert_eq!(ask(engine, "RESTART"), "OK");
        cell(engine, "BEGIN", 9);
        engine.line("END");
        assert_eq!(engine.wait_exit(), 0);
    }
}

#[test]
fn the_end_does_not_wait_for_a_search() {
    let mut engine = thinking();
    engine.line("END");
    assert_eq!(engine.wait_exit(), 0);
    assert!(!engine.seen.last().unwrap().contains(','), "{:?}", engine.seen);
}

/// An engine that thinks for ten minutes, unless it hears what is said next.
fn thinking() -> Pipe {
    let mut engine = engine(&[]);
    assert_eq!(ask(&mut engine, "START 15"), "OK");
    engine.line("INFO timeout_turn 600000");
    engine.line("TURN 7,7");
    engine
}

#[test]
fn a_search_hears_what_the_manager_says() {
    for line in ["INFO timeout_turn 100", "INFO time_left 0", "STOP"] {
        let answer = ask(&mut thinking(), line);
        assert!(answer.contains(','), "{line}: {answer}");
    }
    for line in ["RESTART", "START 15", "TAKEBACK 7,7"] {
        let mut engine = thinking();
        assert_eq!(ask(&mut engine, line), "OK");
        // A search that still ran would answer this with its move.
        engine.line("STOP");
        let answer = ask(&mut engine, "ABOUT");
        assert!(answer.starts_with("name="), "{line}: a move of the game before: {answer}");
        engine.line("INFO timeout_turn 300");
        assert_eq!(ask(&mut engine, "TURN 7,7").split(',').count(), 2);
    }
    let mut engine = thinking();
    let answers = [ask(&mut engine, "TURN 0,0"), ask(&mut engine, "STOP")];
    assert!(answers.iter().all(|answer| answer.contains(',')), "{answers:?}");
}

#[test]
fn the_end_of_input_is_answered_with_the_best_so_far() {
    let mut engine = thinking();
    engine.end_input();
    assert_eq!(engine.wait_exit(), 0);
    assert!(engine.seen.last().unwrap().contains(','), "{:?}", engine.seen);
}
