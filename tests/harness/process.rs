//! The programs as a host and a player start them: real processes on a free port, which a test
//! may kill.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::Machine;

/// A program of the workspace, as `cargo build --workspace --bins` puts it beside the tests.
///
/// # Panics
/// Where it has not been built.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    // target/PROFILE/deps/e2e-HASH
    let path = test.ancestors().nth(2).unwrap().join(name);
    assert!(path.exists(), "{} is not built: run tests/run", path.display());
    path
}

/// A server process. Dropping it kills it.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    address: SocketAddr,
    options: Vec<String>,
    /// What it said about itself, up to its address.
    pub card: Vec<String>,
}

impl ServerProcess {
    /// Starts one on a free port of the loopback interface.
    ///
    /// # Panics
    /// Where it does not come up.
    #[must_use]
    pub fn start(options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        Self::start_at("127.0.0.1:0", options, Command::new(program("noughts-server")))
    }

    /// Starts one on a machine of its own, on every interface and the usual port unless told
    /// otherwise.
    ///
    /// # Panics
    /// Where it does not come up.
    #[must_use]
    pub fn start_on(machine: &Machine, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let [ip, rest @ ..] = &machine.via()[..] else { unreachable!() };
        let mut command = Command::new(ip);
        command.args(rest).arg(program("noughts-server"));
        Self::start_at("0.0.0.0:7333", options, command)
    }

    fn start_at(bind: &str, options: Vec<String>, mut command: Command) -> Self {
        let mut child = command
            .args(["--bind", bind, "--log", "warn"])
            .args(&options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        // All of it is written at once.
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        let mut card = vec![first];
        let more = String::from_utf8_lossy(output.buffer()).into_owned();
        card.extend(more.lines().map(str::to_owned));
        let address = card
            .iter()
            .find_map(|line| line.split_once("noughts --server ")?.1.trim().parse().ok())
            .expect("the server printed no address");
        Self { child, address, options, card }
    }

    /// Asks it to stop, as a service manager does, and waits until it has; its exit code.
    ///
    /// # Panics
    /// Where it cannot be asked.
    pub fn terminate(&mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Kills it and starts it again on the same port.
    ///
    /// # Panics
    /// Where it does not come up again.
    #[must_use]
    pub fn restart(mut self) -> Self {
        self.kill();
        let (bind, options) = (self.address.to_string(), std::mem::take(&mut self.options));
        drop(self);
        Self::start_at(&bind, options, Command::new(program("noughts-server")))
    }

    fn kill(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
