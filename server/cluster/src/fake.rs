//! An engine in memory, for simulations: time is the runtime's, chance comes from a seed, and calls
//! are delayed, lost, answered too late or done too late. A sent call happens even if the sender
//! has ended.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::{Notify, broadcast, oneshot};
use tokio::time::{Instant, sleep, timeout};

use crate::engine::{Engine, EngineError, Entry, PutError, Record, Revision, Streaming};

/// How long a caller waits.
const CALL_TIME: Duration = Duration::from_millis(500);
/// How long the id of a record is known.
const REPEAT_TIME: Duration = Duration::from_secs(120);
/// How long a call is under way that is done too late.
const LATE: Duration = Duration::from_secs(6);
/// Messages that may wait for a subscriber.
const MESSAGES: usize = 1024;

/// How calls fail.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// The longest way of a call or an answer.
    pub delay: Duration,
    /// How many of a thousand calls are lost on the way.
    pub lost: u32,
    /// How many of a thousand calls are done some seconds later.
    pub late: u32,
    /// How many of a thousand answers are lost.
    pub unanswered: u32,
}

/// The state behind the connections of all nodes.
#[derive(Debug, Clone)]
pub struct FakeServer(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changes: Notify,
    messages: broadcast::Sender<Bytes>,
    start: Instant,
}

#[derive(Debug)]
struct State {
    rng: StdRng,
    faults: Faults,
    is_down: bool,
    is_full: bool,
    /// The last change of each key: `None` for a deleted one.
    keys: BTreeMap<String, (Revision, Option<Entry>)>,
    /// All changes of all keys.
    log: Vec<(String, Option<Entry>)>,
    records: Vec<Bytes>,
    /// The ids of records: when they were appended, and their numbers.
    ids: BTreeMap<String, (Instant, u64)>,
}

/// Whether a connection is cut.
type Link = Arc<AtomicBool>;

impl FakeServer {
    /// An empty one whose chance comes from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let state = State {
            rng: StdRng::seed_from_u64(seed),
            faults: Faults::default(),
            is_down: false,
            is_full: false,
            keys: BTreeMap::new(),
            log: Vec::new(),
            records: Vec::new(),
            ids: BTreeMap::new(),
        };
        Self(Arc::new(Shared {
            state: Mutex::new(state),
            changes: Notify::new(),
            messages: broadcast::Sender::new(MESSAGES),
            start: Instant::now(),
        }))
    }

    /// A connection.
    #[must_use]
    pub fn connect(&self) -> FakeEngine {
        FakeEngine { shared: Arc::clone(&self.0), link: Link::default() }
    }

    /// Sets how calls fail from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.0.state.lock().faults = faults;
    }

    /// Whether nothing is done for anybody.
    pub fn set_down(&self, is_down: bool) {
        self.0.state.lock().is_down = is_down;
        self.0.changes.notify_waiters();
    }

    /// Whether no record is appended.
    pub fn set_full(&self, is_full: bool) {
        self.0.state.lock().is_full = is_full;
    }

    /// Loses all keys, as a bucket that is made anew.
    pub fn lose_keys(&self) {
        self.0.state.lock().keys.clear();
    }

    /// Loses all records, as a stream that is made anew.
    pub fn lose_records(&self) {
        let mut state = self.0.state.lock();
        state.records.clear();
        state.ids.clear();
    }

    /// The number of records.
    #[must_use]
    pub fn records(&self) -> usize {
        self.0.state.lock().records.len()
    }

    /// The keys that have a value.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let state = self.0.state.lock();
        state
            .keys
            .iter()
            .filter(|(_, (_, entry))| entry.is_some())
            .map(|(k, _)| k.clone())
            .collect()
    }

    /// Deletes the oldest records but so many.
    pub fn lose_records_before(&self, number: u64) {
        let mut state = self.0.state.lock();
        for body in state.records.iter_mut().take(usize::try_from(number - 1).unwrap_or(0)) {
            *body = Bytes::new();
        }
    }
}

/// A node's connection.
#[derive(Debug, Clone)]
pub struct FakeEngine {
    shared: Arc<Shared>,
    link: Link,
}

impl FakeEngine {
    /// Cuts the connection, or mends it.
    pub fn set_cut(&self, is_cut: bool) {
        self.link.store(is_cut, Ordering::Relaxed);
        self.shared.changes.notify_waiters();
    }

    fn is_up(&self) -> bool {
        !self.link.load(Ordering::Relaxed) && !self.shared.state.lock().is_down
    }

    /// Does something at the server, if the faults allow it, and returns the result if it is known.
    fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> BoxFuture<'static, Result<T, EngineError>> {
        let (answer, answered) = oneshot::channel();
        let engine = self.clone();
        let Trip { there, back } = self.shared.state.lock().trip();
        if !self.link.load(Ordering::Relaxed) {
            drop(tokio::spawn(async move {
                let Some(there) = there else { return };
                sleep(there).await;
                let result = {
                    let mut state = engine.shared.state.lock();
                    if state.is_down {
                        return;
                    }
                    work(&mut state)
                };
                engine.shared.changes.notify_waiters();
                let Some(back) = back else { return };
                sleep(back).await;
                if engine.is_up() {
                    drop(answer.send(result));
                }
            }));
        }
        let waiting = timeout(CALL_TIME, async {
            match answered.await {
                Ok(result) => result,
                Err(_) => std::future::pending().await,
            }
        });
        waiting.map(|result| result.map_err(|_| EngineError("no answer".to_owned()))).boxed()
    }

    /// Items of a list at the server that grows, from number `next` on.
    fn list<T: Send + 'static>(
        &self,
        next: usize,
        item: impl Fn(&State, &mut usize) -> Option<T> + Send + Sync + 'static,
    ) -> BoxStream<'static, Result<T, EngineError>> {
        let item = Arc::new(item);
        stream::unfold(Some((self.clone(), next)), move |state| {
            let item = Arc::clone(&item);
            async move {
                let (engine, mut next) = state?;
                let shared = Arc::clone(&engine.shared);
                loop {
                    let changed = shared.changes.notified();
                    let found = item(&shared.state.lock(), &mut next);
                    if found.is_some() {
                        let delay = shared.state.lock().trip().there;
                        sleep(delay.unwrap_or_default().min(CALL_TIME)).await;
                    }
                    if !engine.is_up() {
                        return Some((Err(EngineError("cut off".to_owned())), None));
                    }
                    if let Some(item) = found {
                        return Some((Ok(item), Some((engine, next))));
                    }
                    changed.await;
                }
            }
        })
        .boxed()
    }
}

/// The way of a call and of its answer; `None` if it is lost there.
struct Trip {
    there: Option<Duration>,
    back: Option<Duration>,
}

impl State {
    fn trip(&mut self) -> Trip {
        let Faults { delay, lost, late, unanswered } = self.faults;
        let mut way = |most: Duration| {
            let micros = u64::try_from(most.as_micros()).unwrap_or(u64::MAX);
            Duration::from_micros(self.rng.random_range(0..=micros))
        };
        let there = way(delay);
        let back = way(delay);
        let much_later = way(LATE);
        let mut happens = |of_thousand| self.rng.random_range(0..1000) < of_thousand;
        let is_lost = happens(lost);
        let there = if happens(late) { much_later } else { there };
        let back = (!happens(unanswered)).then_some(back);
        Trip { there: (!is_lost).then_some(there), back }
    }

    fn revision(&self, key: &str) -> Revision {
        self.keys.get(key).map_or(0, |(revision, _)| *revision)
    }

    fn entry(&self, key: &str) -> Option<&Entry> {
        self.keys.get(key)?.1.as_ref()
    }

    /// The revision that a change must find for `expected` to be true now: that of a deletion for 0.
    fn resolve(&self, key: &str, expected: Revision) -> Option<Revision> {
        match self.entry(key) {
            None if expected == 0 => Some(self.revision(key)),
            Some(entry) if entry.revision == expected => Some(expected),
            _ => None,
        }
    }

    fn change(&mut self, key: &str, value: Option<Bytes>, stored: SystemTime) -> Revision {
        let revision = self.log.len() as Revision + 1;
        let entry = value.map(|value| Entry { revision, stored, value });
        self.keys.insert(key.to_owned(), (revision, entry.clone()));
        self.log.push((key.to_owned(), entry));
        revision
    }

    fn append(&mut self, id: &str, body: Bytes) -> u64 {
        if let Some((at, number)) = self.ids.get(id)
            && at.elapsed() < REPEAT_TIME
        {
            return *number;
        }
        self.records.push(body);
        let number = self.records.len() as u64;
        self.ids.insert(id.to_owned(), (Instant::now(), number));
        number
    }

    fn oldest(&self) -> u64 {
        self.records.iter().take_while(|body| body.is_empty()).count() as u64 + 1
    }

    fn matching(&self, prefix: &str) -> VecDeque<(String, Entry)> {
        let live = self.keys.iter().filter_map(|(key, (_, entry))| Some((key, entry.as_ref()?)));
        let matching = live.filter(|(key, _)| key.starts_with(prefix));
        matching.map(|(key, entry)| (key.clone(), entry.clone())).collect()
    }
}

impl Shared {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_800_000_000) + self.start.elapsed()
    }
}

fn unknown(EngineError(why): EngineError) -> PutError {
    PutError::Unknown(why)
}

impl Engine for FakeEngine {
    fn get(&self, key: &str) -> BoxFuture<'static, Result<Option<Entry>, EngineError>> {
        let key = key.to_owned();
        self.call(move |state| state.entry(&key).cloned())
    }

    fn put(
        &self,
        key: &str,
        value: Bytes,
        expected: Revision,
    ) -> BoxFuture<'static, Result<Revision, PutError>> {
        self.change_at(key, Some(value), expected)
    }

    fn overwrite(
        &self,
        key: &str,
        value: Bytes,
    ) -> BoxFuture<'static, Result<Revision, EngineError>> {
        let key = key.to_owned();
        let shared = Arc::clone(&self.shared);
        self.call(move |state| state.change(&key, Some(value), shared.now()))
    }

    fn delete(&self, key: &str, expected: Revision) -> BoxFuture<'static, Result<(), PutError>> {
        self.change_at(key, None, expected).map(|changed| changed.map(drop)).boxed()
    }

    fn scan(&self, prefix: &str) -> Streaming<Result<(String, Entry), EngineError>> {
        let prefix = prefix.to_owned();
        let found = self.call(move |state| state.matching(&prefix));
        Box::pin(async move { Ok(stream::iter(found.await?).map(Ok).boxed()) })
    }

    fn watch(&self, prefix: &str) -> Streaming<Result<(String, Option<Entry>), EngineError>> {
        let prefix = prefix.to_owned();
        let of_prefix = prefix.clone();
        let begun = self.call(move |state| (state.matching(&prefix), state.log.len()));
        let engine = self.clone();
        Box::pin(async move {
            let (found, next) = begun.await?;
            let found = found.into_iter().map(|(key, entry)| Ok((key, Some(entry))));
            let later = engine.list(next, move |state, next| {
                let later = state.log.get(*next..)?;
                let at = later.iter().position(|(key, _)| key.starts_with(&of_prefix));
                let change = at.and_then(|at| later.get(at)).cloned();
                *next += at.map_or(later.len(), |at| at + 1);
                change
            });
            Ok(stream::iter(found).chain(later).boxed())
        })
    }

    fn append(&self, id: &str, body: Bytes) -> BoxFuture<'static, Result<u64, EngineError>> {
        let id = id.to_owned();
        let appended = self.call(move |state| (!state.is_full).then(|| state.append(&id, body)));
        Box::pin(async move { appended.await?.ok_or_else(|| EngineError("full".to_owned())) })
    }

    fn follow(&self, from: u64) -> Streaming<Result<Record, EngineError>> {
        let begun = self.call(move |state| from >= state.oldest());
        let engine = self.clone();
        Box::pin(async move {
            if !begun.await? {
                return Err(EngineError(format!("record {from} was deleted")));
            }
            let next = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
            Ok(engine.list(next, |state, next| {
                let body = state.records.get(*next)?.clone();
                *next += 1;
                Some(Record { number: *next as u64, body })
            }))
        })
    }

    fn bounds(&self) -> BoxFuture<'static, Result<(u64, u64), EngineError>> {
        self.call(|state| (state.oldest(), state.records.len() as u64))
    }

    fn publish(&self, body: Bytes) -> BoxFuture<'static, Result<(), EngineError>> {
        let shared = Arc::clone(&self.shared);
        self.call(move |_| drop(shared.messages.send(body)))
    }

    fn subscribe(&self) -> Streaming<Bytes> {
        let engine = self.clone();
        let messages = self.shared.messages.subscribe();
        let stream = stream::unfold(messages, move |mut messages| {
            let engine = engine.clone();
            async move {
                loop {
                    let body = messages.recv().await.ok()?;
                    if engine.is_up() {
                        return Some((body, messages));
                    }
                }
            }
        });
        Box::pin(async move { Ok(stream.boxed()) })
    }

    fn is_connected(&self) -> bool {
        self.is_up()
    }
}

impl FakeEngine {
    fn change_at(
        &self,
        key: &str,
        value: Option<Bytes>,
        expected: Revision,
    ) -> BoxFuture<'static, Result<Revision, PutError>> {
        // A call that comes late does not find a deletion that was made meanwhile.
        let resolved = self.shared.state.lock().resolve(key, expected);
        let key = key.to_owned();
        let shared = Arc::clone(&self.shared);
        let changed = self.call(move |state| {
            let is_expected = resolved == Some(state.revision(&key));
            is_expected.then(|| state.change(&key, value, shared.now()))
        });
        Box::pin(async move { changed.await.map_err(unknown)?.ok_or(PutError::OtherRevision) })
    }
}
