//! An engine in memory for tests: the log and the messages of a whole cluster, in virtual time if the
//! clock is paused, with the faults of a real one. The same seed and the same calls give the same
//! cluster.

pub mod faults;

use std::collections::{BTreeMap, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, BoxStream, StreamExt};
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::{
    ANSWER_TIME, AppendError, Bounds, Chain, Delivered, Engine, EngineError, MAX_PAYLOAD, Topic,
};
use faults::{Fate, Faults, Link};

/// Messages that wait for a subscriber or for a paused link; a message for which there is no room is
/// lost.
const MAX_WAITING: usize = 65_536;

/// A cluster in memory. Each node has an engine of it.
#[derive(Debug, Clone)]
pub struct FakeCluster {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// The length of the log.
    length: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    rng: StdRng,
    faults: Faults,
    records: Vec<(Delivered, Instant)>,
    /// The number of the first record that is not discarded.
    first: u64,
    /// The number of the last record of each chain.
    lasts: BTreeMap<Chain, u64>,
    /// Until then nothing is appended.
    leaderless_until: Instant,
    subscribers: Vec<Subscriber>,
}

#[derive(Debug)]
struct Subscriber {
    topic: Topic,
    link: watch::Receiver<Link>,
    messages: mpsc::Sender<(Instant, Bytes)>,
}

impl FakeCluster {
    /// A cluster with an empty log and no faults.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let state = State {
            rng: StdRng::seed_from_u64(seed),
            faults: Faults::NONE,
            records: Vec::new(),
            first: 1,
            lasts: BTreeMap::new(),
            leaderless_until: Instant::now(),
            subscribers: Vec::new(),
        };
        Self {
            shared: Arc::new(Shared { state: Mutex::new(state), length: watch::Sender::new(0) }),
        }
    }

    /// The engine of one more node.
    #[must_use]
    pub fn engine(&self) -> FakeEngine {
        FakeEngine {
            shared: self.shared.clone(),
            link: Arc::new(watch::Sender::new(Link::Open)),
            fates: Arc::default(),
            held: Arc::default(),
        }
    }

    /// Sets the odds of faults, for all nodes and from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.shared.state.lock().faults = faults;
    }

    /// Lets the log have no leader for this long, as while the servers of a real one elect another.
    /// An append meanwhile is lost, or stored afterwards.
    pub fn leader_gap(&self, time: Duration) {
        self.shared.state.lock().leaderless_until = Instant::now() + time;
    }

    /// Discards all records before this number, as a log that is full.
    pub fn discard(&self, before: u64) {
        let mut state = self.shared.state.lock();
        state.first = state.first.max(before);
    }

    /// All records there ever were.
    #[must_use]
    pub fn records(&self) -> Vec<Delivered> {
        self.shared.state.lock().records.iter().map(|(record, _)| record.clone()).collect()
    }
}

impl Shared {
    /// Stores a record, if it is the successor of the last one of its chain.
    fn store(&self, chain: Chain, after: u64, record: Bytes) -> Result<u64, AppendError> {
        let mut state = self.state.lock();
        let last = state.lasts.get(&chain).copied().unwrap_or(0);
        let last = if last < state.first { 0 } else { last };
        if last > after || after > last && after < state.first {
            return Err(AppendError::Outrun { last });
        }
        if last < after {
            return Err(AppendError::Unknown("the record before is not there".to_owned()));
        }
        let seq = state.records.len() as u64 + 1;
        state.lasts.insert(chain, seq);
        state.records.push((Delivered { seq, chain, record }, Instant::now()));
        drop(state);
        self.length.send_replace(seq);
        Ok(seq)
    }

    /// Waits until the log has a leader. Returns false if what waited for it is lost.
    async fn led(&self) -> bool {
        loop {
            let until = self.state.lock().leaderless_until;
            if until <= Instant::now() {
                return true;
            }
            if self.state.lock().rng.random_bool(0.5) {
                return false;
            }
            sleep_until(until).await;
        }
    }

    /// The random time that something takes.
    fn delay(&self) -> Duration {
        let mut state = self.state.lock();
        let most = state.faults.max_delay;
        most.mul_f64(state.rng.random())
    }

    fn happens(&self, odds: impl Fn(&Faults) -> f64) -> bool {
        let mut state = self.state.lock();
        let odds = odds(&state.faults);
        // Without faults nothing is drawn, so that a test without them has the same numbers as before.
        odds > 0.0 && state.rng.random_bool(odds)
    }

    /// Gives a message to all that subscribe to its topic and are not cut off.
    fn deliver(&self, topic: &Topic, message: &Bytes) {
        let due = Instant::now() + self.delay();
        let mut state = self.state.lock();
        state.subscribers.retain(|subscriber| !subscriber.messages.is_closed());
        for subscriber in state.subscribers.iter().filter(|one| one.topic == *topic) {
            if *subscriber.link.borrow() != Link::Cut {
                drop(subscriber.messages.try_send((due, message.clone())));
            }
        }
    }
}

/// The engine of one node of a [`FakeCluster`], with its own link to it.
#[derive(Debug, Clone)]
pub struct FakeEngine {
    shared: Arc<Shared>,
    link: Arc<watch::Sender<Link>>,
    /// The plan of a test for the next appends.
    fates: Arc<Mutex<VecDeque<Fate>>>,
    /// Messages that were sent while the link was paused.
    held: Arc<Mutex<VecDeque<(Topic, Bytes)>>>,
}

impl FakeEngine {
    /// Opens, pauses or cuts the node's link.
    pub fn set_link(&self, link: Link) {
        self.link.send_replace(link);
        if link == Link::Open {
            let held = std::mem::take(&mut *self.held.lock());
            held.iter().for_each(|(topic, message)| self.shared.deliver(topic, message));
        }
    }

    /// Plans the fate of this node's next append that has none yet. It comes before the odds.
    pub fn plan(&self, fate: Fate) {
        self.fates.lock().push_back(fate);
    }

    fn fate(&self) -> Fate {
        let planned = self.fates.lock().pop_front();
        planned.unwrap_or_else(|| {
            let mut state = self.shared.state.lock();
            let faults = state.faults;
            faults.draw(&mut state.rng)
        })
    }

    /// Waits while the link is paused. Returns false if it is cut.
    async fn passes(&self) -> bool {
        let mut link = self.link.subscribe();
        let passed = link.wait_for(|link| *link != Link::Paused).await.map(|link| *link);
        passed.is_ok_and(|link| link == Link::Open)
    }

    /// Waits until a call to the cluster has come there.
    async fn reach(&self) -> Result<(), EngineError> {
        let arrive = async {
            sleep(self.shared.delay()).await;
            let arrived = self.passes().await && self.shared.led().await;
            if !arrived {
                pending::<()>().await;
            }
        };
        timeout(ANSWER_TIME, arrive).await.map_err(|_| EngineError("no answer came".to_owned()))
    }

    /// The way of an append to the log and of its answer back.
    async fn transit(
        self,
        (chain, after, record): (Chain, u64, Bytes),
        answer: oneshot::Sender<Result<u64, AppendError>>,
    ) {
        let fate = self.fate();
        sleep(self.shared.delay() + fate.late()).await;
        if fate == Fate::Lost || !self.passes().await || !self.shared.led().await {
            return;
        }
        let stored = self.shared.store(chain, after, record.clone());
        sleep(self.shared.delay() + fate.ack_late()).await;
        if fate != Fate::LostAck && self.passes().await {
            // A caller that has given up does not hear it.
            drop(answer.send(stored));
        }
        if let Fate::Doubled(later) = fate {
            sleep(later).await;
            drop(self.shared.store(chain, after, record));
        }
    }

    /// The record with this number, when it has come to the node.
    async fn next(&self, seq: u64) -> Result<Delivered, EngineError> {
        let mut length = self.shared.length.subscribe();
        let mut link = self.link.subscribe();
        let stored = async {
            drop(length.wait_for(|length| *length >= seq).await);
            let index = usize::try_from(seq - 1).unwrap_or(usize::MAX);
            let (found, first) = {
                let state = self.shared.state.lock();
                (state.records.get(index).cloned(), state.first)
            };
            if seq < first {
                return Err(EngineError(format!("record {seq} was discarded")));
            }
            let Some((record, at)) = found else { return pending().await };
            sleep_until(at + self.shared.delay()).await;
            // A paused link holds it back; a cut one ends the stream below.
            drop(self.link.subscribe().wait_for(|link| *link == Link::Open).await);
            Ok(record)
        };
        tokio::select! {
            biased;
            _ = link.wait_for(|link| *link == Link::Cut) => Err(EngineError("the link is cut".to_owned())),
            record = stored => {
                if self.shared.happens(|faults| faults.broken_follows) {
                    return Err(EngineError("the consumer is gone".to_owned()));
                }
                record
            }
        }
    }
}

impl Engine for FakeEngine {
    fn append(
        &self,
        chain: Chain,
        after: u64,
        record: Bytes,
    ) -> BoxFuture<'static, Result<u64, AppendError>> {
        let engine = self.clone();
        async move {
            if record.len() > MAX_PAYLOAD {
                return Err(AppendError::Refused("it is too long".to_owned()));
            }
            let (answer, answered) = oneshot::channel();
            let begun = Instant::now();
            // A task: what is on its way arrives, also if the caller has given up.
            tokio::spawn(engine.transit((chain, after, record), answer));
            if let Ok(Ok(outcome)) = timeout(ANSWER_TIME, answered).await {
                return outcome;
            }
            sleep_until(begun + ANSWER_TIME).await;
            Err(AppendError::Unknown("no answer came".to_owned()))
        }
        .boxed()
    }

    fn bounds(&self) -> BoxFuture<'static, Result<Bounds, EngineError>> {
        let engine = self.clone();
        async move {
            engine.reach().await?;
            let first = engine.shared.state.lock().first;
            Ok(Bounds { first, last: *engine.shared.length.borrow() })
        }
        .boxed()
    }

    fn follow(
        &self,
        from: u64,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Result<Delivered, EngineError>>, EngineError>>
    {
        let engine = self.clone();
        async move {
            engine.reach().await?;
            let from = Some(from.max(1));
            let records = stream::unfold(from, move |seq| {
                let engine = engine.clone();
                async move {
                    let next = engine.next(seq?).await;
                    let then = next.is_ok().then_some(seq? + 1);
                    Some((next, then))
                }
            });
            Ok(records.boxed())
        }
        .boxed()
    }

    fn publish(&self, topic: Topic, message: Bytes) -> BoxFuture<'static, Result<(), EngineError>> {
        let engine = self.clone();
        async move {
            if message.len() > MAX_PAYLOAD {
                return Err(EngineError("the message is too long".to_owned()));
            }
            let link = *engine.link.borrow();
            match link {
                Link::Open if engine.shared.happens(|faults| faults.lost_messages) => {}
                Link::Open => engine.shared.deliver(&topic, &message),
                Link::Paused => {
                    let mut held = engine.held.lock();
                    if held.len() < MAX_WAITING {
                        held.push_back((topic, message));
                    }
                }
                // A cut is not noticed at once.
                Link::Cut => {}
            }
            Ok(())
        }
        .boxed()
    }

    fn subscribe(
        &self,
        topic: Topic,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Bytes>, EngineError>> {
        let engine = self.clone();
        async move {
            engine.reach().await?;
            let (messages, waiting) = mpsc::channel(MAX_WAITING);
            let link = engine.link.subscribe();
            let subscriber = Subscriber { topic, link: link.clone(), messages };
            engine.shared.state.lock().subscribers.push(subscriber);
            let heard = stream::unfold((waiting, link), async |(mut waiting, mut link)| {
                let (due, message) = waiting.recv().await?;
                sleep_until(due).await;
                link.wait_for(|link| *link == Link::Open).await.ok()?;
                Some((message, (waiting, link)))
            });
            Ok(heard.boxed())
        }
        .boxed()
    }
}
