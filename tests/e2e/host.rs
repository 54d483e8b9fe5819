//! The server's binary: options, messages, exit codes, and its banner.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use noughts_harness::process::{check_refused, program, signal};
use noughts_harness::{ServerProcess, Terminal};

#[test]
fn a_bad_option_is_one_clear_line_and_exit_code_2() {
    for (args, words) in [
        (["--max-rooms", "0"], "--max-rooms: 0 is out of range"),
        (["--log", "=="], "--log"),
        (["--log", "inof"], "\"inof\" is no level"),
        (["--port", "7501"], "such as 0.0.0.0:7501"),
        (["--ephemeral", "check"], "write it behind check"),
        (["--metrics-bind", "7502"], "127.0.0.1:7502 for this machine"),
        (["--ephemerel", "x"], "did you mean --ephemeral?"),
        (["analyse", "x"], "did you mean analyze?"),
        (["--durability", "proces"], "did you mean process?"),
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
    let mut command = Command::new(program("noughts-server"));
    let output = command.arg("--ephemeral").env("NOUGHTS_CLUSTER", "nats://one").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("noughts-server: {line} (NOUGHTS_CLUSTER sets it)\n"));
    assert_eq!(output.status.code(), Some(2));
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
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    command.env("NOUGHTS_MAX_ROMS", "5").args(["--bind", &taken, "--ephemeral"]);
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(said.contains(says), "{said}");
}

#[test]
fn the_banner_has_a_code_and_the_public_address_first() {
    let public = ["--bind", "127.0.0.1:0", "--public-url", "https://games.example/noughts"];
    let host = Terminal::host(&public, 40, 80);
    let screen = host.wait_text("Ctrl-C");
    let url = "https://games.example/noughts/";
    assert!(screen.find(url) < screen.find("http://127.0.0.1"), "{screen}");
    assert!(screen.contains("noughts --server https://games.example/noughts"), "{screen}");
    assert!(screen.contains("▀▀▀"), "{screen}");
}
