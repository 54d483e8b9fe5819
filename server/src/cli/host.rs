//! Hosting, which is what the binary does without a command: signals, ports, the start-up banner,
//! then the server until it is told to stop.

use std::io::Write;
use std::net::SocketAddr;
use std::pin::pin;

use anyhow::{Context, anyhow};
use tokio::net::TcpListener;

use crate::cli::check::cannot_listen;
use crate::cli::{banner, signals, systemd};
use crate::net::listener;
use crate::{Args, Config, Server};

/// Serves with these options until the process gets a signal to stop.
///
/// # Errors
/// If the journal or a port cannot be used, with a message for people.
#[tokio::main]
pub async fn run(args: &Args, config: &Config) -> anyhow::Result<()> {
    signals::survive_file_size_limit().context(NO_SIGNALS)?;
    let mut stop = pin!(signals::stop().context(NO_SIGNALS)?);
    let hangups = signals::reload_certificate(config).context(NO_SIGNALS)?;
    // The port opens after the journal, so that no client waits for a journal that cannot be used.
    let server = tokio::select! {
        server = Server::open(config.clone()) => server?,
        // A node waits for its cluster as long as that takes.
        () = &mut stop => return Ok(()),
    };
    let listener = listen("--bind", args.bind)?;
    if let Some(address) = args.metrics_bind {
        let listener = listen("--metrics-bind", address)?;
        let bound = listener.local_addr().context("failed to read the metrics' address")?;
        tracing::info!("metrics are at http://{bound}/metrics");
        server.show_metrics(listener);
    }
    let bound = listener.local_addr().context("failed to read the listening address")?;
    // The server serves even if nobody can read the banner.
    drop(std::io::stdout().write_all(banner::text(bound, config)?.as_bytes()));
    server.spawn(hangups);
    server.announce(bound);
    // Connections that come from now on are served: the system holds them until they are accepted.
    systemd::ready(bound);
    server.serve(listener::tuned(listener), stop).await?;
    Ok(())
}

const NO_SIGNALS: &str = "failed to listen for signals";

/// Listens on the address of an option.
fn listen(option: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    listener::listen(address).map_err(|error| anyhow!(cannot_listen(option, address, &error)))
}
