//! A node of a cluster: it joins by reading the log to its end ([`join`]), then follows it, tells the others
//! that it lives, and has the shards that are its own ([`Node::run`]) until it stops.

mod course;
mod join;

use std::sync::Arc;

use futures::stream::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::beats::{self, Beat};
use super::directory::Directory;
use super::engine::Topic;
use super::follower::FollowError;
use super::log::{Log, Pause};
use super::record::FORMAT;
use super::tenant::Tenant;
use super::writer::Writer;
use crate::journal::replica::Proposals;
use course::Course;
pub use join::{JoinError, join};

/// Beats that wait to be heard; one for which there is no room is lost.
const HEARD: usize = 256;

/// Why a node ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// It cannot follow the log.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// A task of it panicked.
    #[error("a part of this node failed: this is a bug of the server, please report it")]
    Failed,
}

/// A node that has joined its cluster and owns nothing yet.
#[derive(Debug)]
pub struct Node {
    log: Arc<Log>,
    directory: Directory,
    proposals: Proposals,
    follower: Follower,
}

/// The task that follows the log; it ends with its handle.
#[derive(Debug)]
struct Follower(JoinHandle<FollowError>);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Node {
    /// The secret of the cluster, with which its nodes sign tokens.
    #[must_use]
    pub fn secret(&self) -> [u8; 32] {
        // It was waited for when the node joined.
        self.log.secret.borrow().unwrap_or_default()
    }

    /// Has the shards that are this node's, until `stop` is cancelled; then hands them over, which takes
    /// ten seconds at most.
    ///
    /// # Errors
    /// If the node cannot go on. Its rooms write nothing any more, and the server must end.
    pub async fn run(
        self,
        tenant: Arc<dyn Tenant>,
        stop: CancellationToken,
    ) -> Result<(), NodeError> {
        let Self { log, directory, proposals, mut follower } = self;
        let began = Instant::now();
        let (writer, handle) = Writer::new(Arc::clone(&log), proposals);
        let (leaving, is_leaving) = watch::channel(false);
        let (hear, heard) = mpsc::channel(HEARD);
        let mut parts = JoinSet::new();
        parts.spawn(writer.run());
        parts.spawn(listen(Arc::clone(&log), hear));
        parts.spawn(beat(Arc::clone(&log), directory.clone(), began, is_leaving));
        let course = Course::new(log, directory, tenant, handle, began, leaving);
        tokio::select! {
            biased;
            failed = &mut follower.0 => Err(failed.unwrap_or(FollowError::Failed).into()),
            Some(_) = parts.join_next() => Err(NodeError::Failed),
            ended = course.run(heard, stop) => ended,
        }
    }
}

/// Tells all nodes that this one lives.
async fn beat(
    log: Arc<Log>,
    directory: Directory,
    began: Instant,
    mut is_leaving: watch::Receiver<bool>,
) {
    let mut ticks = interval(beats::EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            // So that the heirs claim at once what is handed over.
            Ok(()) = is_leaving.changed() => {}
        }
        let beat = Beat {
            node: directory.me().clone(),
            address: directory.address().map(str::to_owned),
            sent: began.elapsed(),
            leaving: *is_leaving.borrow(),
            format: FORMAT,
        };
        // A beat that is lost is heard by nobody, also not by this node, which then knows.
        drop(log.engine.publish(Topic::All, beat.encode()).await);
    }
}

/// Hears the beats of all nodes.
async fn listen(log: Arc<Log>, hear: mpsc::Sender<Beat>) {
    let mut pause = Pause::default();
    loop {
        let heard = log.insist("nodes cannot be heard", || log.engine.subscribe(Topic::All)).await;
        let mut beats = heard.filter_map(async |message| Beat::decode(&message)).boxed();
        while let Some(beat) = beats.next().await {
            drop(hear.try_send(beat));
        }
        pause.wait().await;
    }
}

#[cfg(test)]
mod tests;
