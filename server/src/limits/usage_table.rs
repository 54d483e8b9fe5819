//! A bounded table of what each address, or each player, has used. Pure; the time is an argument.
//!
//! The table holds every entry that is in use, and at most [`MOST_IDLE`] more than it held in use
//! when it was last swept. When it is full it is swept: it forgets the entries that are as good as
//! new. If more than half of [`MOST_IDLE`] idle ones are left, it forgets those that used least
//! until half is left, so that the worst are remembered and a sweep is rare.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// Idle entries that are remembered.
pub(crate) const MOST_IDLE: usize = 4096;

/// An entry of a table.
pub(crate) trait Usage {
    /// How much the entry has used of what a new one has: 0 if it is as good as new. `None` if it
    /// is in use, and so must not be forgotten.
    fn used(&mut self, now: Duration) -> Option<f64>;
}

/// The table.
#[derive(Debug)]
pub(crate) struct UsageTable<K, V> {
    entries: HashMap<K, V>,
    /// The number of entries at which the table is full.
    sweep_at: usize,
}

impl<K, V> Default for UsageTable<K, V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), sweep_at: MOST_IDLE }
    }
}

impl<K: Copy + Eq + Hash, V: Usage> UsageTable<K, V> {
    /// The entry of a key, made with `new` if there is none. A full table is swept before.
    pub(crate) fn entry(&mut self, key: K, now: Duration, new: impl FnOnce() -> V) -> &mut V {
        if self.entries.len() >= self.sweep_at && !self.entries.contains_key(&key) {
            self.sweep(now);
        }
        self.entry_in_use(key, new)
    }

    /// The entry of a key that is in use from now on. Without a sweep, because the caller bounds how
    /// many entries are in use.
    pub(crate) fn entry_in_use(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        self.entries.entry(key).or_insert_with(new)
    }

    /// The entry of a key, if there is one.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key)
    }

    /// The entry of a key, if there is one.
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key)
    }

    /// Every entry, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter()
    }

    /// Every entry, in no order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut()
    }

    fn sweep(&mut self, now: Duration) {
        let mut idle: Vec<(f64, K)> = Vec::new();
        self.entries.retain(|key, entry| match entry.used(now) {
            Some(used) if used <= 0.0 => false,
            Some(used) => {
                idle.push((used, *key));
                true
            }
            None => true,
        });
        let in_use = self.entries.len() - idle.len();
        if let Some(surplus) = idle.len().checked_sub(MOST_IDLE / 2).filter(|n| *n > 0) {
            let by_usage = |a: &(f64, K), b: &(f64, K)| a.0.total_cmp(&b.0);
            idle.select_nth_unstable_by(surplus - 1, by_usage);
            for (_, key) in &idle[..surplus] {
                self.entries.remove(key);
            }
        }
        self.sweep_at = in_use + MOST_IDLE;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MOST_IDLE, Usage, UsageTable};

    /// Idle entries with what they have used, which one second gives back.
    struct Used(Option<f64>);

    impl Usage for Used {
        fn used(&mut self, now: Duration) -> Option<f64> {
            self.0.map(|used| used - now.as_secs_f64())
        }
    }

    #[test]
    fn entries_as_good_as_new_are_forgotten_first() {
        let mut table = UsageTable::default();
        let start = Duration::ZERO;
        for key in 0..MOST_IDLE {
            table.entry(key, start, || Used(Some(if key < 100 { 2.0 } else { 1.0 })));
        }
        table.entry(MOST_IDLE, Duration::from_secs(1), || Used(Some(2.0)));
        assert_eq!(table.iter().count(), 101);
    }

    #[test]
    fn a_full_table_keeps_what_used_most_and_what_is_in_use() {
        let mut table = UsageTable::default();
        let start = Duration::ZERO;
        table.entry_in_use(0, || Used(None));
        for key in 1..10 * MOST_IDLE {
            table.entry(key, start, || Used(Some(if key <= 1000 { 2.0 } else { 1.0 })));
            assert!(table.iter().count() <= MOST_IDLE + 1);
        }
        assert!((0..=1000).all(|key| table.get(&key).is_some()));
    }
}
