//! The limits of one address, one player or one connection: one token bucket, one bounded table,
//! and the limits that are made of them. A caller decides what happens beyond its limit.
//!
//! [`token_bucket`] and [`usage_table`] are used by [`connection_rate`], [`failed_attempts`], [`request_rate`]
//! and `lobby/quotas`; a bucket alone by [`rate_limiter`], `net/client_stream` and `net/accept`.

pub(crate) mod connection_rate;
pub(crate) mod connections;
pub(crate) mod failed_attempts;
pub(crate) mod rate_limiter;
pub(crate) mod request_rate;
pub(crate) mod token_bucket;
pub(crate) mod usage_table;

use noughts_protocol::DisplayText;
use serde::{Deserialize, Serialize};

/// Somebody who is at a limit now, as a host is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AtLimit {
    /// The limit.
    pub(crate) what: DisplayText,
    /// An address or a player's id.
    pub(crate) who: DisplayText,
    /// How much of it they have.
    pub(crate) count: u64,
}
