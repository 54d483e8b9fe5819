//! Appends to the log what the rooms and parties of this node write. What waits for a shard goes into one
//! record (group commit), and one record of a shard is on its way at a time: each names the one before.
//!
//! Rooms are told "stored" when the record is in the log, and [`DiskError::Outrun`] when the log has shown
//! that it never will be: another node has the shard. As long as neither is known, they wait.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, oneshot};

use super::engine::Chain;
use super::log::{Log, Outcome};
use super::record::Content;
use crate::journal::error::DiskError;
use crate::journal::replica::{Proposal, Proposals};
use crate::journal::store::Write;
use crate::shard::{SHARDS, Shard};

/// The most writes of a record, and the most bytes of its text: half of what NATS takes in a message.
const MAX_WRITES: usize = 500;
const MAX_TEXT: usize = 512 << 10;

/// Writes that wait for their shards at most, beside those in the queue. When so many wait, the rooms of
/// all shards wait. A room waits for one write at a time, so that comes only with as many busy rooms and an
/// engine that stands still.
const MAX_WAITING: usize = 65_536;

/// Turns of all other tasks for which an idle shard's record waits at most, as long as each brings more.
const GATHER_TURNS: u32 = 4;

/// After so many outcomes all other tasks have a turn, as in the writer of the journal.
const TELL_GROUP: usize = 16;

/// Commands that may wait for the writer.
const COMMANDS: usize = SHARDS as usize;

type Reply = Option<oneshot::Sender<Result<(), DiskError>>>;

/// A request of a tenure to the writer.
#[derive(Debug)]
enum Command {
    /// Take writes for a shard from now on. What came before is nobody's.
    Open { shard: Shard, claim: u64, reply: oneshot::Sender<()> },
    /// Append what waits for a shard, then take no more, and say after which record.
    Flush { shard: Shard, reply: oneshot::Sender<Option<u64>> },
}

/// Asks a writer.
#[derive(Debug, Clone)]
pub(super) struct WriterHandle(mpsc::Sender<Command>);

impl WriterHandle {
    /// Has writes for a shard appended, the first one after its claim. The rooms of an earlier claim have
    /// ended: what they left in the queue is not appended. Rooms may write when this returns.
    pub(super) async fn open(&self, shard: Shard, claim: u64) {
        let (reply, opened) = oneshot::channel();
        // Without a writer the node has ended.
        drop(self.0.send(Command::Open { shard, claim, reply }).await);
        drop(opened.await);
    }

    /// Waits until everything is appended that was written for a shard, and returns the number of its last
    /// record; `None` if the shard was lost. Later writes are refused.
    pub(super) async fn flush(&self, shard: Shard) -> Option<u64> {
        let (reply, flushed) = oneshot::channel();
        drop(self.0.send(Command::Flush { shard, reply }).await);
        flushed.await.ok().flatten()
    }
}

/// A chain on its way through a node.
#[derive(Debug, Default)]
struct Queue {
    /// The number of the last record; `None` while the chain is not this node's.
    after: Option<u64>,
    waiting: Vec<(Write, Reply)>,
    /// The senders that wait for the record that is on its way.
    flying: Option<Vec<Reply>>,
    flushing: Option<oneshot::Sender<Option<u64>>>,
}

/// Appends what a node writes.
pub(super) struct Writer {
    log: Arc<Log>,
    proposals: Proposals,
    commands: mpsc::Receiver<Command>,
    /// By shard, and at the end the common chain.
    queues: Vec<Queue>,
    /// The writes in all queues.
    waiting: usize,
    flights: FuturesUnordered<BoxFuture<'static, (Chain, Outcome)>>,
}

impl Writer {
    pub(super) fn new(log: Arc<Log>, proposals: Proposals) -> (Self, WriterHandle) {
        let (sender, commands) = mpsc::channel(COMMANDS);
        let queues = (0..=SHARDS).map(|_| Queue::default()).collect();
        let flights = FuturesUnordered::new();
        let writer = Self { log, proposals, commands, queues, waiting: 0, flights };
        (writer, WriterHandle(sender))
    }

    /// Appends until the journal is closed.
    pub(super) async fn run(mut self) {
        // Writes that concern the whole cluster follow whatever is last.
        self.queue(Chain::Common).after = Some(0);
        loop {
            tokio::select! {
                // First, because a busy queue is never empty.
                biased;
                Some(command) = self.commands.recv() => self.obey(command),
                Some((chain, outcome)) = self.flights.next() => self.land(chain, outcome).await,
                proposal = self.proposals.0.recv(), if self.waiting < MAX_WAITING => {
                    let Some(proposal) = proposal else { return };
                    self.take(proposal);
                }
                else => return,
            }
            self.gather().await;
            self.depart();
        }
    }

    fn queue(&mut self, chain: Chain) -> &mut Queue {
        &mut self.queues[place(chain)]
    }

    fn take(&mut self, Proposal { write, reply }: Proposal) {
        let chain = write.shard().map_or(Chain::Common, Chain::Shard);
        let queue = self.queue(chain);
        if queue.after.is_none() {
            return tell(reply, Err(DiskError::Outrun));
        }
        queue.waiting.push((write, reply));
        self.waiting += 1;
    }

    /// Takes what is in the queue now.
    fn take_all(&mut self) {
        while self.waiting < MAX_WAITING
            && let Ok(proposal) = self.proposals.0.try_recv()
        {
            self.take(proposal);
        }
    }

    /// Lets the senders of more writes have their turn, as long as they use it.
    async fn gather(&mut self) {
        for _ in 0..GATHER_TURNS {
            let before = self.waiting;
            tokio::task::yield_now().await;
            self.take_all();
            if self.waiting == before {
                return;
            }
        }
    }

    fn obey(&mut self, command: Command) {
        // Everything that was written before the command comes before it.
        self.take_all();
        match command {
            Command::Open { shard, claim, reply } => {
                self.queue(Chain::Shard(shard)).after = Some(claim);
                // The asker may have ended.
                let _ = reply.send(());
            }
            Command::Flush { shard, reply } => {
                let queue = self.queue(Chain::Shard(shard));
                queue.flushing = Some(reply);
                queue.end_flush();
            }
        }
    }

    /// Sends off a record for every chain that has something to write and nothing on its way.
    fn depart(&mut self) {
        for index in 0..self.queues.len() {
            let queue = &mut self.queues[index];
            if queue.flying.is_some() || queue.waiting.is_empty() {
                continue;
            }
            let Some(after) = queue.after else { continue };
            let before = queue.waiting.len();
            let loaded = queue.load(&self.log);
            self.waiting -= before - queue.waiting.len();
            if let Some((record, replies)) = loaded {
                self.log.metrics.append_writes.observe(replies.len() as f64);
                queue.flying = Some(replies);
                let flight = fly(Arc::clone(&self.log), chain_at(index), after, record);
                self.flights.push(flight.boxed());
            }
        }
    }

    /// Tells the outcome of a record.
    async fn land(&mut self, chain: Chain, outcome: Outcome) {
        let queue = &mut self.queues[place(chain)];
        let replies = queue.flying.take().unwrap_or_default();
        let told = match outcome {
            Outcome::Stored(seq) => {
                queue.after = Some(seq);
                self.log.replica.note_appended(seq);
                Ok(())
            }
            Outcome::Refused(error) => {
                tracing::error!(%error, ?chain, "the cluster's log refuses a record");
                Err(DiskError::Failing(error))
            }
            Outcome::Outrun => {
                queue.after = None;
                self.waiting -= queue.waiting.len();
                queue.fail_waiting();
                Err(DiskError::Outrun)
            }
        };
        queue.end_flush();
        for (at, reply) in replies.into_iter().enumerate() {
            if at > 0 && at % TELL_GROUP == 0 {
                tokio::task::yield_now().await;
            }
            tell(reply, told.clone());
        }
    }
}

impl Drop for Writer {
    /// The node ends. What waits is in no log; what is on its way may be.
    fn drop(&mut self) {
        for queue in &mut self.queues {
            queue.fail_waiting();
            let error = DiskError::Unknown("the node ends".to_owned());
            let flying = queue.flying.take().unwrap_or_default();
            flying.into_iter().for_each(|reply| tell(reply, Err(error.clone())));
        }
    }
}

impl Queue {
    /// Ends a flush, once nothing waits and nothing is on its way.
    fn end_flush(&mut self) {
        if self.flying.is_none()
            && self.waiting.is_empty()
            && let Some(reply) = self.flushing.take()
        {
            // The asker may have ended.
            let _ = reply.send(self.after.take());
        }
    }

    /// Tells those that wait that their writes are not in the log.
    fn fail_waiting(&mut self) {
        self.waiting.drain(..).for_each(|(_, reply)| tell(reply, Err(DiskError::Outrun)));
    }

    /// The next record, its number and its text, and who waits for it. `None` if its first write is too
    /// long for any record: then the sender was told.
    fn load(&mut self, log: &Log) -> Option<((u64, Bytes), Vec<Reply>)> {
        let most = self.waiting.len().min(MAX_WRITES);
        let (writes, mut replies): (Vec<_>, Vec<_>) = self.waiting.drain(..most).unzip();
        let mut record = log.record(Content::Wrote(writes));
        loop {
            let text = record.encode();
            if !text.is_empty() && text.len() <= MAX_TEXT {
                return Some(((record.number, text), replies));
            }
            let Content::Wrote(writes) = &mut record.content else { return None };
            let half = writes.len() / 2;
            if half == 0 {
                tracing::error!(bytes = text.len(), "the cluster's log cannot take a write");
                let error = DiskError::Refused("it is too long for the cluster's log".to_owned());
                replies.into_iter().for_each(|reply| tell(reply, Err(error.clone())));
                return None;
            }
            // A move takes some hundred bytes: this is for lists of very long names.
            let rest = writes.split_off(half).into_iter().zip(replies.split_off(half));
            self.waiting.splice(..0, rest);
        }
    }
}

/// Appends a record until its outcome is certain. What concerns the whole cluster follows whatever is the
/// last record of the common chain.
async fn fly(
    log: Arc<Log>,
    chain: Chain,
    mut after: u64,
    record: (u64, Bytes),
) -> (Chain, Outcome) {
    loop {
        if chain == Chain::Common {
            after = log.tip(chain).borrow().last;
        }
        let outcome = log.append(chain, after, record.clone()).await;
        if chain != Chain::Common || outcome != Outcome::Outrun {
            return (chain, outcome);
        }
    }
}

fn tell(reply: Reply, outcome: Result<(), DiskError>) {
    // The sender may not wait, or not any more.
    drop(reply.map(|reply| reply.send(outcome)));
}

fn place(chain: Chain) -> usize {
    match chain {
        Chain::Shard(shard) => shard.index(),
        Chain::Common => usize::from(SHARDS),
    }
}

fn chain_at(place: usize) -> Chain {
    Shard::all().nth(place).map_or(Chain::Common, Chain::Shard)
}

#[cfg(test)]
mod tests;
