//! The file in which a person keeps who they are, to be the same player on another device. The page
//! and the terminal write and read the same file: one JSON object in one line.
//!
//! The holder of the file is that player: there is no password beside it, it does not expire, and
//! nobody can take it back but by being forgotten. It is good on one server alone, and only while
//! that server keeps its data folder.

use serde::Deserialize;

use crate::id::{PlayerName, PlayerToken};
use crate::text::{DisplayText, without_mark};

/// Says to the person who saves it how much a file is worth.
pub const WORTH: &str = "Whoever has this file is you on this server: they play under your name, \
    see all your games, and can have you forgotten. Nobody can take the file back, and it does not \
    expire. Keep it where only you can read it, and delete copies that you do not need.";

/// A player's identity on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityFile {
    /// The server's address, for people; may be empty.
    pub server: DisplayText,
    /// The player's name there.
    pub name: PlayerName,
    /// The proof of the identity.
    pub token: PlayerToken,
}

/// Why a text is no identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdentityFileError {
    /// It is something else, or has more than [`IdentityFile::MAX_BYTES`] bytes.
    #[error("this is no identity that Noughts has saved")]
    Other,
    /// A later version of Noughts wrote it.
    #[error("a newer Noughts has saved this identity: update this one")]
    Version,
    /// The name or the token in it cannot be one.
    #[error("the name or the token in this file is damaged: save it again")]
    Damaged,
}

/// The file's object. Fields that are not known are ignored.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    server: String,
    name: String,
    token: String,
}

/// The part that every version of the file has.
#[derive(Deserialize)]
struct Version {
    noughts_identity: u32,
}

impl IdentityFile {
    /// The largest file that is read, in bytes.
    pub const MAX_BYTES: usize = 4 * 1024;

    /// The version of the file.
    const VERSION: u32 = 1;

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let written = serde_json::json!({
            "noughts_identity": Self::VERSION,
            "server": self.server.as_str(),
            "name": self.name.as_str(),
            "token": self.token.reveal(),
        });
        format!("{written}\n")
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is no identity, or one of a later version.
    pub fn read(text: &str) -> Result<Self, IdentityFileError> {
        if text.len() > Self::MAX_BYTES {
            return Err(IdentityFileError::Other);
        }
        let text = without_mark(text);
        let Version { noughts_identity: version } =
            serde_json::from_str(text).map_err(|_| IdentityFileError::Other)?;
        if version != Self::VERSION {
            return Err(IdentityFileError::Version);
        }
        let damaged = IdentityFileError::Damaged;
        let Written { server, name, token } = serde_json::from_str(text).map_err(|_| damaged)?;
        let name = name.parse();
        let token = token.parse();
        Ok(Self {
            server: server.into(),
            name: name.map_err(|_| damaged)?,
            token: token.map_err(|_| damaged)?,
        })
    }
}
