//! The server's binary: arguments, tracing to standard error, run, exit code.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use axum::serve::ListenerExt;
use clap::error::{ContextKind, ContextValue};
use noughts_server::cli::check::cannot_listen;
use noughts_server::cli::reader_is_gone;
use noughts_server::cli::{banner, signals, systemd};
use noughts_server::net::lan::announce::announced;
use noughts_server::{Args, CommandLine, Config, NO_FRAMES, Server, Settings, SettingsError};
use socket2::SockRef;
use tokio::net::TcpListener;
use tracing_subscriber::prelude::*;

/// Bytes that the system keeps for each connection until they have arrived: the page fits in,
/// compressed as it is sent.
const SEND_BUFFER: usize = 64 * 1024;

/// The exit code for what cannot be used, as for options that clap refuses.
const BAD_OPTION: u8 = 2;

fn main() -> ExitCode {
    let done = match Settings::read(std::env::args_os()) {
        Ok((line, settings)) => run_line(line, &settings),
        Err(SettingsError::CommandLine(refused)) if refused.use_stderr() => {
            Err(anyhow!("{}", one_line(&refused)))
        }
        Err(SettingsError::CommandLine(help)) => {
            help.print().map(|()| ExitCode::SUCCESS).context("failed to print the help")
        }
        Err(error @ SettingsError::File(_)) => Err(error.into()),
    };
    match done {
        Ok(code) => code,
        Err(error) if reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Who closed it does not want to know; the exit code has to do.
            let _ = writeln!(std::io::stderr(), "noughts-server: {}", in_words(&error));
            ExitCode::from(BAD_OPTION)
        }
    }
}

/// An error and its causes, but for those that it tells itself.
fn in_words(error: &anyhow::Error) -> String {
    let mut words = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !words.contains(&cause) {
            words += if words.is_empty() { "" } else { ": " };
            words += &cause;
        }
    }
    words
}

/// Does what the command line asks for.
fn run_line(line: CommandLine, settings: &Settings) -> anyhow::Result<ExitCode> {
    if let Some(tool) = line.tool {
        return tool.run(settings);
    }
    if line.print_config {
        std::io::stdout().write_all(settings.to_toml().as_bytes())?;
    }
    let config = Config::try_from(&line.host).map_err(|error| anyhow!(settings.blame(&error)))?;
    if !line.print_config {
        host(&line.host, &config)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The error in the arguments in one line, without clap's usage, and with clap's suggestion.
fn one_line(refused: &clap::Error) -> String {
    let text = refused.to_string();
    let said = text.lines().take_while(|line| !line.trim().is_empty());
    let said = said.map(str::trim).collect::<Vec<_>>().join(" ");
    let said = said.trim_start_matches("error: ");
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let meant = kinds.into_iter().find_map(|kind| match refused.get(kind)? {
        ContextValue::String(meant) => Some(meant.clone()),
        ContextValue::Strings(meant) if !meant.is_empty() => Some(meant.join(" or ")),
        _ => None,
    });
    match meant {
        Some(meant) => format!("{said}: did you mean {meant}? (--help says more)"),
        None => format!("{said} (--help says more)"),
    }
}

/// Serves with these options until it is told to stop.
fn host(args: &Args, config: &Config) -> anyhow::Result<()> {
    let (library, level) = NO_FRAMES;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let lines = match systemd::JournalLine::wanted() {
        Some(line) => lines.event_format(line).boxed(),
        None => lines.boxed(),
    };
    let lines = lines.with_filter(args.log.clone().with_target(library, level));
    tracing_subscriber::registry().with(lines).init();
    run(args, config)
}

#[tokio::main]
async fn run(args: &Args, config: &Config) -> anyhow::Result<()> {
    let (stop, hangups) = listen_for_signals(config).context("failed to listen for signals")?;
    // Whoever connects is served: nobody waits at the port for a journal that cannot be used.
    let server = Server::new(config.clone())?;
    let listener = listen("--bind", args.bind).await?;
    if let Some(address) = args.metrics_bind {
        let listener = listen("--metrics-bind", address).await?;
        let bound = listener.local_addr().context("failed to read the metrics' address")?;
        tracing::info!("metrics are at http://{bound}/metrics");
        server.show_metrics(listener);
    }
    let bound = listener.local_addr().context("failed to read the listening address")?;
    // Nobody may be reading; the server serves all the same.
    drop(std::io::stdout().write_all(banner::text(bound, config)?.as_bytes()));
    let listener = listener.tap_io(|stream| {
        // Moves are small and must not wait for more.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set");
        }
        // The system would put megabytes there for whoever asks much and reads nothing.
        if let Err(error) = SockRef::from(&*stream).set_send_buffer_size(SEND_BUFFER) {
            tracing::debug!(%error, "SO_SNDBUF could not be set");
        }
    });
    let waiting = server.waiting_rooms();
    let until = async {
        tokio::select! {
            () = stop => stopping(),
            () = hangups => {}
        }
    };
    // Who connects from now on is served: the system holds them until they are accepted.
    systemd::ready(bound);
    server.serve(listener, announced(config, bound, waiting, until)).await;
    tracing::info!("stopped");
    Ok(())
}

/// Listens from now on; what completes with the signal to stop, and what heeds SIGHUP.
fn listen_for_signals(
    config: &Config,
) -> std::io::Result<(impl Future<Output = ()> + use<>, impl Future<Output = ()> + use<>)> {
    signals::survive_file_size_limit()?;
    Ok((signals::stop()?, signals::hangups(config)?))
}

/// Listens on the address of an option.
async fn listen(option: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| anyhow!(cannot_listen(option, address, &error)))
}

fn stopping() {
    systemd::stopping();
    tracing::info!("stopping: telling every connection");
}
