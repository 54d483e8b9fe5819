//! Strangers at a door: other services than the game, floods, bans, and an auditor's findings.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::Command;

use noughts_harness::TIMEOUT;
use noughts_harness::process::program;
use noughts_harness::skip::skipped;
use tokio::io::AsyncReadExt;
use tokio::net::TcpSocket;

use super::*;

/// Connections that send nothing, from each of so many addresses: more than a door has places for.
const SILENT: usize = 64;
const ADDRESSES: u8 = 8;

/// Catches: a shell, a program, files, or a way into the network behind the door.
#[test]
fn nothing_but_the_game_is_offered() {
    let Some((server, door, folder)) = opened("what a door refuses", &[]) else { return };
    let eve = Visitor::with_key("Eve");
    for words in [
        &["localhost", "sh"][..],
        &["localhost", "sh -c 'id'"],
        &["localhost", "identity", "save", "/tmp/me"],
        &["localhost", "history", "--export", "/tmp/games"],
        &["localhost", "--config-dir", "/", "profile"],
        &["localhost", "--server", "example.org", "rooms"],
        &["-s", "localhost", "sftp"],
        &["-W", &server.address().to_string(), "localhost"],
        &["-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:localhost:1", "localhost"],
    ] {
        let mut refused = eve.pipe(&door, words);
        refused.end_input();
        assert_ne!(refused.wait_exit(), 0, "{words:?}: {:?}", refused.seen);
        assert!(!refused.seen.concat().contains("uid="), "{words:?}");
    }
    assert!(!folder.path().join("me").exists());
    let mut honest = eve.pipe(&door, &["localhost", "rooms"]);
    assert_eq!(honest.wait_exit(), 0, "{:?}", honest.seen);
}

/// Catches: a flood of half-open handshakes that keeps a newcomer out, or stops a game.
#[tokio::test]
async fn half_open_handshakes_hold_nobody_up() {
    let Some((_server, door, _folder)) = opened("a flood of half-open handshakes", &[]) else {
        return;
    };
    let mut ada = Visitor::with_key("Ada").pipe(&door, &["localhost", "play", "--both"]);
    ada.wait_for("Room ");
    let mut held = Vec::new();
    for host in 1..=ADDRESSES {
        for _ in 0..SILENT {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind((Ipv4Addr::new(127, 0, 9, host), 0).into()).unwrap();
            let mut stream = socket.connect(([127, 0, 0, 1], door.port).into()).await.unwrap();
            // It is accepted, or closed, once it was looked at.
            let mut first = [0];
            let read = stream.read(&mut first);
            drop(tokio::time::timeout(TIMEOUT, read).await.expect("nobody looks at it"));
            held.push(stream);
        }
    }
    ada.line("5");
    ada.wait_for("X plays 5");
    let mut bob = Visitor::with_key("Bob").pipe(&door, &["localhost", "rooms"]);
    assert_eq!(bob.wait_exit(), 0, "{:?}", bob.seen);
    drop(held);
}

/// Catches: a door that hides its visitors' addresses from the server, or believes them.
#[test]
fn a_ban_of_an_address_keeps_its_visitors_out_alone() {
    let Some((server, door, _folder)) =
        opened("a ban at the door", &["--trusted-proxy", "127.0.0.1"])
    else {
        return;
    };
    let mut ban = Command::new(program("noughts-server"));
    ban.args(["admin", "ban", "127.0.0.2", "--reason", "be kind"]);
    assert!(ban.env("NOUGHTS_DATA_DIR", server.folder()).status().unwrap().success());
    let banned = Visitor::with_key("Eve").from(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2)));
    let mut banned = banned.pipe(&door, &["localhost", "rooms"]);
    banned.wait_for("be kind");
    assert_ne!(banned.wait_exit(), 0);
    let mut ada = Visitor::with_key("Ada").pipe(&door, &["localhost", "rooms"]);
    assert_eq!(ada.wait_exit(), 0, "{:?}", ada.seen);
}

/// Catches: an algorithm that should not be offered any more.
#[test]
fn an_auditor_finds_nothing_to_fail() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/ssh-audit");
    if !library.join("ssh_audit").exists() {
        return skipped("ssh-audit at a door", "what tests/e2e/ssh/requirements.txt names");
    }
    let Some((_server, door, _folder)) = opened("ssh-audit at a door", &[]) else { return };
    let mut audit = Command::new("python3");
    audit.args(["-m", "ssh_audit.ssh_audit", "--skip-rate-test", "--no-colors", "--level", "warn"]);
    audit.args(["--port", &door.port.to_string(), "127.0.0.1"]).env("PYTHONPATH", library);
    let output = audit.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    // It warns of what is not yet safe from quantum computers, which older clients need.
    assert!(said.contains("curve25519-sha256"), "it has seen nothing: {said}");
    assert!(!said.contains("[fail]"), "{said}");
}
