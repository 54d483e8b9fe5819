//! Secrets: tokens, passes and the password of a server. `Debug` shows none of them.

use std::fmt;
use std::str::FromStr;

use super::IdError;
use crate::MAX_PASSWORD_BYTES;

/// Declares a secret: a text that `is_legal`, which only `reveal` shows.
macro_rules! secret {
    ($(#[$meta:meta])* $name:ident, $is_legal:ident, $error:ident) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The secret itself, for the server that checks it and the client that stores it.
            #[must_use]
            pub fn reveal(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                if $is_legal(text) { Ok(Self(text.to_owned())) } else { Err(IdError::$error) }
            }
        }
    };
}

secret! {
    /// The proof of a player's identity, made by a server. Everybody who has it is that player, so it is
    /// never shown, logged or put into a link. The default is empty: no server makes it.
    #[derive(Default)]
    PlayerToken, is_secret, Token
}

secret! {
    /// A code that lets one other device be the same player, once and for a short time. The player sees
    /// it as a link or a QR code. Letters, digits, `-`, `_` and `.`, which need no escaping in a link. The
    /// default is empty: no server makes it.
    #[derive(Default)]
    PassCode, is_secret, Pass
}

secret! {
    /// The password of a whole server, which every player must send: 1 to [`MAX_PASSWORD_BYTES`] bytes
    /// without control characters, exactly as typed.
    JoinPassword, is_password, Password
}

impl PlayerToken {
    /// The longest token or [`PassCode`], in characters.
    pub const MAX_LEN: usize = 128;
}

/// Whether a text may be a token or a pass. Both need no escaping in a frame or a link.
fn is_secret(text: &str) -> bool {
    let legal = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=PlayerToken::MAX_LEN).contains(&text.len()) && text.bytes().all(legal)
}

fn is_password(text: &str) -> bool {
    (1..=MAX_PASSWORD_BYTES).contains(&text.len()) && !text.chars().any(char::is_control)
}
