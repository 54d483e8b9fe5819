//! Both programs with a closed standard output: they end without an error message.

use std::process::{Command, Stdio};

use noughts_harness::ServerProcess;
use noughts_harness::process::program;

/// Runs a command into a pipe that nobody reads.
#[track_caller]
fn check(command: &mut Command) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let command = command.stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*said), (Some(0), ""), "{command:?}");
}

#[test]
fn the_client_ends_quietly() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let address = server.address().to_string();
    let lines: [&[&str]; 8] = [
        &["--help"],
        &["--version"],
        &["help", "play"],
        &["completions", "bash"],
        &["rooms"],
        &["servers"],
        &["play", "--both", "--plain"],
        &["watch", "--plain"],
    ];
    // The first remembers the server, so that `servers` has one to print.
    for line in lines {
        let mut command = Command::new(program("noughts"));
        command.args(line).args(["--server", &address][..].iter().filter(|_| line[0] != "help"));
        command.env("NOUGHTS_CONFIG_DIR", folder.path()).env("NOUGHTS_NO_DISCOVERY", "true");
        check(&mut command);
    }
}

#[test]
fn the_server_ends_quietly() {
    let server = ServerProcess::start(&[]);
    let lines: [&[&str]; 11] = [
        &["--help"],
        &["--version"],
        &["help", "match"],
        &["engine"],
        &["--print-config"],
        &["check", "--bind", "127.0.0.1:0"],
        &["analyze", "XX.OO...."],
        &["match", "--x", "rules", "--o", "rules", "--games", "5"],
        &["export"],
        &["ratings"],
        &["verify"],
    ];
    for line in lines {
        let folder = tempfile::tempdir().unwrap();
        // Stored rooms are read beside the server, and it writes into another folder.
        let kept = matches!(line[0], "export" | "ratings" | "verify");
        let folder = if kept { server.folder() } else { folder.path() };
        let mut command = Command::new(program("noughts-server"));
        check(command.args(line).env("NOUGHTS_DATA_DIR", folder));
    }
}

#[test]
fn an_error_that_nobody_reads_still_has_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("noughts.db"), "no database").unwrap();
    for (name, line) in [
        ("noughts", &["--nonsense"][..]),
        ("noughts", &["--password-file", "/nowhere", "rooms"]),
        ("noughts-server", &["--nonsense"]),
        ("noughts-server", &["verify"]),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(program(name));
        command.args(line).env("NOUGHTS_DATA_DIR", folder.path());
        command.env("NOUGHTS_CONFIG_DIR", folder.path());
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(writer).status();
        let code = status.unwrap().code();
        assert!(matches!(code, Some(1 | 2)), "{command:?}: {code:?}");
    }
}
