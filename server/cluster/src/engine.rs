//! The engine of a cluster: a bucket of values with revisions, a stream of records, and messages
//! between nodes. `nats` is the engine of a real cluster, `fake` that of
//! simulations; one contract test runs on both.

use std::fmt::Debug;
use std::time::SystemTime;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;

/// The number of a value's change in the bucket. It grows with each change of any key.
pub type Revision = u64;

/// A value of the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The change that stored it.
    pub revision: Revision,
    /// When that was, by the clock of the engine.
    pub stored: SystemTime,
    /// The value.
    pub value: Bytes,
}

/// Why a value was not put or deleted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PutError {
    /// The key has another revision. An earlier try of the same change, whose outcome was unknown, may
    /// have made it.
    #[error("the key has another revision")]
    OtherRevision,
    /// The change may be stored or not, and may still be stored later. The same call may be repeated.
    #[error("the outcome is unknown: {0}")]
    Unknown(String),
}

/// The engine cannot be reached, or does not do what it is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EngineError(pub String);

/// A record of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number: 1, 2, 3 and so on.
    pub number: u64,
    /// The body, as it was appended.
    pub body: Bytes,
}

/// A stream that begins once the engine has taken the call.
pub type Streaming<T> = BoxFuture<'static, Result<BoxStream<'static, T>, EngineError>>;

/// The engine of a cluster. Every method may be called at any time by any task; a call ends within
/// half a second.
pub trait Engine: Debug + Send + Sync {
    /// The value of a key, as the leader has it: never an older one. `None` if there is none.
    fn get(&self, key: &str) -> BoxFuture<'static, Result<Option<Entry>, EngineError>>;

    /// Puts a value, if the key has the revision `expected` (0: no value), and returns the new revision.
    fn put(
        &self,
        key: &str,
        value: Bytes,
        expected: Revision,
    ) -> BoxFuture<'static, Result<Revision, PutError>>;

    /// Puts a value, whatever is there.
    fn overwrite(
        &self,
        key: &str,
        value: Bytes,
    ) -> BoxFuture<'static, Result<Revision, EngineError>>;

    /// Deletes a value, if it has the revision `expected`. The key counts as one that never was.
    fn delete(&self, key: &str, expected: Revision) -> BoxFuture<'static, Result<(), PutError>>;

    /// The values of all keys that begin with `prefix`, each as it is at some moment after the call.
    /// The stream ends after the last.
    fn scan(&self, prefix: &str) -> Streaming<Result<(String, Entry), EngineError>>;

    /// The values of all keys that begin with `prefix` and each of their changes from now on; `None` for
    /// a key that is deleted. The stream ends with an error if it cannot go on; the caller begins again.
    fn watch(&self, prefix: &str) -> Streaming<Result<(String, Option<Entry>), EngineError>>;

    /// Appends a record and returns its number. The same record may be appended again: a repeat within
    /// two minutes, known by its `id`, is not appended a second time. Readers must bear repeats.
    fn append(&self, id: &str, body: Bytes) -> BoxFuture<'static, Result<u64, EngineError>>;

    /// All records from number `from` on, in order and without a gap, also those that are appended later.
    /// The stream ends with an error if it cannot go on, also if record `from` was deleted and it is not
    /// the next one; the caller begins again.
    fn follow(&self, from: u64) -> Streaming<Result<Record, EngineError>>;

    /// The numbers of the oldest record (of the next one, if there is none) and of the newest that there
    /// ever was (0 for none).
    fn bounds(&self) -> BoxFuture<'static, Result<(u64, u64), EngineError>>;

    /// Sends a message to all nodes, this one too. It is not kept, and may be lost.
    fn publish(&self, body: Bytes) -> BoxFuture<'static, Result<(), EngineError>>;

    /// The messages from now on.
    fn subscribe(&self) -> Streaming<Bytes>;

    /// Whether the connection to the engine is up.
    fn is_connected(&self) -> bool;
}
