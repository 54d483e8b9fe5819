//! The terminal client's full screen, in a real pseudo-terminal, against a server process.
//! The screen is parsed as a terminal shows it.

use noughts_harness::{ServerProcess, Terminal};
use tempfile::TempDir;

use crate::plain::until_remembered;

mod exhibition;
mod job_control;
mod kept_games;
mod outside;
mod party;
mod people;
mod talk;

const ENTER: &str = "\r";
const ESCAPE: &str = "\u{1b}";
const LEFT: &str = "\u{1b}[D";
const UP: &str = "\u{1b}[A";

fn run(server: &ServerProcess, name: &str, args: &[&str]) -> (Terminal, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let address = server.address().to_string();
    let all = [&["--server", &address, "--name", name], args].concat();
    (Terminal::run(&all, folder.path(), 24, 80), folder)
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
    let (mut mover, mut waiter) = (&mut ada, &mut bob);
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
fn a_newcomer_finds_the_computer_through_the_menu() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let (mut ada, _folder) = run(&server, "Ada", &[]);
    let _ = ada.wait_text("What would you like to do?");
    let _ = ada.wait_new("?", "Help");
    ada.press(ESCAPE);
    let _ = ada.wait_for("no help", |screen| !screen.contains("Help"));
    let _ = ada.wait_new("4", "Strength");
    let _ = ada.wait_new(ENTER, "Your turn");
    let _ = ada.wait_new("1", "with O.");
}

#[test]
fn arrows_and_enter_play_and_wrong_moves_are_explained() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &["play", "--both"]);
    let _ = ada.wait_text("X to move");
    let _ = ada.wait_new("5", "X plays 5");
    let _ = ada.wait_new("5", "cell 5 is taken by X");
    let _ = ada.wait_new("z", "z means nothing here");
    ada.press("h");
    let _ = ada.wait_new(ENTER, "O plays 4");
}

#[test]
fn a_cell_is_typed_by_its_name() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &["play", "--both", "--board", "15x15x5"]);
    let _ = ada.wait_text("X to move");
    let _ = ada.wait_new("b2", "Cell: b2_  Enter plays, Esc clears");
    ada.wait_caret("Cell: b2");
    let _ = ada.wait_new(ENTER, "X plays b2");
    // A letter that is a key already needs another one before it.
    let _ = ada.wait_new("gh8", "Cell: h8_");
    let _ = ada.wait_new(ESCAPE, "g cell");
    let _ = ada.wait_new("d4\r", "O plays d4");
    // A wrong name plays no other cell.
    let _ = ada.wait_new("z3\r", "Enter again plays");
}

#[test]
fn a_small_window_says_what_it_needs_and_a_large_one_shows_the_game() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &["play", "--both", "--board", "19x19x5"]);
    let _ = ada.wait_text("X to move");
    ada.resize(5, 15);
    let _ = ada.wait_text("too small");
    ada.resize(40, 100);
    let screen = ada.wait_text("to move");
    assert!(screen.contains("19"), "{screen}");
}

#[test]
fn a_terminal_is_left_as_it_was() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &[]);
    let _ = ada.wait_text("What would you like to do?");
    ada.press("q");
    assert_eq!(ada.wait_exit(), 0);
    assert!(!ada.screen().contains("What would you like"), "the first screen is back");
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

#[test]
fn an_abandoned_game_and_the_next_one_are_in_the_same_history() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let (mut ada, folder) = run(&server, "Ada", &["play", "--computer"]);
    let _ = ada.wait_text("Your turn");
    let _ = ada.wait_new("5", "with O.");
    assert_eq!(ada.leave(), 0);
    let again = |args: &[&str]| Terminal::run(args, folder.path(), 24, 80);
    let mut next = again(&["play", "--computer"]);
    let _ = next.wait_text("X Ada (you)");
    let _ = next.wait_new("5", "with O.");
    let _ = next.wait_new("R", "Resign this game?");
    let _ = next.wait_new("y", "You resigned.");
    // The abandoned game waits in the menu.
    let _ = next.wait_new("q", "Back to ");
    let _ = next.wait_new("0", "Your turn");
    let _ = next.wait_new("R", "Resign this game?");
    let _ = next.wait_new("y", "You resigned.");
    assert_eq!(next.leave(), 0);
    let both = |screen: &str| screen.matches("lost").count() == 2;
    let _ = again(&["history"]).wait_for("both games", both);
}

#[test]
fn a_mistyped_code_can_be_mended() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &[]);
    let _ = ada.wait_text("What would you like to do?");
    let _ = ada.wait_new("2", "Which room?");
    let screen = ada.wait_new("ZZZZZ\r", "there is no room ZZZZZ");
    assert!(!screen.contains("What would you like to do?"), "{screen}");
}

#[test]
fn a_killed_terminal_returns_to_its_seat_and_a_lost_server_is_shown() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    let (bob, folder) = run(&server, "Bob", &["play", &code]);
    let _ = ada.wait_text("Your turn");
    let _ = bob.wait_new_after("Your turn", || ada.press("5"));
    until_remembered(&folder, 1);
    bob.kill();
    let address = server.address().to_string();
    let args = ["--server", &address, "play", &code];
    let mut bob = Terminal::run(&args, folder.path(), 24, 80);
    let _ = bob.wait_text("Your turn");
    let _ = ada.wait_new_after("Bob plays 1", || bob.press("1"));
    let _ = ada.wait_new_after("reconnecting", || drop(server));
    let _ = bob.wait_text("reconnecting");
}

#[test]
fn a_room_of_a_server_that_keeps_none_is_gone_with_it() {
    let server = ServerProcess::start(&["--ephemeral"]);
    let (ada, _ada) = run(&server, "Ada", &["play", "--first", "x"]);
    let _ = ada.wait_text("Room code ");
    let _server = server.restart();
    let _ = ada.wait_text("room is gone");
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

#[test]
fn a_text_is_changed_where_the_caret_is() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &[]);
    let _ = ada.wait_text("What would you like to do?");
    let _ = ada.wait_new("2", "Which room?");
    ada.wait_caret("> Code: ");
    let _ = ada.wait_new("ZZZ", "Code: ZZZ");
    ada.press(&LEFT.repeat(2));
    ada.wait_caret("> Code: Z");
    let _ = ada.wait_new("WX", "Code: ZWXZZ");
    ada.wait_caret("> Code: ZWX");
    // Home, Delete, End, Backspace.
    let _ = ada.wait_new("\u{1b}[H\u{1b}[3~\u{1b}[F\u{7f}KB", "Code: WXZKB");
    let _ = ada.wait_new(ENTER, "there is no room WXZKB");
}

#[test]
fn a_list_longer_than_the_window_scrolls_with_the_selection() {
    let server = ServerProcess::start(&[]);
    let hosts = ["Ada", "Bob", "Cy", "Dan", "Eve", "Fay"].map(|name| {
        let (host, folder) = run(&server, name, &["play", "--listed"]);
        let code = code(&host.wait_text("Room code "));
        (host, folder, code)
    });
    let (mut gus, _folder) = run(&server, "Gus", &["watch"]);
    let _ = gus.wait_for("all rooms", |screen| hosts.iter().all(|host| screen.contains(&host.2)));
    gus.resize(10, 40);
    let is_whole = |screen: &str| screen.trim_end().ends_with("? help") && screen.contains("> ");
    let screen = gus.wait_for("a part of them", |screen| {
        is_whole(screen) && !hosts.iter().all(|host| screen.contains(&host.2))
    });
    // The rooms may have come in any order. From the first one, up leads to the last one.
    let mut seen = vec![code_after(&screen, "> ")];
    for _ in &hosts {
        gus.press(UP);
        let screen = gus.wait_for("another room", |screen| {
            is_whole(screen) && Some(&code_after(screen, "> ")) != seen.last()
        });
        seen.push(code_after(&screen, "> "));
    }
    let first = seen.remove(0);
    assert_eq!(seen.last(), Some(&first), "round the end");
    seen.sort();
    let mut all = hosts.iter().map(|host| host.2.clone()).collect::<Vec<_>>();
    all.sort();
    assert_eq!(seen, all);
    let _ = gus.wait_new(ENTER, "watching");
}
