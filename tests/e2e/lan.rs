//! Servers and players on separate networks: discovery without an address, on every kind of network. Needs
//! network namespaces; without them the tests are skipped.

use std::path::Path;
use std::time::Instant;

use noughts_harness::network::is_possible;
use noughts_harness::{Lan, Machine, ServerProcess, TIMEOUT, Terminal};
use tempfile::{TempDir, tempdir};

use crate::screen::code;

/// Joining by code, choosing among several, typing an address.
mod choosing;

/// Withdrawing.
mod goodbye;

/// The exit code and output of `noughts servers` on a machine, with a new profile.
fn servers(machine: &Machine) -> (i32, String) {
    let folder = tempdir().unwrap();
    machine.noughts(&["servers"], folder.path())
}

/// Runs `noughts servers` until its output satisfies a condition.
#[track_caller]
fn until_servers(machine: &Machine, what: &str, shown: impl Fn(&(i32, String)) -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let seen = servers(machine);
        if shown(&seen) {
            return;
        }
        assert!(Instant::now() < deadline, "waited for {what}, last saw {seen:?}");
    }
}

/// `noughts` on a machine, by a new player.
fn play(machine: &Machine, name: &str, args: &[&str]) -> (Terminal, TempDir) {
    let folder = tempdir().unwrap();
    let all = [&["--name", name], args].concat();
    (Terminal::run_on(machine, &all, folder.path()), folder)
}

/// Two connected machines, at 192.168.77.1 and .2, if there can be any.
pub(crate) fn pair() -> Option<(Machine, Machine)> {
    if !is_possible() {
        return None;
    }
    let here = Machine::new();
    let there = Machine::new();
    here.connect("lan0", &there, "lan0");
    here.ip("addr add 192.168.77.1/24 dev lan0");
    there.ip("addr add 192.168.77.2/24 dev lan0");
    Some((here, there))
}

#[test]
fn a_player_finds_the_server_without_an_address_and_plays() {
    let Some((here, there)) = pair() else { return };
    let mut server = ServerProcess::start_on(&here, &["--name", "Ada's party"]);
    // The menu: the server is filled in, Enter takes it.
    let (mut ada, _ada) = play(&there, "Ada", &[]);
    let screen = ada.wait_text("Server: 192.168.77.1");
    assert!(screen.contains("Found Ada's party at 192.168.77.1"), "{screen}");
    ada.press("\r\r");
    let _ = ada.wait_text("What would you like to do?");
    ada.press("1");
    let _ = ada.wait_text("Enter start");
    ada.press("\r");
    let code = code(&ada.wait_text("Room code "));
    // On the server's own machine as well.
    let (mut bob, _bob) = play(&here, "Bob", &["play", &code]);
    let _ = ada.wait_text("Your turn");
    for (mover, waiter, cell) in [(0, 1, "5"), (1, 0, "1"), (0, 1, "3"), (1, 0, "9")] {
        let mut players = [&mut ada, &mut bob];
        let [mover, waiter] = players.get_disjoint_mut([mover, waiter]).unwrap();
        let _ = waiter.wait_new_after(&format!("plays {cell} with"), || mover.press(cell));
    }
    let _ = ada.wait_new("7", "You win!");
    let _ = bob.wait_text("Ada wins.");
    // A server that stops withdraws its announcement, also when a service manager stops it.
    assert_eq!(server.terminate(), Some(0));
    let (status, said) = servers(&there);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("--server"), "{said}");
}

#[test]
fn rooms_that_wait_are_announced() {
    let Some((here, there)) = pair() else { return };
    let _server = ServerProcess::start_on(&here, &[]);
    until_servers(&there, "a server", |(_, said)| said == "192.168.77.1  Noughts\n");
    // Without a search the known servers are printed at once: here, none.
    let (status, said) = there.noughts(&["servers", "--no-discovery"], tempdir().unwrap().path());
    assert!(status == 1 && said.contains("no server answers"), "{said}");
    let (ada, _ada) = play(&there, "Ada", &["play", "--listed"]);
    let _ = ada.wait_text("Room code ");
    until_servers(&there, "a room", |(_, said)| said.contains("Noughts, 1 room waiting"));
}

#[test]
fn a_server_with_two_interfaces_is_found_on_both_by_the_address_of_each() {
    if !is_possible() {
        return;
    }
    let here = Machine::new();
    let [left, right] = [Machine::new(), Machine::new()];
    for (number, other) in [(1, &left), (2, &right)] {
        here.connect(&format!("lan{number}"), other, "lan0");
        here.ip(&format!("addr add 10.0.{number}.1/24 dev lan{number}"));
        other.ip(&format!("addr add 10.0.{number}.2/24 dev lan0"));
    }
    let server = ServerProcess::start_on(&here, &["--qr-interface", "lan2"]);
    let banner = server.banner.join("\n");
    let second = banner.find("10.0.1.1:7333/  (lan1)");
    let first = banner.find("10.0.2.1:7333/  (lan2)");
    assert!(first.is_some() && first < second, "{banner}");
    until_servers(&left, "the left address", |(_, said)| said == "10.0.1.1  Noughts\n");
    until_servers(&right, "the right address", |(_, said)| said == "10.0.2.1  Noughts\n");
}

/// The bridge's address is the lowest number: a client that sorts addresses by number tells a friend that one.
#[test]
fn on_a_machine_with_containers_friends_are_told_the_networks_address() {
    let Some((here, there)) = pair() else { return };
    let container = Machine::new();
    here.connect("docker0", &container, "eth0");
    here.ip("addr add 10.9.0.1/16 dev docker0");
    container.ip("addr add 10.9.0.2/16 dev eth0");
    let _server = ServerProcess::start_on(&here, &[]);
    until_servers(&container, "the container's way", |(_, said)| said == "10.9.0.1  Noughts\n");
    until_servers(&there, "the network's way", |(_, said)| said == "192.168.77.1  Noughts\n");
    let (ada, _ada) = play(&here, "Ada", &["play"]);
    let _ = ada.wait_text("--server 192.168.77.1");
}

#[test]
fn an_interface_that_comes_and_goes_is_followed() {
    if !is_possible() {
        return;
    }
    let here = Machine::new();
    let there = Machine::new();
    let _server = ServerProcess::start_on(&here, &[]);
    here.connect("lan0", &there, "lan0");
    there.ip("addr add 192.168.77.2/24 dev lan0");
    here.ip("addr add 192.168.77.1/24 dev lan0");
    until_servers(&there, "the new network", |(_, said)| said.starts_with("192.168.77.1 "));
    here.ip("addr del 192.168.77.1/24 dev lan0");
    here.ip("addr add 192.168.77.9/24 dev lan0");
    until_servers(&there, "another address", |(_, said)| said.starts_with("192.168.77.9 "));
    here.ip("link set lan0 down");
    until_servers(&there, "no server", |(status, _)| *status == 1);
    here.ip("link set lan0 up");
    until_servers(&there, "the server again", |(_, said)| said.starts_with("192.168.77.9 "));
}

#[test]
fn a_server_that_says_nothing_is_not_found() {
    let Some((here, there)) = pair() else { return };
    for options in [&["--no-announce"][..], &["--bind", "127.0.0.1:7333"]] {
        let _server = ServerProcess::start_on(&here, options);
        let (status, said) = servers(&there);
        assert_eq!(status, 1, "{said}");
        // Its own machine reaches it at the same address.
        assert_eq!(servers(&here), (0, "localhost  Noughts (this machine)\n".to_owned()));
    }
}

#[test]
fn over_ipv6_alone_a_server_is_found() {
    if !is_possible() {
        return;
    }
    let here = Machine::new();
    let there = Machine::new();
    here.connect("lan0", &there, "lan0");
    // Without duplicate address detection the address is there at once.
    here.ip("addr add fd77::1/64 dev lan0 nodad");
    there.ip("addr add fd77::2/64 dev lan0 nodad");
    let server = ServerProcess::start_on(&here, &["--bind", "[::]:7333"]);
    assert!(server.banner[0].contains("http://[fd77::1]:7333/  (lan0)"), "{:?}", server.banner);
    until_servers(&there, "its address", |(_, said)| said == "[fd77::1]  Noughts\n");
}

#[test]
fn without_multicast_the_address_is_typed_once_and_offered_again() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new(2);
    let [here, there] = &lan.machines[..] else { unreachable!() };
    lan.set_multicast(false);
    here.ip("link set lan0 multicast off");
    let _server = ServerProcess::start_on(here, &[]);
    let (status, said) = servers(there);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("ask the host for the address"), "{said}");
    let (mut ada, folder) = play(there, "Ada", &[]);
    let _ = ada.wait_text("Server: localhost");
    ada.press("192.168.77.1\r\r");
    let _ = ada.wait_text("What would you like to do?");
    ada.press("q");
    assert_eq!(ada.wait_exit(), 0);
    let offered = there.noughts(&["servers"], folder.path());
    assert_eq!(offered, (0, "192.168.77.1  Noughts (used before)\n".to_owned()));
    let ada = Terminal::run_on(there, &[], Path::new(folder.path()));
    let _ = ada.wait_text("Server: 192.168.77.1");
}
