//! A record of the log, and its text. The text is JSON: nodes of different versions read each other's
//! records, and so does a host.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::journal::store::Write;

/// The format of the records that this version writes. A node reads all formats up to its own.
pub const FORMAT: u16 = 1;

/// A record of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The format.
    pub format: u16,
    /// The name of the node that wrote it.
    pub node: String,
    /// The number of the record among those of that node: an append whose outcome was unknown is known by
    /// it.
    pub number: u64,
    /// When it was written, in milliseconds since 1970 by that node's clock. It is for people, and for
    /// what a room's facts say about their time; nothing compares it with another clock.
    pub at: i64,
    /// The age of the cluster in milliseconds, as that node knows it.
    pub age: i64,
    /// What the record says.
    pub content: Content,
}

/// What a record says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The cluster's secret, 32 bytes in hexadecimal digits: the first record of the common chain.
    Founded {
        /// The secret with which nodes sign tokens.
        secret: String,
    },
    /// The node owns the shard from now on.
    Claimed,
    /// The node does not own the shard any more, and has written everything.
    Released,
    /// Writes of the journal, in order.
    Wrote(Vec<Write>),
}

impl Record {
    /// The text.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        // Serialization cannot fail: no map in a record has keys that are not strings.
        serde_json::to_vec(self).unwrap_or_default().into()
    }

    /// Reads a text.
    ///
    /// # Errors
    /// If it is no record, or of a newer format.
    pub fn decode(text: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: u16,
        }
        let head: Head = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if head.format > FORMAT {
            return Err(format!("it has format {}, and this version reads {FORMAT}", head.format));
        }
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }
}
