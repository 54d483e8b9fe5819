//! An SSH remote forward, with a temporary server and temporary keys.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use noughts_harness::process::succeeds;
use noughts_harness::skip::has_programs;
use noughts_harness::{Pipe, Running, ServerProcess, TIMEOUT};

use super::{README, own_address, replaced};
use crate::plain::code;

/// Debian's place for it, which is in no user's path; it wants to be called in full.
const SSHD: &str = "/usr/sbin/sshd";

/// Starts a command, and waits until somebody listens at an address.
fn until_listening(command: &mut Command, address: SocketAddr) -> Running {
    let mut running = Running::start(command.stdin(Stdio::null()));
    let deadline = Instant::now() + TIMEOUT;
    while TcpStream::connect(address).is_err() {
        let ended = running.try_wait().unwrap();
        assert!(ended.is_none() && Instant::now() < deadline, "{command:?} does not listen");
        std::thread::yield_now();
    }
    running
}

#[test]
fn two_friends_play_at_the_far_end() {
    if !has_programs("a tunnel", &["ssh", SSHD]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for key in ["host", "user"] {
        let mut make = Command::new("ssh-keygen");
        make.args(["-q", "-t", "ed25519", "-N", "", "-f", &path(key)]);
        succeeds(&mut make);
    }
    // Its service makes this folder; it needs none unless it is root.
    drop(fs::create_dir_all("/run/sshd"));
    let far = own_address();
    let config = format!(
        "ListenAddress {}\nPort {}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\n\
         StrictModes no\nGatewayPorts clientspecified\nLogLevel FATAL\n",
        far.ip(),
        far.port(),
        path("host"),
        path("user.pub"),
    );
    fs::write(path("config"), config).unwrap();
    let _sshd = until_listening(Command::new(SSHD).args(["-D", "-e", "-f", &path("config")]), far);

    let server = ServerProcess::start(&[]);
    let friends = SocketAddr::new(far.ip(), 7333);
    // The README's line, between this machine and itself.
    let line = README.lines().find(|line| line.starts_with("ssh ")).unwrap();
    let line = replaced(line, "0.0.0.0:7333", &friends.to_string());
    let line = replaced(&line, "localhost:7333", &server.address().to_string());
    let line = replaced(&line, "you@server", &far.ip().to_string());
    let mut ssh = Command::new("ssh");
    ssh.args(["-p", &far.port().to_string(), "-i", &path("user"), "-o", "BatchMode=yes"]);
    ssh.args(["-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR"]);
    ssh.args(["-o", &format!("UserKnownHostsFile={}", path("known"))]);
    ssh.args(line.split(' ').skip(1));
    let _ssh = until_listening(&mut ssh, friends);

    let there = friends.to_string();
    let play = |name: &str, what: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let all = [&["--server", &there, "--name", name], what].concat();
        let mut pipe = Pipe::run(&all, folder.path());
        pipe.timeout = Duration::from_secs(60);
        (pipe, folder)
    };
    let (mut ada, _ada) = play("Ada", &["play"]);
    let code = code(&ada.wait_for("Room "));
    let (mut bob, _bob) = play("Bob", &["play", &code]);
    for (cell, turn) in [("5", 0), ("1", 1), ("3", 0), ("2", 1), ("7", 0)] {
        let mover = if turn == 0 { &mut ada } else { &mut bob };
        mover.wait_for("Your turn");
        mover.line(cell);
    }
    bob.wait_for("Ada wins with the counter diagonal");
}
