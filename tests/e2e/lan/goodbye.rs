//! A server that stops withdraws its announcement. A separate process watches, since only a process can be
//! on another machine.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use mdns_sd::{ServiceDaemon, ServiceEvent};
use noughts_harness::{Machine, Running, ServerProcess, TIMEOUT};
use noughts_protocol::SERVICE_TYPE;

use super::pair;

/// Set in the process that watches.
const WATCHES: &str = "NOUGHTS_TEST_WATCHES";

/// The watching process. In any other process this test does nothing.
#[test]
fn watch() {
    if std::env::var_os(WATCHES).is_none() {
        return;
    }
    let daemon = ServiceDaemon::new().unwrap();
    let events = daemon.browse(SERVICE_TYPE).unwrap();
    while let Ok(event) = events.recv_timeout(TIMEOUT) {
        match event {
            ServiceEvent::ServiceResolved(service) => println!("found {}", service.fullname),
            ServiceEvent::ServiceRemoved(_, name) => println!("gone {name}"),
            _ => {}
        }
    }
}

/// A process on a machine that watches, and its lines.
fn watcher(machine: &Machine) -> (Running, impl Iterator<Item = String> + use<>) {
    let [ip, rest @ ..] = machine.via();
    let mut command = Command::new(ip);
    command.args(rest).arg(std::env::current_exe().unwrap());
    command.args(["--exact", "lan::goodbye::watch", "--nocapture"]).env(WATCHES, "true");
    let mut child = Running::start(command.stdout(Stdio::piped()));
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    (child, lines)
}

#[test]
fn a_server_that_is_terminated_is_gone_at_once() {
    let Some((here, there)) = pair() else { return };
    let mut server = ServerProcess::start_on(&here, &[]);
    let (_watcher, mut lines) = watcher(&there);
    // Its lines end after a while without any, and so does each search.
    let found = lines.by_ref().find(|line| line.contains("found ")).expect("it is found");
    assert_eq!(server.terminate(), Some(0));
    let name = found.rsplit("found ").next().unwrap();
    assert!(lines.any(|line| line == format!("gone {name}")), "no goodbye from {name}");
}
