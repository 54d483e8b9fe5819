//! The terminal's commands about people, with pipes: profiles, the strongest players, an identity
//! that moves to another device, and being forgotten.

use std::path::Path;

use noughts_harness::{Pipe, ServerProcess};

use crate::admin::admin;

/// Ada has finished a game against the computer.
fn after_a_game(server: &ServerProcess, folder: &Path) {
    let play = ["--name", "Ada", "play", "--computer", "very_weak", "--mark", "x", "--first", "x"];
    let mut ada = server.pipe(folder, &play);
    (1..=9).for_each(|cell| ada.line(&cell.to_string()));
    ada.wait_for("Score");
    ada.line("quit");
    assert_eq!(ada.wait_exit(), 0);
}

#[test]
fn a_profile_and_the_leaders_are_printed() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let folder = tempfile::tempdir().unwrap();
    let mut nobody = server.pipe(folder.path(), &["--name", "Ada", "profile", "0000000000000abc"]);
    nobody.wait_for("nobody");
    assert_eq!(nobody.wait_exit(), 2);
    after_a_game(&server, folder.path());
    let mut ada = server.pipe(folder.path(), &["profile"]);
    ada.wait_for("Ada (you)");
    ada.wait_for("1 game:");
    let id = ada.wait_for("Player id:").rsplit(' ').next().unwrap().to_owned();
    ada.wait_for("3x3, 3 in a row");
    ada.wait_for("computer");
    ada.wait_for("against computer");
    assert_eq!(ada.wait_exit(), 0);
    let other = tempfile::tempdir().unwrap();
    let mut bob = server.pipe(other.path(), &["--name", "Bob", "profile", &id, "--json"]);
    let json = bob.wait_for("{");
    assert!(json.contains(r#""name":"Ada""#) && json.contains(r#""recent":[]"#), "{json}");
    let mut leaders = server.pipe(folder.path(), &["leaders", "--class", "five"]);
    leaders.wait_for("Strongest players, five in a row, this week");
    leaders.wait_for("Nobody yet.");
    assert_eq!(leaders.wait_exit(), 0);
}

#[test]
fn an_identity_moves_to_another_device() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let file = folder.path().join("ada.json");
    let file = file.to_str().unwrap();
    let mut nobody = server.pipe(folder.path(), &["identity", "save", file]);
    nobody.wait_for("you are nobody on");
    assert_eq!(nobody.wait_exit(), 2);
    after_a_game(&server, folder.path());
    let mut ada = server.pipe(folder.path(), &["identity", "save", file]);
    ada.wait_for("you are Ada on");
    ada.wait_for("Whoever has this file is you");
    assert_eq!(ada.wait_exit(), 0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // The file names its server.
    let mut phone = Pipe::run(&["identity", "load", file], other.path());
    phone.wait_for("You are Ada on");
    assert_eq!(phone.wait_exit(), 0);
    let mut phone = server.pipe(other.path(), &["profile"]);
    phone.wait_for("Ada (you)");
    phone.wait_for("1 game:");
    assert_eq!(phone.wait_exit(), 0);
    // Somebody else there is asked first.
    let third = tempfile::tempdir().unwrap();
    let mut bob = server.pipe(third.path(), &["--name", "Bob", "rooms"]);
    assert_eq!(bob.wait_exit(), 0);
    let mut bob = server.pipe(third.path(), &["identity", "load", file]);
    bob.wait_for("You are Bob on");
    bob.line("no");
    bob.wait_for("Nothing has changed.");
    assert_eq!(bob.wait_exit(), 0);
    let mut bob = server.pipe(third.path(), &["identity", "load", file]);
    bob.wait_for("Type yes");
    bob.line("yes");
    bob.wait_for("You are Ada on");
    assert_eq!(bob.wait_exit(), 0);
    // Another server knows nothing of it.
    let elsewhere = ServerProcess::start(&[]);
    let mut phone = elsewhere.pipe(other.path(), &["identity", "load", file]);
    phone.wait_for("does not know this identity");
    assert_eq!(phone.wait_exit(), 2);
    std::fs::write(file, "{}").unwrap();
    let mut phone = server.pipe(other.path(), &["identity", "load", file]);
    phone.wait_for("no identity that Noughts has saved");
    assert_eq!(phone.wait_exit(), 2);
}

#[test]
fn a_pass_moves_to_another_device_once() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let mut ada = server.pipe(folder.path(), &["--name", "Ada", "pass"]);
    let link = ada.wait_for("#pass=");
    assert_eq!(ada.wait_exit(), 0);
    let mut id = server.pipe(folder.path(), &["profile"]);
    let id = id.wait_for("Player id:");
    let mut bob = server.pipe(other.path(), &["--name", "Bob", "rooms"]);
    assert_eq!(bob.wait_exit(), 0);
    let mut bob = server.pipe(other.path(), &["pass", &link]);
    bob.wait_for("nobody can be Bob again");
    bob.line("yes");
    bob.wait_for("You are Ada on");
    assert_eq!(bob.wait_exit(), 0);
    let mut phone = server.pipe(other.path(), &["profile"]);
    assert_eq!(phone.wait_for("Player id:"), id);
    let mut late = server.pipe(other.path(), &["pass", &link, "--yes"]);
    assert_ne!(late.wait_exit(), 0, "{:?}", late.seen);
}

#[test]
fn a_player_is_forgotten_and_comes_back_as_somebody_new() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let folder = tempfile::tempdir().unwrap();
    after_a_game(&server, folder.path());
    let mut ada = server.pipe(folder.path(), &["profile"]);
    let id = ada.wait_for("Player id:");
    let mut ada = server.pipe(folder.path(), &["forget"]);
    ada.wait_for("It cannot be undone");
    ada.line("no");
    ada.wait_for("Nothing has changed.");
    assert_eq!(ada.wait_exit(), 0);
    let mut ada = server.pipe(folder.path(), &["forget", "--yes"]);
    ada.wait_for("You are forgotten on");
    assert_eq!(ada.wait_exit(), 0);
    let mut again = server.pipe(folder.path(), &["forget"]);
    again.wait_for("you are nobody on");
    assert_eq!(again.wait_exit(), 2);
    after_a_game(&server, folder.path());
    let mut new = server.pipe(folder.path(), &["profile"]);
    new.wait_for("1 game:");
    assert_ne!(new.wait_for("Player id:"), id, "somebody new");
}

#[test]
fn a_name_that_the_host_has_given_is_not_loaded() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let mut ada = server.pipe(folder.path(), &["--name", "Ada", "profile"]);
    let id = ada.wait_for("Player id:").rsplit(' ').next().unwrap().to_owned();
    let file = folder.path().join("ada.json");
    let file = file.to_str().unwrap();
    let mut ada = server.pipe(folder.path(), &["identity", "save", file]);
    assert_eq!(ada.wait_exit(), 0);
    admin(&server, &["rename", &id, "Lynx"]).unwrap();
    let mut phone = server.pipe(other.path(), &["identity", "load", file]);
    phone.wait_for("You are Lynx on");
    assert_eq!(phone.wait_exit(), 0);
    let kept = std::fs::read_to_string(other.path().join("client.json")).unwrap();
    assert!(kept.contains(r#""name": "Ada""#), "{kept}");
}
