//! The programs as a host and a player start them: real processes on a free port, which a test
//! may kill.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::Machine;

/// The log's file, in the server's folder.
const LOG: &str = "log";

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

/// The address in what the card says after `--server`, where it is no name.
fn bound(server: &str) -> Option<SocketAddr> {
    let bare = server.trim().trim_start_matches("https://");
    bare.split('/').next()?.parse().ok()
}

/// A server process. Dropping it kills it.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    address: SocketAddr,
    options: Vec<String>,
    /// Where it keeps its rooms; it goes with the last server that uses it.
    folder: TempDir,
    /// What it said about itself, up to its address.
    pub card: Vec<String>,
}

impl ServerProcess {
    /// Starts one on a free port of the loopback interface, with a folder of its own for its rooms.
    ///
    /// # Panics
    /// Where it does not come up.
    #[must_use]
    pub fn start(options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let folder = tempfile::tempdir().unwrap();
        Self::start_at("127.0.0.1:0", options, folder, Command::new(program("noughts-server")))
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
        Self::start_at("0.0.0.0:7333", options, tempfile::tempdir().unwrap(), command)
    }

    /// Starts one in the hands of another program, which is called with these words and then the
    /// server's, and becomes it.
    ///
    /// # Panics
    /// Where it does not come up.
    #[must_use]
    pub fn start_under(words: &[&str], options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let [outer, rest @ ..] = words else { panic!("no program is named") };
        let mut command = Command::new(outer);
        command.args(rest).arg(program("noughts-server"));
        Self::start_at("127.0.0.1:0", options, tempfile::tempdir().unwrap(), command)
    }

    fn start_at(bind: &str, options: Vec<String>, folder: TempDir, mut command: Command) -> Self {
        let log = File::options().create(true).append(true).open(folder.path().join(LOG)).unwrap();
        let mut child = command
            .args(["--bind", bind, "--log", "warn"])
            .env("NOUGHTS_DATA_DIR", folder.path())
            .args(&options)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        // All of it is written at once.
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        let mut card = vec![first];
        let more = String::from_utf8_lossy(output.buffer()).into_owned();
        card.extend(more.lines().map(str::to_owned));
        let mut places = card.iter().filter_map(|line| {
            let (_, server) = line.split_once("noughts --server ")?;
            bound(server)
        });
        // The public one comes first, and is a proxy's.
        let is_public = options.iter().any(|option| option == "--public-url");
        let address = if is_public { places.next_back() } else { places.next() };
        let address = address.expect("the server printed no address");
        Self { child, address, options, folder, card }
    }

    /// Asks it to stop, as a service manager does, and waits until it has; its exit code.
    ///
    /// # Panics
    /// Where it cannot be asked.
    pub fn terminate(&mut self) -> Option<i32> {
        self.signal("-TERM");
        self.child.wait().unwrap().code()
    }

    /// Tells it that its certificate is another one.
    ///
    /// # Panics
    /// Where it cannot be told.
    pub fn hang_up(&self) {
        self.signal("-HUP");
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Where it keeps its rooms.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What it has logged, in all its lives.
    ///
    /// # Panics
    /// Where that cannot be read.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join(LOG)).unwrap()
    }

    /// Kills it and starts it again on the same port, with what it keeps.
    ///
    /// # Panics
    /// Where it does not come up again.
    #[must_use]
    pub fn restart(mut self) -> Self {
        let options = std::mem::take(&mut self.options);
        self.restart_as(options, Command::new(program("noughts-server")))
    }

    /// The same under a program that becomes the server, as `strace -D` does.
    ///
    /// # Panics
    /// Where it does not come up again.
    #[must_use]
    pub fn restart_under(mut self, wrapper: &[&str]) -> Self {
        let options = std::mem::take(&mut self.options);
        let [wrapper, args @ ..] = wrapper else { panic!("no program to start it under") };
        let mut command = Command::new(wrapper);
        command.args(args).arg(program("noughts-server"));
        self.restart_as(options, command)
    }

    /// The same with other options.
    ///
    /// # Panics
    /// Where it does not come up again.
    #[must_use]
    pub fn restart_with(self, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        self.restart_as(options, Command::new(program("noughts-server")))
    }

    fn restart_as(mut self, options: Vec<String>, command: Command) -> Self {
        self.kill();
        let bind = self.address.to_string();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        drop(self);
        Self::start_at(&bind, options, folder, command)
    }

    /// Kills it as `kill -9` does.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
        // After a restart the log has moved on with the folder.
        if let Ok(log) = fs::read_to_string(self.folder.path().join(LOG))
            && std::thread::panicking()
        {
            eprint!("the server's log:\n{log}");
        }
    }
}
