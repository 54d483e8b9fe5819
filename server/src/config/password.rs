//! The password of the whole server: how it is given, kept and compared. Who is asked for it, and
//! how often a wrong one may be said, is [`crate::http`]'s.

use std::convert::Infallible;
use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use noughts_protocol::JoinPassword;
use sha2::Sha256;

use crate::config::ConfigError;

/// A secret as it was typed. Any text is one, so that no message about arguments quotes it.
#[derive(Clone, PartialEq, Eq)]
pub struct Typed(String);

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed(…)")
    }
}

impl FromStr for Typed {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

/// A password as the server keeps it: an HMAC-SHA-256 of it under a key of this run.
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
    /// The password that was typed or is in a file, if there is to be one.
    ///
    /// # Errors
    /// Where both were given, and where one cannot be used.
    pub(crate) fn of(
        typed: Option<&Typed>,
        file: Option<&Path>,
    ) -> Result<Option<Self>, ConfigError> {
        let (option, text) = match (typed, file) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => {
                let problem = "give --join-password or --join-password-file, not both";
                return Err(ConfigError::new("join-password", problem));
            }
            (Some(typed), None) => ("join-password", typed.0.clone()),
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

    /// Whether that is the password. Takes as long for any that is wrong.
    pub(crate) fn is(&self, said: &JoinPassword) -> bool {
        mac(&self.key, said).verify_slice(&self.code).is_ok()
    }
}

fn mac(key: &[u8; 32], password: &JoinPassword) -> Hmac<Sha256> {
    let mac = Hmac::<Sha256>::new_from_slice(key);
    let mut mac = mac.expect("HMAC takes a key of any length");
    mac.update(password.reveal().as_bytes());
    mac
}

/// The first line of a file.
fn read(file: &Path) -> Result<String, ConfigError> {
    let text = fs::read_to_string(file).map_err(|error| {
        let problem = format!("failed to read {}: {error}", file.display());
        ConfigError::new("join-password-file", problem)
    })?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Password, Typed};

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
        std::fs::write(&file, "correct horse\r\n").unwrap();
        let typed: Typed = "battery".parse().unwrap();
        assert!(Password::of(None, None).unwrap().is_none());
        let read = Password::of(None, Some(&file)).unwrap().unwrap();
        assert!(read.is(&"correct horse".parse().unwrap()));
        let given = Password::of(Some(&typed), None).unwrap().unwrap();
        assert!(given.is(&"battery".parse().unwrap()));
        for (typed, file, says) in [
            (Some(&typed), Some(file.as_path()), "not both"),
            (None, Some(folder.path()), "failed to read"),
            (Some(&"".parse().unwrap()), None, "1 to 256 bytes"),
        ] {
            let error = Password::of(typed, file).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn nothing_shows_it() {
        let typed: Typed = "battery".parse().unwrap();
        let password = Password::of(Some(&typed), None).unwrap();
        assert!(!format!("{typed:?} {password:?}").contains("battery"));
    }
}
