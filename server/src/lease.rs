//! Whether this server may serve: always, unless it is a node of a cluster. A node serves while it holds its
//! lease. When the lease is lost, everything that knows a room ends, and with the next lease all of it
//! is found anew: nobody is ever shown what the node remembered of the time before.

use std::future::pending;

use noughts_cluster::Cluster;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The lease of a server, and what ends with it.
#[derive(Debug)]
pub(crate) struct Lease {
    cluster: Option<Cluster>,
    /// Cancelled when the lease is lost, and before the first one.
    lost: Mutex<CancellationToken>,
    /// The tasks that must end before the next lease.
    tasks: TaskTracker,
}

impl Lease {
    /// A server on its own may serve at once, a node once it holds its lease.
    pub(crate) fn new(cluster: Option<Cluster>) -> Self {
        let lost = CancellationToken::new();
        if cluster.is_some() {
            lost.cancel();
        }
        Self { cluster, lost: Mutex::new(lost), tasks: TaskTracker::new() }
    }

    /// The cluster that the server is a node of.
    pub(crate) const fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_ref()
    }

    /// Whether a room may be shown at this moment. A process that stood still finds out here.
    pub(crate) fn may_show(&self) -> bool {
        self.cluster.as_ref().is_none_or(Cluster::holds_lease)
    }

    /// A future that ends with the lease of now, at the latest; with `None` then. It is boxed, because each future
    /// around it would hold its size twice: a room's task had 39 KB in place of 6.
    pub(crate) fn guard<F: Future>(
        &self,
        future: F,
    ) -> impl Future<Output = Option<F::Output>> + use<F> {
        let future = Box::pin(future);
        let guard = self.cluster.is_some().then(|| (self.lost.lock().clone(), self.tasks.token()));
        async move {
            match guard {
                Some((lost, _tracked)) => lost.run_until_cancelled(future).await,
                None => Some(future.await),
            }
        }
    }

    /// Begins with each lease and ends with it, for ever. `forget` is called when everything has ended, and
    /// removes what is left of the rooms.
    pub(crate) async fn run(&self, forget: impl Fn()) {
        let Some(cluster) = &self.cluster else { return pending().await };
        loop {
            cluster.lease_held().await;
            tracing::info!("this node holds its lease and serves");
            *self.lost.lock() = CancellationToken::new();
            cluster.lease_lost().await;
            self.lost.lock().cancel();
            self.tasks.close();
            self.tasks.wait().await;
            self.tasks.reopen();
            forget();
            cluster.forget_codes();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use noughts_cluster::NodeId;
    use noughts_cluster::fake::FakeServer;
    use noughts_store::{Durability, Options, Sqlite, Workers};
    use tempfile::TempDir;
    use tokio::time::timeout;

    use super::*;

    /// A node that does not run yet, and its folder.
    pub(crate) async fn node(nats: &FakeServer, id: u64) -> (Cluster, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new(folder.path().to_owned(), Durability::Process, |_| {});
        let options = Options { workers: Workers::Tasks, ..options };
        let sqlite = Sqlite::open(&options).unwrap().0;
        let engine = Arc::new(nats.connect());
        let address = format!("http://{id}/");
        (Cluster::with_engine(engine, NodeId(id), address, sqlite).await.unwrap(), folder)
    }

    /// Lets virtual time pass with all that happens in it.
    async fn pass(time: Duration) {
        drop(timeout(time, pending::<()>()).await);
    }

    /// Waits for a minute of virtual time until something holds.
    async fn until(holds: impl AsyncFn() -> bool) {
        let waiting = async {
            while !holds().await {
                pass(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(60), waiting).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_ends_everything_with_its_lease_and_begins_with_the_next() {
        let nats = FakeServer::new(1);
        let (cluster, _folder) = node(&nats, 1).await;
        let lease = Arc::new(Lease::new(Some(cluster.clone())));
        let serves = async || lease.guard(async {}).await.is_some();
        assert!(!serves().await && !lease.may_show(), "there is no lease yet");
        tokio::spawn(async move { cluster.run().await });
        let forgotten = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&forgotten);
        let running = Arc::clone(&lease);
        let forget = move || {
            counter.fetch_add(1, Ordering::Relaxed);
        };
        tokio::spawn(async move { running.run(forget).await });
        until(serves).await;
        assert!(lease.may_show());
        let room = tokio::spawn(lease.guard(pending::<()>()));
        // It ends when it is dropped: until then the node does not go on.
        let late = lease.guard(pending::<()>());
        nats.set_down(true);
        assert_eq!(room.await.unwrap(), None);
        assert!(!serves().await && !lease.may_show());
        nats.set_down(false);
        pass(Duration::from_secs(10)).await;
        assert!(!serves().await, "something of the time before is left");
        assert_eq!(forgotten.load(Ordering::Relaxed), 0);
        drop(late);
        until(serves).await;
        assert_eq!(forgotten.load(Ordering::Relaxed), 1);
    }
}
