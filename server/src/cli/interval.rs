//! The confidence interval of a share that was counted in a sample.

/// The 97.5th percentile of the normal distribution: two tails leave 95 %.
const Z: f64 = 1.959_964;

/// The Wilson score interval of 95 % confidence, as `(low, high)` between 0 and 1. Unlike the
/// normal interval it is also right near 0 and 1.
pub(crate) fn wilson(count: u32, of: u32) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = f64::from(of);
    let share = f64::from(count) / f64::from(of);
    let scale = 1.0 / (1.0 + Z * Z / n);
    let middle = scale * (share + Z * Z / (2.0 * n));
    let reach = scale * Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((middle - reach).max(0.0), (middle + reach).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    fn check(count: u32, of: u32, expected: (f64, f64)) {
        let (low, high) = wilson(count, of);
        assert!((low - expected.0).abs() < 0.000_5 && (high - expected.1).abs() < 0.000_5);
    }

    #[test]
    fn the_interval_is_that_of_the_tables() {
        check(5, 10, (0.236_6, 0.763_4));
        check(0, 10, (0.0, 0.277_5));
        check(81, 263, (0.255_3, 0.366_2));
        check(0, 0, (0.0, 1.0));
    }
}
