//! The start of a node: its copy of the log, its place in the cluster, and the state of its server.

use std::sync::Arc;

use super::Shared;
use crate::cluster::directory::{Directory, NodeName};
use crate::cluster::engine::{Engine, EngineError};
use crate::cluster::link::Links;
use crate::cluster::node::{self, JoinError, Node, NodeError};
use crate::config::Config;
use crate::identity::Secret;
use crate::journal::Journal;
use crate::journal::environment::Environment;
use crate::journal::error::OpenError;
use crate::journal::store::{Disk, Store};
use crate::lobby::nodes::Nodes;

/// Why a server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] OpenError),
    /// The NATS servers cannot be used.
    #[error("the cluster cannot be reached: {0}")]
    Engine(#[from] EngineError),
    /// The node cannot join its cluster.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The node ended before it could serve anybody.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The options name no cluster, or this build has none.
    #[error("this noughts-server was built without clusters: leave --cluster away")]
    NoCluster,
}

/// Joins the cluster of the configuration as a node with this name. The node owns no shard yet.
pub(crate) async fn join(
    config: Config,
    environment: Environment,
    disk: impl FnOnce(Store) -> Box<dyn Disk>,
    engine: Arc<dyn Engine>,
    name: NodeName,
) -> Result<(Arc<Shared>, Node), StartError> {
    let (Some(folder), Some(cluster)) = (&config.data_dir, &config.cluster) else {
        return Err(StartError::NoCluster);
    };
    let directory = Directory::new(name, cluster.address.as_ref().map(ToString::to_string));
    let (journal, startup, replica, proposals) = Journal::open_replica(folder, environment, disk)?;
    let (log, known) = (Arc::clone(&engine), directory.clone());
    let node = node::join(log, replica, proposals, known, environment, &startup).await?;
    let secret = Secret::kept(node.secret());
    let shared = Shared::with(config, environment, Some(journal), secret, |lobby, metrics| {
        let links = Links::new(engine, &directory, Arc::clone(metrics));
        lobby.on_node(Nodes::new(directory, links))
    });
    Ok((Arc::new(shared), node))
}
