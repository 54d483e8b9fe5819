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
