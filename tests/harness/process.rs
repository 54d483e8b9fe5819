//! The programs as a host and a player start them: real processes on a free port, which a test
//! may kill.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

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

/// The memory that a process occupies, in KiB; none where the system does not say, as only Linux
/// does, or the process has ended.
#[must_use]
pub fn resident_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// A server process. Dropping it kills it.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    address: SocketAddr,
    options: Vec<String>,
}

impl ServerProcess {
    /// Starts one on a free port of the loopback interface.
    ///
    /// # Panics
    /// Where it does not come up.
    #[must_use]
    pub fn start(options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        Self::start_at("127.0.0.1:0", options)
    }

    fn start_at(bind: &str, options: Vec<String>) -> Self {
        let mut child = Command::new(program("noughts-server"))
            .args(["--bind", bind, "--log", "warn"])
            .args(&options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let card = BufReader::new(child.stdout.take().unwrap());
        let address = card
            .lines()
            .map(|line| line.unwrap())
            .find_map(|line| line.trim().strip_prefix("noughts --server ")?.parse().ok())
            .expect("the server printed no address");
        Self { child, address, options }
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The memory it occupies, as [`resident_kib`] counts it.
    #[must_use]
    pub fn resident_kib(&self) -> Option<u64> {
        resident_kib(self.child.id())
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
        Self::start_at(&bind, options)
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
