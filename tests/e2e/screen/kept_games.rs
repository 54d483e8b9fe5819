//! Games that are over, on the full screen: the last one of a room, the list of one's own, a link.

use super::*;

/// Ada, who has won a game against the computer that resigns nothing, and the game's id.
fn after_a_game(server: &ServerProcess) -> (Terminal, TempDir, String) {
    let (mut ada, folder) = run(server, "Ada", &["play", "--both"]);
    let _ = ada.wait_text("X to move");
    for (cell, next) in
        [("1", "O to move"), ("4", "X to move"), ("2", "O to move"), ("5", "X to move")]
    {
        let _ = ada.wait_new(cell, next);
    }
    let screen = ada.wait_new("3", "noughts replay ");
    let id = screen.split("noughts replay ").nth(1).unwrap()[..16].to_owned();
    (ada, folder, id)
}

#[test]
fn ones_own_games_are_in_the_menu() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _folder, _) = after_a_game(&server);
    let _ = ada.wait_new("m", "My games");
    let screen = ada.wait_new("9", "X won");
    assert!(screen.contains("both sides  3x3, 3 in a row, 5 moves"), "{screen}");
    let _ = ada.wait_new("f", "There are no such games.");
    let _ = ada.wait_new("fff", "X won");
    let _ = ada.wait_new(ENTER, "Move 5 of 5");
    let _ = ada.wait_new(ESCAPE, "X won");
}

#[test]
fn a_link_opens_a_game_for_somebody_else() {
    let server = ServerProcess::start(&[]);
    let (_ada, _folder, id) = after_a_game(&server);
    let link = format!("http://{}/g/{id}", server.address());
    let folder = tempfile::tempdir().unwrap();
    let mut eve = Terminal::run(&["replay", &link, "--name", "Eve"], folder.path(), 24, 80);
    let _ = eve.wait_text("Move 5 of 5");
    eve.press("q");
    assert_eq!(eve.wait_exit(), 0);
    let mut eve =
        Terminal::run(&["replay", &link.replace(&id, "00000000000000aa")], folder.path(), 24, 80);
    assert_eq!(eve.wait_exit(), 2, "there is no such game");
}
