//! A wrong command line as one line for people. Right ones are in [`super`].

use clap::error::{ContextKind, ContextValue, ErrorKind};
use noughts_protocol::Strategy;

use super::parse_room;

/// The error as one line: without clap's usage, with clap's suggestion.
#[must_use]
pub fn one_line(refused: &clap::Error) -> String {
    let line = in_words(refused).unwrap_or_else(|| {
        let text = refused.to_string();
        let line = text.lines().take_while(|line| !line.trim().is_empty());
        let line = line.map(str::trim).collect::<Vec<_>>().join(" ");
        line.trim_start_matches("error: ").to_owned()
    });
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggestion = kinds.into_iter().find_map(|kind| match refused.get(kind)? {
        ContextValue::String(suggestion) => Some(suggestion.clone()),
        ContextValue::Strings(suggestion) if !suggestion.is_empty() => {
            Some(suggestion.join(" or "))
        }
        _ => None,
    });
    let code = context(refused, ContextKind::InvalidSubcommand);
    let code = code.filter(|word| parse_room(word).is_ok()).map(|code| format!("play {code}"));
    match suggestion.or(code) {
        Some(suggestion) => format!("{line}: did you mean {suggestion}? (--help says more)"),
        None => format!("{line} (--help says more)"),
    }
}

/// A plain error, where clap names its own notions: "--board 2x2x2: sides are 3 to 19 cells".
fn in_words(refused: &clap::Error) -> Option<String> {
    let text = |kind| context(refused, kind);
    match refused.kind() {
        ErrorKind::ValueValidation => {
            Some(format!("{}: {}", typed(refused)?, std::error::Error::source(refused)?))
        }
        ErrorKind::InvalidValue if without_strengths(refused).is_some() => {
            Some(format!("{}: {} has no strengths", typed(refused)?, without_strengths(refused)?))
        }
        ErrorKind::MissingRequiredArgument => missing_computer(refused),
        ErrorKind::InvalidValue => match refused.get(ContextKind::ValidValue)? {
            ContextValue::Strings(values) if values.is_empty() => {
                Some(format!("{} needs a value", typed(refused)?))
            }
            ContextValue::Strings(values) => {
                Some(format!("{}: choose one of {}", typed(refused)?, values.join(", ")))
            }
            _ => None,
        },
        ErrorKind::InvalidSubcommand => {
            Some(format!("there is no command {}", text(ContextKind::InvalidSubcommand)?))
        }
        ErrorKind::UnknownArgument => {
            let arg = text(ContextKind::InvalidArg)?;
            let what = if arg.starts_with('-') { "no option" } else { "nothing called" };
            Some(format!("there is {what} {arg}"))
        }
        _ => None,
    }
}

/// The strategy of a value such as `perfect:strong`, if it has no strengths.
fn without_strengths(refused: &clap::Error) -> Option<Strategy> {
    let (strategy, _) = context(refused, ContextKind::InvalidValue)?.split_once(':')?;
    strategy.parse().ok().filter(|strategy: &Strategy| !strategy.has_strengths())
}

/// The advice if only one of two computers is named.
fn missing_computer(refused: &clap::Error) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = refused.get(ContextKind::InvalidArg) else {
        return None;
    };
    let is_missing =
        |side: &&str| missing.iter().any(|arg| arg.contains(&format!("--computer-{side}")));
    let side = ["x", "o"].into_iter().find(is_missing)?;
    Some(format!(
        "two computers play each other: also name the one that plays {}, with --computer-{side} \
         or --strategy-{side}",
        side.to_uppercase()
    ))
}

/// The argument as it was typed: "--board 2x2x2".
fn typed(refused: &clap::Error) -> Option<String> {
    let value = context(refused, ContextKind::InvalidValue)?;
    let name = context(refused, ContextKind::InvalidArg)?.split(' ').next()?;
    // An argument without a name stands for itself.
    let name = if name.starts_with('[') { "" } else { name };
    Some(format!("{name} {value}").trim().to_owned())
}

fn context(refused: &clap::Error, kind: ContextKind) -> Option<&str> {
    match refused.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}
