//! The engine of one node of a cluster in memory: what becomes of its calls on their way.

use std::future::pending;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, BoxStream, StreamExt};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::faults::{Fate, Flaw, Link};
use super::{FakeEngine, MAX_WAITING, Subscriber};
use crate::cluster::engine::{
    ANSWER_TIME, AppendError, Bounds, Chain, Delivered, Engine, EngineError, MAX_PAYLOAD, Topic,
};

impl FakeEngine {
    /// Opens, pauses or cuts the node's link.
    pub fn set_link(&self, link: Link) {
        self.link.send_replace(link);
        if link.is_open() {
            let held = std::mem::take(&mut *self.held.lock());
            held.iter().for_each(|(topic, message)| self.shared.deliver(topic, message, None));
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
        passed.is_ok_and(Link::is_open) && !self.shared.is_down()
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
        let restarts = *self.shared.restarts.borrow();
        sleep(self.shared.delay() + fate.late()).await;
        if fate == Fate::Lost || !self.passes().await || !self.shared.led().await {
            return;
        }
        let is_lost = || *self.shared.restarts.borrow() != restarts;
        if is_lost() {
            return;
        }
        let stored = match fate {
            Fate::Again => Err(AppendError::Unknown("it is to be tried again".to_owned())),
            Fate::Refused => Err(AppendError::Refused("it takes nothing now".to_owned())),
            _ => self.shared.store(chain, after, record.clone()),
        };
        sleep(self.shared.delay() + fate.ack_late()).await;
        if fate != Fate::LostAck && self.passes().await && !is_lost() {
            // A caller that has given up does not hear it.
            drop(answer.send(stored));
        }
        if let Fate::Doubled(later) = fate {
            sleep(later).await;
            drop(self.shared.store(chain, after, record));
        }
    }

    /// The record with this number, when it has come to the node.
    async fn next(&self, seq: u64, restarts: u64) -> Result<Delivered, EngineError> {
        let mut length = self.shared.length.subscribe();
        let mut link = self.link.subscribe();
        let mut restarted = self.shared.restarts.subscribe();
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
            // The length says that it is there.
            let Some((record, at)) = found else { return pending().await };
            let is_late = self.shared.happens(|faults| faults.late_follows);
            let late = if is_late { self.shared.late() } else { Duration::ZERO };
            sleep_until(at + self.shared.delay() + late).await;
            // A paused link holds it back; a cut one ends the stream below.
            drop(self.link.subscribe().wait_for(|link| *link == Link::Open).await);
            Ok(record)
        };
        let error = |text: &str| Err(EngineError(text.to_owned()));
        tokio::select! {
            biased;
            _ = link.wait_for(|link| *link == Link::Cut) => error("the link is cut"),
            _ = restarted.wait_for(|now| *now != restarts) => error("the engine restarts"),
            record = stored => {
                if self.shared.happens(|faults| faults.broken_follows) {
                    return error("the consumer is gone");
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
            tokio::spawn(engine.clone().transit((chain, after, record), answer));
            if let Ok(Ok(outcome)) = timeout(ANSWER_TIME, answered).await {
                return outcome;
            }
            sleep_until(begun + ANSWER_TIME).await;
            if engine.shared.has_flaw(Flaw::StoredOnTimeout) {
                return Ok(after + 1);
            }
            if engine.shared.has_flaw(Flaw::RefusedOnTimeout) {
                return Err(AppendError::Refused("no answer came".to_owned()));
            }
            Err(AppendError::Unknown("no answer came".to_owned()))
        }
        .boxed()
    }

    fn bounds(&self) -> BoxFuture<'static, Result<Bounds, EngineError>> {
        let engine = self.clone();
        async move {
            engine.reach().await?;
            Ok(engine.shared.bounds())
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
            let restarts = *engine.shared.restarts.borrow();
            let from = Some(from.max(1));
            let records = stream::unfold(from, move |seq| {
                let engine = engine.clone();
                async move {
                    let next = engine.next(seq?, restarts).await;
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
            if engine.shared.is_down() {
                return Err(EngineError("no server is connected".to_owned()));
            }
            let link = *engine.link.borrow();
            match link {
                Link::Open | Link::Late if engine.shared.happens(|faults| faults.lost_messages) => {
                }
                Link::Open | Link::Late => engine.shared.deliver(&topic, &message, None),
                Link::Paused => {
                    let mut held = engine.held.lock();
                    if held.len() < MAX_WAITING {
                        held.push_back((topic, message));
                    }
                }
                Link::Cut if engine.shared.has_flaw(Flaw::EchoOfItself) => {
                    let itself = engine.link.subscribe();
                    engine.shared.deliver(&topic, &message, Some(&itself));
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
            let start = (waiting, link, engine.shared);
            let heard = stream::unfold(start, async |(mut waiting, mut link, shared)| {
                let (due, message) = waiting.recv().await?;
                sleep_until(due).await;
                let is_echo = shared.has_flaw(Flaw::EchoOfItself);
                link.wait_for(|link| is_echo || link.is_open()).await.ok()?;
                Some((message, (waiting, link, shared)))
            });
            Ok(heard.boxed())
        }
        .boxed()
    }
}
