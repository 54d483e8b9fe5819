//! An engine for tests of links, over the one in memory.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bytes::Bytes;
use futures::FutureExt;
use futures::stream::BoxStream;

use super::*;
use crate::cluster::engine::fake::{FakeCluster, FakeEngine};
use crate::cluster::engine::{AppendError, Bounds, Chain, Delivered, EngineError};

/// An engine whose messages a test loses or holds back.
#[derive(Debug)]
pub(super) struct TestEngine {
    pub(super) inner: FakeEngine,
    /// Messages that are lost from now on.
    pub(super) lose: AtomicU32,
    /// Whether messages do not go out, and their sender waits.
    pub(super) holds: AtomicBool,
    /// Whether messages are refused at once, and how many were.
    pub(super) refuses: AtomicBool,
    pub(super) refused: AtomicU32,
    /// The bytes of each message that went out.
    pub(super) sent: Mutex<Vec<Bytes>>,
}

impl TestEngine {
    pub(super) fn new(cluster: &FakeCluster) -> Arc<Self> {
        let [lose, refused] = [0, 0].map(AtomicU32::new);
        let [holds, refuses] = [false, false].map(AtomicBool::new);
        let (inner, sent) = (cluster.engine(), Mutex::default());
        Arc::new(Self { inner, lose, holds, refuses, refused, sent })
    }
}

impl Engine for TestEngine {
    fn append(&self, _: Chain, _: u64, _: Bytes) -> BoxFuture<'static, Result<u64, AppendError>> {
        unreachable!("a link writes nothing")
    }

    fn bounds(&self) -> BoxFuture<'static, Result<Bounds, EngineError>> {
        unreachable!("a link reads nothing")
    }

    fn follow(
        &self,
        _: u64,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Result<Delivered, EngineError>>, EngineError>>
    {
        unreachable!("a link reads nothing")
    }

    fn publish(&self, topic: Topic, message: Bytes) -> BoxFuture<'static, Result<(), EngineError>> {
        if self.holds.load(Ordering::Relaxed) {
            return std::future::pending().boxed();
        }
        if self.refuses.load(Ordering::Relaxed) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return std::future::ready(Err(EngineError("no server".to_owned()))).boxed();
        }
        let lost = self.lose.try_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if lost.is_ok() {
            return std::future::ready(Ok(())).boxed();
        }
        self.sent.lock().push(message.clone());
        self.inner.publish(topic, message)
    }

    fn subscribe(
        &self,
        topic: Topic,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Bytes>, EngineError>> {
        self.inner.subscribe(topic)
    }
}
