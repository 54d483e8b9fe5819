//! The terminal client with pipes: a process against a server process.

use noughts_harness::{Pipe, ServerProcess, Terminal};
use tempfile::TempDir;

mod kept_games;
mod party;

/// A player with a folder, and so an identity, of their own.
fn run(server: &ServerProcess, name: &str, args: &[&str]) -> (Pipe, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (server.pipe(folder.path(), &[&["--name", name], args].concat()), folder)
}

/// The code in a line such as "Room KQRZX: …".
pub(crate) fn code(line: &str) -> String {
    let code = line.split(|c: char| !c.is_ascii_uppercase()).find(|word| word.len() == 5);
    code.unwrap_or_else(|| panic!("no code in {line:?}")).to_owned()
}

#[test]
fn two_pipes_play_a_series_while_a_third_watches() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_for("noughts play"));
    let (mut eve, _eve) = run(&server, "Eve", &["watch", &code]);
    eve.wait_for(&code);
    let (mut bob, _bob) = run(&server, "Bob", &["play", &code.to_lowercase()]);
    for (player, cells) in [(&mut ada, ["1", "b1", "3"]), (&mut bob, ["4", "a3", "9"])] {
        for cell in cells {
            player.line(cell);
        }
    }
    ada.wait_for("You win with row 1");
    bob.wait_for("Ada wins with row 1");
    eve.wait_for("Ada wins with row 1");
    bob.line("rematch");
    ada.wait_for("Bob offers a rematch");
    ada.line("rematch");
    ada.wait_for("Your turn");
    ada.line("resign");
    bob.wait_for("resign");
    bob.wait_for("Score");
    eve.wait_for("resign");
    for pipe in [&mut eve, &mut bob, &mut ada] {
        pipe.line("quit");
        assert_eq!(pipe.wait_exit(), 0);
    }
}

#[test]
fn a_lost_server_that_keeps_no_rooms_is_said_and_so_is_its_return() {
    let server = ServerProcess::start(&["--ephemeral"]);
    let (mut ada, _folder) = run(&server, "Ada", &["play"]);
    ada.wait_for("noughts play");
    let _server = server.restart();
    ada.wait_for("reconnecting");
    ada.wait_for("was restarted");
    assert_eq!(ada.wait_exit(), 1);
}

#[test]
fn exit_codes_tell_what_happened() {
    let server = ServerProcess::start(&[]);
    let (mut nonsense, _folder) = run(&server, "Ada", &["play", "\u{1b}[2J"]);
    assert_eq!(nonsense.wait_exit(), 2);
    let [said] = &nonsense.seen[..] else { panic!("{:?}", nonsense.seen) };
    assert!(said.starts_with("noughts: ") && said.contains("five consonants"), "{said:?}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    let (mut unknown, _folder) = run(&server, "Ada", &["play", "BBBBB"]);
    unknown.wait_for("there is no room BBBBB");
    assert_eq!(unknown.wait_exit(), 2);
    let folder = tempfile::tempdir().unwrap();
    let mut nobody = Pipe::run(&["--server", "127.0.0.1:1", "play"], folder.path());
    nobody.wait_for("is a server running there");
    assert_eq!(nobody.wait_exit(), 1);
}

#[test]
fn the_menu_goes_back_quits_and_lets_two_computers_play() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let (mut ada, _folder) = run(&server, "Ada", &[]);
    ada.wait_for("13. Quit");
    ada.line("2");
    ada.line("http://elsewhere.example/r/KQRZX");
    ada.wait_for("that link is for another server");
    ada.line("back");
    for line in ["6", "heuristic:strong", "back"] {
        ada.line(line);
    }
    ada.wait_for("Which computer plays O");
    ada.wait_for("6. Watch two computers");
    for line in ["6", "best", "heuristic:strong", "rules", "", "", ""] {
        ada.line(line);
    }
    ada.wait_for("or back, or quit");
    ada.wait_for("Type pause, step, go, slow or fast.");
    ada.wait_for("Computer (heuristic, strong) plays");
    ada.wait_for("Computer (rules) plays");
    ada.line("quit");
    ada.wait_for("What would you like to do?");
    ada.line("4");
    ada.line("quit");
    assert_eq!(ada.wait_exit(), 0);
}

#[test]
fn the_menu_leads_back_to_a_running_game() {
    let server = ServerProcess::start(&[]);
    let (mut ada, folder) = run(&server, "Ada", &["play", "--computer", "strong", "--first", "x"]);
    ada.wait_for("Your turn");
    // The end of the input keeps the seat, and says so.
    ada.end_input();
    ada.wait_for("is kept for a while. To return: noughts play");
    assert_eq!(ada.wait_exit(), 0);
    let mut ada = server.pipe(folder.path(), &["--name", "Ada"]);
    ada.wait_for("0. Back to");
    ada.line("0");
    ada.wait_for("Your turn");
}

/// Fails if Ctrl-C, or another signal, leads from what the menu has begun to the menu again.
#[test]
fn control_c_ends_what_the_menu_has_begun_and_the_program() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let address = server.address().to_string();
    for (choice, begun) in [("5\r", "type quit"), ("12\r", "Your move?")] {
        let args = ["--server", &address, "--name", "Ada", "--plain"];
        let mut ada = Terminal::run(&args, folder.path(), 24, 80);
        let _ = ada.wait_text("13. Quit");
        let _ = ada.wait_new(choice, begun);
        ada.press("\u{3}");
        assert_eq!(ada.wait_exit(), 0);
    }
}

#[test]
fn public_rooms_are_printed() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["play", "--listed"]);
    let code = code(&ada.wait_for("noughts play"));
    let (mut rooms, _folder) = run(&server, "Eve", &["rooms"]);
    rooms.wait_for(&code);
    assert_eq!(rooms.wait_exit(), 0);
}
