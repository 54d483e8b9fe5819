//! The server's binary: options, messages, exit codes, and the QR code of its banner, which `zbarimg` reads.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use clap::CommandFactory;
use noughts_harness::picture::{Theme, can_read_codes, decode};
use noughts_harness::process::{check_refused, program, signal};
use noughts_harness::{ServerProcess, Terminal};

#[test]
fn a_bad_option_is_one_clear_line_and_exit_code_2() {
    for (args, words) in [
        (["--max-rooms", "0"], "--max-rooms: 0 is out of range"),
        (["--log", "=="], "--log"),
        (["--log", "inof"], "\"inof\" is no level"),
        (["--bind", "nowhere"], "such as 0.0.0.0:7333, 127.0.0.1:7333"),
        (["--bind", "7501"], "such as 0.0.0.0:7501"),
        (["--port", "7501"], "such as 0.0.0.0:7501"),
        (["--ephemeral", "check"], "write it behind check"),
        (["--bind", "127.0.0.1"], "such as 127.0.0.1:7333"),
        (["--metrics-bind", "7502"], "127.0.0.1:7502 for this machine"),
        (["--ephemerel", "x"], "did you mean --ephemeral?"),
        (["analyse", "x"], "did you mean analyze?"),
        (["--durability", "proces"], "did you mean process?"),
        (["--absence-grace", "soon"], "--absence-grace"),
    ] {
        check_refused(&args, words);
    }
}

#[test]
fn a_node_that_waits_for_nats_stops_when_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new(program("noughts-server"));
    server.args(["--bind", "127.0.0.1:0", "--cluster", "nats://127.0.0.1:1", "--data-dir"]);
    server.arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut server = server.spawn().unwrap();
    let mut log = BufReader::new(server.stderr.take().unwrap()).lines();
    assert!(log.any(|line| line.unwrap().contains("no NATS server takes the connection yet")));
    signal(server.id(), "-TERM");
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn a_node_needs_a_folder() {
    let line = "--cluster: a node keeps a copy of all games: name a folder for it with --data-dir, which no \
                other node uses";
    let mut option = Command::new(program("noughts-server"));
    option.args(["--ephemeral", "--cluster", "nats://one"]);
    let mut variable = Command::new(program("noughts-server"));
    variable.arg("--ephemeral").env("NOUGHTS_CLUSTER", "nats://one");
    let mut check = Command::new(program("noughts-server"));
    check.args(["check", "--ephemeral", "--cluster", "nats://one"]);
    for (mut command, source) in
        [(option, ""), (variable, " (NOUGHTS_CLUSTER sets it)"), (check, "")]
    {
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, format!("noughts-server: {line}{source}\n"));
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_taken_port_names_the_option_that_changes_it() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let address = server.address().to_string();
    let said =
        check_refused(&["--bind", &address, "--data-dir", data.to_str().unwrap()], "is taken");
    assert!(!data.exists(), "a folder is made for a server that cannot run");
    assert!(said.contains("--bind"), "{said}");
}

#[test]
fn a_variable_that_is_nearly_an_option_is_a_problem_for_check_and_a_line_in_the_log() {
    let check = |name: &str| {
        let mut command = Command::new(program("noughts-server"));
        command.env(name, "5").args(["check", "--bind", "127.0.0.1:0", "--ephemeral"]);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let says = "NOUGHTS_MAX_ROMS is no option: did you mean NOUGHTS_MAX_ROOMS?";
    let (code, said) = check("NOUGHTS_MAX_ROMS");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.lines().any(|line| line == format!("problem: {says}")), "{said}");
    let (code, said) = check("NOUGHTS_SERVICE_HOST");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("ignored: ") && said.contains("NOUGHTS_SERVICE_HOST"), "{said}");
    // A server that cannot run has told it before.
    let mut command = Command::new(program("noughts-server"));
    command.env("NOUGHTS_MAX_ROMS", "5").args(["--bind", "192.0.2.1:1", "--ephemeral"]);
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(said.contains(says), "{said}");
}

#[test]
fn the_readme_names_every_option() {
    let readme = crate::server_pages();
    for option in noughts_server::Args::command().get_arguments() {
        let name = format!("--{}", option.get_long().unwrap());
        assert!(readme.contains(&name), "the pages of the server say nothing of {name}");
        assert!(option.get_env().is_some(), "{name} has no environment variable");
    }
}

#[test]
fn the_qr_code_says_the_first_address_on_dark_and_light_terminals() {
    let public = ["--bind", "127.0.0.1:0", "--public-url", "https://games.example/noughts"];
    let host = Terminal::host(&public, 40, 80);
    let screen = host.wait_text("Ctrl-C");
    let url = "https://games.example/noughts/";
    assert!(screen.find(url) < screen.find("http://127.0.0.1"), "{screen}");
    assert!(screen.contains("noughts --server https://games.example/noughts"), "{screen}");
    if can_read_codes() {
        for theme in [Theme::Dark, Theme::Light] {
            let read = host.wait_picture("a QR code", theme, |picture| decode(picture.as_bytes()));
            assert_eq!(read, url, "{theme:?}");
        }
    }
}
