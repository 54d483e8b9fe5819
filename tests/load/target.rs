//! The server under load: one that runs already, or one that is started for the run.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};

use crate::args::Args;
use crate::limits::NO_LIMITS;
use crate::messages::Peer;
use crate::process::{self, Process};

/// Further options of the server that is started for a run.
const ALONE: [&str; 3] = ["--bind=127.0.0.1:0", "--computer-delay=0s", "--computer-threads=1"];

/// The server. If it was started for the run, dropping this kills it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) peer: Peer,
    pub(crate) address: SocketAddr,
    /// The server, if it runs here, and then other nodes of its cluster.
    pub(crate) processes: Vec<Process>,
    /// Where it keeps its journal, if an option for it says so.
    pub(crate) data_dir: Option<PathBuf>,
    child: Option<Child>,
}

impl Target {
    /// Starts the server, unless one is named.
    ///
    /// # Errors
    /// If it does not start.
    pub(crate) fn new(args: &Args) -> anyhow::Result<Self> {
        if let Some(address) = args.server {
            let processes = args.pid.iter().copied().map(Process).collect();
            return Ok(Self {
                peer: Peer::Noughts,
                address,
                processes,
                data_dir: None,
                child: None,
            });
        }
        let (peer, name) = match args.relay {
            true => (Peer::Relay, "noughts-relay"),
            false => (Peer::Noughts, "noughts-server"),
        };
        let mut command = Command::new(beside(name)?);
        if peer == Peer::Noughts {
            command.args(ALONE).args(NO_LIMITS).args(&args.server_option);
        }
        let cores = process::two_cores().filter(|_| !args.no_pin);
        if let Some((servers, _)) = cores {
            // The server inherits the core.
            process::pin(servers);
        }
        let started = start(command);
        if let Some((_, loads)) = cores {
            process::pin(loads);
        }
        let (child, address) = started.with_context(|| format!("failed to start {name}"))?;
        let mut options = args.server_option.iter();
        let data_dir = options.find_map(|option| option.strip_prefix("--data-dir="));
        Ok(Self {
            peer,
            address,
            processes: vec![Process(child.id())],
            data_dir: data_dir.map(PathBuf::from),
            child: Some(child),
        })
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

/// A program in the folder of this one.
fn beside(name: &str) -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name(name);
    if !program.exists() {
        bail!("{} is not built: run cargo build --release --workspace --bins", program.display());
    }
    Ok(program)
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
    bail!("{}", read_log(&mut log).trim())
}

fn read_log(log: &mut File) -> String {
    drop(log.rewind());
    std::io::read_to_string(log).unwrap_or_default()
}
