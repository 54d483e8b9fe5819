//! The task that writes the journal. It puts all waiting writes into one transaction and then tells
//! every sender the outcome. It writes to a [`Disk`].
//!
//! It is a task of the runtime, and not a thread, so that rooms and writer wake each other without
//! the system. After the first write it lets all other tasks that are ready have their turn, and again
//! if that brought more writes: they come into the same commit. A commit that need not survive a power
//! cut copies some pages to the system; the task does that itself. What waits for the disk, or is long,
//! goes to a thread, and the runtime goes on: commits that survive a power cut, housekeeping, the end of
//! a checkpoint, and every commit after one that took longer than [`SLOW`], until one is quick again. A
//! disk that stalls so holds the runtime's thread once, and after that only the rooms that store
//! something.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::background::Background;
use super::checkpoint::Checkpoints;
use super::error::DiskError;
use super::health::Health;
use super::in_doubt::InDoubt;
use super::store::{Disk, Write};

/// Writes in one transaction at most, so that no sender waits for a very long one.
const MAX_BATCH: usize = 1024;

/// Turns of all other tasks for which a commit waits at most. In 100 busy rooms one turn brings 21 writes
/// and four bring 57, and a write's part of the commit takes 2.2 us of the processor and not 3.6; with
/// `power` 56 and not 30, 5.2 us and not 9.5. Sixteen turns bring no more.
const GATHER_TURNS: u32 = 4;

/// After so many outcomes of a commit that waited for the disk, all other tasks have a turn: the rooms
/// that know theirs get their next moves, which come into the next commit. So a commit of 100 busy rooms
/// has 96 writes and not 56 (3.6 us of the processor for each and not 5.2), one of 1,000 rooms 972 and
/// not 489, and a move there takes 48 us in all and not 53. Quick commits gain nothing by it.
const TELL_GROUP: usize = 16;

/// After a commit that took longer than this, the next one is done on a thread. Commits of some moves
/// take a tenth of it at most.
const SLOW: Duration = Duration::from_millis(10);

/// Tells the sender of a write its outcome; `None` if the sender does not wait.
type Reply = Option<oneshot::Sender<Result<(), DiskError>>>;

/// What the writer can be asked to do.
#[derive(Debug)]
pub(super) enum WriterCommand {
    /// Store this, and tell the sender when it is committed.
    Store(Write, Reply),
    /// Move the log into the file.
    Checkpoint,
    /// Store what was sent before, and end.
    Close,
}

/// Writes a journal.
#[derive(Debug)]
pub(super) struct Writer {
    /// Does what must not hold the runtime.
    pub(super) thread: Background,
    /// Whether each commit waits for the disk.
    pub(super) waits: bool,
    pub(super) checkpoints: Checkpoints,
}

/// The contents of the queue.
#[derive(Debug, Default)]
struct Taken {
    replies: Vec<Reply>,
    /// The log is to be moved into the file.
    checkpoint: bool,
    close: bool,
}

impl Writer {
    /// Writes until every sender is dropped or one sends [`WriterCommand::Close`].
    pub(super) async fn run(
        mut self,
        mut commands: mpsc::Receiver<WriterCommand>,
        mut committer: Box<Committer>,
    ) {
        let mut taken = Taken::default();
        while !taken.close {
            let is_behind = self.checkpoints.is_behind();
            let first = tokio::select! {
                // First, because a busy queue is never empty.
                biased;
                moved = self.checkpoints.moved() => {
                    let Some(back) = self.move_log(committer, moved).await else { return };
                    committer = back;
                    continue;
                }
                first = commands.recv(), if !is_behind => first,
            };
            let Some(first) = first else { break };
            gather(&commands).await;
            taken.take(first, &mut commands, &mut committer);
            let Some(back) = self.run_in(committer, Committer::commit).await else { return };
            committer = back;
            let outcomes = taken.replies.drain(..).zip(committer.outcomes.drain(..));
            tell(outcomes, if self.waits { TELL_GROUP } else { usize::MAX }).await;
            // Nobody waits for this: a step between commits, and more of them when nobody writes.
            while committer.disk.is_sorting() {
                tokio::task::yield_now().await;
                let Some(back) = self.run_in(committer, Committer::sort).await else { return };
                committer = back;
                if !commands.is_empty() {
                    break;
                }
            }
            let asked = std::mem::take(&mut taken.checkpoint);
            if self.checkpoints.after_commit(committer.disk.log_pages(), asked) {
                let Some(back) = self.move_log(committer, Ok(())).await else { return };
                committer = back;
            }
        }
        self.checkpoints.close().await;
        // The file is closed before the queue: a caller that sees the queue closed may open the file.
        let closed = self.thread.run(move || {
            committer.disk.close();
            drop(committer);
        });
        let _ = closed.await;
    }

    /// Does a piece of work with the disk, here or on the thread; `None` if that panicked.
    #[expect(clippy::needless_pass_by_ref_mut, reason = "the checkpoints' connection is not Sync")]
    async fn run_in(
        &mut self,
        mut committer: Box<Committer>,
        work: fn(&mut Committer),
    ) -> Option<Box<Committer>> {
        let is_quick = !self.waits && committer.took <= SLOW;
        if is_quick && !committer.is_long() {
            work(&mut committer);
            return Some(committer);
        }
        let done = self.thread.run(move || {
            work(&mut committer);
            committer
        });
        done.await.ok()
    }

    /// Moves the log, or what the mover left of it; `None` if that panicked.
    #[expect(clippy::needless_pass_by_ref_mut, reason = "the checkpoints' connection is not Sync")]
    async fn move_log(
        &mut self,
        mut committer: Box<Committer>,
        moved: Result<(), DiskError>,
    ) -> Option<Box<Committer>> {
        let done = self.thread.run(move || {
            let (outcome, log_bytes) = committer.disk.checkpoint();
            committer.health.note_checkpoint(moved.and(outcome), log_bytes);
            committer
        });
        done.await.ok()
    }
}

/// Lets the senders of more writes have their turn, as long as they use it.
async fn gather(commands: &mpsc::Receiver<WriterCommand>) {
    let mut waiting = None;
    for _ in 0..GATHER_TURNS {
        if waiting == Some(commands.len()) {
            break;
        }
        waiting = Some(commands.len());
        tokio::task::yield_now().await;
    }
}

/// Tells the senders of a commit its outcomes, in groups of so many.
async fn tell(outcomes: impl Iterator<Item = (Reply, Result<(), DiskError>)>, group: usize) {
    for (at, (reply, outcome)) in outcomes.enumerate() {
        if at > 0 && at % group == 0 {
            tokio::task::yield_now().await;
        }
        // The sender may not wait, or not any more.
        drop(reply.map(|reply| reply.send(outcome)));
    }
}

impl Taken {
    /// Takes a command and all that wait, up to a full batch.
    fn take(
        &mut self,
        first: WriterCommand,
        commands: &mut mpsc::Receiver<WriterCommand>,
        committer: &mut Committer,
    ) {
        let mut next = Some(first);
        while let Some(command) = next {
            match command {
                WriterCommand::Store(write, reply) => {
                    committer.writes.push(write);
                    self.replies.push(reply);
                }
                WriterCommand::Checkpoint => self.checkpoint = true,
                WriterCommand::Close => {
                    self.close = true;
                    return;
                }
            }
            next = if committer.writes.len() < MAX_BATCH { commands.try_recv().ok() } else { None };
        }
    }
}

/// All that a commit needs: it goes to the thread and comes back.
#[derive(Debug)]
pub(super) struct Committer {
    disk: Box<dyn Disk>,
    in_doubt: InDoubt,
    health: Arc<Health>,
    /// The next batch.
    writes: Vec<Write>,
    /// The outcome of each write of the last batch.
    outcomes: Vec<Result<(), DiskError>>,
    /// How long the last commit or step of sorting took.
    took: Duration,
}

impl Committer {
    pub(super) fn new(disk: Box<dyn Disk>, in_doubt: InDoubt, health: Arc<Health>) -> Self {
        let (writes, outcomes) = (Vec::new(), Vec::new());
        Self { disk, in_doubt, health, writes, outcomes, took: Duration::ZERO }
    }

    /// Whether the next commit may take long.
    fn is_long(&self) -> bool {
        self.writes.iter().any(Write::is_long)
    }

    fn commit(&mut self) {
        let writes = std::mem::take(&mut self.writes);
        if !writes.is_empty() {
            self.store(&writes);
        }
        self.writes = writes;
        self.writes.clear();
    }

    /// Moves some recent facts to their rooms.
    fn sort(&mut self) {
        let began = Instant::now();
        self.disk.sort();
        self.took = began.elapsed();
    }

    fn store(&mut self, writes: &[Write]) {
        let began = Instant::now();
        let outcome = self.in_doubt.commit(self.disk.as_mut(), writes);
        self.took = began.elapsed();
        if let (Err(DiskError::Refused(_)), 2..) = (&outcome, writes.len()) {
            // One write is to blame. The others are stored one by one.
            for write in writes {
                let outcome = self.in_doubt.commit(self.disk.as_mut(), std::slice::from_ref(write));
                if let Err(error) = &outcome {
                    tracing::error!(%error, ?write, "a write was refused");
                }
                self.outcomes.push(self.in_doubt.outcome(write, &outcome));
            }
            return;
        }
        self.health.note(&outcome, writes.len(), self.took);
        let outcomes = writes.iter().map(|write| self.in_doubt.outcome(write, &outcome));
        self.outcomes.extend(outcomes);
    }
}

#[cfg(test)]
mod tests;
