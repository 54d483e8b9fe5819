//! Errors of the command line, each in one line for people.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};

/// The exit code of a program. Prints the error, which ends it with the code `failure`. A closed output is no error:
/// its reader has read enough.
#[must_use]
pub fn exit_code(result: anyhow::Result<ExitCode>, program: &str, failure: u8) -> ExitCode {
    result.unwrap_or_else(|error| {
        let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
        if causes.any(|error| error.kind() == ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        // If standard error is closed, the exit code has to do.
        let _ = writeln!(io::stderr(), "{program}: {}", with_causes(&error));
        ExitCode::from(failure)
    })
}

/// An error and its causes, without a cause whose text the error already contains.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    text
}

/// The error in the arguments, with clap's "did you mean" and without its usage.
#[must_use]
pub fn of_arguments(error: &clap::Error) -> String {
    let text = error.to_string();
    let problem = text.lines().take_while(|line| !line.trim().is_empty());
    let problem = problem.map(str::trim).collect::<Vec<_>>().join(" ");
    let problem = problem.trim_start_matches("error: ");
    if let Some(ContextValue::String(command)) = error.get(ContextKind::InvalidSubcommand)
        && error.kind() == clap::error::ErrorKind::ArgumentConflict
    {
        return format!("{problem}: write it behind {command}, if it is an option of that");
    }
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggested = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        ContextValue::Strings(names) if !names.is_empty() => Some(names.join(" or ")),
        _ => None,
    });
    match suggested {
        Some(name) => format!("{problem}: did you mean {name}? (--help says more)"),
        None => format!("{problem} (--help says more)"),
    }
}
