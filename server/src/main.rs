//! The server's binary: arguments, tracing to standard error, run, exit code.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use axum::serve::ListenerExt;
use clap::Parser;
use noughts_server::lan::announce::announced;
use noughts_server::tls::renewed_on_hangup;
use noughts_server::{Args, CommandLine, Config, Server, card};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

/// The exit code for what cannot be used, as for options that clap refuses.
const BAD_OPTION: u8 = 2;

fn main() -> ExitCode {
    let done = match CommandLine::try_parse() {
        Ok(CommandLine { host: _, tool: Some(tool) }) => tool.run(),
        Ok(CommandLine { host: args, tool: None }) => host(&args).map(|()| ExitCode::SUCCESS),
        Err(refused) if refused.use_stderr() => Err(anyhow!("{}", one_line(&refused))),
        Err(help) => help.print().map(|()| ExitCode::SUCCESS).context("failed to print the help"),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("noughts-server: {error:#}");
            ExitCode::from(BAD_OPTION)
        }
    }
}

/// What is wrong with the arguments, without the usage that clap adds.
fn one_line(refused: &clap::Error) -> String {
    let text = refused.to_string();
    let said = text.lines().take_while(|line| !line.trim().is_empty());
    let said = said.map(str::trim).collect::<Vec<_>>().join(" ");
    format!("{} (--help says more)", said.trim_start_matches("error: "))
}

/// Serves with these options until it is told to stop.
fn host(args: &Args) -> anyhow::Result<()> {
    let config = Config::try_from(args)?;
    let filter: EnvFilter = args.log.parse().map_err(|error| anyhow!("--log: {error}"))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    run(args, &config)
}

#[tokio::main]
async fn run(args: &Args, config: &Config) -> anyhow::Result<()> {
    let listener = TcpListener::bind(args.bind).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {} is taken by another program: choose another with --bind {}:PORT",
            args.bind.port(),
            args.bind.ip()
        ),
        _ => anyhow!("failed to listen on {}: {error} (change it with --bind)", args.bind),
    })?;
    let server = Server::new(config.clone())?;
    let bound = listener.local_addr().context("failed to read the listening address")?;
    // Nobody may be reading; the server serves all the same.
    drop(std::io::stdout().write_all(card::text(bound, config)?.as_bytes()));
    let listener = listener.tap_io(|stream| {
        // Moves are small and must not wait for more.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set");
        }
    });
    let waiting = server.waiting_rooms();
    let until = renewed_on_hangup(config, stop_signal());
    server.serve(listener, announced(config, bound, waiting, until)).await;
    tracing::info!("stopped");
    Ok(())
}

/// Completes on Ctrl-C, and on SIGTERM where there is such a thing.
async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
    tracing::info!("stopping: telling every connection");
}
