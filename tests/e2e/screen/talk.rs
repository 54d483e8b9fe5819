//! People talk on the full screen: texts, emotes, mute, and what does not reach the terminal.

use super::*;

/// Two terminals in a room of the same game.
fn two(server: &ServerProcess, size: (u16, u16)) -> ((Terminal, TempDir), (Terminal, TempDir)) {
    let (mut ada, folder) = run(server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    // Not before it hears of a new size.
    ada.resize(size.0, size.1);
    let bob = run(server, "Bob", &["play", &code]);
    let _ = ada.wait_text("Your turn");
    let _ = bob.0.wait_text("Ada's turn");
    ((ada, folder), bob)
}

#[test]
fn what_is_typed_is_said_and_places_no_mark() {
    let server = ServerProcess::start(&[]);
    let ((mut ada, _a), (mut bob, _b)) = two(&server, (40, 120));
    let _ = bob.wait_new("t", "Say:");
    bob.press("5 is a good cell, \u{1b}[A\t");
    let _ = bob.wait_text("1-8 say it");
    bob.press(ESCAPE);
    let _ = bob.wait_for("no emotes", |screen| !screen.contains("1-8 say it"));
    let _ = ada.wait_new_after("Bob: 5 is a good cell,", || bob.press(ENTER));
    let _ = bob.wait_new_after("Ada: o/ Hello!", || ada.press(":1"));
    // Escape codes do not even reach the line; the keys are cells again.
    let screen = bob.wait_new_after("Ada plays 5 with X", || ada.press("5"));
    assert!(screen.contains("You: 5 is a good cell,"), "{screen}");
}

#[test]
fn a_muted_player_is_not_heard_until_they_are_unmuted() {
    let server = ServerProcess::start(&[]);
    let ((mut ada, _a), (mut bob, _b)) = two(&server, (40, 120));
    let _ = ada.wait_new_after("Bob: first", || bob.press("tfirst\r"));
    let _ = ada.wait_new("/mute bob\r", "You do not hear Bob any more.");
    let _ = ada.wait_for("no line of Bob", |screen| !screen.contains("Bob: first"));
    let _ = bob.wait_new("tsecond\r", "You: second");
    // Ada's own line comes after Bob's: his would be there by now.
    let screen = ada.wait_new("tthird\r", "You: third");
    assert!(!screen.contains("second"), "{screen}");
    let _ = ada.wait_new("/unmute Bob\r", "Bob: second");
}

#[test]
fn a_small_window_counts_what_was_not_read() {
    let server = ServerProcess::start(&[]);
    let ((mut ada, _a), (mut bob, _b)) = two(&server, (20, 60));
    let screen = ada.wait_new_after("Bob: hi Ada", || bob.press("thi Ada\r"));
    assert!(screen.contains("1 unread"), "{screen}");
    assert!(ada.written().contains("(1) "), "the title counts too");
    let screen = ada.wait_new("t", "Say:");
    assert!(screen.contains("Bob: hi Ada") && !screen.contains("unread"), "{screen}");
    ada.press(ESCAPE);
    let _ = ada.wait_for("no line", |screen| !screen.contains("Say:"));
    let _ = bob.wait_new_after("Ada plays 5 with X", || ada.press("5"));
}

#[test]
fn a_room_without_talk_offers_none() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder) = run(&server, "Ada", &["play", "--chat", "off", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    let (bob, _bob) = run(&server, "Bob", &["play", &code]);
    let screen = bob.wait_text("resign");
    assert!(!screen.contains("t talk"), "{screen}");
    let _ = ada.wait_text("Your turn");
    let _ = ada.wait_new("t", "nobody talks in this room");
}
