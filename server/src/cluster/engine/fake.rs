//! An engine in memory for tests: the log and the messages of a whole cluster, in virtual time if the
//! clock is paused, with the faults of a real one. The same seed and the same calls give the same
//! cluster.

pub mod faults;
mod node;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::{AppendError, Bounds, Chain, Delivered, Topic};
use crate::cluster::record::{Content, Record};
use faults::{Fate, Faults, Flaw, Link};

/// Messages that wait for a subscriber or for a paused link; a message for which there is no room is
/// lost.
const MAX_WAITING: usize = 65_536;

/// A cluster in memory. Each node has an engine of it.
#[derive(Debug, Clone)]
pub struct FakeCluster {
    shared: Arc<Shared>,
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

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// The length of the log.
    length: watch::Sender<u64>,
    /// How often all servers of the engine were started again.
    restarts: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    rng: StdRng,
    faults: Faults,
    flaw: Option<Flaw>,
    records: Vec<(Delivered, Instant)>,
    /// The number of the first record that is not discarded.
    first: u64,
    /// The number of the last record of each chain.
    lasts: BTreeMap<Chain, u64>,
    /// Until then nothing is appended.
    leaderless_until: Instant,
    /// Until then no server of the engine runs.
    down_until: Instant,
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
            flaw: None,
            records: Vec::new(),
            first: 1,
            lasts: BTreeMap::new(),
            leaderless_until: Instant::now(),
            down_until: Instant::now(),
            subscribers: Vec::new(),
        };
        let (length, restarts) = (watch::Sender::new(0), watch::Sender::new(0));
        Self { shared: Arc::new(Shared { state: Mutex::new(state), length, restarts }) }
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

    /// Lets the engine break a promise from now on.
    pub fn set_flaw(&self, flaw: Flaw) {
        self.shared.state.lock().flaw = Some(flaw);
    }

    /// Lets the log have no leader for this long, as while the servers of a real one elect another.
    /// An append meanwhile is lost, or stored afterwards.
    pub fn leader_gap(&self, time: Duration) {
        self.shared.state.lock().leaderless_until = Instant::now() + time;
    }

    /// Kills all servers of the engine, and starts them again after this long. The log stays; calls on
    /// their way, messages and all subscriptions are lost.
    pub fn restart(&self, down: Duration) {
        let mut state = self.shared.state.lock();
        state.down_until = Instant::now() + down;
        state.subscribers.clear();
        drop(state);
        self.shared.restarts.send_modify(|restarts| *restarts += 1);
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

    /// The number of the last record there ever was, 0 for none.
    #[must_use]
    pub fn length(&self) -> u64 {
        *self.shared.length.borrow()
    }
}

impl Shared {
    /// Stores a record, if it is the successor of the last one of its chain.
    fn store(&self, chain: Chain, after: u64, record: Bytes) -> Result<u64, AppendError> {
        let mut state = self.state.lock();
        let last = state.lasts.get(&chain).copied().unwrap_or(0);
        let last = if last < state.first { 0 } else { last };
        if state.flaw != Some(Flaw::NoExpectation) {
            if last > after || after > last && after < state.first {
                return Err(AppendError::Outrun { last });
            }
            if last < after {
                return Err(AppendError::Unknown("the record before is not there".to_owned()));
            }
        }
        if state.flaw == Some(Flaw::FalseClaims) && is_claim(&record) && state.is_owned(last) {
            return Ok(last);
        }
        let seq = state.records.len() as u64 + 1;
        state.lasts.insert(chain, seq);
        state.records.push((Delivered { seq, chain, record }, Instant::now()));
        drop(state);
        self.length.send_replace(seq);
        Ok(seq)
    }

    /// The range of records, at times as it was a while ago.
    fn bounds(&self) -> Bounds {
        let is_stale = self.happens(|faults| faults.stale_bounds);
        let late = if is_stale { self.late() } else { Duration::ZERO };
        let state = self.state.lock();
        let then = Instant::now().checked_sub(late);
        let last = then.map_or(0, |then| state.records.partition_point(|(_, at)| *at <= then));
        Bounds { first: state.first, last: last as u64 }
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

    /// Whether no server runs.
    fn is_down(&self) -> bool {
        Instant::now() < self.state.lock().down_until
    }

    /// The random time that something takes.
    fn delay(&self) -> Duration {
        let mut state = self.state.lock();
        let most = state.faults.max_delay;
        most.mul_f64(state.rng.random())
    }

    /// The random time by which something is late.
    fn late(&self) -> Duration {
        let mut state = self.state.lock();
        let most = state.faults.max_late;
        most.mul_f64(state.rng.random())
    }

    fn has_flaw(&self, flaw: Flaw) -> bool {
        self.state.lock().flaw == Some(flaw)
    }

    fn happens(&self, odds: impl Fn(&Faults) -> f64) -> bool {
        let mut state = self.state.lock();
        let odds = odds(&state.faults);
        // Without faults nothing is drawn, so that a test without them has the same numbers as before.
        odds > 0.0 && state.rng.random_bool(odds)
    }

    /// Gives a message to all that subscribe to its topic and are not cut off; of a sender that is cut
    /// off only to itself.
    fn deliver(&self, topic: &Topic, message: &Bytes, only: Option<&watch::Receiver<Link>>) {
        let due = Instant::now() + self.delay();
        let mut state = self.state.lock();
        state.subscribers.retain(|subscriber| !subscriber.messages.is_closed());
        for subscriber in state.subscribers.iter().filter(|one| one.topic == *topic) {
            let is_heard = match only {
                None => *subscriber.link.borrow() != Link::Cut,
                Some(link) => subscriber.link.same_channel(link),
            };
            if is_heard {
                drop(subscriber.messages.try_send((due, message.clone())));
            }
        }
    }
}

impl State {
    /// Whether a chain that ends with this record has an owner.
    fn is_owned(&self, last: u64) -> bool {
        let at = usize::try_from(last).unwrap_or(usize::MAX).checked_sub(1);
        let last = at.and_then(|at| self.records.get(at));
        let last = last.and_then(|(last, _)| Record::decode(&last.record).ok());
        last.is_some_and(|last| last.content != Content::Released)
    }
}

fn is_claim(record: &[u8]) -> bool {
    Record::decode(record).is_ok_and(|record| record.content == Content::Claimed)
}
