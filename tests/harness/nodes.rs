//! Nodes of a cluster in the test's process: in memory, in virtual time, and over an engine in memory.

use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use futures::future::join_all;
use noughts_server::cluster::directory::NodeName;
use noughts_server::cluster::engine::fake::faults::Link;
use noughts_server::cluster::engine::fake::{FakeCluster, FakeEngine};
use noughts_server::{Args, Config, Server};
use tempfile::TempDir;

use crate::server::TestServer;
use crate::world::ENVIRONMENT;
use crate::{VIRTUAL_TIMEOUT, advance_time};

/// A cluster whose nodes are started one after the other. Each has a folder of its own.
#[derive(Debug)]
pub struct TestCluster {
    /// The log, and the messages between nodes.
    pub log: FakeCluster,
    folders: Vec<TempDir>,
    /// The links of the nodes, in the order of their start.
    engines: Vec<FakeEngine>,
}

impl TestCluster {
    /// A cluster without nodes.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { log: FakeCluster::new(seed), folders: Vec::new(), engines: Vec::new() }
    }

    /// A cluster and its nodes, each of which has shards.
    ///
    /// # Panics
    /// If one of them cannot start.
    pub async fn start(count: u64) -> (Self, Vec<TestServer>) {
        let mut cluster = Self::new(1);
        let mut starting = Vec::new();
        for number in 1..=count {
            starting.push(cluster.node(number, &[]));
        }
        let nodes = join_all(starting).await;
        balanced(&nodes).await;
        (cluster, nodes)
    }

    /// Starts a node with this number and these options.
    ///
    /// # Panics
    /// If it cannot start.
    pub fn node(
        &mut self,
        number: u64,
        options: &[&str],
    ) -> impl Future<Output = TestServer> + use<> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap().to_owned();
        self.folders.push(folder);
        let address = format!("http://node-{number}.example");
        let fixed = [
            "noughts-server",
            "--computer-delay",
            "0s",
            "--cluster",
            "nats://nowhere",
            "--data-dir",
            &path,
            "--cluster-address",
            &address,
        ];
        let args = Args::try_parse_from(fixed.iter().chain(options)).unwrap();
        let config = Config::try_from(&args).unwrap();
        let engine = self.log.engine();
        self.engines.push(engine.clone());
        let engine = Arc::new(engine);
        async move {
            let name = NodeName::of(number);
            let opening =
                Server::on_engine(config, ENVIRONMENT, |store| Box::new(store), engine, name);
            let server = tokio::time::timeout(VIRTUAL_TIMEOUT, opening).await.unwrap();
            TestServer::in_memory(server.unwrap())
        }
    }

    /// Opens, pauses or cuts the link of the node that was started as number `index`, from 0 on.
    pub fn set_link(&self, index: usize, link: Link) {
        self.engines[index].set_link(link);
    }
}

/// Waits until each node has shards, and none of them moves any more.
///
/// # Panics
/// If that takes more than an hour.
pub async fn balanced(nodes: &[TestServer]) {
    for node in nodes {
        until_shards(node, |shards| shards > 0).await;
    }
    let mut before = Vec::new();
    loop {
        let now = join_all(nodes.iter().map(shards)).await;
        if now == before {
            return;
        }
        before = now;
        // An owner hands a shard over when it has seen a better heir for three seconds.
        advance_time(Duration::from_secs(10)).await;
    }
}

/// Waits until the number of shards that a node has is right.
///
/// # Panics
/// If that takes more than an hour.
pub async fn until_shards(node: &TestServer, are_right: impl Fn(u64) -> bool) {
    for _ in 0..36_000 {
        if are_right(shards(node).await) {
            return;
        }
        advance_time(Duration::from_millis(100)).await;
    }
    panic!("it still has {} shards", shards(node).await);
}

/// The number of shards that a node has.
///
/// # Panics
/// If the server is no node.
pub async fn shards(node: &TestServer) -> u64 {
    let (_, body) = node.get("/healthz", "").await;
    let health: serde_json::Value = serde_json::from_str(&body).unwrap();
    health["cluster"]["shards"].as_u64().unwrap()
}
