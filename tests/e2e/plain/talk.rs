//! People talk in lines of text, as a screen reader says them.

use super::*;

/// Two pipes in a room.
fn two(server: &ServerProcess) -> ((Pipe, TempDir), (Pipe, TempDir)) {
    let (mut ada, folder) = run(server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_for("noughts play"));
    let (mut bob, other) = run(server, "Bob", &["play", &code]);
    bob.wait_for("You play O");
    ada.wait_for("Your turn");
    ((ada, folder), (bob, other))
}

#[test]
fn lines_begin_with_their_speaker() {
    let server = ServerProcess::start(&[]);
    let ((mut ada, _a), (mut bob, _b)) = two(&server);
    ada.line("say Good luck, 5 is mine");
    bob.wait_for("Ada says: Good luck, 5 is mine");
    ada.wait_for("You say: Good luck, 5 is mine");
    bob.line("emote good_game");
    ada.wait_for("Bob says: Good game!");
    ada.line("5");
    bob.wait_for("Ada plays 5 with X");
}

#[test]
fn what_cannot_be_said_is_explained() {
    let server = ServerProcess::start(&[]);
    let ((mut ada, _a), (mut bob, _b)) = two(&server);
    ada.line(&format!("say {}", "x".repeat(141)));
    ada.wait_for("write at most 140 characters");
    ada.line("emote dance");
    ada.wait_for("good_game");
    for number in 1..=6 {
        ada.line(&format!("say {number}"));
    }
    ada.wait_for("you say a lot");
    bob.wait_for("Ada says: 5");
}

#[test]
fn a_muted_player_is_not_heard() {
    let server = ServerProcess::start(&[]);
    let ((mut ada, _a), (mut bob, _b)) = two(&server);
    ada.line("mute Bob");
    ada.wait_for("You do not hear Bob any more.");
    ada.line("say go on");
    bob.wait_for("Ada says: go on");
    bob.line("say is anybody there");
    bob.wait_for("You say: is anybody there");
    ada.line("unmute Bob");
    // The server tells what was not heard.
    ada.wait_for("Bob says: is anybody there");
    bob.line("say now");
    ada.wait_for("Bob says: now");
}
