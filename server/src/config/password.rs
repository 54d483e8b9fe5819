//! The join password of the server: how it is given, stored and compared. The limit for wrong
//! passwords is in `limits/failed_attempts`.

use std::convert::Infallible;
use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use noughts_protocol::JoinPassword;
use sha2::Sha256;

use super::ConfigError;

/// The password as it is given. Parsing never fails, so that no error of clap quotes the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordArg(String);

impl fmt::Debug for PasswordArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordArg(…)")
    }
}

impl FromStr for PasswordArg {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

/// The password as the server stores it: its HMAC-SHA-256 under a random key of this run.
#[derive(Clone)]
pub(crate) struct Password {
    key: [u8; 32],
    code: [u8; 32],
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

impl Password {
    /// The password from the option or the file; `None` if neither is given.
    ///
    /// # Errors
    /// If both are given, or if one cannot be used.
    pub(crate) fn load(
        given: Option<&PasswordArg>,
        file: Option<&Path>,
    ) -> Result<Option<Self>, ConfigError> {
        let (option, text) = match (given, file) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => {
                let problem = "give --join-password or --join-password-file, not both";
                return Err(ConfigError::new("join-password", problem));
            }
            (Some(given), None) => ("join-password", given.0.clone()),
            (None, Some(file)) => ("join-password-file", read(file)?),
        };
        let password = text.parse().map_err(|error: noughts_protocol::IdError| {
            ConfigError::new(option, error.to_string())
        })?;
        Ok(Some(Self::new(&password)))
    }

    pub(crate) fn new(password: &JoinPassword) -> Self {
        let key = rand::random();
        Self { key, code: mac(&key, password).finalize().into_bytes().into() }
    }

    /// Whether a password is the right one. Takes the same time for every wrong password.
    pub(crate) fn is(&self, password: &JoinPassword) -> bool {
        mac(&self.key, password).verify_slice(&self.code).is_ok()
    }
}

fn mac(key: &[u8; 32], password: &JoinPassword) -> Hmac<Sha256> {
    let mac = Hmac::<Sha256>::new_from_slice(key);
    let mut mac = mac.expect("HMAC takes a key of any length");
    mac.update(password.reveal().as_bytes());
    mac
}

/// The first line of the file.
fn read(file: &Path) -> Result<String, ConfigError> {
    let text = fs::read_to_string(file).map_err(|error| {
        let problem = format!("failed to read {}: {error}", file.display());
        ConfigError::new("join-password-file", problem)
    })?;
    Ok(noughts_protocol::text::first_line(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Password, PasswordArg};

    #[test]
    fn the_password_and_no_other_is_right() {
        let password = Password::new(&"correct horse".parse().unwrap());
        assert!(password.is(&"correct horse".parse().unwrap()));
        for wrong in ["correct horse ", "correct", "Correct horse"] {
            assert!(!password.is(&wrong.parse().unwrap()), "{wrong}");
        }
    }

    #[test]
    fn it_comes_from_the_first_line_of_a_file_or_from_the_option() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("password");
        std::fs::write(&file, "\u{feff}correct horse\r\nbattery\r\n").unwrap();
        let typed: PasswordArg = "battery".parse().unwrap();
        assert!(Password::load(None, None).unwrap().is_none());
        let read = Password::load(None, Some(&file)).unwrap().unwrap();
        assert!(read.is(&"correct horse".parse().unwrap()));
        let given = Password::load(Some(&typed), None).unwrap().unwrap();
        assert!(given.is(&"battery".parse().unwrap()));
        for (typed, file, says) in [
            (Some(&typed), Some(file.as_path()), "not both"),
            (None, Some(folder.path()), "failed to read"),
            (Some(&"".parse().unwrap()), None, "1 to 256 bytes"),
        ] {
            let error = Password::load(typed, file).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn nothing_shows_it() {
        let typed: PasswordArg = "battery".parse().unwrap();
        let password = Password::load(Some(&typed), None).unwrap();
        assert!(!format!("{typed:?} {password:?}").contains("battery"));
    }
}
