//! What a host can watch: the name of every metric, and the counts that nothing else keeps. What
//! others know (rooms, connections, the journal) is read from them when somebody asks. Who asks,
//! and how they are answered, is [`exposition`]'s.
//!
//! Counting costs a few relaxed atomic additions: no lock, no map, no allocation.

pub(crate) mod exposition;
pub(crate) mod histogram;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_protocol::{CloseCode, RefusalCode};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;

use crate::Shared;
use histogram::Histogram;

/// What connections and rooms count.
#[derive(Debug)]
pub(crate) struct Metrics {
    moves: AtomicU64,
    /// From a player's move being read until it is in every outbox.
    pub(crate) move_time: Histogram,
    /// How long computers took for a decision, their wait for a thread included.
    pub(crate) thinking: Histogram,
    overflows: AtomicU64,
    /// By the code's place in [`RefusalCode::ALL`], which is the order of their declaration.
    refusals: [AtomicU64; RefusalCode::ALL.len()],
    /// By the code's place in [`CloseCode::ALL`]; the last is of peers that went by themselves.
    closes: [AtomicU64; CloseCode::ALL.len() + 1],
}

impl Metrics {
    /// Nothing counted yet.
    pub(crate) const fn new() -> Self {
        Self {
            moves: AtomicU64::new(0),
            move_time: Histogram::of_times(),
            thinking: Histogram::of_times(),
            overflows: AtomicU64::new(0),
            refusals: [const { AtomicU64::new(0) }; RefusalCode::ALL.len()],
            closes: [const { AtomicU64::new(0) }; CloseCode::ALL.len() + 1],
        }
    }

    /// Moves were made.
    pub(crate) fn moved(&self, moves: usize) {
        self.moves.fetch_add(moves as u64, Ordering::Relaxed);
    }

    /// An outbox was full: its connection is closed.
    pub(crate) fn overflowed(&self) {
        self.overflows.fetch_add(1, Ordering::Relaxed);
    }

    /// How often that happened.
    pub(crate) fn overflows(&self) -> u64 {
        self.overflows.load(Ordering::Relaxed)
    }

    /// Something was refused.
    pub(crate) fn refused(&self, code: RefusalCode) {
        if let Some(count) = self.refusals.get(code as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A connection was closed; without a code, its peer went by itself.
    pub(crate) fn closed(&self, code: Option<CloseCode>) {
        let place = code.and_then(|code| CloseCode::ALL.iter().position(|known| *known == code));
        self.closes[place.unwrap_or(CloseCode::ALL.len())].fetch_add(1, Ordering::Relaxed);
    }
}

/// A server, as whoever watches it sees it.
#[derive(Debug)]
struct Watched(Arc<Shared>);

impl Collector for Watched {
    fn encode(&self, mut to: DescriptorEncoder<'_>) -> fmt::Result {
        let (to, shared) = (&mut to, &self.0);
        let metrics = &shared.metrics;
        let connections = shared.gate.connections() as u64;
        gauge(to, "noughts_connections", "WebSockets that are open", connections)?;
        let rooms = shared.lobby.census();
        let states = [
            ("waiting", rooms.waiting),
            ("playing", rooms.playing),
            ("between_games", rooms.between_games),
            ("starting", rooms.starting),
            ("asleep", rooms.asleep),
        ];
        let help = "Rooms by state; those asleep have nobody in them and are only in the journal";
        let mut rooms = to.encode_descriptor("noughts_rooms", help, None, MetricType::Gauge)?;
        for (state, count) in states {
            rooms.encode_family(&[("state", state)])?.encode_gauge(&count)?;
        }
        let moves = metrics.moves.load(Ordering::Relaxed);
        counter(to, "noughts_moves", "Moves made, by people and computers", moves)?;
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
            let code = serde_json::to_value(code).unwrap_or_default();
            let code = code.as_str().unwrap_or_default();
            count_as(&mut refusals.encode_family(&[("code", code)])?, count)?;
        }
        let help = "Connections that ended, by close code; none where the peer went by itself";
        let mut closes = to.encode_descriptor("noughts_closes", help, None, MetricType::Counter)?;
        let numbers = CloseCode::ALL.iter().map(|code| code.number().to_string());
        for (code, count) in numbers.chain(["none".to_owned()]).zip(&metrics.closes) {
            count_as(&mut closes.encode_family(&[("code", code)])?, count)?;
        }
        let Some(journal) = &shared.journal else { return Ok(()) };
        let help = "1 while the journal cannot be written, and so moves are refused";
        gauge(to, "noughts_journal_failing", help, journal.is_failing().into())?;
        let help = "1 while the journal's log cannot be moved into its file, and so grows";
        let failing = journal.checkpoints_fail().into();
        gauge(to, "noughts_journal_checkpoints_failing", help, failing)?;
        let help = "Size of the journal's log, in bytes, as the last checkpoint left it";
        gauge(to, "noughts_journal_log_bytes", help, journal.log_bytes())?;
        let help = "Writes that the journal stored at once";
        histogram(to, "noughts_journal_batch_writes", help, journal.batch_sizes())?;
        let help = "How long the journal took to store what waited";
        histogram(to, "noughts_journal_batch_seconds", help, journal.batch_times())
    }
}

fn gauge(to: &mut DescriptorEncoder<'_>, name: &str, help: &str, value: u64) -> fmt::Result {
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
    let (sum, count, buckets) = seen.read();
    let mut to = to.encode_descriptor(name, help, None, MetricType::Histogram)?;
    to.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
}
