//! Whether this server may serve: always, unless it is a node of a cluster. A node serves while it holds its
//! lease. When the lease is lost, everything that knows a room ends, and with the next lease all of it
//! is found anew: nobody is ever shown what the node remembered of the time before.

use std::future::pending;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::cluster::Cluster;

/// The lease of a server, and what ends with it.
#[derive(Debug)]
pub(crate) struct Tenancy {
    cluster: Option<Cluster>,
    /// Cancelled when the lease is lost, and before the first one.
    lease: Mutex<CancellationToken>,
    /// What must have ended before the next lease.
    tasks: TaskTracker,
}

impl Tenancy {
    /// A server on its own may serve at once, a node once it holds its lease.
    pub(crate) fn new(cluster: Option<Cluster>) -> Self {
        let lease = CancellationToken::new();
        if cluster.is_some() {
            lease.cancel();
        }
        Self { cluster, lease: Mutex::new(lease), tasks: TaskTracker::new() }
    }

    /// The cluster that the server is a node of.
    pub(crate) const fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_ref()
    }

    /// Whether a room may be shown at this moment. A process that stood still finds out here.
    pub(crate) fn may_show(&self) -> bool {
        self.cluster.as_ref().is_none_or(Cluster::holds_lease)
    }

    /// A future that ends with the lease of now, at the latest; with `None` then.
    pub(crate) fn guard<F: Future>(
        &self,
        future: F,
    ) -> impl Future<Output = Option<F::Output>> + use<F> {
        let guard = self.cluster.is_some().then(|| (self.lease.lock().clone(), self.tasks.token()));
        async move {
            match guard {
                Some((lease, _tracked)) => lease.run_until_cancelled(future).await,
                None => Some(future.await),
            }
        }
    }

    /// Begins with each lease and ends with it, for ever. `forget` removes what is left of the rooms
    /// when no task is.
    pub(crate) async fn run(&self, forget: impl Fn()) {
        let Some(cluster) = &self.cluster else { return pending().await };
        loop {
            cluster.lease_held().await;
            *self.lease.lock() = CancellationToken::new();
            cluster.lease_lost().await;
            self.lease.lock().cancel();
            tracing::warn!("this node has lost its lease: everybody has to connect again");
            self.tasks.close();
            self.tasks.wait().await;
            self.tasks.reopen();
            forget();
            cluster.forget_codes();
        }
    }
}
