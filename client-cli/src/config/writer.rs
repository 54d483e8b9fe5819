//! Writes the changes of a profile in a thread of its own, one after the other: a slow disk does not
//! stop the screen.

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::{Change, ConfigFile};

/// The most changes that wait for the disk, and the most problems that wait to be told. A player
/// makes a few changes in a minute.
const MAX_WAITING: usize = 64;

/// The thread that writes. When this is dropped, all changes are on the disk.
#[derive(Debug)]
pub(crate) struct Writer {
    changes: Option<SyncSender<Change>>,
    thread: Option<JoinHandle<()>>,
    report: Sender<String>,
    problems: Receiver<String>,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(file: ConfigFile) -> Self {
        let (changes, waiting) = sync_channel(MAX_WAITING);
        let (report, problems) = channel(MAX_WAITING);
        let to_loop = report.clone();
        let thread = thread::spawn(move || {
            for change in waiting {
                if let Err(error) = file.change(change) {
                    // Nobody listens any more at the end of the program. More problems than fit would
                    // tell nobody more.
                    let _ = to_loop.try_send(told(&format!("{error:#}")));
                }
            }
        });
        Self { changes: Some(changes), thread: Some(thread), report, problems }
    }

    /// Writes a change after those before it.
    pub(crate) fn write(&self, change: Change) {
        let Some(changes) = &self.changes else { return };
        if let Err(TrySendError::Full(_)) = changes.try_send(change) {
            let _ = self.report.try_send(told("failed to write your settings: the disk is slow"));
        }
    }

    /// The next problem. Waits as long as there is none, and may be cancelled without loss.
    pub(crate) async fn problem(&mut self) -> String {
        match self.problems.recv().await {
            Some(problem) => problem,
            // It cannot end: `report` holds it open.
            None => std::future::pending().await,
        }
    }

    /// Waits until everything is written. Returns the last problem.
    pub(crate) fn finish(&mut self) -> Option<String> {
        self.changes = None;
        // A panic was reported by the thread itself.
        let _ = self.thread.take().map(JoinHandle::join);
        std::iter::from_fn(|| self.problems.try_recv().ok()).last()
    }
}

fn told(problem: &str) -> String {
    format!("{problem}: you can play, but you cannot return to your seat")
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.finish();
    }
}
