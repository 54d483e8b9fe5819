//! The sources of each option's value: the command line, else the environment, else the
//! configuration file, else the default. Ranges are checked in [`super`].
//!
//! No option is named here. Each value of the file is parsed as the option of the same name and then
//! becomes clap's default, so that the file and `--print-config` know every new option at once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, Parser};
use toml::Value;

use super::ConfigError;
use super::args::Args;
use super::defaults::computed;
pub use environment::UnknownVariables;
pub use file::FileError;
use file::{CONFIG, SettingsFile};

mod environment;
mod file;

/// The options of one run, and their sources.
#[derive(Debug)]
pub struct Settings {
    /// The options of [`Args`].
    options: Command,
    matches: ArgMatches,
    file: Option<SettingsFile>,
}

/// Why the settings could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The command line or the environment cannot be used, or it asks for help.
    #[error(transparent)]
    CommandLine(#[from] clap::Error),
    /// The configuration file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Settings {
    /// Reads the command line, the environment and the file that they name. `C` is a command line
    /// with the options of [`Args`], in itself or in its subcommands.
    ///
    /// # Errors
    /// If one of them cannot be used, or if the command line asks for help.
    pub fn read<C: Parser>(
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<(C, Self), SettingsError> {
        let words: Vec<OsString> = words.into_iter().collect();
        let mut matches = C::command().try_get_matches_from(&words)?;
        // Some subcommands do not have this option.
        let path = innermost(&matches).try_get_one::<PathBuf>(CONFIG).ok().flatten();
        let file = path.map(|path| SettingsFile::read(path)).transpose()?;
        if let Some(file) = &file {
            let command = C::command();
            let command = match matches.subcommand_name().map(str::to_owned) {
                Some(name) => command.mut_subcommand(name, |command| file.set_defaults(command)),
                None => file.set_defaults(command),
            };
            matches = command.try_get_matches_from(&words)?;
        }
        let command_line = C::from_arg_matches(&matches)?;
        let matches = innermost(&matches).clone();
        Ok((command_line, Self { options: Args::command(), matches, file }))
    }

    /// The error with the source of the value, if that is the environment or the file.
    #[must_use]
    pub fn explain(&self, error: &ConfigError) -> String {
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

    /// The variables of the environment that look like options and are none.
    #[must_use]
    pub fn unknown_variables(&self) -> UnknownVariables {
        UnknownVariables::find(&self.options, std::env::vars_os().map(|(name, _)| name))
    }

    /// Every option as a line of a configuration file, with the source of its value. Secrets are left
    /// out.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::from("# What this server runs with, as a file for --config.\n");
        for arg in self.options.get_arguments().filter(|arg| arg.get_id() != CONFIG) {
            let Some(name) = arg.get_long() else { continue };
            let line = match self.source(arg) {
                Some(source) if arg.is_hide_env_values_set() => {
                    format!("# {name} is set, but not shown  # {source}")
                }
                Some(source) => format!("{name} = {}  # {source}", self.value(arg)),
                None if arg.is_hide_set() => continue,
                None => match computed(name) {
                    Some(value) => format!("# {name} = {value}  # default"),
                    None => format!("# {name} is not set"),
                },
            };
            // Writing into a string never fails.
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// The values of all options but some.
    pub(crate) fn values_but(&self, left_out: &[&str]) -> BTreeMap<String, Value> {
        let named = self.options.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg)));
        let wanted = named.filter(|(name, arg)| {
            !left_out.contains(name) && self.matches.value_source(arg.get_id().as_str()).is_some()
        });
        wanted.map(|(name, arg)| (name.to_owned(), self.value(arg))).collect()
    }

    /// The source of an option's value, if it has a value.
    fn source(&self, arg: &Arg) -> Option<String> {
        match self.matches.value_source(arg.get_id().as_str())? {
            ValueSource::CommandLine => Some("option".to_owned()),
            ValueSource::EnvVariable => arg.get_env().map(|env| env.display().to_string()),
            _ => Some(self.place(arg).unwrap_or_else(|| "default".to_owned())),
        }
    }

    /// The line of the file that sets an option, if there is one.
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
            // A name such as 007 is no number: the file would call the server 7.
            let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
            number.map_or(Value::String(text), Value::Integer)
        });
        match arg.get_action() {
            ArgAction::Append => Value::Array(values.collect()),
            _ => values.next().unwrap_or_else(|| Value::String(String::new())),
        }
    }
}

/// The options of the subcommand, or those of the program if there is no subcommand.
fn innermost(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, matches)| matches)
}

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
