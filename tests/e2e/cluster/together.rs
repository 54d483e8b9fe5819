//! Three real nodes do together what a single server does alone.

use noughts_harness::nats::until_settled;
use noughts_harness::{NatsServers, ServerProcess, TestServer};

use crate::nodes::are_one_server;

#[tokio::test(flavor = "multi_thread")]
async fn three_real_nodes_are_one_server() {
    let Some(nats) = NatsServers::start("three nodes as one server", 3) else { return };
    let nodes = [0, 1, 2].map(|number| nats.node(number, &[]));
    until_settled(nodes.iter()).await;
    are_one_server(&nodes.each_ref().map(ServerProcess::address).map(TestServer::at)).await;
}
