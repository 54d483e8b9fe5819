//! The terminal client's full screen, in a real pseudo-terminal, against a server process.
//! The screen is parsed as a terminal shows it.

use std::time::Instant;

use noughts_harness::{ServerProcess, TIMEOUT, Terminal};
use tempfile::TempDir;

mod job_control;
mod outside;
mod people;

const ENTER: &str = "\r";

pub(crate) fn run(server: &ServerProcess, name: &str, args: &[&str]) -> (Terminal, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (server.terminal(folder.path(), &[&["--name", name], args].concat()), folder)
}

/// The code of the room that somebody has made.
pub(crate) fn code(screen: &str) -> String {
    code_after(screen, "Room code ")
}

fn code_after(screen: &str, text: &str) -> String {
    let after = screen.split(text).nth(1).unwrap();
    after[..5].to_owned()
}

#[test]
fn two_terminals_play_while_a_third_watches() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    let (mut bob, _bob) = run(&server, "Bob", &["play", &code]);
    let (eve, _eve) = run(&server, "Eve", &["watch", &code]);
    let _ = eve.wait_text("watching");
    let _ = ada.wait_text("Your turn");
    let mut mover = &mut ada;
    let mut waiter = &mut bob;
    for cell in ["5", "1", "3", "9"] {
        let _ = waiter.wait_new_after(&format!("plays {cell} with"), || mover.press(cell));
        std::mem::swap(&mut mover, &mut waiter);
    }
    let screen = ada.wait_new("7", "You win!");
    assert!(screen.contains("The counter diagonal."), "{screen}");
    let _ = ada.wait_text("X Ada (you)  1");
    let _ = bob.wait_text("Ada wins.");
    let _ = eve.wait_text("Ada wins!");
    let _ = ada.wait_new_after("Bob offers a rematch", || bob.press("r"));
    let _ = eve.wait_new_after("Game 2", || ada.press("r"));
    let _ = bob.wait_text("Game 2");
    // Leaving a running game asks first, and is a resignation.
    let _ = bob.wait_new("q", "Leave?");
    let _ = ada.wait_new_after("left", || bob.press("y"));
    let won = |line: &str| line.contains("X Ada (you)") && line.trim_end().ends_with('2');
    let _ = ada.wait_for("two wins", |screen| screen.lines().any(won));
}

#[test]
fn who_goes_with_control_c_is_told_the_way_back() {
    let server = ServerProcess::start(&[]);
    let (mut ada, folder) = run(&server, "Ada", &["play", "--both"]);
    let _ = ada.wait_text("X to move");
    let _ = ada.wait_new("\u{3}", "kept");
    ada.press("\u{3}");
    assert_eq!(ada.wait_exit(), 0);
    assert!(ada.screen().contains("noughts play"), "{}", ada.screen());
    let ada = Terminal::run(&["--name", "Ada"], folder.path(), 24, 80);
    let _ = ada.wait_text("You had a seat in room");
}

/// Waits until a folder has the token of a player, which is written beside the game: into a file of another name
/// at first, which does not count.
fn until_remembered(folder: &TempDir) {
    let deadline = Instant::now() + TIMEOUT;
    let has_token = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.unwrap().path();
        let is_profile = path.extension().is_some_and(|extension| extension == "json");
        is_profile && std::fs::read_to_string(path).is_ok_and(|text| text.contains("token"))
    };
    while !std::fs::read_dir(folder).unwrap().any(has_token) {
        assert!(Instant::now() < deadline, "the player's token is not kept");
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_terminal_returns_to_its_seat_and_a_lost_server_is_shown() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    let (bob, folder) = run(&server, "Bob", &["play", &code]);
    let _ = ada.wait_text("Your turn");
    let _ = bob.wait_new_after("Your turn", || ada.press("5"));
    until_remembered(&folder);
    bob.kill();
    let mut bob = server.terminal(folder.path(), &["play", &code]);
    let _ = bob.wait_text("Your turn");
    let _ = ada.wait_new_after("Bob plays 1", || bob.press("1"));
    let _ = ada.wait_new_after("reconnecting", || drop(server));
    let _ = bob.wait_text("reconnecting");
}

#[test]
fn the_picture_is_drawn_on_an_empty_screen_at_the_start_and_when_asked() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &["play", "--both"]);
    let _ = ada.wait_text("X to move");
    let cleared = |ada: &Terminal| ada.written().matches("\u{1b}[2J").count();
    // The terminal of a killed program still shows what it drew: nothing removes that.
    let at_the_start = cleared(&ada);
    assert!(at_the_start > 0, "{:?}", ada.written());
    let _ = ada.wait_new("\u{c}?", "Esc close");
    assert_eq!(cleared(&ada), at_the_start + 1);
}

#[test]
fn the_mouse_chooses_in_menus_and_presses_the_keys_below() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let (mut ada, _folder) = run(&server, "Ada", &[]);
    let menu = ada.wait_text("Play both sides here");
    let click_on = |screen: &str, text: &str| {
        let row = screen.lines().position(|line| line.contains(text)).unwrap();
        let column = screen.lines().nth(row).unwrap().find(text).unwrap();
        format!("\u{1b}[<0;{};{}M", column + 1, row + 1)
    };
    let setup = ada.wait_new(&click_on(&menu, "Play both sides here"), "Who begins");
    let _ = ada.wait_new(&click_on(&setup, "Enter start"), "X to move");
}
