//! The server's binary: options, messages, exit codes.

use std::process::{Command, Output};

use noughts_harness::ServerProcess;
use noughts_harness::process::program;

fn serve(args: &[&str]) -> Output {
    Command::new(program("noughts-server")).args(args).output().unwrap()
}

#[test]
fn a_bad_option_is_one_clear_line_and_exit_code_2() {
    for (args, words) in [
        (["--max-rooms", "0"], "--max-rooms: 0 is out of range"),
        (["--log", "=="], "--log"),
        (["--bind", "nowhere"], "--bind"),
        (["--absence-grace", "soon"], "--absence-grace"),
    ] {
        let output = serve(&args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_taken_port_names_the_option_that_changes_it() {
    let server = ServerProcess::start(&[]);
    let output = serve(&["--bind", &server.address().to_string()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("is taken") && said.contains("--bind"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn options_may_come_from_the_environment() {
    let output =
        Command::new(program("noughts-server")).env("NOUGHTS_MAX_ROOMS", "0").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
