//! The metrics of a node of a cluster. A single server does not show them.

use std::fmt;
use std::sync::atomic::Ordering;

use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::metrics::MetricType;

use super::collector::{counter, gauge, histogram};
use crate::cluster::directory::Directory;
use crate::cluster::link::LinkLoad;
use crate::shard::Shard;

/// Adds the metrics of a node with these links.
pub(super) fn encode(
    to: &mut DescriptorEncoder<'_>,
    directory: &Directory,
    links: &[LinkLoad],
) -> fmt::Result {
    let Some(metrics) = directory.metrics() else { return Ok(()) };
    let help = "Nodes that live, with this one, as it hears them";
    gauge(to, "noughts_cluster_nodes", help, directory.nodes().len() as u64)?;
    let help = "1 while this node does not hear itself and the others";
    gauge(to, "noughts_cluster_deaf", help, (!directory.is_healthy()).into())?;
    let help = "Shards whose rooms are on this node";
    gauge(to, "noughts_cluster_shards", help, metrics.owned.load(Ordering::Relaxed))?;
    let help = "1 if the rooms of a shard are on this node";
    let mut shards =
        to.encode_descriptor("noughts_cluster_shard", help, None, MetricType::Gauge)?;
    let owned = directory.owned();
    for shard in Shard::all() {
        let is_here = u64::from(owned.contains(&shard));
        shards.encode_family(&[("shard", shard.to_string())])?.encode_gauge(&is_here)?;
    }
    encode_links(to, links)?;
    let help = "Records of the log that this node has yet to read";
    gauge(to, "noughts_cluster_lag_records", help, metrics.lag())?;
    let counters = [
        ("noughts_cluster_claims", "Shards that this node claimed", &metrics.claims),
        ("noughts_cluster_releases", "Shards that this node handed over", &metrics.releases),
        (
            "noughts_cluster_losses",
            "Shards that another node claimed while this one had them",
            &metrics.losses,
        ),
        (
            "noughts_cluster_outruns",
            "Records of this node that another node's record was before",
            &metrics.outruns,
        ),
        (
            "noughts_cluster_unknown_outcomes",
            "Tries to append a record after which nobody knew whether it is in the log",
            &metrics.unknown,
        ),
        (
            "noughts_cluster_links_broken",
            "Links to other nodes that broke: the connections on them were closed, and came back",
            &metrics.links_broken,
        ),
        (
            "noughts_cluster_followed_records",
            "Records of the log that were read",
            &metrics.followed,
        ),
    ];
    for (name, help, count) in counters {
        counter(to, name, help, count.load(Ordering::Relaxed))?;
    }
    let help = "From sending a record until it is certain that it is in the log";
    histogram(to, "noughts_cluster_append_seconds", help, &metrics.append_time)?;
    let help = "Writes of rooms and parties in each record";
    histogram(to, "noughts_cluster_append_writes", help, &metrics.append_writes)
}

/// Adds the gauges of links.
fn encode_links(to: &mut DescriptorEncoder<'_>, links: &[LinkLoad]) -> fmt::Result {
    per_link(
        to,
        "noughts_cluster_link_bytes",
        "Bytes that wait for another node, of 16 MiB that may",
        links.iter().map(|link| (link, link.bytes as f64)),
    )?;
    per_link(
        to,
        "noughts_cluster_link_connections",
        "Connections of this node in rooms and parties of another one, and those that left a moment ago",
        links.iter().map(|link| (link, link.connections as f64)),
    )?;
    per_link(
        to,
        "noughts_cluster_link_answer_seconds",
        "From the last question to another node to its answer",
        links.iter().filter_map(|link| Some((link, link.answer_time?.as_secs_f64()))),
    )
}

/// A gauge for each link.
fn per_link<'a>(
    to: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    values: impl Iterator<Item = (&'a LinkLoad, f64)>,
) -> fmt::Result {
    let mut gauges = to.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (link, value) in values {
        gauges.encode_family(&[("peer", link.peer.as_str())])?.encode_gauge(&value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use prometheus_client::collector::Collector;
    use prometheus_client::encoding::text;
    use prometheus_client::registry::Registry;

    use super::*;
    use crate::cluster::directory::NodeName;

    #[derive(Debug)]
    struct Node(Directory);

    impl Collector for Node {
        fn encode(&self, mut to: DescriptorEncoder<'_>) -> fmt::Result {
            let answer_time = Some(Duration::from_millis(9));
            let peer = NodeName::of(2);
            let links = [LinkLoad { peer, bytes: 7, connections: 8, answer_time }];
            super::encode(&mut to, &self.0, &links)
        }
    }

    fn shown(directory: Directory) -> String {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Node(directory)));
        let mut shown = String::new();
        text::encode(&mut shown, &registry).unwrap();
        shown
    }

    /// The names of a node's metrics in a text.
    fn names(text: &str) -> BTreeSet<&str> {
        let rests = text.match_indices("noughts_cluster_").map(|(at, _)| &text[at..]);
        let ends = |c: char| !c.is_ascii_lowercase() && c != '_';
        rests.map(|rest| &rest[..rest.find(ends).unwrap_or(rest.len())]).collect()
    }

    #[test]
    fn the_dashboard_shows_every_metric_of_a_node() {
        let dashboard = include_str!("../../../packaging/grafana.json");
        let shown = shown(Directory::new(NodeName::of(1), None));
        let samples: String = shown
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(names(&samples), names(dashboard));
    }

    #[test]
    fn a_single_server_shows_none() {
        assert_eq!(names(&shown(Directory::alone())).len(), 0);
    }
}
