//! The options of the command line and the environment. They do not change during a run.
//!
//! [`crate::args`] is the text as it was typed; the player's own settings are
//! [`crate::profile`]'s.

use std::io::IsTerminal;
use std::net::IpAddr;
use std::path::Path;

use anyhow::Context;
use noughts_client::connection::Trust;
use noughts_protocol::text::first_line;
use noughts_protocol::{JoinPassword, PassCode};

use crate::action::Action;
use crate::args::{Args, Command};
use crate::tui::colors::TerminalColors;
use crate::tui::escape_codes::EscapeCodes;
use crate::way_in::WayIn;

/// The options of the command line and the environment.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The first action.
    pub(crate) action: Action,
    /// Whether to look for servers on the network.
    pub(crate) discovery: bool,
    /// Draw with ASCII characters only.
    pub(crate) ascii: bool,
    /// The colours that the terminal can show.
    pub(crate) colors: TerminalColors,
    /// The codes that the terminal takes beside the screen.
    pub(crate) escape_codes: EscapeCodes,
    /// Lines of text instead of a full screen.
    pub(crate) plain: bool,
    /// Whether the player's name is given. A program has a name of its own.
    pub(crate) names_player: bool,
    /// The pass for a place in the party to join.
    pub(crate) place: Option<PassCode>,
    /// The server's password, from a file or the environment.
    pub(crate) password: Option<JoinPassword>,
    /// Keep the server's password in the profile.
    pub(crate) remember_password: bool,
    /// The authorities that may sign the server's certificate.
    pub(crate) trust: Trust,
    /// How the player has come, and how friends come.
    pub(crate) way_in: WayIn,
    /// The player's address, which the server is told, if it is not that of this machine.
    pub(crate) forwarded_for: Option<IpAddr>,
}

impl Options {
    /// Reads the options from the arguments, the environment and the kind of terminal.
    ///
    /// # Errors
    /// If the file with the password cannot be used.
    pub(crate) fn new(args: &Args) -> anyhow::Result<Self> {
        let variable = |name: &str| std::env::var(name).ok();
        let is_bot = matches!(args.command, Some(Command::Bot(_)));
        let is_full = is_full_terminal() && !is_bot;
        let password = password(args.global.password_file.as_deref())?;
        Ok(Self { password, ..Self::of(args, variable, is_full, WayIn::Program) })
    }

    /// The options of arguments in these surroundings: the variables of the terminal's environment, and
    /// whether the cursor can move there. The password is asked for.
    pub(crate) fn of(
        args: &Args,
        variable: impl Fn(&str) -> Option<String>,
        is_full: bool,
        way_in: WayIn,
    ) -> Self {
        Self {
            action: args.action(),
            discovery: !args.global.no_discovery,
            ascii: args.global.ascii || is_full && !shows_unicode(&variable),
            colors: TerminalColors::from_env(&variable),
            escape_codes: EscapeCodes::of(&variable),
            plain: args.global.plain || !is_full,
            place: args.link().and_then(|link| link.place.clone()),
            names_player: args.global.name.is_some(),
            password: None,
            remember_password: args.global.remember_password,
            trust: args.global.ca.clone().unwrap_or_default(),
            way_in,
            forwarded_for: None,
        }
    }
}

/// Whether the locale of the terminal has Unicode. A container often names no locale, and its terminal has it.
fn shows_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    // The order of POSIX, Base Definitions, 8.2.
    let named = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable);
    let locale = named.map(|name| name.to_ascii_lowercase()).find(|name| !name.is_empty());
    locale.is_none_or(|name| name.contains("utf-8") || name.contains("utf8"))
}

/// The password on the first line of a file, else the one in the environment.
fn password(file: Option<&Path>) -> anyhow::Result<Option<JoinPassword>> {
    let text = match file {
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("read the password from {}", file.display()))?;
            first_line(&text).to_owned()
        }
        None => match std::env::var("NOUGHTS_PASSWORD") {
            Ok(text) if !text.is_empty() => text,
            _ => return Ok(None),
        },
    };
    // The error does not quote the text: it is a secret.
    text.parse().map(Some).context("use the password")
}

/// Whether input and output are a terminal in which the cursor can move.
fn is_full_terminal() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !dumb && std::io::stdout().is_terminal() && std::io::stdin().is_terminal()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn the_full_screen_has_no_unicode_where_the_locale_has_none() {
        let ascii = |variables: &[(&str, &str)], is_full| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Options::of(&Args::parse_from(["noughts"]), variable, is_full, WayIn::Program).ascii
        };
        assert!(!ascii(&[], true));
        assert!(ascii(&[("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")], true));
        assert!(!ascii(&[("LC_ALL", "C")], false), "lines are the same for every script");
        assert!(!ascii(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")], true));
    }
}
