//! The worker that writes the journal. It puts all waiting writes into one transaction and then
//! tells every sender the outcome. It writes to a [`Disk`].

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::error::DiskError;
use super::health::Health;
use super::in_doubt::InDoubt;
use super::store::{Disk, Write};

/// Writes in one transaction at most, so that no sender waits for a very long one.
const MAX_BATCH: usize = 1024;

/// How long the writer waits, under load, for more writes before a commit that need not survive a
/// power cut. Such a commit is so quick that there would be one for every few moves, and each costs
/// as much as many moves do. A commit that survives a power cut takes longer than this by itself.
pub(super) const BATCH_DELAY: Duration = Duration::from_micros(500);

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

/// Writes until every sender is dropped or one sends [`WriterCommand::Close`]. If the previous
/// commit had more than one write, it blocks for `delay` before the next.
pub(super) async fn run(
    mut disk: Box<dyn Disk>,
    mut commands: mpsc::Receiver<WriterCommand>,
    health: Arc<Health>,
    mut in_doubt: InDoubt,
    delay: Duration,
) {
    let (mut writes, mut replies) = (Vec::with_capacity(MAX_BATCH), Vec::with_capacity(MAX_BATCH));
    let (mut open, mut busy, mut checkpoint) = (true, false, false);
    while open && let Some(first) = commands.recv().await {
        if busy && !delay.is_zero() {
            thread::sleep(delay);
        }
        let mut next = Some(first);
        while let Some(command) = next {
            match command {
                WriterCommand::Store(write, reply) => {
                    writes.push(write);
                    replies.push(reply);
                }
                WriterCommand::Checkpoint => checkpoint = true,
                WriterCommand::Close => {
                    open = false;
                    break;
                }
            }
            next = if writes.len() < MAX_BATCH { commands.try_recv().ok() } else { None };
        }
        store(disk.as_mut(), &mut in_doubt, &writes, &mut replies, &health);
        busy = writes.len() > 1;
        writes.clear();
        // Nobody waits for this.
        while disk.sort() && commands.is_empty() {}
        if std::mem::take(&mut checkpoint) {
            let (outcome, log_bytes) = disk.checkpoint();
            health.note_checkpoint(outcome, log_bytes);
        }
    }
    disk.close();
    // The file is closed before the queue: a caller that sees the queue closed may open the file.
    drop(disk);
}

fn store(
    disk: &mut dyn Disk,
    in_doubt: &mut InDoubt,
    writes: &[Write],
    replies: &mut Vec<Reply>,
    health: &Health,
) {
    if writes.is_empty() {
        return;
    }
    let began = Instant::now();
    let outcome = in_doubt.commit(disk, writes);
    if let (Err(DiskError::Refused(_)), 2..) = (&outcome, writes.len()) {
        // One write is to blame. The others are stored one by one.
        for (write, reply) in writes.iter().zip(replies.drain(..)) {
            let outcome = in_doubt.commit(disk, std::slice::from_ref(write));
            if let Err(error) = &outcome {
                tracing::error!(%error, ?write, "a write was refused");
            }
            send(reply, in_doubt.outcome(write, &outcome));
        }
        return;
    }
    health.note(&outcome, writes.len(), began.elapsed());
    for (write, reply) in writes.iter().zip(replies.drain(..)) {
        send(reply, in_doubt.outcome(write, &outcome));
    }
}

fn send(reply: Reply, outcome: Result<(), DiskError>) {
    if let Some(reply) = reply {
        // The sender may have stopped waiting.
        drop(reply.send(outcome));
    }
}
