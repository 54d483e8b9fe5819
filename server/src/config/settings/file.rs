//! The configuration file: TOML, with the options' names as keys.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::builder::OsStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::args::Args;

/// The option that names the file. It cannot be in the file.
pub(super) const CONFIG: &str = "config";

/// A file all of whose values can be parsed.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    path: PathBuf,
    values: Vec<Setting>,
}

/// An option that the file sets.
#[derive(Debug)]
struct Setting {
    /// The option's id in clap.
    id: String,
    /// The line of its key, from 1.
    line: usize,
    /// The values as on the command line.
    values: Vec<String>,
}

/// Why the file cannot be used: the place, and what to change.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("failed to read {path} ({error}): --config names a file", path = .0.display(), error = .1)]
    Unreadable(PathBuf, #[source] io::Error),
    /// A key or a value cannot be used.
    #[error("{path}:{line}: {problem}", path = .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The reason, for people.
        problem: String,
    },
}

impl SettingsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// At the first key or value that cannot be used.
    pub(crate) fn read(path: &Path) -> Result<Self, FileError> {
        let text = fs::read_to_string(path)
            .map_err(|error| FileError::Unreadable(path.to_owned(), error))?;
        let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        let unusable = |at, problem| {
            let path = path.to_owned();
            FileError::Unusable { path, line: line(at), problem }
        };
        let table = DeTable::parse(&text).map_err(|error| {
            let mut problem = error.message().replace('\n', ", ");
            // An address without quotes reads like a number or a list.
            if problem.starts_with("invalid ") || problem.starts_with("unexpected key or value") {
                problem += ": text needs quotes";
            }
            unusable(error.span().map_or(0, |span| span.start), problem)
        })?;
        let mut values = Vec::new();
        for (key, value) in table.get_ref() {
            let at = key.span().start;
            let setting = setting(key.get_ref(), value);
            let (id, parsed) = setting.map_err(|problem| unusable(at, problem))?;
            values.push(Setting { id, line: line(at), values: parsed });
        }
        Ok(Self { path: path.to_owned(), values })
    }

    /// Makes the file's values the defaults of those options that a command has.
    pub(crate) fn set_defaults(&self, command: Command) -> Command {
        command.mut_args(|arg| {
            match self.values.iter().find(|setting| arg.get_id() == &setting.id) {
                Some(setting) => arg.default_values(setting.values.iter().map(OsStr::from)),
                None => arg,
            }
        })
    }

    /// `file:line` of an option that the file sets.
    pub(crate) fn place(&self, id: &str) -> Option<String> {
        let setting = self.values.iter().find(|setting| setting.id == id)?;
        Some(format!("{}:{}", self.path.display(), setting.line))
    }
}

/// The id and the values of an option. Each value is parsed as on the command line; the error says
/// what is wrong.
fn setting(key: &str, value: &Spanned<DeValue<'_>>) -> Result<(String, Vec<String>), String> {
    let options = Args::command();
    let named = |arg: &&Arg| arg.get_long() == Some(key) && arg.get_id() != CONFIG;
    let Some(arg) = options.get_arguments().find(named) else { return Err(no_option(key)) };
    let flag = matches!(arg.get_action(), ArgAction::SetTrue);
    let values = match (value.get_ref(), flag) {
        (DeValue::Boolean(on), true) => {
            return Ok((arg.get_id().to_string(), vec![on.to_string()]));
        }
        (_, true) => return Err(format!("{key}: write true or false")),
        (DeValue::Array(list), false) if matches!(arg.get_action(), ArgAction::Append) => {
            list.iter().map(|value| scalar(value.get_ref())).collect::<Option<Vec<_>>>()
        }
        (value, false) => scalar(value).map(|value| vec![value]),
    };
    let values = values.ok_or_else(|| {
        let kind = value.get_ref().type_str();
        format!("{key}: write it as for --{key}, in quotes or as a number, and not as {kind}")
    })?;
    for value in &values {
        let words = ["noughts-server".to_owned(), format!("--{key}={value}")];
        options.clone().try_get_matches_from(words).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            format!("{key}: {}", first.trim_start_matches("error: "))
        })?;
    }
    Ok((arg.get_id().to_string(), values))
}

/// The value as on the command line.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        _ => None,
    }
}

/// Says that there is no such option, and which option may be meant.
fn no_option(key: &str) -> String {
    let words = ["noughts-server".to_owned(), format!("--{key}")];
    let error = Args::command().try_get_matches_from(words).err();
    let error = error.filter(|error| error.kind() == ErrorKind::UnknownArgument);
    let suggested = error.as_ref().and_then(|error| error.get(ContextKind::SuggestedArg));
    let hint = match suggested {
        Some(ContextValue::String(name)) => {
            format!("did you mean {}?", name.trim_start_matches('-'))
        }
        _ => "noughts-server --help lists them".to_owned(),
    };
    format!("there is no option {key:?}: {hint}")
}
