//! A value that tasks wait for. Whoever waits is woken in the order in which they began to, where
//! `tokio::sync::watch` draws lots, so that a simulation goes the same way again.

use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

/// The value; its clones are the same.
#[derive(Debug, Clone)]
pub struct Told<T>(Arc<(Mutex<T>, Notify)>);

impl<T: Copy> Told<T> {
    /// A value.
    pub fn new(value: T) -> Self {
        Self(Arc::new((Mutex::new(value), Notify::new())))
    }

    /// The value now.
    ///
    /// # Panics
    /// Where another user of this panicked.
    #[must_use]
    pub fn get(&self) -> T {
        *self.0.0.lock().unwrap()
    }

    /// Changes the value.
    ///
    /// # Panics
    /// Where another user of this panicked.
    pub fn tell(&self, value: T) {
        *self.0.0.lock().unwrap() = value;
        self.0.1.notify_waiters();
    }

    /// Waits until the value is as wanted.
    pub async fn until(&self, wanted: impl Fn(T) -> bool) {
        loop {
            let told = self.0.1.notified();
            if wanted(self.get()) {
                return;
            }
            told.await;
        }
    }
}
