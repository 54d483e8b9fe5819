//! The server's binary: arguments, log, run, exit code.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use noughts_server::cli::log::Log;
use noughts_server::cli::reload::Running;
use noughts_server::cli::{host, message};
use noughts_server::{CommandLine, Config, Settings, SettingsError};

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
    message::exit_code(result, "noughts-server", UNUSABLE)
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
    if line.print_config {
        return Ok(ExitCode::SUCCESS);
    }
    let unknown = settings.unknown_variables();
    let running = Running::new(&settings, &config, Log::start(&line.host));
    // A hundred descriptions of options are of no use while a server runs.
    drop(settings);
    host::run(&line.host, &config, &unknown, running)?;
    Ok(ExitCode::SUCCESS)
}
