//! Secrets: tokens, passes and the password of a server. `Debug` shows none of them.

use std::fmt;
use std::str::FromStr;

use serde::Deserializer;

use super::IdError;
use crate::{MAX_PASSWORD_BYTES, reading};

/// The proof of a player's identity, made by a server. Everybody who has it is that player, so it is
/// never shown, logged or put into a link.
#[derive(Clone, PartialEq, Eq)]
pub struct PlayerToken(String);

impl PlayerToken {
    /// The longest token or [`PassCode`], in characters.
    pub const MAX_LEN: usize = 128;

    /// The secret itself, for the server that checks it and the file that stores it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PlayerToken {
    /// Reads the token of a `hello`. A malformed token is read as the empty token, which no server
    /// makes: it is unknown, but it is no reason to refuse the message.
    pub(crate) fn of_any_shape<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self>, D::Error> {
        let secret = reading::secret(deserializer)?;
        Ok(secret.map(|text| text.parse().unwrap_or(Self(String::new()))))
    }
}

impl fmt::Debug for PlayerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlayerToken(…)")
    }
}

impl FromStr for PlayerToken {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        if is_secret(text) { Ok(Self(text.to_owned())) } else { Err(IdError::Token) }
    }
}

/// A code that lets one other device be the same player, once and for a short time. The player sees
/// it as a link or a QR code. Letters, digits, `-`, `_` and `.`, which need no escaping in a link.
#[derive(Clone, PartialEq, Eq)]
pub struct PassCode(String);

impl PassCode {
    /// The secret itself, for the server that checks it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PassCode {
    /// Reads the pass of a `hello`. A malformed pass is read as the empty pass, which no server makes.
    pub(crate) fn of_any_shape<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self>, D::Error> {
        let secret = reading::secret(deserializer)?;
        Ok(secret.map(|text| text.parse().unwrap_or(Self(String::new()))))
    }
}

impl fmt::Debug for PassCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PassCode(…)")
    }
}

impl FromStr for PassCode {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        if is_secret(text) { Ok(Self(text.to_owned())) } else { Err(IdError::Pass) }
    }
}

/// The password of a whole server, which every player must send: 1 to [`MAX_PASSWORD_BYTES`] bytes
/// without control characters, exactly as typed.
#[derive(Clone, PartialEq, Eq)]
pub struct JoinPassword(String);

impl JoinPassword {
    /// The password itself, for the server that checks it and the client that stores it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for JoinPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JoinPassword(…)")
    }
}

impl FromStr for JoinPassword {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let legal =
            (1..=MAX_PASSWORD_BYTES).contains(&text.len()) && !text.chars().any(char::is_control);
        if legal { Ok(Self(text.to_owned())) } else { Err(IdError::Password) }
    }
}

/// Whether a text may be a token or a pass. Both need no escaping in a frame or a link.
fn is_secret(text: &str) -> bool {
    let legal = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=PlayerToken::MAX_LEN).contains(&text.len()) && text.bytes().all(legal)
}
