//! What one address or one connection may do: one token bucket, and the tables that use it. What a
//! limit refuses is told by its caller.

pub(crate) mod connection_rate;
pub(crate) mod connections;
pub(crate) mod failed_attempts;
pub(crate) mod rate_limiter;
pub(crate) mod token_bucket;
