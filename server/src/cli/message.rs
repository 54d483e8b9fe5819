//! Errors of the command line, each in one line for people.

use clap::error::{ContextKind, ContextValue};

/// An error and its causes, without a cause whose text the error already contains.
#[must_use]
pub fn with_causes(error: &anyhow::Error) -> String {
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
