//! The figures of a cluster, all on this machine: three NATS servers, three nodes, and what loads them.
//! `cargo build --release --workspace --bins && cargo bench -p noughts-tests --bench cluster [PART]`,
//! where PART is `log`, `moves`, `crowd`, `rooms` or `outages`; all of them if none is named.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

mod crowd;
#[path = "../../load/limits.rs"]
mod limits;
mod log;
mod moves;
mod outages;
#[path = "../../load/process.rs"]
#[expect(dead_code, reason = "noughts-load also pins processes to cores")]
mod process;
mod rooms;

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use noughts_harness::nats::until_settled;
use noughts_harness::process::program;
use noughts_harness::{NatsServers, ServerProcess};
use serde_json::Value;

use limits::NO_LIMITS;
use process::Process;

/// The nodes of the cluster.
const NODES: u8 = 3;

/// Three nodes on three NATS servers, all as real processes.
struct Cluster {
    nats: NatsServers,
    nodes: Vec<ServerProcess>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` runs benchmarks too, without `--bench`.
    if !words.iter().any(|word| word == "--bench") {
        return;
    }
    let named = |part: &str| {
        let mut parts = words.iter().filter(|word| !word.starts_with('-')).peekable();
        parts.peek().is_none() || parts.any(|word| word == part)
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        if named("log") {
            log::measure().await;
        }
        if named("moves") {
            moves::measure().await;
        }
        if named("crowd") {
            crowd::measure().await;
        }
        if named("rooms") {
            rooms::measure().await;
        }
        if named("outages") {
            outages::measure().await;
        }
    });
}

impl Cluster {
    async fn start() -> Self {
        let nats = NatsServers::start("the measurement", NODES).expect("run tests/run once");
        let nodes: Vec<_> = (0..NODES).map(|number| nats.node(number, &NO_LIMITS)).collect();
        until_settled(nodes.iter()).await;
        Self { nats, nodes }
    }

    fn address(&self, node: usize) -> SocketAddr {
        self.nodes[node].address()
    }

    /// The processes of the nodes.
    fn processes(&self) -> Vec<Process> {
        self.nodes.iter().map(|node| Process(node.id())).collect()
    }
}

/// Starts `noughts-load`, which is given these words.
fn start_load(server: SocketAddr, words: &[&str]) -> Child {
    Command::new(program("noughts-load"))
        .args(["--json", "--patience", "300s", "--server", &server.to_string()])
        .args(words)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The report of a load.
fn report(load: Child) -> Value {
    let output = load.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).expect("the load failed")
}

fn number(report: &Value, name: &str) -> f64 {
    report[name].as_f64().unwrap_or(f64::NAN)
}
