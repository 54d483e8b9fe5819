//! Faults as a visitor sees them: a killed server, a stopped door, a connection that is cut.

use super::*;

/// Catches: a session that ends with its server, or comes back to nothing.
#[test]
fn a_killed_server_is_said_and_the_game_goes_on() {
    let Some((server, door, _folder)) = opened("a killed server behind the door", &[]) else {
        return;
    };
    let ada = Visitor::with_key("Ada");
    let mut ada = ada.terminal(&door, &["localhost", "play", "--both"], 24, 80);
    let _ = ada.wait_text("X to move");
    let _ = ada.wait_new("5", "O to move");
    let mut restarted = None;
    let _ = ada.wait_new_after("Connected again", || restarted = Some(server.restart()));
    let _ = ada.wait_new("1", "O plays 1");
}

/// Catches: a door that goes without a word, leaves a broken terminal, or waits for its visitors.
#[test]
fn a_door_that_stops_says_so_and_gives_the_terminals_back() {
    let Some((_server, mut door, _folder)) = opened("a door that stops", &[]) else { return };
    let mut ada = Visitor::with_key("Ada").terminal(&door, &["localhost"], 24, 80);
    let _ = ada.wait_text("What would you like to do?");
    let mut bob = Visitor::with_key("Bob").pipe(&door, &["localhost", "play"]);
    bob.wait_for("Room ");
    assert_eq!(door.terminate(), 0);
    assert_eq!(bob.wait_exit(), 1);
    assert!(bob.seen.iter().any(|line| line.contains("door is being closed")), "{:?}", bob.seen);
    assert_eq!(ada.wait_exit(), 1);
    let screen = ada.screen();
    assert!(
        screen.contains("door is being closed") && !screen.contains("What would you like"),
        "{screen}"
    );
    assert!(ada.written().contains(CURSOR));
}

/// Catches: a seat that goes with the connection, or that the key does not bring back.
#[test]
fn who_is_cut_off_returns_to_their_seat() {
    let Some((_server, door, _folder)) = opened("a connection that is cut", &[]) else { return };
    let ada = Visitor::with_key("Ada");
    let (mut host, room) = hosted(&ada, &door);
    let bob = Visitor::with_key("Bob");
    let mut terminal = bob.terminal(&door, &["localhost", "play", &room], 24, 80);
    let _ = terminal.wait_text("Ada's turn");
    host.line("5");
    let _ = terminal.wait_text("Your turn");
    // The client's own way out.
    terminal.press("\r");
    terminal.press("~.");
    assert_eq!(terminal.wait_exit(), 255);
    host.wait_for("Bob is away");
    let way_in = format!("{room}@localhost");
    let mut terminal = bob.terminal(&door, &[&way_in], 24, 80);
    let _ = terminal.wait_text("Your turn");
    terminal.press("1");
    host.wait_for("Bob plays 1");
}
