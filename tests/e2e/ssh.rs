//! The door for ssh, as people meet it: OpenSSH's own client in a real pseudo-terminal or with pipes, a door
//! process, a server process. Games, people, and that nothing but the game is offered.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use noughts_harness::skip::has_programs;
use noughts_harness::{Device, Door, Pipe, ServerProcess, Tab, Visitor};
use tempfile::TempDir;

use crate::page::steps::{code, friend, has, my_turn, name};
use crate::plain;

mod faults;
mod strangers;

/// Escape codes: the alternate screen is left, the cursor is shown.
const LEFT: &str = "\u{1b}[?1049l";
const CURSOR: &str = "\u{1b}[?25h";

/// A server with a door before it, and the folder of the door. Without OpenSSH the test is skipped.
fn opened(test: &str, options: &[&str]) -> Option<(ServerProcess, Door, TempDir)> {
    if !has_programs(test, &["ssh", "ssh-keygen"]) {
        return None;
    }
    let server = ServerProcess::start(options);
    let folder = tempfile::tempdir().unwrap();
    let door = Door::start(&server, folder.path());
    Some((server, door, folder))
}

/// The id of the player that a visitor is.
fn id(visitor: &Visitor, door: &Door) -> String {
    let mut profile = visitor.pipe(door, &["localhost", "profile"]);
    let id = profile.wait_for("Player id: ");
    assert_eq!(profile.wait_exit(), 0);
    id
}

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<fs::DirEntry> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .flat_map(|entry| match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path()),
            false => vec![entry],
        })
        .collect()
}

/// Catches: a user name that is no way in, a guest who is not told, keys and clicks that do not arrive, a
/// window that is not drawn anew, talk that stays here, a terminal that is not given back.
#[tokio::test]
async fn a_browser_and_a_visitor_play_from_the_code_to_the_win() {
    let Some((server, door, _folder)) = opened("a game over ssh", &[]) else { return };
    let ada = Tab::open(Device::LAPTOP, &format!("http://{}/", server.address())).await;
    name(&ada, "Ada").await;
    friend(&ada).await;
    let room = code(&ada).await;
    let bob = Visitor::new("bob");
    let way_in = format!("{}@localhost", room.to_lowercase());
    let mut bob = bob.terminal(&door, &[&way_in], 24, 80);
    let _ = bob.wait_text("You are a guest");
    let _ = bob.wait_text("Ada");
    let eve = Visitor::with_key("Eve");
    let eve = eve.terminal(&door, &["localhost", "watch", &room], 24, 80);
    let _ = eve.wait_text("watching");
    my_turn(&ada).await;
    ada.cell(2, 2).await;
    let _ = bob.wait_text("Your turn");
    bob.press("1");
    has(&ada, 1, 1, 'O').await;
    let _ = bob.wait_new("t", "Nobody has said anything yet.");
    bob.press("well played\r");
    ada.until_text("well played").await;
    let _ = eve.wait_text("well played");
    bob.resize(12, 40);
    let _ = bob.wait_for("a small window", |screen| screen.trim_end().lines().count() == 12);
    bob.resize(30, 100);
    let _ = bob.wait_for("a large window", |screen| screen.trim_end().lines().count() == 30);
    my_turn(&ada).await;
    ada.cell(1, 3).await;
    let _ = bob.wait_for("the turn", |screen| screen.contains("Your turn"));
    bob.press("2");
    has(&ada, 1, 2, 'O').await;
    my_turn(&ada).await;
    ada.cell(3, 1).await;
    let _ = bob.wait_text("Ada wins");
    let _ = eve.wait_text("Ada wins");
    ada.until_text("You win").await;
    assert_eq!(bob.leave(), 0);
    let written = bob.written();
    assert!(written.contains(LEFT) && written.contains(CURSOR), "{written:?}");
    ada.done().await;
}

/// Catches: a token that another key gets, that is kept where others can read it, or that one door knows
/// alone; a guest whom somebody remembers.
#[test]
fn a_key_is_one_player_at_every_door_and_nobody_else() {
    let Some((server, one, folder)) = opened("keys at two doors", &[]) else { return };
    let two = Door::start(&server, folder.path());
    let ada = Visitor::with_key("Ada");
    let bob = Visitor::with_key("Bob");
    let guest = Visitor::new("Gus");
    let first = id(&ada, &one);
    assert_eq!(id(&ada, &two), first);
    assert_eq!(id(&ada, &one), first);
    assert_ne!(id(&bob, &one), first);
    assert_ne!(id(&guest, &one), id(&guest, &one), "a guest is somebody else each time");
    for file in files(folder.path()) {
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "others can read {}", file.path().display());
    }
}

/// Ada's room, made over ssh with pipes, and its code.
fn hosted(ada: &Visitor, door: &Door) -> (Pipe, String) {
    let mut ada = ada.pipe(door, &["localhost", "play", "--first", "x"]);
    let code = plain::code(&ada.wait_for("Room "));
    (ada, code)
}

/// Catches: escape codes where there is no terminal, input that is lost or read too early, an exit status
/// that says nothing.
#[test]
fn lines_play_without_a_terminal() {
    let Some((_server, door, _folder)) = opened("lines over ssh", &[]) else { return };
    let (mut ada, room) = hosted(&Visitor::with_key("Ada"), &door);
    let mut bob = Visitor::with_key("Bob").pipe(&door, &["localhost", "play", &room]);
    for (player, cells) in [(&mut ada, ["1", "b1", "3"]), (&mut bob, ["4", "a3", "9"])] {
        cells.iter().for_each(|cell| player.line(cell));
    }
    ada.wait_for("You win with row 1");
    bob.wait_for("Ada wins with row 1");
    // The end of a script ends its session.
    bob.end_input();
    assert_eq!(bob.wait_exit(), 0);
    ada.line("quit");
    assert_eq!(ada.wait_exit(), 0);
    assert!(!ada.seen.concat().contains('\u{1b}'), "{:?}", ada.seen);
    let mut nobody = Visitor::with_key("Eve").pipe(&door, &["localhost", "play", "ZZZZZ"]);
    nobody.wait_for("ZZZZZ");
    assert_eq!(nobody.wait_exit(), 2);
}

/// Catches: a pass that binds no key, that can be used twice, or whose end nobody is told.
#[test]
fn two_keys_are_one_player_after_a_pass() {
    let Some((_server, door, _folder)) = opened("a pass over ssh", &[]) else { return };
    let laptop = Visitor::with_key("Ada");
    let phone = Visitor::with_key("Phone");
    let first = id(&laptop, &door);
    assert_ne!(id(&phone, &door), first);
    let mut screen = laptop.terminal(&door, &["localhost"], 24, 100);
    let _ = screen.wait_text("My profile");
    // Five up from the first item.
    let _ = screen.wait_new(&"\u{1b}[A".repeat(6), "> a My profile");
    let _ = screen.wait_new("\r", "Continue on another device");
    let _ = screen.wait_text("Enter link");
    let shown = screen.wait_new("\r", "ssh -t");
    let mut words = shown.split("ssh -t").nth(1).unwrap().split_whitespace();
    let pass = words.find(|word| word.len() > 64).unwrap();
    let become_ada = ["localhost", "pass", pass, "--yes"];
    let mut becomes = phone.pipe(&door, &become_ada);
    becomes.wait_for("You are Ada");
    assert_eq!(becomes.wait_exit(), 0);
    let _ = screen.wait_text("Your other device is in.");
    assert_eq!(id(&phone, &door), first);
    assert_eq!(id(&laptop, &door), first);
    let mut late = Visitor::with_key("Eve").pipe(&door, &become_ada);
    assert_ne!(late.wait_exit(), 0, "a pass is good once: {:?}", late.seen);
}
