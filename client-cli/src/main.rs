//! The `noughts` program: arguments, then run, then an exit code.

use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use noughts_cli::args::Args;
use noughts_protocol::DisplayText;

/// 0 when the player played or left, 1 when the connection is lost for good, 2 for arguments that
/// cannot be right.
fn main() -> ExitCode {
    match Args::read(std::env::args_os()) {
        Ok(args) => noughts_cli::run(&args),
        Err(refused) if refused.use_stderr() => {
            // The message may quote the arguments, so their control characters must go.
            let line = DisplayText::from(one_line(&refused));
            // Where not even this can be printed, the exit code has to do.
            let _ = writeln!(std::io::stderr(), "noughts: {line}");
            ExitCode::from(2)
        }
        Err(help) => {
            // The reader of the pipe has closed it and wants no more.
            let _ = help.print();
            ExitCode::SUCCESS
        }
    }
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
