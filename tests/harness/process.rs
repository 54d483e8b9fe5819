//! The server as a real process on a free port, which a test may kill and restart.

#![expect(clippy::must_use_candidate, reason = "a test may look at the exit code alone")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Machine, Pipe, Terminal, TestServer};

/// The log's file, in the server's folder.
const LOG: &str = "log";

/// A program of the workspace, as `cargo build --workspace --bins` puts it beside the tests.
///
/// # Panics
/// If it has not been built.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    // target/PROFILE/deps/e2e-HASH
    let path = test.ancestors().nth(2).unwrap().join(name);
    assert!(path.exists(), "{} is not built: run tests/run", path.display());
    path
}

/// Runs `noughts-server` to its end. Returns its exit code and what it says.
///
/// # Panics
/// If it does not end.
#[must_use]
pub fn run_server(args: &[&str]) -> (i32, String) {
    let mut server = Pipe::start(Command::new(program("noughts-server")).args(args));
    let code = server.wait_exit();
    (code, server.seen.join("\n"))
}

/// Runs `noughts-server` to its end with this exit code. Returns what it says.
///
/// # Panics
/// If the code is another one.
#[track_caller]
pub fn server_says(code: i32, args: &[&str]) -> String {
    let (found, said) = run_server(args);
    assert_eq!(found, code, "{args:?}: {said}");
    said
}

/// Checks that `noughts-server` refuses to run, in one line that contains `words`. Returns the line.
///
/// # Panics
/// If it does not.
#[track_caller]
pub fn check_refused(args: &[&str], words: &str) -> String {
    let said = server_says(2, args);
    assert!(said.contains(words) && said.lines().count() == 1, "{args:?}: {said}");
    said
}

/// Runs a command to its end, which must succeed. Returns what it says.
///
/// # Panics
/// With that, if it fails.
#[track_caller]
pub fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{command:?}\n{said}");
    said
}

/// A process. Dropping it kills it.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Starts a command.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    fn end(&mut self) {
        // It may have ended by itself.
        drop(self.kill());
        drop(self.wait());
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Sends a signal, such as `-TERM`, to a process.
///
/// # Panics
/// If it cannot be told.
pub fn signal(process: u32, signal: &str) {
    let told = Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(told.unwrap().success());
}

/// The resident memory of a process in KiB; `None` if it has ended, or on other systems than Linux.
#[must_use]
pub fn resident_kib(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// How many TCP sockets of a process listen; none where the system does not say.
#[must_use]
pub fn listening(process: u32) -> usize {
    let open: Vec<_> = fs::read_dir(format!("/proc/{process}/fd"))
        .into_iter()
        .flatten()
        .filter_map(|fd| fs::read_link(fd.ok()?.path()).ok())
        .map(|socket| socket.to_string_lossy().into_owned())
        .collect();
    let tables = ["tcp", "tcp6"].map(|table| {
        fs::read_to_string(format!("/proc/{process}/net/{table}")).unwrap_or_default()
    });
    let rows = tables.iter().flat_map(|table| table.lines().skip(1));
    let rows = rows.map(|row| row.split_whitespace().collect::<Vec<_>>());
    // State 0A is LISTEN; the tenth word is the inode (proc(5)).
    rows.filter(|row| row[3] == "0A" && open.contains(&format!("socket:[{}]", row[9]))).count()
}

/// The address after `--server` on the banner; `None` if it is a name.
fn bound(server: &str) -> Option<SocketAddr> {
    let bare = server.trim().trim_start_matches("https://");
    bare.split('/').next()?.parse().ok()
}

/// A server process. Its players come as to a server in the test's process. Dropping it kills it.
#[derive(Debug)]
pub struct ServerProcess {
    child: Running,
    site: TestServer,
    options: Vec<String>,
    /// The data folder. It is deleted with the last server that uses it.
    folder: TempDir,
    /// The lines of its banner.
    pub banner: Vec<String>,
}

impl Deref for ServerProcess {
    type Target = TestServer;

    fn deref(&self) -> &TestServer {
        &self.site
    }
}

impl ServerProcess {
    /// Starts a server on a free port of the loopback interface, with a new data folder.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn start(options: &[&str]) -> Self {
        Self::start_under(&[], options)
    }

    /// Starts a server at this address, with a new data folder.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn start_bound(address: SocketAddr, options: &[&str]) -> Self {
        Self::start_new(&address.to_string(), options, &[])
    }

    /// Starts a server on another machine, on every interface and the default port, unless the options
    /// say otherwise.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn start_on(machine: &Machine, options: &[&str]) -> Self {
        Self::start_new("0.0.0.0:7333", options, &machine.via())
    }

    /// Starts a server through a wrapper program, if one is named, which runs the server's command line
    /// after its own arguments and becomes the server.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn start_under(wrapper: &[&str], options: &[&str]) -> Self {
        Self::start_new("127.0.0.1:0", options, wrapper)
    }

    fn start_new(bind: &str, options: &[&str], wrapper: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        Self::start_at(bind, options, tempfile::tempdir().unwrap(), wrapper)
    }

    fn start_at(bind: &str, options: Vec<String>, folder: TempDir, wrapper: &[&str]) -> Self {
        let log = File::options().create(true).append(true).open(folder.path().join(LOG)).unwrap();
        let server = program("noughts-server");
        let mut command = match wrapper {
            [] => Command::new(server),
            [outer, rest @ ..] => {
                let mut command = Command::new(outer);
                command.args(rest).arg(server);
                command
            }
        };
        command.args(["--bind", bind, "--log", "warn"]).args(&options);
        command.env("NOUGHTS_DATA_DIR", folder.path()).stdout(Stdio::piped()).stderr(log);
        let mut child = Running::start(&mut command);
        let mut output = BufReader::new(child.stdout.take().unwrap());
        // The server writes its banner at once.
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        let mut banner = vec![first];
        let more = String::from_utf8_lossy(output.buffer()).into_owned();
        banner.extend(more.lines().map(str::to_owned));
        let mut places = banner.iter().filter_map(|line| {
            let (_, server) = line.split_once("noughts --server ")?;
            bound(server)
        });
        // The public address comes first, and is a proxy's.
        let is_public = options.iter().any(|option| option == "--public-url");
        let address = if is_public { places.next_back() } else { places.next() };
        let log = || fs::read_to_string(folder.path().join(LOG)).unwrap_or_default();
        let address = address.unwrap_or_else(|| panic!("the server printed no address: {}", log()));
        Self { child, site: TestServer::at(address), options, folder, banner }
    }

    /// Stops it as a service manager does, and waits for its end; returns its exit code.
    ///
    /// # Panics
    /// If it cannot be asked.
    pub fn terminate(&mut self) -> Option<i32> {
        self.signal("-TERM");
        self.child.wait().unwrap().code()
    }

    /// Waits until it ends by itself; returns its exit code.
    ///
    /// # Panics
    /// If it does not end in this time.
    pub fn ended(&mut self, within: Duration) -> Option<i32> {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < deadline, "the server goes on: {}", self.log());
            std::thread::yield_now();
        }
    }

    /// Tells it to read its configuration again.
    ///
    /// # Panics
    /// If it cannot be told.
    pub fn hang_up(&self) {
        self.signal("-HUP");
    }

    /// Freezes it.
    ///
    /// # Panics
    /// If it cannot be told.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on after it was frozen.
    ///
    /// # Panics
    /// If it cannot be told.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, name: &str) {
        signal(self.id(), name);
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its data folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a subcommand on its data folder, which must succeed. Returns what it says.
    ///
    /// # Panics
    /// If it fails.
    #[track_caller]
    pub fn tool(&self, name: &str) -> String {
        server_says(0, &[name, "--data-dir", self.folder().to_str().unwrap()])
    }

    /// Runs `noughts` with pipes, before this server.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn pipe(&self, config_dir: &Path, args: &[&str]) -> Pipe {
        Pipe::run(&[&["--server", &self.address().to_string()], args].concat(), config_dir)
    }

    /// Runs `noughts` in a terminal of 24 lines, before this server.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn terminal(&self, config_dir: &Path, args: &[&str]) -> Terminal {
        let address = self.address().to_string();
        Terminal::run(&[&["--server", &address], args].concat(), config_dir, 24, 80)
    }

    /// Its log, over all restarts.
    ///
    /// # Panics
    /// If that cannot be read.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join(LOG)).unwrap()
    }

    /// The address that its log says after `what`, as in `metrics are at http://127.0.0.1:9000/metrics`. It is
    /// logged before the banner is printed.
    ///
    /// # Panics
    /// If it is not there.
    #[must_use]
    pub fn logged_address(&self, what: &str) -> String {
        let log = self.log();
        let (_, rest) =
            log.split_once(&format!("{what} at http://")).expect("a line with the address");
        rest.split('/').next().unwrap().to_owned()
    }

    /// Kills it and restarts it on the same port and data folder.
    ///
    /// # Panics
    /// If it does not come up again.
    #[must_use]
    pub fn restart(self) -> Self {
        self.restart_under(&[])
    }

    /// Restarts it through a wrapper program that becomes the server, as `strace -D` does.
    ///
    /// # Panics
    /// If it does not come up again.
    #[must_use]
    pub fn restart_under(mut self, wrapper: &[&str]) -> Self {
        let options = std::mem::take(&mut self.options);
        self.restart_as(options, wrapper)
    }

    /// Restarts it with other options.
    ///
    /// # Panics
    /// If it does not come up again.
    #[must_use]
    pub fn restart_with(self, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        self.restart_as(options, &[])
    }

    fn restart_as(mut self, options: Vec<String>, wrapper: &[&str]) -> Self {
        self.kill();
        let bind = self.address().to_string();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        drop(self);
        Self::start_at(&bind, options, folder, wrapper)
    }

    /// Kills it as `kill -9` does.
    pub fn kill(&mut self) {
        self.child.end();
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
        // After a restart the folder, with the log, belongs to the new server.
        if let Ok(log) = fs::read_to_string(self.folder.path().join(LOG))
            && std::thread::panicking()
        {
            eprint!("the server's log:\n{log}");
        }
    }
}
