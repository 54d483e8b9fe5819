//! A thread for the work that waits for the disk, so that the runtime does not.

use std::io;
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use tokio::sync::oneshot;

/// Does work in another place than its caller, one piece after the other.
#[derive(Debug)]
pub(super) enum Background {
    /// A thread of its own. It takes the next piece while one is done; more wait for it.
    Thread(SyncSender<Work>),
    /// The caller's own thread, at once: in a simulation all that happens has one order.
    Caller,
}

type Work = Box<dyn FnOnce() + Send>;

impl Background {
    /// Starts a thread of this name. It ends when this value is dropped.
    ///
    /// # Errors
    /// If the system has no more threads.
    pub(super) fn start(name: &str) -> io::Result<Self> {
        let (sender, pieces) = mpsc::sync_channel::<Work>(1);
        let thread = thread::Builder::new().name(name.to_owned());
        thread.spawn(move || pieces.into_iter().for_each(|work| work()))?;
        Ok(Self::Thread(sender))
    }

    /// Starts a piece of work. The receiver gets what it returns, or an error if it panicked.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (done, result) = oneshot::channel();
        let work = move || {
            // The caller may have stopped waiting.
            drop(done.send(work()));
        };
        match self {
            // If the thread is gone, the work is dropped, and so is `done`.
            Self::Thread(sender) => drop(sender.send(Box::new(work))),
            Self::Caller => work(),
        }
        result
    }
}
