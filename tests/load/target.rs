//! The target of the load: a server that runs already, or a server or relay that is started for the
//! run, and the kernel's counts of its process.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use tempfile::TempDir;

use crate::Args;

/// The options of the server that is started: no limits, and none that changes what a move costs.
const OPTIONS: [&str; 6] = [
    "--bind=127.0.0.1:0",
    "--max-rooms=1000000",
    "--max-connections=1000000",
    "--max-per-address=1000000",
    "--intents-per-second=1000000",
    "--room-ttl=1h",
];

/// The kind of what is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A Noughts server.
    Noughts,
    /// The bare relay, which sends each frame to everybody in its room and knows no game.
    Relay,
    /// A door for ssh.
    Door,
}

/// The target of the load. If it was started for the run, dropping this ends it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) kind: Kind,
    address: SocketAddr,
    /// Connections so far.
    opened: Cell<usize>,
    pid: Option<u32>,
    child: Option<Child>,
    // Beside the program, because the folder for temporary files may be in memory. Removed after the child.
    _data: Option<TempDir>,
}

impl Target {
    /// Starts it, unless a server is named.
    ///
    /// # Errors
    /// If it does not start.
    pub(crate) fn new(args: &Args, kind: Kind) -> anyhow::Result<Self> {
        if let Some(address) = args.server {
            let opened = Cell::default();
            return Ok(Self { kind, address, opened, pid: args.pid, child: None, _data: None });
        }
        let data = (kind == Kind::Noughts).then(folder).transpose()?;
        let mut options = Vec::new();
        if let Some(data) = &data {
            options.extend(OPTIONS.map(OsString::from));
            options.extend(["--data-dir".into(), data.path().into()]);
            options.extend(args.server_option.iter().map(OsString::from));
        }
        Self::start(args, kind, &options, data)
    }

    /// Starts a door for ssh before it.
    ///
    /// # Errors
    /// If it does not start.
    pub(crate) fn door(&self, args: &Args) -> anyhow::Result<Self> {
        let data = folder()?;
        let options = [
            "ssh".into(),
            "--listen=127.0.0.1:0".into(),
            format!("--server=http://{}", self.address).into(),
            "--config-dir".into(),
            data.path().into(),
        ];
        Self::start(args, Kind::Door, &options, Some(data))
    }

    fn start(
        args: &Args,
        kind: Kind,
        options: &[OsString],
        data: Option<TempDir>,
    ) -> anyhow::Result<Self> {
        let name = match kind {
            Kind::Noughts => "noughts-server",
            Kind::Relay => "noughts-relay",
            Kind::Door => "noughts",
        };
        let program = here()?.join(name);
        ensure!(
            program.exists(),
            "{} is not built: run cargo build --release --workspace --bins",
            program.display()
        );
        let mut command = Command::new(program);
        command.args(options);
        let cores = two_cores().filter(|_| !args.no_pin);
        if let Some((servers, _)) = cores {
            // The child inherits the core.
            pin(servers);
        }
        let started = start(command);
        if let Some((_, loads)) = cores {
            pin(loads);
        }
        let (child, address) = started.with_context(|| format!("failed to start {name}"))?;
        Ok(Self {
            kind,
            address,
            opened: Cell::default(),
            pid: Some(child.id()),
            child: Some(child),
            _data: data,
        })
    }

    /// Where the next connection goes, and its number.
    pub(crate) fn next_address(&self) -> (SocketAddr, usize) {
        let number = self.opened.replace(self.opened.get() + 1);
        (self.address, number)
    }

    /// Its memory in KiB: Pss of `smaps_rollup`, which divides a shared page among its processes.
    pub(crate) fn memory_kib(&self) -> Option<f64> {
        let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid?)).ok()?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Its processor time so far.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        cpu(self.pid?)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// The folder of the programs.
fn here() -> anyhow::Result<PathBuf> {
    let mut own = std::env::current_exe()?;
    own.pop();
    Ok(own)
}

/// A folder for data, beside the programs.
fn folder() -> anyhow::Result<TempDir> {
    Ok(tempfile::tempdir_in(here()?)?)
}

/// Starts a program and reads its address from its output. Its log goes to a file, which costs as much
/// as when hosting, and is shown only if the program does not start.
fn start(mut command: Command) -> anyhow::Result<(Child, SocketAddr)> {
    let mut log = tempfile::tempfile()?;
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.try_clone()?).spawn()?;
    let address = child.stdout.take().and_then(|stdout| {
        let words = |line: String| line.split_whitespace().find_map(|word| word.parse().ok());
        BufReader::new(stdout).lines().map_while(Result::ok).find_map(words)
    });
    if let Some(address) = address {
        return Ok((child, address));
    }
    drop(child.kill());
    drop(child.wait());
    drop(std::io::Seek::rewind(&mut log));
    anyhow::bail!("{}", std::io::read_to_string(&mut log).unwrap_or_default().trim())
}

/// The processor time of a process in user mode and in the kernel, to 10 ms.
pub(crate) fn cpu(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name may hold anything but ends with the last parenthesis; utime and stime are
    // fields 14 and 15 of proc(5), the first after the name is the third. Linux counts 100 a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..13)?.iter().filter_map(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<u64>()))
}

/// Two cores of this machine, the server's and the load's; `None` where there are not two.
#[cfg(target_os = "linux")]
fn two_cores() -> Option<(usize, usize)> {
    let allowed = rustix::thread::sched_getaffinity(None).ok()?;
    let mut cores = (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core));
    Some((cores.next()?, cores.next()?))
}

/// Pins this thread, and the threads and processes that it starts, to one core.
#[cfg(target_os = "linux")]
fn pin(core: usize) {
    let mut set = rustix::thread::CpuSet::new();
    set.set(core);
    // If that is forbidden, the measurement runs without it.
    rustix::thread::sched_setaffinity(None, &set).ok();
}

#[cfg(not(target_os = "linux"))]
const fn two_cores() -> Option<(usize, usize)> {
    None
}

#[cfg(not(target_os = "linux"))]
const fn pin(_core: usize) {}
