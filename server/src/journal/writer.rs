//! The worker that writes the journal: everything that waits goes into one transaction, then
//! everybody who waited for it is told. What it writes to is a [`Disk`].

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::health::Health;
use super::in_doubt::InDoubt;
use super::store::{Disk, Write};
use crate::journal::error::DiskError;

/// Writes in one transaction at most, so that nobody waits for a very long one.
const MOST: usize = 1024;

/// Under load so long is waited for more before a commit that survives no power cut: it is so quick
/// that there would be one for every few moves, and each costs as much as many moves do. One that
/// survives it takes longer than this by itself.
pub(super) const GATHER: Duration = Duration::from_micros(500);

/// A write, and who waits for it.
#[derive(Debug)]
pub(super) enum WriterCommand {
    /// To be stored; who waits is told when it is.
    Store(Write, Option<oneshot::Sender<Result<(), DiskError>>>),
    /// What is in the log is to be moved to the file.
    Checkpoint,
    /// Nothing more comes: store what came before, and end.
    Close,
}

/// Writes until nobody can ask any more, or it is told to close. Where the commit before had more
/// than one write, it blocks for `gather` before the next.
pub(super) async fn run(
    mut disk: Box<dyn Disk>,
    mut jobs: mpsc::Receiver<WriterCommand>,
    health: Arc<Health>,
    mut in_doubt: InDoubt,
    gather: Duration,
) {
    let (mut writes, mut waiting) = (Vec::with_capacity(MOST), Vec::with_capacity(MOST));
    let (mut open, mut busy, mut checkpoint) = (true, false, false);
    while open && let Some(first) = jobs.recv().await {
        if busy && !gather.is_zero() {
            thread::sleep(gather);
        }
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                WriterCommand::Store(write, told) => {
                    writes.push(write);
                    waiting.push(told);
                }
                WriterCommand::Checkpoint => checkpoint = true,
                WriterCommand::Close => {
                    open = false;
                    break;
                }
            }
            next = if writes.len() < MOST { jobs.try_recv().ok() } else { None };
        }
        store(disk.as_mut(), &mut in_doubt, &writes, &mut waiting, &health);
        busy = writes.len() > 1;
        writes.clear();
        if std::mem::take(&mut checkpoint) {
            let (outcome, log_bytes) = disk.checkpoint();
            health.note_checkpoint(outcome, log_bytes);
        }
    }
    // Whoever sees the queue closed may open the file at once.
    drop(disk);
}

fn store(
    disk: &mut dyn Disk,
    in_doubt: &mut InDoubt,
    writes: &[Write],
    waiting: &mut Vec<Option<oneshot::Sender<Result<(), DiskError>>>>,
    health: &Health,
) {
    if writes.is_empty() {
        return;
    }
    let began = Instant::now();
    let outcome = in_doubt.commit(disk, writes);
    if let (Err(DiskError::Refused(_)), 2..) = (&outcome, writes.len()) {
        // One of them is to blame; the others are not to suffer for it.
        for (write, told) in writes.iter().zip(waiting.drain(..)) {
            let outcome = in_doubt.commit(disk, std::slice::from_ref(write));
            if let Err(error) = &outcome {
                tracing::error!(%error, ?write, "a write was refused");
            }
            tell(told, in_doubt.outcome(write, &outcome));
        }
        return;
    }
    health.note(&outcome, writes.len(), began.elapsed());
    for (write, told) in writes.iter().zip(waiting.drain(..)) {
        tell(told, in_doubt.outcome(write, &outcome));
    }
}

fn tell(told: Option<oneshot::Sender<Result<(), DiskError>>>, outcome: Result<(), DiskError>) {
    if let Some(told) = told {
        // Who waited may have gone.
        drop(told.send(outcome));
    }
}
