//! The crate `noughts-cluster`; in a build without it, types that have no values.

#[cfg(not(feature = "cluster"))]
mod none;

#[cfg(not(feature = "cluster"))]
pub(crate) use none::{Cluster, Location, NodeId, Options, Owned, Peer, Question, Status};
#[cfg(feature = "cluster")]
pub(crate) use noughts_cluster::{
    Cluster, Location, NodeId, Options, Owned, Peer, Question, Status,
};
