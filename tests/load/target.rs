//! Whom the load is for: a server that runs already, or one that is started for it.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};

use crate::args::Args;
use crate::process::{self, Process};
use crate::words::Peer;

/// So that no limit of the server is met but the one that is looked for.
const WIDE_OPEN: [&str; 12] = [
    "--bind=127.0.0.1:0",
    "--max-rooms=1000000",
    "--max-connections=1000000",
    "--max-per-address=1000000",
    "--waiting-rooms=1000000",
    "--rooms-per-player=1000000",
    "--new-rooms-per-player=1000000",
    "--intent-burst=1000000",
    "--intents-per-second=1000000",
    "--room-ttl=1h",
    "--computer-delay=0s",
    "--computer-threads=1",
];

/// The server. One that was started ends with this.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) peer: Peer,
    pub(crate) address: SocketAddr,
    pub(crate) process: Option<Process>,
    child: Option<Child>,
}

impl Target {
    /// Finds or starts it.
    ///
    /// # Errors
    /// Where it does not come up.
    pub(crate) fn new(args: &Args) -> anyhow::Result<Self> {
        if let Some(address) = args.server {
            let process = args.pid.map(Process);
            return Ok(Self { peer: Peer::Noughts, address, process, child: None });
        }
        let (peer, name) = match args.relay {
            true => (Peer::Relay, "noughts-relay"),
            false => (Peer::Noughts, "noughts-server"),
        };
        let mut command = Command::new(beside(name)?);
        if peer == Peer::Noughts {
            command.args(WIDE_OPEN).args(&args.server_option);
        }
        let cores = process::two_cores().filter(|_| !args.no_pin);
        if let Some((servers, _)) = cores {
            // What is started inherits it.
            process::pin(servers);
        }
        let started = start(command);
        if let Some((_, loads)) = cores {
            process::pin(loads);
        }
        let (child, address) = started.with_context(|| format!("failed to start {name}"))?;
        Ok(Self { peer, address, process: Some(Process(child.id())), child: Some(child) })
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

/// A program that was built with this one.
fn beside(name: &str) -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name(name);
    if !program.exists() {
        bail!("{} is not built: run cargo build --release --workspace --bins", program.display());
    }
    Ok(program)
}

/// Starts a program and reads from what it prints where it listens. What it logs goes to a file
/// that is shown only if it does not come up: writing it costs what it costs when hosting.
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
    bail!("{}", said(&mut log).trim())
}

fn said(log: &mut File) -> String {
    drop(log.rewind());
    std::io::read_to_string(log).unwrap_or_default()
}
