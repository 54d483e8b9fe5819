//! The course of a node: what it does when time passes, when it hears a node, when the log says something
//! of a shard, and when it is to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use super::NodeError;
use super::join::last;
use crate::cluster::beats::{Beat, Beats, CUT_OFF};
use crate::cluster::directory::{Directory, Hearing, Owner};
use crate::cluster::log::{Claim, Log};
use crate::cluster::ownership::{Ownership, Sight, Stand, Step};
use crate::cluster::tenant::Tenant;
use crate::cluster::tenure::Tenures;
use crate::cluster::writer::WriterHandle;
use crate::shard::{SHARDS, Shard};

/// How often a node looks at the clock.
const TICK: Duration = Duration::from_millis(100);

/// How long a node that stops hands its shards over.
const HAND_OVER: Duration = Duration::from_secs(10);

/// The state of a running node.
pub(super) struct Course {
    log: Arc<Log>,
    directory: Directory,
    beats: Beats,
    ownership: Ownership,
    tenures: Tenures,
    running: JoinSet<Shard>,
    /// Ends the tenure of each shard that has one.
    releases: Vec<Option<CancellationToken>>,
    began: Instant,
    leaving: watch::Sender<bool>,
    /// Whether the node must read the log before it says what it owns, and the reading.
    in_doubt: bool,
    reading: Option<BoxFuture<'static, ()>>,
    /// The reading for somebody who must know what the log says now.
    catching_up: Option<BoxFuture<'static, u64>>,
}

impl Course {
    pub(super) fn new(
        log: Arc<Log>,
        directory: Directory,
        tenant: Arc<dyn Tenant>,
        writer: WriterHandle,
        began: Instant,
        leaving: watch::Sender<bool>,
    ) -> Self {
        let me = log.me.clone();
        let held = Arc::new((0..SHARDS).map(|_| AtomicU64::new(0)).collect());
        Self {
            beats: Beats::new(me.clone(), directory.address().map(str::to_owned)),
            ownership: Ownership::new(me),
            tenures: Tenures { log: Arc::clone(&log), writer, tenant, held },
            running: JoinSet::new(),
            releases: vec![None; usize::from(SHARDS)],
            log,
            directory,
            began,
            leaving,
            in_doubt: false,
            reading: None,
            catching_up: None,
        }
    }

    /// Runs until it has stopped, or until a part of it failed.
    pub(super) async fn run(
        mut self,
        mut heard: mpsc::Receiver<Beat>,
        stop: CancellationToken,
    ) -> Result<(), NodeError> {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            failed = self.go(&mut ticks, &mut heard, false) => return failed,
        }
        self.beats.set_leaving();
        self.leaving.send_replace(true);
        self.look();
        let handing_over = timeout(HAND_OVER, self.go(&mut ticks, &mut heard, true)).await;
        if handing_over.is_err() {
            tracing::warn!(shards = self.running.len(), "stopped without handing over all shards");
        }
        handing_over.unwrap_or(Ok(()))
    }

    /// Does what is to be done, with `to_end` until no shard is left here.
    async fn go(
        &mut self,
        ticks: &mut tokio::time::Interval,
        heard: &mut mpsc::Receiver<Beat>,
        to_end: bool,
    ) -> Result<(), NodeError> {
        while !(to_end && self.running.is_empty()) {
            let (log, directory) = (Arc::clone(&self.log), self.directory.clone());
            tokio::select! {
                biased;
                _ = ticks.tick() => self.look(),
                Some(beat) = heard.recv() => self.beats.hear(self.began.elapsed(), beat),
                () = log.changed.notified() => self.decide(),
                Some(ended) = self.running.join_next() => {
                    let Ok(shard) = ended else { return Err(NodeError::Failed) };
                    self.releases[shard.index()] = None;
                    self.decide();
                }
                () = done(&mut self.reading) => {
                    self.reading = None;
                    self.set_in_doubt(false);
                }
                asked = directory.until_asked(), if self.catching_up.is_none() => {
                    self.catching_up = Some(read(log).map(move |()| asked).boxed());
                }
                asked = done(&mut self.catching_up) => {
                    self.catching_up = None;
                    self.decide();
                    self.directory.set_read_for(asked);
                }
            }
        }
        Ok(())
    }

    /// Looks at the clock.
    fn look(&mut self) {
        self.beats.tick(self.began.elapsed());
        let stood_still = self.directory.look();
        if stood_still || !self.beats.hears_itself() {
            self.set_in_doubt(true);
            self.reading = None;
        } else if self.in_doubt && self.reading.is_none() {
            self.reading = Some(read(Arc::clone(&self.log)).boxed());
        }
        // While a leader is elected, nothing is stored either: that is not yet a reason.
        let is_stalled = self.log.stalled() >= CUT_OFF;
        self.directory.set_hearing(if is_stalled { Hearing::CutOff } else { self.beats.hearing() });
        self.log.set_format(self.beats.format());
        self.directory.set_nodes(self.beats.nodes());
        self.decide();
    }

    /// A node that stood still, or that does not hear itself, may have lost its shards: it shows nobody a
    /// room that goes on elsewhere.
    fn set_in_doubt(&mut self, in_doubt: bool) {
        self.in_doubt = in_doubt;
        self.directory.set_in_doubt(in_doubt);
    }

    /// Says who owns what, and claims and releases what is to be.
    fn decide(&mut self) {
        let owners: Vec<_> = Shard::all().map(|shard| self.log.owner(shard)).collect();
        let mut owned = 0;
        for (shard, claim) in Shard::all().zip(&owners) {
            let owner = self.owner(shard, claim.as_ref());
            owned += u64::from(owner == Owner::Me);
            self.directory.set_owner(shard, owner);
        }
        self.log.metrics.owned.store(owned, Ordering::Relaxed);
        if self.in_doubt {
            return;
        }
        let sight = |(shard, claim): (Shard, Option<Claim>)| {
            let stand = match &self.releases[shard.index()] {
                None => Stand::Away,
                Some(release) if self.held(shard) != 0 && !release.is_cancelled() => Stand::Held,
                Some(_) => Stand::Changing,
            };
            Sight { owner: claim.map(|claim| claim.node), stand }
        };
        let sights: Vec<_> = Shard::all().zip(owners).map(sight).collect();
        let now = self.began.elapsed();
        for step in self.ownership.decide(now, &self.beats, &sights) {
            match step {
                Step::Claim(shard) => self.claim(shard),
                Step::Release(shard) => {
                    self.releases[shard.index()].iter().for_each(CancellationToken::cancel);
                }
            }
        }
    }

    /// The number of the claim by which a shard's rooms are here; 0 if they are not.
    fn held(&self, shard: Shard) -> u64 {
        self.tenures.held[shard.index()].load(Ordering::Acquire)
    }

    fn owner(&self, shard: Shard, by_log: Option<&Claim>) -> Owner {
        match by_log {
            Some(claim) if claim.node != self.log.me => Owner::Node(claim.node.clone()),
            Some(claim) if claim.seq == self.held(shard) => Owner::Me,
            _ => Owner::Nobody,
        }
    }

    fn claim(&mut self, shard: Shard) {
        let release = CancellationToken::new();
        self.releases[shard.index()] = Some(release.clone());
        let tenures = self.tenures.clone();
        self.running.spawn(async move {
            tenures.run(shard, release).await;
            shard
        });
    }
}

/// Reads the log up to where it ends now.
async fn read(log: Arc<Log>) {
    let last = last(&log).await;
    log.until_delivered(last).await;
}

/// Waits until the log is read; forever if it is not being read.
async fn done<T>(reading: &mut Option<BoxFuture<'static, T>>) -> T {
    match reading {
        Some(reading) => reading.await,
        None => std::future::pending().await,
    }
}
