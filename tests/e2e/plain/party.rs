//! A party in lines of text: a host who does not play, two players in pipes, and one who looks on.

use super::*;

/// A party of 3x3 that Ada leads, and its code.
fn hosted(server: &ServerProcess, args: &[&str]) -> (Pipe, TempDir, String) {
    let new = ["party", "new", "Friday", "--board", "3x3x3"];
    let (mut ada, folder) = run(server, "Ada", &[&new, args].concat());
    ada.wait_for("Party ");
    let code = code(&ada.wait_for("noughts party join"));
    (ada, folder, code)
}

#[test]
fn two_pipes_play_a_party_from_joining_to_the_podium() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada, party) = hosted(&server, &["--not-playing"]);
    let (mut bob, _bob) = run(&server, "Bob", &["party", "join", &party]);
    bob.wait_for("You are in. The host starts the party.");
    // The code leads to the party wherever a room's code does.
    let (mut eve, _eve) = run(&server, "Eve", &["play", &party.to_lowercase()]);
    eve.wait_for("You are in. The host starts the party.");
    ada.wait_for("Eve is in: 2 players.");
    let (mut gus, _gus) = run(&server, "Gus", &["party", "watch", &party]);
    gus.wait_for("The host starts the party.");
    ada.line("people");
    ada.wait_for("2  Eve");
    // Each line waits for its moment: the check, then the player's turns.
    for (player, cells) in [(&mut bob, ["1", "2", "3"]), (&mut eve, ["4", "5", "6"])] {
        player.line("ready");
        cells.iter().for_each(|cell| player.line(cell));
    }
    ada.line("start");
    bob.wait_for("Type ready.");
    bob.wait_for("final, table 1.");
    gus.wait_for("The party is over.");
    for player in [&mut ada, &mut bob, &mut eve] {
        player.wait_for("The party is over.");
    }
    ada.line("standings");
    ada.wait_for("1. ");
    ada.wait_for("2. ");
    bob.line("party");
    bob.wait_for("The party is over. You are ");
    for pipe in [&mut gus, &mut eve, &mut bob, &mut ada] {
        pipe.line("quit");
        assert_eq!(pipe.wait_exit(), 0);
    }
}

#[test]
fn the_host_pauses_and_decides_and_ends() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada, party) = hosted(&server, &["--format", "round_robin"]);
    let (mut bob, _bob) = run(&server, "Bob", &["party", "join", &party]);
    bob.wait_for("You are in.");
    bob.line("start");
    ada.wait_for("Bob is in: 2 players.");
    ada.line("start");
    ada.wait_for("Type ready.");
    ada.line("pause");
    ada.wait_for("The host has paused the party.");
    ada.line("go");
    ada.wait_for("The party goes on.");
    ada.line("decide 1 2 He was first");
    ada.wait_for("Bob wins: the host decided (He was first).");
    ada.wait_for("The party is over. Bob is 1st.");
}

#[test]
fn a_code_without_a_party_is_refused() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["party", "join", "ZZZZZ"]);
    assert_eq!(ada.wait_exit(), 2);
}
