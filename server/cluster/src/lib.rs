//! Several servers that are one. The rooms and parties of a cluster are values of a bucket,
//! replaced by compare-and-set on their revisions, which is the fence. No rules of rooms are known
//! here.
//!
//! - [`lease`]: when a node may show its rooms. [`nodes`] keeps it by heartbeats, and knows who else lives.
//! - [`value`]: what is stored of a code: who owns it, its row, and games that are not in the stream yet.
//! - [`rooms`]: saves and loads rows. [`locate`]: finds the owner of a code, and takes it over from one
//!   that is dead.
//! - [`copy`]: copies the stream of games into the node's own file.
//! - [`retries`]: what the host is told of calls that fail for long.
//! - [`gossip`]: what nodes tell each other.
//! - [`sweep`]: deletes what nobody will ask for.
//! - [`engine`]: what all this needs of NATS. `nats`: how NATS does it. `fake` is the same in memory.

mod cluster;
mod copy;
pub mod engine;
#[cfg(any(test, feature = "testing"))]
pub mod fake;
mod gossip;
mod lease;
mod locate;
#[cfg(feature = "nats")]
mod nats;
mod nodes;
mod options;
mod retries;
mod rooms;
mod sweep;
mod value;

pub use cluster::{Cluster, ClusterError, Status};
pub use engine::{Engine, EngineError, Entry, PutError, Record, Revision, Streaming};
#[cfg(feature = "nats")]
pub use nats::NatsEngine;
pub use nodes::{NodeId, Peer};
pub use options::Options;
pub use rooms::Location;

#[cfg(test)]
mod tests;
