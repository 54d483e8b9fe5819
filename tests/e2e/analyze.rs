//! `noughts-server analyze` and `match`, as processes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use noughts_harness::process::program;
use serde_json::{Value, json};

fn server(args: &[&str]) -> Command {
    let mut command = Command::new(program("noughts-server"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it with a text on standard input.
fn run(args: &[&str], input: String) -> Output {
    let mut child = server(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have refused its arguments and be gone.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// The lines of JSON that it answers with.
fn analyze(args: &[&str], input: String) -> Vec<Value> {
    let output = run(&[&["analyze", "--json"], args].concat(), input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn all_is_twelve_combinations_of_which_two_have_no_strength() {
    let answers = analyze(&["--strategy", "all", "O...X...O"], String::new());
    let names: Vec<_> =
        answers.iter().map(|a| (a["strategy"].clone(), a["strength"].clone())).collect();
    assert_eq!(names.len(), 12);
    assert_eq!(names[0], (json!("heuristic"), json!("very_weak")));
    assert_eq!(names[9], (json!("minimax"), json!("very_strong")));
    assert_eq!(names[10..], [(json!("perfect"), Value::Null), (json!("rules"), Value::Null)]);
    let keys: Vec<_> = answers[0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["board", "moves", "scores", "strategy", "strength", "turn"]);
    // The worked example of the heuristic: the corners look best, and lose.
    assert_eq!(answers[4]["scores"], json!({"1": 3, "2": 4, "3": 3, "5": 3, "6": 4, "7": 3}));
    assert_eq!(answers[4]["moves"], json!([2, 6]));
    assert_eq!(answers[10]["scores"]["2"], -10);
    assert_eq!(answers[11]["scores"], Value::Null);
}

#[test]
fn a_larger_board_says_what_is_proven() {
    let args = ["--board", "4x3x3", "--strategy", "perfect", "X..........."];
    assert_eq!(analyze(&args, String::new())[0]["outcome"], "loss");
}

#[test]
fn people_read_cells_as_they_are_called() {
    let output = run(&["analyze", "--strategy", "perfect", "XX.OO...."], String::new());
    let said = String::from_utf8(output.stdout).unwrap();
    let expected = "XX.OO....  X to move  perfect: 3  scores 3=10 6=0 7=-10 8=-10 9=-10\n";
    assert_eq!(said, expected);
}

#[test]
fn a_finished_position_is_answered_with_how_it_ended() {
    let input = "XXXOO....\nXX.OOOX..\nXO.XO.X..\nXO.OX...X\nOOX.XOX.X\nXOXXOOOXX\n";
    let answers = analyze(&["--strategy", "all"], input.to_owned());
    assert_eq!(answers.len(), 6, "one line for each, whatever the strategy");
    let first = json!({
        "board": "XXXOO....",
        "terminal": {"winner": "X", "direction": "H", "row": 1, "line": [0, 1, 2]},
        "empty": false, "full": false, "free": [5, 6, 7, 8],
    });
    assert_eq!(answers[0], first);
    let ends: Vec<Value> = answers.iter().map(|answer| answer["terminal"].clone()).collect();
    assert_eq!(ends[1], json!({"winner": "O", "direction": "H", "row": 2, "line": [3, 4, 5]}));
    assert_eq!(ends[2], json!({"winner": "X", "direction": "V", "column": 1, "line": [0, 3, 6]}));
    let main = json!({"winner": "X", "direction": "D", "diagonal": "main", "line": [0, 4, 8]});
    assert_eq!(ends[3], main);
    let counter =
        json!({"winner": "X", "direction": "D", "diagonal": "counter", "line": [6, 4, 2]});
    assert_eq!(ends[4], counter);
    assert_eq!(ends[5], json!({"winner": "draw"}));
    assert_eq!((&answers[5]["full"], &answers[5]["free"]), (&json!(true), &json!([])));
    // Both the row and the column that the last move completed; the ends on a larger board.
    let two = analyze(&["XXXXOOXOO"], String::new());
    assert_eq!(two[0]["terminal"]["row"], 1);
    assert_eq!(two[0]["terminal"]["more"][0]["column"], 1);
    let larger = analyze(&["--board", "4x4x3", "OX.XO...OX......"], String::new());
    let column = json!({"winner": "O", "direction": "V", "from": 0, "to": 8, "line": [0, 4, 8]});
    assert_eq!(larger[0]["terminal"], column);
    let output = run(&["analyze", "XXXOO....", "XOXXOOOXX"], String::new());
    let said = String::from_utf8(output.stdout).unwrap();
    let expected =
        "XXXOO....  over: X wins with row 1\nXOXXOOOXX  over: a draw, the board is full\n";
    assert_eq!(said, expected);
}

/// A position that cannot be analysed causes one line that contains `words`, and exit code 2.
fn check_refused(args: &[&str], input: &str, words: &str) -> String {
    let output = run(args, input.to_owned());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(words), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_position_that_cannot_be_names_its_line_after_those_that_can() {
    let stdout = check_refused(&["analyze"], "X........\r\n.........\nXX.......\n", "line 3: \"XX");
    assert_eq!(stdout.lines().count(), 2);
    check_refused(&["analyze", "\u{1b}[2J....."], "", "line 1: \"\\u{1b}");
    check_refused(&["analyze", ""], "", "0 letters");
    check_refused(&["analyze", "X........", "--turn", "x"], "", "it cannot be X's turn");
    check_refused(&["analyze"], &"X".repeat(100_000), "letters");
    check_refused(&["analyze", "--board", "2x2x2"], "", "--board");
    check_refused(&["analyze", "--strategy", "best"], "", "use minimax");
    check_refused(&["analyze", "--strength", "best"], "", "use very_weak");
    check_refused(&["match", "--x", "perfect:weak", "--o", "rules"], "", "has no strengths");
}

#[test]
fn whoever_stops_reading_ends_it_silently() {
    let mut child = server(&["analyze", "--strategy", "all"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut first = String::new();
    let writer =
        std::thread::spawn(move || drop(stdin.write_all(".........\n".repeat(50_000).as_bytes())));
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}

#[test]
fn options_of_hosting_in_the_environment_do_not_disturb() {
    let output = server(&["analyze", "X.O......"]).env("NOUGHTS_LOG", "info").output().unwrap();
    assert!(output.status.success());
}

#[test]
fn a_match_counts_every_game_and_repeats_with_its_seed() {
    let args = ["match", "--x", "perfect", "--o", "heuristic:weak", "--games", "200"];
    let args = [&args[..], &["--alternate", "--seed", "7", "--json"]].concat();
    let result = || -> Value {
        let output = run(&args, String::new());
        assert!(output.stderr.is_empty(), "no progress is shown where nobody looks");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let counted = result();
    let games = |key: &str| counted[key]["games"].as_u64().unwrap();
    assert_eq!(games("x_wins") + games("draws"), 200, "perfect loses to nobody");
    assert!(games("x_wins") > 100);
    let share = counted["x_wins"]["share"].as_f64().unwrap();
    assert!(counted["x_wins"]["low"].as_f64().unwrap() < share);
    assert!(counted["x_wins"]["high"].as_f64().unwrap() > share);
    assert_eq!(counted, result());
}

#[test]
fn the_readme_names_both_and_every_option() {
    use clap::CommandFactory;
    let readme = crate::server_pages();
    for tool in noughts_server::CommandLine::command().get_subcommands() {
        assert!(readme.contains(&format!("noughts-server {}", tool.get_name())));
        for option in tool.get_arguments().filter_map(|option| option.get_long()) {
            assert!(
                readme.contains(&format!("--{option}")),
                "the pages of the server say nothing of --{option}"
            );
        }
    }
}
