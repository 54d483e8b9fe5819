//! A value of the configuration that can change while the server runs. Which values those are is said in
//! [`super::Config::take`].

use std::sync::Arc;

use parking_lot::RwLock;

/// The value that applies now. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub(crate) struct Current<T>(Arc<RwLock<Arc<T>>>);

impl<T> Current<T> {
    /// The value now.
    pub(crate) fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read())
    }

    /// Takes the value that was read again.
    pub(super) fn take(&self, read_again: &Self) {
        let value = read_again.get();
        *self.0.write() = value;
    }
}

impl<T> From<T> for Current<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(value))))
    }
}
