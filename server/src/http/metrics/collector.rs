//! The name and the value of every metric. The counts are [`crate::metrics::Metrics`]; rooms,
//! connections and the store are read from their owners at each request.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_protocol::{CloseCode, PROTOCOL_VERSION, RefusalCode};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::histogram::Histogram;

use crate::metrics::name_of;
use crate::state::Shared;

/// Collects the metrics of a server.
#[derive(Debug)]
pub(crate) struct ServerCollector(pub(crate) Arc<Shared>);

impl Collector for ServerCollector {
    fn encode(&self, mut to: DescriptorEncoder<'_>) -> fmt::Result {
        let to = &mut to;
        let shared = &self.0;
        let metrics = &shared.metrics;
        let protocol = PROTOCOL_VERSION.to_string();
        let labels = [("version", env!("CARGO_PKG_VERSION")), ("protocol", protocol.as_str())];
        let help = "Always 1; its labels say which version this is";
        let mut build =
            to.encode_descriptor("noughts_build_info", help, None, MetricType::Gauge)?;
        build.encode_family(&labels)?.encode_gauge(&1)?;
        let connections = shared.connections.count() as u64;
        gauge(to, "noughts_connections", "WebSockets that are open", connections)?;
        let most = shared.config.max_connections as u64;
        gauge(to, "noughts_connections_limit", "How many there may be", most)?;
        let rooms = shared.lobby.registry.counts();
        let states = [
            ("waiting", rooms.waiting),
            ("playing", rooms.playing),
            ("between_games", rooms.between_games),
            ("starting", rooms.starting),
            ("asleep", rooms.hibernated),
        ];
        let help = "Rooms by state; those asleep have nobody in them and are only in the store";
        let mut rooms = to.encode_descriptor("noughts_rooms", help, None, MetricType::Gauge)?;
        for (state, count) in states {
            rooms.encode_family(&[("state", state)])?.encode_gauge(&count)?;
        }
        let most = shared.config.rooms.most as u64;
        gauge(to, "noughts_rooms_limit", "How many rooms there may be", most)?;
        parties(to, shared)?;
        let moves = metrics.moves.load(Ordering::Relaxed);
        counter(to, "noughts_moves", "Moves made, by people and computers", moves)?;
        let said = metrics.chat_lines.load(Ordering::Relaxed);
        counter(to, "noughts_chat_lines", "What people have said in rooms", said)?;
        let help = "From reading a player's move until it is stored and on its way to everybody";
        histogram(to, "noughts_move_seconds", help, &metrics.move_time)?;
        let help = "How long computers took to decide, their wait for a thread included";
        histogram(to, "noughts_computer_seconds", help, &metrics.thinking)?;
        let help = "Connections that let more pile up than an outbox holds";
        counter(to, "noughts_outbox_overflows", help, metrics.overflows())?;
        let help = "What was refused, by the code of the protocol";
        let mut refusals =
            to.encode_descriptor("noughts_refusals", help, None, MetricType::Counter)?;
        for (code, count) in RefusalCode::ALL.iter().zip(&metrics.refusals) {
            count_as(&mut refusals.encode_family(&[("code", name_of(*code))])?, count)?;
        }
        let help = "Connections that ended, by close code; none where the peer went by itself";
        let mut closes = to.encode_descriptor("noughts_closes", help, None, MetricType::Counter)?;
        let numbers = CloseCode::ALL.iter().map(|code| code.number().to_string());
        for (code, count) in numbers.chain(["none".to_owned()]).zip(&metrics.closes) {
            count_as(&mut closes.encode_family(&[("code", code)])?, count)?;
        }
        cluster(to, shared)?;
        #[cfg(target_os = "linux")]
        super::process::encode(to, shared.started)?;
        let Some(storage) = &shared.storage else { return Ok(()) };
        let health = storage.sqlite.health();
        let help = "1 while the store cannot be written, and so moves are refused";
        gauge(to, "noughts_store_failing", help, health.is_failing().into())?;
        let help = "1 while the log cannot be moved into noughts.db, and so grows";
        let failing = health.checkpoints_fail().into();
        gauge(to, "noughts_store_checkpoints_failing", help, failing)?;
        let help = "Size of noughts.db-wal in bytes, as the last checkpoint left it";
        gauge(to, "noughts_store_log_bytes", help, health.log_bytes())?;
        let help = "Saves that were stored in one commit";
        histogram(to, "noughts_store_batch_saves", help, &health.batch_sizes)?;
        let help = "How long a commit took to store what waited";
        histogram(to, "noughts_store_batch_seconds", help, &health.batch_times)
    }
}

fn cluster(to: &mut DescriptorEncoder<'_>, shared: &Shared) -> fmt::Result {
    let Some(cluster) = shared.lease.cluster() else { return Ok(()) };
    let status = cluster.status();
    gauge(to, "noughts_cluster_nodes", "Live nodes of the cluster", status.nodes as u64)?;
    let help = "1 while this node holds its lease; without it nobody is served";
    gauge(to, "noughts_cluster_lease", help, status.lease.into())?;
    let help = "Finished games of the cluster that this node has not copied yet";
    gauge(to, "noughts_cluster_unread_records", help, status.unread_records)
}

fn parties(to: &mut DescriptorEncoder<'_>, shared: &Shared) -> fmt::Result {
    let parties = shared.parties.all();
    gauge(to, "noughts_parties", "Parties whose code is taken", parties.len() as u64)?;
    let entrants = parties.iter().map(|party| u64::from(party.entrants())).sum();
    gauge(to, "noughts_party_entrants", "People and computers who play in parties", entrants)
}

pub(super) fn gauge(
    to: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    value: u64,
) -> fmt::Result {
    to.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)
}

fn counter(to: &mut DescriptorEncoder<'_>, name: &str, help: &str, value: u64) -> fmt::Result {
    let mut to = to.encode_descriptor(name, help, None, MetricType::Counter)?;
    to.encode_counter::<NoLabelSet, _, u64>(&value, None)
}

fn count_as(to: &mut MetricEncoder<'_>, count: &AtomicU64) -> fmt::Result {
    to.encode_counter::<NoLabelSet, _, u64>(&count.load(Ordering::Relaxed), None)
}

fn histogram(
    to: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    seen: &Histogram,
) -> fmt::Result {
    seen.encode(to.encode_descriptor(name, help, None, MetricType::Histogram)?)
}
