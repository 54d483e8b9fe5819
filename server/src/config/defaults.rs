//! Defaults that depend on the machine and the user. All other defaults are in [`super::args`].

use std::path::PathBuf;

use directories::ProjectDirs;

use super::ConfigError;

/// The default of an option that depends on the machine, as a value of the configuration file;
/// `None` for every other option.
pub(super) fn computed(option: &str) -> Option<toml::Value> {
    match option {
        "data-dir" => Some(data_dir(None).ok()?.to_string_lossy().into_owned().into()),
        "computer-threads" => Some(i64::try_from(computer_threads()).ok()?.into()),
        _ => None,
    }
}

/// One thread for every two cores.
pub(super) fn computer_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().div_ceil(2))
}

/// The given data folder, or this user's state folder.
///
/// # Errors
/// If the system knows no such folder.
pub(crate) fn data_dir(given: Option<PathBuf>) -> Result<PathBuf, ConfigError> {
    let default = || {
        let folders = ProjectDirs::from("", "", "noughts")?;
        Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned())
    };
    given.or_else(default).ok_or_else(|| {
        ConfigError::new("data-dir", "this user has no home: name a folder, or use --ephemeral")
    })
}
