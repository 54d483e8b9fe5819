//! `noughts-server analyze` and `match`, as processes.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use noughts_harness::process::program;
use serde_json::{Value, json};

/// The lines as people draw them.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

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

/// A board, and whether the searching player's mark (`b'X'` or `b'O'`) moves next on it.
type Board = [u8; 9];

fn has_line(board: &Board, mark: u8) -> bool {
    LINES.iter().any(|line| line.iter().all(|cell| board[*cell] == mark))
}

fn other(mark: u8) -> u8 {
    if mark == b'X' { b'O' } else { b'X' }
}

/// A strength of minimax: its name, its depth and its threshold.
const SIGHTS: [(&str, i32, i32); 4] =
    [("weak", 2, 100), ("average", 4, 6), ("strong", 6, 3), ("very_strong", 10, 0)];

/// Minimax as it is described, with nothing clever but that no position is looked at twice.
struct Reference {
    own: u8,
    depth: i32,
    threshold: i32,
    known: HashMap<(Board, i32), i32>,
}

impl Reference {
    /// The score of a board at a depth, after a move of `mark`.
    fn score(&mut self, board: Board, mark: u8, depth: i32) -> i32 {
        if let Some(score) = self.known.get(&(board, depth)) {
            return *score;
        }
        let score = self.of(board, mark, depth);
        self.known.insert((board, depth), score);
        score
    }

    fn of(&mut self, board: Board, mark: u8, depth: i32) -> i32 {
        if has_line(&board, mark) {
            return if mark == self.own { 100 - 5 * depth } else { 5 * depth - 100 };
        }
        if !board.contains(&b'.') {
            return 0;
        }
        if depth == self.depth {
            return LINES.iter().map(|line| self.worth(board, line)).sum();
        }
        let next = other(mark);
        let scores: Vec<i32> = empty(&board)
            .map(|cell| self.score(with(board, cell, next), next, depth + 1))
            .collect();
        let best = if next == self.own { scores.iter().max() } else { scores.iter().min() };
        *best.unwrap()
    }

    fn worth(&self, board: Board, line: &[usize; 3]) -> i32 {
        let count = |mark| line.iter().filter(|cell| board[**cell] == mark).count() as i32;
        let worth = match (count(self.own), count(other(self.own))) {
            (own, 0) => 3 * own,
            (0, opponent) => -3 * opponent,
            _ => -1,
        };
        if worth.abs() < self.threshold { 0 } else { worth }
    }
}

fn empty(board: &Board) -> impl Iterator<Item = usize> + use<> {
    let board = *board;
    (0..9).filter(move |cell| board[*cell] == b'.')
}

fn with(mut board: Board, cell: usize, mark: u8) -> Board {
    board[cell] = mark;
    board
}

/// Every unfinished board that `first` can begin, with the mark to move.
fn unfinished(first: u8) -> Vec<(Board, u8)> {
    let mut found = vec![([b'.'; 9], first)];
    let mut seen: std::collections::HashSet<Board> =
        found.iter().map(|(board, _)| *board).collect();
    let mut at = 0;
    while let Some(&(board, mark)) = found.get(at) {
        at += 1;
        for cell in empty(&board) {
            let next = with(board, cell, mark);
            if !has_line(&next, mark) && next.contains(&b'.') && seen.insert(next) {
                found.push((next, other(mark)));
            }
        }
    }
    found
}

#[test]
fn every_minimax_score_of_every_position_is_the_reference_s() {
    for (first, turn) in [(b'X', "x"), (b'O', "o")] {
        let positions = unfinished(first);
        assert_eq!(positions.len(), 4_520);
        for (strength, depth, threshold) in SIGHTS {
            let mut references = [b'X', b'O'].map(|own| {
                let known = HashMap::new();
                Reference { own, depth, threshold, known }
            });
            // Of boards with as many of both, those that O began need to be told so.
            for even in [true, false] {
                let asked: Vec<_> = positions
                    .iter()
                    .filter(|(b, _)| empty(b).count() % 2 == usize::from(even))
                    .collect();
                let input = asked.iter().map(|(board, _)| text(board) + "\n").collect();
                let turn = if even { &["--turn", turn][..] } else { &[] };
                let answers = analyze(&[&["--strength", strength], turn].concat(), input);
                assert_eq!(answers.len(), asked.len());
                for ((board, mark), answer) in asked.into_iter().zip(answers) {
                    let reference = &mut references[usize::from(*mark == b'O')];
                    reference_agrees(reference, *board, *mark, &answer);
                }
            }
        }
    }
}

fn text(board: &Board) -> String {
    String::from_utf8(board.to_vec()).unwrap()
}

fn reference_agrees(reference: &mut Reference, board: Board, mark: u8, answer: &Value) {
    let scores: Vec<(usize, i32)> = empty(&board)
        .map(|cell| (cell, reference.score(with(board, cell, mark), mark, 1)))
        .collect();
    let best = scores.iter().map(|s| s.1).max().unwrap();
    let moves: Vec<usize> = scores.iter().filter(|s| s.1 == best).map(|s| s.0).collect();
    let map: serde_json::Map<_, _> =
        scores.iter().map(|(cell, score)| (cell.to_string(), json!(score))).collect();
    assert_eq!(answer["board"], text(&board));
    assert_eq!(answer["turn"], text(&[mark; 9])[..1]);
    assert_eq!(answer["scores"], Value::Object(map), "{answer}");
    assert_eq!(answer["moves"], json!(moves), "{answer}");
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
    for (position, words) in [
        ("XXXX.....", "the marks differ by one at most"),
        ("X.O.", "4 letters: a board of 3x3x3 has 9 cells"),
        ("X.O.....?", "'?' in place 9"),
        ("\u{1b}[2J.....", "line 1: \"\\u{1b}"),
        ("XXXOOO...", "X and O both have a line"),
        ("XXXOO.OO.", "X has a line, but O has moved after that"),
        ("", "0 letters"),
    ] {
        check_refused(&["analyze", position], "", words);
        check_refused(&["analyze"], &format!("{position}\n"), words);
    }
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
