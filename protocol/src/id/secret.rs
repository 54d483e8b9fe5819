//! What only its owner may know: tokens, passes and the password of a server. None of them is
//! shown by `Debug`.

use std::fmt;
use std::str::FromStr;

use serde::Deserializer;

use super::IdError;
use crate::{MAX_PASSWORD_BYTES, reading};

/// Proof of being a player, made by a server. Whoever holds it is that player: it is never shown,
/// logged or put into a link.
#[derive(Clone, PartialEq, Eq)]
pub struct PlayerToken(String);

impl PlayerToken {
    /// The longest token or [`PassCode`], in characters.
    pub const MAX_LEN: usize = 128;

    /// The secret itself, for the server that checks it and the file that keeps it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PlayerToken {
    /// Reads the token of a `hello`. What no server makes is read as the empty token, which no
    /// server makes either: it is not known, and never a reason to refuse the message.
    pub(crate) fn of_any_shape<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self>, D::Error> {
        let said = reading::secret(deserializer)?;
        Ok(said.map(|text| text.parse().unwrap_or(Self(String::new()))))
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

/// Lets one other device be the same player, once and for a short time: it is shown as a link or
/// a QR code to the person who asked for it. Letters, digits, `-`, `_` and `.`, as in a link.
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
    /// Reads the pass of a `hello`. What no server makes is read as the empty pass, which was
    /// never given to anybody.
    pub(crate) fn of_any_shape<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self>, D::Error> {
        let said = reading::secret(deserializer)?;
        Ok(said.map(|text| text.parse().unwrap_or(Self(String::new()))))
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

/// The password of a whole server, which everybody who comes in must say: 1 to
/// [`MAX_PASSWORD_BYTES`] bytes without control characters, kept exactly as it is typed.
#[derive(Clone, PartialEq, Eq)]
pub struct JoinPassword(String);

impl JoinPassword {
    /// The password itself, for the server that checks it and for whom it is remembered for.
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

/// Whether a text may be a token or a pass: both fit a frame and a link as they are.
fn is_secret(text: &str) -> bool {
    let legal = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=PlayerToken::MAX_LEN).contains(&text.len()) && text.bytes().all(legal)
}
