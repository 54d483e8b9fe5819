//! `check`: whether a server could run with the given options. Prints one line for each check.

use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use noughts_cluster::Cluster;
use noughts_store::{FolderState, probe};

use crate::cli::stored::{counted, counted_parties};
use crate::config::Config;
use crate::config::args::Args;
use crate::config::cluster::ClusterConfig;
use crate::config::settings::Settings;

/// Runs all checks and prints their results. The exit code is 1 if one of them finds a problem.
///
/// # Errors
/// If the options cannot be used, or if the output cannot be written.
pub fn run(args: &Args, settings: &Settings) -> anyhow::Result<ExitCode> {
    let config = Config::try_from(args).map_err(|error| anyhow!(settings.explain(&error)))?;
    let mut out = io::stdout().lock();
    let mut code = ExitCode::SUCCESS;
    writeln!(out, "ok: the options are in range")?;
    let unknown = settings.unknown_variables();
    let metrics = args.metrics_bind.map(|bind| port("--metrics-bind", bind));
    let hosts = args.admin.map(|bind| port("--admin", bind));
    let data = data(config.data_dir.as_deref());
    // A new check is another element: its result, or the problem that it finds.
    let cluster = config.cluster.as_ref().map(cluster);
    let here = [Some(port("--bind", args.bind)), metrics, hosts, Some(data), cluster]
        .into_iter()
        .flatten();
    let slips = unknown.slips.iter().cloned().map(Err);
    for result in slips.chain(here) {
        match result {
            Ok(text) => writeln!(out, "ok: {text}")?,
            Err(problem) => {
                code = ExitCode::FAILURE;
                writeln!(out, "problem: {problem}")?;
            }
        }
    }
    if let Some(ignored) = unknown.ignored() {
        writeln!(out, "ignored: {ignored}")?;
    }
    Ok(code)
}

/// Checks that the server could listen on the address of an option now.
fn port(option: &str, bind: SocketAddr) -> Result<String, String> {
    match TcpListener::bind(bind) {
        Ok(_) => Ok(format!("{bind} is free to listen on")),
        Err(error) => Err(cannot_listen(option, bind, &error)),
    }
}

/// Says why the server cannot listen on the address of an option, and what to change.
#[must_use]
pub fn cannot_listen(option: &str, bind: SocketAddr, error: &io::Error) -> String {
    let port = bind.port();
    let address = bind.ip();
    match error.kind() {
        ErrorKind::AddrInUse => format!(
            "port {port} is taken by another program: choose another with {option} {address}:PORT"
        ),
        _ => format!("failed to listen on {bind}: {error} (change it with {option})"),
    }
}

/// Checks that a NATS server of the cluster lets this node in. Only its start looks at what is there.
fn cluster(config: &ClusterConfig) -> Result<String, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    match runtime.block_on(Cluster::check(&config.options)) {
        Ok(()) => Ok("NATS lets this node in".to_owned()),
        Err(error) => Err(format!(
            "{error} (does NATS run, and are --cluster and the options beside it right?)"
        )),
    }
}

/// Checks that rooms can be kept in the data folder.
fn data(folder: Option<&Path>) -> Result<String, String> {
    let Some(folder) = folder else {
        return Ok("nothing is kept: rooms end with the server".to_owned());
    };
    let state = probe(folder).map_err(|error| error.to_string())?;
    let folder = folder.display();
    Ok(match state {
        FolderState::NoFolder => format!("{folder} can be made to keep rooms in"),
        FolderState::Empty => format!("{folder} can be written and holds no rooms yet"),
        FolderState::Kept { rooms, parties, games } => {
            let rooms = counted(rooms, "room");
            let parties = counted_parties(parties);
            let games = counted(games, "kept game");
            format!("{folder} can be written; it has {rooms}, {parties}, {games}")
        }
    })
}
