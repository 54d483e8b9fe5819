//! A value that tasks wait for. Waiting tasks wake in the order in which they began to wait, so that
//! a simulation repeats exactly; `tokio::sync::watch` wakes them in a random order.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

/// The value; its clones share it.
#[derive(Debug, Clone)]
pub struct OrderedWatch<T>(Arc<(Mutex<T>, Notify)>);

impl<T: Copy> OrderedWatch<T> {
    /// Starts with a value.
    pub fn new(value: T) -> Self {
        Self(Arc::new((Mutex::new(value), Notify::new())))
    }

    /// The current value.
    #[must_use]
    pub fn get(&self) -> T {
        *self.0.0.lock()
    }

    /// Changes the value and wakes the waiting tasks.
    pub fn set(&self, value: T) {
        *self.0.0.lock() = value;
        self.0.1.notify_waiters();
    }

    /// Waits until the value satisfies a condition.
    pub async fn wait_for(&self, condition: impl Fn(T) -> bool) {
        loop {
            let changed = self.0.1.notified();
            if condition(self.get()) {
                return;
            }
            changed.await;
        }
    }
}
