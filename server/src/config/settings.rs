//! Where each option's value comes from: the command line, else the environment, else the
//! configuration file, else the default. What the values mean is [`crate::config`]'s.
//!
//! No option is named here. The file's values become clap's defaults, each after it was parsed as
//! the option of its name, so that a new option is at once one of the file and of what is printed.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use toml::Value;

use crate::config::args::{Args, CommandLine};
use crate::config::{ConfigError, found};
pub use file::FileError;
use file::SettingsFile;

mod file;

/// The option that names the file, and so is not in it.
const FILE: &str = "config";

/// What a run was given, and where from.
#[derive(Debug)]
pub struct Settings {
    /// The options of hosting.
    options: Command,
    matches: ArgMatches,
    file: Option<SettingsFile>,
}

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The command line or the environment; or help was asked for.
    #[error(transparent)]
    CommandLine(#[from] clap::Error),
    /// The configuration file.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Settings {
    /// Reads the command line, the environment and the file that they name.
    ///
    /// # Errors
    /// Where one of them cannot be used, and where help was asked for.
    pub fn read(
        typed: impl IntoIterator<Item = OsString>,
    ) -> Result<(CommandLine, Self), SettingsError> {
        let typed: Vec<OsString> = typed.into_iter().collect();
        let mut command = CommandLine::command();
        let mut matches = command.clone().try_get_matches_from(&typed)?;
        // A tool that does not host knows no such option.
        let path = hosting(&matches).try_get_one::<PathBuf>(FILE).ok().flatten();
        let file = path.map(|path| SettingsFile::read(path)).transpose()?;
        if let Some(file) = &file {
            command = match matches.subcommand_name().map(str::to_owned) {
                Some(tool) => command.mut_subcommand(tool, |tool| file.set_defaults(tool)),
                None => file.set_defaults(command),
            };
            matches = command.try_get_matches_from(&typed)?;
        }
        let line = CommandLine::from_arg_matches(&matches)?;
        let matches = hosting(&matches).clone();
        Ok((line, Self { options: Args::command(), matches, file }))
    }

    /// What is wrong with a value, and where it was set.
    #[must_use]
    pub fn blame(&self, error: &ConfigError) -> String {
        let named = |arg: &&Arg| arg.get_long() == Some(error.option());
        let Some(arg) = self.options.get_arguments().find(named) else { return error.to_string() };
        match (self.matches.value_source(arg.get_id().as_str()), arg.get_env()) {
            (Some(ValueSource::EnvVariable), Some(env)) => {
                format!("{error} ({} sets it)", env.display())
            }
            (Some(ValueSource::DefaultValue), _) => match self.place(arg) {
                Some(place) => format!("{place}: {}: {}", error.option(), error.problem()),
                None => error.to_string(),
            },
            _ => error.to_string(),
        }
    }

    /// Every option as a line of a configuration file, with where its value comes from; secrets
    /// are left out.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::from("# What this server runs with, as a file for --config.\n");
        for arg in self.options.get_arguments().filter(|arg| arg.get_id() != FILE) {
            let Some(name) = arg.get_long() else { continue };
            let line = match self.source(arg) {
                Some(source) if arg.is_hide_env_values_set() => {
                    format!("# {name} is set, but not shown  # {source}")
                }
                Some(source) => format!("{name} = {}  # {source}", self.value(arg)),
                None if arg.is_hide_set() => continue,
                None => match found(name) {
                    Some(value) => format!("# {name} = {value}  # default"),
                    None => format!("# {name} is not set"),
                },
            };
            // A string takes whatever is written.
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Where an option's value comes from, if it has one.
    fn source(&self, arg: &Arg) -> Option<String> {
        match self.matches.value_source(arg.get_id().as_str())? {
            ValueSource::CommandLine => Some("option".to_owned()),
            ValueSource::EnvVariable => arg.get_env().map(|env| env.display().to_string()),
            _ => Some(self.place(arg).unwrap_or_else(|| "default".to_owned())),
        }
    }

    /// The place in the file where an option is set, if it is there.
    fn place(&self, arg: &Arg) -> Option<String> {
        self.file.as_ref()?.place(arg.get_id().as_str())
    }

    fn value(&self, arg: &Arg) -> Value {
        let id = arg.get_id().as_str();
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            return Value::Boolean(self.matches.get_flag(id));
        }
        let raw = self.matches.get_raw(id).into_iter().flatten();
        let mut values = raw.map(|raw| {
            let text = raw.to_string_lossy().into_owned();
            text.parse().map_or(Value::String(text), Value::Integer)
        });
        match arg.get_action() {
            ArgAction::Append => Value::Array(values.collect()),
            _ => values.next().unwrap_or_else(|| Value::String(String::new())),
        }
    }
}

/// What was given for hosting: to the program, or to the tool that was asked for.
fn hosting(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, tool)| tool)
}

#[cfg(test)]
mod tests;
