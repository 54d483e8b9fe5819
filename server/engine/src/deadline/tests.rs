//! Deadlines and budgets by a clock that the test moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::{Budget, Deadline, TimeLimit};

/// A clock that stands still, and the number of times it was read.
#[derive(Debug, Default)]
struct TestClock {
    left_ms: AtomicU64,
    readings: AtomicU32,
}

impl TestClock {
    fn set(&self, left_ms: u64) {
        self.left_ms.store(left_ms, Ordering::Relaxed);
    }
}

impl TimeLimit for Arc<TestClock> {
    fn time_left(&self) -> Duration {
        self.readings.fetch_add(1, Ordering::Relaxed);
        Duration::from_millis(self.left_ms.load(Ordering::Relaxed))
    }
}

fn clock(left_ms: u64) -> (Arc<TestClock>, Deadline) {
    let clock = Arc::<TestClock>::default();
    clock.set(left_ms);
    (Arc::clone(&clock), Deadline::new(clock))
}

#[test]
fn a_deadline_is_over_when_its_time_has_come_or_it_is_cancelled() {
    assert!(!Deadline::none().is_over());
    assert!(clock(0).1.is_over());
    let (_, far) = clock(3_600_000);
    assert!(!far.is_over());
    drop(far.cancel_guard());
    assert!(far.is_over());
}

#[test]
fn a_guard_cancels_a_deadline_that_gets_its_time_limit_later() {
    let deadline = Deadline::none();
    let guard = deadline.cancel_guard();
    let deadline =
        deadline.limited(Arc::new(TestClock { left_ms: AtomicU64::new(1), ..Default::default() }));
    assert!(!deadline.is_over());
    drop(guard);
    assert!(deadline.is_over());
}

#[test]
fn the_clock_is_read_once_in_16_questions() {
    let (clock, deadline) = clock(1_000);
    assert!((0..160).all(|_| !deadline.is_over()));
    assert_eq!(clock.readings.load(Ordering::Relaxed), 10);
    clock.set(0);
    assert!((0..16).any(|_| deadline.is_over()));
    clock.set(1_000);
    assert!(deadline.is_over(), "a deadline that was over stays over");
}

#[test]
fn a_budget_ends_with_its_part_of_the_time_and_leaves_the_rest() {
    let (clock, deadline) = clock(1_000);
    let mut budget = Budget::part(0.25, 0, &deadline);
    clock.set(751);
    assert!((0..100).all(|_| budget.spend().is_some()));
    clock.set(750);
    assert!((0..100).any(|_| budget.spend().is_none()));
    assert!(budget.is_spent() && !deadline.is_over());
}

#[test]
fn a_budget_without_a_time_limit_counts_moves() {
    let deadline = Deadline::none();
    let mut budget = Budget::part(0.25, 3, &deadline);
    while budget.spend().is_some() {}
    assert_eq!(budget.spent(), 3);
    assert!(budget.is_spent());
}
