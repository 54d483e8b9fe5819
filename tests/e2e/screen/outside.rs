//! The terminal client's effects outside its screen, byte by byte: the bell, notifications, the
//! window's title, the clipboard and the mouse.

use super::*;

/// The window is no longer looked at.
const FOCUS_LOST: &str = "\u{1b}[O";

fn run_as(term: &str, server: &ServerProcess, name: &str, args: &[&str]) -> (Terminal, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let address = server.address().to_string();
    let all = [&["--server", &address, "--name", name], args].concat();
    (Terminal::run_as(term, &all, folder.path(), 24, 80), folder)
}

#[test]
fn who_looks_elsewhere_is_called_when_it_is_their_turn() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run_as("foot", &server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    ada.press(FOCUS_LOST);
    let (mut bob, _bob) = run_as("xterm-256color", &server, "Bob", &["--no-bell", "play", &code]);
    let _ = ada.wait_text("Your turn");
    let written = ada.written();
    let notified = format!("\u{7}\u{1b}]777;notify;Noughts;{code}: Bob is here.\u{1b}\\");
    assert!(written.contains(&notified), "{written:?}");
    let title = format!("\u{1b}]2;● Your turn – {code} – Noughts\u{1b}\\");
    assert!(written.contains(&title), "{written:?}");
    bob.press(FOCUS_LOST);
    let _ = bob.wait_new_after("Your turn", || ada.press("5"));
    assert!(!bob.written().contains('\u{7}'), "--no-bell");
    assert!(bob.written().contains("● Your turn"), "the title is no bell");
}

#[test]
fn the_link_is_copied_and_the_mouse_selects_it() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run_as("foot", &server, "Ada", &["play"]);
    let screen = ada.wait_text("Room code ");
    let link = format!("/r/{}", code(&screen));
    assert!(screen.contains(&link), "{screen}");
    assert!(!ada.written().contains("\u{1b}[?1000h"), "the mouse is the terminal's");
    let _ = ada.wait_new("y", "Copied the link");
    assert!(ada.written().contains("\u{1b}]52;c;aHR0cDov"), "{:?}", ada.written());
    let _ = ada.wait_new("q", "What would you like to do?");
    assert!(ada.written().contains("\u{1b}[?1000h"), "clicks choose in the menu");
    ada.press("q");
    assert_eq!(ada.wait_exit(), 0);
    assert!(!ada.screen().contains("What would you like"), "the first screen is back");
    let written = ada.written();
    let last = |code: &str| written.rfind(code).unwrap_or_else(|| panic!("no {code:?}"));
    assert!(last("\u{1b}[?1000l") > last("\u{1b}[?1000h"), "the mouse is given back");
    assert!(last("\u{1b}[?1004l") > last("\u{1b}[?1004h"), "no more reports of the focus");
    assert!(last("\u{1b}[23;2t") > last("\u{1b}]2;"), "the title is given back");
}
