//! The `noughts` program: arguments, run, exit code.

use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use noughts_cli::args::Args;
use noughts_protocol::DisplayText;

/// Exits with 0 if the player played or left, 1 if the connection was lost for good, 2 if the
/// arguments are wrong.
fn main() -> ExitCode {
    match Args::read(std::env::args_os()) {
        Ok(args) => noughts_cli::run(&args),
        Err(refused) if refused.use_stderr() => {
            // The message may quote the arguments, so its control characters are replaced.
            let line = DisplayText::from(one_line(&refused));
            // If this cannot be printed either, the exit code says enough.
            let _ = writeln!(std::io::stderr(), "noughts: {line}");
            ExitCode::from(2)
        }
        Err(help) => {
            // A closed pipe is no error: its reader wanted no more.
            let _ = help.print();
            ExitCode::SUCCESS
        }
    }
}

/// The error as one line: without clap's usage, with clap's suggestion.
fn one_line(refused: &clap::Error) -> String {
    let text = refused.to_string();
    let line = text.lines().take_while(|line| !line.trim().is_empty());
    let line = line.map(str::trim).collect::<Vec<_>>().join(" ");
    let line = line.trim_start_matches("error: ");
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggestion = kinds.into_iter().find_map(|kind| match refused.get(kind)? {
        ContextValue::String(suggestion) => Some(suggestion.clone()),
        ContextValue::Strings(suggestion) if !suggestion.is_empty() => {
            Some(suggestion.join(" or "))
        }
        _ => None,
    });
    match suggestion {
        Some(suggestion) => format!("{line}: did you mean {suggestion}? (--help says more)"),
        None => format!("{line} (--help says more)"),
    }
}
