//! The buckets of the server's histograms.

use prometheus_client::metrics::histogram::Histogram;

/// Upper bounds in seconds: from a move without a disk to ten times a computer's usual limit.
const TIMES: [f64; 15] = [
    0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    10.0,
];

/// A histogram of times, in seconds.
pub(crate) fn of_times() -> Histogram {
    Histogram::new(TIMES)
}
