//! Checks single values of options. Each error says which values are right.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use noughts_protocol::DisplayText;
use noughts_protocol::text::length;
use url::Url;

use super::ConfigError;

/// The longest time that an option may set.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

pub(super) fn count(option: &'static str, value: usize, most: usize) -> Result<usize, ConfigError> {
    let problem = || format!("{value} is out of range: use 1 to {most}");
    (1..=most).contains(&value).then_some(value).ok_or_else(|| ConfigError::new(option, problem()))
}

pub(super) fn positive(option: &'static str, value: u32) -> Result<u32, ConfigError> {
    if value == 0 { Err(ConfigError::new(option, "use at least 1")) } else { Ok(value) }
}

pub(super) fn time(option: &'static str, value: Duration) -> Result<Duration, ConfigError> {
    if value > LONGEST { Err(ConfigError::new(option, "use a year at most")) } else { Ok(value) }
}

/// The time for which a room is kept. It must be long enough for the player who made the room to
/// enter it.
pub(super) fn ttl(option: &'static str, value: Duration) -> Result<Duration, ConfigError> {
    if value < Duration::from_secs(1) {
        return Err(ConfigError::new(option, "use at least one second"));
    }
    time(option, value)
}

/// The server's name.
pub(super) fn name(name: &str) -> Result<DisplayText, ConfigError> {
    let legal =
        !name.trim().is_empty() && length(name) <= 60 && DisplayText::from(name).as_str() == name;
    let problem = "a server's name has 1 to 60 visible characters";
    legal.then(|| name.into()).ok_or_else(|| ConfigError::new("name", problem))
}

/// An origin, as browsers write it.
pub(super) fn origin(origin: &str) -> Result<String, ConfigError> {
    let url = Url::parse(origin).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let written = url.map(|url| url.origin().ascii_serialization());
    written.ok_or_else(|| {
        ConfigError::new("allow-origin", format!("{origin:?} is no origin: write https://host"))
    })
}

/// A URL that paths can be appended to: it ends in a slash.
pub(super) fn base_url(option: &'static str, text: &str) -> Result<Url, ConfigError> {
    let plain = |url: &Url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let whole = url.query().is_none() && url.fragment().is_none();
        matches!(url.scheme(), "http" | "https") && url.has_host() && bare && whole
    };
    let Some(mut url) = Url::parse(text).ok().filter(plain) else {
        let problem =
            format!("{text:?} is no base of links: write https://host or https://host/path");
        return Err(ConfigError::new(option, problem));
    };
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

/// A folder with the page's files.
pub(super) fn web_dir(folder: &Path) -> Result<PathBuf, ConfigError> {
    let problem = || format!("there is no index.html in {}", folder.display());
    let is_page = folder.join("index.html").is_file();
    is_page.then(|| folder.to_owned()).ok_or_else(|| ConfigError::new("web-dir", problem()))
}

/// Checks that the address of an option can be listened on beside another one. `whose` says what is there.
pub(super) fn beside(
    option: &'static str,
    own: SocketAddr,
    other: SocketAddr,
    whose: &str,
) -> Result<(), ConfigError> {
    let everywhere = own.ip().is_unspecified() || other.ip().is_unspecified();
    let same_address = everywhere || own.ip() == other.ip();
    // Port 0 stands for any free port.
    if own.port() != 0 && own.port() == other.port() && same_address {
        return Err(ConfigError::new(option, format!("{whose}: choose another port")));
    }
    Ok(())
}
