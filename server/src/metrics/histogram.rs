//! A histogram of atomics. The histogram of `prometheus-client` takes a lock for each value, and all
//! rooms would share it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of times, in microseconds: from a move without a disk to ten times a computer's
/// usual limit.
const TIMES: [u64; 15] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 10_000_000,
];

/// Upper bounds of sizes, up to the journal's largest commit.
const SIZES: [u64; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// The longer list of bounds, and infinity.
const COUNTS: usize = TIMES.len() + 1;

/// The number of values up to each bound.
#[derive(Debug)]
pub(crate) struct Histogram {
    bounds: &'static [u64],
    /// The units of a value in one shown unit.
    scale: f64,
    /// The number of values up to each bound and above the bound before. The last count is above all
    /// bounds.
    counts: [AtomicU64; COUNTS],
    /// The sum of all values.
    sum: AtomicU64,
}

impl Histogram {
    /// A histogram of times, shown in seconds.
    pub(crate) const fn of_times() -> Self {
        Self::new(&TIMES, 1e6)
    }

    /// A histogram of sizes.
    pub(crate) const fn of_sizes() -> Self {
        Self::new(&SIZES, 1.0)
    }

    const fn new(bounds: &'static [u64], scale: f64) -> Self {
        let counts = [const { AtomicU64::new(0) }; COUNTS];
        Self { bounds, scale, counts, sum: AtomicU64::new(0) }
    }

    /// Counts a value.
    pub(crate) fn observe(&self, value: u64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        self.counts[place].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// Counts a time.
    pub(crate) fn observe_time(&self, time: Duration) {
        self.observe(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// The number of values and their sum.
    pub(crate) fn totals(&self) -> (u64, u64) {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        (counts.sum(), self.sum.load(Ordering::Relaxed))
    }

    /// The sum and the number of values, and the number for each bound, as in `counts`. The last
    /// bound is infinite.
    pub(crate) fn read(&self) -> (f64, u64, Vec<(f64, u64)>) {
        let bounds = self.bounds.iter().map(|bound| *bound as f64 / self.scale);
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        let buckets: Vec<_> = bounds.chain([f64::INFINITY]).zip(counts).collect();
        let count = buckets.iter().map(|(_, count)| count).sum();
        (self.sum.load(Ordering::Relaxed) as f64 / self.scale, count, buckets)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Histogram;

    #[test]
    fn a_bound_belongs_to_its_bucket() {
        let histogram = Histogram::of_sizes();
        for value in [1, 2, 3, 4, 5, 5000] {
            histogram.observe(value);
        }
        let (sum, count, buckets) = histogram.read();
        assert_eq!((sum, count), (5015.0, 6));
        assert_eq!(buckets[..4], [(1.0, 1), (2.0, 1), (4.0, 2), (8.0, 1)]);
        assert_eq!(buckets.last(), Some(&(f64::INFINITY, 1)));
        assert_eq!(histogram.totals(), (6, 5015));
    }

    #[test]
    fn times_are_shown_in_seconds() {
        let histogram = Histogram::of_times();
        histogram.observe_time(Duration::from_micros(200));
        let (sum, count, buckets) = histogram.read();
        assert_eq!((sum, count), (0.0002, 1));
        assert_eq!(buckets[..2], [(0.0001, 0), (0.000_25, 1)]);
    }
}
