//! A simulated cluster in memory and virtual time: nodes that crash, stop and start again in their folders,
//! an engine with faults, and clients that reach any node through fault injectors.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use futures::future::join_all;
use noughts_cli::net::address::ServerAddress;
use noughts_cli::net::connection::network::{Io, Network};
use noughts_server::cluster::directory::NodeName;
use noughts_server::cluster::engine::fake::faults::Link;
use noughts_server::cluster::engine::fake::{FakeCluster, FakeEngine};
use noughts_server::journal::error::OpenError;
use noughts_server::journal::store::Disk;
use noughts_server::{Args, Config, Server, StartError};
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::runtime::Builder;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::fault_injector::FaultInjector;
use crate::memory::{MemoryConnector, PIPE, listen};
use crate::world::{ENVIRONMENT, REFUSED, begin_lots, memory_folder};
use crate::{TIMEOUT, delay};

/// Runs a simulation in a new cluster of so many nodes, in virtual time and on one thread.
///
/// # Panics
/// If it panics.
pub fn run<T>(seed: u64, nodes: usize, simulation: impl AsyncFnOnce(NodeWorld) -> T) -> T {
    let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async { simulation(NodeWorld::begin(seed, nodes).await).await })
}

/// A cluster and its clients' networks.
#[derive(Debug)]
pub struct NodeWorld {
    /// The log, and the messages between nodes.
    pub cluster: FakeCluster,
    nodes: Vec<SimulatedNode>,
    connectors: Connectors,
    networks: Vec<NodeNetwork>,
    /// The nodes that were ever started.
    started: u64,
}

/// The way to each node; `None` while it is down.
type Connectors = Arc<Mutex<Vec<Option<MemoryConnector>>>>;

/// A folder, and the node that is in it now.
#[derive(Debug)]
struct SimulatedNode {
    folder: TempDir,
    running: Option<RunningNode>,
    /// The node that was in it before, which closes its files.
    ending: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct RunningNode {
    engine: FakeEngine,
    stop: CancellationToken,
    served: JoinHandle<()>,
}

/// A client's network, with faults on the way to a node: another one at every connection, as a balancer
/// has it.
#[derive(Debug, Clone)]
pub struct NodeNetwork {
    faults: FaultInjector,
    connectors: Connectors,
    /// The node of the last connection.
    at: Arc<AtomicUsize>,
}

impl NodeWorld {
    async fn begin(seed: u64, count: usize) -> Self {
        begin_lots();
        let node = || SimulatedNode { folder: memory_folder(), running: None, ending: None };
        let mut world = Self {
            cluster: FakeCluster::new(seed),
            nodes: (0..count).map(|_| node()).collect(),
            connectors: Arc::new(Mutex::new(vec![None; count])),
            networks: Vec::new(),
            started: 0,
        };
        let mut starting = Vec::new();
        for node in 0..count {
            starting.push(world.starting(node));
        }
        for (node, running) in join_all(starting).await {
            world.nodes[node].running = Some(running);
        }
        world
    }

    /// How many nodes it has, those that are down among them.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The folder of a node.
    #[must_use]
    pub fn folder(&self, node: usize) -> &Path {
        self.nodes[node].folder.path()
    }

    /// The network of a client.
    #[must_use]
    pub fn network(&mut self, faults: FaultInjector) -> NodeNetwork {
        let (connectors, at) = (Arc::clone(&self.connectors), Arc::default());
        let network = NodeNetwork { faults, connectors, at };
        self.networks.push(network.clone());
        network
    }

    /// A node that starts.
    fn starting(&mut self, node: usize) -> impl Future<Output = (usize, RunningNode)> + use<> {
        let folder = self.folder(node).to_str().unwrap().to_owned();
        let options = ["noughts-server", "--cluster", "nats://nowhere", "--data-dir", &folder];
        let config = Config::try_from(&Args::try_parse_from(options).unwrap()).unwrap();
        self.started += 1;
        let (name, engine) = (NodeName::of(self.started), self.cluster.engine());
        let connectors = Arc::clone(&self.connectors);
        async move {
            let deadline = std::time::Instant::now() + TIMEOUT;
            let server = loop {
                let (config, shared) = (config.clone(), Arc::new(engine.clone()));
                let disk = |store| -> Box<dyn Disk> { Box::new(store) };
                let opened = Server::on_engine(config, ENVIRONMENT, disk, shared, name.clone());
                match opened.await {
                    // As with `retry_in_use`: another test's program may hold the lock for a moment.
                    Err(StartError::Journal(OpenError::InUse(_)))
                        if std::time::Instant::now() < deadline =>
                    {
                        std::thread::yield_now();
                    }
                    opened => break opened.unwrap(),
                }
            };
            let (listener, connector) = listen();
            let stop = CancellationToken::new();
            let serving = server.serve(listener, stop.clone().cancelled_owned());
            // A node that is cut off for good ends with an error.
            let served = tokio::spawn(async { drop(serving.await) });
            connectors.lock()[node] = Some(connector);
            (node, RunningNode { engine, stop, served })
        }
    }

    /// Starts a node that is down, under a new name.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn start(&mut self, node: usize) {
        if let Some(ending) = self.nodes[node].ending.take() {
            ending.await.unwrap();
        }
        let (_, running) = self.starting(node).await;
        self.nodes[node].running = Some(running);
    }

    /// Stops a node as SIGTERM does.
    ///
    /// # Panics
    /// If it is down.
    pub async fn stop(&mut self, node: usize) {
        let RunningNode { stop, served, .. } = self.nodes[node].running.take().unwrap();
        stop.cancel();
        served.await.unwrap();
        self.connectors.lock()[node] = None;
    }

    /// Crashes a node: from this moment on nothing of it reaches the engine or a client.
    ///
    /// # Panics
    /// If it is down.
    pub fn crash(&mut self, node: usize) {
        let RunningNode { engine, stop, served } = self.nodes[node].running.take().unwrap();
        engine.set_link(Link::Cut);
        self.connectors.lock()[node] = None;
        let here = |network: &&NodeNetwork| network.at.load(Ordering::Relaxed) == node;
        self.networks.iter().filter(here).for_each(|network| network.faults.cut());
        stop.cancel();
        self.nodes[node].ending = Some(served);
    }

    /// Opens, pauses or cuts a node's link to the engine, if the node is up.
    pub fn set_link(&self, node: usize, link: Link) {
        if let Some(running) = &self.nodes[node].running {
            running.engine.set_link(link);
        }
    }
}

impl Network for NodeNetwork {
    async fn connect(&mut self, _: &ServerAddress) -> io::Result<Box<dyn Io>> {
        self.faults.until_open().await;
        let connector = {
            let connectors = self.connectors.lock();
            let chance = self.faults.chance();
            let share = 1.0 / f64::from(u32::try_from(connectors.len()).unwrap());
            let bounds = (1..connectors.len()).zip(1_u32..).map(|(_, at)| share * f64::from(at));
            let node = bounds.filter(|bound| chance >= *bound).count();
            self.at.store(node, Ordering::Relaxed);
            connectors[node].clone()
        };
        let Some(server) = (match connector {
            Some(connector) => connector.try_connect().await,
            None => None,
        }) else {
            delay(REFUSED).await;
            return Err(io::Error::from(io::ErrorKind::ConnectionRefused));
        };
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let faults = self.faults.clone();
        tokio::spawn(async move { faults.forward(theirs, server).await });
        Ok(Box::new(ours))
    }

    fn jitter(&mut self) -> f64 {
        self.faults.chance()
    }
}
