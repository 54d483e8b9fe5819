//! Several servers on one network: which of them a command uses.

use noughts_harness::network::is_possible;
use noughts_harness::{Lan, ServerProcess};
use tempfile::tempdir;

use super::{play, until_servers};
use crate::screen::code;

/// Two servers, on the first two machines, and a third machine for players, if there can be any.
fn two() -> Option<(Lan, [ServerProcess; 2])> {
    if !is_possible() {
        return None;
    }
    let lan = Lan::new(3);
    let named = |at: usize, name| ServerProcess::start_on(&lan.machines[at], &["--name", name]);
    let servers = [named(0, "Attic"), named(1, "Cellar")];
    until_servers(&lan.machines[2], "both", |(_, said)| {
        said == "192.168.77.1  Attic\n192.168.77.2  Cellar\n"
    });
    Some((lan, servers))
}

#[test]
fn among_several_servers_the_player_chooses() {
    let Some((lan, _servers)) = two() else { return };
    let there = &lan.machines[2];
    let (mut ada, _ada) = play(there, "Ada", &[]);
    let screen = ada.wait_text("Type an address");
    assert!(screen.contains("1 Attic at 192.168.77.1"), "{screen}");
    ada.press("2");
    let _ = ada.wait_text("Server: 192.168.77.2");
    ada.press("\r");
    let _ = ada.wait_text("Ada on 192.168.77.2");
}

#[test]
fn a_code_alone_leads_to_the_server_that_has_the_room() {
    let Some((lan, _servers)) = two() else { return };
    let there = &lan.machines[2];
    let (ada, _ada) = play(there, "Ada", &["play", "--server", "192.168.77.2", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    let (bob, _bob) = play(there, "Bob", &["play", &code]);
    let _ = bob.wait_text("Ada");
    let _ = ada.wait_text("Your turn");
    let (eve, _eve) = play(there, "Eve", &["watch", &code]);
    let _ = eve.wait_text("watching");
    // An unknown code is reported, with the servers that were asked.
    let folder = tempdir().unwrap();
    let (status, said) = there.noughts(&["play", "ZZZZZ", "--plain"], folder.path());
    assert_eq!(status, 2, "{said}");
    assert!(
        said.contains("no room ZZZZZ") && said.contains("192.168.77.1, 192.168.77.2"),
        "{said}"
    );
}
