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
