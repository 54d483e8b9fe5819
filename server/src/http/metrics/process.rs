//! The system's figures of this process, under the names that the libraries of Prometheus have for it.
//!
//! By hand, because it is five numbers, and `procfs` is 20,000 lines. Of /proc only what belongs to
//! the process is read: the unit of systemd hides the rest. A number that cannot be read is left
//! out.

use std::fmt;
use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};
use tokio::time::Instant;

use super::collector::gauge;
use crate::metrics::resident_bytes;

/// Encodes them. `began` is when the server began.
pub(super) fn encode(to: &mut DescriptorEncoder<'_>, began: Instant) -> fmt::Result {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    let used = Duration::try_from(used).unwrap_or_default().as_secs_f64();
    let help = "Processor time that the server has taken";
    let kind = MetricType::Counter;
    let mut cpu = to.encode_descriptor("process_cpu_seconds", help, None, kind)?;
    cpu.encode_counter::<NoLabelSet, _, u64>(&used, None)?;
    let help = "When the server started, in seconds since 1970";
    let mut start =
        to.encode_descriptor("process_start_time_seconds", help, None, MetricType::Gauge)?;
    start.encode_gauge(&started(began).as_secs_f64())?;
    if let Some(bytes) = resident_bytes() {
        gauge(to, "process_resident_memory_bytes", "Memory that the server has", bytes)?;
    }
    // The one that counts is open while it counts.
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        let open = open.count().saturating_sub(1) as u64;
        gauge(to, "process_open_fds", "Files and sockets that are open", open)?;
    }
    let most = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    gauge(to, "process_max_fds", "How many may be open", most)
}

/// The time of day at which the server began. It is computed once, so that a clock that is set does not look like
/// a restart.
fn started(began: Instant) -> Duration {
    static STARTED: OnceLock<Duration> = OnceLock::new();
    *STARTED.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.saturating_sub(began.elapsed())
    })
}
