//! The addresses from which the other nodes of a cluster connect: each node carries the connections of many
//! clients, so that the limits of one address are not for it.

use std::collections::HashSet;
use std::future::pending;
use std::net::IpAddr;
use std::time::Duration;

use noughts_cluster::Cluster;
use parking_lot::Mutex;
use url::{Host, Url};

/// How often the addresses are looked up.
const EVERY: Duration = Duration::from_secs(1);

/// The addresses of the nodes that live.
#[derive(Debug, Default)]
pub(crate) struct NodeAddresses(Mutex<HashSet<IpAddr>>);

impl NodeAddresses {
    /// Whether a node may connect from an address. A node behind another address than its own is not known: it
    /// counts as any client.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.0.lock().contains(&address.to_canonical())
    }

    /// Looks the addresses up, for ever.
    pub(crate) async fn run(&self, cluster: Option<&Cluster>) {
        let Some(cluster) = cluster else { return pending().await };
        loop {
            let mut found = HashSet::new();
            for peer in cluster.peers() {
                found.extend(resolve(&peer.address).await);
            }
            *self.0.lock() = found;
            tokio::time::sleep(EVERY).await;
        }
    }
}

async fn resolve(address: &str) -> Vec<IpAddr> {
    let url = Url::parse(address).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Ipv4(ip)) => vec![ip.into()],
        Some(Host::Ipv6(ip)) => vec![IpAddr::from(ip).to_canonical()],
        Some(Host::Domain(name)) => {
            let found = tokio::net::lookup_host((name, 0)).await;
            found.into_iter().flatten().map(|found| found.ip().to_canonical()).collect()
        }
        None => Vec::new(),
    }
}
