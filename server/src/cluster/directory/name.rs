//! The name of a node: drawn at its start, so that a node never comes back, only another one.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The longest name in bytes.
const MAX_LENGTH: usize = 32;

/// The name of a node: small letters and digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NodeName(Arc<str>);

/// A text that is not the name of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a node is 1 to 32 small letters and digits")]
pub struct NoNodeName;

impl NodeName {
    /// A new name: no two nodes ever have the same.
    #[must_use]
    pub fn random() -> Self {
        Self::of(rand::random())
    }

    /// The name with a number.
    #[must_use]
    pub fn of(number: u64) -> Self {
        Self(format!("{number:016x}").into())
    }

    /// The name as a text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for NodeName {
    /// The name of a single server, which nobody reads.
    fn default() -> Self {
        Self("alone".into())
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for NodeName {
    type Err = NoNodeName;

    fn from_str(text: &str) -> Result<Self, NoNodeName> {
        let is_name = (1..=MAX_LENGTH).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if is_name { Ok(Self(text.into())) } else { Err(NoNodeName) }
    }
}

impl TryFrom<String> for NodeName {
    type Error = NoNodeName;

    fn try_from(text: String) -> Result<Self, NoNodeName> {
        text.parse()
    }
}

impl From<NodeName> for String {
    fn from(name: NodeName) -> Self {
        name.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_small_letters_and_digits() {
        for name in ["a", "0", "00000000000000ff", &"x".repeat(32)] {
            assert_eq!(name.parse::<NodeName>().unwrap().as_str(), name);
        }
        for no_name in ["", "A", "a.b", "a*", "a b", "ä", &"x".repeat(33)] {
            assert_eq!(no_name.parse::<NodeName>(), Err(NoNodeName), "{no_name}");
        }
        assert_eq!(NodeName::of(255).as_str(), "00000000000000ff");
        assert!(NodeName::random().as_str().parse::<NodeName>().is_ok());
    }
}
