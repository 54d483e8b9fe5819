//! Hosting, which is what the binary does without a command: signals, ports, the start-up banner,
//! then the server until it is told to stop.

use std::io::Write;
use std::net::SocketAddr;
use std::pin::pin;

use anyhow::{Context, anyhow};
use tokio::net::{TcpListener, TcpSocket};

use crate::cli::check::cannot_listen;
use crate::cli::reload::Running;
use crate::cli::{banner, signals, systemd};
use crate::config::settings::UnknownVariables;
use crate::net::listener;
use crate::{Args, Config, Server};

/// Serves with these options until the process gets a signal to stop.
///
/// # Errors
/// If the data folder or a port cannot be used, with a message for people.
#[tokio::main]
pub async fn run(
    args: &Args,
    config: &Config,
    unknown: &UnknownVariables,
    running: Running,
) -> anyhow::Result<()> {
    for slip in &unknown.slips {
        tracing::warn!("{slip}");
    }
    signals::survive_file_size_limit().context(NO_SIGNALS)?;
    let mut stop = pin!(signals::stop().context(NO_SIGNALS)?);
    let hangups = signals::reload(running).context(NO_SIGNALS)?;
    // The ports are taken first, because a server that cannot have them shall make no folder. They open
    // after the store, so that no client waits for a data folder that cannot be used.
    let players = bind("--bind", args.bind)?;
    let metrics = args.metrics_bind.map(|bind| self::bind("--metrics-bind", bind)).transpose()?;
    let hosts = args.admin.map(|bind| self::bind("--admin", bind)).transpose()?;
    let address = players.local_addr().context("failed to read the listening address")?;
    // A node may wait for NATS.
    let server = tokio::select! {
        biased;
        () = &mut stop => return Ok(()),
        server = Server::join(config.clone(), address) => server?,
    };
    let listener = listen("--bind", args.bind, players)?;
    if let Some((address, socket)) = args.metrics_bind.zip(metrics) {
        let listener = listen("--metrics-bind", address, socket)?;
        let bound = listener.local_addr().context("failed to read the metrics' address")?;
        tracing::info!("metrics are at http://{bound}/metrics");
        server.show_metrics(listener);
    }
    if let Some((address, socket)) = args.admin.zip(hosts) {
        let listener = listen("--admin", address, socket)?;
        let bound = listener.local_addr().context("failed to read the hosts' address")?;
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        tracing::info!("hosts are at {scheme}://{bound}/host");
        if config.tls.is_none() && !bound.ip().is_loopback() {
            tracing::warn!(
                "whoever can read the network's traffic learns the tokens of hosts: use --admin {}, or --tls-cert",
                bound.port(),
            );
        }
        server.admit_hosts(listener);
    }
    let bound = listener.local_addr().context("failed to read the listening address")?;
    #[cfg(unix)]
    server.open_door();
    // The server serves even if nobody can read the banner.
    drop(std::io::stdout().write_all(banner::text(bound, config)?.as_bytes()));
    if let Some(ignored) = unknown.ignored() {
        tracing::info!("{ignored}");
    }
    server.spawn(hangups);
    server.announce(bound);
    // Connections that come from now on are served: the system holds them until they are accepted.
    systemd::ready(bound);
    server.serve(listener::tuned(listener), stop).await;
    Ok(())
}

const NO_SIGNALS: &str = "failed to listen for signals";

/// Takes the address of an option.
fn bind(option: &str, address: SocketAddr) -> anyhow::Result<TcpSocket> {
    listener::bind(address).map_err(|error| anyhow!(cannot_listen(option, address, &error)))
}

/// Listens on the address of an option, which was taken.
fn listen(option: &str, address: SocketAddr, socket: TcpSocket) -> anyhow::Result<TcpListener> {
    listener::listen(socket).map_err(|error| anyhow!(cannot_listen(option, address, &error)))
}
