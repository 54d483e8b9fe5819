//! Writes the changes of profiles in a thread of its own, one after the other: a slow disk does not stop
//! the screen.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

use super::{Change, ConfigFile};

/// The most changes that wait for the disk, and the most problems that wait to be told. A player
/// makes a few changes in a minute.
const MAX_WAITING: usize = 64;

/// A change that waits for the disk, or somebody who waits for those before.
type Job = Box<dyn FnOnce() + Send>;

/// The thread that writes. It ends when this and all its writers are gone.
#[derive(Debug)]
pub(crate) struct WriterThread {
    jobs: SyncSender<Job>,
    thread: JoinHandle<()>,
}

impl WriterThread {
    /// Starts the thread; this many changes may wait at once.
    pub(crate) fn start(most: usize) -> Self {
        let (jobs, waiting) = sync_channel::<Job>(most);
        let thread = thread::spawn(move || waiting.into_iter().for_each(|job| job()));
        Self { jobs, thread }
    }

    /// Waits until the changes so far are written. A full queue is not waited for.
    pub(crate) async fn written(&self) {
        let (reached, here) = oneshot::channel::<()>();
        if self.jobs.try_send(Box::new(move || drop(reached))).is_ok() {
            // The end of the channel is the answer.
            let _ = here.await;
        }
    }

    /// A writer of this thread for a file.
    pub(crate) fn writer(&self, file: ConfigFile) -> Writer {
        Writer::of(Some((self.jobs.clone(), Arc::new(file))))
    }

    /// Waits until everything is written. All writers must be gone, or nothing more may come of them.
    pub(crate) fn finish(self) {
        drop(self.jobs);
        // A panic was reported by the thread itself.
        let _ = self.thread.join();
    }
}

/// Writes the changes of one profile.
#[derive(Debug)]
pub(crate) struct Writer {
    /// Where changes wait; `None` for a guest, of whom nothing is kept.
    file: Option<(SyncSender<Job>, Arc<ConfigFile>)>,
    /// The thread of this writer alone. When the writer is dropped, all changes are on the disk.
    thread: Option<WriterThread>,
    report: Sender<String>,
    problems: Receiver<String>,
}

impl Writer {
    /// A writer with a thread of its own.
    pub(crate) fn start(file: ConfigFile) -> Self {
        let thread = WriterThread::start(MAX_WAITING);
        let mut writer = thread.writer(file);
        writer.thread = Some(thread);
        writer
    }

    /// The writer of a guest: it writes nothing.
    pub(crate) fn nowhere() -> Self {
        Self::of(None)
    }

    fn of(file: Option<(SyncSender<Job>, Arc<ConfigFile>)>) -> Self {
        let (report, problems) = channel(MAX_WAITING);
        Self { file, thread: None, report, problems }
    }

    /// Writes a change after those before it.
    pub(crate) fn write(&self, change: Change) {
        let Some((jobs, file)) = &self.file else { return };
        let file = Arc::clone(file);
        let report = self.report.clone();
        let job = move || {
            if let Err(error) = file.change(change) {
                // Nobody listens any more at the end of the program. More problems than fit would tell nobody
                // more.
                let _ = report.try_send(told(&format!("{error:#}")));
            }
        };
        if let Err(TrySendError::Full(_)) = jobs.try_send(Box::new(job)) {
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

    /// Waits until everything is written, if the thread is this writer's alone. Returns the last
    /// problem.
    pub(crate) fn finish(&mut self) -> Option<String> {
        self.file = None;
        self.thread.take().into_iter().for_each(WriterThread::finish);
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
