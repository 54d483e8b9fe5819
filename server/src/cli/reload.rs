//! SIGHUP: the configuration is read again, from the same command line, environment and files. An
//! invalid one changes nothing. Options that can change in a running server change; the log names
//! the others that have changed.

use std::collections::{BTreeMap, BTreeSet};

use toml::Value;

use super::log::Log;
use super::message;
use crate::config::args::Args;
use crate::{CommandLine, Config, Settings, SettingsError};

/// The options that change in a running server. All others wait for its next start; so does a certificate where
/// there was none, or none where there was one.
const RELOADED: [&str; 7] = [
    "log",
    "join-password",
    "join-password-file",
    "name-filter",
    "admin-tokens",
    "tls-cert",
    "tls-key",
];

/// The configuration of a running server.
#[derive(Debug)]
pub struct Running {
    config: Config,
    log: Log,
    /// The values of the options that do not change.
    fixed: BTreeMap<String, Value>,
}

impl Running {
    /// The configuration with which the server starts.
    #[must_use]
    pub fn new(settings: &Settings, config: &Config, log: Log) -> Self {
        Self { config: config.clone(), log, fixed: settings.values_but(&RELOADED) }
    }

    /// Reads the configuration again.
    pub(super) fn reload(&self) {
        match read() {
            Ok((args, settings, config)) => self.take(&args, &settings, &config),
            Err(error) => tracing::warn!("nothing has changed: {error}"),
        }
    }

    fn take(&self, args: &Args, settings: &Settings, config: &Config) {
        self.log.set_filter(&args.log);
        self.config.take(config);
        tracing::info!("the configuration was read again");
        for option in self.waiting(settings, config) {
            tracing::warn!(option, "this option has changed: it takes a restart");
        }
    }

    /// The options that have other values than those with which the server runs, or no value any more.
    fn waiting(&self, settings: &Settings, config: &Config) -> Vec<String> {
        let now = settings.values_but(&RELOADED);
        let both: BTreeSet<&String> = self.fixed.keys().chain(now.keys()).collect();
        let changed = both.into_iter().filter(|name| self.fixed.get(*name) != now.get(*name));
        let switched = self.config.tls.is_some() != config.tls.is_some();
        changed.cloned().chain(switched.then(|| "tls-cert".to_owned())).collect()
    }
}

/// The configuration as it is now, or what is wrong with it.
fn read() -> Result<(Args, Settings, Config), String> {
    let read = Settings::read::<CommandLine>(std::env::args_os());
    let (line, settings) = read.map_err(|error| match error {
        SettingsError::CommandLine(error) => message::of_arguments(&error),
        SettingsError::File(error) => error.to_string(),
    })?;
    let config = Config::try_from(&line.host).map_err(|error| settings.explain(&error))?;
    Ok((line.host, settings, config))
}
