//! The server's binary: arguments, log, run, exit code.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use noughts_server::cli::{host, message, reader_is_gone, systemd};
use noughts_server::{Args, CommandLine, Config, FRAME_LOGS, Settings, SettingsError};
use tracing_subscriber::prelude::*;

/// The exit code for what cannot be used, the same as clap's for options that it refuses.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let result = match Settings::read::<CommandLine>(std::env::args_os()) {
        Ok((line, settings)) => run(line, settings),
        Err(SettingsError::CommandLine(error)) if error.use_stderr() => {
            Err(anyhow!(message::of_arguments(&error)))
        }
        Err(SettingsError::CommandLine(help)) => {
            help.print().map(|()| ExitCode::SUCCESS).context("failed to print the help")
        }
        Err(error @ SettingsError::File(_)) => Err(error.into()),
    };
    match result {
        Ok(code) => code,
        Err(error) if reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, the exit code has to do.
            let _ = writeln!(std::io::stderr(), "noughts-server: {}", message::with_causes(&error));
            ExitCode::from(UNUSABLE)
        }
    }
}

/// Runs the command, prints the configuration, or hosts.
fn run(line: CommandLine, settings: Settings) -> anyhow::Result<ExitCode> {
    if let Some(subcommand) = line.subcommand {
        return subcommand.run(&settings);
    }
    if line.print_config {
        std::io::stdout().write_all(settings.to_toml().as_bytes())?;
    }
    let config = Config::try_from(&line.host).map_err(|error| anyhow!(settings.explain(&error)))?;
    let unknown = settings.unknown_variables();
    // A hundred descriptions of options are of no use while a server runs.
    drop(settings);
    if !line.print_config {
        start_log(&line.host);
        host::run(&line.host, &config, &unknown)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Logs to standard error, in the form that systemd's journal wants if it reads there.
fn start_log(args: &Args) {
    let (library, level) = FRAME_LOGS;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let lines = match systemd::JournalLine::if_connected() {
        Some(line) => lines.event_format(line).boxed(),
        None => lines.boxed(),
    };
    let lines = lines.with_filter(args.log.clone().with_target(library, level));
    tracing_subscriber::registry().with(lines).init();
}
