//! The door for ssh as a real process, and visitors who come through it with OpenSSH's own client.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::process::{ServerProcess, program, signal, succeeds};
use crate::{Pipe, Terminal};

/// A door process on a free port of the loopback interface. Dropping it kills it.
#[derive(Debug)]
pub struct Door {
    process: Pipe,
    /// The port on which it listens.
    pub port: u16,
}

impl Door {
    /// Starts a door before a server. Its host key and its visitors' tokens are in the folder.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn start(server: &ServerProcess, folder: &Path) -> Self {
        let mut command = Command::new(program("noughts"));
        command.args(["ssh", "--listen", "127.0.0.1:0", "--host", "localhost", "--server"]);
        command.arg(format!("ws://{}", server.address())).arg("--config-dir").arg(folder);
        let mut process = Pipe::start(&mut command);
        let line = process.wait_for("ssh -p ");
        let port = line.split("ssh -p ").nth(1).and_then(|rest| rest.split(' ').next());
        let port = port.and_then(|port| port.parse().ok());
        Self { process, port: port.unwrap_or_else(|| panic!("no port in {line:?}")) }
    }

    /// Stops it as a service manager does, and waits for its end; returns its exit code.
    ///
    /// # Panics
    /// If it cannot be asked.
    pub fn terminate(&mut self) -> i32 {
        signal(self.process.id(), "-TERM");
        self.process.wait_exit()
    }
}

/// Somebody with OpenSSH: a folder of their own, with or without a key.
#[derive(Debug)]
pub struct Visitor {
    folder: TempDir,
    /// Their name on this machine, which the client offers.
    name: &'static str,
    from: Option<IpAddr>,
}

impl Visitor {
    /// Somebody without a key.
    ///
    /// # Panics
    /// If there is no place for their folder.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), name, from: None }
    }

    /// Somebody with a new key.
    ///
    /// # Panics
    /// If it cannot be made.
    #[must_use]
    pub fn with_key(name: &'static str) -> Self {
        let visitor = Self::new(name);
        let mut make = Command::new("ssh-keygen");
        make.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(visitor.key());
        succeeds(&mut make);
        visitor
    }

    /// The same, from this address of the loopback network.
    #[must_use]
    pub fn from(self, address: IpAddr) -> Self {
        Self { from: Some(address), ..self }
    }

    fn key(&self) -> PathBuf {
        self.folder.path().join("key")
    }

    /// The arguments of `ssh` up to the host, then these.
    fn arguments(&self, door: &Door, rest: &[&str]) -> Vec<String> {
        let known = self.folder.path().join("known");
        let mut all = vec!["-F".to_owned(), "/dev/null".to_owned()];
        let options = [
            "StrictHostKeyChecking=no".to_owned(),
            format!("UserKnownHostsFile={}", known.display()),
            format!("IdentityFile={}", self.key().display()),
            "IdentitiesOnly=yes".to_owned(),
            "IdentityAgent=none".to_owned(),
            "LogLevel=ERROR".to_owned(),
        ];
        all.extend(options.into_iter().flat_map(|option| ["-o".to_owned(), option]));
        // The option would win over the name before the host.
        if !rest.iter().any(|word| word.contains('@')) {
            all.extend(["-l".to_owned(), self.name.to_owned()]);
        }
        all.extend(self.from.iter().flat_map(|from| ["-b".to_owned(), from.to_string()]));
        all.extend(["-p".to_owned(), door.port.to_string()]);
        all.extend(rest.iter().map(|&word| word.to_owned()));
        all
    }

    /// Comes in with a terminal. The words are options of `ssh`, the host, and the command.
    #[must_use]
    pub fn terminal(&self, door: &Door, words: &[&str], rows: u16, cols: u16) -> Terminal {
        let words = [&["-t"], words].concat();
        Terminal::program("ssh", &self.arguments(door, &words), rows, cols)
    }

    /// Comes in with pipes.
    #[must_use]
    pub fn pipe(&self, door: &Door, words: &[&str]) -> Pipe {
        let words = [&["-T"], words].concat();
        Pipe::start(Command::new("ssh").args(self.arguments(door, &words)))
    }
}
