//! Tests of the writer: which writes share a commit, where it runs, and how long the log gets.

use std::pin::pin;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use futures::poll;
use parking_lot::Mutex;

use super::{Background, Checkpoints, Committer, Disk, DiskError, Health, InDoubt, Write, Writer};
use super::{GATHER_TURNS, SLOW, WriterCommand, gather, tell};
use crate::journal::Journal;
use crate::journal::entry::{Entry, Payload};
use crate::journal::store::Durability;
use tokio::sync::{mpsc, oneshot};

/// A disk that notes for each commit its writes and its thread. A write for room 0 takes long.
#[derive(Debug, Clone, Default)]
struct NotingDisk(Arc<Mutex<Vec<Commit>>>);

/// How many writes a commit had, and the name of its thread if that is the journal's.
type Commit = (usize, Option<String>);

impl Disk for NotingDisk {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        let thread = thread::current().name().filter(|name| *name == "journal").map(str::to_owned);
        self.0.lock().push((writes.len(), thread));
        let began = Instant::now();
        if writes.iter().any(|write| matches!(write, Write::Vacant { room: 0, .. })) {
            while began.elapsed() <= SLOW {
                thread::yield_now();
            }
        }
        Ok(())
    }
}

impl NotingDisk {
    /// How many writes each commit had.
    fn sizes(&self) -> Vec<usize> {
        self.0.lock().iter().map(|(writes, _)| *writes).collect()
    }
}

fn start(waits: bool) -> (mpsc::Sender<WriterCommand>, NotingDisk) {
    let disk = NotingDisk::default();
    let (sender, commands) = mpsc::channel(64);
    let committer =
        Committer::new(Box::new(disk.clone()), InDoubt::default(), Arc::new(Health::new()));
    let checkpoints = Checkpoints::new(Background::Caller, None);
    let thread = Background::start("journal").unwrap();
    let writer = Writer { thread, waits, checkpoints };
    drop(tokio::spawn(writer.run(commands, Box::new(committer))));
    (sender, disk)
}

async fn write(writer: &mpsc::Sender<WriterCommand>, write: Write) {
    let (reply, outcome) = oneshot::channel();
    writer.send(WriterCommand::Store(write, Some(reply))).await.unwrap();
    outcome.await.unwrap().unwrap();
}

const fn vacant(room: i64) -> Write {
    Write::Vacant { room, run: 1, since: None }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_is_written_in_one_turn_shares_a_commit() {
    for waits in [false, true] {
        let (writer, disk) = start(waits);
        let turn = tokio::spawn(async move {
            let rooms = (1..=20).map(|room| {
                let writer = writer.clone();
                tokio::spawn(async move { write(&writer, vacant(room)).await })
            });
            futures::future::join_all(rooms.collect::<Vec<_>>()).await
        });
        assert!(turn.await.unwrap().iter().all(Result::is_ok));
        // A long turn is cut in pieces by the runtime.
        let sizes = disk.sizes();
        assert!(sizes.len() <= 3, "waits: {waits}, {sizes:?}");
    }
}

#[tokio::test]
async fn a_commit_waits_for_more_writes_as_long_as_each_turn_brings_some() {
    let (sender, commands) = mpsc::channel(64);
    for (turns, most) in [(0, 1), (2, 3), (GATHER_TURNS + 9, GATHER_TURNS)] {
        let mut gathering = pin!(gather(&commands));
        let mut waited = 0;
        while poll!(gathering.as_mut()).is_pending() {
            if waited < turns {
                sender.try_send(WriterCommand::Store(vacant(1), None)).unwrap();
            }
            waited += 1;
        }
        assert_eq!(waited, most, "{turns} turns with a write");
    }
}

#[tokio::test]
async fn the_outcomes_of_a_commit_are_told_in_groups_with_a_turn_between() {
    let (replies, mut outcomes): (Vec<_>, Vec<_>) = (0..5).map(|_| oneshot::channel()).unzip();
    let mut telling = pin!(tell(replies.into_iter().map(|reply| (Some(reply), Ok(()))), 2));
    for known in [2, 4] {
        assert!(poll!(telling.as_mut()).is_pending());
        let told = outcomes.iter_mut().filter(|outcome| !outcome.is_empty()).count();
        assert_eq!(told, known);
    }
    assert!(poll!(telling.as_mut()).is_ready());
    assert!(outcomes.iter().all(|outcome| !outcome.is_empty()));
}

#[tokio::test]
async fn what_takes_long_is_done_on_a_thread() {
    let (writer, disk) = start(false);
    let long = Write::Prune { before: 0, most: 1 };
    // The runtime's thread finds out once that the disk is slow.
    for next in [vacant(1), vacant(0), vacant(0), vacant(1), vacant(1), long] {
        write(&writer, next).await;
    }
    let threads: Vec<bool> = disk.0.lock().iter().map(|(_, thread)| thread.is_some()).collect();
    assert_eq!(threads, [false, false, true, true, false, true]);
    let (writer, disk) = start(true);
    write(&writer, vacant(1)).await;
    assert!(disk.0.lock()[0].1.is_some(), "a commit that waits for the disk");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_of_a_writer_that_never_pauses_is_emptied_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, _) = Journal::open(folder.path(), Durability::Process).unwrap();
    // 100 MB, a few logs, and never a moment without a write.
    let rooms = (1..=4).map(|room| {
        let journal = journal.clone();
        tokio::spawn(async move {
            for v in 1..=400 {
                let payload = Payload::Fact("x".repeat(64 << 10));
                let entries = vec![Entry { v, run: 1, at: 0, payload, crc: 0 }];
                let facts = Write::Append { room, entries, kept: None, ended: None };
                journal.write(facts).await.unwrap();
            }
        })
    });
    for room in rooms.collect::<Vec<_>>() {
        room.await.unwrap();
    }
    let log = std::fs::metadata(folder.path().join("journal.db-wal")).unwrap().len();
    assert!(log < 64 << 20, "{log}");
    journal.close().await;
}
